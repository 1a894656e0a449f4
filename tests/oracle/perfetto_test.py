#!/usr/bin/env python3
"""`rocescope analyze --perfetto`, as Google's protobuf library reads it by Perfetto's schema, beside messages.csv, findings.csv, the
JSON of the same run, and the verdicts that `dissect` shows."""
import collections
import csv
import dataclasses
import importlib
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

PROGRAM = sys.argv.pop(1)
HERE = pathlib.Path(__file__).resolve().parent
CAPTURES = HERE.parents[1] / "captures"
NAMES = ("impaired_out-loss_heavy.pcapng", "rdmagen_several-cm.pcapng", "fault-rnr.pcapng", "fault-wrong-rkey.pcapng",
         "killed-client.pcapng", "pingpong-uc.pcapng", "nvme.pcapng", "several.pcapng")
REAL_TIME = 1

try:
    import google.protobuf
except ImportError:
    google = None
if google is None or shutil.which("protoc") is None:
    print("skipped: needs protoc and Python's google.protobuf (protobuf-compiler, python3-protobuf)")
    sys.exit(77)


def schema():
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["protoc", f"--proto_path={HERE}", f"--python_out={folder}", "perfetto.proto"], check=True)
        sys.path.insert(0, folder)
        return importlib.import_module("perfetto_pb2")


PROTO = schema()


def strangers(message) -> list[str]:
    """Fields that the schema does not have."""
    old = hasattr(message, "UnknownFields")  # before protobuf 4.21
    unknown = message.UnknownFields() if old else importlib.import_module("google.protobuf.unknown_fields").UnknownFieldSet(message)
    found = [f"{message.DESCRIPTOR.name}: field {field.field_number}" for field in unknown]
    for field, value in message.ListFields():
        if field.message_type is not None:
            for part in value if field.label == field.LABEL_REPEATED else [value]:
                found += strangers(part)
    return found


@dataclasses.dataclass
class Span:
    track: str
    name: str
    begin: int
    end: int
    values: dict


@dataclasses.dataclass
class Instant:
    track: str
    category: str
    name: str
    time: int
    values: dict


class Trace:
    def __init__(self, data: bytes):
        self.packets = PROTO.Trace.FromString(data).packet
        self.tracks = {}
        self.spans, self.instants, self.counters = [], [], collections.defaultdict(list)
        open_spans, last = {}, {}
        for packet in self.packets:
            assert packet.trusted_packet_sequence_id == 1
            if packet.HasField("track_descriptor"):
                track = packet.track_descriptor
                assert track.uuid not in self.tracks and (not track.parent_uuid or track.parent_uuid in self.tracks), track
                self.tracks[track.uuid] = track
            if not packet.HasField("track_event"):
                continue
            event = packet.track_event
            assert packet.timestamp_clock_id == REAL_TIME and event.track_uuid in self.tracks, packet
            assert packet.timestamp >= last.get(event.track_uuid, 0), f"goes back: {packet}"
            last[event.track_uuid] = packet.timestamp
            name = self.tracks[event.track_uuid].name
            values = {each.name: getattr(each, each.WhichOneof("value")) for each in event.debug_annotations}
            assert len(values) == len(event.debug_annotations), event
            if event.type == PROTO.TrackEvent.TYPE_SLICE_BEGIN:
                assert event.track_uuid not in open_spans, f"overlaps: {packet}"
                open_spans[event.track_uuid] = Span(name, event.name, packet.timestamp, 0, values)
            elif event.type == PROTO.TrackEvent.TYPE_SLICE_END:
                span = open_spans.pop(event.track_uuid)
                span.end = packet.timestamp
                self.spans.append(span)
            elif event.type == PROTO.TrackEvent.TYPE_INSTANT:
                self.instants.append(Instant(name, event.categories[0], event.name, packet.timestamp, values))
            else:
                assert event.type == PROTO.TrackEvent.TYPE_COUNTER and self.tracks[event.track_uuid].HasField("counter")
                self.counters[self.process_of(event.track_uuid), name].append(
                    (packet.timestamp, getattr(event, "counter_value" if event.HasField("counter_value") else "double_counter_value")))
        assert not open_spans

    def process_of(self, uuid: int) -> str:
        while self.tracks[uuid].parent_uuid:
            uuid = self.tracks[uuid].parent_uuid
        return self.tracks[uuid].name

    def of(self, category: str) -> list[Instant]:
        return [each for each in self.instants if each.category == category]

    @property
    def findings(self) -> list[Instant]:
        return [each for severity in ("error", "warning", "note") for each in self.of(severity)]


def cell(value) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def cells(values: dict) -> dict[str, str]:
    return {name: cell(value) for name, value in values.items()}


def filled(row: dict[str, str]) -> dict[str, str]:
    return {name: value for name, value in row.items() if value != ""}


def analyze(*arguments, express: str = "on") -> subprocess.CompletedProcess:
    return subprocess.run([PROGRAM, "analyze", *arguments], capture_output=True, text=True, timeout=60,
                          env=os.environ | {"ROCESCOPE_EXPRESS": express})


class Perfetto(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.runs = 0

    def run_on(self, *arguments, stderr: str | None = "", express: str = "on") -> tuple[Trace, pathlib.Path]:
        """The trace, and the folder with it and with the tables."""
        self.runs += 1
        folder = self.folder / str(self.runs)
        done = analyze("--perfetto", folder.with_suffix(".pftrace"), "--csv", folder, *arguments, express=express)
        self.assertEqual(done.returncode, 0, done.stderr)
        if stderr is not None:
            self.assertEqual(done.stderr, stderr)
        return Trace(folder.with_suffix(".pftrace").read_bytes()), folder

    def rows(self, folder: pathlib.Path, name: str) -> list[dict[str, str]]:
        with (folder / f"{name}.csv").open(newline="") as file:
            return list(csv.DictReader(file, strict=True))

    def test_has_only_what_the_schema_has(self):
        trace, _ = self.run_on(CAPTURES / NAMES[0])
        self.assertEqual([problem for packet in trace.packets for problem in strangers(packet)], [])
        clocks = trace.packets[0].clock_snapshot
        self.assertEqual(len({clock.timestamp for clock in clocks.clocks}), 1, "the boot time is the real time here")
        self.assertEqual((clocks.primary_trace_clock, sorted(clock.clock_id for clock in clocks.clocks)), (REAL_TIME, [1, 6]))

    def assert_spans_are_messages(self, trace: Trace, rows: list[dict[str, str]]):
        spans = {span.values["number"]: span for span in trace.spans}
        self.assertEqual(len(spans), len(trace.spans))
        self.assertEqual(sorted(spans), sorted(int(row["number"]) for row in rows))
        for row in rows:
            span = spans[int(row["number"])]
            self.assertEqual(cells(span.values), filled(row))
            end = max(int(row["first_time"]), int(row["completion_time"] or row["last_time"]))
            self.assertEqual((span.begin, span.end), (int(row["first_time"]), end))
            self.assertEqual(span.name, row["operation"] + (f", {row['outcome']}" if row["outcome"] != "completed" else ""))
            self.assertIn(f"connection {row['connection']}: {row['requester']} ", span.track)

    def test_spans_are_the_messages(self):
        outcomes = set()
        for name in NAMES:
            with self.subTest(name):
                trace, folder = self.run_on(CAPTURES / name, stderr=None)
                rows = self.rows(folder, "messages")
                self.assert_spans_are_messages(trace, rows)
                outcomes |= {row["outcome"] for row in rows}
        self.assertGreaterEqual(outcomes, {"completed", "refused", "outstanding", "unacknowledged"})

    def test_findings_are_all_there(self):
        for name in (*NAMES, "dead_service.pcapng"):
            with self.subTest(name):
                trace, folder = self.run_on("--perfetto-limit", "0", CAPTURES / name, stderr=None)
                rows = self.rows(folder, "findings")
                self.assertEqual(trace.spans, [])
                in_order = lambda values: sorted(values, key=lambda row: sorted(row.items()))  # noqa: E731
                self.assertEqual(in_order(cells(each.values) for each in trace.findings), in_order(map(filled, rows)))
                for each in trace.findings:
                    self.assertEqual(each.name, each.values["id"])
                    self.assertEqual(each.time, each.values.get("first_time", each.time))

    def test_instants_are_the_packets_that_dissect_shows(self):
        shown = ["frame.number", "frame.time_epoch", "rocescope.verdict", "rocescope.verdict.cause", "rocescope.verdict.lost",
                 "rocescope.verdict.related", "rocescope.verdict.evidence", "infiniband.bth.psn", "infiniband.aeth.syndrome.opcode"]
        kinds = ("gap", "out_of_order", "retransmission", "used_psn", "read_response_gap", "read_response_retransmission")
        chosen = " || ".join([f"rocescope.verdict.{kind}" for kind in kinds]
                             + ["infiniband.aeth.syndrome.opcode in {1, 3}", "infiniband.bth.opcode == 129"])
        names = collections.Counter()
        for name in (*NAMES, "lab_rping_write_ud_atomic.pcap"):
            with self.subTest(name):
                trace, _ = self.run_on(CAPTURES / name, stderr=None)
                columns = [word for field in shown for word in ("-e", field)]
                only = f"({chosen}) && !rocescope.verdict.damaged && !rocescope.verdict.capture_duplicate"
                output = subprocess.run([PROGRAM, "dissect", "-q", "-Y", only, "-T", "fields", *columns, CAPTURES / name],
                                        capture_output=True, check=True, text=True).stdout
                expected = [line.split("\t") for line in output.splitlines()]
                packets = {each.values["packet"]: each for each in trace.of("packet")}
                self.assertEqual(sorted(packets), [int(line[0]) for line in expected])
                for number, time, verdict, cause, lost, related, evidence, psn, kind in expected:
                    instant = packets[int(number)]
                    seconds, fraction = time.split(".")
                    self.assertEqual(instant.time, int(seconds) * 10**9 + int(fraction))
                    mine = [cell(instant.values.get(name, "")) for name in ("verdict", "cause", "lost", "related", "evidence", "psn")]
                    self.assertEqual(mine, [verdict, cause, lost, related, evidence, psn])
                    self.assertEqual((instant.name == "RNR NAK", instant.name.startswith("NAK (")), (kind == "1", kind == "3"))
                    names[instant.name.split(" (")[0]] += 1
        self.assertLessEqual({"retransmission", "RNR NAK", "NAK", "gap"}, set(names))

    def test_messages_that_overlap_are_in_flight_together(self):
        trace, folder = self.run_on(CAPTURES / NAMES[0])
        rows = self.rows(folder, "messages")
        ends = [(int(row["first_time"]), int(row["completion_time"]), int(row["bytes"])) for row in rows if row["completion_time"]]
        self.assertGreater(sum(a[0] < b[0] < a[1] < b[1] for a in ends for b in ends), 0, "none overlap")
        for what, size in ("messages", 0), ("bytes of messages", 2):
            values = next(values for (_, name), values in trace.counters.items() if name.endswith(f", {what} in flight"))
            for time, value in values:
                self.assertEqual(value, sum(each[size] if size else 1 for each in ends if each[0] <= time < each[1]))
            self.assertGreater(max(value for _, value in values), 1)

    def test_rates_are_those_of_the_report(self):
        for name in (NAMES[0], "several.pcapng"):
            trace, _ = self.run_on(CAPTURES / name, stderr=None)
            report = json.loads(analyze("--json", CAPTURES / name).stdout)
            for pair in report["host_rates"]:
                for column, title in ("wire_bytes", "wire rate"), ("goodput_bytes", "goodput"):
                    steps = next(values for (_, counter), values in trace.counters.items()
                                 if counter.startswith(f"{pair['source']} > {pair['destination']}, {title}"))
                    width = pair["buckets"]["interval"]
                    for i, amount in enumerate([*pair["buckets"][column], 0]):
                        time = pair["buckets"]["start"] + i * width
                        self.assertAlmostEqual([value for at, value in steps if at <= time][-1], amount * 8e9 / width, delta=1e-3)

    def test_ce_share_is_of_the_packets_that_tshark_shows(self):
        name = CAPTURES / "ecn-heavy.pcapng"
        trace, _ = self.run_on(name, stderr=None)
        columns = "-e frame.time_epoch -e ip.src -e ip.dst -e ip.dsfield.ecn".split()
        lines = subprocess.run(["tshark", "-n", "-r", name, "-Y", "infiniband.bth", "-T", "fields", *columns],
                               capture_output=True, check=True, text=True).stdout.splitlines()
        packets = [(int(time.replace(".", "")), f"{source} > {destination}", ecn) for time, source, destination, ecn in
                   (line.split("\t") for line in lines)]
        tried = 0
        for (_, counter), values in trace.counters.items():
            if not counter.endswith(", CE share (%)"):
                continue
            width = 10_000_000  # --interval's default
            for time, share in values[:-1]:
                marks = [ecn == "3" for at, direction, ecn in packets
                         if counter.startswith(direction + ",") and time <= at < time + width]
                self.assertAlmostEqual(share, 100 * sum(marks) / max(len(marks), 1))
                tried += sum(marks) > 0
        self.assertGreater(tried, 0)

    def test_is_the_same_with_any_number_of_threads_and_without_the_express_lane(self):
        for captures in [[CAPTURES / name] for name in (*NAMES[:3], "several.pcapng")] + [[CAPTURES / name for name in NAMES[:3]]]:
            for limit in "100000", "7":
                traces = set()
                for threads, express in ("1", "on"), ("2", "on"), ("1", "off"):
                    _, folder = self.run_on("--threads", threads, "--perfetto-limit", limit, *captures, stderr=None, express=express)
                    traces.add(folder.with_suffix(".pftrace").read_bytes())
                self.assertEqual(len(traces), 1, captures)

    def test_several_captures_and_filters_choose_as_elsewhere(self):
        for arguments in ([CAPTURES / name for name in NAMES[:3]], ["--connection", "2", CAPTURES / NAMES[1]],
                          ["--host", "192.168.2.25", "-Y", "frame.number > 50", CAPTURES / NAMES[0]],
                          ["--idle-timeout", "1ms", CAPTURES / NAMES[1]]):
            trace, folder = self.run_on(*arguments, stderr=None)
            rows = self.rows(folder, "messages")
            self.assertGreater(len(rows), 0)
            self.assert_spans_are_messages(trace, rows)

    def test_leaves_out_what_went_well_first_and_says_so(self):
        whole, folder = self.run_on(CAPTURES / NAMES[0])
        rows = self.rows(folder, "messages")
        packets = len(whole.of("packet"))
        first = sorted(rows, key=lambda row: (row["resent"] == "false" and row["outcome"] == "completed", int(row["number"])))[:4]
        done = analyze("--perfetto", self.folder / "few", "--perfetto-limit", "4", CAPTURES / NAMES[0])
        self.assertIn(f"few lacks {len(rows) - 4} messages and {packets - 4} packets. For more: --perfetto-limit", done.stderr)
        few = Trace((self.folder / "few").read_bytes())
        self.assertEqual(sorted(span.values["number"] for span in few.spans), sorted(int(row["number"]) for row in first))
        self.assertEqual([each.values["packet"] for each in few.of("packet")],
                         sorted(each.values["packet"] for each in whole.of("packet"))[:4])
        self.assertEqual(few.findings, whole.findings)
        self.assertFalse(any("in flight" in name for _, name in few.counters))
        summary = few.of("summary")[0].values
        self.assertEqual((summary["messages"], summary["messages_left_out"]), (4, len(rows) - 4))
        self.assertEqual((summary["packets"], summary["packets_left_out"]), (4, packets - 4))

    def test_says_why_it_cannot_write(self):
        (self.folder / "file").write_text("mine")
        for arguments, error in ((["--perfetto", self.folder / "file"], "file is there already, and --perfetto overwrites nothing"),
                                 (["--perfetto", self.folder / "file" / "x"], "cannot write .*/file/x: Not a directory"),
                                 (["--perfetto", self.folder], "cannot write .*: Is a directory"),
                                 (["--perfetto", "/dev/full"], "cannot write /dev/full: No space left on device"),
                                 (["--perfetto", self.folder / "y", "--perfetto-limit", "few"], "a number from 0 to 100000000"),
                                 (["--perfetto-limit", "5"], "--perfetto-limit needs --perfetto")):
            done = analyze(*arguments, CAPTURES / "rping.pcapng")
            self.assertEqual(done.returncode, 2, arguments)
            self.assertRegex(done.stderr, error)
        self.assertEqual((self.folder / "file").read_text(), "mine")


if __name__ == "__main__":
    unittest.main()
