#!/usr/bin/env python3
"""Compares what `rocescope analyze` rebuilds from each capture of the lab with the truth beside it.

Here: verdicts and losses, beside the drops of the network and the counters of the devices (captures/NAME.ndjson).
verify_test.py has the rest.
"""
import json
import math
import pathlib
import subprocess
import sys
import unittest

PROGRAM = sys.argv.pop(1)
CAPTURES = pathlib.Path(__file__).resolve().parents[2] / "captures"


# Its last 4 WRITEs were lost before the capture, and all that repeated them.
NEVER_SEEN = {"link_away-client-exhausted": 4}


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


def read_responses_missing(name: str) -> tuple[int, list[int]]:
    """What tshark shows of the READs of a capture: PSNs that their responses skipped, and the frames behind the gaps. A READ is
    a request that asks for PSNs that none before it did; other requests repeat it, or a part of it."""
    output = subprocess.run(
        ["tshark", "-n", "-r", CAPTURES / f"{name}.pcapng", "-Y",
         "infiniband.bth.opcode >= 0x0c && infiniband.bth.opcode <= 0x10", "-T", "fields", "-e", "frame.number", "-e",
         "infiniband.bth.opcode", "-e", "infiniband.bth.psn", "-e", "infiniband.reth.dmalen"],
        capture_output=True, check=True, text=True).stdout
    read_of, awaited = {}, {}  # by PSN; by the first PSN of a READ
    missing, frames = 0, []
    for line in output.splitlines():
        frame, opcode, psn, length = line.split("\t")
        psn = int(psn)
        if int(opcode, 0) == 0x0c:
            if psn not in read_of:
                read_of |= {each: psn for each in range(psn, psn + math.ceil(int(length) / 1024))}
                awaited[psn] = psn
            continue
        read = read_of.get(psn)
        if read is None or psn < awaited[read]:
            continue
        if psn > awaited[read]:
            missing += psn - awaited[read]
            frames.append(int(frame))
        awaited[read] = psn + 1
    return missing, frames


def times_that_reads_went_back(name: str) -> int:
    """READ Requests of a path MTU of 512 that ask for less than the one before them asked for, or for some of that."""
    output = subprocess.run(["tshark", "-n", "-r", CAPTURES / f"{name}.pcapng", "-Y", "infiniband.bth.opcode == 0x0c", "-T", "fields",
                             "-e", "infiniband.bth.psn", "-e", "infiniband.reth.dmalen"], capture_output=True, check=True, text=True).stdout
    asked = [(int(psn), int(psn) + int(length) // 512) for psn, length in map(str.split, output.splitlines())]
    return sum(first < end for (_, end), (first, _) in zip(asked, asked[1:]))


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

    def test_losses_behind_the_capture_are_reported(self):
        tried = [scenario for scenario in SCENARIOS if scenario.name.startswith("impaired_in-loss")]
        self.assertGreater(len(tried), 0)
        for scenario in tried:
            self.assertEqual(scenario.requests("lost_before"), 0, scenario.name)
            self.assertEqual(scenario.requests("lost_after"), scenario.counted("out_of_seq_request"), scenario.name)

    def test_read_responses_that_were_not_seen_are_gaps_in_their_psns(self):
        self.assertEqual(read_responses_missing("lost-heavy"), (7, [33, 60, 61, 117, 137, 169, 182]))  # also counted by hand
        tried = [scenario for scenario in SCENARIOS if scenario.name.startswith("lost-")]
        self.assertGreater(len(tried), 1)
        for scenario in tried:
            (connection,) = scenario.connections
            self.assertEqual(connection["path_mtu"], 1024, scenario.name)
            found = [side["requests"]["read_responses_missing"] for side in connection["sides"]]
            self.assertEqual(found, [read_responses_missing(scenario.name)[0], 0], scenario.name)  # the client reads


    def test_read_responses_lost_before_the_capture_are_those_of_the_network(self):
        """netem dropped packets of the responder, which sent nothing but READ responses."""
        tried = [scenario for scenario in SCENARIOS if scenario.name.startswith("lost-")]
        for scenario in tried:
            lost = scenario.dropped("server", "out")
            self.assertGreater(lost, 0, scenario.name)
            self.assertEqual(scenario.requests("acks") + scenario.requests("sequence_naks"), 0, scenario.name)
            self.assertEqual(scenario.requests("read_responses_lost_before"), lost, scenario.name)
            found = {finding["id"]: finding for finding in scenario.report["findings"]}
            self.assertEqual(found["read_response_loss_before"]["weight"], lost, scenario.name)

    def test_read_responses_lost_on_one_side_of_the_capture_are_lost_nowhere_else(self):
        """netem dropped only responses. Behind the capture point the requester shows one of each recovery: the one that it asks for
        first. Before it all are found but those of a READ of which nothing came, and their like."""
        behind, before = (next(each for each in SCENARIOS if each.name == f"lost_answers_{way}-read") for way in ("in", "out"))
        self.assertEqual(behind.requests("read_responses_lost_before"), 0)
        self.assertEqual(behind.requests("read_responses_lost_after"), times_that_reads_went_back(behind.name))
        self.assertLessEqual(behind.requests("read_responses_lost_after"), behind.dropped("client", "in"))
        self.assertEqual(before.requests("read_responses_lost_after"), 0)
        self.assertLessEqual(before.requests("read_responses_lost_before"), before.dropped("server", "out"))
        self.assertGreater(before.requests("read_responses_lost_before"), 0.9 * before.dropped("server", "out"))

    def test_read_responses_called_lost_left_holes_in_what_the_responder_counts(self):
        """SoftRoCE counts its IPv4 packets: a number that never came was dropped before both views. READs of which nothing
        came leave it open what was lost, so not all are found."""
        name = CAPTURES / "two_views_responses-read.pcap.gz"
        output = subprocess.run(["tshark", "-n", "-r", name, "-Y", "ip.src == 192.168.2.24 && infiniband.bth", "-T", "fields", "-e",
                                 "ip.id"], capture_output=True, check=True, text=True).stdout
        seen = {int(line, 0) for line in output.split()}
        dropped = max(seen) - min(seen) + 1 - len(seen)
        report = json.loads(subprocess.run([PROGRAM, "analyze", "--json", name], capture_output=True, check=True, text=True).stdout)
        sides = [side["requests"] for connection in report["connections"] for side in connection["sides"]]
        found = sum(side["read_responses_lost_before"] for side in sides)
        self.assertGreater(dropped, 100)
        self.assertLessEqual(found, dropped)
        self.assertGreater(found, dropped * 3 // 4)
        self.assertEqual(sum(side["read_responses_lost_after"] + side["read_responses_not_captured"] for side in sides), 0)

    def test_of_answers_that_are_lost_only_those_of_reads_are_called_so(self):
        """Each answer that netem dropped is a READ response, or each is an ACK. Not all of the READs can be found: of those that
        are lost behind the last one that came nothing says how many the requester got."""
        for way, machine, where in (("out", "server", "before"), ("in", "client", "after")):
            for traffic in ("read", "write", "send"):
                name = f"lost_answers_{way}-{traffic}"
                scenario = next(each for each in SCENARIOS if each.name == name)
                dropped, found = scenario.dropped(machine, way), scenario.requests(f"read_responses_lost_{where}")
                self.assertGreater(dropped, 0, name)
                self.assertLessEqual(found, dropped if traffic == "read" else 0, name)
                self.assertGreaterEqual(found, dropped // 3 if traffic == "read" else 0, name)
                for lost in ("lost_before", "lost_after"):
                    self.assertEqual(scenario.requests(lost), 0, name)

    def test_acks_called_lost_were_dropped_by_the_network_on_that_side(self):
        """Not all can be found: most lost ACKs are made up for by the next one."""
        least = {"lost_answers_out-send": (1, 0), "lost_answers_out-write": (1, 0), "lost_answers_in-send": (0, 1)}
        for scenario in SCENARIOS:
            dropped = scenario.dropped("server", "out"), scenario.dropped("client", "in")
            found = scenario.requests("acks_lost_before"), scenario.requests("acks_lost_after")
            for lost, most, needed in zip(found, dropped, least.get(scenario.name, (0, 0))):
                self.assertLessEqual(lost, most, scenario.name)
                self.assertGreaterEqual(lost, needed, scenario.name)

    def test_no_answer_comes_while_a_link_is_away(self):
        """Seen from the side whose link stays. The lab took it away for two seconds or more."""
        for name, ended in (("link_away-server-recovered", 1), ("link_away-server-exhausted", 0)):
            scenario = next(each for each in SCENARIOS if each.name == name)
            away, back = [fact["time_ns"] for fact in scenario.of("link")]
            self.assertEqual((scenario.requests("silences"), scenario.requests("silences_ended")), (1, ended), name)
            longest = scenario.requests("longest_silence")
            if ended:
                self.assertGreater(longest, (back - away) * 9 // 10)
            else:
                self.assertLess(longest, back - away)
            self.assertEqual(scenario.requests("most_tries_in_silence"), scenario.counted("completer_retry_err"), name)
        for scenario in SCENARIOS:
            if not scenario.of("link"):
                self.assertEqual(scenario.requests("silences"), 0, scenario.name)

    def test_of_a_link_that_is_away_the_tries_are_recoveries_by_timeout(self):
        """Seen from the side whose link stays. SoftRoCE counts each try, the last of which fails."""
        for name in ("link_away-server-recovered", "link_away-server-exhausted"):
            scenario = next(each for each in SCENARIOS if each.name == name)
            timeouts = sum(side["requests"]["recovery_causes"].get("timeout", 0)
                           for connection in scenario.connections for side in connection["sides"])
            self.assertEqual(timeouts, scenario.counted("completer_retry_err"), name)
            self.assertEqual(scenario.requests("lost_before"), 0, name)

    def test_no_read_responses_are_lost_where_none_were(self):
        for scenario in SCENARIOS:
            if not scenario.name.startswith("lost_answers_in-"):
                self.assertEqual(scenario.requests("read_responses_lost_after"), 0, scenario.name)
            self.assertEqual(scenario.requests("read_responses_not_captured"), 0, scenario.name)
            if scenario.dropped("server", "out") == 0:
                self.assertEqual(scenario.requests("read_responses_lost_before"), 0, scenario.name)


if __name__ == "__main__":
    unittest.main()
