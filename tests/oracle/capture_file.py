"""Capture files as lists of frames."""

import dataclasses
import pathlib
import struct
from collections.abc import Iterator

SECTION_HEADER = b"\x0a\x0d\x0d\x0a"
ENHANCED_PACKET = 6
PCAP_MAGIC = 0xA1B2C3D4  # microseconds
PCAP_MAGIC_NANOSECONDS = 0xA1B23C4D
LONGEST_FRAME = 262144  # that libpcap and tshark accept


@dataclasses.dataclass(frozen=True)
class Frame:
    data: bytes  # as captured
    length: int  # on the wire
    seconds: int = 1_700_000_000
    fraction: int = 0

    def is_cut(self) -> bool:
        return len(self.data) < self.length

    def filled(self) -> "Frame":
        """The frame with zeros for what the capture cut off; an impossible length on the wire is a lie and changes nothing."""
        missing = self.length - len(self.data)
        return dataclasses.replace(self, data=self.data + bytes(missing)) if self.length <= LONGEST_FRAME else self


def write_pcap(path: pathlib.Path, link_type: int, frames: list[Frame], magic: int = PCAP_MAGIC) -> None:
    with open(path, "wb") as file:
        file.write(struct.pack("<IHHiIII", magic, 2, 4, 0, 0, LONGEST_FRAME, link_type))
        for frame in frames:
            file.write(struct.pack("<IIII", frame.seconds, frame.fraction, len(frame.data), frame.length) + frame.data)


def read_pcap(path: pathlib.Path) -> tuple[int, int, list[Frame]]:
    """Link type, magic number and frames of a file whose format is pcap."""
    content = path.read_bytes()
    order = next(order for order in "<>" if struct.unpack_from(order + "I", content)[0] in (PCAP_MAGIC, PCAP_MAGIC_NANOSECONDS))
    magic, link_type = struct.unpack_from(order + "I16xI", content)
    frames, at = [], 24
    while at + 16 <= len(content):
        seconds, fraction, captured, length = struct.unpack_from(order + "IIII", content, at)
        frames.append(Frame(content[at + 16 : at + 16 + captured], length, seconds, fraction))
        at += 16 + captured
    return link_type, magic, frames


def records(data: bytes) -> Iterator[tuple[bool, bytes]]:
    """The parts of a capture file of this machine's byte order, and whether each is a packet."""
    pcapng = data.startswith(SECTION_HEADER)
    at = 0 if pcapng else 24
    if not pcapng:
        yield False, data[:24]
    while at < len(data):
        kind, length = struct.unpack_from("<II", data, at) if pcapng else (
            ENHANCED_PACKET, 16 + struct.unpack_from("<I", data, at + 8)[0])
        yield kind == ENHANCED_PACKET, data[at:at + length]
        at += length


def write_pcapng(path: pathlib.Path, link_type: int, interfaces: list[str], frames: list[tuple[int, Frame]]) -> None:
    """A pcapng file with these interfaces; an empty name is left out. Each frame comes with the number of its interface."""

    def block(kind: int, body: bytes) -> bytes:
        return struct.pack("<II", kind, len(body) + 12) + body + struct.pack("<I", len(body) + 12)

    def padded(data: bytes) -> bytes:
        return data + bytes(-len(data) % 4)

    content = block(0x0A0D0D0A, struct.pack("<IHHq", 0x1A2B3C4D, 1, 0, -1))
    for name in interfaces:
        option = struct.pack("<HH", 2, len(name)) + padded(name.encode()) + bytes(4) if name else b""
        content += block(1, struct.pack("<HHI", link_type, 0, 0) + option)
    for interface, frame in frames:
        ticks = frame.seconds * 1_000_000 + frame.fraction
        head = struct.pack("<IIIII", interface, ticks >> 32, ticks & 0xFFFFFFFF, len(frame.data), frame.length)
        content += block(6, head + padded(frame.data))
    path.write_bytes(content)
