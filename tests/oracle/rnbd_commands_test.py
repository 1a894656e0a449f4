#!/usr/bin/env python3
"""Commands of RNBD over RTRS in `analyze --csv`, beside what the kernels of both machines traced while the capture was made: tshark decodes
neither."""
import json
import pathlib
import re
import unittest
from collections import Counter

import command_rows
from command_rows import check_parts, cut, named, report_of, rows_of, rows_of_packets

CAPTURES = sorted(command_rows.CAPTURES.glob("rnbd_*.pcapng"))
ERRORS = {0: "Success", 2: "ENOENT", 5: "EIO"}


def events(capture: pathlib.Path, name: str) -> list[dict]:
    return [event for event in map(json.loads, capture.with_suffix(".ndjson").read_text().splitlines())
            if event["event"] == "trace" and event["name"] == name]


def served(capture: pathlib.Path) -> Counter:
    """I/O that the server's kernel was given: operation, device, first sector, bytes."""
    found = Counter()
    for event in events(capture, "process_rdma"):
        kind, device, sector, size = re.search(r"type: (\w+), .*devid: (\d+), sector: (\d+), bsize: (\d+)", event["text"]).groups()
        found[kind.capitalize(), int(device), int(sector), int(size)] += 1
    return found


def requests(capture: pathlib.Path) -> list[tuple]:
    """Requests of the client's disk: what, first sector, sectors, errno, when issued, when done."""
    waiting, done = {}, []
    (disk,) = {event["text"].split(" ")[0] for event in events(capture, "block_rq_issue")}  # it has no other
    for event in sorted(events(capture, "block_rq_issue") + events(capture, "block_rq_complete"), key=lambda each: each["time_ns"]):
        kind, sector, count, error = re.match(rf"{disk} (\w)\w* (?:\d+ )?\(\) (\d+) \+ (\d+) \[(-?\w+)", event["text"]).groups()
        key = {"R": "Read", "W": "Write"}[kind], int(sector), int(count)
        if event["name"] == "block_rq_issue":
            waiting[key] = event["time_ns"]
        else:
            done.append((*key, -int(error), waiting.pop(key), event["time_ns"]))
    return done


def of_disk(rows: list[dict]) -> list[dict]:
    return [row for row in rows if row["operation"] in ("Read", "Write")]


class Commands(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.runs = [(capture, rows_of(capture)) for capture in CAPTURES]

    def test_there_are_captures(self):
        self.assertEqual([capture.stem for capture, _ in self.runs], ["rnbd_errors", "rnbd_io", "rnbd_slow"])

    def test_each_command_of_the_server_is_there_once(self):
        for capture, mine in self.runs:
            found = Counter((row["operation"], int(row["target"]), int(row["offset"]), int(row["bytes"])) for row in of_disk(mine))
            self.assertEqual(found, served(capture), capture.name)

    def test_requests_of_the_client(self):
        """Its disk has no others, and each got the answer that the wire shows."""
        for capture, mine in self.runs:
            found = Counter((row["operation"], int(row["offset"]), int(row["blocks"]), int(row["status"], 0)) for row in of_disk(mine))
            self.assertEqual(found, Counter(each[:4] for each in requests(capture)), capture.name)
            for row in mine:
                self.assertEqual(row["status_name"], ERRORS[int(row["status"], 0)])

    def test_answers_of_the_server(self):
        """It traces those that move no data, and those that failed."""
        for capture, mine in self.runs:
            theirs = Counter(int(re.search(r"err='(-?\d+)'", event["text"])[1]) for event in events(capture, "send_io_resp_imm"))
            found = Counter(-int(row["status"], 0) for row in mine if row["operation"] in ("Write", "Close") or row["outcome"] == "failed")
            self.assertEqual(found, theirs, capture.name)

    def test_what_sets_it_up(self):
        for capture, mine in self.runs:
            found = Counter((row["operation"], row["detail"]) for row in mine if row["operation"] in ("Session Info", "Open", "Close"))
            paths = [re.search(r"path='([^']*)'", event["text"])[1] for event in events(capture, "process_msg_open")]
            theirs = Counter(("Open", path) for path in paths)
            theirs["Session Info", ""] = len(events(capture, "process_msg_sess_info"))
            theirs["Close", ""] = len(events(capture, "process_msg_close"))
            self.assertEqual(found, theirs, capture.name)

    def test_statistics(self):
        """/sys/block/rnbd0/stat: requests and sectors that were read and written; those of RTRS: messages by direction, and their bytes with
        the headers of RNBD, until then."""
        for name in ("rnbd_io", "rnbd_slow"):
            rows = of_disk(rows_of(named(name)))
            lines = {event["text"].split()[0]: [int(word) for word in event["text"].split()[1:]] for event in events(named(name), "tracing_mark_write")}
            for kind, (count, _, sectors) in (("Read", lines["blockstat"][:3]), ("Write", lines["blockstat"][4:7])):
                done = [row for row in rows if row["operation"] == kind]
                self.assertEqual((len(done), sum(int(row["blocks"]) for row in done)), (count, sectors), (name, kind))
        rows = rows_of(named("rnbd_io"))
        reads = [row for row in rows if row["operation"] in ("Read", "Session Info", "Open")]
        writes = [row for row in rows if row["operation"] == "Write"]
        data = {kind: sum(int(row["bytes"]) for row in of_disk(rows) if row["operation"] == kind) for kind in ("Read", "Write")}
        count, size, write_count, write_size, *_ = [int(word) for event in events(named("rnbd_io"), "tracing_mark_write")
                                                    if event["text"].startswith("rtrs ") for word in event["text"].split()[1:]]
        self.assertEqual((len(reads), len(writes)), (count, write_count))
        header = 32
        self.assertEqual(data["Write"] + header * len(writes), write_size)
        self.assertGreater(size, data["Read"] + header * (len(reads) - 2))

    def test_data_of_each_command(self):
        for _, mine in self.runs:
            for row in of_disk(mine):
                if row["outcome"] == "succeeded":
                    self.assertEqual(row["data_bytes"] or "0", "0" if row["in_capsule"] == "true" else row["bytes"], row)
                    self.assertEqual(row["in_capsule"], str(row["operation"] == "Write").lower(), row)

    def test_latencies(self):
        """The wire lies between the two moments that the client's kernel traced."""
        compared = 0
        for capture, mine in self.runs:
            theirs = {}
            for kind, sector, count, _, issued, done in requests(capture):
                theirs.setdefault((kind, sector, count), []).append(done - issued)
            for row in of_disk(mine):
                times = theirs[row["operation"], int(row["offset"]), int(row["blocks"])]
                if len(times) == 1:
                    self.assertLessEqual(int(row["latency"]), times[0] + 1_000_000, row)
                    compared += 1
        self.assertGreater(compared, 30)

    def test_a_slow_target_is_to_blame(self):
        rows = of_disk(rows_of(named("rnbd_slow")))
        for row in rows:
            self.assertGreater(int(row["target_time"]), 58_000_000 if row["operation"] == "Write" else 28_000_000, row)
        found = {each["id"]: each for each in report_of(named("rnbd_slow"))["findings"]}
        self.assertIn("slow_target", found)
        self.assertNotIn("io_failed", found)

    def test_what_failed(self):
        found = {each["id"]: each["what"] for each in report_of(named("rnbd_errors"))["findings"]}
        self.assertRegex(found["io_failed"], "1 Write: EIO; 1 Read: EIO|1 Read: EIO; 1 Write: EIO")
        self.assertEqual(found["queue_refused"], "1 Open (/dev/nothing): ENOENT")

    def test_heartbeats(self):
        """The side that heard nothing for five seconds asks, on the connection without I/O."""
        rows = [row for row in rows_of(named("rnbd_slow")) if row["operation"] == "Heartbeat"]
        self.assertGreater(len(rows), 2)
        self.assertEqual({row["outcome"] for row in rows}, {"succeeded"})

    def test_parts_add_up(self):
        for _, mine in self.runs:
            check_parts(self, mine)

    def test_how_it_is_known(self):
        for capture, _ in self.runs:
            carried = report_of(capture)["carried"]
            self.assertEqual(len(carried), 2)  # one connection for messages of the user, and one for each processor
            for each in carried:
                self.assertEqual((each["protocol"], each["known_by"], each["unreadable"], each["depth"], each["initiator"]),
                                 ("RTRS/RNBD", "messages", 0, 512, 0), capture.name)

    def test_one_direction(self):
        """Commands without their responses are outstanding. Responses name a buffer and nothing else."""
        rows, _ = rows_of_packets(named("rnbd_io"), "ip.src == 192.168.2.25")
        self.assertEqual({row["outcome"] for row in of_disk(rows)} - {"outstanding"}, set())
        rows, _ = rows_of_packets(named("rnbd_io"), "ip.src == 192.168.2.24")
        self.assertEqual({row["outcome"] for row in rows} - {"unseen"}, set())

    def test_by_hand(self):
        self.assertEqual(rows_of(named("rnbd_io"), "--decode-as", "port=1234:none"), [])

    def test_cut_captures(self):
        """Each reported value of a command is right. The header follows the data, so a cut packet seldom has it."""
        for capture, mine in self.runs:
            whole = {row["request_packet"]: row for row in mine}
            for length in (80, 96, 128, 256, 1000):
                with cut(capture, length) as short:
                    for row in rows_of(short):
                        right = whole[row["request_packet"]]
                        for column in ("operation", "bytes", "offset", "blocks", "target", "status", "detail"):
                            self.assertIn(row[column], ("", "0", "not captured", right[column]), (capture.name, length, row))


if __name__ == "__main__":
    unittest.main()
