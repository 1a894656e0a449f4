#!/usr/bin/env python3
"""Capture points against captures whose points are known.

The scenarios two_views* show each packet on both sides of an impaired network: what became of each between the two follows from the IPv4
identifications alone. The other captures are made to show each packet at a second point, in all the ways in which people get that: then
each point must give the figures of the capture as it was, and nothing may be lost between.
"""
import dataclasses
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import capture_file
import two_views
from capture_file import Frame

PROGRAM = sys.argv.pop(1)
CAPTURES = pathlib.Path(__file__).resolve().parents[2] / "captures"
SCENARIOS = ("impaired_out-loss_heavy", "impaired_in-loss_heavy", "lost-heavy", "rdmagen-cm-mixed", "rdmagen-exchange-mpi",
             "rdmagen_several-exchange", "ucmatose", "pingpong-uc", "fault-rnr", "ecn-heavy", "ipv6", "several", "udaddy",
             # Of these no packet has an identification.
             "ipv6_lost-write", "ipv6_lost-read")
NANOSECONDS = 1_000_000_000


def report_of(*files: pathlib.Path, options: tuple[str, ...] = ()) -> dict:
    run = subprocess.run([PROGRAM, "analyze", "--json", *options, *files], capture_output=True, check=True)
    return json.loads(run.stdout)


def frames_of(name: str, folder: pathlib.Path) -> tuple[int, list[Frame]]:
    plain = folder / "plain.pcap"
    subprocess.run(["editcap", "-F", "nsecpcap", CAPTURES / f"{name}.pcapng", plain], check=True)
    link_type, _, frames = capture_file.read_pcap(plain)
    return link_type, frames


def later(frame: Frame, nanoseconds: int) -> Frame:
    time = frame.seconds * NANOSECONDS + frame.fraction + nanoseconds
    return dataclasses.replace(frame, seconds=time // NANOSECONDS, fraction=time % NANOSECONDS)


def tagged(frame: Frame) -> Frame:
    data = frame.data[:12] + bytes.fromhex("81000064") + frame.data[12:]
    return dataclasses.replace(frame, data=data, length=frame.length + 4)


def time_of(frame: Frame) -> int:
    return frame.seconds * NANOSECONDS + frame.fraction


def is_from_lower(frame: Frame) -> bool:
    """Whether the lower address of the two hosts sends."""
    if frame.data[12:14] == b"\x08\x00":
        return frame.data[26:30] < frame.data[30:34]
    return frame.data[22:38] < frame.data[38:54]


def figures_of(connection: dict) -> list:
    """What is counted of a connection, without names, times and rates."""
    sides = []
    for side in connection["sides"]:
        requests = {name: value for name, value in side["requests"].items()
                    if not isinstance(value, (dict, list)) and "stall" not in name}
        verdicts = side["requests"].get("verdicts")
        sides.append([side["address"], side.get("qpn"), side["packets"], side["bytes"], requests, verdicts])
    return [connection["transport"], sides]


def findings_of(report: dict, point: int) -> list:
    return sorted((each["id"], each["count"]) for each in report["findings"]
                  if each.get("connection") and each["capture_point"] == point)


class Points(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def check_each_point(self, report: dict, single: dict, delays: tuple[int, int] | None) -> None:
        self.assertEqual([point["number"] for point in report["capture_points"]], [1, 2])
        expected = sorted(map(figures_of, single["connections"]), key=str)
        for point in (1, 2):
            here = [each for each in report["connections"] if each["capture_point"] == point]
            self.assertEqual(sorted(map(figures_of, here), key=str), expected, point)
            self.assertEqual(findings_of(report, point), findings_of(single, 1), point)
            shaken = [each["outcome"] for each in report["handshakes"] if each["capture_point"] == point]
            self.assertEqual(shaken, [each["outcome"] for each in single["handshakes"]])
        # What is counted of all connections together counts each packet once.
        for of_all in ("nic_counters", "memory_regions"):
            names = {"connections", "more_connections", "first_packet", "first_time", "last_time"}
            without = [[{name: value for name, value in row.items() if name not in names} for row in made[of_all]]
                       for made in (report, single)]
            self.assertEqual(*without)
        self.assertEqual(len(report["cm_messages"]), len(single["cm_messages"]))
        self.assertFalse([each for each in report["cm_messages"] if "retry_of" in each and not
                          any("retry_of" in one for one in single["cm_messages"])])
        self.assertEqual(sum(each["messages"] for each in report["ud_flows"]), sum(each["messages"] for each in single["ud_flows"]))
        self.assertTrue(report["point_comparisons"])
        for row in report["point_comparisons"]:
            for name in ("only_from_packets", "only_to_packets", "duplicated_packets", "reordered_packets", "damaged_packets"):
                self.assertEqual(row[name], 0, (name, row))
            if delays:
                for name in ("delay_p50", "delay_max"):
                    self.assertTrue(delays[0] <= row[name] <= delays[1], row)

    def test_each_packet_twice_gives_the_figures_of_one_point(self) -> None:
        for name in SCENARIOS:
            link_type, frames = frames_of(name, self.folder)
            single = report_of(self.folder / "plain.pcap")
            copies = [later(frame, 60_000) for frame in frames]
            with self.subTest(name, copies="on the same interface"):
                made = self.folder / "same.pcap"
                both = sorted([*frames, *copies], key=time_of)
                capture_file.write_pcap(made, link_type, both, capture_file.PCAP_MAGIC_NANOSECONDS)
                self.check_each_point(report_of(made), single, (59_000, 61_000))
            with self.subTest(name, copies="in another VLAN"):
                made = self.folder / "tagged.pcap"
                both = sorted([*frames, *map(tagged, copies)], key=time_of)
                capture_file.write_pcap(made, link_type, both, capture_file.PCAP_MAGIC_NANOSECONDS)
                report = report_of(made)
                for connection in report["connections"]:
                    for side in connection["sides"]:
                        side["bytes"] -= 4 * side["packets"] * (connection["capture_point"] - 1)
                self.check_each_point(report, single, (59_000, 61_000))
            with self.subTest(name, copies="on a second interface"):
                made = self.folder / "two.pcapng"
                micro = [dataclasses.replace(frame, fraction=frame.fraction // 1000) for frame in both]
                both = sorted([(0, frame) for frame in frames] + [(1, frame) for frame in copies], key=lambda each: time_of(each[1]))
                micro = [(number, dataclasses.replace(frame, fraction=frame.fraction // 1000)) for number, frame in both]
                capture_file.write_pcapng(made, link_type, ["bridge", "port"], micro)
                report = report_of(made)
                self.check_each_point(report, single, (59_000, 61_000))
                self.assertEqual([each["places"] for each in report["capture_points"]], [["bridge"], ["port"]])

    def test_both_ends_give_the_figures_of_each(self) -> None:
        """A packet passes the point near its sender first; the clock of the other end is off."""
        for name in SCENARIOS:
            link_type, frames = frames_of(name, self.folder)
            single = report_of(self.folder / "plain.pcap")
            for difference in (0, 3_000_000, -3_000_000, 2 * NANOSECONDS, -2 * NANOSECONDS):
                way = 20_000  # ns between the ends
                near = [later(frame, 0 if is_from_lower(frame) else way) for frame in frames]
                far = [later(frame, way if is_from_lower(frame) else 0) for frame in frames]
                near, far = (sorted(end, key=time_of) for end in (near, [later(frame, difference) for frame in far]))
                with self.subTest(name, files=2, difference=difference):
                    ends = (self.folder / "near.pcap", self.folder / "far.pcap")
                    for path, end in zip(ends, (near, far)):
                        capture_file.write_pcap(path, link_type, end, capture_file.PCAP_MAGIC_NANOSECONDS)
                    report = report_of(*ends)
                    self.check_each_point(report, single, None)
                    for row in report["point_comparisons"]:
                        if "clock_difference" in row:
                            self.assertAlmostEqual(abs(row["clock_difference"]), abs(difference), delta=2_000)
                with self.subTest(name, files=1, difference=difference):
                    merged = self.folder / "merged.pcap"
                    capture_file.write_pcap(merged, link_type, sorted([*near, *far], key=time_of), capture_file.PCAP_MAGIC_NANOSECONDS)
                    report = report_of(merged)
                    self.check_each_point(report, single, None)
                    # One file, and two clocks. Without responses nothing distinguishes a difference of a few milliseconds from a long path.
                    is_reported = abs(difference) > 10_000_000 or name not in ("pingpong-uc", "udaddy")
                    for row in report["point_comparisons"]:
                        if "clock_difference" in row and difference and is_reported:
                            self.assertFalse(row["one_clock"], row)

    def test_each_fault_of_a_lossy_run_is_reported_once(self) -> None:
        """Two points saw it, and nothing was lost between them."""
        def blocks_of(file: pathlib.Path) -> tuple[str, list[str]]:
            text = subprocess.run([PROGRAM, "analyze", file], capture_output=True, check=True, text=True).stdout
            return text, [line for line in text.splitlines() if line.startswith(("  error ", "  warning "))]

        for name in ("impaired_out-loss_heavy", "ipv6_lost-write", "lost-heavy"):
            link_type, frames = frames_of(name, self.folder)
            with self.subTest(name):
                made = self.folder / "merged.pcap"
                far = [later(frame, 20_000) for frame in frames]
                capture_file.write_pcap(made, link_type, sorted([*frames, *far], key=time_of), capture_file.PCAP_MAGIC_NANOSECONDS)
                single_text, single = blocks_of(self.folder / "plain.pcap")
                text, blocks = blocks_of(made)
                self.assertNotIn("lost between", single_text)
                self.assertRegex(text, r"1 and 2: lost between: 0 of [\d,]+ packets")
                self.assertEqual(len(blocks), len(single), text)
                self.assertTrue(all(re.search("at point [12] connection", block) for block in blocks), text)

    def test_an_end_that_was_watched_later_shows_no_loss(self) -> None:
        link_type, frames = frames_of("rdmagen-cm-mixed", self.folder)
        half = frames[len(frames) // 2:]
        for part in (half, frames[:len(frames) // 2]):
            merged = self.folder / "merged.pcapng"
            both = sorted([(0, frame) for frame in frames] + [(1, later(frame, 60_000)) for frame in part],
                          key=lambda each: time_of(each[1]))
            micro = [(number, dataclasses.replace(frame, fraction=frame.fraction // 1000)) for number, frame in both]
            capture_file.write_pcapng(merged, link_type, ["near", "far"], micro)
            report = report_of(merged)
            self.assertEqual([row["only_from_packets"] + row["only_to_packets"] for row in report["point_comparisons"]],
                             [0] * len(report["point_comparisons"]))
            self.assertGreater(sum(row["uncompared_packets"] for row in report["point_comparisons"]), 0)
            self.assertEqual([each for each in report["findings"] if each["id"] == "packet_loss_between"], [])

    def test_one_point_stays_one(self) -> None:
        """Packets that the network duplicates, that are sent again, and files that follow each other are no second point."""
        for path in sorted(CAPTURES.glob("*.pcapng")):
            with self.subTest(path.stem):
                report = report_of(path)
                self.assertEqual(len(report["capture_points"]), 1)
                self.assertEqual(report["point_comparisons"], [])
        link_type, frames = frames_of("lost-heavy", self.folder)
        parts = (self.folder / "first.pcap", self.folder / "second.pcap")
        for path, part in zip(parts, (frames[:100], frames[100:])):
            capture_file.write_pcap(path, link_type, part, capture_file.PCAP_MAGIC_NANOSECONDS)
        report = report_of(*parts)
        self.assertEqual(len(report["capture_points"]), 1)
        self.assertEqual(list(map(figures_of, report["connections"])),
                         list(map(figures_of, report_of(self.folder / "plain.pcap")["connections"])))

    def test_narrowing_to_a_point(self) -> None:
        path = CAPTURES / "two_views-loss_light.pcap.gz"
        report = report_of(path)
        for point in (1, 2):
            narrowed = report_of(path, options=("--capture-point", str(point)))
            self.assertEqual([each for each in narrowed["connections"] if each["capture_point"] != point], [])
            self.assertEqual(narrowed["totals"]["roce_packets"], report["capture_points"][point - 1]["roce_packets"])
            self.assertEqual(narrowed["point_comparisons"], [])
            self.assertEqual(narrowed["capture_points"], [report["capture_points"][point - 1]])
            # Nothing of the point is left to another that is not shown.
            self.assertEqual(sum(each["packets"] for each in narrowed["operations"]), narrowed["totals"]["roce_packets"])
            self.assertEqual(sum(each["packets"] for each in narrowed["flows"]), narrowed["totals"]["roce_packets"])
            self.assertEqual({each["repeated"] for each in narrowed["connections"]}, {False})
            by_field = report_of(path, options=("-Y", f"rocescope.capture_point == {point}"))
            self.assertEqual(by_field["connections"], narrowed["connections"])
        one = report["connections"][0]
        narrowed = report_of(path, options=("--connection", str(one["number"])))
        self.assertEqual([point["number"] for point in narrowed["capture_points"]], [one["capture_point"]])

    def test_two_directions_apart(self) -> None:
        """The clock of one of them is ahead by a time that is known: the report says at least something of it, and no more than it is."""
        for name in ("lost_answers_in-write", "rdmagen-cm-bulk", "rdmagen-exchange-mixed"):
            link_type, frames = frames_of(name, self.folder)
            for apart in (0, 300_000, 500_000):
                skewed = [later(frame, -apart) if is_from_lower(frame) else frame for frame in frames]
                path = self.folder / "skewed.pcap"
                capture_file.write_pcap(path, link_type, sorted(skewed, key=time_of), capture_file.PCAP_MAGIC_NANOSECONDS)
                sides = [side["requests"] for connection in report_of(path)["connections"] for side in connection["sides"]]
                said = max(side["longest_answered_early"] for side in sides)
                self.assertLessEqual(said, apart, name)
                if apart == 500_000:
                    self.assertGreater(said, 0, name)
                text = subprocess.run([PROGRAM, "analyze", path], capture_output=True, check=True, text=True).stdout
                self.assertEqual("the two directions are at least" in text, said > 0, name)


def covered(packet: bytes) -> bytes:
    """What the ICRC covers of an IPv4 packet: not its TOS, TTL and checksums, nor the byte of the BTH that switches may write."""
    masked = bytearray(packet)
    for first, end in ((1, 2), (8, 9), (10, 12), (26, 28), (32, 33)):
        masked[first:end] = bytes(end - first)
    return bytes(masked)


class Between(unittest.TestCase):
    """What became of each request between the points, by its IPv4 identification."""

    def truth(self, views: two_views.TwoViews, queue_pair: int) -> dict:
        sent = [frame for frame in views.sent if frame.is_request and frame.queue_pair == queue_pair]
        # Where damage took the addresses, nothing says whose packet it was.
        header, hosts = sent[0].packet[:1], sent[0].packet[12:20]
        behind = [frame for frame in views.arrived if frame.packet[:1] == header and frame.packet[12:20] == hosts]
        arrivals: dict[int, int] = {}
        whole: set[int] = set()
        for frame in behind:
            arrivals[frame.identification] = arrivals.get(frame.identification, 0) + 1
            if covered(views.whole.get(frame.identification, b"")) == covered(frame.packet):
                whole.add(frame.identification)
        order = {frame.identification: at for at, frame in enumerate(sent)}
        late, highest, seen = 0, -1, set()
        for frame in behind:
            at = order.get(frame.identification)
            if at is None or frame.identification in seen:
                continue
            seen.add(frame.identification)
            late += at < highest
            highest = max(highest, at)
        names = {frame.identification for frame in sent}
        return {"both": len(names & arrivals.keys()), "lost": len(names - arrivals.keys()),
                "damaged": len((names & arrivals.keys()) - whole), "late": late,
                "duplicated": sum(arrivals[name] - 1 for name in names & arrivals.keys())}

    def test_two_views(self) -> None:
        for path in sorted(CAPTURES.glob("two_views*.pcap.gz")):
            views = two_views.TwoViews(path)
            report = report_of(path)
            rows = [row for row in report["point_comparisons"]]
            self.assertTrue(rows)
            for row in rows:
                with self.subTest(path.name, queue_pair=row["dest_qp"]):
                    truth = self.truth(views, row["dest_qp"])
                    self.assertTrue(row["ordered"])
                    self.assertEqual(row["only_to_packets"], 0)
                    self.assertEqual(row["duplicated_packets"], truth["duplicated"])
                    if "corrupt" not in path.name:  # damage hides which packet it is
                        self.assertEqual(row["reordered_packets"], truth["late"])
                    # An identification may be damaged as well: then the flow still shows that the packet came.
                    lost, damaged = row["only_from_packets"], row["damaged_packets"]
                    # What one point saw first of all, or last, may have come when the other was not watched.
                    beyond = truth["lost"] + truth["damaged"] - lost - damaged
                    self.assertTrue(0 <= beyond <= row["uncompared_packets"], (row, truth))
                    self.assertTrue(truth["lost"] - (truth["damaged"] > 0) - beyond <= lost <= truth["lost"], (lost, truth))
                    found = [each for each in report["findings"] if each["id"] == "packet_loss_between"
                             and each["connection"] == row["from_connection"]]
                    self.assertEqual([each["weight"] for each in found], [lost] if lost else [])

    def test_nothing_lost_is_not_called_lost(self) -> None:
        report = report_of(CAPTURES / "two_views-jitter.pcap.gz")
        self.assertEqual([each for each in report["findings"] if "loss" in each["id"]], [])


if __name__ == "__main__":
    unittest.main()
