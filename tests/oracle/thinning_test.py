#!/usr/bin/env python3
"""Good captures, thinned on purpose: whatever that makes must come out as a loss of the capture, and none as one of the network.

Left out is what rebuilds a capture's connections: handshakes, and whatever is not RoCE. Without these nobody can know that a
queue pair began anew.

With --all more often, which takes longer.
"""
import collections
import json
import pathlib
import random
import subprocess
import sys
import tempfile
import unittest

from capture_file import records

IS_ALL = "--all" in sys.argv
if IS_ALL:
    sys.argv.remove("--all")
PROGRAM = sys.argv.pop(1)
CAPTURES = pathlib.Path(__file__).resolve().parents[2] / "captures"
RATES = (10, 100)  # one packet in so many is dropped
SEEDS = 6 if IS_ALL else 2
SENT_AGAIN = ("recoveries", "retransmission", "read_response_retransmission", "rnr_naks")

# Findings that a thinned capture may have and the whole one not, beside capture_loss.
MAY_APPEAR = {
    "torn_down_outstanding": "the capture lacks the last ACK: that it came nobody can know",
    "cm_incomplete": "the capture lacks the first request, which shows that the last message of the handshake arrived",
}
# rdma_rxe sent again there within microseconds, and nothing on the wire shows why: where the capture lacks the original, its copy
# may look as if it were that, overtaken, or as if an ACK timer had run out.
AT_ONCE = "lab_pingpong_atomic_udaddy"


def analyze(file: pathlib.Path) -> dict:
    return json.loads(subprocess.run([PROGRAM, "analyze", "--json", file], capture_output=True, check=True, text=True).stdout)


def effects(report: dict) -> collections.Counter:
    """The verdicts on the requests of all connections. UC acknowledges nothing: there the capture's losses look like the
    network's, and are counted apart."""
    result: collections.Counter = collections.Counter()
    for connection in report["connections"]:
        reliable = connection["transport"] != "UC"
        for side in connection["sides"]:
            requests = side["requests"]
            for name in ("lost_after", "recoveries", "capture_lost", "rnr_naks", "sequence_naks"):
                result[name] += requests[name]
            result["lost_before" if reliable else "unreliable_lost"] += requests["lost_before"]
            result.update(requests["verdicts"])
    return +result


class Good:
    """A capture of which nothing was lost, before, in or behind it."""

    def __init__(self, file: pathlib.Path):
        self.file = file
        report = analyze(file)
        self.findings = {finding["id"] for finding in report["findings"]}
        self.effects = effects(report)
        self.is_good = not any(self.effects[name] for name in
                               ("lost_before", "lost_after", "capture_lost", "unreliable_lost", "gap", "out_of_order",
                                "capture_duplicate", "sequence_naks", "ack_of_unseen"))
        self.records = list(records(file.read_bytes()))
        shown = subprocess.run([PROGRAM, "dissect", file, "-T", "fields", "-e", "infiniband.bth.destqp"], capture_output=True,
                               check=True, text=True).stdout.splitlines()
        self.is_kept = [line in ("", "0x000001") for line in shown]

    def thinned(self, one_in: int, seed: int, file: pathlib.Path) -> tuple[dict, int]:
        """The report of what is left, and how many were dropped."""
        randoms = random.Random(f"{self.file.name} {one_in} {seed}")
        packets = iter(self.is_kept)
        left = [record for is_packet, record in self.records
                if not is_packet or next(packets) or randoms.randrange(one_in) != 0]
        file.write_bytes(b"".join(left))
        return analyze(file), len(self.records) - len(left)


class Thinning(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        bad = ("impaired_", "ipv6_lost-", "link_away-", "lost-", "lost_answers_")
        files = sorted(file for file in CAPTURES.iterdir()
                       if file.suffix in (".pcap", ".pcapng") and not file.name.startswith(bad))
        cls.good = [good for good in map(Good, files) if good.is_good]

    def test_there_are_captures_of_every_kind(self):
        names = {good.file.stem for good in self.good}
        for name in ("lab_rping_write_ud_atomic", "lab_pingpong_atomic_udaddy", "nvme", "rping", "several", "psn_wrap", "ucmatose",
                     "pingpong-uc", "pingpong-rc", "perftest-ud_send_bw", "perftest-cmp_swap_bw", "rdmagen-cm-mixed",
                     "rdmagen-exchange-mixed", "rdmagen_several-cm", "atomic_write-cm", "ipv6", "vlan", "fault-rnr"):
            self.assertIn(name, names)
        self.assertGreater(len(names), 45)

    def test_nothing_is_called_lost_in_the_network(self):
        capture_lost, dropped = 0, 0
        with tempfile.TemporaryDirectory() as folder:
            for good in self.good:
                for one_in in RATES:
                    for seed in range(SEEDS):
                        with self.subTest(capture=good.file.name, one_in=one_in, seed=seed):
                            report, less = good.thinned(one_in, seed, pathlib.Path(folder) / "thin")
                            dropped += less
                            capture_lost += self.check(good, report)
        self.assertGreater(dropped, SEEDS * 800)
        self.assertGreater(capture_lost, dropped // 4)  # responses can be missed, and requests at the end, without a trace

    def check(self, good: Good, report: dict) -> int:
        found = effects(report)
        at_once = good.file.stem == AT_ONCE
        for name in ("lost_before", "lost_after", "capture_duplicate", "sequence_naks"):
            self.assertEqual(found[name], 0, name)
        self.assertLessEqual(found["out_of_order"], 1 if at_once else 0)
        for name in SENT_AGAIN:  # some waited for a receiver, or for an ACK for too short a time
            self.assertLessEqual(found[name], good.effects[name], name)
        lost_messages = {"packet_loss_before"} if found["unreliable_lost"] else set()
        new = {finding["id"] for finding in report["findings"]} - good.findings - MAY_APPEAR.keys() - lost_messages
        self.assertLessEqual(new, {"capture_loss", "timeout_recovery", "reordering"} if at_once else {"capture_loss"})
        return found["capture_lost"]


if __name__ == "__main__":
    unittest.main()
