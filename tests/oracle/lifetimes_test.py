#!/usr/bin/env python3
"""Runs one after the other in one capture, whose queue pairs have the same numbers: the report is the sum of those of the runs.

Without what sets connections up, only the packets themselves show that a queue pair began anew. The opposite: one run
with a hole, or with much of it missing, stays one connection.
"""
import collections
import dataclasses
import functools
import json
import pathlib
import random
import subprocess
import sys
import tempfile
import unittest

import capture_file
import many_captures

PROGRAM = sys.argv.pop(1)
CAPTURES = pathlib.Path(__file__).resolve().parents[2] / "captures"
SECOND = 1_000_000_000
GAPS = (SECOND // 10, 5 * SECOND, 93 * SECOND)
CONNECTED = "infiniband.bth && infiniband.bth.destqp != 1"

# All of queue pair 17 and 17, or 18 and 18, of the same two hosts.
PAIRS = (("rdmagen-cm-bulk", "rdmagen-cm-write-imm"),
         ("rdmagen-cm-mixed", "rdmagen-cm-write-read"),
         ("impaired_out-loss_heavy", "rdmagen-cm-bulk"),
         ("rdmagen-cm-pingpong", "lost-heavy"),
         ("impaired_in-loss_heavy", "impaired_out-reorder_heavy"),
         ("killed-client", "rdmagen-cm-mpi"),
         ("fault-rnr", "fault-wrong-rkey"),
         ("perftest-cmp_swap_bw", "path_mtu-4096"),
         ("rdmagen-exchange-bulk", "psn_wrap"),
         ("pingpong-uc", "rdmagen_transport-cm-uc"),
         ("rdmagen_transport-exchange-uc", "rdmagen-exchange-mpi"),
         ("pingpong-rc", "pingpong-uc"))
# The same PSNs again, as of programs whose queue pairs always begin with PSN 0.
AGAIN = ("rdmagen-cm-bulk", "rdmagen-cm-mixed", "pingpong-rc", "path_mtu-256", "lost-heavy", "impaired_out-loss_heavy",
         "impaired_in-loss_heavy", "perftest-cmp_swap_bw", "rdmagen-cm-write-read", "pingpong-uc", "several")

# Findings that are about all connections together.
OF_ALL = {"not_ect", "qpn_sequential", "rkey_in_clear"}

SUMS = ("messages", "messages_completed", "messages_refused", "messages_lost", "payload_bytes", "resent_bytes", "recoveries",
        "lost_before", "lost_after", "capture_lost", "missing_psns", "new_packets", "corrupt_packets", "rnr_naks",
        "sequence_naks", "fatal_naks", "msn_backwards")


@functools.cache
def passing(display_filter: str) -> dict[str, set[int]]:
    """The numbers of the frames that pass, by capture."""
    captures = [next(CAPTURES.glob(f"{name}.pcap*")) for name in sorted({*AGAIN, *(name for pair in PAIRS for name in pair)})]
    found = many_captures.rows(captures, display_filter, ["frame.number"])
    return {path.stem: {int(number) for (number,) in rows} for path, rows in found.items()}


@functools.cache
def all_frames(name: str) -> list:
    """With nanoseconds."""
    with tempfile.NamedTemporaryFile(suffix=".pcap") as out:
        subprocess.run(["editcap", "-F", "nsecpcap", next(CAPTURES.glob(f"{name}.pcap*")), out.name], capture_output=True, check=True)
        return capture_file.read_pcap(pathlib.Path(out.name))[2]


@functools.cache
def frames(name: str, display_filter: str = "") -> list:
    """Frames of a capture of ours."""
    if not display_filter:
        return all_frames(name)
    numbers = passing(display_filter)[name]
    return [frame for number, frame in enumerate(all_frames(name), 1) if number in numbers]


def time(frame) -> int:
    return frame.seconds * SECOND + frame.fraction


def at(frame, ns: int):
    return dataclasses.replace(frame, seconds=ns // SECOND, fraction=ns % SECOND)


def one_after_the_other(runs: list, gap: int) -> list:
    """The frames of all runs, each of which begins `gap` after the end of the one before it."""
    result: list = []
    for run in runs:
        shift = time(result[-1]) + gap - time(run[0]) if result else 0
        result += [at(frame, time(frame) + shift) for frame in run]
    return result


def analyze(packets: list) -> dict:
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "capture.pcap"
        capture_file.write_pcap(file, 1, packets, capture_file.PCAP_MAGIC_NANOSECONDS)
        return json.loads(subprocess.run([PROGRAM, "analyze", "--json", file], capture_output=True, check=True, text=True).stdout)


def facts(connection: dict) -> dict:
    """What the report says of a connection, without what depends on its place in the file."""
    sides = []
    for side in connection["sides"]:
        rates = {name: value for name, value in side.get("rates", {}).items() if name not in ("first_time", "last_time", "buckets")}
        sides.append({**{name: side.get(name) for name in ("address", "qpn", "packets", "bytes", "requests", "operations", "times")},
                      "rates": rates, "states": [state["state"] for state in side.get("states", [])]})
    return {"transport": connection["transport"], "paired_by": connection["paired_by"], "path_mtu": connection.get("path_mtu", 0),
            "duration": connection["last_time"] - connection["first_time"], "sides": sides}


def counts(report: dict) -> collections.Counter:
    result: collections.Counter = collections.Counter()
    for finding in report["findings"]:
        if finding["id"] not in OF_ALL:
            result[finding["id"]] += finding["count"]
    return result


def connections(report: dict) -> list:
    return [facts(connection) for connection in sorted(report["connections"], key=lambda each: each["number"])]


def sums(report: dict) -> collections.Counter:
    """What the requests of all connections add up to."""
    result: collections.Counter = collections.Counter()
    for connection in report["connections"]:
        for side in connection["sides"]:
            result.update({name: side["requests"][name] for name in SUMS})
            result["packets"] += side["packets"]
    return result


class Lifetimes(unittest.TestCase):
    maxDiff = None

    def assert_sum(self, *names: str, display_filter: str = CONNECTED, gaps: tuple = GAPS):
        runs = [frames(name, display_filter) for name in names]
        singles = [analyze(run) for run in runs]
        for gap in gaps:
            with self.subTest(runs=" ".join(names), gap=gap / SECOND):
                whole = analyze(one_after_the_other(runs, gap))
                self.assertEqual(counts(whole), sum((counts(single) for single in singles), collections.Counter()))
                self.assertEqual(sums(whole), sum((sums(single) for single in singles), collections.Counter()))
                self.assertEqual(connections(whole), [each for single in singles for each in connections(single)])

    def test_different_runs(self):
        for first, second in PAIRS:
            self.assert_sum(first, second)
            self.assert_sum(second, first, gaps=(5 * SECOND,))

    def test_three_runs(self):
        self.assert_sum("rdmagen-cm-bulk", "impaired_out-loss_heavy", "rdmagen-cm-write-imm", gaps=(*GAPS, 3600 * SECOND))

    def test_the_same_run_again(self):
        for name in AGAIN:
            self.assert_sum(name, name, name)

    def test_runs_with_their_set_up(self):
        for first, second in PAIRS[:5]:
            self.assert_sum(first, second, display_filter="")
            self.assert_sum(first, first, display_filter="")

    def test_one_direction(self):
        for first, second in PAIRS[:8]:
            for source in ("192.168.2.24", "192.168.2.25"):
                self.assert_sum(first, second, display_filter=f"{CONNECTED} && ip.src == {source}", gaps=(93 * SECOND,))

    def test_a_run_with_a_hole_is_one(self):
        for name in sorted({*AGAIN, *(name for pair in PAIRS for name in pair)}):
            run = frames(name, CONNECTED)
            expected = len(analyze(run)["connections"])
            for seed in range(4):
                randoms = random.Random(f"{name} {seed}")
                size = max(1, int(len(run) * randoms.choice((0.01, 0.1, 0.3))))
                begin = randoms.randrange(1, len(run) - size)
                rest = [at(frame, time(frame) + SECOND) for frame in run[begin + size:]]
                with self.subTest(run=name, begin=begin, size=size):
                    self.assertEqual(len(analyze(run[:begin] + rest)["connections"]), expected)

    def test_a_thinned_run_is_one(self):
        for name in AGAIN[:8]:
            run = frames(name, CONNECTED)
            for share in (0.01, 0.1, 0.3):
                randoms = random.Random(f"{name} {share}")
                with self.subTest(run=name, share=share):
                    self.assertEqual(len(analyze([frame for frame in run if randoms.random() >= share])["connections"]),
                                     len(analyze(run)["connections"]))

    def test_an_idle_queue_pair_goes_on(self):
        for name in ("rdmagen-cm-bulk", "path_mtu-4096", "pingpong-uc", "perftest-cmp_swap_bw"):
            run = frames(name, CONNECTED)
            for pause in (SECOND, 60 * SECOND, 3600 * SECOND):
                middle = len(run) // 2
                paused = run[:middle] + [at(frame, time(frame) + pause) for frame in run[middle:]]
                with self.subTest(run=name, pause=pause / SECOND):
                    self.assertEqual(sums(analyze(paused)), sums(analyze(run)))


if __name__ == "__main__":
    unittest.main()
