"""Messages of SMC-R and of Lustre over o2iblnd, packet by packet, by RFC 7609 (A.2, A.3) and by Lustre's o2iblnd-idl.h and lnet-idl.h."""
import struct

from capture_file import Frame
from ulp_stream import ADDRESSES, STEP, Stream

from scapy.layers.inet import IP, TCP
from scapy.layers.l2 import Ether
from scapy.packet import Raw

GID = bytes.fromhex("20010db8000000000000000000000001")
MAC = bytes.fromhex("020000000007")


def llc(kind: int, flags: int, body: bytes, reserved: int = 0) -> bytes:
    return (bytes([kind, 44, reserved, flags]) + body).ljust(44, b"\0")


def data_control(number: int, produced: int, consumed: int, flags: int = 0, state: int = 0) -> bytes:
    return struct.pack(">BBHI2xHI2xHIBB18x", 0xFE, 44, number, 0x11223344, 1, produced, 2, consumed, flags, state)


def smc_r() -> Stream:
    """Eight messages show what it is."""
    stream = Stream(0x200)
    for number in range(1, 9):
        stream.send(number % 2, data_control(number, number, 0))
    queue_pair, psn = (0x000123).to_bytes(3, "big"), (0x0A0B0C).to_bytes(3, "big")
    confirm = MAC + GID + queue_pair + bytes([1]) + struct.pack(">IB", 0x01020304, 2)
    stream.send(1, llc(1, 0, confirm))
    stream.send(0, llc(1, 0x80, confirm))
    stream.send(1, llc(2, 0, MAC + bytes(2) + GID + queue_pair + bytes([2, 3]) + psn))
    stream.send(0, llc(2, 0xC0, MAC + bytes(2) + GID + queue_pair + bytes([2, 3]) + psn, 1))
    stream.send(0, llc(6, 0, struct.pack(">BIQ", 1, 0x5566, 0x0000_7F00_1234_0000) + bytes([2]) + struct.pack(">IQ", 0x5567, 0x7F00_0000)))
    stream.send(1, llc(6, 0xB0, struct.pack(">BIQ", 0, 0x5566, 0x0000_7F00_1234_0000)))
    stream.send(0, llc(7, 0, bytes(range(16))))
    stream.send(1, llc(7, 0x80, bytes(range(16))))
    for number in range(1, 5):
        stream.send(number % 2, data_control(number, number * 100, number * 10, 0x80 >> number, 0))
    stream.send(0, llc(9, 0, bytes([2, 0, 0, 0]) + struct.pack(">II", 0x5566, 0x5567)))
    stream.send(0, data_control(5, 0, 0, 0x08, 0xE0))
    stream.send(0, llc(4, 0x60, struct.pack(">BI", 1, 0x00010000)))
    return stream


EYE_CATCHER = bytes.fromhex("e2d4c3d9")  # "SMCR" in EBCDIC
PORTS = (40_000, 5_201)
R_KEYS = (0x000003AB, 0x0000029E)  # of the client and of the server
NO_DEVICE = 0x03030002


def clc(kind: int, flags: int, body: bytes, end: bytes = EYE_CATCHER) -> bytes:
    """RFC 7609, A.1."""
    return EYE_CATCHER + struct.pack(">BHB", kind, 12 + len(body), 0x10 | flags) + body + end


def peer(side: int) -> bytes:
    return bytes.fromhex(f"123402000000000{side + 1}")


def gid(side: int) -> bytes:
    return bytes(10) + b"\xff\xff" + bytes(map(int, ADDRESSES[side].split(".")))


def mac(side: int) -> bytes:
    return bytes.fromhex(f"02000000000{side + 1}")


def proposal(*prefixes: tuple[bytes, int]) -> bytes:
    area = bytes([255, 255, 255, 0, 24, 0, 0, len(prefixes)]) + b"".join(prefix + bytes([bits]) for prefix, bits in prefixes)
    return clc(1, 0, peer(0) + gid(0) + mac(0) + bytes(2) + area)


def queue_pair(stream: Stream, side: int, first_contact: bool = True, mtu: int = 3, end: bytes = EYE_CATCHER) -> bytes:
    """The Confirm of side 0, the Accept of side 1."""
    numbers = struct.pack(">IBIBB", R_KEYS[side], side + 1, 0x11 * (side + 1), 0x20 | mtu, 0)
    address = struct.pack(">QB", 0x7F00_0000_1000 * (side + 1), 0)
    return clc(3 - side, 8 if first_contact else 0,
               peer(side) + gid(side) + mac(side) + stream.queue_pairs[side].to_bytes(3, "big") + numbers + address + stream.psns[side].to_bytes(3, "big"), end)


def decline(side: int, diagnosis: int = NO_DEVICE, out_of_sync: bool = False) -> bytes:
    return clc(4, 8 if out_of_sync else 0, peer(side) + struct.pack(">I", diagnosis) + bytes(4))


def over_tcp(stream: Stream, *segments: tuple[int, bytes]) -> Stream:
    """What each side sends, client 0."""
    sent = [1, 1]
    for side, payload in segments:
        tcp = TCP(sport=PORTS[side], dport=PORTS[1 - side], flags="PA", seq=sent[side], ack=sent[1 - side])
        packet = bytes(Ether(src=f"02:00:00:00:00:0{side + 1}", dst=f"02:00:00:00:00:0{2 - side}") / IP(src=ADDRESSES[side], dst=ADDRESSES[1 - side]) / tcp /
                       Raw(payload))
        stream.frames.append(Frame(packet, len(packet), stream.now // 1_000_000, stream.now % 1_000_000))
        stream.now += STEP
        sent[side] += len(payload)
    return stream


def smc_set_up() -> Stream:
    """All messages of the set-up."""
    stream = Stream(0x200)
    return over_tcp(stream, (0, proposal((GID, 64))), (1, queue_pair(stream, 1)), (0, queue_pair(stream, 0, mtu=5)), (1, decline(1, out_of_sync=True)))


def smc_connection(*segments: tuple[int, bytes]) -> Stream:
    """A WRITE and a message either way between the queue pairs; `segments` are instead of a set-up."""
    stream = Stream(0x200)
    over_tcp(stream, *(segments or ((0, proposal()), (1, queue_pair(stream, 1)), (0, queue_pair(stream, 0, mtu=5)))))
    for side in (0, 1):
        stream.send(side, data_control(1, 1, 0))
    return stream


NIDS = (0x0005_0000_C000_0201, 0x0005_0000_C000_0202)  # o2ib


def lustre_message(side: int, kind: int, body: bytes, credits: int = 0) -> bytes:
    return struct.pack("<IHBBIIQQQQ", 0x0BE91B91, 0x12, kind, credits, 48 + len(body), 0x1234 + kind, NIDS[side], 111, NIDS[1 - side], 222) + body


def lnet(side: int, kind: int, payload: int, body: bytes) -> bytes:
    return struct.pack("<QQIIII", NIDS[1 - side], NIDS[side], 12345, 12346, kind, payload) + body.ljust(40, b"\0")


def rdma(key: int, *fragments: tuple[int, int]) -> bytes:
    return struct.pack("<II", key, len(fragments)) + b"".join(struct.pack("<IQ", size, address) for size, address in fragments)


def put(portal: int, offset: int) -> bytes:
    return struct.pack("<QQQQII", 7, 8, 0x1234_5678, 0x99, portal, offset)


def get(portal: int, offset: int, length: int) -> bytes:
    return struct.pack("<QQQIII", 9, 10, 0x4321, portal, offset, length)


def lustre() -> Stream:
    stream = Stream(0x300)
    parameters = struct.pack("<HHI", 8, 256, 4_096)
    stream.ask(987, lustre_message(0, 0xC0, parameters))
    stream.accept(lustre_message(1, 0xC1, parameters))
    stream.send(0, lustre_message(0, 0xD1, lnet(0, 1, 200, put(28, 0)) + bytes(200), 3))
    stream.send(1, lustre_message(1, 0xD1, lnet(1, 0, 0, struct.pack("<QQQI", 7, 8, 0x1234_5678, 200))))
    stream.send(0, lustre_message(0, 0xD2, lnet(0, 1, 8_192, put(26, 4_096)) + struct.pack("<Q", 0xC00C1E)))
    stream.send(1, lustre_message(1, 0xD4, struct.pack("<QQ", 0xC00C1E, 0xD00D1E) + rdma(0x77, (4_096, 0x1_0000_1000), (4_096, 0x1_0000_3000))))
    stream.send(0, lustre_message(0, 0xD5, struct.pack("<Qi", 0xD00D1E, 8_192)))
    stream.send(0, lustre_message(0, 0xD6, lnet(0, 2, 0, get(9, 64, 4_096)) + struct.pack("<Q", 0xE00E1E) + rdma(0x78, (4_096, 0x2_0000_1000))))
    stream.send(1, lustre_message(1, 0xD7, struct.pack("<Qi", 0xE00E1E, -5)))
    stream.send(1, lustre_message(1, 0xD3, struct.pack("<Qi", 0xC00C1E, -12)))
    stream.send(0, lustre_message(0, 0xD0, b"", 7))
    return stream
