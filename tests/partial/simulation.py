"""A sender, a network and a responder, simulated packet by packet, and what capture points before and behind the network see.

One point stands before the place where packets are dropped, one behind it, each with a clock of its own; captures begin and end when they
like. Which packets the network drops is known.
"""
from __future__ import annotations

import bisect
import collections
import heapq
import itertools
import pathlib
import random
import struct
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/views"))
import packets  # noqa: E402
import streams  # noqa: E402

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
        return bisect.bisect_right(self.ends, expected)


class Simulation:
    """`before`: shares of packets that are dropped between the two points, of requests and of answers; `behind`: behind both."""

    def __init__(self, seed: int, before: tuple[float, float], behind: float, streams_: int, messages: int, first_psn: int | None = None,
                 first_queue_pair: int = 0x100):
        self.dice = random.Random(seed)
        self.before, self.behind = before, behind
        self.numbers = collections.Counter()
        self.seen: tuple[list, list] = ([], [])
        self.dropped = collections.Counter()  # requests and READ responses between the points, by sender and queue pair
        self.lost: set[tuple] = set()  # these, each by its sender, queue pair and number
        self.sent = collections.Counter()  # all that passed the first point
        self.frames: dict[tuple, bytes] = {}
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
            self.lost.add(what[:3])
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

    def miss(self, point: int, share: float, longest: int) -> None:
        """The capture there misses packets: with a chance of `share` those from here on, up to so many."""
        kept, skip = [], 0
        for each in self.seen[point]:
            if skip == 0 and self.dice.random() < share:
                skip = self.dice.randrange(1, longest + 1)
            if skip == 0:
                kept.append(each)
            skip = max(0, skip - 1)
        self.seen[point][:] = kept

    def capture_twice(self, point: int, share: float) -> None:
        """The capture there gets a share of the packets once more, a little later."""
        twice = [(time + self.dice.choice((0, 500, 1_000, 3_000)), what) for time, what in self.seen[point] if self.dice.random() < share]
        self.seen[point].extend(twice)

    def captured(self, point: int, first: float = 0, last: float = 1) -> list[tuple[int, tuple]]:
        """What the point saw between two shares of its packets."""
        seen = sorted(self.seen[point], key=lambda each: each[0])
        return seen[int(first * len(seen)):int(last * len(seen))]

    def lost_in_sight(self, cuts: tuple = ((0, 1), (0, 1))) -> collections.Counter:
        """Requests and READ responses that the point next to their sender captured, and that the network dropped."""
        lost: collections.Counter = collections.Counter()
        for point in (0, 1):
            seen = {what[:3] for _, what in self.captured(point, *cuts[point]) if what[0] == point}
            lost.update(each[:2] for each in seen & self.lost)
        return lost

    def write(self, point: int, path: pathlib.Path, clock: int, first: float = 0, last: float = 1) -> None:
        with path.open("wb") as file:
            file.write(struct.pack("<IHHiIII", 0xA1B23C4D, 2, 4, 0, 0, 0xFFFF, 1))
            for time, what in self.captured(point, first, last):
                data, time = self.frame(what), START + clock + time
                file.write(struct.pack("<IIII", time // SECOND, time % SECOND, len(data), len(data)) + data)

    def frame(self, what: tuple) -> bytes:
        """Made once: most are captured at both points."""
        if what not in self.frames:
            self.frames[what] = streams.frame(*what, 0x02)
        return self.frames[what]


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
        return bisect.bisect_right(self.ends, expected)


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
