#!/usr/bin/env python3
"""Every field of ours that tshark has equals tshark's, packet by packet; what differs is a known defect of tshark.

Usage: oracle_test.py ROCESCOPE CAPTURE...
       oracle_test.py ROCESCOPE --extra     the captures in the folder that ROCESCOPE_EXTRA_CAPTURES names

Exits with 77, which CTest takes for skipped, without tshark or without that folder.
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import defects
from tshark import Tshark, field_arguments, parse

SHOWN = 12  # differences printed of each field of a capture


def skip(why):
    print("skipped:", why)
    sys.exit(77)


def captures_to_compare(arguments):
    if arguments != ["--extra"]:
        return arguments
    folder = os.environ.get("ROCESCOPE_EXTRA_CAPTURES")
    if not folder:
        skip("ROCESCOPE_EXTRA_CAPTURES is not set")
    return sorted(str(path) for path in pathlib.Path(folder).iterdir() if path.suffix in (".pcap", ".pcapng", ".dump"))


def our_fields(rocescope):
    """Names of all fields that `rocescope fields` lists."""
    listing = subprocess.run([rocescope, "fields"], capture_output=True, check=True, text=True).stdout
    return [line.split("\t")[0] for line in listing.splitlines() if line and not line.startswith("#")]


def our_values(rocescope, capture, names):
    command = [rocescope, "dissect", "-q", "-r", capture, *field_arguments(names)]
    result = subprocess.run(command, capture_output=True, check=True)
    return parse(result.stdout.decode("utf-8", "surrogateescape"), names)


def compare(capture, names, ours, theirs, used):
    """Differences that no known defect explains, as lines."""
    if len(ours) != len(theirs):
        return [f"{capture}: {len(ours)} packets, tshark has {len(theirs)}"]
    lines, count = [], {}
    for number, (our, their) in enumerate(zip(ours, theirs), start=1):
        for name in names:
            if our.get(name) == their.get(name):
                continue
            defect = defects.explain(name, our, their)
            if defect is not None:
                used.setdefault(defect, f"{pathlib.Path(capture).name} packet {number}: {name}")
                continue
            count[name] = count.get(name, 0) + 1
            if count[name] <= SHOWN:
                lines.append(f"{capture} packet {number}: {name}: ours {our.get(name)}, tshark's {their.get(name)}")
    lines += [f"{capture}: {name}: {n} differences" for name, n in count.items() if n > SHOWN]
    return lines


def main():
    if shutil.which("tshark") is None:
        skip("tshark is not installed")
    rocescope, captures = sys.argv[1], captures_to_compare(sys.argv[2:])
    failures, used, packets, compared = [], {}, 0, 0
    with tempfile.TemporaryDirectory() as folder:
        tshark = Tshark(folder)
        known = tshark.fields()
        names = sorted(name for name in set(our_fields(rocescope)) & set(known) if name not in defects.NOT_COMPARED)
        for capture in captures:
            ours = our_values(rocescope, capture, names)
            theirs = tshark.values(capture, names + defects.WITNESSES)
            failures += compare(capture, names, ours, theirs, used)
            packets += len(ours)
            compared += sum(len(set(our) | set(their)) for our, their in zip(ours, theirs))
    print(f"{len(captures)} captures, {packets} packets, {len(names)} fields, {compared} values compared")
    for defect in defects.DEFECTS:
        if defect.name in used:
            print(f"  tshark: {defect.name}: {defect.reason} ({used[defect.name]})")
    for line in failures:
        print(line)
    return 1 if failures or packets == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
