"""Messages of SMC-R and of Lustre over o2iblnd, packet by packet, by RFC 7609 (A.2, A.3) and by Lustre's o2iblnd-idl.h and lnet-idl.h."""
import struct

from ulp_stream import Stream

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
