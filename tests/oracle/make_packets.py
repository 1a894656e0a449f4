#!/usr/bin/env python3
"""Makes captures of what real captures lack: every opcode, every encapsulation, tunnels, pads, management datagrams, cuts.
scapy does the ICRC.

Usage: make_packets.py FOLDER: writes made_*.pcap and made_*.pcapng, one for each link type and special case
"""

import collections
import pathlib
import struct
import sys
from typing import Iterator

import management_packets
import odd_packets
from capture_file import Frame, write_pcap, write_pcapng
from example_frames import example_frames

from scapy.contrib.geneve import GENEVE
from scapy.contrib.mpls import MPLS
from scapy.contrib.roce import BTH
from scapy.layers.inet import GRE, IP, UDP, IPOption_Router_Alert
from scapy.layers.inet6 import IPv6, IPv6ExtHdrDestOpt, IPv6ExtHdrHopByHop
from scapy.layers.l2 import ARP, Dot1AD, Dot1Q, Ether
from scapy.layers.vxlan import VXLAN
from scapy.packet import Raw

RETH = struct.pack("!QII", 0x00007FB235D09A00, 0x53829, 64)
AETH = struct.pack("!I", 0x1F000007)
IMMEDIATE = struct.pack("!I", 0xC0FFEE01)
IETH = struct.pack("!I", 0x1234ABCD)
ATOMIC = struct.pack("!QIQQ", 0x00007FB235D09A00, 0x53829, 0xFFFFFFFFFFFFFFFE, 0x0123456789ABCDEF)
ORIGINAL = struct.pack("!Q", 0xFEDCBA9876543210)
DETH = struct.pack("!II", 0x11111111, 0x000456)
RDETH = struct.pack("!I", 0x000777)
XRCETH = struct.pack("!I", 0x000888)
FETH = struct.pack("!I", 0x12)
PAYLOAD = bytes(range(32))
ETHERNET = 1
CUTS = (40, 52, 58, 66, 81, 100, 150, 250)  # bytes that a capture keeps of a packet

# Low five bits of the opcode -> headers after the transport's own, payload. InfiniBand Architecture Specification, 9.2.1.
OPERATIONS = {
    0x00: PAYLOAD, 0x01: PAYLOAD, 0x02: PAYLOAD, 0x03: IMMEDIATE + PAYLOAD, 0x04: PAYLOAD, 0x05: IMMEDIATE + PAYLOAD,
    0x06: RETH + PAYLOAD, 0x07: PAYLOAD, 0x08: PAYLOAD, 0x09: IMMEDIATE + PAYLOAD, 0x0A: RETH + PAYLOAD,
    0x0B: RETH + IMMEDIATE + PAYLOAD, 0x0C: RETH, 0x0D: AETH + PAYLOAD, 0x0E: PAYLOAD, 0x0F: AETH + PAYLOAD,
    0x10: AETH + PAYLOAD, 0x11: AETH, 0x12: AETH + ORIGINAL, 0x13: ATOMIC, 0x14: ATOMIC,
    0x16: IETH + PAYLOAD, 0x17: IETH + PAYLOAD, 0x1C: FETH + RETH, 0x1D: RETH + PAYLOAD[:8],
}
RESPONSES = range(0x0D, 0x13)
NOT_IN_RELIABLE_DATAGRAM = (0x16, 0x17, 0x1C, 0x1D)


def bth(opcode, rest, **fields):
    pad = -len(rest) % 4
    values = {"opcode": opcode, "dqpn": 0x000123, "psn": 0x0C5A42, "padcount": pad, "version": 0, "pkey": 0xFFFF, **fields}
    return BTH(**values) / Raw(rest + bytes(pad))


def every_opcode():
    for low, rest in OPERATIONS.items():
        yield bth(low, rest)  # RC
        if low <= 0x0B:
            yield bth(0x20 | low, rest)  # UC
        yield bth(0xA0 | low, rest if low in RESPONSES else XRCETH + rest)  # XRC
    yield bth(0x64, DETH + PAYLOAD)
    yield bth(0x65, DETH + IMMEDIATE + PAYLOAD)
    yield bth(0x81, bytes(16), psn=0, becn=1)
    yield bth(0x80, bytes(16), psn=0, becn=1)
    yield bth(0xC5, PAYLOAD)
    yield bth(0x18, PAYLOAD)  # undefined


def reliable_datagrams():
    """Opcodes 0x40-0x54 as the specification has them; NVIDIA's DC uses the same numbers."""
    for low, rest in OPERATIONS.items():
        if low not in NOT_IN_RELIABLE_DATAGRAM:
            yield bth(0x40 | low, RDETH + (rest if low in RESPONSES else DETH + rest))


def dynamically_connected():
    for low, rest in OPERATIONS.items():
        yield bth(0x40 | low, bytes(range(1, 25)) + rest)


def syndromes():
    for syndrome in range(256):
        yield bth(0x11, struct.pack("!I", (syndrome << 24) | 7))


def management():
    for queue_pair, datagram in management_packets.datagrams():
        q_key = management_packets.Q_KEY if queue_pair else 0
        yield bth(management_packets.UD_SEND_ONLY, struct.pack("!II", q_key, 0x00000001) + datagram, dqpn=queue_pair)


def flags():
    yield bth(0x04, PAYLOAD, solicited=1, migreq=1, ackreq=1)
    yield bth(0x04, PAYLOAD, fecn=1)
    for size in range(5):
        yield bth(0x04, PAYLOAD[:size])


V4 = {"src": "192.0.2.1", "dst": "192.0.2.2", "tos": 0x6A}
V6 = {"src": "2001:db8::1", "dst": "2001:db8::2", "tc": 0x6A, "fl": 0x12345}
MACS = {"src": "02:00:00:00:00:01", "dst": "02:00:00:00:00:02"}
ROCE = {"sport": 0xC123, "dport": 4791, "chksum": 0}


def ether():
    return Ether(**MACS)


def encapsulations(packet):
    v4 = IP(**V4) / UDP(**ROCE) / packet
    v6 = IPv6(**V6) / UDP(**ROCE) / packet
    yield ether() / v4
    yield ether() / v6
    yield ether() / Dot1Q(prio=3, vlan=100) / v4
    yield ether() / Dot1AD(prio=5, id=1, vlan=200) / Dot1Q(prio=3, vlan=100) / v6
    yield ether() / IP(options=[IPOption_Router_Alert()], **V4) / UDP(**ROCE) / packet
    yield ether() / IPv6(**V6) / IPv6ExtHdrHopByHop() / IPv6ExtHdrDestOpt() / UDP(**ROCE) / packet
    outer4 = {"src": "198.51.100.1", "dst": "198.51.100.2"}
    yield ether() / IP(**outer4) / UDP(sport=50000, dport=4789) / VXLAN(vni=4242) / ether() / v4
    yield ether() / IP(**outer4) / UDP(sport=50000, dport=6081) / GENEVE(vni=4242, proto=0x6558) / ether() / v6
    yield ether() / IP(**outer4) / GRE(key_present=1, key=0x4242, proto=0x6558) / ether() / v4
    yield ether() / IP(**outer4) / GRE(proto=0x0800) / v4
    yield ether() / IP(**outer4) / v4
    yield ether() / IPv6(src="2001:db8:1::1", dst="2001:db8:1::2") / v4
    yield ether() / MPLS(label=1000, s=0, ttl=64) / MPLS(label=2000, s=1, ttl=63) / v4
    erspan2 = struct.pack("!II", 0x10646001, 0x00012345)
    yield ether() / IP(**outer4, proto=47) / Raw(struct.pack("!HHI", 0x1000, 0x88BE, 77) + erspan2 + bytes(ether() / v4))
    erspan3 = struct.pack("!IIHH", 0x20646001, 123456, 0, 0x0004)
    yield ether() / IP(**outer4, proto=47) / Raw(struct.pack("!HHI", 0x1000, 0x22EB, 78) + erspan3 + bytes(ether() / v6))


def roce_v1():
    """EtherType 0x8915, which scapy does not know. The ICRC is zero: fields are compared, and tshark verifies no ICRC."""
    rest = bytes([0x0A, 0x40]) + struct.pack("!HII", 0xFFFF, 0x000123, 0x0C5A42) + RETH + PAYLOAD + bytes(4)
    gids = bytes.fromhex("fe800000000000000200000000000001fe800000000000000200000000000002")
    yield ether() / Raw(struct.pack("!IHBB", 0x60000000, len(rest), 0x1B, 64) + gids + rest)


def control():
    pause = bytes.fromhex("0001ffff") + bytes(42)
    pfc = bytes.fromhex("01010018") + struct.pack("!8H", 0, 0, 0, 65535, 0, 0, 0, 0) + bytes(26)
    for body in (pause, pfc):
        yield Ether(dst="01:80:c2:00:00:01", src=MACS["src"], type=0x8808) / Raw(body)
    yield ether() / ARP(psrc="192.0.2.1", pdst="192.0.2.2")


def over_v4(packet):
    return ether() / IP(**V4) / UDP(**ROCE) / packet


def over_v6(packet):
    return ether() / IPv6(**V6) / UDP(**ROCE) / packet


def packets():
    for packet in [*every_opcode(), *dynamically_connected(), *flags(), *management()]:
        yield over_v4(packet)
        yield over_v6(packet)
    yield from encapsulations(bth(0x0A, RETH + PAYLOAD))
    for frame in roce_v1():
        frame.type = 0x8915
        yield frame
    yield from control()
    yield Raw(bytes(over_v4(bth(0x0B, RETH + IMMEDIATE + PAYLOAD))) + bytes(6))  # a trailer


def frames_of(packets) -> list[Frame]:
    return [Frame(bytes(packet), len(bytes(packet))) for packet in packets]


def cut(frames: list[Frame]) -> Iterator[Frame]:
    for frame in frames:
        for size in CUTS:
            if size < len(frame.data):
                yield Frame(frame.data[:size], frame.length)


def main():
    folder = pathlib.Path(sys.argv[1])
    for old in folder.glob("*.pcap*"):
        old.unlink()
    frames = collections.defaultdict(list)
    frames[ETHERNET] = whole = frames_of(packets())
    write_pcap(folder / "made_cut.pcap", ETHERNET, list(cut(whole)))
    whole += frames_of(over_v4(packet) for packet in syndromes())
    write = bth(0x0A, RETH + PAYLOAD)
    whole += frames_of(odd_packets.packets(bytes(over_v4(write)), bytes(over_v6(write))))
    write_pcap(folder / "made_reliable_datagram.pcap", ETHERNET, frames_of(over_v4(packet) for packet in reliable_datagrams()))
    write_pcapng(folder / "made_interfaces.pcapng", ETHERNET, ["mlx5_0", ""], [(n % 2, f) for n, f in enumerate(whole[:4])])
    for link_type, frame in example_frames():
        frames[link_type].append(frame)
    for link_type, of_type in frames.items():
        write_pcap(folder / f"made_link_type_{link_type}.pcap", link_type, of_type)
    print(sum(map(len, frames.values())), "packets")


if __name__ == "__main__":
    main()
