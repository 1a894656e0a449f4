"""A connection between two queue pairs, packet by packet: of protocols that no kernel of Debian runs. scapy does the ICRC."""
import struct

import management_packets
from capture_file import Frame

from scapy.contrib.roce import BTH
from scapy.layers.inet import IP, UDP
from scapy.layers.l2 import Ether
from scapy.packet import Raw

MTU = 1024
ADDRESSES = ("192.0.2.1", "192.0.2.2")
REQ, REJ, REP, RTU, DREQ, DREP = 0x10, 0x12, 0x13, 0x14, 0x15, 0x16
SEND, WRITE, READ_REQUEST, READ_RESPONSE, ACK, UD_SEND = 0x00, 0x06, 0x0C, 0x0D, 0x11, 0x64
FIRST, MIDDLE, LAST, ONLY, ONLY_INVALIDATES, LAST_INVALIDATES = 0, 1, 2, 4, 0x17, 0x16
STEP = 10  # microseconds between two packets


def aeth(messages: int) -> bytes:
    return struct.pack("!I", 0x1F << 24 | messages)


class Stream:
    """Side 0 connects. Every message is acknowledged at once."""

    def __init__(self, queue_pair: int = 0x100):
        self.queue_pairs = (queue_pair, queue_pair + 1)
        self.psns = [1000, 5000]  # of the next request of each side
        self.frames: list[Frame] = []
        self.now = 1_700_000_000 * 1_000_000

    def wait(self, microseconds: int) -> None:
        self.now += microseconds

    def add(self, side: int, opcode: int, psn: int, rest: bytes, queue_pair: int | None = None, ack: bool = False) -> None:
        pad = -len(rest) % 4
        bth = BTH(opcode=opcode, dqpn=self.queue_pairs[1 - side] if queue_pair is None else queue_pair, psn=psn & 0xFFFFFF, padcount=pad, version=0,
                  pkey=0xFFFF, ackreq=ack)
        packet = bytes(Ether(src=f"02:00:00:00:00:0{side + 1}", dst=f"02:00:00:00:00:0{2 - side}") /
                       IP(src=ADDRESSES[side], dst=ADDRESSES[1 - side], flags="DF", id=0) / UDP(sport=49152 + side, dport=4791, chksum=0) / bth /
                       Raw(rest + bytes(pad)))
        self.frames.append(Frame(packet, len(packet), self.now // 1_000_000, self.now % 1_000_000))
        self.now += STEP

    def acknowledge(self, side: int, psn: int) -> None:
        self.add(side, ACK, psn, aeth(psn & 0xFFF))

    def request(self, side: int, kind: int, head: bytes, payload: bytes, acknowledged: bool = True, invalidates: int | None = None,
                immediate: int | None = None) -> None:
        """SEND or WRITE. `head` stands in its first packet."""
        parts = [payload[at:at + MTU] for at in range(0, len(payload), MTU)] or [b""]
        for number, part in enumerate(parts):
            is_last = number + 1 == len(parts)
            place = ONLY if len(parts) == 1 else FIRST if number == 0 else LAST if is_last else MIDDLE
            opcode, before = kind + place, head if number == 0 else b""
            if invalidates is not None and is_last:
                opcode, before = ONLY_INVALIDATES if place == ONLY else LAST_INVALIDATES, struct.pack("!I", invalidates)
            if immediate is not None and is_last:
                opcode, before = opcode + 1, before + struct.pack("!I", immediate)
            self.add(side, opcode, self.psns[side], before + part, ack=is_last)
            self.psns[side] += 1
        if acknowledged:
            self.acknowledge(1 - side, self.psns[side] - 1)

    def send(self, side: int, payload: bytes, acknowledged: bool = True, invalidates: int | None = None) -> None:
        self.request(side, SEND, b"", payload, acknowledged, invalidates)

    def write(self, side: int, address: int, key: int, payload: bytes) -> None:
        self.request(side, WRITE, struct.pack("!QII", address, key, len(payload)), payload)

    def write_immediate(self, side: int, address: int, key: int, payload: bytes, immediate: int) -> None:
        self.request(side, WRITE, struct.pack("!QII", address, key, len(payload)), payload, immediate=immediate)

    def send_immediate(self, side: int, payload: bytes, immediate: int) -> None:
        self.request(side, SEND, b"", payload, immediate=immediate)

    def read(self, side: int, address: int, key: int, payload: bytes) -> None:
        first = self.psns[side]
        self.add(side, READ_REQUEST, first, struct.pack("!QII", address, key, len(payload)), ack=True)
        parts = [payload[at:at + MTU] for at in range(0, len(payload), MTU)]
        for number, part in enumerate(parts):
            is_last = number + 1 == len(parts)
            place = 3 if len(parts) == 1 else 0 if number == 0 else 2 if is_last else 1
            self.add(1 - side, READ_RESPONSE + place, first + number, (b"" if place == 1 else aeth(first & 0xFFF)) + part)
        self.psns[side] += len(parts)

    def manage(self, side: int, attribute: int, body: bytes, transaction: int) -> None:
        """A message of the CM."""
        mad = bytearray(management_packets.mad(management_packets.COMMUNICATION, management_packets.SEND, attribute, body, 2))
        mad[4:6], mad[8:16] = bytes(2), struct.pack("!Q", transaction)
        self.add(side, UD_SEND, transaction, struct.pack("!II", management_packets.Q_KEY, 1) + bytes(mad), 1)

    def ask(self, port: int, private: bytes = b"", transaction: int = 1) -> None:
        """A REQ for an RC connection to a port of the IP CM service, IBTA 12.6.5 and A11."""
        addresses = [bytes(map(int, address.split("."))) for address in ADDRESSES]
        body = bytearray(232)
        body[0:4] = struct.pack("!I", 0x1000 + transaction)
        body[8:16] = struct.pack("!Q", 0x01060000 + port)
        body[32:35] = self.queue_pairs[0].to_bytes(3, "big")
        body[35], body[39] = 1, 1  # READs at once
        body[43:48] = bytes([0xA0]) + self.psns[1].to_bytes(3, "big") + bytes([0xA7])  # RC; first PSN; retries
        body[48:52] = struct.pack("!HBB", 0xFFFF, 3 << 4 | 7, 0xF0)  # P_Key, MTU 1024, RNR retries
        body[56:72], body[72:88] = management_packets.mapped(addresses[0][3]), management_packets.mapped(addresses[1][3])
        body[93], body[95] = 64, 14 << 3  # hop limit, timeout of ACKs
        body[140:176] = struct.pack("!BBH12x4s12x4s", 0, 4 << 4, 0x1389, *addresses)
        body[176:176 + len(private)] = private
        self.manage(0, REQ, bytes(body), transaction)

    def reject(self, reason: int, transaction: int = 1) -> None:
        body = struct.pack("!II", 0, 0x1000 + transaction) + bytes(2) + struct.pack("!H", reason)
        self.manage(1, REJ, body.ljust(232, b"\0"), transaction)

    def accept(self, private: bytes = b"", transaction: int = 1) -> None:
        body = bytearray(232)
        body[0:8] = struct.pack("!II", 0x2000 + transaction, 0x1000 + transaction)
        body[12:15], body[20:23] = self.queue_pairs[1].to_bytes(3, "big"), self.psns[0].to_bytes(3, "big")
        body[24:28] = bytes([1, 1, 0, 7 << 5])
        body[36:36 + len(private)] = private
        self.manage(1, REP, bytes(body), transaction)
        self.manage(0, RTU, struct.pack("!II", 0x1000 + transaction, 0x2000 + transaction).ljust(232, b"\0"), transaction)

    def disconnect(self, transaction: int = 1) -> None:
        ids = 0x1000 + transaction, 0x2000 + transaction
        self.manage(0, DREQ, (struct.pack("!II", *ids) + self.queue_pairs[1].to_bytes(3, "big")).ljust(232, b"\0"), transaction + 100)
        self.manage(1, DREP, struct.pack("!II", *ids[::-1]).ljust(232, b"\0"), transaction + 100)
