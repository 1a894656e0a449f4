#!/usr/bin/env python3
"""Whether the express lane changes anything: each report must be the same, byte for byte, as when all packets go the full way.

Of each scenario with a truth, in the views that people have of it (views.py), of the other captures as they are, of synthetic ones, of
those of storage protocols, several times in a row, of those in express/, each of which once showed a difference, and of random streams
(streams.py): the JSON document, and the CSV files with every message.

    express_test.py PROGRAM SYNTH            a sixth of the captures, a quarter of the views of COMMON, each with some of the options
    express_test.py PROGRAM SYNTH --all      all of them with all options, and more streams, which takes longer
"""
import argparse
import functools
import gzip
import os
import pathlib
import re
import struct
import subprocess
import sys
import tempfile
import zlib

import packets
import scenarios
import streams
import views

COMMON = ("impaired_out-loss_heavy", "fault-rnr", "rdmagen-cm-mixed", "two_views-duplicate")
FIRST = 4_128  # packets before the others
CAPTURES = pathlib.Path(__file__).resolve().parents[2] / "captures"
SYNTHETIC = (
    ["--qps", "64"], ["--qps", "300", "--frame-size", "128"], ["--operations", "write,write-imm,send-imm,send", "--sizes", "4K,1,777"],
    ["--operations", "send,read,write,cas,fadd", "--sizes", "4K,64"], ["--loss", "0.01"], ["--loss-after", "0.01", "--sizes", "1K,9K"],
    ["--reorder", "0.01"], ["--duplicate", "0.01"], ["--setup", "none", "--loss", "0.001"], ["--ack-every", "1", "--depth", "1"],
    ["--ack-every", "8", "--depth", "16", "--sizes", "64K"], ["--snap-length", "128", "--loss", "0.002"],
    ["--snap-length", "128", "--duplicate", "0.01"],
    ["--snap-length", "60"],
    ["--mtu", "256", "--sizes", "4K"], ["--mtu", "4096", "--sizes", "1M"], ["--format", "pcapng", "--gigabits", "1"],
    ["--gigabits", "0.01", "--qps", "4"], ["--host-pairs", "16", "--burst", "1"], ["--qps", "3000", "--active", "3000"],
    ["--qps", "2", "--sizes", "128K", "--gigabits", "1"],  # ACKs are rare: a flow is idle while its connection is not
    ["--qps", "1", "--sizes", "256K", "--gigabits", "1", "--depth", "1", "--ack-every", "1"],
    ["--loss", "0.02", "--reorder", "0.02", "--duplicate", "0.02", "--operations", "send,write,read"],
    ["--operations", "read"], ["--operations", "read", "--depth", "16", "--sizes", "64K,1,300"], ["--operations", "read", "--loss", "0.01"],
    ["--operations", "read", "--setup", "none", "--mtu", "256"], ["--operations", "read", "--snap-length", "64"],
    ["--operations", "send,write,read", "--frame-size", "128", "--qps", "64"],
    ["--operations", "send,write,read", "--depth", "16", "--ack-every", "8", "--sizes", "4K,64"],
    ["--operations", "send,write,read", "--loss-after", "0.005", "--reorder", "0.005"],
    ["--operations", "send,write,read", "--snap-length", "96", "--loss", "0.002"])
CARRIED = ("nvme_io.pcapng", "nvme_slow.pcapng", "nvme_errors.pcapng", "nfs_io-3.pcapng", "nfs_io-41.pcapng", "nfs_slow-41.pcapng", "iser_io.pcapng",
           "iser_abort.pcapng", "srp_io.pcapng", "srp_abort.pcapng", "rds.pcapng", "rnbd_io.pcapng", "smb_io.pcapng", "smb_starved.pcapng")
STREAMS, ALL_STREAMS = 4, 60
LENGTH, ALL_LENGTH = 10_000, 20_000  # packets of a synthetic capture


def datagram(number: int, time: int, interface: int = 0, source: bytes = bytes((10, 9, 0, 1)), destination: bytes = bytes((10, 9, 0, 2)),
             queue_pair: int = 0x99) -> packets.Packet:
    bth = bytes((0x64, 0x40)) + struct.pack(">HII", 0xFFFF, queue_pair, number)
    rest = bth + struct.pack(">II", 0x1234, 0x98) + bytes(4)
    udp = struct.pack(">HHHH", 50_000, 4_791, 8 + len(rest) + 4, 0)
    head = struct.pack(">BBHHHBBH", 0x45, 2, 20 + len(udp) + len(rest) + 4, number, 0x4000, 64, 17, 0) + source + destination
    covered = bytearray(bytes((0xFF,)) * 8 + head + udp + rest)
    for at in (1, 8, 10, 11, 26, 27, 32):  # what may change on the way
        covered[8 + at] = 0xFF
    data = bytes(12) + b"\x08\x00" + head + udp + rest + struct.pack("<I", zlib.crc32(covered))
    return packets.Packet(time, data, len(data), interface)


@functools.cache
def first_datagrams() -> list[packets.Packet]:
    return [datagram(number, 0) for number in range(FIRST)]


def behind_datagrams(view: views.View) -> list[packets.Packet]:
    """Only behind the first few thousand packets, which show whether packets are seen twice, do others take the express lane. All are of
    the first interface: the others begin late."""
    first = min(view.packets, key=lambda packet: packet.interface)
    start = max(0, min(packet.time for packet in view.packets) - views.MILLISECOND)
    return [packet.changed(time=start, interface=first.interface) for packet in first_datagrams()] + view.packets


def among_datagrams(view: views.View) -> list[packets.Packet]:
    """The same, and now and then one to a queue pair that is connected: it counts in the flow and is of no connection."""
    result = []
    for number, packet in enumerate(behind_datagrams(view)):
        result.append(packet)
        if number % 50 == 0 and packet.is_request and len(packet.source) == 4:
            queue_pair = int.from_bytes(packet.data[packet.bth + 5:packet.bth + 8], "big")
            result.append(datagram(number, packet.time, packet.interface, packet.source, packet.destination, queue_pair))
    return result


def one_after_another(whole: list[packets.Packet], times: int, left_out: int = 0) -> list[packets.Packet]:
    """The same packets several times, without one of so many."""
    pause = 60 * views.SECOND  # after which nobody takes them for copies
    length = max(packet.time for packet in whole) - min(packet.time for packet in whole) + pause
    again = [packet.changed(time=packet.time + turn * length) for turn in range(times) for packet in whole]
    return [packet for number, packet in enumerate(again) if not left_out or number % left_out != left_out - 1]


def outputs(program: str, captures: list[pathlib.Path], options: list[str], express: str, folder: pathlib.Path) -> dict[str, bytes]:
    """The files that the program writes, and what it prints."""
    csv = folder / f"csv-{express}"
    trace = folder / "trace"
    wanted = ["--perfetto", trace] if options in (ONE_THREAD, CROWDED) else []
    run = subprocess.run([program, "analyze", "--json", "--csv", csv, *wanted, *options, *captures], capture_output=True,
                         env=os.environ | {"ROCESCOPE_EXPRESS": express})
    written = {path.name: path.read_bytes() for path in sorted(csv.iterdir())} if csv.exists() else {}
    for path in written:
        (csv / path).unlink()
    if trace.exists():
        written["trace"] = trace.read_bytes()
        trace.unlink()
    return {"exit status": bytes([run.returncode & 0xFF]), "JSON": run.stdout, "messages": run.stderr} | written


# What no packet of the lane has, and all that is known of those that have it.
UNEXPECTED = " || ".join([f"rocescope.verdict.{name}" for name in (
    "gap", "out_of_order", "retransmission", "capture_duplicate", "used_psn", "duplicate_ack", "read_response_gap",
    "read_response_retransmission", "stale", "ack_of_unseen", "damaged", "acknowledged", "cause", "lost", "lost_response", "missing",
    "evidence")] + ["infiniband.aeth.syndrome.opcode in {1, 2, 3}", "infiniband.bth.opcode == 129", "ip.dsfield.ecn == 3"])
SHOWN = ["frame.number", "frame.time_delta", "frame.interface_name", "infiniband.bth.psn", "rocescope.connection", "rocescope.message.id",
         "rocescope.verdict", "rocescope.verdict.cause", "rocescope.verdict.lost", "rocescope.verdict.lost_response",
         "rocescope.verdict.missing", "rocescope.verdict.related", "rocescope.verdict.evidence", "rocescope.verdict.acknowledged"]


def unexpected(program: str, captures: list[pathlib.Path], express: str) -> bytes:
    columns = [word for name in SHOWN for word in ("-e", name)]
    return subprocess.run([program, "dissect", "-q", "-Y", UNEXPECTED, "-T", "fields", *columns, *captures], capture_output=True,
                          check=True, env=os.environ | {"ROCESCOPE_EXPRESS": express}).stdout


def share_of_lane(program: str, capture: pathlib.Path) -> tuple[int, int, str]:
    """How many packets took the lane, how many did not, and the reasons, as --stats has them."""
    run = subprocess.run([program, "analyze", "--stats", capture], capture_output=True, text=True, check=True,
                         env=os.environ | {"ROCESCOPE_EXPRESS": "on"})
    rows = [(line.split(), line) for line in run.stderr.splitlines() if " % of all" in line]
    counts = [int(words[3 if "express lane" in line else 2].replace(",", "")) for words, line in rows]
    return counts[0], sum(counts[1:]), run.stderr


# What must be among the reasons why packets of a synthetic capture did not take the lane.
REASONS = {"--loss": "not in order", "--duplicate": "not in order", "60": "headers cut off"}


def wrong_figures(program: str, capture: pathlib.Path, arguments: list[str]) -> list[str]:
    taken, others, text = share_of_lane(program, capture)
    packets = int(re.search(r"([\d,]+) packets and", text)[1].replace(",", ""))
    found = [] if taken + others == packets else [f"{taken} and {others} are not {packets} packets"]
    words = ",".join(arguments).split(",")
    return found + [f"no reason '{reason}'" for word, reason in REASONS.items() if word in words and reason not in text]


ONE_THREAD, TWO_THREADS, NO_ICRC = ["--threads", "1"], ["--threads", "2"], ["--threads", "1", "--no-icrc"]
IDLE, CROWDED = ["--threads", "1", "--idle-timeout", "1ms"], ["--threads", "2", "--idle-timeout", "100ms", "--max-connections", "20"]
LONG_WINDOW = ["--threads", "1", "--no-icrc", "--cnp-window", "1s"]
SHORT_WINDOW = ["--threads", "1", "--no-icrc", "--cnp-window", "1us"]


def differences(program: str, captures: list[pathlib.Path], folder: pathlib.Path, options: tuple[list[str], ...]) -> list[str]:
    found = []
    for each in options:
        full, express = (outputs(program, captures, each, wish, folder) for wish in ("off", "on"))
        names = sorted(full.keys() | express.keys())
        found += [f"{name}, {' '.join(each)}" for name in names if full.get(name) != express.get(name)]
    if ONE_THREAD in options and unexpected(program, captures, "off") != unexpected(program, captures, "on"):
        found.append("dissect")
    return found


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("synth")
    parser.add_argument("--all", action="store_true")
    options = parser.parse_args()
    compared, failed = 0, []
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)

        def compare(name: str, captures: pathlib.Path | list[pathlib.Path], *arguments: list[str]) -> None:
            nonlocal compared
            compared += 1
            files = captures if isinstance(captures, list) else [captures]
            for what in differences(options.program, files, folder, arguments):
                failed.append(f"{name}: {what}")

        def few(*choices):
            """One of them, each in its turn; with --all all of them."""
            return choices if options.all else (choices[compared % len(choices)],)

        extra = os.environ.get("ROCESCOPE_EXTRA_CAPTURES")
        for place in [CAPTURES] + ([pathlib.Path(extra)] if extra else []):
            found = sorted(place.glob("*.pcap*"))  # neighbours are much alike
            for capture in found if options.all else found[::6]:
                compare(capture.name, capture, *few(ONE_THREAD, TWO_THREADS))
        capture, parts = folder / "whole.pcap", [folder / f"part{number}.pcapng" for number in range(3)]
        subprocess.run([options.synth, "-o", capture, "--packets", "20000"], check=True)
        whole = packets.read(capture)
        for number, part in enumerate(parts):  # a connection goes on in the next file
            packets.write(part, whole[number * 7_000:(number + 1) * 7_000])
        compare("several files", parts, ONE_THREAD, TWO_THREADS, NO_ICRC)
        for arguments in SYNTHETIC:
            capture = folder / "synthetic.pcap"
            length = str(ALL_LENGTH if options.all else LENGTH)
            subprocess.run([options.synth, "-o", capture, "--packets", length, *arguments], check=True)
            compare(" ".join(arguments), capture, *([ONE_THREAD] if options.all or compared % 2 == 0 else []),
                    *few(TWO_THREADS, NO_ICRC, IDLE, CROWDED))
            failed.extend(f"{' '.join(arguments)}: {what}" for what in wrong_figures(options.program, capture, arguments))
        for name in CARRIED:  # connections of which the payload is looked at
            whole = packets.read(CAPTURES / name)
            for left_out in few(0, 211):
                packets.write(folder / "carried.pcapng", one_after_another(whole, 6, left_out))
                compare(f"{name}, one in {left_out} left out", folder / "carried.pcapng", *few(ONE_THREAD, NO_ICRC),
                        *few(IDLE, CROWDED))
            packets.write(folder / "carried.pcapng", [packet for packet in whole if not packet.is_setup])
            compare(f"{name} without the CM", folder / "carried.pcapng", ONE_THREAD, TWO_THREADS)
        # Where packets go is looked up before their turn: meanwhile another connection may get the queue pairs.
        packets.write(folder / "again.pcapng", one_after_another(packets.read(CAPTURES / "nvme_io.pcapng"), 40))
        compare("queue pairs used again", folder / "again.pcapng", ONE_THREAD)
        if "looked at in between" in share_of_lane(options.program, folder / "again.pcapng")[2]:
            failed.append("queue pairs used again: packets went where those before them did")
        # With so many connections, what the lane keeps of some is given up.
        many = ["--packets", "300000" if options.all else "150000", "--qps", "17000", "--operations", "send,read", "--frame-size", "128", "--loss", "0.01"]
        subprocess.run([options.synth, "-o", folder / "many.pcap", *many], check=True)
        compare(" ".join(many), folder / "many.pcap", ONE_THREAD if options.all else NO_ICRC)
        for seed in range(ALL_STREAMS if options.all else STREAMS):
            made = streams.random_streams(seed, 1_700_000_000_000_000_000)
            cut = (0, 0, 64, 96)[seed % 4]
            kept = [packet.changed(data=packet.data[:cut]) for packet in made] if cut else made
            packets.write(folder / "streams.pcapng", behind_datagrams(views.View("streams", kept)))
            compare(f"streams {seed}", folder / "streams.pcapng", ONE_THREAD, NO_ICRC, LONG_WINDOW, SHORT_WINDOW)
        for path in sorted(pathlib.Path(__file__).with_name("express").glob("*.gz")):
            kept = packets.read_pcapng(gzip.decompress(path.read_bytes()))
            packets.write(folder / "kept.pcapng", behind_datagrams(views.View(path.name, kept)))
            compare(path.name, folder / "kept.pcapng", ONE_THREAD, NO_ICRC, LONG_WINDOW, SHORT_WINDOW)
        for turn, scenario in enumerate(scenarios.read_all(lambda name: options.all or name in COMMON)):
            for number, view in enumerate(views.views_of(scenario)):
                if not options.all and (number + turn) % 4 != 0:
                    continue  # each view has its turn in one of the four scenarios
                capture = folder / "view.pcapng"
                for made in few(behind_datagrams, among_datagrams):
                    packets.write(capture, made(view), view.digits)
                    compare(f"{scenario.name}, {view.name}, {made.__name__}", capture, NO_ICRC if view.cut else ONE_THREAD,
                            *([IDLE] if made is behind_datagrams else []))
    for line in failed:
        print(line)
    print(f"{compared} captures, {len(failed)} outputs differ")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
