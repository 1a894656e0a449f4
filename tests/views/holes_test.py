#!/usr/bin/env python3
"""Claims of losses where the capture has a hole: a full buffer drops packets in a row, and nothing but what follows shows it.

The hole is moved through captures whose truth is known. No claim of a loss may be above it.

    holes_test.py PROGRAM
    holes_test.py PROGRAM --all     at more places, which takes longer
"""
import random
import re
import sys
import unittest
from collections.abc import Iterable, Iterator

import claims
import packets
import scenarios
import views
from reported import Reported

PLACES = 25 if "--all" in sys.argv else 3  # of a hole in a capture
WRITE_FIRSTS, WRITE_LASTS = (0x06, 0x0A, 0x0B), (0x08, 0x09, 0x0A, 0x0B)  # opcodes of RC; Only packets are both
sys.argv[1:] = [word for word in sys.argv[1:] if word != "--all"]


def scenarios_of(*names: str) -> list[scenarios.Scenario]:
    return scenarios.read_all({name.partition("@")[0] for name in names}.__contains__)


def with_holes(whole: list[packets.Packet], size: int, places: int = PLACES) -> Iterator[list[packets.Packet]]:
    for begin in range(0, len(whole) - size, max(1, len(whole) // places)):
        yield whole[:begin] + whole[begin + size:]


def one_way_of(scenario: scenarios.Scenario) -> list[packets.Packet]:
    requester = views.requester_of(scenario)
    return [packet for packet in scenario.without_identification().packets if packet.source == requester]


class Holes(Reported):
    def findings(self, shown: list[packets.Packet], finding: str) -> list[dict]:
        return [each for each in self.report(shown)["findings"] if each["id"] == finding]

    def claimed(self, shown: list[packets.Packet], finding: str, key: str = "weight") -> int:
        """What is stated as exact or as the least, at all places."""
        return sum(each[key] for each in self.findings(shown, finding) if claims.strength_of(each) != claims.ESTIMATED)

    def test_what_the_second_point_missed_is_not_lost_between(self):
        for scenario in scenarios_of("nvme_io", "rping", "rdmagen-cm-mixed"):
            requester = views.requester_of(scenario)
            for second in with_holes(scenario.packets, 15):
                second = [packet.changed(interface=1, time=packet.time + (views.WIRE_DELAY if packet.source == requester
                                                                          else -views.WIRE_DELAY)) for packet in second]
                with self.subTest(scenario.name):
                    self.assertEqual(self.claimed(views.by_time(scenario.packets + second), "packet_loss_between"), 0)

    def test_what_was_lost_between_is_not_more_than_that(self):
        (scenario,) = [each for each in scenarios_of("two_views-loss_heavy") if each.ends]
        sent, arrived = scenario.ends
        requester = views.requester_of(scenario)
        seen_twice = {packet.data for packet in sent} & {packet.data for packet in arrived}
        lost = sum(packet.bth > 0 and packet.data not in seen_twice for end in (sent, arrived) for packet in end
                   if (packet.source == requester) == (end is sent))
        claimed = []
        for size in (8, 15, 40):
            for second in with_holes(arrived, size, 4 * PLACES):
                second = [packet.changed(interface=1) for packet in second]
                shown = views.by_time(sent + second)
                claimed.append(self.claimed(shown, "packet_loss_between"))
                with self.subTest(size=size, claimed=len(claimed)):
                    self.assertLessEqual(claimed[-1], lost)
                    self.assertLessEqual(self.lost_between_by_headline(shown), lost)
        self.assertGreater(max(claimed), lost // 2)

    def lost_between_by_headline(self, shown: list[packets.Packet]) -> int:
        """The first lines of the report say it for all flows."""
        text = self.run_program("analyze", *self.write(shown)).decode()
        lost = re.search(r"^ +1 and 2: lost between: (?:at least )?([\d,]+) of", text, re.MULTILINE)
        self.assertTrue(lost or re.search(r"^ +1 and 2: [\d,]+ of [\d,]+ packets lost between or missed by a capture$", text, re.MULTILINE), text)
        return int(lost[1].replace(",", "")) if lost else 0

    def test_one_direction_does_not_tell_holes_from_losses(self):
        randoms = random.Random(5)
        for scenario in scenarios_of("two_views-jitter", "fault-rnr", "fault-slow-receiver", "two_views-loss_light"):
            requester = views.requester_of(scenario)
            requests = [packet for packet in scenario.packets if packet.source == requester]
            shown = [[packet for packet in requests if randoms.randrange(100) >= 5], *with_holes(requests, 15)]
            for each in shown:
                with self.subTest(scenario.name):
                    self.assertLessEqual(self.claimed(each, "packet_loss_before"), scenario.truth.lost_before.high)

    def test_one_direction_says_what_it_lacks(self):
        for scenario in scenarios_of("impaired_out-loss_heavy"):
            requester = views.requester_of(scenario)
            requests = [packet for packet in scenario.packets if packet.source == requester]
            (finding,) = self.findings(requests, "capture_loss")
            self.assertEqual(claims.strength_of(finding), claims.ESTIMATED)
            self.assertIn("lost before the capture point or missed by the capture", finding["what"])

    def test_what_a_burst_of_drops_hides_is_not_lost_before(self):
        for scenario in scenarios_of(
                "fault-rnr", "impaired_in-loss_heavy", "link_away-server-exhausted", "link_away-server-recovered",
                "two_views-loss_light", "two_views_responses-send"):
            for size in (6, 8, 15, 40):
                for length in (65535, 96):
                    for shown in with_holes(scenario.packets, size):
                        with self.subTest(scenario.name, size=size, length=length):
                            shown = [packet.changed(data=packet.data[:length]) for packet in shown]
                            self.assertLessEqual(self.claimed(shown, "packet_loss_before"), scenario.truth.lost_before.high)

    def test_what_was_not_ready_is_not_lost_before(self):
        """A receiver that was not ready says so first, and then that what follows is out of sequence: a hole may hide all but the latter."""
        for scenario in scenarios_of("fault-slow-receiver", "fault-rnr"):
            for size in (1, 2, 3, 4):
                for begin in range(12):
                    with self.subTest(scenario.name, size=size, begin=begin):
                        shown = scenario.packets[:begin] + scenario.packets[begin + size:]
                        self.assertLessEqual(self.claimed(shown, "packet_loss_before"), scenario.truth.lost_before.high)

    def test_a_copy_does_not_hide_what_naks_show(self):
        """Where hosts do not number their packets, what was overtaken looks like a copy: of each copy one loss may be that."""
        for scenario in scenarios_of("impaired_out-loss_heavy", "lost-heavy", "two_views-loss_light@arrived",
                                     "two_views-reorder@arrived", "two_views-jitter@arrived", "impaired_out-reorder_heavy",
                                     "two_views-duplicate@arrived", "impaired_out-duplicate_heavy"):
            scenario = scenario.without_identification()
            lost = scenario.truth.lost_before.high
            middle = scenario.roce[len(scenario.roce) // 2].time
            behind = [packet for packet in scenario.packets if packet.time >= middle]
            self.assertLessEqual(self.claimed(behind, "packet_loss_before"), lost, scenario.name)
            for place in range(0, len(scenario.roce), max(1, len(scenario.roce) // PLACES)):
                copied = scenario.roce[place]
                shown = views.by_time([*scenario.packets, copied.changed(time=copied.time + views.MICROSECOND)])
                with self.subTest(scenario.name, place=place):
                    claimed = self.claimed(shown, "packet_loss_before")
                    self.assertLessEqual(claimed, lost)
                    if scenario.name in ("impaired_out-loss_heavy", "two_views-loss_light@arrived"):
                        self.assertGreater(claimed, 0)

    def test_two_writes_with_a_hole_over_their_boundary_are_two(self):
        """By their RETHs: of each size there are so many at most. What a hole hides may come again behind it."""
        for scenario in scenarios_of("rdmagen-cm-bulk", "path_mtu-256", "lost-light", "two_views-loss_light", "several"):
            ends = [place for place, packet in enumerate(scenario.packets) if packet.is_request and packet.opcode in WRITE_LASTS]
            firsts = {(packet.flow, packet.psn): packet.read_length for packet in scenario.packets
                      if packet.is_request and packet.opcode in WRITE_FIRSTS}
            requester = views.requester_of(scenario)
            for size in (8, 25):
                for end in ends[::max(1, len(ends) // PLACES)]:
                    begin = max(0, end - size // 2)
                    with self.subTest(scenario.name, size=size, begin=begin):
                        thinned = scenario.packets[:begin] + scenario.packets[begin + size:]
                        self.assert_sizes_below(firsts.values(), thinned)
                        self.assert_sizes_below(firsts.values(), [packet for packet in thinned if packet.source == requester])

    def assert_sizes_below(self, lengths: Iterable[int], shown: list[packets.Packet]) -> None:
        """Of no size, nor of larger ones, are more WRITEs reported than have such a length."""
        rows = [row for connection in self.report(shown)["connections"] for side in connection["sides"]
                for operation in side["operations"] if operation["operation"] == "RDMA WRITE" for row in operation["sizes"]]
        for size in {row["at_least"] for row in rows}:
            reported = sum(row["messages"] for row in rows if row["at_least"] >= size)
            self.assertLessEqual(reported, sum(length >= size for length in lengths), size)

    def test_what_was_sent_again_soon_is_no_copy(self):
        """Of one direction, from hosts that do not number their packets: a recovery that takes microseconds, as those of many NICs, looks
        like copies but for its order."""
        for scenario in scenarios_of("lost-heavy", "impaired_out-loss_heavy", "fault-slow-receiver", "lost_answers_out-write", "ipv6_lost-write",
                                     "two_views-loss_heavy"):
            requests = one_way_of(scenario)
            soon = [packet.changed(time=requests[0].time + (packet.time - requests[0].time) // 2_000) for packet in requests]
            for shown in (soon, *with_holes(soon, 15)):
                with self.subTest(scenario.name, packets=len(shown)):
                    findings = self.report(shown)["findings"]
                    self.assertFalse([each for each in findings if each["id"] == "capture_duplicates" and "sent again" not in each["what"]])
                    for each in findings:
                        if each["id"] in ("retransmissions", "capture_duplicates"):
                            self.assertEqual(claims.strength_of(each), claims.ESTIMATED)
                            self.assertLessEqual(each["count"], scenario.truth.resent.high)

    def test_what_a_mirror_copies_was_not_sent_again(self):
        """The same where copies are all that comes again: at once, some packets later, or a run later; from the first packet, or later."""
        randoms = random.Random(7)
        for scenario in scenarios_of("rdmagen-cm-bulk", "rping", "nvme_io", "path_mtu-256", "ipv6"):
            requests = one_way_of(scenario)
            begin = requests[len(requests) // 3].time
            for delay in (1, 20, 100, 200):
                copies = [packet.changed(time=packet.time + delay * views.MICROSECOND) for packet in requests]
                kept = [packet for packet in copies if randoms.randrange(100) >= 5]
                for copied in (copies, kept):
                    with self.subTest(scenario.name, delay=delay, copies=len(copied)):
                        self.assertEqual(self.findings(views.by_time(requests + copied), "retransmissions"), [])
                late = [packet for packet in copies if packet.time >= begin]
                with self.subTest(scenario.name, delay=delay, copies="later"):
                    self.assertEqual(self.claimed(views.by_time(requests + late), "retransmissions"), 0)

    def test_the_end_of_the_capture_is_not_that_of_the_connection(self):
        """What is not answered yet may be answered as soon as the capture has ended: nothing of these was left without an answer."""
        for scenario in scenarios_of("link_away-server-recovered", "two_views-loss_heavy"):
            self.assertEqual(scenario.truth.left_outstanding.high, 0)
            seen, again = set(), []
            for place, packet in enumerate(scenario.packets):
                if packet.is_request and (packet.flow, packet.psn) in seen:
                    again.append(place)
                seen.add((packet.flow, packet.psn))
            for place in again[::max(1, len(again) // (4 * PLACES))]:
                for end in (place + 1, place + 3, place + 8):
                    with self.subTest(scenario.name, end=end):
                        self.assertEqual(self.findings(scenario.packets[:end], "torn_down_outstanding"), [])

    def test_copies_of_what_a_hole_hides_did_not_come_late(self):
        for scenario in scenarios_of("two_views_responses-atomic", "two_views_responses-read", "two_views-loss_light",
                                     "impaired_in-loss_heavy", "lost_answers_out-write", "two_views-reorder", "two_views-jitter"):
            for size in (6, 15, 40):
                for shown in with_holes(scenario.packets, size):
                    with self.subTest(scenario.name, size=size):
                        self.assertLessEqual(self.claimed(shown, "reordering", "count"), scenario.truth.overtaken.high)


if __name__ == "__main__":
    unittest.main()
