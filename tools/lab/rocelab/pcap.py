"""Turns the pcap files that QEMU and tcpdump write into pcapng with the interface's name and nanoseconds.

pcap: draft-ietf-opsawg-pcap; pcapng: draft-ietf-opsawg-pcapng (section header, interface description, enhanced packet).
"""

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from .errors import LabError

MAGICS = {0xA1B2C3D4: 1000, 0xA1B23C4D: 1}  # nanoseconds of one unit of the fraction
SECTION_HEADER, INTERFACE_DESCRIPTION, ENHANCED_PACKET = 0x0A0D0D0A, 1, 6
IF_NAME, IF_DESCRIPTION, IF_TSRESOL, SHB_USERAPPL = 2, 3, 9, 4
NANOSECONDS = 9  # powers of ten, IF_TSRESOL


@dataclass(frozen=True)
class Pcap:
    """A pcap file's header, and its packets as (nanoseconds, length on the wire, bytes)."""

    link_type: int
    snap_length: int
    packets: list[tuple[int, int, bytes]]


def read(path: Path) -> Pcap:
    """Reads a pcap file of either byte order; a packet that is cut at the end of the file is left out."""
    data = path.read_bytes()
    for order in "<>":
        if len(data) >= 24 and (unit := MAGICS.get(struct.unpack_from(order + "I", data)[0])):
            snap_length, link_type = struct.unpack_from(order + "II", data, 16)
            return Pcap(link_type & 0xFFFF, snap_length, list(_packets(data, order, unit)))
    raise LabError(f"{path} is no pcap file")


def _packets(data: bytes, order: str, unit: int) -> Iterator[tuple[int, int, bytes]]:
    at = 24
    while at + 16 <= len(data):
        seconds, fraction, captured, length = struct.unpack_from(order + "IIII", data, at)
        if at + 16 + captured > len(data):
            return
        yield seconds * 1_000_000_000 + fraction * unit, length, data[at + 16:at + 16 + captured]
        at += 16 + captured


def _option(code: int, value: bytes) -> bytes:
    return struct.pack("<HH", code, len(value)) + value + b"\0" * (-len(value) % 4)


def _block(kind: int, body: bytes) -> bytes:
    size = len(body) + 12
    return struct.pack("<II", kind, size) + body + struct.pack("<I", size)


def write_pcapng(path: Path, pcap: Pcap, interface: str, description: str, shift: int = 0) -> None:
    """Writes one section with one interface; `shift` nanoseconds are added to each time."""
    section = struct.pack("<IHHq", 0x1A2B3C4D, 1, 0, -1) + _option(SHB_USERAPPL, b"rocescope lab") + _option(0, b"")
    about = (struct.pack("<HHI", pcap.link_type, 0, pcap.snap_length) + _option(IF_NAME, interface.encode())
             + _option(IF_DESCRIPTION, description.encode()) + _option(IF_TSRESOL, bytes([NANOSECONDS])) + _option(0, b""))
    with open(path, "wb") as out:
        out.write(_block(SECTION_HEADER, section) + _block(INTERFACE_DESCRIPTION, about))
        for time, length, data in pcap.packets:
            time += shift
            body = struct.pack("<IIIII", 0, time >> 32, time & 0xFFFFFFFF, len(data), length)
            out.write(_block(ENHANCED_PACKET, body + data + b"\0" * (-len(data) % 4)))
