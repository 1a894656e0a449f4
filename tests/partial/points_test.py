#!/usr/bin/env python3
"""Whether partial results of several capture points are merged into a report of each.

Each report must be the one that analyze gives of its point; neither the order of the files matters, nor which are merged before others.

    points_test.py PROGRAM
"""
from __future__ import annotations

import json
import pathlib
import random
import re
import unittest

from simulation import SECOND, Simulation, packets
from two_points import TwoPoints, point_of, run

CAPTURES = pathlib.Path(__file__).resolve().parents[2] / "captures"


class Points(TwoPoints):
    def shards(self) -> list[pathlib.Path]:
        """Two of each point, whose captures are there."""
        shards = []
        for point in (0, 1):
            for number in (1, 2):
                shards.append(self.folder / f"{point}-{number}.rsp")
                made = run("analyze", "--shard", f"{number}/2", "--partial", shards[-1], self.folder / f"{point}.pcap")
                self.assertEqual(made.returncode, 0, made.stderr)
        return shards

    def test_each_report_is_that_of_its_point(self) -> None:
        reports = self.merged(self.parts(Simulation(3, (0.02, 0), 0, 4, 60)))
        for report in reports:
            alone = json.loads((self.folder / f"{point_of(report)}.json").read_bytes())
            self.assertEqual(len(report["capture_points"]), 2)
            for each in (report, alone):
                for name in ("capture_points", "point_comparisons"):
                    each.pop(name, None)
                for connection in each["connections"]:
                    connection.pop("capture_point", None)
                each["findings"] = [{name: value for name, value in finding.items() if name != "capture_point"}
                                    for finding in each["findings"] if finding["id"] != "packet_loss_between"]
            self.assertEqual({key: value for key, value in report.items() if key != "findings"},
                             {key: value for key, value in alone.items() if key != "findings"})

    def test_shards_of_points_are_merged(self) -> None:
        simulation = Simulation(5, (0.02, 0), 0, 4, 60)
        expected = self.merged(self.parts(simulation))
        shards = self.shards()
        random.Random(1).shuffle(shards)
        reports = self.merged(shards)
        for report in [*expected, *reports]:
            report.pop("capture_points")
        self.assertEqual(reports, expected)
        missing = run("merge", *shards[1:])
        self.assertEqual(missing.returncode, 2)

    def test_some_shards_may_be_merged_before_others(self) -> None:
        """In one file, those of several points and a whole result, though others of each point are missing."""
        whole = self.folder / "other.rsp"
        capture = self.folder / "other.pcap"
        Simulation(10, (0, 0), 0, 2, 60).write(0, capture, -SECOND)
        run("analyze", "--partial", whole, capture)
        self.parts(Simulation(5, (0.02, 0), 0, 4, 60))
        one, two, three, four = self.shards()
        expected = self.merged([one, two, three, four, whole])
        together, more = self.folder / "together.rsp", self.folder / "more.rsp"
        for first, then, left in (([one, three], [whole, four], [two]), ([one, whole], [three, four], [two]),
                                  ([one, three, whole], [two], [four])):
            for file, parts in ((together, first), (more, [together, *then])):
                file.unlink(missing_ok=True)
                made = run("merge", "--partial", file, *parts)
                self.assertEqual((made.returncode, made.stderr), (0, b""), parts)
            self.assertEqual(self.merged([more, *left]), expected)
            missing = run("merge", "--json", more)
            self.assertEqual((missing.returncode, missing.stdout), (2, b""))
            self.assertRegex(missing.stderr, rb"shard [12] of 2( of '[^']*')? is missing")

    def test_shards_of_other_options_do_not_fit(self) -> None:
        self.parts(Simulation(5, (0, 0), 0, 2, 20))
        one, _, three, four = self.shards()
        other = self.folder / "narrow.rsp"
        run("analyze", "--shard", "2/2", "--to", "+1", "--partial", other, self.folder / "0.pcap")
        for options in ((), ("--partial", self.folder / "x.rsp")):
            refused = run("merge", *options, one, other)
            self.assertEqual(refused.returncode, 2)
            self.assertIn(b"are not of the same captures and options: '-- ", refused.stderr)
        refused = run("merge", one, three, four)
        self.assertIn(f"shard 2 of 2 of '-- {self.folder / '0.pcap'}' is missing".encode(), refused.stderr)

    def test_other_captures_of_the_same_name_do_not_fit(self) -> None:
        """The name is all that shards know of where their captures are."""
        self.parts(Simulation(5, (0, 0), 0, 2, 20))
        one, two, _, _ = (path.rename(path.with_suffix(".first")) for path in self.shards())
        Simulation(6, (0, 0), 0, 2, 30).write(0, self.folder / "0.pcap", SECOND)
        three, _, _, _ = self.shards()
        for options in ((), ("--partial", self.folder / "x.rsp")):
            refused = run("merge", *options, one, two, three)
            self.assertEqual(refused.returncode, 2)
            self.assertIn(b"did not read the same packets: the captures changed, or others have their names", refused.stderr)

    def seen_twice(self, capture: str, later: int, more: packets.Packet | None = None) -> pathlib.Path:
        """What a host captured at two interfaces, the second 2 us behind the first. `more` comes for 9 s behind it."""
        path = self.folder / f"{capture}-{later}.pcapng"
        whole = [packet.changed(time=packet.time + later + 2_000 * interface, interface=interface)
                 for packet in packets.read(CAPTURES / capture) for interface in (0, 1)]
        whole.sort(key=lambda packet: packet.time)
        if more is not None:
            whole += [more.changed(time=whole[-1].time + 300_000_000 * i, interface=0) for i in range(1, 30)]
        packets.write(path, whole)
        return path

    def test_connections_that_were_evicted(self) -> None:
        """Nobody knows any more at which of several points they were seen."""
        for capture in ("fault-rnr.pcapng", "nvme.pcapng", "killed-server.pcapng"):
            for option in ("--idle-timeout=100ms", "--max-connections=1"):
                parts = [self.folder / f"{later}.rsp" for later in (0, 3_000_000)]
                for part, later in zip(parts, (0, 3_000_000)):
                    part.unlink(missing_ok=True)
                    made = run("analyze", "-q", option, "--partial", part, self.seen_twice(capture, later))
                    self.assertEqual(made.returncode, 0, made.stderr)
                for report in self.merged(parts):
                    numbers = {point["number"] for point in report["capture_points"]}
                    for row in report["point_comparisons"]:
                        self.assertLessEqual({row["from_point"], row["to_point"]}, numbers)

    def test_connections_that_were_all_evicted(self) -> None:
        """Packets of others come for 9 s, so that no connection is left: the messages are compared with nothing."""
        datagram = [packet for packet in packets.read(CAPTURES / "perftest-ud_send_bw.pcapng") if packet.bth][-1]
        parts = []
        for later, evicts in ((0, True), (3_000_000, False), (6_000_000, False)):
            path = self.seen_twice("fault-rnr.pcapng", later, datagram if evicts else None)
            parts.append(path.with_suffix(".rsp"))
            made = run("analyze", "-q", "--json", *(["--idle-timeout=1s"] if evicts else []), "--partial", parts[-1], path)
            self.assertEqual(made.returncode, 0, made.stderr)
            document = json.loads(made.stdout)
            self.assertEqual((len(document["capture_points"]), document["connections"] == []), (2, evicts))
        first, *others = self.merged(parts)
        self.assertEqual({(row["from_point"], row["to_point"]) for row in first["point_comparisons"]}, {(1, 2)})
        for report in others:
            self.assertTrue(report["point_comparisons"])
            self.assertFalse([row for row in report["point_comparisons"] if row["from_point"] < 3 or row["to_point"] < 3])

    def test_shards_that_have_nothing_are_of_their_captures(self) -> None:
        """Of captures that cannot be shared out the first shard has all: the others must know whose they are all the same."""
        one, other = self.seen_twice("ucmatose.pcapng", 0), self.seen_twice("ucmatose.pcapng", 3_000_000)
        shards = {}
        for capture, name in ((one, "a"), (other, "b")):
            for number in range(1, 12):
                shards[name, number] = self.folder / f"{number}{name}.rsp"  # 10a.rsp comes before 1a.rsp
                made = run("analyze", "--shard", f"{number}/11", "--partial", shards[name, number], capture)
                self.assertEqual(made.returncode, 0)
                self.assertIn(b"follows all packets", made.stderr)
        whole = self.folder / "whole.rsp"
        run("analyze", "--partial", whole, one)
        ones, others = ([shard for (name, _), shard in shards.items() if name == wanted] for wanted in "ab")
        refused = run("merge", *ones, whole)
        self.assertEqual(refused.returncode, 2)
        self.assertIn(b"are of the same captures: each is merged once", refused.stderr)
        expected = self.merged([*ones, *others])
        self.assertEqual(len(expected), 2)
        for name in ("0", "z"):  # the names of the files say nothing
            renamed = [shard.rename(shard.with_suffix(f".{name}{number}")) for number, shard in enumerate([*ones, *others])]
            self.assertEqual(self.merged(renamed), expected)
            ones, others = renamed[:11], renamed[11:]
        together = self.folder / "together.rsp"
        made = run("merge", "--partial", together, ones[3], others[5])
        self.assertEqual((made.returncode, made.stderr), (0, b""))
        self.assertEqual(self.merged([together, *ones[:3], *ones[4:], *others[:5], *others[6:]]), expected)

    def test_some_may_be_merged_before_others(self) -> None:
        parts = self.parts(Simulation(9, (0.02, 0), 0, 2, 60))
        other = self.folder / "other.rsp"
        capture = self.folder / "other.pcap"
        Simulation(10, (0, 0), 0, 2, 60).write(0, capture, -SECOND)
        run("analyze", "--partial", other, capture)
        together, all_of_them = self.folder / "together.rsp", self.folder / "all.rsp"
        self.assertEqual(run("merge", "--partial", together, parts[1], other).returncode, 0)
        self.assertEqual(run("merge", "--partial", all_of_them, together, parts[0]).returncode, 0)
        expected = self.merged([*parts, other])
        self.assertEqual(len(expected), 3)
        self.assertEqual(self.merged([together, parts[0]]), expected)
        self.assertEqual(self.merged([all_of_them]), expected)
        bytes_ = all_of_them.read_bytes()
        for size in (len(bytes_) - 1, len(bytes_) // 2):
            together.write_bytes(bytes_[:size])
            self.assertEqual(run("merge", together).returncode, 2)
        together.write_bytes(bytes_ + b"x")
        self.assertIn(b"something follows its end", run("merge", together).stderr)
        export = run("export", "--clickhouse", "http://127.0.0.1:1", all_of_them)
        self.assertIn(b"several capture points", export.stderr)

    def test_more_points_than_a_byte_counts(self) -> None:
        """Of many pairs of hosts, each with its own connections: 300 points, of which two each see the same."""
        pairs, parts, dropped = 150, [], {}
        for pair in range(pairs):
            simulation = Simulation(pair, (0.05, 0), 0, 2, 8, None, 0x1000 + 2 * pair)
            dropped |= {stream.queue_pair: simulation.dropped[stream.sender, stream.queue_pair] for stream in simulation.streams}
            for point in (0, 1):
                capture = self.folder / f"{pair}-{point}.pcap"
                simulation.write(point, capture, pair * SECOND)
                parts.append(self.folder / f"{pair}-{point}.rsp")
                self.assertEqual(run("analyze", "--partial", parts[-1], capture).returncode, 0)
        random.Random(1).shuffle(parts)
        reports = self.merged(parts)
        self.assertEqual(len(reports), 2 * pairs)
        lost = 0
        for number, report in enumerate(reports, 1):
            pair = int(pathlib.Path(report["captures"][0]["path"]).stem.split("-")[0])
            own = {connection["capture_point"] for connection in report["connections"]}
            self.assertEqual(own, {number})
            numbers = [point["number"] for point in report["capture_points"]]
            self.assertEqual(numbers, [2 * pair + 1, 2 * pair + 2])
            for row in report["point_comparisons"]:
                self.assertEqual(sorted((row["from_point"], row["to_point"])), numbers)
                self.assertIn(row["dest_qp"], (0x1000 + 2 * pair, 0x1001 + 2 * pair))
                self.assertLessEqual(row["only_from_packets"], dropped[row["dest_qp"]])
                lost += row["only_from_packets"] / 2  # the other report has the row, too
        self.assertGreater(lost, 0.5 * sum(dropped.values()))
        self.assertEqual(sum(len(report["point_comparisons"]) for report in reports), 2 * len(dropped))
        text = run("merge", *parts).stdout.decode()
        self.assertIn(f"Capture point {2 * pairs} of {2 * pairs}", text)
        half, whole = self.folder / "half", self.folder / "whole"
        self.assertEqual(run("merge", "--partial", half, *parts[pairs:]).returncode, 0)
        self.assertEqual(run("merge", "--partial", whole, half, *parts[:pairs]).returncode, 0)
        self.assertEqual(self.merged([whole]), reports)
        csv = self.folder / "csv"
        self.assertEqual(run("merge", "--csv", csv, whole).returncode, 0)
        header, *rows = (csv / str(2 * pairs) / "connections.csv").read_text().splitlines()
        column = header.split(",").index("capture_point")
        self.assertEqual({row.split(",")[column] for row in rows}, {str(2 * pairs)})

    def test_pages(self) -> None:
        if b"--html" not in run("help", "merge").stdout:
            self.skipTest("this build has no pages")
        parts = self.parts(Simulation(8, (0.03, 0), 0, 2, 60))

        def section(page: pathlib.Path, name: str) -> dict:
            found = re.search(rf'<script type="application/json" id="data-{name}">(.*?)</script>', page.read_text(), re.DOTALL)
            return json.loads(found.group(1))
        one = run("merge", "--html", self.folder / "one.html", parts[0])
        self.assertEqual((one.returncode, one.stderr), (0, b""))
        report = json.loads(run("merge", "--json", parts[0]).stdout)
        page = self.folder / "one.html"
        self.assertEqual(section(page, "meta")["connections"], len(report["connections"]))
        messages = sum(each["messages"] for connection in report["connections"] for side in connection["sides"] for each in side["operations"])
        self.assertEqual(section(page, "meta")["tables"]["messages"], [messages, 0])
        self.assertTrue(any("partial results" in text for text in section(page, "meta")["left_out"]))
        self.assertEqual(section(page, "marks")["series"], {})
        for pair in section(page, "pairs")["pairs"]:
            for direction in pair["directions"]:
                self.assertEqual((direction["tcp"], direction["other"], direction["roce"]["ce_packets"]), (None, None, None))
        sent = sum(direction["roce"]["packets"] for pair in section(page, "pairs")["pairs"] for direction in pair["directions"])
        self.assertEqual(sent, report["totals"]["roce_packets"])
        self.assertIn(b"is there already", run("merge", "--html", page, parts[0]).stderr)
        several = run("merge", "--html", self.folder / "pages", *parts)
        self.assertEqual((several.returncode, several.stderr), (0, b""))
        self.assertEqual(sorted(path.name for path in (self.folder / "pages").iterdir()), ["1.html", "2.html"])
        for number in (1, 2):
            self.assertEqual(section(self.folder / f"pages/{number}.html", "meta")["tables"]["comparisons"], [2, 0])
        (self.folder / "few.rsp").unlink(missing_ok=True)
        run("analyze", "--no-messages", "--partial", self.folder / "few.rsp", self.folder / "0.pcap")
        self.assertEqual(run("merge", "--html", self.folder / "few.html", self.folder / "few.rsp").returncode, 0)
        self.assertTrue(any("--no-messages" in text for text in section(self.folder / "few.html", "meta")["left_out"]))
        self.assertEqual(run("merge", "--html", self.folder / "x.html", "--partial", self.folder / "x.rsp", parts[0]).returncode, 2)

    def test_what_does_not_fit_is_refused(self) -> None:
        parts = self.parts(Simulation(6, (0, 0), 0, 2, 20))
        twice = run("merge", parts[0], parts[1], parts[0])
        self.assertEqual(twice.returncode, 2)
        self.assertIn(b"are of the same captures", twice.stderr)

    def test_without_messages_nothing_is_compared(self) -> None:
        parts = self.parts(Simulation(7, (0.05, 0), 0, 2, 40), options=("--no-messages",))
        made = run("merge", "--json", *parts)
        self.assertEqual(made.returncode, 0)
        self.assertIn(b"has no messages", made.stderr)
        for report in json.loads(made.stdout)["reports"]:
            self.assertEqual(report["point_comparisons"], [])

    def test_text_and_csv_name_the_points(self) -> None:
        parts = self.parts(Simulation(8, (0.03, 0), 0, 2, 60))
        text = run("merge", *parts).stdout.decode()
        for words in ("Capture point 1 of 2", "Capture point 2 of 2", "Between capture points", "compared by their messages",
                      "packets lost between the capture points"):
            self.assertIn(words, text)
        made = run("merge", "--csv", self.folder / "csv", *parts)
        self.assertEqual(made.returncode, 0, made.stderr)
        for number in ("1", "2"):
            self.assertTrue((self.folder / "csv" / number / "messages.csv").is_file())


if __name__ == "__main__":
    unittest.main()
