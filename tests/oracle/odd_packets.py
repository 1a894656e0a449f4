"""Packets whose bytes are right and rare: options, lengths left open, frames inside frames. Written by hand, for scapy
puts right what should be odd."""

import struct
from typing import Iterator

MACS = bytes.fromhex("020000000002020000000001")
LLDP_MACS = bytes.fromhex("0180c200000e020000000001")
OUTER = bytes.fromhex("c6336401c6336402")
IPV4, IPV6, TRANSPARENT, JUMBO_LLC, LLDP = 0x0800, 0x86DD, 0x6558, 0x8870, 0x88CC


def ethernet(ether_type: int, body: bytes) -> bytes:
    return MACS + struct.pack("!H", ether_type) + body


def llc(head: str, body: bytes) -> bytes:
    return ethernet(len(head) // 2 + len(body), bytes.fromhex(head) + body)


def ipv4(protocol: int, body: bytes, options: bytes = b"") -> bytes:
    words, size = 5 + len(options) // 4, 20 + len(options) + len(body)
    head = struct.pack("!BBHHHBBH", 0x40 | words, 0x6A, size, 1, 0, 64, protocol, 0)
    return head + OUTER + options + body


def udp(port: int, body: bytes) -> bytes:
    return struct.pack("!HHHH", 0xC123, port, 8 + len(body), 0) + body


def options(udp_packet: bytes) -> Iterator[bytes]:
    """IPv4 options."""
    hops = bytes([192, 0, 2, 9, 192, 0, 2, 10])
    for option in (
        b"\x83\x0b\x04" + hops + b"\x00",  # loose source route, none visited
        b"\x89\x0b\x08" + hops + b"\x00",  # strict, one visited
        b"\x89\x0b\x0c" + hops + b"\x01",  # all visited
        b"\x07\x0b\x04" + bytes(8) + b"\x00",
        b"\x44\x0c\x05\x01" + hops,
        b"\x44\x08\x05\xf0\x01\x02\x03\x04",
        b"\x94\x04\x00\x00",
        b"\x88\x04\x12\x34",
        b"\x0b\x04\x05\xdc",
        b"\x0c\x04\x05\xdc",
        b"\x82\x0b" + bytes(range(9)) + b"\x00",
        b"\x1e\x08abcdef",
    ):
        yield ethernet(IPV4, ipv4(17, udp_packet, option))


def open_lengths(frame_v4: bytes, frame_v6: bytes) -> Iterator[bytes]:
    """Lengths that the sender's stack left to its NIC, or that a jumbogram has no room for."""
    v4, v6 = bytearray(frame_v4), bytearray(frame_v6)
    v4[16:18] = v6[18:20] = bytes(2)
    yield bytes(v4)
    yield bytes(v6)
    v4[38:40] = v6[58:60] = bytes(2)
    yield bytes(v4)


def extension_headers(frame_v6: bytes) -> Iterator[bytes]:
    udp_packet, addresses = frame_v6[54:], frame_v6[22:54]

    def ipv6(next_header: int, body: bytes) -> bytes:
        return ethernet(IPV6, struct.pack("!IHBB", 0x66A12345, len(body), next_header, 64) + addresses + body)

    yield ipv6(51, struct.pack("!BBHII", 17, 1, 0, 1, 2) + udp_packet)  # AH without a check value
    yield ipv6(51, struct.pack("!BBHII", 17, 4, 0, 1, 2) + bytes(range(12)) + udp_packet)
    for option in ("050200000100", "040107010100", "1e0461626364", "3e0461626364"):
        yield ipv6(0, b"\x11\x00" + bytes.fromhex(option) + udp_packet)
    yield ipv6(60, b"\x11\x02\xc9\x10" + addresses[:16] + b"\x01\x02\x00\x00" + udp_packet)  # home address
    for routing_type in (0, 2, 4):
        yield ipv6(43, struct.pack("!BBBBI", 17, 2, routing_type, 0, 0) + addresses[:16] + udp_packet)
    yield ipv6(44, struct.pack("!BBHI", 17, 0, 0, 99) + udp_packet)  # an atomic fragment


def geneve(ip_packet: bytes) -> Iterator[bytes]:
    def option(number: int, words: int, data: bytes) -> bytes:
        return struct.pack("!HBB", 0x0102, number, words) + data

    for all_options in (
        option(0x80, 1, b"abcd"),
        option(0x01, 0, b"") + option(0x7F, 3, bytes(range(12))),
        option(0x02, 31, bytes(range(124))),
        option(0x03, 0xE1, b"wxyz") + option(0x04, 5, b"abcd"),  # longer than all options
    ):
        head = struct.pack("!BBHI", len(all_options) // 4, 0xC0, IPV4, 0x10920000)
        yield ethernet(IPV4, ipv4(17, udp(6081, head + all_options + ip_packet)))


def vxlan(frame: bytes) -> Iterator[bytes]:
    for port, flags, protocol, body in (
        (8472, 0x08, 0, frame),
        (4789, 0x08, 0, frame),
        (4789, 0x88, 0, frame),
        (4790, 0x0C, 1, frame[14:]),
        (4790, 0x0E, 3, frame),
        (4790, 0xFF, 3, frame),
    ):
        yield ethernet(IPV4, ipv4(17, udp(port, bytes([flags, 0, 0, protocol]) + b"\0\x10\x92\0" + body)))


def gre(frame: bytes) -> Iterator[bytes]:
    def packet(flags: int, protocol: int, body: bytes) -> bytes:
        return ethernet(IPV4, ipv4(47, struct.pack("!HH", flags, protocol) + body))

    for flags, rest in ((0x8000, "12340000"), (0x2000, "00123456"), (0x1000, "0000004d"), (0xB000, "123400000012345600000007")):
        yield packet(flags, IPV4, bytes.fromhex(rest) + frame[14:])
    yield packet(0x3081, 0x880B, struct.pack("!HHII", 4, 0x1234, 5, 6) + b"\xff\x03\xc0\x21")  # PPTP
    yield packet(0x0000, 0x8100, b"\x60\x05" + frame[12:])  # a VLAN tag
    yield packet(0x1000, 0x88BE, struct.pack("!III", 77, 0x30646001, 0x12345) + frame)  # ERSPAN of version 3


def source_ports(udp_packet: bytes) -> Iterator[bytes]:
    for source, destination in ((4789, 4791), (4791, 50000)):
        yield ethernet(IPV4, ipv4(17, struct.pack("!HH", source, destination) + udp_packet[4:]))


def tags(ip_packet: bytes) -> Iterator[bytes]:
    """VLAN tags announced by EtherTypes from before 802.1ad."""
    for ether_type in (0x9100, 0x9200):
        yield ethernet(ether_type, struct.pack("!HHHH", 0x3005, ether_type, 0x6007, IPV4) + ip_packet)


def pauses() -> Iterator[bytes]:
    macs = bytes.fromhex("0180c2000001020000000001")
    for enabled in (0x00, 0x08, 0xA5, 0xFF):
        yield macs + struct.pack("!HHH8H", 0x8808, 0x0101, enabled, *range(1, 9)) + bytes(26)
    yield macs + struct.pack("!HHH", 0x8808, 0x0001, 0xABCD) + bytes(42)


def lldp() -> Iterator[bytes]:
    def element(kind: int, value: str) -> bytes:
        return struct.pack("!H", kind << 9 | len(value) // 2) + bytes.fromhex(value)

    address = "20010db8000000000000000000000001"
    for port in ("0402" + address, "0401c0000201", "03020000000001", "05650231"):  # the last one: a name with a control character
        elements = [element(1, "0502" + address), element(2, port), element(3, "0078"), element(0, "")]
        yield LLDP_MACS + struct.pack("!H", LLDP) + b"".join(elements)


def packets(frame_v4: bytes, frame_v6: bytes) -> Iterator[bytes]:
    """Odd forms of two frames with RoCEv2 behind plain Ethernet, IP and UDP headers."""
    ip_packet, udp_packet = frame_v4[14:], frame_v4[34:]
    yield from options(udp_packet)
    yield from open_lengths(frame_v4, frame_v6)
    yield from extension_headers(frame_v6)
    yield from geneve(ip_packet)
    yield from vxlan(frame_v4)
    yield from gre(frame_v4)
    yield from source_ports(udp_packet)
    yield from tags(ip_packet)
    yield from pauses()
    yield from lldp()
    yield llc("060603", ip_packet)
    yield llc("aaaa030000000800", ip_packet)
    yield llc("aaaa0300000c0800", b"cisco")
    yield llc("aaaa0312345600ff", b"someone")
    yield ethernet(JUMBO_LLC, bytes.fromhex("aaaa030000000800") + ip_packet)
    yield ethernet(TRANSPARENT, frame_v4)
