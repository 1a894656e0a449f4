"""Packets of capture files, and the bytes in them that the views change. All become Ethernet in nanoseconds."""
from __future__ import annotations

import dataclasses
import gzip
import pathlib
import re
import struct
import zlib

TCP, EPHEMERAL = 6, 32768
EXCHANGE = re.compile(rb"((?:[0-9a-f]{4}:){1,2}[0-9a-f]{6}:)([0-9a-f]{6})")
PCAP_TICKS = {0xA1B2C3D4: 1000, 0xA1B23C4D: 1}  # nanoseconds, by magic number
SECTION_HEADER, INTERFACE, ENHANCED_PACKET = 0x0A0D0D0A, 1, 6
LINKTYPE_ETHERNET, LINKTYPE_LINUX_SLL2 = 1, 276
SLL2_HEADER, OUTGOING = 20, 4
ETHERNET_ADDRESSES = b"\x52\x54\x00\x12\x34\x24\x52\x54\x00\x12\x34\x25"
ROCE_PORT = 4791
MANAGEMENT_QUEUE_PAIR = 1
REQUESTS = frozenset((*range(0x00, 0x0D), 0x13, 0x14, 0x16, 0x17, 0x1C, 0x1D))  # of RC, by opcode
RESPONSES = frozenset(range(0x0D, 0x13))
CM_REQ, CM_MRA, CM_REJ, CM_REP, CM_RTU, CM_DREQ, CM_DREP = range(0x10, 0x17)
CM_PAIRS_OF_IDS = (CM_MRA, CM_REJ, CM_REP, CM_RTU, CM_DREQ, CM_DREP)  # the local communication ID and the remote one
CM_STARTING_PSN = {CM_REQ: 44, CM_REP: 20}
RDMAGEN_EXCHANGE, QP_CREATE = b"RLAB", (3, 4)  # the magic number of its messages, and those that name a starting PSN
READ_REQUEST, ATOMICS, ACKNOWLEDGE, CNP = 0x0C, (0x13, 0x14), 0x11, 0x81


def icrc_of(data: bytes, udp: int) -> bytes:
    """The invariant CRC of a packet, from its IP header up to where that CRC comes. `udp`: where its UDP header begins."""
    covered = bytearray(8 * b"\xff" + data)
    if data[0] >> 4 == 4:
        covered[9] = covered[16] = covered[18] = covered[19] = 0xFF
    else:
        covered[8] |= 0x0F
        covered[9:12] = b"\xff\xff\xff"
        covered[15] = 0xFF
    covered[8 + udp + 6:8 + udp + 8] = b"\xff\xff"
    covered[8 + udp + 12] = 0xFF
    return struct.pack("<I", zlib.crc32(covered))


@dataclasses.dataclass(eq=False)
class Packet:
    time: int  # nanoseconds since 1970
    data: bytes
    length: int  # on the wire
    interface: int = 0
    way: tuple[int, bool] = (0, False)  # as SLL2 has it: number of the interface, and whether the packet went out
    original: Packet | None = None  # in the whole view: what this one is a copy of

    def __post_init__(self) -> None:
        # Where the headers begin; 0: there is none.
        self.ip = self.bth = 0
        self.source = self.destination = b""
        self.port = 0
        kind, at = self.data[12:14], 14
        if kind == b"\x81\x00":
            kind, at = self.data[16:18], 18
        if kind == b"\x08\x00" and len(self.data) >= at + 28:
            self.ip, self.source, self.destination = at, self.data[at + 12:at + 16], self.data[at + 16:at + 20]
            transport = at + 4 * (self.data[at] & 15)
            is_fragment = int.from_bytes(self.data[at + 6:at + 8], "big") & 0x3FFF
            protocol = 0 if is_fragment else self.data[at + 9]
        elif kind == b"\x86\xdd" and len(self.data) >= at + 48:
            self.ip, self.source, self.destination = at, self.data[at + 8:at + 24], self.data[at + 24:at + 40]
            transport = at + 40
            protocol = self.data[at + 6]
        else:
            return
        if protocol == 17:
            self.port = int.from_bytes(self.data[transport + 2:transport + 4], "big")
            if self.port == ROCE_PORT and len(self.data) >= transport + 20:
                self.bth = transport + 8

    whole = property(lambda self: self.original or self)  # as it was captured
    opcode = property(lambda self: self.data[self.bth] if self.bth else -1)
    queue_pair = property(lambda self: int.from_bytes(self.data[self.bth + 5:self.bth + 8], "big") if self.bth else -1)
    psn = property(lambda self: int.from_bytes(self.data[self.bth + 9:self.bth + 12], "big"))
    flow = property(lambda self: (self.source, self.destination, self.queue_pair))
    is_setup = property(lambda self: not self.bth or self.queue_pair == MANAGEMENT_QUEUE_PAIR)
    is_request = property(lambda self: self.bth > 0 and not self.is_setup and self.opcode in REQUESTS)
    is_response = property(lambda self: self.bth > 0 and self.opcode in RESPONSES)
    syndrome = property(lambda self: self.data[self.bth + 12])
    is_marked = property(lambda self: self.bth > 0 and self.traffic_class & 3 == 3)
    identification = property(lambda self: int.from_bytes(self.data[self.ip + 4:self.ip + 6], "big"))  # of IPv4
    read_length = property(lambda self: int.from_bytes(self.data[self.bth + 24:self.bth + 28], "big"))

    @property
    def traffic_class(self) -> int:
        return self.data[self.ip + 1] if len(self.source) == 4 else int.from_bytes(self.data[self.ip:self.ip + 2], "big") >> 4 & 255

    def icrc(self) -> bytes:
        """The invariant CRC that it should have."""
        return icrc_of(self.data[self.ip:-4], self.bth - 8 - self.ip)

    def is_damaged(self) -> bool:
        return self.bth > 0 and self.icrc() != self.data[-4:]

    def changed(self, **changes) -> Packet:
        packet = object.__new__(Packet)  # much quicker than dataclasses.replace(), and of most packets only the time changes
        vars(packet).update(vars(self), original=self.whole)
        vars(packet).update(changes)
        if "data" in changes:
            packet.__post_init__()
        return packet

    def with_bytes(self, changes: dict[int, bytes]) -> Packet:
        """With other bytes at these places, and the ICRC of that, where it had a right one."""
        data = bytearray(self.data)
        for at, new in changes.items():
            data[at:at + len(new)] = new
        packet = self.changed(data=bytes(data))
        return packet if self.is_damaged() else packet.changed(data=packet.data[:-4] + packet.icrc())

    def without_identification(self) -> Packet:
        """As a sender sends it that gives all its IPv4 packets the identification 0."""
        if not self.bth or len(self.source) != 4:
            return self
        words = struct.unpack_from(">10H", self.data, self.ip)
        total = sum(words) - words[2] - words[5]
        total = (total & 0xFFFF) + (total >> 16)
        checksum = 0xFFFF - ((total & 0xFFFF) + (total >> 16))
        return self.with_bytes({self.ip + 4: b"\0\0", self.ip + 10: struct.pack(">H", checksum)})

    def shifted(self, at: int, shift: int) -> dict[int, bytes]:
        """The PSN at a place, and so many PSNs on."""
        return {at: ((int.from_bytes(self.data[at:at + 3], "big") + shift) % (1 << 24)).to_bytes(3, "big")}

    def of_other_run(self, run: int, shift: int) -> Packet:
        """The same packet of a later run: with other PSNs, and with other numbers of its handshake."""
        if self.ip and not self.bth and self.data[self.ip + 9] == TCP and len(self.source) == 4:
            return self._of_other_exchange(run, run * shift)
        if run == 0 or not self.bth or self.opcode == CNP:
            return self
        if self.queue_pair != MANAGEMENT_QUEUE_PAIR:
            changes = self.shifted(self.bth + 9, run * shift)
            message = self.data[self.bth + 20:]
            if message.startswith(RDMAGEN_EXCHANGE) and message[5] in QP_CREATE:
                changes |= self.shifted(self.bth + 20 + 17, run * shift)
            return self.with_bytes(changes) if shift else self
        mad = self.bth + 20
        attribute = int.from_bytes(self.data[mad + 16:mad + 18], "big")
        changes = {mad + 12: bytes([self.data[mad + 12] ^ run])}  # the transaction
        for place in (24, 28) if attribute in CM_PAIRS_OF_IDS else (24,):
            if any(self.data[mad + place:mad + place + 4]):
                changes[mad + place] = bytes([self.data[mad + place] ^ run])
        if attribute in CM_STARTING_PSN:
            changes |= self.shifted(mad + 24 + CM_STARTING_PSN[attribute], run * shift)
        return self.with_bytes(changes)

    def _of_other_exchange(self, run: int, shift: int) -> Packet:
        """A segment in which perftest or a ping-pong of libibverbs names its queue pair and its first PSN."""
        def shifted(exchange: re.Match) -> bytes:
            return exchange[1] + b"%06x" % ((int(exchange[2], 16) + shift) % (1 << 24))
        at = self.ip + 20
        ports = b"".join(struct.pack(">H", port + run if port >= EPHEMERAL else port)
                         for port in struct.unpack_from(">HH", self.data, at))
        return self.changed(data=self.data[:at] + ports + EXCHANGE.sub(shifted, self.data[at + 4:]))


def read_pcap(content: bytes) -> list[Packet]:
    tick = PCAP_TICKS[struct.unpack_from("<I", content)[0]]
    link_type = struct.unpack_from("<I", content, 20)[0]
    packets, at = [], 24
    while at < len(content):
        seconds, fraction, captured, length = struct.unpack_from("<IIII", content, at)
        data = content[at + 16:at + 16 + captured]
        way = (0, False)
        if link_type == LINKTYPE_LINUX_SLL2:
            way = struct.unpack_from(">I", data, 4)[0], data[10] == OUTGOING
            data = ETHERNET_ADDRESSES + data[:2] + data[SLL2_HEADER:]
        packets.append(Packet(seconds * 10**9 + fraction * tick, data, length + len(data) - captured, way=way))
        at += 16 + captured
    return packets


def _resolution(options: bytes) -> int:
    """Nanoseconds a tick."""
    at = 0
    while at + 4 <= len(options):
        code, length = struct.unpack_from("<HH", options, at)
        if code == 9:
            return 10 ** (9 - options[at + 4])
        at += 4 + length + -length % 4
    return 1000


def read_pcapng(content: bytes) -> list[Packet]:
    packets, ticks, at = [], [], 0
    while at < len(content):
        kind, size = struct.unpack_from("<II", content, at)
        if kind == INTERFACE:
            ticks.append(_resolution(content[at + 16:at + size - 4]))
        elif kind == ENHANCED_PACKET:
            interface, high, low, captured, length = struct.unpack_from("<IIIII", content, at + 8)
            packets.append(Packet((high << 32 | low) * ticks[interface], content[at + 28:at + 28 + captured], length))
        at += size
    return packets


def read(path: pathlib.Path) -> list[Packet]:
    content = path.read_bytes()
    if path.suffix == ".gz":
        return read_pcap(gzip.decompress(content))
    return read_pcapng(content) if content.startswith(struct.pack("<I", SECTION_HEADER)) else read_pcap(content)


def _block(kind: int, body: bytes) -> bytes:
    return struct.pack("<II", kind, len(body) + 12) + body + struct.pack("<I", len(body) + 12)


def write(path: pathlib.Path, packets: list[Packet], digits: int = 9) -> None:
    """A pcapng file whose time stamps have so many decimal digits."""
    tick = 10 ** (9 - digits)
    parts = [_block(SECTION_HEADER, struct.pack("<IHHq", 0x1A2B3C4D, 1, 0, -1))]
    for number in range(1 + max((packet.interface for packet in packets), default=0)):
        name = f"port{number}".encode()
        options = struct.pack("<HH", 2, len(name)) + name + bytes(-len(name) % 4) + struct.pack("<HHB3xHH", 9, 1, digits, 0, 0)
        parts.append(_block(INTERFACE, struct.pack("<HHI", LINKTYPE_ETHERNET, 0, 0) + options))
    head = struct.Struct("<7I")
    for packet in packets:
        time, data = packet.time // tick, packet.data
        padding = -len(data) % 4
        length = head.size + len(data) + padding + 4
        parts += (head.pack(ENHANCED_PACKET, length, packet.interface, time >> 32, time & 0xFFFFFFFF, len(data), packet.length), data,
                  bytes(padding), length.to_bytes(4, "little"))
    path.write_bytes(b"".join(parts))
