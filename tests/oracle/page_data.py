"""Reads the data of the page of `rocescope analyze --html`, and runs the program for tests of it."""
import collections
import csv
import html.parser
import itertools
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

PROGRAM = sys.argv.pop(1)
SYNTH = sys.argv.pop(1) if len(sys.argv) > 1 and not sys.argv[1].startswith("-") else None
CAPTURES = pathlib.Path(__file__).resolve().parents[2] / "captures"
NAMES = ("impaired_out-loss_heavy.pcapng", "impaired_out-reorder_heavy.pcapng", "impaired_out-corrupt_heavy.pcapng",
         "rdmagen_several-cm.pcapng", "fault-rnr.pcapng", "fault-wrong-rkey.pcapng", "fault-slow-receiver.pcapng", "ecn-heavy.pcapng",
         "lost_answers_out-read.pcapng", "killed-client.pcapng", "pingpong-uc.pcapng", "psn_wrap.pcapng", "nvme.pcapng",
         "several.pcapng", "lab_pingpong_atomic_udaddy.pcap")


class Data(html.parser.HTMLParser):
    """The data elements of a page, by name."""

    def __init__(self, text: str):
        super().__init__(convert_charrefs=False)
        self.texts, self.name = {}, None
        self.feed(text)
        self.close()
        self.sections = {name: json.loads(text) for name, text in self.texts.items()}

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        self.name = None
        if tag == "script" and values.get("type") == "application/json":
            assert values["id"].startswith("data-") and values["id"][5:] not in self.texts, values
            self.name = values["id"][5:]
            self.texts[self.name] = ""

    def handle_endtag(self, tag):
        self.name = None

    def handle_data(self, data):
        if self.name is not None:
            self.texts[self.name] += data

    def __getitem__(self, name: str):
        return self.sections[name]

    @property
    def start(self) -> int:
        return int(self["meta"]["start_ns"])

    @property
    def connections(self) -> dict[int, dict]:
        return {number: self[f"connection-{number}"] for number in self["meta"]["detailed"]}

    def rows(self, name: str) -> list[dict]:
        """Of a table, with times since 1970."""
        table = self[f"table-{name}"]
        assert table["row_count"] == len(table["rows"])
        assert len({column["name"] for column in table["columns"]}) == len(table["columns"]), name
        rows = []
        for cells in table["rows"]:
            cells = iter(cells)
            row = {column["name"]: column["constant"] if "constant" in column else next(cells) for column in table["columns"]}
            assert next(cells, None) is None
            for column in table["columns"]:
                if column["type"] == "time" and row[column["name"]] is not None:
                    row[column["name"]] += self.start
            rows.append(row)
        return rows


def running(differences: list[int]) -> list[int]:
    return list(itertools.accumulate(differences))


def cell(value) -> str:
    if value is None:
        return ""
    if isinstance(value, list):
        return " ".join(map(cell, value))
    return str(value).lower() if isinstance(value, bool) else str(value)


def total(series: dict | None) -> int:
    return sum(series["values"]) if series else 0


def analyze(*arguments, express: str = "on", stdin=None) -> subprocess.CompletedProcess:
    return subprocess.run([PROGRAM, "analyze", "-q", *arguments], capture_output=True, text=True, timeout=120, stdin=stdin,
                          env=os.environ | {"ROCESCOPE_EXPRESS": express})


def fields(program: list, capture, names: list[str], *arguments) -> list[list[str]]:
    columns = [word for name in names for word in ("-e", name)]
    command = [*program, *arguments, "-T", "fields", *columns]
    lines = subprocess.run([*command, *(["-r", capture] if program[0] == "tshark" else [capture])], capture_output=True, check=True,
                           text=True).stdout
    return [line.split("\t") for line in lines.splitlines()]


def each_capture(*must_see: str):
    """The test is called with the path, the data, the tables and the JSON of each of NAMES; together they add all of `must_see` to
    self.seen."""

    def decorate(test):
        def run(self):
            self.seen = set()
            for name in NAMES:
                with self.subTest(name):
                    test(self, CAPTURES / name, *self.run_on(CAPTURES / name))
            self.assertLessEqual(set(must_see), self.seen)

        return run

    return decorate


class PageTest(unittest.TestCase):
    """Of one run or several, each with its page and its tables in a folder of its own."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.runs = 0

    def run_on(self, *arguments, express: str = "on", stdin=None) -> tuple[Data, pathlib.Path, dict]:
        """The data, the folder with the tables, and the JSON of one run."""
        self.runs += 1
        folder = self.folder / str(self.runs)
        done = analyze("--html", folder.with_suffix(".html"), "--csv", folder, "--json", *arguments, express=express, stdin=stdin)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(list(self.folder.glob("*.html?*")), [], "a draft is left")
        return Data(folder.with_suffix(".html").read_text()), folder, json.loads(done.stdout)

    def rows(self, folder: pathlib.Path, name: str) -> list[dict[str, str]]:
        with (folder / f"{name}.csv").open(newline="") as file:
            return list(csv.DictReader(file, strict=True))
