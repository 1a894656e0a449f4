"""SMB over SMB Direct by MS-SMBD 2.2 and MS-SMB2 2.2, as a client of Linux speaks it: a connection with what each command may meet."""
import struct

from ulp_stream import Stream

NEGOTIATE, SESSION_SETUP, LOGOFF, TREE_CONNECT, TREE_DISCONNECT, CREATE, CLOSE, FLUSH, READ, WRITE = range(10)
LOCK, IOCTL, CANCEL, ECHO, QUERY_DIRECTORY, CHANGE_NOTIFY, QUERY_INFO, SET_INFO, OPLOCK_BREAK = range(10, 19)
RESPONSE, ASYNC, RELATED, SIGNED = 1, 2, 4, 8
PENDING, MORE_PROCESSING, NO_SUCH_NAME, DISK_FULL, CANCELLED = 0x103, 0xC0000016, 0xC0000034, 0xC000007F, 0xC0000120
BAD_SHARE, END_OF_FILE = 0xC00000CC, 0xC0000011
FILE_ID = bytes.fromhex("0102030405060708090a0b0c0d0e0f10")
SESSION, TREE = 0x1122334455667788, 0x00000005
KEY, ADDRESS = 0x00001234, 0x00007F0000010000
RECEIVE_SIZE = 1364  # what Linux offers for a SEND
CLIENT, SERVER = 0, 1
INVALID_SERVICE = 8


def data(body: bytes, remaining: int = 0, requested: int = 255, granted: int = 1, flags: int = 0) -> bytes:
    """A data transfer message."""
    offset = 24 if body else 0
    head = struct.pack("<HHHHIII", requested, granted, flags, 0, remaining, offset, len(body))
    return head + (bytes(4) + body if body else b"")


def header(command: int, message: int, status: int = 0, flags: int = 0, charge: int = 1, credits: int = 33, behind: int = 0, tree: int = TREE,
           asynchronous: int = 0x0102030405060708) -> bytes:
    ids = struct.pack("<Q", asynchronous) if flags & ASYNC else struct.pack("<II", 0xFEFF, tree)
    return (b"\xfeSMB" + struct.pack("<HHIHHIIQ", 64, charge, status, command, credits, flags, behind, message) + ids +
            struct.pack("<Q", SESSION) + bytes(range(16)))


def descriptors(*entries: tuple[int, int, int]) -> bytes:
    return b"".join(struct.pack("<QII", *entry) for entry in entries)


def read(message: int, offset: int, length: int, *entries: tuple[int, int, int]) -> bytes:
    where = (2 if entries else 0, 0, 112 if entries else 0, 16 * len(entries))
    return header(READ, message) + struct.pack("<HBBIQ16sIIIHH", 49, 0x50, 0, length, offset, FILE_ID, 0, *where) + (descriptors(*entries) or b"\0")


def write(message: int, offset: int, body: bytes, length: int = 0, *entries: tuple[int, int, int]) -> bytes:
    where = (2 if entries else 0, length if entries else 0, 112 if entries else 0, 16 * len(entries), 0)
    return header(WRITE, message) + struct.pack("<HHIQ16sIIHHI", 49, 0 if entries else 112, len(body), offset, FILE_ID, *where) + (
        descriptors(*entries) or body)


def create(message: int, name: str, **options) -> bytes:
    text = name.encode("utf-16-le")
    fixed = struct.pack("<HBBIQQIIIIIHHII", 57, 0, 0, 2, 0, 0, 0x0012019F, 0x80, 7, 1, 0x40, 120, len(text), 0, 0)
    return header(CREATE, message, **options) + fixed + text


def tree_connect(message: int, share: str) -> bytes:
    text = share.encode("utf-16-le")
    return header(TREE_CONNECT, message, tree=0) + struct.pack("<HHHH", 9, 0, 72, len(text)) + text


def answer(command: int, message: int, body: bytes = b"", status: int = 0, **options) -> bytes:
    flags = RESPONSE | options.pop("flags", 0)
    return header(command, message, status=status, flags=flags, **options) + (body or struct.pack("<HHI", 9, 0, 0))


def read_answer(message: int, body: bytes, by_rdma: int = 0) -> bytes:
    return answer(READ, message, struct.pack("<HBBIII", 17, 80 if body else 0, 0, len(body), by_rdma, 0) + body)


def write_answer(message: int, count: int) -> bytes:
    return answer(WRITE, message, struct.pack("<HHIIHH", 17, 0, count, 0, 0, 0))


def encrypted(size: int, nonce: int) -> bytes:
    return b"\xfdSMB" + bytes(range(16)) + struct.pack("<QQ", nonce, 0) + struct.pack("<IHHQ", size, 0, 1, SESSION) + bytes(
        (7 * at + nonce) % 256 for at in range(size))


class Smb(Stream):
    """With the fragments that Linux makes of a message."""

    def say(self, side: int, message: bytes, invalidates: int | None = None) -> None:
        room = RECEIVE_SIZE - 24
        parts = [message[at:at + room] for at in range(0, len(message), room)]
        left = len(message)
        for part in parts:
            left -= len(part)
            self.send(side, data(part, left), invalidates=invalidates if left == 0 else None)

    def exchange(self, request: bytes, response: bytes, microseconds: int = 100) -> None:
        self.say(CLIENT, request)
        self.wait(microseconds)
        self.say(SERVER, response)

    def begin(self) -> None:
        self.send(CLIENT, struct.pack("<HHHHIII", 0x0100, 0x0100, 0, 255, RECEIVE_SIZE, 8192, 1 << 20))
        self.send(SERVER, struct.pack("<HHHHHHIIIII", 0x0100, 0x0100, 0x0100, 0, 255, 255, 0, 1 << 23, RECEIVE_SIZE, 8192, 1 << 20))
        self.exchange(header(NEGOTIATE, 0, tree=0) + struct.pack("<HHHHI16sIHHH", 36, 1, 1, 0, 0x7F, bytes(16), 112, 0, 0, 0x0311),
                      answer(NEGOTIATE, 0, struct.pack("<HHHH", 65, 1, 0x0311, 0).ljust(64, b"\0"), tree=0))


def everything(with_handshake: bool = True) -> Smb:
    stream = Smb()
    if with_handshake:
        stream.ask(5445)
        stream.reject(INVALID_SERVICE)
        stream.ask(445, transaction=2)
        stream.accept(transaction=2)
    stream.begin()
    setup = struct.pack("<HBBIIHHQ", 25, 0, 1, 1, 0, 88, 8, 0) + bytes(8)
    stream.exchange(header(SESSION_SETUP, 1, tree=0) + setup, answer(SESSION_SETUP, 1, status=MORE_PROCESSING, tree=0))
    stream.exchange(header(SESSION_SETUP, 2, tree=0) + setup, answer(SESSION_SETUP, 2, tree=0))
    stream.exchange(tree_connect(3, "\\\\server\\nothing"), answer(TREE_CONNECT, 3, status=BAD_SHARE, tree=0))
    stream.exchange(tree_connect(4, "\\\\server\\share"), answer(TREE_CONNECT, 4, struct.pack("<HBBIII", 16, 1, 0, 0, 0, 0x1F01FF)))
    stream.exchange(create(5, "missing.bin"), answer(CREATE, 5, status=NO_SUCH_NAME))
    stream.exchange(create(6, "Gr\u00f6\u00dfe.bin"), answer(CREATE, 6, struct.pack("<H", 89).ljust(88, b"\0")))
    # By RDMA, into two pieces of memory.
    stream.say(CLIENT, read(7, 0, 6144, (ADDRESS, KEY, 4096), (ADDRESS + 0x10000, KEY + 1, 2048)))
    stream.wait(300)
    stream.write(SERVER, ADDRESS, KEY, bytes(4096))
    stream.write(SERVER, ADDRESS + 0x10000, KEY + 1, bytes(2048))
    stream.say(SERVER, read_answer(7, b"", 6144), invalidates=KEY)
    stream.say(CLIENT, write(8, 65536, b"", 8192, (ADDRESS + 0x20000, KEY + 2, 8192)))
    stream.read(SERVER, ADDRESS + 0x20000, KEY + 2, bytes(8192))
    stream.wait(30_000)
    stream.say(SERVER, write_answer(8, 8192), invalidates=KEY + 2)
    # In fragments.
    stream.exchange(read(9, 4096, 3000), read_answer(9, bytes(at % 251 for at in range(3000))))
    stream.exchange(write(10, 8192, bytes(at % 241 for at in range(2900))), write_answer(10, 2900))
    stream.exchange(write(11, 16384, bytes(512)), answer(WRITE, 11, status=DISK_FULL))
    stream.exchange(read(12, 1 << 30, 512), answer(READ, 12, status=END_OF_FILE))
    # Three commands in one message, answered in one.
    related = SIGNED | RELATED
    chain = create(13, "other.bin", behind=0).ljust(144, b"\0")
    chain = chain[:20] + struct.pack("<I", 144) + chain[24:]
    query = (header(QUERY_INFO, 14, flags=related, behind=112) + struct.pack("<HBBIHHIII16s", 41, 1, 18, 1024, 0, 0, 0, 0, 0, b"\xff" * 16)).ljust(112, b"\0")
    close = header(CLOSE, 15, flags=related) + struct.pack("<HHI16s", 24, 0, 0, b"\xff" * 16)
    answers = (answer(CREATE, 13, struct.pack("<H", 89).ljust(88, b"\0"), behind=152) +
               answer(QUERY_INFO, 14, struct.pack("<HHI", 9, 72, 100) + bytes(104), flags=RELATED, behind=176) +
               answer(CLOSE, 15, struct.pack("<H", 60).ljust(60, b"\0"), flags=RELATED))
    stream.exchange(chain + query + close, answers)
    # A command that waits, and that the client takes back.
    stream.exchange(header(CHANGE_NOTIFY, 16) + struct.pack("<HHI16sII", 32, 0, 256, FILE_ID, 0x17, 0), answer(CHANGE_NOTIFY, 16, status=PENDING, flags=ASYNC))
    stream.say(CLIENT, header(CANCEL, 16, flags=ASYNC, charge=0, credits=0) + struct.pack("<HH", 4, 0))
    stream.say(SERVER, answer(CHANGE_NOTIFY, 16, status=CANCELLED, flags=ASYNC, credits=0))
    stream.say(SERVER, answer(OPLOCK_BREAK, (1 << 64) - 1, struct.pack("<HBBI16s", 24, 1, 0, 0, FILE_ID), credits=0, charge=0))
    stream.exchange(header(OPLOCK_BREAK, 17) + struct.pack("<HBBI16s", 24, 1, 0, 0, FILE_ID), answer(OPLOCK_BREAK, 17, struct.pack("<HBBI16s", 24, 1, 0, 0, FILE_ID)))
    stream.send(SERVER, data(b"", granted=20))
    stream.exchange(header(ECHO, 18) + struct.pack("<HH", 4, 0), answer(ECHO, 18, struct.pack("<HH", 4, 0)))
    stream.say(CLIENT, encrypted(104, 1))
    stream.say(SERVER, encrypted(120, 2))
    stream.exchange(header(LOGOFF, 19, tree=0) + struct.pack("<HH", 4, 0), answer(LOGOFF, 19, struct.pack("<HH", 4, 0), tree=0))
    if with_handshake:
        stream.disconnect(2)
    return stream
