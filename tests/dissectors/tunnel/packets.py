#!/usr/bin/python3
"""Makes packets.txt (RoCEv2 in every tunnel, by scapy) and fields.txt (what tshark reads in the tunnels' headers).

    tests/dissectors/tunnel/packets.py     needs python3-scapy and tshark 4.0.17
"""
import logging
import os
import struct
import subprocess
import zlib

logging.getLogger("scapy").setLevel(logging.ERROR)
from scapy.all import GRE, IP, UDP, Dot1Q, Ether, GRErouting, IPv6, IPv6ExtHdrSegmentRouting, Raw
from scapy.contrib.erspan import ERSPAN_II, ERSPAN_III, ERSPAN_PlatformSpecific
from scapy.contrib.etherip import EtherIP
from scapy.contrib.geneve import GENEVE, GeneveOptions
from scapy.contrib.mpls import MPLS, EoMCW
from scapy.contrib.roce import BTH
from scapy.layers.vxlan import VXLAN

HERE = os.path.dirname(os.path.abspath(__file__))

# --- the RoCE packets inside: RC SEND Only of nine bytes, three of pad, ICRC ---


def bth():
    return BTH(opcode=0x04, dqpn=0xABCD, psn=0x123456, padcount=3) / Raw(b"tunnelled\0\0\0")


def with_icrc_v6(packet):
    """The ICRC of RoCEv2 over IPv6 (IBTA A17.3.3), which this scapy leaves out."""
    masked = bytearray(packet[:-4])
    masked[0] |= 0x0F
    for ones in (1, 2, 3, 7, 46, 47, 52):
        masked[ones] = 0xFF
    return packet[:-4] + struct.pack("<I", zlib.crc32(b"\xff" * 8 + bytes(masked)))


# scapy's own test vector of RoCE over IPv6 (test/contrib/roce.uts)
VECTOR = bytes.fromhex(
    "6e21face002c11ff2022000000000000000000000000102320230000000000000000000000001024c00012b7002ce7c5"
    "2460ffff000000d300cf17104630818be28935d90e9a95505401be885e5000003e5b743b")
assert with_icrc_v6(VECTOR) == VECTOR

PORTS = {"sport": 0xC123, "dport": 4791}
V4 = bytes(IP(src="10.1.0.1", dst="10.1.0.2", tos=0x6A) / UDP(**PORTS) / bth())
V6 = with_icrc_v6(bytes(IPv6(src="2001:db8:1::1", dst="2001:db8:1::2", tc=0x6A, fl=0x12345) / UDP(**PORTS) / bth()))


def ethernet(packet, *vlans, dst="e8:eb:d3:00:00:04"):
    frame = Ether(src="e8:eb:d3:00:00:03", dst=dst)
    for vlan in vlans:
        frame = frame / Dot1Q(vlan=vlan, prio=3)
    frame.lastlayer().type = 0x0800 if packet[0] >> 4 == 4 else 0x86DD
    return bytes(frame / Raw(packet))


E4, E6 = ethernet(V4), ethernet(V6)
E4_VLAN, E6_VLANS = ethernet(V4, 7), ethernet(V6, 7, 8)

# --- the packets outside ---


def outer(ip, *vlans, ether_type=None):
    frame = Ether(src="b8:59:9f:00:00:01", dst="b8:59:9f:00:00:02")
    for vlan in vlans:
        frame = frame / Dot1Q(vlan=vlan, prio=5)
    if ether_type:
        frame.lastlayer().type = ether_type
    return bytes(frame / ip)


def over4(protocol, payload, *vlans):
    return outer(IP(src="192.0.2.1", dst="192.0.2.2", tos=0x60, proto=protocol) / payload, *vlans)


def over6(protocol, payload, *vlans):
    return outer(IPv6(src="2001:db8::1", dst="2001:db8::2", tc=0x60, nh=protocol) / payload, *vlans)


def udp4(port, payload, *vlans):
    return over4(17, UDP(sport=0xD431, dport=port) / Raw(bytes(payload)), *vlans)


def udp6(port, payload, *vlans):
    return over6(17, UDP(sport=0xD431, dport=port) / Raw(bytes(payload)), *vlans)


def vxlan(inner, vni=0x123456, **fields):
    return VXLAN(vni=vni, **fields) / Raw(inner)


def gpe(inner, next_protocol, flags=0x0C):
    return struct.pack(">BxxBI", flags, next_protocol, 42 << 8) + bytes(inner)


def geneve(inner, proto=0x6558, **fields):
    return GENEVE(vni=42, proto=proto, **fields) / Raw(inner)


def gre(proto, inner, **fields):
    return Raw(bytes(GRE(proto=proto, **fields)) + bytes(inner))


def sequenced(proto, inner):
    return gre(proto, inner, seqnum_present=1, sequence_number=9)


def erspan2(inner, **fields):
    return bytes(ERSPAN_II(ver=1, vlan=100, cos=3, en=3, session_id=77, index=0x12345, **fields)) + inner


def erspan3(inner, platform=None, **fields):
    fields = {"p": 1, **fields}
    header = ERSPAN_III(vlan=100, cos=3, session_id=77, timestamp=0x11223344, sgt_other=9, hw=5, d=1, gra=2,
                        o=platform is not None, **fields)
    sub = b"" if platform is None else bytes(
        ERSPAN_PlatformSpecific(platf_id=platform, info1=0x2ABCDEF, info2=0x89ABCDEF))
    return bytes(header) + sub + inner


def mpls(labels, inner):
    stack = [MPLS(label=label, cos=5, s=0, ttl=64) for label in labels]
    stack[-1].s = 1
    return b"".join(map(bytes, stack)) + inner


def over_mpls(labels, inner, *vlans, ether_type=0x8847):
    return outer(Raw(mpls(labels, inner)), *vlans, ether_type=ether_type)


def srv6(protocol, inner, *segments, left=0):
    header = IPv6ExtHdrSegmentRouting(nh=protocol, addresses=list(segments), segleft=left, lastentry=len(segments) - 1,
                                      tag=0x1234)
    return over6(43, Raw(bytes(header) + inner))


# sFlow version 5, by its specification: scapy has none.


def sflow(*samples, agent=bytes([192, 0, 2, 9])):
    start = struct.pack(">II", 5, 1 if len(agent) == 4 else 2) + agent
    return start + struct.pack(">4I", 3, 1234, 567890, len(samples)) + b"".join(samples)


def section(kind, body):
    return struct.pack(">II", kind, len(body)) + body


def raw_header(frame, length=None, protocol=1):
    original = (length or len(frame)) + 4
    return section(1, struct.pack(">4I", protocol, original, 4, len(frame)) + frame + bytes(-len(frame) % 4))


def flow(*records):
    return section(1, struct.pack(">8I", 42, 17, 1000, 99000, 0, 17, 18, len(records)) + b"".join(records))


def expanded_flow(*records):
    return section(3, struct.pack(">11I", 42, 0, 17, 1000, 99000, 0, 0, 17, 0, 18, len(records)) + b"".join(records))


COUNTERS = section(2, struct.pack(">3I", 7, 17, 0))
SWITCH = section(1001, struct.pack(">4I", 1, 2, 3, 4))


def in_ip(depth):
    packet = V4
    for _ in range(depth):
        packet = bytes(IP(src="192.0.2.1", dst="192.0.2.2", proto=4) / Raw(packet))
    return outer(Raw(packet), ether_type=0x0800)


def in_vxlan(depth):
    frame = E4
    for vni in range(100, 100 + depth):
        frame = udp4(4789, vxlan(frame, vni))
    return frame


# Names with `_cut` hold a RoCE packet that was cut on its way, those with `_deep` one in more tunnels than are
# followed.
PACKETS = {
    "vxlan_4in4": udp4(4789, vxlan(E4)),
    "vxlan_6in4": udp4(4789, vxlan(E6)),
    "vxlan_4in6": udp6(4789, vxlan(E4)),
    "vxlan_6in6": udp6(4789, vxlan(E6)),
    "vxlan_vlans": udp4(4789, vxlan(E4_VLAN), 5, 6),
    "vxlan_vlans6": udp6(4789, vxlan(E6_VLANS), 5),
    "vxlan_linux": udp4(8472, vxlan(E4)),
    "vxlan_group_policy": udp4(4789, vxlan(E4, flags=0x88, gpflags=0x48, gpid=0x1234)),
    "vxlan_all_flags_but_i": udp4(4789, struct.pack(">HHI", 0xF7FF, 0x1234, 42 << 8) + E4),
    "vxlan_gpe_ipv4": udp4(4790, gpe(V4, 1)),
    "vxlan_gpe_ipv6": udp4(4790, gpe(V6, 2)),
    "vxlan_gpe_ethernet": udp4(4790, gpe(E4, 3, flags=0xFF)),
    "vxlan_gpe_mpls": udp4(4790, gpe(mpls([100], V4), 5)),
    "vxlan_gpe_without_p": udp4(4790, gpe(E4, 0, flags=0x08)),
    "geneve_ethernet": udp4(6081, geneve(E4)),
    "geneve_over6": udp6(6081, geneve(E6_VLANS)),
    "geneve_ipv4": udp4(6081, geneve(V4, 0x0800)),
    "geneve_ipv6": udp4(6081, geneve(V6, 0x86DD)),
    "geneve_options": udp4(6081, geneve(E4, critical=1, options=[
        GeneveOptions(classid=0x0102, type=0x80, data=b"12345678"),
        GeneveOptions(classid=0x0103, type=1, reserved=7),
        GeneveOptions(classid=0x0108, type=1, data=b"abcd")])),
    "geneve_flags": udp4(6081, geneve(E4, oam=1, critical=1, reserved=0x3F)),
    "gre_ipv4": over4(47, gre(0x0800, V4)),
    "gre_ipv6": over4(47, gre(0x86DD, V6)),
    "gre_over6": over6(47, gre(0x0800, V4)),
    "gre_all_words": over4(47, gre(0x0800, V4, chksum_present=1, chksum=0xABCD, offset=5, key_present=1, key=0x01020304,
                                   seqnum_present=1, sequence_number=9, strict_route_source=1, recursion_control=7)),
    "gre_routing": over4(47, gre(0x0800, bytes(GRErouting(address_family=0x0800, SRE_offset=4,
                                                          routing_info=b"\x0a\0\0\1\x0a\0\0\2")) + bytes(4) + V4,
                                 chksum_present=0, routing_present=1, chksum=0x1234, offset=4, key_present=1, key=3)),
    "gre_ethernet": over4(47, gre(0x6558, E4)),
    "nvgre": over4(47, gre(0x6558, E4, key_present=1, key=0x12345677)),
    "gre_mpls": over4(47, gre(0x8847, mpls([16, 17], V4))),
    "gre_vlan": over4(47, gre(0x8100, struct.pack(">HH", 7, 0x0800) + V4)),
    "erspan1": over4(47, gre(0x88BE, E4)),
    "erspan2": over4(47, sequenced(0x88BE, erspan2(E4_VLAN))),
    "erspan2_reserved": over4(47, sequenced(0x88BE, erspan2(E4, reserved=0xABC))),
    "erspan2_cut": over4(47, sequenced(0x88BE, erspan2(E4[:60], t=1))),
    "erspan2_cut_without_t": over6(47, sequenced(0x88BE, erspan2(E6[:20]))),
    "erspan3": over4(47, sequenced(0x22EB, erspan3(E4_VLAN))),
    "erspan3_over6": over6(47, sequenced(0x22EB, erspan3(E6))),
    "erspan3_ip": over4(47, sequenced(0x22EB, erspan3(V4, p=0, ft=2))),
    "erspan3_bso": over4(47, gre(0x22EB, erspan3(E4, bso=3, t=1))),
    **{f"erspan3_platform{i}": over4(47, sequenced(0x22EB, erspan3(E4, platform=i))) for i in range(9)},
    "erspan3_cut": over4(47, sequenced(0x22EB, erspan3(E4[:58], platform=3, t=1))),
    "spectrum_mirror": over4(47, gre(0x8949, bytes(range(22)) + E4)),
    "spectrum_mirror_over6": over6(47, gre(0x8949, bytes(range(22)) + E6_VLANS)),
    "spectrum_mirror_cut": over4(47, gre(0x8949, bytes(range(22)) + E4[:64])),
    "ipv4_in_ipv4": over4(4, Raw(V4)),
    "ipv6_in_ipv4": over4(41, Raw(V6)),
    "ipv4_in_ipv6": over6(4, Raw(V4)),
    "ipv6_in_ipv6": over6(41, Raw(V6), 5),
    "ethernet_in_ipv6": over6(143, Raw(E4_VLAN)),
    "ethernet_in_ipv4": over4(143, Raw(E6)),
    "etherip": over4(97, EtherIP() / Raw(E4)),
    "etherip_over6": over6(97, EtherIP() / Raw(E6_VLANS)),
    "mpls_ipv4": over_mpls([100, 200, 300], V4),
    "mpls_ipv6": over_mpls([100], V6, 5),
    "mpls_multicast": over_mpls([100], V4, ether_type=0x8848),
    "mpls_ethernet": over_mpls([100, 200], E4),
    "mpls_control_word": over_mpls([100, 200], bytes(EoMCW(seq=7)) + E4_VLAN, 9),
    "mpls_mac_starts_with_0": over_mpls([100], ethernet(V4, dst="0c:42:a1:00:00:01")),
    "mpls_mac_starts_with_00_00": over_mpls([100], ethernet(V4, dst="00:00:00:00:00:01")),
    "mpls_mac_starts_with_4": over_mpls([100], ethernet(V4, dst="48:b0:2d:00:00:01")),
    "mpls_mac_starts_with_6": over_mpls([100], ethernet(V6, 7, dst="6c:b3:11:aa:bb:01")),
    "mpls_in_udp": udp4(6635, mpls([100], V4)),
    "mpls_in_udp6": udp6(6635, mpls([100], V6)),
    "mpls_in_ipv4": over4(137, Raw(mpls([100], V4))),
    "mpls_in_ipv6": over6(137, Raw(mpls([100], V6))),
    "sflow": udp4(6343, sflow(flow(raw_header(E4)))),
    "sflow_expanded": udp6(6343, sflow(expanded_flow(raw_header(E6_VLANS)),
                                       agent=b"\x20\x01\x0d\xb8" + bytes(11) + b"\x09")),
    "sflow_ipv4": udp4(6343, sflow(flow(raw_header(V4, protocol=11)))),
    "sflow_ipv6": udp4(6343, sflow(flow(raw_header(V6, protocol=12)))),
    "sflow_cut": udp4(6343, sflow(flow(SWITCH, raw_header(E4[:60], len(E4))))),
    "sflow_three_samples_cut": udp4(6343, sflow(COUNTERS, flow(SWITCH, raw_header(E4[:60], len(E4))),
                                                flow(raw_header(E6[:64], len(E6))))),
    "srv6_ipv4": srv6(4, V4, "2001:db8::2", "2001:db8::3", left=1),
    "srv6_ipv6": srv6(41, V6, "2001:db8::2"),
    "srv6_ethernet": srv6(143, E4_VLAN, "2001:db8::2", "2001:db8::3"),
    "vxlan_in_nvgre": over4(47, gre(0x6558, udp4(4789, vxlan(E4, 5)), key_present=1, key=9 << 8)),
    "nvgre_in_vxlan": udp4(4789, vxlan(over6(47, gre(0x6558, E6, key_present=1, key=9 << 8)), 5)),
    "vxlan_in_erspan": over4(47, sequenced(0x88BE, erspan2(udp4(4789, vxlan(E4))))),
    "geneve_in_erspan_cut": over4(47, sequenced(0x88BE, erspan2(udp4(6081, geneve(E4))[:110], t=1))),
    "ip_in_ip_8": in_ip(8),
    "ip_in_ip_9_deep": in_ip(9),
    "ip_in_ip_20_deep": in_ip(20),
    "vxlan_8": in_vxlan(8),
    "vxlan_20_deep": in_vxlan(20),
}

PREFIXES = ("gre.", "erspan.", "vxlan.", "geneve.", "mpls.", "pweth.", "etherip.", "sflow.", "sflow_245.", "sflow_5.")


def write_packets(path):
    with open(path, "w") as out:
        for name, packet in PACKETS.items():
            out.write(f"{name} {packet.hex()}\n")


def tshark(*arguments):
    return subprocess.run(["tshark", *arguments], check=True, capture_output=True, text=True).stdout


def write_fields(path):
    capture = "/tmp/rocescope_tunnel_packets.pcap"
    with open(capture, "wb") as out:
        out.write(struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 1))
        for packet in PACKETS.values():
            out.write(struct.pack("<IIII", 0, 0, len(packet), len(packet)) + packet)
    rows = [line.split("\t") for line in tshark("-G", "fields").splitlines()]
    names = sorted({row[2] for row in rows if row[0] == "F" and row[2].startswith(PREFIXES) and row[3] != "FT_NONE"})
    chosen = [argument for name in names for argument in ("-e", name)]
    lines = tshark("-r", capture, "-T", "fields", "-E", "occurrence=a", "-E", "aggregator=|", *chosen).splitlines()
    with open(path, "w") as out:
        for packet, line in zip(PACKETS, lines):
            for name, values in zip(names, line.split("\t")):
                if values:
                    out.write(f"{packet} {name} {values}\n")
    os.remove(capture)


if __name__ == "__main__":
    write_packets(os.path.join(HERE, "packets.txt"))
    write_fields(os.path.join(HERE, "fields.txt"))
