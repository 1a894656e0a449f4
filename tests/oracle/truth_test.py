#!/usr/bin/env python3
"""Compares what `rocescope analyze` rebuilds from each capture of the lab with the truth beside it.

Here: verdicts and losses, beside the drops of the network and the counters of the devices (captures/NAME.ndjson).
verify_test.py has the rest.
"""
import json
import pathlib
import subprocess
import sys
import unittest

PROGRAM = sys.argv.pop(1)
CAPTURES = pathlib.Path(__file__).resolve().parents[2] / "captures"


class Scenario:
    """A capture, its truth and its report."""

    def __init__(self, truth: pathlib.Path):
        self.name = truth.stem
        self.facts = [json.loads(line) for line in truth.open()]
        output = subprocess.run([PROGRAM, "analyze", "--json", truth.with_suffix(".pcapng")],
                                capture_output=True, check=True, text=True).stdout
        self.report = json.loads(output)
        self.connections = self.report["connections"]

    def of(self, event: str) -> list[dict]:
        return [fact for fact in self.facts if fact.get("event") == event]

    def requests(self, key: str) -> int:
        return sum(side["requests"][key] for connection in self.connections for side in connection["sides"])

    def verdicts(self, name: str) -> int:
        return sum(side["requests"]["verdicts"].get(name, 0)
                   for connection in self.connections for side in connection["sides"])

    def counted(self, counter: str) -> int:
        """What both devices counted from the scenario's start to its end."""
        readings = {(fact["on"], fact["when"]): fact["hw_counters"][counter]
                    for fact in self.of("counters") if "on" in fact}
        return sum(value if when == "after" else -value for (_, when), value in readings.items())

    def dropped(self, machine: str, way: str) -> int:
        return sum(fact["dropped"] for fact in self.of("queue") if (fact["on"], fact["way"]) == (machine, way))

    def is_impaired(self) -> bool:
        return bool(self.of("impairment"))


SCENARIOS = [Scenario(truth) for truth in sorted(CAPTURES.glob("*.ndjson"))]


class Truth(unittest.TestCase):
    def test_nothing_is_lost_where_nothing_was(self):
        for scenario in SCENARIOS:
            self.assertEqual(scenario.requests("capture_lost"), 0, scenario.name)
            if scenario.is_impaired():
                continue
            self.assertEqual(scenario.requests("lost_before"), 0, scenario.name)
            self.assertEqual(scenario.verdicts("gap"), 0, scenario.name)
            # A device that waits too short for an ACK sends again all the same, and its peer counts it.
            if scenario.requests("rnr_naks") == 0:
                self.assertEqual(scenario.verdicts("retransmission"), scenario.counted("duplicate_request"), scenario.name)

    def test_losses_before_the_capture_are_those_of_the_network(self):
        """Every packet that is called lost was dropped. Not every drop can be found: of the last ones of a burst
        nothing says that they were sent."""
        tried = [scenario for scenario in SCENARIOS if scenario.name.startswith(("impaired_out-loss", "lost-"))]
        self.assertGreater(len(tried), 3)
        for scenario in tried:
            lost = scenario.requests("lost_before")
            if scenario.dropped("client", "out") > 1:
                self.assertGreater(lost, 0, scenario.name)
            self.assertLessEqual(lost, scenario.dropped("client", "out"), scenario.name)
            self.assertEqual(scenario.requests("lost_after"), 0, scenario.name)

    def test_losses_behind_the_capture_are_told(self):
        tried = [scenario for scenario in SCENARIOS if scenario.name.startswith("impaired_in-loss")]
        self.assertGreater(len(tried), 0)
        for scenario in tried:
            self.assertEqual(scenario.requests("lost_before"), 0, scenario.name)
            self.assertEqual(scenario.requests("lost_after"), scenario.counted("out_of_seq_request"), scenario.name)


if __name__ == "__main__":
    unittest.main()
