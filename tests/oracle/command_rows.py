"""The rows of commands that rocescope reports of a capture, and what else it says of it. The program is the first argument of the test."""
import contextlib
import csv
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

PROGRAM = sys.argv.pop(1)
CAPTURES = pathlib.Path(__file__).resolve().parents[2] / "captures"


def named(name: str) -> pathlib.Path:
    return CAPTURES / f"{name}.pcapng"


def rows_of(capture: pathlib.Path, *options: str) -> list[dict]:
    """Of commands.csv."""
    return table_rows_of(capture, "commands.csv", *options)


def table_rows_of(capture: pathlib.Path, name: str, *options: str) -> list[dict]:
    """Of a file that --csv writes."""
    with tempfile.TemporaryDirectory() as folder:
        tables = pathlib.Path(folder) / "tables"
        subprocess.run([PROGRAM, "analyze", "--csv", tables, *options, capture], check=True, capture_output=True, timeout=60)
        with (tables / name).open(newline="") as file:
            return list(csv.DictReader(file, strict=True))


def report_of(capture: pathlib.Path, *options: str) -> dict:
    return json.loads(subprocess.run([PROGRAM, "analyze", "--json", *options, capture], check=True, capture_output=True, timeout=60).stdout)


def check_parts(test: unittest.TestCase, rows: list[dict]) -> None:
    """The parts of each latency add up to it."""
    for row in rows:
        if row["latency"]:
            test.assertEqual(sum(int(row[part]) for part in ("request", "data", "resend", "unknown", "target_time")), int(row["latency"]))
            test.assertGreaterEqual(int(row["target_time"]), 0)


def served_by_target(events: list[dict], on_the_wire) -> dict[int, list[int]]:
    """How long the kernel of a target of SCSI had each command, in ns: all with one tag, in their order. `events`: target_sequencer_start and
    target_cmd_complete."""
    times: dict = {}
    began: dict = {}
    for event in sorted(events, key=lambda each: each["time_ns"]):
        tag = on_the_wire(re.search(r"tag (0x\w+|0) ", event["text"])[1])
        if event["name"] == "target_sequencer_start":
            began[tag] = event["time_ns"]
        elif tag in began:
            times.setdefault(tag, []).append(event["time_ns"] - began.pop(tag))
    return times


def check_targets(test: unittest.TestCase, rows: list[dict], served: dict, key_of) -> int:
    """The part of the target, beside how long its own kernel had each command, in ns: all with one key, in their order. Its interrupts take
    some of the time. Returns how many were compared."""
    compared = 0
    of_key: dict = {}
    for row in rows:
        of_key.setdefault(key_of(row), []).append(row)
    for key, alike in of_key.items():
        if len(alike) != len(served.get(key, ())):
            continue
        for own, row in zip(served[key], alike):
            if row["latency"]:
                target, others = int(row["target_time"]), sum(int(row[part]) for part in ("data", "resend", "unknown"))
                test.assertLessEqual(target, own + 100_000_000, row)
                test.assertGreaterEqual(target + others, own - 100_000_000, row)
                compared += 1
    return compared


@contextlib.contextmanager
def left_of(capture: pathlib.Path, display_filter: str):
    """A capture of the packets that a filter leaves."""
    with tempfile.TemporaryDirectory() as folder:
        part = pathlib.Path(folder) / "part.pcapng"
        subprocess.run([PROGRAM, "extract", "-q", "-Y", display_filter, "-w", part, capture], check=True)
        yield part


def rows_of_packets(capture: pathlib.Path, display_filter: str) -> tuple[list[dict], list[dict]]:
    """The rows, and what is carried, of the packets that a filter leaves."""
    with left_of(capture, display_filter) as part:
        return rows_of(part), report_of(part)["carried"]


@contextlib.contextmanager
def cut(capture: pathlib.Path, length: int):
    """A capture of the first bytes of each packet."""
    with tempfile.TemporaryDirectory() as folder:
        short = pathlib.Path(folder) / "short.pcapng"
        subprocess.run(["editcap", "-s", str(length), capture, short], check=True)
        yield short


def rows_of_cut(capture: pathlib.Path, length: int) -> tuple[list[dict], list[dict]]:
    """The rows, and what is carried, of the first bytes of each packet."""
    with cut(capture, length) as short:
        return rows_of(short), report_of(short)["carried"]
