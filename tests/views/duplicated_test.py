#!/usr/bin/env python3
"""Packets that a network duplicates are no second capture point: nothing was lost between two that do not exist.

Only their share distinguishes duplicates from the copies of a mirror. If that is not enough, nothing may be stated for sure.

    duplicated_test.py PROGRAM
    duplicated_test.py PROGRAM --all     more windows, which takes longer
"""
import random
import sys
import unittest
from collections.abc import Callable

import claims
import packets
import scenarios
import views
from reported import Reported

WINDOWS = 120 if "--all" in sys.argv else 15
sys.argv[1:] = [word for word in sys.argv[1:] if word != "--all"]
# Captures of a single point, in which nothing was lost.
WHOLE = ("rping", "nvme_io", "rdmagen-cm-mixed", "pingpong-rc", "mpi-openmpi")


class Duplicated(Reported):
    def check_nothing_is_lost_between(self, report: dict) -> None:
        self.assertEqual([each["weight"] for each in report["findings"]
                          if each["id"] == "packet_loss_between" and claims.strength_of(each) != claims.ESTIMATED], [])

    def test_duplicates_in_a_row_where_a_capture_begins(self) -> None:
        names = ("two_views-duplicate", "impaired_out-duplicate_heavy")
        for scenario in scenarios.read_all(names.__contains__):
            whole, requester = scenario.packets, views.requester_of(scenario)
            for begin in range(0, len(whole) - 20, max(1, len(whole) // WINDOWS)):
                rest = whole[begin:]
                for name, shown in (("from there", rest), ("a quarter", rest[:len(whole) // 4]),
                                    ("one way", [packet for packet in rest if packet.source == requester])):
                    with self.subTest(scenario.name, shown=name, begin=begin):
                        report = self.report(shown)
                        self.check_nothing_is_lost_between(report)
                        self.assertLess(len(report["capture_points"]), 2)

    def made(self, scenario: scenarios.Scenario, is_duplicated: Callable[[packets.Packet], bool], delay: int) -> list[packets.Packet]:
        return views.by_time(scenario.packets + [packet.changed(time=packet.time + delay) for packet in scenario.packets
                                                 if is_duplicated(packet)])

    def test_nothing_is_lost_between_points_that_do_not_exist(self) -> None:
        randoms = random.Random(3)
        for scenario in scenarios.read_all(WHOLE.__contains__):
            requester = views.requester_of(scenario)
            for percent in (20, 40, 60, 80):
                for ways in ("one way", "both ways"):
                    for delay in (2_000, 30_000):
                        shown = self.made(scenario, lambda packet: (ways == "both ways" or packet.source == requester) and
                                          randoms.randrange(100) < percent, delay)
                        with self.subTest(scenario.name, percent=percent, ways=ways, delay=delay):
                            report = self.report(shown)
                            self.check_nothing_is_lost_between(report)
                            if percent < 50:
                                self.assertEqual(len(report["capture_points"]), 1)

    def test_a_mirror_that_sees_one_way_twice_is_two_points(self) -> None:
        for scenario in scenarios.read_all({"rdmagen-cm-mixed", "mpi-openmpi"}.__contains__):
            requester = views.requester_of(scenario)
            report = self.report(self.made(scenario, lambda packet: packet.source == requester, 30_000))
            with self.subTest(scenario.name):
                self.check_nothing_is_lost_between(report)
                self.assertEqual(len(report["capture_points"]), 2)
                self.assertFalse([each for each in report["findings"] if each["id"] == "network_duplicates"])


if __name__ == "__main__":
    unittest.main()
