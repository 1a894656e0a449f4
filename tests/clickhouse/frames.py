"""Captures of which every packet is known: SENDs of one packet and their ACKs, between hosts and queue pairs of one's choice."""
import pathlib
import struct
import zlib
from typing import NamedTuple

MOMENT = 1_795_000_000_000_000_000  # a whole multiple of 1.28 s
MICROSECOND = 1_000
SEND_ONLY, ACKNOWLEDGE = 4, 17
ETHERNET = bytes.fromhex("020000000001 020000000002 0800")


class Stream(NamedTuple):
    """A connection: `source` sends SENDs, each of which `destination` acknowledges."""
    source: str
    destination: str
    qpn: int = 100  # of source; destination has the next one
    marked: bool = False
    overlay: int = 0  # VNI; 0: no tunnel

    def frames(self, start: int, count: int, apart: int = 10 * MICROSECOND, first_psn: int = 0) -> list[tuple[int, bytes]]:
        """Times and frames of `count` SENDs, of 64 bytes of payload, and as many ACKs."""
        frames = []
        for i in range(count):
            psn, time = first_psn + i, start + i * apart
            frames.append((time, self.wrapped(frame(self.source, self.destination, SEND_ONLY, self.qpn + 1, psn, bytes(64), self.marked))))
            answer = frame(self.destination, self.source, ACKNOWLEDGE, self.qpn, psn, struct.pack(">I", 31 << 24 | psn + 1), False)
            frames.append((time + 2 * MICROSECOND, self.wrapped(answer)))
        return frames

    def wrapped(self, inner: bytes) -> bytes:
        """In VXLAN."""
        if not self.overlay:
            return inner
        data = struct.pack(">HHHHII", 50000, 4789, 16 + len(inner), 0, 1 << 27, self.overlay << 8) + inner
        return ETHERNET + ip(address("172.16.0.1") + address("172.16.0.2"), len(data), 0) + data


def address(text: str) -> bytes:
    return bytes(int(part) for part in text.split("."))


def ip(ends: bytes, length: int, traffic_class: int) -> bytes:
    head = struct.pack(">BBHHHBB", 0x45, traffic_class, 20 + length, 0, 0x4000, 64, 17)
    total = sum(struct.unpack(">9H", head + ends))
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return head + struct.pack(">H", ~total & 0xFFFF) + ends


def frame(source: str, destination: str, opcode: int, qpn: int, psn: int, rest: bytes, marked: bool) -> bytes:
    """Ethernet, IPv4, UDP, BTH, the rest, ICRC."""
    bth = struct.pack(">BBHII", opcode, 0x40, 0xFFFF, qpn, 1 << 31 | psn)
    udp = struct.pack(">HHHH", 49152, 4791, 8 + len(bth) + len(rest) + 4, 0)
    head = ip(address(source) + address(destination), len(udp) + len(bth) + len(rest) + 4, 3 if marked else 2)
    # What routers change, and reserved bits, are ones for the ICRC (InfiniBand Architecture Annex A17).
    masked = (b"\xff" * 8 + head[:1] + b"\xff" + head[2:8] + b"\xff" + head[9:10] + b"\xff\xff" + head[12:] + udp[:6] + b"\xff\xff" +
              bth[:4] + b"\xff" + bth[5:] + rest)
    return ETHERNET + head + udp + bth + rest + struct.pack("<I", zlib.crc32(masked))


def write(path: pathlib.Path, frames: list[tuple[int, bytes]]) -> pathlib.Path:
    """A pcap file with nanoseconds, in the order of the times."""
    data = struct.pack("<IHHiIII", 0xA1B23C4D, 2, 4, 0, 0, 65535, 1)
    for time, each in sorted(frames):
        data += struct.pack("<IIII", *divmod(time, 1_000_000_000), len(each), len(each)) + each
    path.write_bytes(data)
    return path
