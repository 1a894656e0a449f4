"""Random SENDs, WRITEs and READs in both directions of connections, and their answers, some of them changed: whatever a stream may show."""
from __future__ import annotations

import collections
import random
import struct

import packets

MTU = 256
NANOSECONDS = 400  # between packets
ADDRESSES = bytes((10, 8, 0, 1)), bytes((10, 8, 0, 2))
SEND, WRITE, READ = (0x00, 0x01, 0x02, 0x04), (0x06, 0x07, 0x08, 0x0A), (0x0D, 0x0E, 0x0F, 0x10)  # First, Middle, Last, Only
READ_LENGTHS = (0, 1, 64, 200, 256, 257, 700, 1024, 3000)
LENGTHS = (0, 4, 255, 256, 257, 600, 1024)
POSITIVE, NAK, RNR, NO_CREDITS = 0x1F, 0x60, 0x2A, 0x00


def frame(sender: int, queue_pair: int, number: int, opcode: int, psn: int, extended: bytes, payload: int, traffic_class: int) -> bytes:
    """With the ICRC that it should have."""
    pad = -payload % 4
    bth = bytes((opcode, 0x40 | pad << 4)) + struct.pack(">HII", 0xFFFF, queue_pair, psn % (1 << 24))
    rest = bth + extended + bytes((psn & 0xFF,)) * payload + bytes(pad)
    udp = struct.pack(">HHHH", 50_000 + queue_pair % 100, packets.ROCE_PORT, 12 + len(rest), 0)
    head = struct.pack(">BBHHHBBH", 0x45, traffic_class, 32 + len(rest), number % (1 << 16), 0x4000, 64, 17, 0)
    covered = head + ADDRESSES[sender] + ADDRESSES[1 - sender] + udp + rest
    return bytes(12) + b"\x08\x00" + covered + packets.icrc_of(covered, 20)


def packet(time: int, *words) -> packets.Packet:
    """Of a frame()."""
    data = frame(*words)
    return packets.Packet(time, data, len(data))


class Side:
    """What one side of a connection requests, and how the other answers."""

    def __init__(self, dice: random.Random, operations: str, queue_pair: int, sender: int):
        self.dice, self.operations, self.queue_pair, self.sender = dice, operations, queue_pair, sender
        self.psn, self.msn = dice.choice((0, 1000, (1 << 24) - 50)), 0
        self.to_send: collections.deque = collections.deque()  # request packets of the message under way
        self.to_answer: collections.deque = collections.deque()  # packets that were sent: opcode of a response, PSN, payload; None: an ACK

    def post(self) -> None:
        kind = self.dice.choice(self.operations)
        address = struct.pack(">QI", 0x10_0000 + self.dice.randrange(8) * 4096, 0x77)
        if kind == "r":
            length = self.dice.choice(READ_LENGTHS)
            self.to_send.append((0x0C, address + struct.pack(">I", length), 0, max(1, -(-length // MTU)), length))
            return
        length = self.dice.choice(LENGTHS)
        count = max(1, -(-length // MTU))
        for i in range(count):
            opcode = (SEND if kind == "s" else WRITE)[place(i, count)]
            extended = address + struct.pack(">I", length) if kind == "w" and i == 0 else b""
            self.to_send.append((opcode, extended, min(MTU, length - i * MTU), 1, None))

    def request(self) -> tuple:
        """The next request packet: opcode, PSN, extended headers, payload."""
        if not self.to_send:
            self.post()
        opcode, extended, payload, span, length = self.to_send.popleft()
        psn, self.psn = self.psn, self.psn + span
        if length is None:
            self.to_answer.append((None, psn, opcode in (SEND[2], SEND[3], WRITE[2], WRITE[3])))
        for i in range(span if length is not None else 0):
            self.to_answer.append((READ[place(i, span)], psn + i, min(MTU, length - i * MTU)))
        return opcode, psn, extended, payload

    def answer(self) -> tuple | None:
        """The next packet that the other side sends back, if any."""
        opcode, psn, what = self.to_answer.popleft()
        if opcode is not None:
            self.msn += opcode in (READ[0], READ[3])
            aeth = struct.pack(">I", POSITIVE << 24 | self.msn) if opcode != READ[1] else b""
            return opcode, psn, aeth, what
        self.msn += what
        if self.to_answer and self.to_answer[0][0] is None and self.dice.random() < 0.6:
            return None  # the next ACK is for it as well
        if self.to_answer and self.to_answer[0][0] is not None and self.dice.random() < 0.5:
            return None  # the response to a READ is
        return packets.ACKNOWLEDGE, psn, struct.pack(">I", POSITIVE << 24 | self.msn), 0


def place(i: int, count: int) -> int:
    """First, Middle, Last, Only."""
    return 3 if count == 1 else 0 if i == 0 else 2 if i == count - 1 else 1


def changed(dice: random.Random, what: tuple, traffic_class: int) -> tuple[list[tuple], int]:
    """What is captured in its place, and its traffic class."""
    opcode, psn, extended, payload = what
    syndrome = dice.choice((POSITIVE, NAK, RNR, NO_CREDITS, 0x61))
    aeth = bytes((syndrome,)) + extended[1:] if len(extended) == 4 else extended
    older = struct.pack(">I", max(0, struct.unpack(">I", extended)[0] - 1)) if len(extended) == 4 else extended
    longer = extended[:12] + struct.pack(">I", dice.choice(READ_LENGTHS)) if len(extended) == 16 else extended
    other_opcode = dice.choice(READ) if opcode in READ else opcode
    other_extended = aeth if other_opcode == opcode else b"" if other_opcode == READ[1] else bytes((POSITIVE, 0, 0, 9))
    return dice.choice((
        ([], traffic_class), ([], traffic_class), ([what, what], traffic_class), ([what], 0), ([what], 3), ([what], 10),
        ([(opcode, psn + dice.choice((-3, -1, 1, 2, 5)), extended, payload)], traffic_class),
        ([(opcode, psn, aeth, payload)], traffic_class), ([(opcode, psn, older, payload)], traffic_class),
        ([(opcode, psn, longer, payload)], traffic_class), ([(opcode, psn, extended, max(0, payload - 4))], traffic_class),
        ([(other_opcode, psn, other_extended, payload)], traffic_class), ([what, (packets.CNP, 0, bytes(16), 0)], traffic_class),
        ([what, (packets.ACKNOWLEDGE, psn, struct.pack(">I", POSITIVE << 24 | 5), 0)], traffic_class)))


def random_streams(seed: int, start: int) -> list[packets.Packet]:
    """Of a few connections, one after the other, in the first interface."""
    dice = random.Random(seed)
    result: list[packets.Packet] = []
    time = start
    for connection in range(16):
        operations = dice.choice(("r", "r", "rs", "rw", "rsw", "rrrsw"))
        wrong = dice.choice((0, 0.003, 0.01, 0.05))
        depth = dice.choice((1, 4, 40))
        numbers = [dice.randrange(1 << 16), dice.randrange(1 << 16)]
        sides = [Side(dice, operations, 0x100 + 2 * connection, 0), Side(dice, operations, 0x101 + 2 * connection, 1)]
        active = sides if dice.random() < 0.5 else sides[:1]
        old: list[tuple] = []
        for step in range(500):
            side = dice.choice(active)
            is_request = step < 4 or not side.to_answer or (len(side.to_answer) < depth and dice.random() < 0.5)
            what = side.request() if is_request else side.answer()
            if what is None:
                continue
            if is_request:
                old = (old + [(side, what)])[-8:]
            if is_request and dice.random() < wrong:  # goes back
                side, what = dice.choice(old)
            time += NANOSECONDS if dice.random() > wrong / 2 else dice.choice((-300, 50_000, 1_500_000, 6_000_000, 70_000_000))
            sender = side.sender if is_request else 1 - side.sender
            now, traffic_class = ([what], 2) if dice.random() >= wrong else changed(dice, what, 2)
            for opcode, psn, extended, payload in now:
                numbers[sender] += 1
                result.append(packet(time, sender, side.queue_pair if sender == 0 else side.queue_pair ^ 1, numbers[sender], opcode, psn,
                                     extended, payload, traffic_class))
            if now and dice.random() < wrong / 2 and len(result) > 1:
                result[-1], result[-2] = result[-2].changed(time=result[-1].time), result[-1].changed(time=result[-2].time)
    return result
