"""Captures that have each packet on both sides of an impaired network, in one file and by one clock.

The lab's scenarios two_views* make them: on the wire's interface of the server what came to the network (netem), on its ifb-lab what
left it. SoftRoCE gives each packet that it sends an IPv4 identification of its own, so a packet that left is found among those that
came, and each copy of a PSN is known from the others: what happened to it follows without any look at PSNs over time.
"""
import gzip
import pathlib
import struct
import subprocess

FIELDS = ("frame.number", "rocescope.verdict", "rocescope.verdict.cause", "rocescope.verdict.lost")
RESPONSES = (0x0D, 0x0E, 0x0F, 0x10, 0x11, 0x12)
READ_REQUEST = 0x0C
SLL2_HEADER = 20
OUTGOING = 4  # the packet type of SLL2
PATH_MTU = 256


class Frame:
    """A frame of LINKTYPE_LINUX_SLL2 with IPv4, UDP and a BTH."""

    def __init__(self, header: bytes, data: bytes):
        self.record = header + data
        self.interface = struct.unpack_from(">I", data, 4)[0]
        self.outgoing = data[10] == OUTGOING
        self.packet = data[SLL2_HEADER:]
        self.identification = struct.unpack_from(">H", self.packet, 4)[0]
        bth = self.packet[28:]
        self.opcode = bth[0]
        self.queue_pair = int.from_bytes(bth[5:8], "big")
        self.psn = int.from_bytes(bth[9:12], "big")
        self.is_request = self.opcode < 0x20 and self.opcode not in RESPONSES
        self.syndrome = 0 if self.is_request else bth[12]
        length = int.from_bytes(bth[24:28], "big") if self.opcode == READ_REQUEST else 0
        self.span = max(1, -(-length // PATH_MTU))
        self.truth = ""  # the verdict that is right
        self.lost = ""   # what became of the copy before it: before, after, or nothing
        self.number, self.verdict, self.cause, self.said = 0, "", "", ""


def distance(a: int, b: int) -> int:
    """From PSN a to b, negative where b lies behind."""
    ahead = (b - a) % (1 << 24)
    return ahead if ahead < 1 << 23 else ahead - (1 << 24)


def read(path: pathlib.Path) -> tuple[bytes, list[Frame]]:
    data = gzip.decompress(path.read_bytes())
    frames, at = [], 24
    while at < len(data):
        captured = struct.unpack_from("<I", data, at + 8)[0]
        frames.append(Frame(data[at:at + 16], data[at + 16:at + 16 + captured]))
        at += 16 + captured
    return data[:24], frames


class TwoViews:
    def __init__(self, path: pathlib.Path):
        self.header, frames = read(path)
        wire = next(frame.interface for frame in frames if not frame.outgoing)
        self.sent = [frame for frame in frames if frame.interface == wire]
        self.arrived = [frame for frame in frames if frame.interface != wire or frame.outgoing]
        requests = [frame for frame in self.sent if frame.is_request]
        self.whole = {frame.identification: frame.packet for frame in requests}
        self.reads: dict[int, list[Frame]] = {}  # READ Requests by queue pair
        self.copies: dict[tuple[int, int], list[int]] = {}  # of a queue pair and PSN, in the order of their sending
        for frame in requests:
            self.copies.setdefault(self._start(frame), []).append(frame.identification)
        # Where each frame is in the file, and where a packet that left the network.
        self.place = {frame: at for at, frame in enumerate(frames)}
        self.arrival = {frame.identification: self.place[frame] for frame in self.arrived if frame.is_request}
        self.there = {frame.identification for frame in self.arrived if self.is_whole(frame)}

    def is_whole(self, frame: Frame) -> bool:
        """Whether it is as it was sent: netem damages packets on purpose."""
        return self.whole.get(frame.identification) == frame.packet

    def _start(self, frame: Frame) -> tuple[int, int]:
        """A READ that asks for the rest of one before it is a copy of that."""
        for read_request in self.reads.get(frame.queue_pair, []):
            if 0 < distance(read_request.psn, frame.psn) < read_request.span:
                return frame.queue_pair, read_request.psn
        if frame.opcode == READ_REQUEST:
            self.reads.setdefault(frame.queue_pair, []).append(frame)
        return frame.queue_pair, frame.psn

    def copies_of(self, frame: Frame) -> list[int]:
        """The identifications of a request and its copies, in the order of their sending."""
        return self.copies[self._start(frame)]

    def label(self, view: list[Frame]) -> None:
        """What is true of each request for somebody who sees `view`."""
        visible = {frame.identification for frame in view if frame.is_request and self.is_whole(frame)}
        seen: set[int] = set()
        highest: dict[int, int] = {}
        sent = {frame.identification: frame for frame in self.sent if frame.is_request}
        damaged: set[tuple[int, int]] = set()  # queue pairs and PSNs of what came by damaged
        for frame in view:
            if not self.is_whole(frame) and frame.identification in sent:
                original = sent[frame.identification]
                damaged.add((original.queue_pair, original.psn))
            if not frame.is_request or not self.is_whole(frame):
                continue
            copies = self.copies_of(frame)
            place = copies.index(frame.identification)
            top = highest.get(frame.queue_pair)
            if frame.identification in seen:
                frame.truth = "capture_duplicate"
            elif place > 0:
                frame.truth = "retransmission"
                before = copies[place - 1]
                frame.lost = "before" if before not in visible else "" if before in self.there else "after"
            elif top is not None and distance(top, frame.psn) < 0:
                frame.truth = "out_of_order"
            else:
                skipped = [] if top is None else [(frame.queue_pair, (top + 1 + i) % (1 << 24)) for i in range(distance(top, frame.psn) - 1)]
                frame.truth = "in_order" if damaged.issuperset(skipped) else "gap"
            seen.add(frame.identification)
            last = (frame.psn + frame.span - 1) % (1 << 24)
            if top is None or distance(top, last) > 0:
                highest[frame.queue_pair] = last

    def judge(self, program: str, view: list[Frame], file: pathlib.Path) -> None:
        """Fills in the program's verdict on each frame of `view`."""
        file.write_bytes(self.header + b"".join(frame.record for frame in view))
        shown = subprocess.run([program, "dissect", file, "-T", "fields", *(word for field in FIELDS for word in ("-e", field))],
                               capture_output=True, check=True, text=True).stdout.splitlines()
        for frame, line in zip(view, shown, strict=True):
            number, frame.verdict, frame.cause, frame.said = line.split("\t")
            frame.number = int(number)
