#!/usr/bin/env python3
"""Every field of ours that tshark has equals tshark's, packet by packet; what differs is a known defect of tshark.

Usage: oracle_test.py ROCESCOPE CAPTURE|FOLDER...   which together must compare every field that can be
       oracle_test.py ROCESCOPE --extra             the captures in the folder that ROCESCOPE_EXTRA_CAPTURES names

A packet that the capture cut is compared twice: with what tshark shows of it, and with what tshark shows of the same packet
filled with zeros to its length on the wire. What we alone show of the cut packet must be there in the filled one.

Exits with 77, which CTest takes for skipped, without tshark or without that folder.
"""

import dataclasses
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import defects
from capture_file import read_pcap, write_pcap
from coverage import Coverage
from packet_values import is_cut
from tshark import Tshark, field_arguments, parse

SHOWN = 12  # differences printed of each field of a capture
SUFFIXES = (".pcap", ".pcapng", ".dump")
UPPER_LAYERS = ("nvme", "rpcordma", "rpc", "nfs")
CHANGED = ("erf.",)  # by mergecap


def skip(why):
    print("skipped:", why)
    sys.exit(77)


def captures_in(path: pathlib.Path) -> list[pathlib.Path]:
    return sorted(entry for entry in path.iterdir() if entry.suffix in SUFFIXES) if path.is_dir() else [path]


def captures_to_compare(arguments: list[str]) -> list[pathlib.Path]:
    if arguments == ["--extra"]:
        folder = os.environ.get("ROCESCOPE_EXTRA_CAPTURES")
        if not folder:
            skip("ROCESCOPE_EXTRA_CAPTURES is not set")
        arguments = [folder]
    return [capture for argument in arguments for capture in captures_in(pathlib.Path(argument))]


def our_fields(rocescope):
    """Names of all fields that `rocescope fields` lists."""
    listing = subprocess.run([rocescope, "fields"], capture_output=True, check=True, text=True).stdout
    return [line.split("\t")[0] for line in listing.splitlines() if line and not line.startswith("#")]


def our_values(rocescope, capture, names):
    options = ["--reliable-datagram"] if "reliable_datagram" in pathlib.Path(capture).name else []
    command = [rocescope, "dissect", "-q", *options, "-r", str(capture), *field_arguments(names)]
    result = subprocess.run(command, capture_output=True, check=True)
    return parse(result.stdout.decode("utf-8", "surrogateescape"), names)


def filled(tshark: Tshark, capture: pathlib.Path, folder: pathlib.Path) -> pathlib.Path:
    """The capture with zeros for what was cut off."""
    as_pcap, path = folder / "as.pcap", folder / "filled.pcap"
    if capture.suffix == ".pcapng":
        tshark.as_pcap(capture, as_pcap)
        capture = as_pcap
    link_type, magic, frames = read_pcap(capture)
    write_pcap(path, link_type, [frame.filled() for frame in frames], magic)
    return path


@dataclasses.dataclass
class Sample:
    """What is shown to both programs: one capture, or several in one file, one after the other."""

    path: pathlib.Path
    parts: list[tuple[str, int]]  # name of each capture, and its packets
    ours: list

    def where(self, number: int) -> str:
        for name, packets in self.parts:
            if number <= packets:
                return f"{name} packet {number}"
            number -= packets
        return f"{self.path.name} packet {number}"


def samples_of(rocescope, captures: list[pathlib.Path], names: list[str], folder: pathlib.Path) -> list[Sample]:
    """tshark takes longer to start than to read most captures. Apart stays what it would dissect otherwise behind other captures, with
    the same queue pairs, what mergecap changes, and what was cut, which is compared twice."""
    single = [Sample(capture, [(capture.name, 0)], our_values(rocescope, capture, names)) for capture in captures]
    together, apart = [], []
    for sample in single:
        sample.parts = [(sample.path.name, len(sample.ours))]
        is_special = "reliable_datagram" in sample.path.name or any(
            is_cut(packet) or any(name.startswith(UPPER_LAYERS + CHANGED) for name in packet) for packet in sample.ours)
        (apart if is_special else together).append(sample)
    merged = folder / "merged.pcapng"
    command = ["mergecap", "-a", "-F", "pcapng", "-w", merged, *(sample.path for sample in together)]
    if len(together) < 2 or subprocess.run(command, capture_output=True).returncode != 0:
        return single
    parts = [part for sample in together for part in sample.parts]
    return [Sample(merged, parts, our_values(rocescope, merged, names)), *apart]


def compare(sample, names, theirs, wholes, coverage):
    """Differences that no known defect explains, as lines."""
    ours = sample.ours
    if not len(ours) == len(theirs) == len(wholes) == sum(packets for _, packets in sample.parts):
        return [f"{sample.path}: {len(ours)} packets, tshark has {len(theirs)}"]
    lines, count, compared = [], {}, set(names)
    for number, (our, their, whole) in enumerate(zip(ours, theirs, wholes), start=1):
        for name in filter(compared.__contains__, our | their):  # of the others neither has a value
            if our.get(name) == their.get(name):
                coverage.equal(name, name in our)
                continue
            defect = defects.explain(name, our, their, whole)
            if defect is not None:
                coverage.explained(name, defect, f"{sample.where(number)}: {name}")
                continue
            count[name] = count.get(name, 0) + 1
            if count[name] <= SHOWN:
                lines.append(f"{sample.where(number)}: {name}: ours {our.get(name)}, tshark's {their.get(name)}")
    lines += [f"{sample.path.name}: {name}: {n} differences" for name, n in count.items() if n > SHOWN]
    return lines


def main():
    if shutil.which("tshark") is None:
        skip("tshark is not installed")
    rocescope, captures = sys.argv[1], captures_to_compare(sys.argv[2:])
    failures, packets, coverage = [], 0, Coverage()
    with tempfile.TemporaryDirectory() as folder:
        tshark = Tshark(folder)
        names = sorted(set(our_fields(rocescope)) & set(tshark.fields()))
        for sample in samples_of(rocescope, captures, names + defects.OUR_WITNESSES, pathlib.Path(folder)):
            theirs = wholes = tshark.values(sample.path, names + defects.WITNESSES)
            if any(map(is_cut, sample.ours)):
                wholes = tshark.values(filled(tshark, sample.path, pathlib.Path(folder)), names + defects.WITNESSES)
            failures += compare(sample, names, theirs, wholes, coverage)
            packets += len(sample.ours)
    print(f"{len(captures)} captures, {packets} packets, {len(names)} fields that tshark has, {coverage.values} values compared")
    failures += coverage.report(names, must_be_complete=sys.argv[2:] != ["--extra"])
    for line in failures:
        print(line)
    return 1 if failures or packets == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
