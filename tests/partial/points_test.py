#!/usr/bin/env python3
"""Whether partial results of two capture points, merged, say what became of packets between the points.

A sender, a network and a responder are simulated packet by packet: which packets the network drops is known. One point stands before the
place where they are dropped, one behind it, each with a clock of its own; captures begin and end when they like. What merge says was lost
must never be more than was dropped, and not much less; a network that drops nothing loses nothing; each report must be the one that analyze
gives of its point; and the order of the files must not matter.

    points_test.py PROGRAM
"""
from __future__ import annotations

import bisect
import collections
import gzip
import heapq
import ipaddress
import itertools
import json
import pathlib
import random
import re
import struct
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/views"))
import packets  # noqa: E402
import streams  # noqa: E402

PROGRAM = sys.argv.pop(1)
SEND = (0x00, 0x01, 0x02, 0x04)  # First, Middle, Last, Only
WRITE = (0x06, 0x07, 0x08, 0x0A)
START, MICROSECOND, SECOND = 1_700_000_000_000_000_000, 1_000, 1_000_000_000
GAP, WAY, TIMEOUT = 2 * MICROSECOND, 5 * MICROSECOND, 4_000 * MICROSECOND
WINDOW = 24  # packets that are sent before the first is acknowledged
MTU, SEQUENCE_ERROR, POSITIVE = 256, 0x60, 0x1F


class Stream:
    """One direction of a queue pair: go-back-N, as RC does it (IBTA 9.7.5, 9.7.8)."""

    def __init__(self, dice: random.Random, queue_pair: int, sender: int, messages: int, first_psn: int):
        self.dice, self.queue_pair, self.sender = dice, queue_pair, sender
        self.requests: list[tuple[int, bytes, int]] = []
        self.ends: list[int] = []  # how many requests there are behind each message
        for number in range(messages):
            kind, count = dice.choice((SEND, WRITE)), dice.choice((1, 1, 2, 3, 8, 20))
            for i in range(count):
                opcode = kind[3 if count == 1 else 0 if i == 0 else 2 if i == count - 1 else 1]
                reth = struct.pack(">QII", 0x1000 * number, 0x77, count * MTU)
                self.requests.append((opcode, reth if kind is WRITE and i == 0 else b"", MTU))
            self.ends.append(len(self.requests))
        self.first_psn, self.next, self.acknowledged, self.expected = first_psn, 0, 0, 0
        self.asked = False  # for what is missing
        self.alive = 0  # the last time that anything was acknowledged

    def msn(self, expected: int) -> int:
        return sum(end <= expected for end in self.ends)


class Simulation:
    """`before`: shares of packets that are dropped between the two points, of requests and of answers; `behind`: behind both."""

    def __init__(self, seed: int, before: tuple[float, float], behind: float, streams_: int, messages: int, first_psn: int | None = None,
                 first_queue_pair: int = 0x100):
        self.dice = random.Random(seed)
        self.before, self.behind = before, behind
        self.numbers = collections.Counter()
        self.seen: tuple[list, list] = ([], [])
        self.dropped = collections.Counter()  # requests and READ responses between the points, by sender and queue pair
        self.sent = collections.Counter()  # all that passed the first point
        self.events: list[tuple[int, int, tuple]] = []
        self.streams = [self.stream(first_queue_pair + i, i % 2, messages, self.dice.randrange(1 << 24) if first_psn is None else first_psn)
                        for i in range(streams_)]
        self.run()

    def stream(self, *words) -> Stream:
        return Stream(self.dice, *words)

    def see(self, point: int, time: int, what: tuple) -> None:
        self.seen[point].append((time, what))

    def pass_points(self, time: int, share: float, what: tuple) -> bool:
        """A request or a READ response, of which the network between the points drops a share. Whether it passed both."""
        sender, queue_pair = what[:2]
        self.see(sender, time, what)  # the point next to the sender
        self.sent[sender, queue_pair] += 1
        if self.dice.random() < share:
            self.dropped[sender, queue_pair] += 1
            return False
        self.see(1 - sender, time + WAY, what)
        return True

    def number(self, sender: int) -> int:
        self.numbers[sender] += 1
        return self.numbers[sender]

    def run(self) -> None:
        order = iter(range(1 << 60))
        queue: list = []

        def at(time: int, *event) -> None:
            heapq.heappush(queue, (time, next(order), event))
        for stream in self.streams:
            at(self.dice.randrange(50) * MICROSECOND, "send", stream)
        while queue:
            time, _, (what, stream, *rest) = heapq.heappop(queue)
            if what == "send":
                self.send(stream, time, at)
            elif what == "arrive":
                self.arrive(stream, time, rest[0], at)
            elif what == "respond":
                self.respond(stream, time, at)
            else:
                self.answered(stream, rest[0], rest[1], time)

    def send(self, stream: Stream, time: int, at) -> None:
        if stream.acknowledged == len(stream.requests):
            return
        if time - stream.alive > TIMEOUT:
            stream.next, stream.alive = stream.acknowledged, time
        if stream.next < len(stream.requests) and stream.next - stream.acknowledged < WINDOW:
            opcode, extended, payload = stream.requests[stream.next]
            psn = stream.first_psn + stream.next
            made = (stream.sender, stream.queue_pair, self.number(stream.sender), opcode, psn, extended, payload)
            if self.pass_points(time, self.before[0], made) and self.dice.random() >= self.behind:
                at(time + 2 * WAY, "arrive", stream, stream.next)
            stream.next += 1
        at(time + GAP + self.dice.randrange(GAP), "send", stream)

    def arrive(self, stream: Stream, time: int, place: int, at) -> None:
        if place == stream.expected:
            stream.expected, stream.asked = place + 1, False
            if place + 1 in stream.ends:
                self.answer(stream, time, POSITIVE, stream.expected - 1, at)
        elif place > stream.expected:
            if not stream.asked:
                stream.asked = True
                self.answer(stream, time, SEQUENCE_ERROR, stream.expected, at)
        else:
            self.answer(stream, time, POSITIVE, stream.expected - 1, at)

    def answer(self, stream: Stream, time: int, syndrome: int, place: int, at) -> None:
        aeth = struct.pack(">I", syndrome << 24 | stream.msn(stream.expected))
        made = (1 - stream.sender, stream.queue_pair, self.number(1 - stream.sender), packets.ACKNOWLEDGE, stream.first_psn + place, aeth, 0)
        far = 1 - stream.sender
        self.see(far, time + MICROSECOND, made)
        if self.dice.random() >= self.before[1]:
            self.see(1 - far, time + MICROSECOND + WAY, made)
            at(time + 2 * WAY, "answered", stream, syndrome, place)

    @staticmethod
    def answered(stream: Stream, syndrome: int, place: int, time: int) -> None:
        acknowledged = place if syndrome == SEQUENCE_ERROR else place + 1
        if acknowledged > stream.acknowledged:
            stream.acknowledged, stream.alive = acknowledged, time
        if syndrome == SEQUENCE_ERROR:
            stream.next = acknowledged
        stream.next = max(stream.next, stream.acknowledged)

    def captured(self, point: int, first: float = 0, last: float = 1) -> list[tuple[int, tuple]]:
        """What the point saw between two shares of its packets."""
        seen = sorted(self.seen[point], key=lambda each: each[0])
        return seen[int(first * len(seen)):int(last * len(seen))]

    def lost_in_sight(self, cuts: tuple = ((0, 1), (0, 1))) -> collections.Counter:
        """Requests and READ responses that the point next to their sender captured, and that never came to the other one."""
        lost: collections.Counter = collections.Counter()
        for point in (0, 1):
            elsewhere = {what[:3] for _, what in self.seen[1 - point]}
            lost.update(what[:2] for _, what in self.captured(point, *cuts[point])
                        if what[0] == point and what[3] != packets.ACKNOWLEDGE and what[:3] not in elsewhere)
        return lost

    def write(self, point: int, path: pathlib.Path, clock: int, first: float = 0, last: float = 1) -> None:
        frames = []
        for time, (sender, queue_pair, number, opcode, psn, extended, payload) in self.captured(point, first, last):
            made = streams.packet(START + clock + time, sender, queue_pair, number, opcode, psn, extended, payload, 0x02)
            frames.append(made)
        with path.open("wb") as file:
            file.write(struct.pack("<IHHiIII", 0xA1B23C4D, 2, 4, 0, 0, 0xFFFF, 1))
            for made in frames:
                file.write(struct.pack("<IIII", made.time // SECOND, made.time % SECOND, len(made.data), made.length) + made.data)


class ReadStream:
    """READs of one side of a queue pair. Places are PSNs from the first one on."""

    def __init__(self, dice: random.Random, queue_pair: int, sender: int, reads: int, first_psn: int):
        self.queue_pair, self.sender, self.first_psn = queue_pair, sender, first_psn
        self.ends = list(itertools.accumulate(dice.choice((1, 1, 2, 3, 8, 20)) for _ in range(reads)))  # places behind each READ
        self.next, self.wanted, self.expected = 0, 0, 0  # place that is asked for next, that comes next, that the responder expects
        self.asked_again, self.asked = False, False  # by the requester; by a NAK of the responder
        self.alive = 0
        self.jobs: collections.deque = collections.deque()  # places that are to be answered, each with its opcode; None: a NAK
        self.responding = False

    def msn(self, expected: int) -> int:
        return sum(end <= expected for end in self.ends)


class ReadSimulation(Simulation):
    """The same with READs. A requester takes responses in order, and asks again for what it misses (IBTA 9.7.5.2.8)."""
    most_reads = 4  # outstanding

    def stream(self, *words) -> ReadStream:
        return ReadStream(self.dice, *words)

    def send(self, stream: ReadStream, time: int, at) -> None:
        ends = stream.ends
        if stream.wanted == ends[-1]:
            return
        if time - stream.alive > TIMEOUT:
            stream.next, stream.alive = stream.wanted, time
        if stream.next < ends[-1]:
            read = bisect.bisect_right(ends, stream.next)
            if read - bisect.bisect_right(ends, stream.wanted) < self.most_reads:
                begun = (stream.next - (ends[read - 1] if read > 0 else 0)) * MTU  # bytes that it has
                reth = struct.pack(">QII", 0x10_000 * read + begun, 0x77, (ends[read] - stream.next) * MTU)
                made = (stream.sender, stream.queue_pair, self.number(stream.sender), packets.READ_REQUEST, stream.first_psn + stream.next, reth, 0)
                if self.pass_points(time, self.before[0], made) and self.dice.random() >= self.behind:
                    at(time + 2 * WAY, "arrive", stream, (stream.next, ends[read]))
                stream.next = ends[read]
        at(time + GAP + self.dice.randrange(GAP), "send", stream)

    def arrive(self, stream: ReadStream, time: int, what: tuple[int, int], at) -> None:
        first, end = what
        if first > stream.expected:
            if stream.asked:
                return
            stream.asked = True
            stream.jobs.append((stream.expected, None))
        else:
            stream.expected, stream.asked = max(stream.expected, end), False
            count = end - first
            stream.jobs.extend((first + i, streams.READ[streams.place(i, count)]) for i in range(count))
        if not stream.responding:
            stream.responding = True
            at(time, "respond", stream)

    def respond(self, stream: ReadStream, time: int, at) -> None:
        place, opcode = stream.jobs.popleft()
        if opcode is None:
            self.answer(stream, time, SEQUENCE_ERROR, place, at)
        else:
            aeth = struct.pack(">I", POSITIVE << 24 | stream.msn(place)) if opcode != streams.READ[1] else b""
            responder = 1 - stream.sender
            made = (responder, stream.queue_pair, self.number(responder), opcode, stream.first_psn + place, aeth, MTU)
            if self.pass_points(time + MICROSECOND, self.before[1], made) and self.dice.random() >= self.behind:
                at(time + 2 * WAY, "answered", stream, POSITIVE, place)
        stream.responding = len(stream.jobs) > 0
        if stream.responding:
            at(time + GAP, "respond", stream)

    @staticmethod
    def answered(stream: ReadStream, syndrome: int, place: int, time: int) -> None:
        if syndrome == SEQUENCE_ERROR:
            stream.next = max(place, stream.wanted)
        elif place == stream.wanted:
            stream.wanted, stream.alive, stream.asked_again = place + 1, time, False
        elif place > stream.wanted and not stream.asked_again:
            stream.next, stream.asked_again = stream.wanted, True
        stream.next = max(stream.next, stream.wanted)


def run(*words: object) -> subprocess.CompletedProcess:
    return subprocess.run([PROGRAM, *map(str, words)], capture_output=True, check=False)


def point_of(report: dict) -> int:
    return int(pathlib.Path(report["captures"][0]["path"]).stem)


def sender_of(row: dict) -> int:
    return streams.ADDRESSES.index(ipaddress.ip_address(row["source"]).packed)


def points_of(reports: list[dict], row: dict) -> tuple[int, int]:
    """Where packets pass first, and the other: as the simulation counts its points."""
    return point_of(reports[row["from_point"] - 1]), point_of(reports[row["to_point"] - 1])


class Points(unittest.TestCase):
    def setUp(self) -> None:
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)

    def parts(self, simulation: Simulation, clock: int = 0, cuts: tuple = ((0, 1), (0, 1)), options: tuple = ()) -> list[pathlib.Path]:
        parts = []
        for point in (0, 1):
            capture, part = self.folder / f"{point}.pcap", self.folder / f"{point}.rsp"
            simulation.write(point, capture, clock * point, *cuts[point])
            part.unlink(missing_ok=True)
            made = run("analyze", "--json", "--partial", part, *options, capture)
            self.assertEqual((made.returncode, made.stderr), (0, b""))
            (self.folder / f"{point}.json").write_bytes(made.stdout)
            parts.append(part)
        return parts

    def merged(self, parts: list[pathlib.Path]) -> list[dict]:
        made = run("merge", "--json", *parts)
        self.assertEqual((made.returncode, made.stderr), (0, b""))
        other = run("merge", "--json", *reversed(parts))
        self.assertEqual(made.stdout, other.stdout, "the order of the files matters")
        document = json.loads(made.stdout)
        self.assertEqual(document["type"], "reports")
        return document["reports"]

    def compared(self, simulation: Simulation, **options) -> tuple[int, int, list[dict]]:
        """Packets said to be lost, and packets that were dropped."""
        reports = self.merged(self.parts(simulation, **options))
        lost = 0
        dropped = simulation.lost_in_sight(options.get("cuts", ((0, 1), (0, 1))))
        for row in reports[0]["point_comparisons"]:
            self.assertTrue(row["by_messages"])
            sender = sender_of(row)
            near = points_of(reports, row)[0]
            if row["ordered"]:
                self.assertEqual(near, sender, row)
            alone, elsewhere = (row[name] for name in (("only_from_packets", "only_to_packets") if near == sender else
                                                       ("only_to_packets", "only_from_packets")))
            self.assertLessEqual(alone, dropped[sender, row["dest_qp"]], row)
            self.assertEqual(elsewhere, 0, row)
            lost += alone
        return lost, sum(simulation.dropped.values()), reports

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
        """It saw no response that tells the MTU: it does not know the last PSN of the READ that the other one saw, too."""
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

    def test_each_report_is_that_of_its_point(self) -> None:
        reports = self.merged(self.parts(Simulation(3, (0.02, 0), 0, 4, 60)))
        for report in reports:
            alone = json.loads((self.folder / f"{point_of(report)}.json").read_bytes())
            self.assertEqual(len(report["capture_points"]), 2)
            for each in (report, alone):
                for name in ("capture_points", "point_comparisons"):
                    each.pop(name, None)
                for connection in each["connections"]:
                    connection.pop("capture_point", None)
                each["findings"] = [{name: value for name, value in finding.items() if name != "capture_point"}
                                    for finding in each["findings"] if finding["id"] != "packet_loss_between"]
            self.assertEqual({key: value for key, value in report.items() if key != "findings"},
                             {key: value for key, value in alone.items() if key != "findings"})

    def test_shards_of_points_are_merged(self) -> None:
        simulation = Simulation(5, (0.02, 0), 0, 4, 60)
        expected = self.merged(self.parts(simulation))
        shards = []
        for point in (0, 1):
            for number in (1, 2):
                shards.append(self.folder / f"{point}-{number}.rsp")
                made = run("analyze", "--shard", f"{number}/2", "--partial", shards[-1], self.folder / f"{point}.pcap")
                self.assertEqual(made.returncode, 0, made.stderr)
        random.Random(1).shuffle(shards)
        reports = self.merged(shards)
        for report in [*expected, *reports]:
            report.pop("capture_points")
        self.assertEqual(reports, expected)
        missing = run("merge", *shards[1:])
        self.assertEqual(missing.returncode, 2)

    def test_some_may_be_merged_before_others(self) -> None:
        parts = self.parts(Simulation(9, (0.02, 0), 0, 2, 60))
        other = self.folder / "other.rsp"
        capture = self.folder / "other.pcap"
        Simulation(10, (0, 0), 0, 2, 60).write(0, capture, -SECOND)
        run("analyze", "--partial", other, capture)
        together, all_of_them = self.folder / "together.rsp", self.folder / "all.rsp"
        self.assertEqual(run("merge", "--partial", together, parts[1], other).returncode, 0)
        self.assertEqual(run("merge", "--partial", all_of_them, together, parts[0]).returncode, 0)
        expected = self.merged([*parts, other])
        self.assertEqual(len(expected), 3)
        self.assertEqual(self.merged([together, parts[0]]), expected)
        self.assertEqual(self.merged([all_of_them]), expected)
        bytes_ = all_of_them.read_bytes()
        for size in (len(bytes_) - 1, len(bytes_) // 2):
            together.write_bytes(bytes_[:size])
            self.assertEqual(run("merge", together).returncode, 2)
        together.write_bytes(bytes_ + b"x")
        self.assertIn(b"something follows its end", run("merge", together).stderr)
        export = run("export", "--clickhouse", "http://127.0.0.1:1", all_of_them)
        self.assertIn(b"several capture points", export.stderr)

    def test_more_points_than_a_byte_counts(self) -> None:
        """Of many pairs of hosts, each with its own connections: 300 points, of which two each see the same."""
        pairs, parts, dropped = 150, [], {}
        for pair in range(pairs):
            simulation = Simulation(pair, (0.05, 0), 0, 2, 8, None, 0x1000 + 2 * pair)
            dropped |= {stream.queue_pair: simulation.dropped[stream.sender, stream.queue_pair] for stream in simulation.streams}
            for point in (0, 1):
                capture = self.folder / f"{pair}-{point}.pcap"
                simulation.write(point, capture, pair * SECOND)
                parts.append(self.folder / f"{pair}-{point}.rsp")
                self.assertEqual(run("analyze", "--partial", parts[-1], capture).returncode, 0)
        random.Random(1).shuffle(parts)
        reports = self.merged(parts)
        self.assertEqual(len(reports), 2 * pairs)
        lost = 0
        for number, report in enumerate(reports, 1):
            pair = int(pathlib.Path(report["captures"][0]["path"]).stem.split("-")[0])
            own = {connection["capture_point"] for connection in report["connections"]}
            self.assertEqual(own, {number})
            numbers = [point["number"] for point in report["capture_points"]]
            self.assertEqual(numbers, [2 * pair + 1, 2 * pair + 2])
            for row in report["point_comparisons"]:
                self.assertEqual(sorted((row["from_point"], row["to_point"])), numbers)
                self.assertIn(row["dest_qp"], (0x1000 + 2 * pair, 0x1001 + 2 * pair))
                self.assertLessEqual(row["only_from_packets"], dropped[row["dest_qp"]])
                lost += row["only_from_packets"] / 2  # the other report has the row, too
        self.assertGreater(lost, 0.5 * sum(dropped.values()))
        self.assertEqual(sum(len(report["point_comparisons"]) for report in reports), 2 * len(dropped))
        text = run("merge", *parts).stdout.decode()
        self.assertIn(f"Capture point {2 * pairs} of {2 * pairs}", text)
        half, whole = self.folder / "half", self.folder / "whole"
        self.assertEqual(run("merge", "--partial", half, *parts[pairs:]).returncode, 0)
        self.assertEqual(run("merge", "--partial", whole, half, *parts[:pairs]).returncode, 0)
        self.assertEqual(self.merged([whole]), reports)
        csv = self.folder / "csv"
        self.assertEqual(run("merge", "--csv", csv, whole).returncode, 0)
        header, *rows = (csv / str(2 * pairs) / "connections.csv").read_text().splitlines()
        column = header.split(",").index("capture_point")
        self.assertEqual({row.split(",")[column] for row in rows}, {str(2 * pairs)})

    def test_pages(self) -> None:
        if b"--html" not in run("help", "merge").stdout:
            self.skipTest("this build has no pages")
        parts = self.parts(Simulation(8, (0.03, 0), 0, 2, 60))

        def section(page: pathlib.Path, name: str) -> dict:
            found = re.search(rf'<script type="application/json" id="data-{name}">(.*?)</script>', page.read_text(), re.DOTALL)
            return json.loads(found.group(1))
        one = run("merge", "--html", self.folder / "one.html", parts[0])
        self.assertEqual((one.returncode, one.stderr), (0, b""))
        report = json.loads(run("merge", "--json", parts[0]).stdout)
        page = self.folder / "one.html"
        self.assertEqual(section(page, "meta")["connections"], len(report["connections"]))
        messages = sum(each["messages"] for connection in report["connections"] for side in connection["sides"] for each in side["operations"])
        self.assertEqual(section(page, "meta")["tables"]["messages"], [messages, 0])
        self.assertTrue(any("partial results" in text for text in section(page, "meta")["left_out"]))
        self.assertEqual(section(page, "marks")["series"], {})
        for pair in section(page, "pairs")["pairs"]:
            for direction in pair["directions"]:
                self.assertEqual((direction["tcp"], direction["other"], direction["roce"]["ce_packets"]), (None, None, None))
        sent = sum(direction["roce"]["packets"] for pair in section(page, "pairs")["pairs"] for direction in pair["directions"])
        self.assertEqual(sent, report["totals"]["roce_packets"])
        self.assertIn(b"is there already", run("merge", "--html", page, parts[0]).stderr)
        several = run("merge", "--html", self.folder / "pages", *parts)
        self.assertEqual((several.returncode, several.stderr), (0, b""))
        self.assertEqual(sorted(path.name for path in (self.folder / "pages").iterdir()), ["1.html", "2.html"])
        for number in (1, 2):
            self.assertEqual(section(self.folder / f"pages/{number}.html", "meta")["tables"]["comparisons"], [2, 0])
        (self.folder / "few.rsp").unlink(missing_ok=True)
        run("analyze", "--no-messages", "--partial", self.folder / "few.rsp", self.folder / "0.pcap")
        self.assertEqual(run("merge", "--html", self.folder / "few.html", self.folder / "few.rsp").returncode, 0)
        self.assertTrue(any("--no-messages" in text for text in section(self.folder / "few.html", "meta")["left_out"]))
        self.assertEqual(run("merge", "--html", self.folder / "x.html", "--partial", self.folder / "x.rsp", parts[0]).returncode, 2)

    def test_what_does_not_fit_is_refused(self) -> None:
        parts = self.parts(Simulation(6, (0, 0), 0, 2, 20))
        twice = run("merge", parts[0], parts[1], parts[0])
        self.assertEqual(twice.returncode, 2)
        self.assertIn(b"are of the same captures", twice.stderr)

    def test_without_messages_nothing_is_compared(self) -> None:
        parts = self.parts(Simulation(7, (0.05, 0), 0, 2, 40), options=("--no-messages",))
        made = run("merge", "--json", *parts)
        self.assertEqual(made.returncode, 0)
        self.assertIn(b"has no messages", made.stderr)
        for report in json.loads(made.stdout)["reports"]:
            self.assertEqual(report["point_comparisons"], [])

    def test_text_and_csv_name_the_points(self) -> None:
        parts = self.parts(Simulation(8, (0.03, 0), 0, 2, 60))
        text = run("merge", *parts).stdout.decode()
        for words in ("Capture point 1 of 2", "Capture point 2 of 2", "Between capture points", "compared by their messages",
                      "packets lost between the capture points"):
            self.assertIn(words, text)
        made = run("merge", "--csv", self.folder / "csv", *parts)
        self.assertEqual(made.returncode, 0, made.stderr)
        for number in ("1", "2"):
            self.assertTrue((self.folder / "csv" / number / "messages.csv").is_file())


if __name__ == "__main__":
    unittest.main()
