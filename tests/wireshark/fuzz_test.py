"""fuzz_test.py PLUGIN CORPUS [LIBRARY] [--all]: tshark with the plugin over what the fuzz targets of the library take and found. LIBRARY,
of AddressSanitizer, comes before all others in tshark if the plugin was built with it. With --all it reads more of what was found.

Wireshark's guess that payload is RPC over RDMA is off: it fails an assertion of Wireshark on such frames, without the plugin as well.
"""

import os
import random
import re
import struct
import subprocess
import sys
import unittest
from pathlib import Path

from tshark import CAPTURES, Tshark, skip_without

TESTS = Path(__file__).resolve().parents[1]
sys.path += [str(TESTS / "oracle"), str(TESTS / "views")]
import capture_file  # noqa: E402
import packets  # noqa: E402
import streams  # noqa: E402

TSHARK: Tshark
CORPORA: list[Path] = []
SANITIZER: dict[str, str] = {}
# By the first byte of an input of fuzz_dissect: the link types of pcap.
ETHERNET, RAW, NULL, LOOP, SLL, ERF, INFINIBAND, SLL2, IPV4, IPV6 = 1, 101, 0, 108, 113, 197, 247, 276, 228, 229
LINK_TYPES = (ETHERNET, RAW, NULL, LOOP, SLL, ERF, INFINIBAND, SLL2, IPV4, IPV6)
ETHERNET_HEADER, ERF_HEADER = 14, 18  # with two bytes of pad
# What the other fuzz targets choose frames from.
STREAMS = ("rdmagen_several-cm.pcapng", "rdmagen_several-exchange.pcapng", "pingpong-srq.pcapng", "impaired_out-loss_heavy.pcapng",
           "fault-wrong-rkey.pcapng", "ucmatose.pcapng")
CHOICE = 6  # bytes of an input that choose and change a packet
STATISTICS = ("rocescope,report", "rocescope,connections", "rocescope,findings", "rocescope,srt", "rocescope_verdicts,tree",
              "rocescope_messages,tree", "conv,rocescope", "endpoints,rocescope", "follow,rocescope,hex,1", "expert")
FLOW = "flow,rocescope,standard"  # any flow graph of Wireshark complains of more than 40 addresses

# In front of an IPv4 packet.
HEADERS = {RAW: b"", NULL: b"\2\0\0\0", LOOP: b"\0\0\0\2", SLL: bytes(14) + b"\x08\0", SLL2: b"\x08\0" + bytes(18), IPV4: b""}

MOST_FOUND, MOST_OF_ALL = 5, 100  # of each kind, from all that fuzzing found in this build: of that there is more after each run
IS_ALL = "--all" in sys.argv


def inputs(kind: str) -> list[bytes]:
    folders = [TESTS / "fuzz" / "regressions" / kind, *(CORPORA if kind == "dissect" else [])]
    paths = [path for folder in folders if folder.is_dir() for path in sorted(folder.iterdir())]
    found = sorted(path for folder in CORPORA for path in folder.parent.glob(f"found_{kind}/*"))
    paths += found[::-(-len(found) // (MOST_OF_ALL if IS_ALL else MOST_FOUND)) or 1]
    return [path.read_bytes() for path in paths]


def erf(kind: int, body: bytes) -> tuple[int, bytes]:
    return ERF, bytes(8) + struct.pack(">BBHHH", kind, 4, ERF_HEADER + len(body), 0, len(body)) + bytes(2) + body


def has_erf_headers(data: bytes) -> bool:
    """With all extension headers that it announces."""
    at, length = 8, ERF_HEADER
    while len(data) >= length and data[at] & 0x80:
        at, length = (16 if at == 8 else at + 8), length + 8
    return len(data) >= length


def on_other_links(frame: bytes) -> list[tuple[int, bytes]]:
    """The packet of an Ethernet frame, and what it would be as another."""
    ethernet, infiniband = 2, 21
    packet = frame[ETHERNET_HEADER:]
    found = [erf(ethernet, frame), erf(infiniband, packet), (IPV6, packet)]
    if frame[12:ETHERNET_HEADER] == b"\x08\0":
        found += [(link_type, header + packet) for link_type, header in HEADERS.items()]
    return found


class Recording:
    """Frames in the order of a capture, some microseconds after each other."""

    def __init__(self, seed: int):
        self.dice = random.Random(seed)
        self.frames: dict[int, list[capture_file.Frame]] = {}  # by link type
        self.now = 1_700_000_000_000_000

    def add(self, data: bytes, link_type: int = ETHERNET, cut: int = 0) -> None:
        captured = data[:len(data) - cut]
        if link_type == INFINIBAND or link_type == ERF and not has_erf_headers(captured):
            return  # tshark takes no file with it
        self.now += self.dice.choice((0, 1, 50, 100_000, -40))
        seconds, fraction = divmod(self.now, 1_000_000)
        frame = capture_file.Frame(captured, len(data), seconds, fraction)
        self.frames.setdefault(link_type, []).append(frame)

    def changed(self, data: bytes) -> bytes:
        changed = bytearray(data)
        for _ in range(self.dice.choice((1, 2, 8))):
            if changed:
                changed[self.dice.randrange(len(changed))] = self.dice.choice((0, 255, self.dice.randrange(256)))
        return bytes(changed)

    def save(self, name: str) -> Path:
        parts = []
        for link_type, frames in self.frames.items():
            parts.append(TSHARK.folder / f"{name}{link_type}.pcap")
            capture_file.write_pcap(parts[-1], link_type, frames)
        path = TSHARK.folder / f"{name}.pcapng"
        subprocess.run(["mergecap", "-F", "pcapng", "-w", path, *parts], check=True, capture_output=True)
        path.chmod(0o644)
        return path


class FuzzTest(unittest.TestCase):
    def survives(self, capture: Path, *more: str) -> None:
        statistics = [word for name in (*STATISTICS, *more) for word in ("-z", name)]
        for words in (["-2", "-V", *statistics], ["-o", "rocescope.decode:TRUE", "-V", *statistics],
                      ["-2", "-R", "frame.number % 3 != 0", "-o", "rocescope.decode:TRUE", "-T", "fields", "-e", "rocescope.note"]):
            result = TSHARK.run("-n", "--disable-heuristic", "rpcrdma_infiniband", *words, "-r", capture, environment=SANITIZER,
                                errors="replace")
            self.assertEqual((result.returncode, result.stderr[-4000:]), (0, ""), (capture.name, words))
            if "-V" in words:
                has_report = re.search(r"^capture: [0-9,]+ packets", result.stdout, re.MULTILINE)
                self.assertTrue(has_report, result.stdout[-4000:])

    def test_frames(self):
        """As they are, cut and changed."""
        recording = Recording(1)
        for data in inputs("dissect"):
            if not data:
                continue
            first, frame = LINK_TYPES[data[0] % len(LINK_TYPES)], data[1:]
            for link_type, each in [(first, frame), *(on_other_links(frame) if first == ETHERNET else [])]:
                recording.add(each, link_type)
                header = ERF_HEADER if link_type == ERF else 0
                for _ in range(4):
                    recording.add(each, link_type, cut=recording.dice.randrange(max(1, len(each) - header)))
                    recording.add(each[:header] + recording.changed(each[header:]), link_type)
        self.survives(recording.save("frames"))

    def test_connections(self):
        """Frames of captures in an order that an input of fuzz_express chooses, cut, with other opcodes and PSNs."""
        captured = [packet for name in STREAMS for packet in packets.read(CAPTURES / name)]
        recording = Recording(2)
        for kind in ("evict", "express", "ladder", "messages", "track"):
            for data in inputs(kind):
                for at in range(1, len(data) - CHOICE + 1, CHOICE):
                    choice = data[at:at + CHOICE]
                    chosen = captured[int.from_bytes(choice[:2], "big") % len(captured)]
                    frame = bytearray(chosen.data)
                    if chosen.bth and choice[2] != 0xFF:
                        frame[chosen.bth] = choice[2]
                    if chosen.bth and choice[3] != 0x80:
                        frame[chosen.bth + 11] = (frame[chosen.bth + 11] + choice[3]) % 256
                    recording.add(bytes(frame), cut=choice[4] % len(frame) if choice[4] & 1 else 0)
        for packet in captured:
            recording.add(recording.changed(packet.data) if recording.dice.random() < 0.3 else packet.data)
        self.survives(recording.save("connections"), FLOW)

    def test_random_streams(self):
        recording = Recording(3)
        for seed in range(2 if IS_ALL else 1):
            for packet in streams.random_streams(seed, 0):
                recording.add(packet.data)
        self.survives(recording.save("streams"), FLOW)


def main() -> None:
    global TSHARK
    sys.argv = [word for word in sys.argv if word != "--all"]
    plugin = Path(sys.argv.pop(1))
    CORPORA.append(Path(sys.argv.pop(1)))
    if len(sys.argv) > 1 and not sys.argv[1].startswith("-"):
        # What Wireshark itself does not free is not our business.
        SANITIZER.update(LD_PRELOAD=sys.argv.pop(1), ASAN_OPTIONS="detect_leaks=0:" + os.environ.get("ASAN_OPTIONS", ""))
    skip_without(plugin, "mergecap")
    TSHARK = Tshark(plugin)
    unittest.main()


if __name__ == "__main__":
    main()
