"""Makes a capture of what the lab, which has no RoCE NICs, does not send: congested.py NEW. A sender that is marked, notified and slower
then, one that runs out of credits, a port that asks for silence, and TCP beside them."""

import struct
import sys

from scapy.contrib.roce import BTH
from scapy.layers.inet import IP, TCP, UDP
from scapy.layers.l2 import Ether
from scapy.packet import Raw

US, MS = 1_000, 1_000_000
START = 1_700_000_000
SEND_ONLY, ACKNOWLEDGE, CNP = 0x04, 0x11, 0x81
ECT, CE = 2, 3
CREDITS = {0: 0, 1: 1, 2: 2, 3: 3, 4: 4, 6: 5, 8: 6}  # how AETH says that many


def ether(source: int, destination: int) -> Ether:
    return Ether(src=f"02:00:00:00:00:{source:02x}", dst=f"02:00:00:00:00:{destination:02x}")


def network(source: int, destination: int, tos: int) -> Ether:
    return ether(source, destination) / IP(src=f"10.0.0.{source}", dst=f"10.0.0.{destination}", tos=tos)


def roce(source: int, destination: int, opcode: int, psn: int, payload: bytes, ecn: int = ECT, dscp: int = 26) -> bytes:
    queue_pair = 0x100 + destination
    return bytes(network(source, destination, dscp << 2 | ecn) / UDP(sport=0xC000 + source, dport=4791) /
                 BTH(opcode=opcode, dqpn=queue_pair, psn=psn, ackreq=opcode == SEND_ONLY) / Raw(payload))


def acknowledgement(source: int, destination: int, psn: int, msn: int, credits: int | None = None) -> bytes:
    code = 31 if credits is None else CREDITS[credits]
    return roce(source, destination, ACKNOWLEDGE, psn, struct.pack("!I", code << 24 | msn))


def notified():
    """From 1 to 2: 100 us apart at first; marked from 20 ms on and notified at 20.2 ms: half as fast from then on, then faster again."""
    time, psn = 0, 1000
    while time < 60 * MS:
        marked = 20 * MS <= time < 23 * MS and psn % 2 == 0
        yield time, roce(1, 2, SEND_ONLY, psn, bytes(1000), ecn=CE if marked else ECT)
        yield time + 5 * US, acknowledgement(2, 1, psn, psn - 999)
        psn += 1
        time += 100 * US if time < 20.2 * MS or time > 40 * MS else 250 * US
    for time in (20.225 * MS, 21.225 * MS, 22.725 * MS):
        yield time, roce(2, 1, CNP, 0, bytes(16), ecn=0, dscp=48)


def stalled():
    """From 3 to 4: three times its eight credits are used up, and it gets others 6 ms later."""
    time, psn = 0, 5000
    for _ in range(4):
        for left in (8, 6, 4, 3, 2, 1, 0):
            yield time, roce(3, 4, SEND_ONLY, psn, bytes(512))
            yield time + 10 * US, acknowledgement(4, 3, psn, psn - 4999, credits=left)
            psn += 1
            time += 200 * US
        time += 6 * MS
        yield time, acknowledgement(4, 3, psn - 1, psn - 5000, credits=8)
        time += 20 * US


def paused():
    """The port of 5 asks for silence from 30 to 34 ms."""
    pfc = Ether(src="02:00:00:00:00:05", dst="01:80:c2:00:00:01", type=0x8808)
    for time, quanta in (30 * MS, 65535), (31 * MS, 65535), (32 * MS, 65535), (34 * MS, 0):
        yield time, bytes(pfc / Raw(struct.pack("!HH8H", 0x0101, 1 << 3, 0, 0, 0, quanta, 0, 0, 0, 0).ljust(46, b"\0")))


def beside():
    """TCP from 1 to 2."""
    for i in range(100):
        yield 10 * MS + i * 200 * US, bytes(network(1, 2, 0) / TCP(sport=40000, dport=5201, flags="A", seq=i * 1000) / Raw(bytes(1000)))


def main() -> None:
    packets = sorted([*notified(), *stalled(), *paused(), *beside()], key=lambda each: each[0])
    with open(sys.argv[1], "wb") as file:
        file.write(struct.pack("<IHHiIII", 0xA1B23C4D, 2, 4, 0, 0, 65535, 1))  # pcap with nanoseconds, Ethernet
        for time, data in packets:
            file.write(struct.pack("<IIII", START, int(time), len(data), len(data)) + data)


if __name__ == "__main__":
    main()
