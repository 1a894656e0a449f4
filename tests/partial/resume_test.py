#!/usr/bin/env python3
"""Whether captures that are read one file at a time, each run going on with the state of the one before, give what one run over all files
gives, byte for byte: the JSON document, the text of -v, the CSV files with every message, and the partial result.

Of the captures that come with the project and of those in ROCESCOPE_EXTRA_CAPTURES, cut into two to five files at random frames; of mixtures
of several of them, of synthetic ones and of random streams; as pcap and pcapng, with several interfaces, of two taps; and with conditions.

    resume_test.py PROGRAM SYNTH            some captures
    resume_test.py PROGRAM SYNTH --all      all, each several times, which takes longer; also states with changed bytes
"""
import argparse
import ctypes
import gzip
import os
import pathlib
import random
import resource
import struct
import subprocess
import sys
import tempfile
import zlib

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/views"))
sys.path.insert(0, str(ROOT / "tests/partial"))
import packets  # noqa: E402
import shards_test  # noqa: E402
import streams  # noqa: E402
from shards_test import CAPTURES, LARGEST, LARGEST_OF_ALL, SECOND, SYNTHETIC, TOGETHER, files_of, run  # noqa: E402

CONDITIONS = (["--no-icrc"], ["--from", "+0.0001"], ["--to", "+0.001"], ["--host", "10.0.0.0/8"], ["-Y", "infiniband.bth.opcode != 17"],
              ["--max-connections", "20"], ["--idle-timeout", "1ms"], ["--interval", "1ms", "--cnp-window", "100us"])
REFUSED = (["--connection", "2"], ["--capture-point", "1"], ["-c", "3000"], ["-Y", "rocescope.verdict.retransmission"], ["--jobs", "2"],
           ["--shard", "1/2"], ["--html", "page"], ["--perfetto", "trace"])
GIANT, GIANT_OF_ALL, LARGEST_OF_PCAP = 0x110000, 0x1100000, 0x40000  # bytes
CARRIED = ("nvme_io", "nfs_io-41", "iser_io", "srp_io", "smb_io", "smb_starved", "rnbd_io", "rds", "rsockets", "ucx-sync")  # of each class a state
WINDOW = 100_000_000  # ns: so much the times may go back where captures are cut
PACKET_BLOCKS = (2, 3, 6)
SECTION, INTERFACE = 0x0A0D0D0A, 1
PCAP = {b"\xd4\xc3\xb2\xa1": ("<", 1000), b"\xa1\xb2\xc3\xd4": (">", 1000), b"\x4d\x3c\xb2\xa1": ("<", 1), b"\xa1\xb2\x3c\x4d": (">", 1)}


class Piece:
    """A packet of a file with what stands before it: bytes, and when it was captured; the head of a file that begins with it."""
    def __init__(self, head: bytes, data: bytes, time: int) -> None:
        self.head, self.data, self.time = head, data, time


def pieces_of(path: pathlib.Path) -> tuple[list[Piece], bytes]:
    """And what stands behind the last one."""
    data = path.read_bytes()
    if data[:2] == b"\x1f\x8b":
        data = gzip.decompress(data)
    return pieces_of_pcap(data) if data[:4] in PCAP else pieces_of_pcapng(data)


def pieces_of_pcap(data: bytes) -> tuple[list[Piece], bytes]:
    order, tick = PCAP[data[:4]]
    found, at = [], 24
    while at + 16 <= len(data):
        seconds, parts, size = struct.unpack_from(order + "3I", data, at)
        if at + 16 + size > len(data):
            break
        found.append(Piece(data[:24], data[at:at + 16 + size], seconds * SECOND + parts * tick))
        at += 16 + size
    return found, data[at:]


def pieces_of_pcapng(data: bytes) -> tuple[list[Piece], bytes]:
    found, at, order = [], 0, "<"
    section, pending, ticks = b"", b"", []
    while at + 12 <= len(data):
        kind = struct.unpack_from("<I", data, at)[0]
        if kind == SECTION:
            order = "<" if data[at + 8:at + 12] == b"\x4d\x3c\x2b\x1a" else ">"
        kind, size = struct.unpack_from(order + "2I", data, at)
        block = data[at:at + size]
        if size < 12 or len(block) < size:
            break
        at += size
        if kind == SECTION:
            section, ticks = block, []
        elif kind == INTERFACE:
            section += block
            ticks.append(ticks_of(block, order))
        if kind not in PACKET_BLOCKS:
            pending += block
            continue
        if kind != 6:
            raise ValueError("an old block")
        interface, high, low = struct.unpack_from(order + "3I", block, 8)
        rate, offset = ticks[interface]
        found.append(Piece(section, pending + block, (high << 32 | low) * SECOND // rate + offset * SECOND))
        pending = b""
    return found, pending + data[at:]


def ticks_of(block: bytes, order: str) -> tuple[int, int]:
    """A second, and seconds to be added."""
    at, rate, offset = 16, 1_000_000, 0
    while at + 4 <= len(block) - 4:
        code, size = struct.unpack_from(order + "2H", block, at)
        if code == 0:
            break
        value = block[at + 4:at + 4 + size]
        if code == 9:
            rate = 2 ** (value[0] & 127) if value[0] & 128 else 10 ** value[0]
        if code == 14:
            offset = struct.unpack(order + "q", value)[0]
        at += 4 + (size + 3) // 4 * 4
    return rate, offset


def write(path: pathlib.Path, pieces: list[Piece], rest: bytes, is_first: bool) -> None:
    """What stands before the first piece of a later file is the head of that."""
    head, first = pieces[0].head, pieces[0].data
    is_pcap = head[:4] in PCAP
    if not is_pcap and not is_first:
        order = "<" if head[8:12] == b"\x4d\x3c\x2b\x1a" else ">"
        first = first[-struct.unpack(order + "I", first[-4:])[0]:]
    before = head if is_pcap or not is_first else b""
    path.write_bytes(before + first + b"".join(piece.data for piece in pieces[1:]) + rest)


def giants(piece: Piece, size: int) -> list[Piece]:
    """Frames so large that those before them wait no longer for others: with GIANT bytes, to know where packets are seen; with GIANT_OF_ALL,
    since times may go back. In pcap files no frame is that large, so there are many."""
    ethernet = b"\2\0\0\0\0\1\2\0\0\0\0\2\x88\xb5"
    if piece.head[:4] in PCAP:
        order, _ = PCAP[piece.head[:4]]
        frame = ethernet + bytes(LARGEST_OF_PCAP - len(ethernet))
        one = Piece(piece.head, piece.data[:8] + struct.pack(order + "2I", len(frame), len(frame)) + frame, piece.time)
        return [one] * (GIANT_OF_ALL // len(frame))
    order = "<" if piece.head[8:12] == b"\x4d\x3c\x2b\x1a" else ">"
    block = piece.data[-struct.unpack(order + "I", piece.data[-4:])[0]:]
    frame = ethernet + bytes(size + -len(ethernet) % 4)
    length = 32 + len(frame)
    head = struct.pack(order + "2I", 6, length) + block[8:20] + struct.pack(order + "2I", len(frame), len(frame))
    return [Piece(piece.head, head + frame + struct.pack(order + "I", length), piece.time)]


class Comparison:
    def __init__(self, program: str, folder: pathlib.Path, seed: int, prefixes: bool) -> None:
        self.program, self.folder, self.prefixes = program, folder, prefixes
        self.random = random.Random(seed)
        self.compared, self.cuts = 0, 0
        self.giants = 0.75  # share of captures that get some
        self.nothings = 0.4  # share of captures with a file that has no packet
        self.states: list[tuple[pathlib.Path, pathlib.Path]] = []  # some of them, and what each is resumed with
        self.failed: list[str] = []

    def of(self, name: str, captures: list[pathlib.Path], options: list[str] = [], files: int = 0) -> None:
        """`captures` are of several taps: each is cut at the same times."""
        try:
            taps = [pieces_of(capture) for capture in captures]
        except (ValueError, struct.error, IndexError, KeyError, zlib.error, OSError):
            return
        taps = [tap for tap in taps if tap[0]]
        if not taps or sum(len(tap[0]) for tap in taps) < 2:
            return
        steps = self.cut(taps, files or self.random.randrange(2, 6))
        if len(steps) > 1:
            self.compare(name, steps, options)

    def cut(self, taps: list, count: int) -> list[list[pathlib.Path]]:
        """The files of each step. No step begins before the end of the one before, or not much."""
        for path in self.folder.glob("file-*"):
            path.unlink()
        order = sorted(((piece.time, tap, number) for tap in range(len(taps)) for number, piece in enumerate(taps[tap][0])),
                       key=lambda each: (each[2], each[1]) if len(taps) == 1 else each)
        latest, places = order[0][0], []
        with_giants = self.random.random() < self.giants
        done = [[0] * len(taps)]
        for time, tap, number in order:
            done.append(list(done[-1]))
            done[-1][tap] = max(done[-1][tap], number + 1)
        for place in range(1, len(order)):
            latest = max(latest, order[place - 1][0])
            behind = [taps[tap][0][at].time for tap, at in enumerate(done[place]) if at < len(taps[tap][0])]
            if min(behind) >= latest - (0 if with_giants else WINDOW):
                places.append(place)
        chosen = sorted(self.random.sample(places, min(count - 1, len(places))))
        steps = []
        name = self.random.choice(("file-{step}-{tap}", "file-{tap}.pcap{step}"))  # the second one as tcpdump rotates files
        for step, (begin, end) in enumerate(zip([0] + chosen, chosen + [len(order)])):
            files = []
            for tap, (pieces, rest) in enumerate(taps):
                some = pieces[done[begin][tap]:done[end][tap]]
                if not some:
                    continue
                if with_giants:
                    some[1:1] = giants(some[0], GIANT)
                if with_giants and step < len(chosen) and tap == 0:
                    some += giants(max(some, key=lambda piece: piece.time), GIANT_OF_ALL)
                is_last = done[end][tap] == len(pieces)
                files.append(self.folder / name.format(step=step, tap=tap))
                write(files[-1], some, rest if is_last else b"", done[begin][tap] == 0)
            steps.append(files)
        if self.random.random() < self.nothings:
            nothing = self.folder / "file-nothing"
            nothing.write_bytes(self.random.choice((b"", gzip.compress(b""), taps[0][0][0].head[:20])))
            steps.insert(self.random.randrange(len(steps) + 1), [nothing])
        return steps

    def report(self, words: list) -> dict[str, bytes]:
        """What one run says and writes."""
        csv, partial = self.folder / "csv", self.folder / "partial.rsp"
        partial.unlink(missing_ok=True)
        threads = self.random.choice(("1", "2"))
        made = run([self.program, "analyze", "--json", "--csv", csv, "--partial", partial, "--threads", threads, *words],
                   env=os.environ | {"ROCESCOPE_EXPRESS": self.random.choice(("on", "on", "off"))})
        found = files_of(csv) | {"JSON": made.stdout, "exit": b"%d" % made.returncode}
        if made.returncode not in (0, 1):
            found["error"] = made.stderr
        if partial.exists():
            found["partial result"] = partial.read_bytes()
        return found

    def compare(self, name: str, steps: list[list[pathlib.Path]], options: list[str]) -> None:
        for path in self.folder.glob("state*"):
            path.unlink()
        self.compared += 1
        self.cuts += len(steps) - 1
        sizes = [sum(path.stat().st_size for path in files) for files in steps]
        for number, files in enumerate(steps):
            is_last = number + 1 == len(steps)
            words = list(options)
            if number > 0:
                words += ["--resume", self.folder / f"state{number - 1}"]
            if not is_last:
                words += ["--save-state", self.folder / f"state{number}"]
            is_nothing = number == 0 and files[0].name == "file-nothing"  # alone it is an error, unless others follow
            if is_last or (self.prefixes and not is_nothing):
                found = self.report([*words, *files])
                expected = self.report([*options, *sum(steps[:number + 1], [])])
                differing = [key for key in sorted(found.keys() | expected.keys()) if found.get(key) != expected.get(key)]
                if differing:
                    said = found.get("error", b"").decode().strip()
                    return self.fail(f"{name}, files of {sizes} bytes, step {number + 1}: {', '.join(differing)} {said}")
            else:
                made = run([self.program, "analyze", "--json", *words, *files])
                if made.returncode not in (0, 1):
                    return self.fail(f"{name}, step {number + 1}: {made.stderr.decode().strip()}")
        if len(steps[-1]) == 1 and not options and self.compared % 4 == 0 and sizes[-1] < LARGEST_OF_ALL:
            kept = self.folder / f"kept{len(self.states)}"
            kept.write_bytes((self.folder / f"state{len(steps) - 2}").read_bytes())
            capture = kept.with_suffix(".capture")
            capture.write_bytes(steps[-1][0].read_bytes())
            self.states.append((kept, capture))
        last = [*options, "--resume", self.folder / f"state{len(steps) - 2}", *steps[-1]]
        text = run([self.program, "analyze", "-v", *last])
        if text.stdout != run([self.program, "analyze", "-v", *options, *sum(steps, [])]).stdout:
            self.fail(f"{name}, files of {sizes} bytes: text")

    def fail(self, words: str) -> None:
        print(words, flush=True)
        self.failed.append(words)


class StateBytes:
    """The sections of a state, changed and written with right checksums."""
    START, NAME = 12, 40

    def __init__(self, data: bytes) -> None:
        self.zstd = ctypes.CDLL("libzstd.so.1")
        for name in ("ZSTD_compress", "ZSTD_decompress", "ZSTD_compressBound"):
            getattr(self.zstd, name).restype = ctypes.c_size_t
        self.start, self.blocks, at = data[:self.START], [], self.START
        while at < len(data):
            name = data[at:at + self.NAME]
            sequence, size, stored = struct.unpack_from("<3I", data, at + self.NAME)
            at += self.NAME + 20
            raw = ctypes.create_string_buffer(max(size, 1))
            self.zstd.ZSTD_decompress(raw, ctypes.c_size_t(size), data[at:at + stored], ctypes.c_size_t(stored))
            self.blocks.append((name, sequence, raw.raw[:size]))
            at += stored

    def places(self, section: bytes) -> list[int]:
        return [i for i, (name, _, raw) in enumerate(self.blocks) if name.rstrip(b"\0") == section and raw]

    def with_block(self, number: int, raw: bytes) -> bytes:
        result = bytearray(self.start)
        for i, (name, sequence, before) in enumerate(self.blocks):
            data = raw if i == number else before
            room = self.zstd.ZSTD_compressBound(ctypes.c_size_t(len(data)))
            stored = ctypes.create_string_buffer(room)
            size = self.zstd.ZSTD_compress(stored, ctypes.c_size_t(room), data, ctypes.c_size_t(len(data)), 1)
            head = name + struct.pack("<4I", sequence, len(data), size, zlib.crc32(stored.raw[:size]))
            result += head + struct.pack("<I", zlib.crc32(head)) + stored.raw[:size]
        return bytes(result)


def changed_bytes(dice: random.Random, raw: bytes) -> bytes:
    """In one to three places."""
    data = bytearray(raw)
    for _ in range(dice.choice((1, 1, 1, 2, 3))):
        at = dice.randrange(len(data))
        how = dice.randrange(8)
        if how < 3:
            data[at] = dice.randrange(256)
        elif how == 3:
            data[at] ^= 1 << dice.randrange(8)
        elif how == 4:
            data[at:at + 1] = b"\xff" * dice.randrange(1, 10) + bytes([dice.randrange(128)])
        elif how == 5:
            del data[at:at + dice.randrange(1, 8)]
        elif how == 6:
            data[at:at] = data[at - dice.randrange(1, 64):at]
        else:
            data[at:at + 1] = bytes([dice.choice((0, 1, 2, 127)) | 128, dice.choice((0, 1, 127))])
    return bytes(data)


def hostile(program: str, made: list[tuple[pathlib.Path, pathlib.Path]], folder: pathlib.Path, count: int, dice: random.Random) -> list[str]:
    """States with changed bytes, with the checksums as they were and with right ones: refused, or resumed; nothing else. `made`: states,
    and the files that they are resumed with."""
    found, path = [], folder / "hostile.state"
    refused = resumed = 0
    memory = None if os.environ.get("ROCESCOPE_SANITIZED") else lambda: resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
    for turn in range(count):
        state, capture = made[turn % len(made)]
        good = state.read_bytes()
        if turn % 8 == 0:
            at = dice.randrange(len(good))
            bad = good[:at] + bytes([good[at] ^ dice.randrange(1, 256)]) + good[at + 1:]
            bad = bad if dice.random() < 0.8 else good[:at]
        else:
            whole = StateBytes(good)
            number = dice.choice(whole.places(dice.choice((b"captures",) + (b"analysis",) * 15)))
            bad = whole.with_block(number, changed_bytes(dice, whole.blocks[number][2]))
        path.write_bytes(bad)
        try:
            said = run([program, "analyze", "--json", "--resume", path, capture], timeout=60, preexec_fn=memory)
        except subprocess.TimeoutExpired:
            said = None
        refused += said is not None and said.returncode == 2
        resumed += said is not None and said.returncode in (0, 1)
        must_be_refused = turn % 8 == 0
        if said is None or said.returncode not in (0, 1, 2) or (must_be_refused and said.returncode != 2) or b"ERROR: " in said.stderr:
            kept = pathlib.Path(tempfile.gettempdir()) / f"hostile-{turn}.state"
            kept.write_bytes(bad)
            words = "too long" if said is None else f"{said.returncode} {said.stderr.decode(errors='replace')[:2000]}"
            found.append(f"a state with changed bytes ({kept}, {capture}): {words}")
    print(f"{count} states with changed bytes: {refused} refused, {resumed} resumed")
    return found


def errors(program: str, capture: pathlib.Path, folder: pathlib.Path) -> list[str]:
    """What is refused, and what is said then."""
    found = []
    pieces, rest = pieces_of(capture)
    middle = len(pieces) // 2
    first, second = folder / "first", folder / "second"
    write(first, pieces[:middle] + giants(pieces[middle - 1], GIANT_OF_ALL), b"", True)
    write(second, pieces[middle:], rest, False)
    state, bare = folder / "good.state", folder / "bare.state"

    def say(words: list, text: str, code: int = 2) -> None:
        said = run([program, "analyze", *words])
        if said.returncode != code or text.encode() not in said.stderr or (code == 2 and said.stdout):
            found.append(f"{[str(word) for word in words]}: not '{text}' but {said.returncode} '{said.stderr.decode().strip()}'")

    say(["-q", "--save-state", state, first], "", 0)
    say(["-q", "--no-messages", "--save-state", bare, first], "", 0)
    say(["--save-state", state, first], "is there already")
    say(["--resume", folder / "none", second], "cannot open")
    say(["--resume", first, second], "is no partial result")
    say(["--resume", state, "--no-icrc", second], "saved with other options")
    say(["--resume", state, "--interval", "1ms", second], "saved with other options")
    say(["--resume", state, first], "it begins before the end of what was read already")
    say(["--resume", bare, "--csv", folder / "csv2", second], "--no-messages")
    say(["--resume", bare, "--save-state", folder / "again", second], "--no-messages")
    say(["--resume", bare, "--partial", folder / "again", second], "--no-messages")
    say(["--resume", state, "-"], "not standard input")
    for words in REFUSED:
        say(["--resume", state, *words, second], "--resume")
        say(["--save-state", folder / "again", *words, first], "--save-state")
    run([program, "analyze", "-q", "--partial", folder / "part.rsp", first])
    say(["--resume", folder / "part.rsp", second], "it is a partial result")
    merged = run([program, "merge", state])
    if merged.returncode != 2 or b"it is a state" not in merged.stderr:
        found.append(f"merge of a state: {merged.stderr.decode().strip()}")
    if (folder / "again").exists():
        found.append("a state was left")
    bare_report = run([program, "analyze", "--json", "--resume", bare, second]).stdout
    if bare_report != run([program, "analyze", "--json", first, second]).stdout:
        found.append("a state without messages gives another report")
    return found


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("synth")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--seed", type=int, default=21)
    parser.add_argument("--only")
    parser.add_argument("--states", type=int, help="so many with changed bytes")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        compare = Comparison(options.program, folder, options.seed, options.all)
        made = folder / "made.pcapng"

        def of(name: str, captures: list[pathlib.Path], *words: list[str], files: int = 0) -> None:
            if options.only and options.only not in name:
                return
            for each in words or ([],):
                compare.of(" ".join([name, *each]), captures, list(each), files)

        extra = os.environ.get("ROCESCOPE_EXTRA_CAPTURES")
        captures = [capture for place in [CAPTURES] + ([pathlib.Path(extra)] if extra else [])
                    for capture in sorted(place.glob("*.pcap*"))
                    if capture.stat().st_size < (LARGEST_OF_ALL if options.all else LARGEST)]
        some = captures[::16] + [CAPTURES / f"{name}.pcapng" for name in CARRIED]
        for capture in captures if options.all else list(dict.fromkeys(some)):
            for _ in range(3 if options.all else 1):
                of(capture.name, [capture])
        groups = [[CAPTURES / name for name in names if (CAPTURES / name).exists()] for names in TOGETHER]
        if options.all:
            readable = [capture for capture in captures if run([options.program, "analyze", "-q", capture]).returncode == 0]
            groups += [compare.random.sample(readable, 4) for _ in range(30)]
        for group in groups if options.all else groups[:2]:
            try:
                packets.write(made, shards_test.together(group, 2))
            except (ValueError, struct.error, IndexError, KeyError):
                continue  # packets.read() knows Ethernet and SLL2 alone
            of("together: " + ", ".join(path.name for path in group), [made], [], *([["--no-icrc"]] if options.all else []))
        for name in shards_test.AGAIN if options.all else shards_test.AGAIN[:1]:
            for shift in (0, 3, 40, 100_000) if options.all else (40,):
                packets.write(made, shards_test.again(CAPTURES / name, shift, False))
                of(f"again: {name}, {shift} PSNs on", [made])
        synthetic = folder / "synthetic.pcap"
        for words in SYNTHETIC if options.all else SYNTHETIC[2:4]:
            run([options.synth, "-o", synthetic, "--packets", "20000" if options.all else "4000", *words], check=True)
            of(" ".join(words), [synthetic], *([[]] * (3 if options.all else 1)))
        run([options.synth, "-o", synthetic, "--packets", "6000", *SYNTHETIC[2]], check=True)
        of("conditions", [synthetic], *(CONDITIONS if options.all else CONDITIONS[3:7:3]), files=3)
        whole = packets.read(synthetic)
        # Two taps, of which the second one sees most packets a little later; and two interfaces, of which the second one comes late.
        dice = random.Random(options.seed)
        other = [packet.changed(time=packet.time + 20_000) for packet in whole if dice.random() > 0.01]
        taps = [folder / "tap0.pcapng", folder / "tap1.pcapng"]
        packets.write(taps[0], whole)
        packets.write(taps[1], other)
        of("two taps", taps, *([[]] * (6 if options.all else 1)))
        both = sorted(whole + [packet.changed(interface=1) for packet in other[1_000:]], key=lambda packet: packet.time)
        packets.write(made, both)
        of("two interfaces", [made], *([[]] * (6 if options.all else 1)))
        packets.write(made, sorted(whole + other, key=lambda packet: packet.time))
        of("copies", [made], *([[]] * (12 if options.all else 2)))
        compare.giants = 0.2  # else they are cut only where no time goes back
        packets.write(made, [packet for at in range(0, len(whole), 40) for packet in reversed(whole[at:at + 40])])
        of("times that go back", [made], *([[]] * (6 if options.all else 2)))
        compare.giants = 0.75
        for seed in range(24 if options.all else 1):
            time = 1_700_000_000 * SECOND
            mixed = [shards_test.elsewhere(packet, number, 0) for number in range(5)
                     for packet in streams.random_streams(seed * 5 + number, time)]
            packets.write(made, sorted(mixed, key=lambda packet: packet.time))
            of(f"streams {seed}", [made], [], *([["--no-icrc"]] if options.all else []))
        print(f"{compare.compared} captures compared, with {compare.cuts} cuts; {len(compare.failed)} differ", flush=True)
        said = errors(options.program, synthetic, folder) if not options.only else []
        count = options.states if options.states is not None else 2_000 if options.all else 24
        said += hostile(options.program, compare.states, folder, count, compare.random) if compare.states else []
        for line in said:
            print(line)
        compare.failed += said
    sys.exit(1 if compare.failed or compare.compared == 0 else 0)


if __name__ == "__main__":
    main()
