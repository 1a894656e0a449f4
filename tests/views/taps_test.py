#!/usr/bin/env python3
"""Two captures of one run, at both ends of a network that lost nothing: one ends sooner, or lacks packets.

    taps_test.py PROGRAM
    taps_test.py PROGRAM --all     where more captures end, which takes longer
"""
import random
import sys
import unittest
from collections.abc import Iterator

import claims
import packets
import scenarios
import views
from reported import Reported

PLACES = 20 if "--all" in sys.argv else 3  # where a capture ends
sys.argv[1:] = [word for word in sys.argv[1:] if word != "--all"]
WHOLE = ("ecn-heavy", "rping", "nvme_io", "rdmagen-cm-mixed", "fault-rnr", "fault-slow-receiver")  # nothing was lost
CLOCKS = (0, 400 * views.MICROSECOND, -2 * views.SECOND)  # that of the second tap is ahead


def taps() -> Iterator[tuple[scenarios.Scenario, list[packets.Packet], list[packets.Packet]]]:
    for scenario in scenarios.read_all(WHOLE.__contains__):
        requester = views.requester_of(scenario)
        far = [packet.changed(time=packet.time + (views.WIRE_DELAY if packet.source == requester else -views.WIRE_DELAY))
               for packet in scenario.packets]
        yield scenario, scenario.packets, views.by_time(far)


class Taps(Reported):
    def check_nothing_is_lost_between(self, near: list[packets.Packet], far: list[packets.Packet]) -> None:
        for clock in CLOCKS:
            with self.subTest(clock=clock):
                files = near, [packet.changed(time=packet.time + clock) for packet in far]
                lost = [each["what"] for each in self.report_of(*files)["findings"]
                        if each["id"] == "packet_loss_between" and claims.strength_of(each) != claims.ESTIMATED]
                self.assertEqual(lost, [])

    def test_one_of_them_ends_or_begins_in_the_middle(self) -> None:
        for scenario, near, far in taps():
            for place in range(1, PLACES + 1):
                time = far[len(far) * place // (PLACES + 1)].time
                with self.subTest(scenario.name, place=place):
                    self.check_nothing_is_lost_between(near, [packet for packet in far if packet.time < time])
                    self.check_nothing_is_lost_between(near, [packet for packet in far if packet.time >= time])
                    self.check_nothing_is_lost_between([packet for packet in near if packet.time < time], far)
                    self.check_nothing_is_lost_between([packet for packet in near if packet.time >= time], far)

    def test_one_of_them_missed_an_answer(self) -> None:
        """The requester waited as long as the answer told it to, so it came."""
        for scenario, near, far in taps():
            refusals = [packet for packet in near if packet.is_response and packet.opcode == packets.ACKNOWLEDGE and packet.syndrome >> 5 == 1]
            for missed in refusals[:-1]:  # after the last one nothing follows
                with self.subTest(scenario.name, identification=missed.identification):
                    self.check_nothing_is_lost_between([packet for packet in near if packet is not missed], far)

    def test_one_of_them_misses_some_packets(self) -> None:
        for scenario, near, far in taps():
            for seed in range(PLACES):
                randoms = random.Random(f"{scenario.name} {seed}")
                with self.subTest(scenario.name, seed=seed):
                    self.check_nothing_is_lost_between([packet for packet in near if randoms.randrange(100) >= 10], far)


if __name__ == "__main__":
    unittest.main()
