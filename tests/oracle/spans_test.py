#!/usr/bin/env python3
"""Commands beside the packets of `flow`: the members of its JSON and the lanes of its text, beside commands.csv and what the host's kernel
traced while the capture was made."""
import json
import pathlib
import re
import subprocess
import unittest
from collections import Counter, defaultdict

from command_rows import CAPTURES, PROGRAM, left_of, named, rows_of

PROTOCOLS = ("nvme", "nfs", "iser", "srp", "smb", "rnbd", "rds", "rsockets")
WITH_COMMANDS = sorted(file for protocol in PROTOCOLS for file in CAPTURES.glob(f"{protocol}*.pcapng"))
MOST_LANES = 8
LANES = re.compile(r"^.{27} \|.*?[|*] ([.'x| ]+)$")  # behind the margin and the two sides


def flow(capture: pathlib.Path, connection: int, *options: str) -> str:
    return subprocess.run([PROGRAM, "flow", "-q", "--connection", str(connection), *options, capture], check=True, capture_output=True,
                          text=True, timeout=60).stdout


def objects(capture: pathlib.Path, connection: int, *options: str) -> list[dict]:
    return [json.loads(line) for line in flow(capture, connection, "--json", *options).splitlines()]


def cell(value) -> str:
    return {True: "true", False: "false"}.get(value, str(value)) if isinstance(value, bool) else str(value)


def of_type(found: list[dict], kind: str) -> list[dict]:
    return [each for each in found if each["type"] == kind]


def by_connection(rows: list[dict]) -> dict[int, list[dict]]:
    connections = defaultdict(list)
    for row in rows:
        connections[int(row["connection"])].append(row)
    return connections


def ends_in(found: list[dict], member: str) -> dict[int, dict]:
    """The packets that begin or end each command."""
    return {number: each for each in of_type(found, "packets") for number in each.get(member, ())}


def marks_of(text: str) -> list[tuple[int, str]]:
    """Each begin and end of a span, with its frame."""
    marks = []
    for line in text.splitlines():
        match = LANES.match(line)
        frame = line[1:7].strip()
        if match and frame.isdigit():
            marks += [(int(frame), mark) for mark in match[1] if mark in ".'x"]
    return marks


def most_at_once(rows: list[dict]) -> int:
    steps = []
    for row in rows:
        steps += [(int(row["request_packet"] or row["response_packet"]), 1), (int(row["response_packet"] or 1 << 60), -1)]
    now = most = 0
    for _, step in sorted(steps, key=lambda each: (each[0], -each[1])):
        now += step
        most = max(most, now)
    return most


def one_way(row: dict) -> bool:
    return row["outcome"] in ("succeeded", "failed") and not row["response_packet"]


class Spans(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.tables = {capture: by_connection(rows_of(capture)) for capture in WITH_COMMANDS}

    def each(self):
        return ((capture, connection, rows) for capture, connections in self.tables.items() for connection, rows in connections.items())

    def test_there_are_captures_of_all_protocols(self):
        found = {row["protocol"] for connections in self.tables.values() for rows in connections.values() for row in rows}
        self.assertEqual(found, {"NVMe-oF", "NFS/RDMA", "iSER", "SRP", "SMB Direct", "RTRS/RNBD", "RDS", "rsockets"})

    def test_objects_are_the_rows(self):
        for capture, connection, rows in self.each():
            mine = {each["number"]: each for each in of_type(objects(capture, connection), "command")}
            self.assertEqual(sorted(mine), sorted(int(row["number"]) for row in rows))
            for row in rows:
                theirs = {name: value for name, value in row.items() if value}
                ours = {name: cell(value) for name, value in mine[int(row["number"])].items() if name != "type" and value != ""}
                self.assertEqual(ours, theirs)

    def test_packets_name_their_commands(self):
        for capture, connection, rows in self.each():
            for options in ((), ("-v",)):
                found = objects(capture, connection, *options)
                for member, column in (("requests", "request_packet"), ("responses", "response_packet")):
                    packets = ends_in(found, member)
                    expected = {int(row["number"]): int(row[column]) for row in rows if row[column]}
                    self.assertEqual(packets.keys(), expected.keys())
                    for number, frame in expected.items():
                        packet = packets[number]
                        self.assertTrue(packet["frame"] <= frame <= packet.get("last_frame", packet["frame"]))
                        self.assertLessEqual(packet.get("messages", 1), 1)

    def test_a_command_comes_before_its_packets(self):
        for capture, connection, _ in self.each():
            known = set()
            for each in objects(capture, connection):
                if each["type"] == "command":
                    known.add(each["number"])
                self.assertLessEqual({*each.get("requests", ()), *each.get("responses", ())}, known)

    def test_lanes(self):
        """Their marks stand beside the packets that commands.csv names."""
        compared = 0
        for capture, connection, rows in self.each():
            rows = [row for row in rows if not one_way(row)]
            if most_at_once(rows) > MOST_LANES:
                continue
            found = objects(capture, connection, "-v")
            expected = Counter()
            for member, column in (("requests", "request_packet"), ("responses", "response_packet")):
                for row in rows:
                    mark = "." if member == "requests" else "x" if row["outcome"] == "failed" else "'"
                    if row[column]:
                        expected[int(row[column]), mark] += 1
            self.assertEqual(Counter(marks_of(flow(capture, connection, "-v"))), expected)
            compared += len(of_type(found, "command"))
        self.assertGreater(compared, 500)

    def test_lanes_go_from_request_to_response(self):
        """Beside each line stand as many lanes as commands are outstanding there by commands.csv."""
        for capture, connection, rows in self.each():
            rows = [row for row in rows if not one_way(row)]
            if most_at_once(rows) > MOST_LANES:
                continue
            for line in flow(capture, connection, "-v").splitlines():
                if not line[1:7].strip().isdigit():
                    continue
                frame, match = int(line[1:7]), LANES.match(line)
                outstanding = sum(int(row["request_packet"] or row["response_packet"]) <= frame <= int(row["response_packet"] or 1 << 60)
                                  for row in rows)
                self.assertEqual(len(match[1].replace(" ", "")) if match else 0, outstanding, line)

    def test_captions(self):
        """Each response says how long its command took."""
        units = {"ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9}
        for capture, connection, rows in self.each():
            captions = Counter()
            text = re.sub(r"\s+", " ", re.sub(r"(?m)^ {28}\|(.*?)\|[ |]*$", r"\1", flow(capture, connection, "-v")))
            for total, unit, target, its_unit in re.findall(r"took ([\d.]+) (\w+) \(([\d.]+) (\w+) target", text):
                captions[round(float(total) * units[unit]), round(float(target) * units[its_unit])] += 1
            answered = [row for row in rows if row["latency"]]
            if len({row["response_packet"] for row in answered}) < len(answered):
                continue  # several that one packet answers
            self.assertEqual(captions.total(), len(answered))
            left = list(captions.elements())
            for row in answered:
                near = [each for each in left if abs(each[0] - int(row["latency"])) <= int(row["latency"]) * 0.006
                        and abs(each[1] - int(row["target_time"])) <= int(row["target_time"]) * 0.006]
                self.assertTrue(near, row)
                left.remove(near[0])

    def test_the_kernel_of_the_host(self):
        """Spans of NVMe, in the order of their requests, are what the host's kernel issued."""
        from commands_test import CAPTURES_WITH_TRACES, traced
        for capture in CAPTURES_WITH_TRACES:
            theirs = Counter((each["queue"], each["id"], each["operation"]) for each in traced(capture)
                             if each["operation"] and not each["operation"].startswith("Auth"))
            ours = Counter()
            for connection in self.tables[capture]:
                found = objects(capture, connection)
                begun = ends_in(found, "requests")
                ours.update((each["queue"], int(each["id"], 0), each["operation"]) for each in of_type(found, "command")
                            if each["number"] in begun)
            self.assertEqual(theirs - ours, Counter(), capture.name)

    def test_open_ends(self):
        """Of a time, the spans of what is outstanding then: they have no begin or no end where that is not shown."""
        for name in ("nvme_slow", "nfs_slow-41", "srp_io", "iser_slow", "rnbd_slow"):
            capture = named(name)
            connection, rows = max(self.tables[capture].items(), key=lambda each: len(each[1]))
            timed = [row for row in rows if row["completed"] and row["issued"]]
            row = timed[len(timed) // 2]
            seconds, rest = divmod(int(row["issued"]) + 1, 10**9)
            middle = f"{seconds}.{rest:09}"
            before, behind = flow(capture, connection, "-v", "--to", middle), flow(capture, connection, "-v", "--from", middle)
            self.assertIn(int(row["request_packet"]), {frame for frame, mark in marks_of(before) if mark == "."})
            self.assertNotIn(int(row["response_packet"]), {frame for frame, _ in marks_of(before)})
            self.assertNotIn(int(row["request_packet"]), {frame for frame, _ in marks_of(behind)})
            self.assertIn(int(row["response_packet"]), {frame for frame, mark in marks_of(behind) if mark in "'x"})
            first = next(line for line in behind.splitlines() if line[1:7].strip().isdigit())
            self.assertTrue(LANES.match(first), first)
            shown = {each["number"] for each in of_type(objects(capture, connection, "--from", middle), "command")}
            self.assertEqual(shown, {int(each["number"]) for each in rows
                                     if not each["response_packet"] or int(each["response_packet"]) > int(row["request_packet"])})

    def test_captures_that_are_cut(self):
        """Without their first half, and of one direction: what is not there has no marks."""
        for name in ("nvme_slow", "nfs_io-41", "srp_io", "smb_io"):
            capture = named(name)
            frames = max(int(row["request_packet"] or 0) for rows in self.tables[capture].values() for row in rows)
            with left_of(capture, f"frame.number > {frames // 2}") as part:
                for connection, rows in by_connection(rows_of(part)).items():
                    expected = Counter(int(row[column]) for row in rows for column in ("request_packet", "response_packet") if row[column])
                    self.assertEqual(Counter(frame for frame, _ in marks_of(flow(part, connection, "-v"))), expected)
            with left_of(capture, "ip.src == 192.168.2.25") as part:
                for connection in by_connection(rows_of(part)):
                    self.assertEqual(marks_of(flow(part, connection)), [])

    def test_lines_are_equally_wide(self):
        for capture, connection, _ in self.each():
            lines = [line for line in flow(capture, connection).splitlines() if line[1:7].strip().isdigit()]
            self.assertLessEqual(max(map(len, lines)), 80)

    def test_many_at_once(self):
        """Lanes for eight, and a line that counts the others."""
        responses = "ip.src == 192.168.2.24 and infiniband.bth.opcode in {4, 23}"  # SENDs: without them all is outstanding
        with left_of(named("nvme_slow"), f"not ({responses})") as part:
            rows = [row for row in rows_of(part) if row["connection"] == "2"]
            text, single = flow(part, 2), flow(part, 2, "-v")
        self.assertGreater(most_at_once(rows), MOST_LANES)
        self.assertEqual(max(len(match[1]) for match in map(LANES.match, text.splitlines()) if match), MOST_LANES)
        others = int(re.search(r"^([\d,]+) commands? without a lane", text, re.MULTILINE)[1].replace(",", ""))
        self.assertEqual(sum(mark == "." for _, mark in marks_of(single)), MOST_LANES)
        self.assertEqual(others, len(rows) - MOST_LANES)


if __name__ == "__main__":
    unittest.main()
