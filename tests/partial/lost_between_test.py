#!/usr/bin/env python3
"""Whether partial results of two capture points, merged, say what became of packets between the points.

What merge says was lost must never be more than a simulated network dropped, and not much less; a network that drops nothing loses nothing.

    lost_between_test.py PROGRAM
"""
from __future__ import annotations

import collections
import gzip
import itertools
import json
import pathlib
import random
import struct
import unittest

from simulation import ROOT, SECOND, WAY, ReadSimulation, ReadStream, Simulation
from two_points import TwoPoints, points_of, run, sender_of


class LostBetween(TwoPoints):
    def test_a_network_that_drops_nothing_loses_nothing(self) -> None:
        for seed, clock in enumerate((0, 3_700_000_000, -86_400 * SECOND)):
            simulation = Simulation(seed, (0, 0), 0.01, 6, 100)
            lost, dropped, reports = self.compared(simulation, clock=clock)
            self.assertEqual((lost, dropped), (0, 0))
            self.assertEqual(len(reports[0]["point_comparisons"]), 6)
            for row in reports[0]["point_comparisons"]:
                self.assertTrue(row["ordered"])
                near = row["dest_qp"] % 2
                self.assertEqual(points_of(reports, row), (near, 1 - near))
                sign = 1 if near == 0 else -1
                self.assertEqual(row["clock_difference"], sign * clock)
                self.assertEqual((row["delay_p50"], row["delay_max"]), (WAY + sign * clock,) * 2)
                compared = row["both_packets"] + row["uncompared_packets"]
                self.assertEqual(compared, simulation.sent[sender_of(row), row["dest_qp"]])

    def test_what_is_dropped_between_is_lost_between(self) -> None:
        lost = dropped = 0
        for seed in range(12):
            shares = ((0.01, 0), (0.02, 0.02), (0.002, 0.05))[seed % 3]
            counts = self.compared(Simulation(seed, shares, (0, 0.01)[seed % 2], 4, 120), clock=seed * 7 * SECOND)
            lost, dropped = lost + counts[0], dropped + counts[1]
        self.assertGreater(lost, 0.6 * dropped)

    def test_read_responses_lost_between(self) -> None:
        lost, dropped = collections.Counter(), collections.Counter()
        for seed in range(24):
            shares = ((0, 0.01), (0.02, 0.02), (0.05, 0.002))[seed % 3]
            simulation = ReadSimulation(seed, shares, (0, 0.01)[seed % 2], 4, 120)
            _, _, reports = self.compared(simulation, clock=seed * 7 * SECOND)
            for row in reports[0]["point_comparisons"]:
                of_responses = sender_of(row) == row["dest_qp"] % 2 ^ 1
                lost[of_responses] += row["only_from_packets"]
            for (sender, queue_pair), count in simulation.dropped.items():
                dropped[sender == queue_pair % 2 ^ 1] += count
        for of_responses in (False, True):
            self.assertGreater(lost[of_responses], 0.6 * dropped[of_responses])

    def test_many_reads_of_one_response_each(self) -> None:
        """More than the 16 that are remembered once they are answered: each point may see another copy of a response, and only that one."""
        class ManyReads(ReadSimulation):
            most_reads = 128

            def stream(self, *words) -> ReadStream:
                stream = super().stream(*words)
                stream.ends = list(range(1, len(stream.ends) + 1))
                return stream
        for seed in range(8):
            shares = ((0.05, 0.05), (0, 0.05), (0.01, 0.2))[seed % 3]
            self.compared(ManyReads(seed, shares, (0, 0.05)[seed % 2], 2, 300))

    def test_read_responses_of_a_network_that_drops_nothing(self) -> None:
        for seed in range(6):
            simulation = ReadSimulation(seed, (0, 0), (0, 0.01)[seed % 2], 6, 100)
            lost, dropped, reports = self.compared(simulation, clock=(0, -3_700_000_000, 86_400 * SECOND)[seed % 3])
            self.assertEqual((lost, dropped), (0, 0))
            rows = reports[0]["point_comparisons"]
            self.assertEqual(len(rows), 12)
            for row in rows:
                self.assertTrue(row["ordered"])
                sender = sender_of(row)
                self.assertEqual(points_of(reports, row), (sender, 1 - sender))
                self.assertEqual((row["only_from_packets"], row["only_to_packets"], row["reordered_packets"]), (0, 0, 0))
                sent = simulation.sent[sender, row["dest_qp"]]
                self.assertLessEqual(row["both_packets"] + row["uncompared_packets"], sent)
                if seed % 2 == 0:
                    self.assertGreater(row["both_packets"], sent - 20)

    def cut_anywhere(self, simulate) -> None:
        """What `simulate` makes with a seed, of which each point captures a part."""
        lost = dropped = 0
        for seed in range(20):
            dice = random.Random(seed)
            cuts = tuple((dice.uniform(0, 0.4), dice.uniform(0.6, 1)) for _ in range(2))
            counts = self.compared(simulate(seed), clock=SECOND, cuts=cuts)
            lost, dropped = lost + counts[0], dropped + counts[1]
        self.assertGreater(lost, 0.15 * dropped)

    def test_captures_begin_and_end_when_they_like(self) -> None:
        self.cut_anywhere(lambda seed: Simulation(seed, (0.01, 0.005), 0.002, 4, 120))

    def test_captures_of_reads_begin_and_end_when_they_like(self) -> None:
        self.cut_anywhere(lambda seed: ReadSimulation(seed, (0.005, 0.01), 0.002, 4, 120))

    def check_reads(self, seed: int, dropped: tuple[float, float], behind: float, made: tuple[int, int], first_psn: int | None, clock: int,
                    *cuts: tuple[float, float]) -> None:
        with self.subTest(seed=seed):
            self.compared(ReadSimulation(seed, dropped, behind, *made, first_psn), clock=clock, cuts=cuts)

    def test_a_point_may_not_know_how_many_responses_a_read_has(self) -> None:
        """It saw no response that shows the MTU: it does not know the last PSN of the READ that the other one saw, too."""
        self.check_reads(503, (0.003, 0.01), 0.05, (4, 30), None, SECOND,
                         (0.5439952103593964, 0.6346377089548493), (0.49191067168526437, 0.9646396191204882))
        self.check_reads(14, (0.01, 0.01), 0, (4, 30), None, SECOND,
                         (0.35429379879342454, 0.592253011244575), (0.40044286070522217, 0.4981891202037354))
        self.check_reads(110, (0.003, 0.003), 0, (12, 20), None, 86_400 * SECOND,
                         (0.5197865505623953, 0.7704362265608344), (0.12343998910821712, 0.9684523377381354))
        self.check_reads(151, (0, 0), 0.002, (6, 20), None, 86_400 * SECOND,
                         (0.34511756798565535, 0.6813135132386693), (0.4319999442309101, 0.6826397129606037))

    def test_a_point_may_know_only_the_rest_of_a_read(self) -> None:
        """What asks again for the rest of a READ, whose first request came before the capture began."""
        self.check_reads(149, (0.05, 0.003), 0.01, (4, 120), 16777011, 0,
                         (0.4501516194116946, 0.8566988167526817), (0.35433978085745926, 0.777474865317921))

    def test_a_read_may_be_asked_for_again_when_it_had_been_answered_at_one_point(self) -> None:
        self.check_reads(226, (0.003, 0.2), 0.05, (12, 60), None, 86_400 * SECOND,
                         (0.2795275500578136, 0.8133359792590285), (0.26125861497770847, 0.6548874857726167))

    def test_a_point_may_pair_queue_pairs_that_do_not_belong_together(self) -> None:
        """All of them have the same PSNs."""
        self.check_reads(11, (0.01, 0), 0, (4, 300), 16777059, 0,
                         (0.1924377641469802, 0.9506603573183177), (0.4986330291471765, 0.8405514928682961))
        self.check_reads(146, (0.05, 0), 0, (4, 120), 16776930, SECOND,
                         (0.6377200004173935, 0.9024484492627827), (0.6259752571765614, 0.899846115911739))

    def test_answers_to_different_copies_do_not_tell_which_point_is_first(self) -> None:
        """The last responses that complete a READ at each point; and those to requests that were sent before a capture began."""
        self.check_reads(17, (0.2, 0.2), 0.002, (4, 120), 16776817, 86_400 * SECOND,
                         (0.37413055332697853, 0.8059434010023159), (0.10743889207793919, 0.9320806398405297))
        self.check_reads(60, (0.003, 0.05), 0.05, (2, 300), None, -3_700_000_000,
                         (0.5486948370518793, 0.5754326906375139), (0.513911310907452, 0.5546002414301282))
        self.check_reads(20, (0.003, 0.003), 0.05, (1, 30), 16777199, 86_400 * SECOND,
                         (0.5397879478457998, 0.6873799988938835), (0.5821918370019146, 0.6950813341165146))
        self.check_reads(100, (0.05, 0.01), 0.05, (2, 30), 16777029, 0,
                         (0.1065837193275896, 0.17911527946212263), (0.09748968090418829, 0.2656961403629289))

    def test_a_capture_that_misses_packets_says_nothing_of_what_is_lost(self) -> None:
        """Its point lacks one packet of a hundred that passed it. The network drops none."""
        for kind in (Simulation, ReadSimulation):
            for seed in range(6):
                simulation = kind(seed, (0, 0), 0.02, 2, 120)
                dice, point = random.Random(seed), seed % 2
                simulation.seen[point][:] = [each for each in simulation.seen[point] if dice.random() >= 0.01]
                rows = self.merged(self.parts(simulation))[0]["point_comparisons"]
                self.assertGreater(len(rows), 0)
                for row in rows:
                    self.assertEqual((row["only_from_packets"], row["only_to_packets"]), (0, 0), (kind, seed, row))

    def test_a_short_capture_shows_by_its_acks_that_it_misses_packets(self) -> None:
        """It has few messages, of which none may lack a packet; but packets are acknowledged that it does not have."""
        for kind, seeds in ((Simulation, (4, 5, 19, 27, 33, 37, 39, 42, 45, 58)), (ReadSimulation, (3, 6, 7, 11, 13, 16, 21, 29, 35, 37, 41, 55))):
            for seed in seeds:
                simulation = kind(seed, (0.01, 0.05), (0, 0.02)[seed % 2], 2, 60)
                simulation.miss(seed // 2 % 2, 0.005, 40)
                dice = random.Random(seed)
                cuts = tuple((dice.uniform(0, 0.4), dice.uniform(0.6, 1)) for _ in range(2))
                with self.subTest(kind=kind, seed=seed):
                    self.compared(simulation, cuts=cuts)

    def test_a_capture_that_has_packets_twice_shows_no_others(self) -> None:
        """Its copies look like packets that were sent again, where some were: the other point did not miss them."""
        for kind, share in itertools.product((Simulation, ReadSimulation), (0.002, 0.02, 0.2)):
            for seed in range(6):
                simulation = kind(seed, ((0.01, 0.05), (0, 0), (0.2, 0.003))[seed % 3], (0, 0.02)[seed % 2], 2, 200)
                simulation.capture_twice(seed // 3, share)
                with self.subTest(kind=kind, share=share, seed=seed):
                    self.compared(simulation)

    def test_one_point_may_see_only_what_was_sent_again(self) -> None:
        """Of one flow: it was not watched yet when the other one saw it for the first time."""
        simulation = Simulation(5329, (0, 0.1), 0.01, 5, 60, (1 << 24) - 30)
        cuts = ((0.31203071035322344, 0.5794532357856007), (0.4676603699717785, 0.6245415409416991))
        self.assertEqual(self.compared(simulation, cuts=cuts)[:2], (0, 0))

    def test_messages_say_no_more_than_packets_do(self) -> None:
        """Of captures that show a real network from both sides: their packets, compared one by one, say what is true."""
        lost = known = 0
        for capture in sorted((ROOT / "captures").glob("two_views*.pcap.gz")):
            expected = {(row["source"], row["dest_qp"]): row for row in json.loads(run("analyze", "--json", capture).stdout)["point_comparisons"]}
            for row in self.merged(self.split(capture))[0]["point_comparisons"]:
                packets_ = expected[row["source"], row["dest_qp"]]
                dropped = packets_["only_from_packets"] + packets_["damaged_packets"]
                self.assertLessEqual(row["only_from_packets"], dropped, (capture.name, row))
                self.assertEqual(row["only_to_packets"], 0, (capture.name, row))
                lost, known = lost + row["only_from_packets"], known + dropped
        self.assertGreater(lost, 0.6 * known)

    def split(self, capture: pathlib.Path) -> list[pathlib.Path]:
        """A partial result of each interface of a capture of LINKTYPE_LINUX_SLL2."""
        data = gzip.decompress(capture.read_bytes())
        records: dict = collections.defaultdict(list)
        at = 24
        while at < len(data):
            end = at + 16 + struct.unpack_from("<I", data, at + 8)[0]
            records[struct.unpack_from(">I", data, at + 20)[0]].append(data[at:end])
            at = end
        parts = []
        for interface, its in records.items():
            file, part = self.folder / f"{interface}.pcap", self.folder / f"{interface}.rsp"
            file.write_bytes(data[:24] + b"".join(its))
            part.unlink(missing_ok=True)
            self.assertEqual(run("analyze", "--partial", part, file).returncode, 0)
            parts.append(part)
        return parts


if __name__ == "__main__":
    unittest.main()
