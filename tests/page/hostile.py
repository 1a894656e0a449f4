"""Makes a capture whose every text is markup: hostile.py CAPTURE NEW. Names of interfaces, comments, private data of the CM. Its last
packet comes a century after the others."""

import struct
import sys

from scapy.contrib.roce import BTH
from scapy.layers.inet import UDP
from scapy.layers.l2 import Ether
from scapy.packet import Raw

MARKUP = b"<script>document.title='taken'</script><img src=x onerror=alert(1)>\"'&</script><!--"

SECTION, INTERFACE, PACKET = 0x0A0D0D0A, 1, 6
COMMENT = 1
CENTURY = 100 * 365 * 86400 * 10**9  # in nanoseconds, the unit of the captures of the lab
NAMES = {SECTION: (COMMENT, 2, 3, 4), INTERFACE: (COMMENT, 2, 3, 12), PACKET: (COMMENT,)}  # all texts of these blocks
FIXED = {SECTION: 16, INTERFACE: 8}


def blocks(data: bytes):
    """(type, body) of each block of a little-endian pcapng file."""
    at = 0
    while at < len(data):
        kind, length = struct.unpack_from("<II", data, at)
        yield kind, data[at + 8 : at + length - 4]
        at += length


def padded(data: bytes) -> bytes:
    return data + bytes(-len(data) % 4)


def options(body: bytes) -> list[tuple[int, bytes]]:
    found = []
    while len(body) >= 4:
        code, length = struct.unpack_from("<HH", body)
        if code == 0:
            break
        found.append((code, body[4 : 4 + length]))
        body = body[4 + length + -length % 4 :]
    return found


def with_markup(kind: int, kept: list[tuple[int, bytes]]) -> bytes:
    texts = NAMES[kind]
    all_options = [(code, MARKUP) for code in texts] + [option for option in kept if option[0] not in texts]
    packed = b"".join(struct.pack("<HH", code, len(value)) + padded(value) for code, value in all_options)
    return packed + struct.pack("<HH", 0, 0)


def hostile_frame(frame: bytes) -> bytes:
    """With markup as private data, where it is a MAD of the CM: behind 20 bytes of headers, in the fixed places of REQ and REP."""
    packet = Ether(frame)
    if UDP not in packet or packet[UDP].dport != 4791 or Raw not in packet:
        return frame
    raw = packet[Raw].load  # DETH, MAD
    attribute = {0x10: 140, 0x13: 36, 0x14: 8, 0x12: 84}.get(int.from_bytes(raw[24:26], "big")) if len(raw) > 260 else None
    if attribute is None or raw[9] != 7:
        return frame
    # An RDMA CM REQ has its own header of 36 bytes first
    start = 8 + 24 + attribute + (36 if attribute == 140 else 0)
    text = MARKUP[: 8 + 256 - start]
    packet[Raw].load = raw[:start] + text + raw[start + len(text) :]
    packet[BTH].icrc = None
    return bytes(packet)


def main() -> None:
    source, target = sys.argv[1:]
    with open(source, "rb") as file:
        data = file.read()
    left = sum(kind == PACKET for kind, _ in blocks(data))
    with open(target, "wb") as file:
        for kind, body in blocks(data):
            if kind == PACKET:
                interface, high, low, captured, length = struct.unpack_from("<IIIII", body)
                left -= 1
                if left == 0:
                    high += CENTURY >> 32
                frame = hostile_frame(body[20 : 20 + captured])
                assert len(frame) == captured, "a frame changed its length"
                body = struct.pack("<IIIII", interface, high, low, captured, length) + padded(frame)
                body += with_markup(kind, [])
            elif kind in FIXED:
                body = body[: FIXED[kind]] + with_markup(kind, options(body[FIXED[kind] :]))
                if kind == SECTION:
                    body = body[:8] + b"\xff" * 8 + body[16:]  # of unknown length
            total = len(body) + 12
            file.write(struct.pack("<II", kind, total) + body + struct.pack("<I", total))


if __name__ == "__main__":
    main()
