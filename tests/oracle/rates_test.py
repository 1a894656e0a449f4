#!/usr/bin/env python3
"""Compares rates with tshark's packets, and goodput with the bytes that the lab's work requests moved."""
import collections
import subprocess
import unittest

import truth_test

MOVES = ("SEND", "SEND_WITH_IMM", "SEND_WITH_INV", "RDMA_WRITE", "RDMA_WRITE_WITH_IMM", "RDMA_READ", "ATOMIC_WRITE")


def sums(rows, name):
    """Of the non-empty buckets by their start."""
    return {rows["start"] + i * rows["interval"]: value for i, value in enumerate(rows[name]) if value}


class Rates(unittest.TestCase):
    def test_buckets_are_the_packets_that_tshark_shows(self):
        for name in ("impaired_out-loss_heavy", "rdmagen-cm-mixed", "rdmagen_transport-cm-ud", "nvme", "several"):
            scenario = next(each for each in truth_test.SCENARIOS if each.name == name)
            output = subprocess.run(
                ["tshark", "-n", "-r", truth_test.CAPTURES / f"{name}.pcapng", "-Y", "infiniband.bth", "-T", "fields", "-e",
                 "frame.time_epoch", "-e", "frame.len", "-e", "ip.src", "-e", "ip.dst"],
                capture_output=True, check=True, text=True).stdout
            width = scenario.report["rates"]["buckets"]["interval"]
            expected = collections.Counter()
            pairs = collections.Counter()
            for line in output.splitlines():
                time, length, source, destination = line.split("\t")
                seconds, fraction = time.split(".")
                ns = int(seconds) * 10**9 + int(fraction.ljust(9, "0"))
                expected[ns // width * width] += int(length)
                pairs[source, destination] += int(length)
            self.assertEqual(sums(scenario.report["rates"]["buckets"], "wire_bytes"), dict(expected), name)
            self.assertEqual({(row["source"], row["destination"]): row["wire_bytes"] for row in scenario.report["host_rates"]},
                             dict(pairs), name)

    def test_goodput_is_what_the_work_requests_moved(self):
        """However often it was sent: what was lost came again."""
        tried = 0
        for scenario in truth_test.SCENARIOS:
            if scenario.requests("messages_refused") or scenario.of("kill") or "UC" in str(scenario.of("qp")):
                continue
            if scenario.name in truth_test.NEVER_SEEN:
                continue
            datagrams = {(fact["side"], fact["qpn"]) for fact in scenario.of("qp") if fact["type"] == "UD"}
            moved = sum(fact["bytes"] for fact in scenario.of("post")
                        if fact["opcode"] in MOVES and (fact["side"], fact["qpn"]) not in datagrams)
            if moved == 0:
                continue
            goodput = sum(side["rates"]["goodput_bytes"] for connection in scenario.connections for side in connection["sides"])
            with self.subTest(scenario.name):
                self.assertEqual(goodput, moved)
            tried += 1
        self.assertGreater(tried, 20)

    def test_add_up(self):
        for scenario in truth_test.SCENARIOS:
            everything = [scenario.report["rates"], *scenario.report["host_rates"],
                          *(side["rates"] for connection in scenario.connections for side in connection["sides"])]
            for rates in everything:
                if rates["packets"] == 0:
                    continue
                for name in ("packets", "wire_bytes", "payload_bytes", "goodput_bytes", "resent_bytes", "messages"):
                    self.assertEqual(sum(rates["buckets"][name]), rates[name], scenario.name)
                self.assertLessEqual(rates["goodput_bytes"] + rates["resent_bytes"], rates["payload_bytes"], scenario.name)
            pairs = scenario.report["host_rates"]
            for name in ("packets", "wire_bytes", "goodput_bytes", "messages"):
                self.assertEqual(sum(pair[name] for pair in pairs), scenario.report["rates"][name], scenario.name)


if __name__ == "__main__":
    unittest.main()
