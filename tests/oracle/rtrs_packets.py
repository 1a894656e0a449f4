"""A connection of RTRS with requests of RNBD, packet by packet, by the structures of Linux (drivers/infiniband/ulp/rtrs/rtrs-pri.h,
drivers/block/rnbd/rnbd-proto.h) and by what its functions do with them. No kernel of Debian has RTRS."""
import struct

from ulp_stream import Stream

DEPTH, MOST_IO, MOST_HEADER = 512, 126_976, 4_096
PLACE_BITS = 28 - 9  # of the 28 bits of the payload the buffer has as many as 511 needs
REQUEST, RESPONSE, RESPONSE_INVALIDATES, HEARTBEAT, HEARTBEAT_ACK = 0, 1, 2, 8, 9
INFO_REQUEST, INFO_RESPONSE, WRITE, READ, R_KEY_RESPONSE = range(5)
OPEN, OPEN_RESPONSE, IO, CLOSE = 2, 3, 4, 5
IO_READ, IO_WRITE, IO_FLUSH, IO_DISCARD = range(4)
SYNC = 1 << 8
SERVER_KEY, SERVER_BUFFERS = 0x7000, 0xFFFF_8880_0000_0000
CLIENT_KEY, CLIENT_MEMORY = 0x1234, 0xFFFF_8881_1234_5000


def immediate(kind: int, payload: int) -> int:
    return kind << 28 | payload & 0x0FFF_FFFF


def rnbd_io(operation: int, device: int, sector: int, size: int, flags: int = 0) -> bytes:
    return struct.pack("<HHIQIIH6x", IO, 0, device, sector, operation | flags, size, 7)


def rnbd_open(path: str) -> bytes:
    return struct.pack("<HHBB255s3x", OPEN, 0, 1, 0, path.encode())


class Rtrs(Stream):
    """Side 0 is the client."""

    def connect(self) -> None:
        session, paths = bytes(range(16)), bytes(range(16, 32))
        self.ask(1234, struct.pack("<2xHHHHH16s16sB11x", 0x1BBD, 0x0200, 0, 2, 0, session, paths, 1))
        self.accept(struct.pack("<HHHHIII36x", 0x1BBD, 0x0200, 0, DEPTH, MOST_IO, MOST_HEADER, 0))
        self.send(0, struct.pack("<H255s15x", INFO_REQUEST, b"a path"))
        buffers = b"".join(struct.pack("<QII", SERVER_BUFFERS + each * 131_072, SERVER_KEY + each, 131_072) for each in range(4))
        self.send(1, struct.pack("<HH4x", INFO_RESPONSE, 4) + buffers)

    def place(self, buffer: int, at: int) -> int:
        return immediate(REQUEST, buffer << PLACE_BITS | at)

    def request_write(self, buffer: int, data: bytes, user: bytes) -> None:
        """rtrs_clt_write_req(): the data, then the user's header, then the message."""
        message = struct.pack("<HH", WRITE, len(user))
        self.write_immediate(0, SERVER_BUFFERS + buffer * 131_072, SERVER_KEY + buffer, data + user + message, self.place(buffer, len(data) + len(user)))

    def request_read(self, buffer: int, size: int, user: bytes) -> None:
        """rtrs_clt_read_req(): behind the room for the data."""
        message = struct.pack("<HHHHQII", READ, len(user), 1, 1, CLIENT_MEMORY, CLIENT_KEY + buffer, size)
        self.write_immediate(0, SERVER_BUFFERS + buffer * 131_072 + size, SERVER_KEY + buffer, user + message, self.place(buffer, size + len(user)))

    def data(self, buffer: int, data: bytes) -> None:
        """What the server WRITEs for a read."""
        self.write(1, CLIENT_MEMORY, CLIENT_KEY + buffer, data)

    def respond(self, buffer: int, error: int = 0, invalidates: bool = False, new_key: int | None = None) -> None:
        kind = RESPONSE_INVALIDATES if invalidates else RESPONSE
        value = immediate(kind, error << 19 | buffer)
        if new_key is None:
            self.write_immediate(1, 0, 0, b"", value)
        else:
            self.send_immediate(1, struct.pack("<HHI", R_KEY_RESPONSE, buffer, new_key), value)


def everything() -> Stream:
    stream = Rtrs()
    stream.connect()
    stream.request_read(0, 64, rnbd_open("disk.img"))
    stream.data(0, struct.pack("<HHIQ", OPEN_RESPONSE, 0, 1, 1 << 20).ljust(64, b"\0"))
    stream.respond(0, invalidates=True, new_key=0x7100)
    # At once, and answered in another order.
    stream.request_read(1, 4_096, rnbd_io(IO_READ, 1, 8, 4_096, SYNC))
    stream.request_write(2, bytes(8_192), rnbd_io(IO_WRITE, 1, 1_024, 8_192))
    stream.request_write(511, bytes(1_000), rnbd_io(IO_WRITE, 1, 1 << 33, 1_000))  # its header stands in two packets
    stream.wait(30_000)
    stream.respond(511)
    stream.respond(2, new_key=0x7101)
    stream.data(1, b"d" * 4_096)
    stream.respond(1, invalidates=True)
    stream.request_write(3, b"", rnbd_io(IO_FLUSH, 1, 0, 0))
    stream.respond(3)
    stream.request_read(3, 2_048, rnbd_io(IO_READ, 1, 4_000, 2_048))
    stream.respond(3, error=5)
    stream.write_immediate(0, 0, 0, b"", immediate(HEARTBEAT, 0))
    stream.write_immediate(1, 0, 0, b"", immediate(HEARTBEAT_ACK, 0))
    stream.request_write(4, b"", struct.pack("<HHI", CLOSE, 0, 1))
    stream.respond(4)
    stream.request_read(5, 512, rnbd_io(IO_READ, 1, 16, 512))  # no response comes
    stream.respond(6)  # to what was not seen
    return stream
