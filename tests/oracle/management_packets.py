"""Management datagrams of every class, and every message of the communication manager, with no field left zero."""

import random
import struct
from typing import Iterator

UD_SEND_ONLY = 0x64
Q_KEY = 0x80010000
SUBNET, SUBNET_DIRECTED, ADMINISTRATION, COMMUNICATION = 0x01, 0x81, 0x03, 0x07
SEND, GET, GET_TABLE_RESPONSE = 0x03, 0x01, 0x92
REQ = 0x10
CM_ATTRIBUTES = range(0x10, 0x1D)  # REQ to SPR
# Baseboard, device, SNMP, vendor, application, congestion control, vendor with OUI; IBTA 13.4.4
OTHER_CLASSES = (0x04, 0x05, 0x06, 0x08, 0x09, 0x0F, 0x10, 0x21, 0x30, 0x4F)
BODY_SIZE = 232


def mad(management_class: int, method: int, attribute: int, body: bytes, class_version: int = 1) -> bytes:
    head = struct.pack("!BBBBHHQHHI", 1, management_class, class_version, method, 0x001C, 0x0203, 0x1122334455667788,
                       attribute, 0x0506, 0x0708090A)
    return (head + body).ljust(24 + BODY_SIZE, b"\0")


def bodies() -> Iterator[bytes]:
    yield bytes(range(1, BODY_SIZE + 1))
    yield random.Random(7).randbytes(BODY_SIZE)
    yield b"\xff" * BODY_SIZE


def mapped(last: int) -> bytes:
    return bytes(10) + b"\xff\xff" + bytes([192, 0, 2, last])


def request(local_gid: bytes, remote_gid: bytes, service: int, private: bytes) -> bytes:
    """A REQ on the primary path alone, IBTA 12.6.5."""
    body = bytearray(range(1, BODY_SIZE + 1))
    body[8:16] = struct.pack("!Q", service)
    body[43] = 0xA0  # reliable connection
    body[56:72], body[72:88] = local_gid, remote_gid
    body[140:] = private.ljust(92, b"\x5a")
    return mad(COMMUNICATION, SEND, REQ, bytes(body), 2)


def ip_private_data(version: int, source: bytes, destination: bytes) -> bytes:
    """What the RDMA IP CM service puts before the application's private data, IBTA A11."""
    return struct.pack("!BBH", 0, version << 4, 0x1389) + source.rjust(16, b"\0") + destination.rjust(16, b"\0")


TCP_SERVICE, UDP_SERVICE = 0x0000000001064853, 0x0000000001114853
GIDS_V6 = bytes.fromhex("20010db8000000000000000000000001"), bytes.fromhex("20010db8000000000000000000000002")


def requests() -> Iterator[bytes]:
    addresses = bytes([192, 0, 2, 1]), bytes([192, 0, 2, 2])
    for service in (TCP_SERVICE, UDP_SERVICE):
        yield request(mapped(1), mapped(2), service, ip_private_data(4, *addresses))
        yield request(*GIDS_V6, service, ip_private_data(6, *GIDS_V6))
    yield request(mapped(1), mapped(2), 0x1000000000000001, b"")


def subnet_administration() -> Iterator[bytes]:
    for rmpp_type in range(6):
        rmpp = struct.pack("!BBBBII", 1, rmpp_type, 0xAF, 0x09, 0x01020304, 0x05060708)
        yield mad(ADMINISTRATION, GET_TABLE_RESPONSE, 0x0011, rmpp + bytes(range(13, BODY_SIZE + 1)), 2)


def datagrams() -> Iterator[tuple[int, bytes]]:
    """Destination queue pair and MAD."""
    for body in bodies():
        for attribute in CM_ATTRIBUTES:
            yield 1, mad(COMMUNICATION, SEND, attribute, body, 2)
        for management_class in (SUBNET, SUBNET_DIRECTED):
            yield 0, mad(management_class, GET, 0x0011, body)
        for management_class in OTHER_CLASSES:
            yield 1, mad(management_class, GET, 0x0012, body)
    for datagram in (*requests(), *subnet_administration()):
        yield 1, datagram
