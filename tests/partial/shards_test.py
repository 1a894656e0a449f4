#!/usr/bin/env python3
"""Whether shards, merged in any order and tree, give what one analysis gives, byte for byte: the JSON document, the text of -v, and the CSV
files with every message.

Of the captures that come with the project and of those in ROCESCOPE_EXTRA_CAPTURES, as they are and with the packets of several of them
between other hosts at the same time; of synthetic ones with many pairs of hosts; of random streams; and with conditions.

    shards_test.py PROGRAM SYNTH            each into one number of shards, by turns
    shards_test.py PROGRAM SYNTH --all      into each of NUMBERS, and more of them, which takes longer
"""
import argparse
import os
import pathlib
import random
import struct
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/views"))
import packets  # noqa: E402
import streams  # noqa: E402

CAPTURES = ROOT / "captures"
NUMBERS = (2, 3, 5)
MICROSECOND, SECOND = 1_000, 1_000_000_000
LARGEST, LARGEST_OF_ALL = 500_000, 4_000_000  # bytes of a capture
SYNTHETIC = (
    ["--qps", "64", "--host-pairs", "16"], ["--qps", "300", "--host-pairs", "7", "--frame-size", "128"],
    ["--qps", "200", "--host-pairs", "40", "--loss", "0.01", "--operations", "send,write,read,cas,fadd", "--sizes", "4K,64"],
    ["--qps", "100", "--host-pairs", "20", "--setup", "none", "--loss-after", "0.01", "--reorder", "0.01", "--duplicate", "0.01"],
    ["--qps", "5000", "--active", "3000", "--host-pairs", "1000", "--gigabits", "0.1"],  # series of rates with few buckets
    ["--qps", "50", "--host-pairs", "9", "--snap-length", "96", "--loss", "0.002", "--operations", "send,read"])
CONDITIONS = (["--no-icrc"], ["--from", "+0.0001"], ["--to", "+0.001"], ["--host", "10.0.0.0/8"], ["-Y", "infiniband.bth.opcode != 17"],
              ["-Y", "rocescope.verdict.retransmission"], ["--connection", "2"], ["--capture-point", "1"], ["-c", "3000"],
              ["--max-connections", "20"], ["--idle-timeout", "1ms"], ["--interval", "1ms", "--cnp-window", "100us"])
AGAIN = ("rdmagen-cm-mixed.pcapng", "ucmatose.pcapng", "impaired_out-loss_heavy.pcapng", "lost-light.pcapng",
         "perftest-cmp_swap_bw.pcapng")
# Among others, each with several pairs of hosts, in the shorter run.
TOGETHER = (("nvme_io.pcapng", "nfs_io-41.pcapng", "rdmagen-cm-mixed.pcapng"), ("ipv6.pcapng", "ecn-heavy.pcapng", "vlan.pcapng"),
            ("nvme_errors.pcapng", "fault-rnr.pcapng", "impaired_out-loss_heavy.pcapng", "ucmatose.pcapng"),
            ("perftest-ud_send_bw.pcapng", "perftest-cmp_swap_bw.pcapng", "lost-heavy.pcapng"),
            ("nfs_errors-3.pcapng", "nvme_slow.pcapng", "killed-client.pcapng", "dead_service.pcapng"))


def elsewhere(packet: packets.Packet, number: int, shift: int) -> packets.Packet:
    """The same packet between other hosts, so much later."""
    packet = packet.changed(time=packet.time + shift)
    if number == 0 or not packet.ip:
        return packet
    if len(packet.source) == 16:
        return packet.with_bytes({at: bytes([packet.data[at] ^ number]) for at in (packet.ip + 8 + 13, packet.ip + 24 + 13)})
    head = bytearray(packet.data[packet.ip:packet.ip + 20])
    head[14] ^= number
    head[18] ^= number
    before, after = (struct.unpack(">10H", bytes(words)) for words in (packet.data[packet.ip:packet.ip + 20], head))
    total = 0xFFFF - before[5] + sum(after[6:]) + sum(0xFFFF - word for word in before[6:])  # RFC 1624
    while total > 0xFFFF:
        total = (total & 0xFFFF) + (total >> 16)
    struct.pack_into(">H", head, 10, 0xFFFF - total)
    return packet.with_bytes({packet.ip + 10: bytes(head[10:])})


def together(captures: list[pathlib.Path], times: int = 1) -> list[packets.Packet]:
    """The packets of all, at the same time, those of each between hosts of its own."""
    result = []
    for number in range(times * len(captures)):
        whole = packets.read(captures[number % len(captures)])
        start = min(packet.time for packet in whole)
        result += [elsewhere(packet, number, 1_700_000_000 * SECOND - start + number * 7 * MICROSECOND) for packet in whole]
    return [packet.changed(interface=0) for packet in sorted(result, key=lambda packet: packet.time)]


def again(capture: pathlib.Path, shift: int, with_setup: bool) -> list[packets.Packet]:
    """The queue pairs of several hosts, used again twice after a pause, with PSNs so much further."""
    whole = [packet for packet in packets.read(capture) if with_setup or not packet.is_setup]
    length = max(packet.time for packet in whole) - min(packet.time for packet in whole) + 7 * SECOND
    runs = [packet.of_other_run(turn, shift).changed(time=packet.time + turn * length) for turn in range(3) for packet in whole]
    mixed = [elsewhere(packet, number, number * 13 * MICROSECOND) for number in range(6) for packet in runs]
    return [packet.changed(interface=0) for packet in sorted(mixed, key=lambda packet: packet.time)]


def damaged(packet: packets.Packet, at: int | None = None) -> packets.Packet:
    data = bytearray(packet.data)
    data[len(data) - 1 if at is None else at] ^= 0x55
    return packet.changed(data=bytes(data))


def with_troubles(whole: list[packets.Packet]) -> dict[str, list[packets.Packet]]:
    """What one shard sees, or all: captures that cannot be shared out, and some that can."""
    pairs = sorted({frozenset((packet.source, packet.destination)) for packet in whole if packet.bth}, key=sorted)

    def of_pairs(change, *numbers: int) -> list[packets.Packet]:
        chosen = [pairs[number] for number in numbers]
        return [change(at, packet) if packet.bth and {packet.source, packet.destination} in chosen else packet
                for at, packet in enumerate(whole)]

    def now_and_then(at: int, packet: packets.Packet) -> packets.Packet:
        return damaged(packet) if at > len(whole) // 3 and at % 97 == 0 else packet

    def with_port(at: int, packet: packets.Packet) -> packets.Packet:
        udp = packet.bth - 8
        return packet.changed(data=packet.data[:udp] + packets.ROCE_PORT.to_bytes(2, "big") + packet.data[udp + 2:])

    def to_other_hosts(at: int, packet: packets.Packet) -> packets.Packet:
        return damaged(packet, packet.ip + 19) if at % 501 == 0 else packet
    every = range(len(pairs))
    again = [packet.changed(time=packet.time + 3 * MICROSECOND) for packet in whole if {packet.source, packet.destination} == pairs[1]]
    copied = sorted(whole + again, key=lambda packet: packet.time)
    last = max(at for at, packet in enumerate(whole) if packet.bth)
    return {"a wrong ICRC now and then, of one pair": of_pairs(now_and_then, 2),
            "wrong ICRCs of several pairs": of_pairs(now_and_then, 0, 1, 3), "wrong ICRCs of all pairs": of_pairs(now_and_then, *every),
            "the last ICRC is wrong": whole[:last] + [damaged(whole[last])] + whole[last + 1:],
            "source ports of two pairs are rewritten": of_pairs(with_port, 1, 2),
            "of all pairs": of_pairs(with_port, *every), "damaged addresses": of_pairs(to_other_hosts, *every), "copies": copied,
            "copies, and a wrong ICRC": copied[:400] + [damaged(copied[400])] + copied[401:],
            "copies, and wrong ICRCs at the end": copied[:-300] + [damaged(packet) if packet.bth else packet for packet in copied[-300:]]}


def run(words: list, **options) -> subprocess.CompletedProcess:
    return subprocess.run([str(word) for word in words], capture_output=True, **options)


def files_of(folder: pathlib.Path) -> dict[str, bytes]:
    written = {path.name: path.read_bytes() for path in sorted(folder.iterdir())} if folder.exists() else {}
    for name in written:
        (folder / name).unlink()
    return written


class Comparison:
    def __init__(self, program: str, folder: pathlib.Path, seed: int) -> None:
        self.program, self.folder = program, folder
        self.random = random.Random(seed)
        self.compared, self.turn, self.shared = 0, 0, 0
        self.failed: list[str] = []

    def of(self, name: str, captures: list[pathlib.Path], numbers: tuple[int, ...] | None = None, options: list[str] = []) -> None:
        csv = self.folder / "csv"
        expected = run([self.program, "analyze", "--json", "--csv", csv, *options, *captures])
        tables = files_of(csv)
        if expected.returncode != 0:
            return  # it is no capture
        text = run([self.program, "analyze", "-v", *options, *captures]).stdout
        if numbers is None:
            numbers = (NUMBERS[self.turn % len(NUMBERS)],)
            self.turn += 1
        for count in numbers:
            self.compared += 1
            parts = self.shards(captures, count, options)
            if parts is None:
                self.failed.append(f"{name}, {count} shards: {self.error}")
                continue
            parts = self.tree(parts)
            merged = run([self.program, "merge", "--json", "--csv", csv, *parts])
            other = files_of(csv)
            found = [table for table in sorted(tables.keys() | other.keys()) if tables.get(table) != other.get(table)]
            found += ["JSON"] if merged.stdout != expected.stdout else []
            found += ["text"] if run([self.program, "merge", "-v", *parts]).stdout != text else []
            if found:
                self.failed.append(f"{name}, {count} shards: {', '.join(found)} {merged.stderr.decode().strip()}")

    def shards(self, captures: list[pathlib.Path], count: int, options: list[str]) -> list[pathlib.Path] | None:
        for path in self.folder.glob("*.rsp"):
            path.unlink()
        parts, whole = [], False
        for number in range(1, count + 1):
            parts.append(self.folder / f"{number}.rsp")
            threads = self.random.choice(("1", "2"))
            made = run([self.program, "analyze", "--shard", f"{number}/{count}", "--threads", threads, "--partial", parts[-1], *options,
                        *captures], env=os.environ | {"ROCESCOPE_EXPRESS": self.random.choice(("on", "on", "off"))})
            whole = whole or b"follows all packets" in made.stderr
            if made.returncode != 0:
                self.error = made.stderr.decode().strip()
                return None
        self.shared += 0 if whole else 1
        return parts

    def tree(self, parts: list[pathlib.Path]) -> list[pathlib.Path]:
        """Some of them merged before the others, or none; in any order."""
        self.random.shuffle(parts)
        number = 0
        while len(parts) > 1 and self.random.random() < 0.5:
            some = parts[:self.random.randrange(1, len(parts)) + 1]
            number += 1
            merged = self.folder / f"merged{number}.rsp"
            run([self.program, "merge", "--partial", merged, *some])
            parts = parts[len(some):] + [merged]
            self.random.shuffle(parts)
        return parts


def errors(program: str, capture: pathlib.Path, other: pathlib.Path, folder: pathlib.Path) -> list[str]:
    """What merge says of parts that do not belong together."""
    def part(name: str, *words) -> pathlib.Path:
        made = run([program, "analyze", "--no-messages", "--partial", folder / name, *words])
        assert made.returncode == 0, made.stderr
        return folder / name
    first, second = part("a.rsp", "--shard", "1/3", capture), part("b.rsp", "--shard", "2/3", capture)
    again, of_two = part("c.rsp", "--shard", "1/3", capture), part("d.rsp", "--shard", "2/2", capture)
    elsewhere_ = part("e.rsp", "--shard", "3/3", other)
    filtered, whole = part("f.rsp", "--shard", "3/3", "--to", "+1", capture), part("g.rsp", capture)
    expected = (([first, second], "shard 3 of 3 is missing"), ([second], "shards 1, 3 of 3 are missing"),
                ([first, again], "shard 1/3 is in"), ([first, of_two], "is one of 3 shards"),
                ([first, second, elsewhere_], "are not of the same captures and options"),
                ([first, second, filtered], "are not of the same captures and options"),
                ([first, whole], "are of the same captures"), ([whole, whole], "are of the same captures"))
    found = []
    for parts, text in expected:
        merged = run([program, "merge", "--json", *parts])
        if merged.returncode != 2 or text.encode() not in merged.stderr or merged.stdout:
            found.append(f"not '{text}' but '{merged.stderr.decode().strip()}'")
    for words, text in ((["--shard", "3/2"], "needs I/N"), (["--shard", "1"], "needs I/N"), (["--shard", "0/2"], "needs I/N"),
                        (["--shard", "1/65"], "needs I/N"), (["--shard", "1/2", "--jobs", "2"], "do not go together"),
                        (["--jobs", "0"], "whole number"), (["--jobs", "2", "--html", folder / "page"], "do not go together")):
        said = run([program, "analyze", *words, capture])
        if said.returncode != 2 or text.encode() not in said.stderr:
            found.append(f"{words}: '{said.stderr.decode().strip()}'")
    export = run([program, "export", "--clickhouse", "http://127.0.0.1:1", first])
    if export.returncode != 2 or b"is of shards" not in export.stderr:
        found.append(f"export of a shard: '{export.stderr.decode().strip()}'")
    third, together = part("h.rsp", "--shard", "3/3", capture), folder / "i.rsp"
    run([program, "merge", "--no-messages", "--partial", together, third, first, second])
    export = run([program, "export", "--clickhouse", "http://127.0.0.1:1", together])
    if b"http://127.0.0.1:1/: " not in export.stderr:
        found.append(f"export of all shards: '{export.stderr.decode().strip()}'")
    for path in folder.glob("*.rsp"):
        path.unlink()
    return found


def from_a_pipe(program: str, capture: pathlib.Path, damaged_one: pathlib.Path, folder: pathlib.Path) -> list[str]:
    """Standard input cannot be read twice: the shard that would have to says so, and there is no report."""
    found = []
    for file, is_damaged in ((capture, False), (damaged_one, True)):
        expected = run([program, "analyze", "--json", "-"], input=file.read_bytes())
        said = [run([program, "analyze", "--shard", f"{number}/3", "--partial", folder / f"{number}.rsp", "-"], input=file.read_bytes())
                for number in (1, 2, 3)]
        parts = sorted(folder.glob("*.rsp"))
        merged = run([program, "merge", "--json", *parts])
        if not is_damaged and (merged.stdout != expected.stdout or len(parts) != 3):
            found.append(f"standard input: {merged.stderr.decode().strip()}")
        codes = sorted(each.returncode for each in said)
        errors = [each.stderr for each in said if each.returncode == 2]
        if is_damaged and (codes != [0, 0, 2] or len(parts) != 2 or b"cannot be read twice" not in errors[0] or merged.stdout or
                           b"is missing" not in merged.stderr):
            found.append(f"standard input with a wrong ICRC: {codes}, {errors}, {merged.stderr.decode().strip()}")
        for path in parts:
            path.unlink()
    return found


def warned_twice(program: str, capture: pathlib.Path, folder: pathlib.Path) -> list[str]:
    """The first process warns of the end of the capture, while another one sees that they cannot share the packets out; a folder that is not
    empty is seen before that."""
    cut, whole = folder / "cut.pcapng", packets.read(capture)
    first = next(number for number in range(1, len(whole)) if whole[-number].bth)
    for number in range(first, first + 20):
        packets.write(cut, [damaged(packet) if packet is whole[-number] and packet.bth else packet for packet in whole])
        os.truncate(cut, cut.stat().st_size - 5)
        said = run([program, "analyze", "--jobs", "3", cut]).stderr
        if said.count(b"cut at its end") != 1:
            return [f"--jobs: not one warning of the end: '{said.decode().strip()}'"]
    (folder / "full").mkdir()
    (folder / "full/messages.csv").touch()
    said = run([program, "analyze", "--jobs", "3", "--csv", folder / "full", cut]).stderr
    if b"is there already" not in said or b"cut at its end" in said:
        return [f"--jobs: the captures are read before the folder is looked at: '{said.decode().strip()}'"]
    return []


def sizes(program: str, synth: str, folder: pathlib.Path) -> list[str]:
    """All shards see all packets that set connections up, and each writes down those of its own connections."""
    capture, count = folder / "many.pcap", 16
    run([synth, "-o", capture, "--packets", "20000", "--qps", "4000", "--active", "4000", "--host-pairs", "256"], check=True)
    parts = [(folder / f"size{number}.rsp", words) for number, words in
             enumerate([[]] + [["--shard", f"{number}/{count}"] for number in range(1, count + 1)])]
    for part, words in parts:
        run([program, "analyze", "-q", "--no-messages", "--partial", part, *words, capture], check=True)
    whole, *shares = [part.stat().st_size for part, _ in parts]
    return [f"{count} shards write {sum(shares)} bytes, one analysis {whole}"] if sum(shares) > 2 * whole else []


def too_many_hosts(program: str, folder: pathlib.Path) -> list[str]:
    """More pairs of hosts than one analysis keeps, and fewer in each shard: one process follows all packets after all."""
    capture = folder / "hosts.pcap"
    head = bytes.fromhex("020000000002 020000000001 0800 4500002c00014000401100000a00")
    tail = bytes.fromhex("c00112b7001800000400ffff00")
    with capture.open("wb") as file:
        file.write(struct.pack("<IHHiIII", 0xA1B23C4D, 2, 4, 0, 0, 65535, 1))
        for number in range(16_500):
            hosts = struct.pack(">HBBH", number % 128, 10, 1, number // 128)
            file.write(struct.pack("<IIII", 1_700_000_000, number, 58, 58) + head + hosts + tail + number.to_bytes(3, "big") + bytes(8))
        file.write(bytes(7))  # the capture is cut
    expected = run([program, "analyze", "--json", "--no-icrc", capture])
    said = run([program, "analyze", "--json", "--no-icrc", "--jobs", "2", capture])
    capture.unlink()
    is_said = b"pairs of hosts together" in said.stderr and said.stderr.count(b"cut at its end") == 1
    if said.stdout != expected.stdout or not is_said:
        return [f"--jobs with too many pairs of hosts: '{said.stderr.decode().strip()}'"]
    return []


def jobs(program: str, capture: pathlib.Path, troubled: list[pathlib.Path], folder: pathlib.Path) -> list[str]:
    found = []
    scratch = folder / "scratch"
    scratch.mkdir()
    environment = os.environ | {"TMPDIR": str(scratch)}
    asked = [(capture, words) for words in ([], ["--no-icrc"], ["--csv", folder / "csv"], ["--connection", "2"])]
    asked += [(file, words) for file in troubled for words in ([], ["-q"], ["--csv", folder / "csv"])]
    for file, words in asked:
        expected = run([program, "analyze", "--json", *words, file])
        tables = files_of(folder / "csv")
        said = run([program, "analyze", "--json", "--jobs", "3", *words, file], env=environment)
        if said.stdout != expected.stdout or tables != files_of(folder / "csv"):
            found.append(f"--jobs 3 {words} {file.name}: {said.stderr.decode().strip()}")
        is_unshared = (file in troubled or "--connection" in words) and "-q" not in words
        if said.stderr.count(b"--jobs does not help") != int(is_unshared):
            found.append(f"--jobs 3 {words} {file.name} says '{said.stderr.decode().strip()}'")
    found += warned_twice(program, capture, folder) + too_many_hosts(program, folder)
    empty = folder / "empty.pcap"
    empty.touch()
    for file, text in ((folder / "none", "No such file"), (empty, "it is empty"), (scratch, "it is a directory")):
        said = run([program, "analyze", "--jobs", "3", file], env=environment)
        if said.returncode != 2 or text.encode() not in said.stderr or said.stderr.count(b"\n") != 1:
            found.append(f"--jobs: not one line with '{text}': '{said.stderr.decode().strip()}'")
    empty.unlink()
    if list(scratch.iterdir()):
        found.append("--jobs leaves files")
    return found


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("synth")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--seed", type=int, default=21)
    parser.add_argument("--only")
    options = parser.parse_args()
    numbers = NUMBERS if options.all else None
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        compare = Comparison(options.program, folder, options.seed)
        made = folder / "made.pcapng"

        def of(name: str, captures: list[pathlib.Path], *words: list[str]) -> None:
            if options.only and options.only not in name:
                return
            for each in words or ([],):
                compare.of(" ".join([name, *each]), captures, numbers, list(each))

        extra = os.environ.get("ROCESCOPE_EXTRA_CAPTURES")
        captures = [capture for place in [CAPTURES] + ([pathlib.Path(extra)] if extra else [])
                    for capture in sorted(place.glob("*.pcap*"))
                    if capture.stat().st_size < (LARGEST_OF_ALL if options.all else LARGEST)]
        for capture in captures if options.all else captures[::10]:  # most are of one pair of hosts
            of(capture.name, [capture])
        groups = [[CAPTURES / name for name in names if (CAPTURES / name).exists()] for names in TOGETHER]
        if options.all:
            readable = [capture for capture in captures if run([options.program, "analyze", "-q", capture]).returncode == 0]
            groups += [compare.random.sample(readable, 4) for _ in range(60)]
        for group in groups:
            try:
                packets.write(made, together(group, 2))
            except (ValueError, struct.error, IndexError, KeyError):
                continue  # packets.read() knows Ethernet and SLL2 alone
            of("together: " + ", ".join(path.name for path in group), [made], [], *([["--no-icrc"]] if options.all else []))
        # Responses whose status was cut off.
        packets.write(made, [packet.changed(data=packet.data[:96]) for packet in together([CAPTURES / "nfs_io-3.pcapng"], 3)])
        of("together: cut", [made])
        for name in AGAIN if options.all else AGAIN[:2]:
            for shift in (0, 3, 40, 100_000) if options.all else (40,):
                for with_setup in (True, False):
                    packets.write(made, again(CAPTURES / name, shift, with_setup))
                    of(f"again: {name}, {shift} PSNs on, with the set-up: {with_setup}", [made])
        for words in SYNTHETIC:
            run([options.synth, "-o", folder / "synthetic.pcap", "--packets", "10000" if options.all else "7000", *words], check=True)
            of(" ".join(words), [folder / "synthetic.pcap"])
        run([options.synth, "-o", folder / "synthetic.pcap", "--packets", "6000", *SYNTHETIC[2]], check=True)
        of("conditions", [folder / "synthetic.pcap"], *CONDITIONS)
        whole = packets.read(folder / "synthetic.pcap")
        parts = [folder / f"part{number}.pcapng" for number in range(3)]
        for number, part in enumerate(parts):
            packets.write(part, whole[number * 2_000:(number + 1) * 2_000])
        of("several files", parts)
        packets.write(made, [packet for at in range(0, len(whole), 40) for packet in reversed(whole[at:at + 40])])
        of("times that go back", [made], [], ["-Y", "ip.src == 10.0.0.1"], ["-Y", "infiniband.bth.opcode != 17"])
        troubled = []
        for name, packets_ in with_troubles(whole).items():
            packets.write(made, packets_)
            of(name, [made])
            of(name + ", but no ICRC is looked at", [made], ["--no-icrc"])
            if name in ("a wrong ICRC now and then, of one pair", "wrong ICRCs of all pairs", "copies"):
                troubled.append(folder / f"troubled{len(troubled)}.pcapng")
                packets.write(troubled[-1], packets_)
        for seed in range(24 if options.all else 2):
            mixed = [elsewhere(packet, number, 0) for number in range(5)
                     for packet in streams.random_streams(seed * 5 + number, 1_700_000_000 * SECOND)]
            packets.write(made, sorted(mixed, key=lambda packet: packet.time))
            of(f"streams {seed}", [made], [], ["--no-icrc"])
        if not options.only:
            compare.failed += errors(options.program, folder / "synthetic.pcap", CAPTURES / "vlan.pcapng", folder)
            compare.failed += from_a_pipe(options.program, folder / "synthetic.pcap", troubled[0], folder)
            compare.failed += sizes(options.program, options.synth, folder)
            compare.failed += jobs(options.program, folder / "synthetic.pcap", troubled, folder)
    for line in compare.failed:
        print(line)
    print(f"{compare.compared} comparisons, of {compare.shared} all shards had packets, {len(compare.failed)} differ")
    sys.exit(1 if compare.failed or compare.compared == 0 else 0)


if __name__ == "__main__":
    main()
