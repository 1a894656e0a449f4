"""Partial results of two capture points of a simulation, and what merge says of them. Takes the program off the command line."""
from __future__ import annotations

import ipaddress
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

from simulation import Simulation, streams

PROGRAM = sys.argv.pop(1)


def run(*words: object) -> subprocess.CompletedProcess:
    return subprocess.run([PROGRAM, *map(str, words)], capture_output=True, check=False)


def point_of(report: dict) -> int:
    return int(pathlib.Path(report["captures"][0]["path"]).stem)


def sender_of(row: dict) -> int:
    return streams.ADDRESSES.index(ipaddress.ip_address(row["source"]).packed)


def points_of(reports: list[dict], row: dict) -> tuple[int, int]:
    """Where packets pass first, and the other: as the simulation counts its points."""
    return point_of(reports[row["from_point"] - 1]), point_of(reports[row["to_point"] - 1])


class TwoPoints(unittest.TestCase):
    def setUp(self) -> None:
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)

    def parts(self, simulation: Simulation, clock: int = 0, cuts: tuple = ((0, 1), (0, 1)), options: tuple = ()) -> list[pathlib.Path]:
        parts = []
        for point in (0, 1):
            capture, part = self.folder / f"{point}.pcap", self.folder / f"{point}.rsp"
            simulation.write(point, capture, clock * point, *cuts[point])
            part.unlink(missing_ok=True)
            made = run("analyze", "--json", "--partial", part, *options, capture)
            self.assertEqual((made.returncode, made.stderr), (0, b""))
            (self.folder / f"{point}.json").write_bytes(made.stdout)
            parts.append(part)
        return parts

    def merged(self, parts: list[pathlib.Path]) -> list[dict]:
        made = run("merge", "--json", *parts)
        self.assertEqual((made.returncode, made.stderr), (0, b""))
        other = run("merge", "--json", *reversed(parts))
        self.assertEqual(made.stdout, other.stdout, "the order of the files matters")
        document = json.loads(made.stdout)
        self.assertEqual(document["type"], "reports")
        return document["reports"]

    def compared(self, simulation: Simulation, **options) -> tuple[int, int, list[dict]]:
        """Packets said to be lost, and packets that were dropped."""
        reports = self.merged(self.parts(simulation, **options))
        lost = 0
        dropped = simulation.lost_in_sight(options.get("cuts", ((0, 1), (0, 1))))
        for row in reports[0]["point_comparisons"]:
            self.assertTrue(row["by_messages"])
            sender = sender_of(row)
            near = points_of(reports, row)[0]
            if row["ordered"]:
                self.assertEqual(near, sender, row)
            alone, elsewhere = (row[name] for name in (("only_from_packets", "only_to_packets") if near == sender else
                                                       ("only_to_packets", "only_from_packets")))
            self.assertLessEqual(alone, dropped[sender, row["dest_qp"]], row)
            self.assertEqual(elsewhere, 0, row)
            lost += alone
        return lost, sum(simulation.dropped.values()), reports
