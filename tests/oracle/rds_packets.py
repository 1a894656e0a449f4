"""The messages of RDS in a capture, by the structures of Linux (net/rds/rds.h): read here by themselves, from the bytes of its packets."""
import dataclasses
import pathlib
import struct
import subprocess
import tempfile

from capture_file import read_pcap

SEND_FIRST, SEND_MIDDLE, SEND_LAST, SEND_ONLY = 0, 1, 2, 4
HEADER = ">QQIHHBB4xH16s"


@dataclasses.dataclass
class Message:
    frame: int  # that ends it
    source: str
    sequence: int
    ack: int
    length: int
    sport: int
    dport: int
    flags: int
    credit: int
    checksum: int
    extensions: bytes
    data: bytes
    used: int | None = None
    to_use: int | None = None
    offset: int | None = None

    def __post_init__(self):
        rest = self.extensions
        while rest and rest[0]:
            size = {1: 5, 2: 5, 3: 9, 5: 3, 6: 5}[rest[0]]
            if rest[0] == 2:
                self.used = struct.unpack_from(">I", rest, 1)[0]
            if rest[0] == 3:
                self.to_use, self.offset = struct.unpack_from(">II", rest, 1)
            rest = rest[size:]


def of_capture(capture: pathlib.Path) -> list[Message]:
    """Of SENDs of RC over IPv4, each packet once: by the PSN, of which they come in order but for copies."""
    with tempfile.TemporaryDirectory() as folder:
        plain = pathlib.Path(folder) / "plain.pcap"
        subprocess.run(["editcap", "-F", "pcap", capture, plain], check=True)
        frames = read_pcap(plain)[2]
    found, open_messages, next_psn = [], {}, {}
    for number, frame in enumerate(frames, 1):
        data = frame.data
        if len(data) < 58 or data[12:14] != b"\x08\x00" or data[23] != 17 or data[36:38] != struct.pack(">H", 4791):
            continue
        opcode, pad, psn = data[42], data[43] >> 4 & 3, int.from_bytes(data[51:54], "big")
        source = data[26:30]
        if opcode >> 5 != 0 or opcode in (0x0D, 0x0E, 0x0F, 0x10, 0x11):
            continue
        reads = struct.unpack_from(">I", data, 66)[0] if opcode == 0x0C else 0
        if psn != next_psn.setdefault(source, psn):
            continue  # a copy, or one that is sent again
        next_psn[source] = psn + max(1, (reads + 1023) // 1024) & 0xFFFFFF
        if opcode not in (SEND_FIRST, SEND_MIDDLE, SEND_LAST, SEND_ONLY):
            continue
        end = 14 + struct.unpack_from(">H", data, 16)[0] - 4 - pad
        before = b"" if opcode in (SEND_FIRST, SEND_ONLY) else open_messages.pop(source)
        whole = before + data[54:end]
        if opcode in (SEND_FIRST, SEND_MIDDLE):
            open_messages[source] = whole
        else:
            found.append(Message(number, ".".join(map(str, source)), *struct.unpack_from(HEADER, whole), whole[48:]))
    return found
