#!/usr/bin/env python3
"""Commands of NFS over RDMA in `analyze --csv`, beside what the client's kernel traced and counted while the capture was made, and what tshark
decodes."""
import json
import pathlib
import re
import subprocess
import unittest
from collections import Counter

import command_rows
from command_rows import PROGRAM, check_parts, check_targets, named, report_of, rows_of, rows_of_cut, rows_of_packets
from defects_nfs import FIELDS

CAPTURES = sorted(command_rows.CAPTURES.glob("nfs_*.pcapng"))
# What Linux calls a COMPOUND, by the operation that it is about; others have that name
OF_LINUX = {"LOOKUP_ROOT": "GETFH", "SERVER_CAPS": "GETATTR", "FSINFO": "GETATTR", "PATHCONF": "GETATTR", "STATFS": "GETATTR",
            "OPEN_NOATTR": "OPEN", "SYMLINK": "CREATE"}
FILE_OPERATIONS = ("READ", "WRITE")


def events(capture: pathlib.Path) -> list[dict]:
    """What was traced, without calls over TCP, which mounted."""
    return [event for event in map(json.loads, capture.with_suffix(".ndjson").read_text().splitlines())
            if event["event"] == "trace" and event["on"] == "client" and "mountv3" not in event["text"]]


def traced(capture: pathlib.Path) -> dict[int, dict]:
    """Each call that the client's kernel made, by XID."""
    calls = {}
    for event in events(capture):
        xid = re.search(r"xid=0x([0-9a-f]+)", event["text"])
        if event["name"] == "rpc_stats_latency":
            program, version, name, rtt = re.search(r"(nfs\w*?)v(\d) (\w+) .* rtt=(\d+)", event["text"]).groups()
            operation = name if version == "3" else OF_LINUX.get(name, name)
            assert int(xid[1], 16) not in calls
            calls[int(xid[1], 16)] = {"program": program, "operation": operation, "rtt": int(rtt) * 1_000, "status": 0}
    for event in events(capture):
        if event["name"].endswith("xdr_status"):
            xid = int(re.search(r"xid=0x([0-9a-f]+)", event["text"])[1], 16)
            calls[xid]["status"] = -int(re.search(r"error=(-\d+)", event["text"])[1])
    return calls


def served(capture: pathlib.Path) -> dict[int, list[int]]:
    """How long the server's kernel had each call, in ns, by XID."""
    times: dict[int, list[int]] = {}
    for event in map(json.loads, capture.with_suffix(".ndjson").read_text().splitlines()):
        if event["event"] == "trace" and event["on"] == "server" and event["name"] == "svc_stats_latency":
            xid, own = re.search(r"xid=0x([0-9a-f]+) .* execute-us=(\d+)", event["text"]).groups()
            times.setdefault(int(xid, 16), []).append(int(own) * 1_000)
    return times


def transfers(capture: pathlib.Path) -> Counter:
    """READs and WRITEs by operation, CRC-32 of the file handle, offset and count."""
    names = {"nfs_initiate_read": "READ", "nfs_initiate_write": "WRITE"}
    return Counter((names[event["name"]], *(int(re.search(field + r"=(\w+)", event["text"])[1], 0) for field in
                                            ("fhandle", "offset", "count"))) for event in events(capture) if event["name"] in names)


def chunks(capture: pathlib.Path) -> Counter:
    """Bytes of memory that calls offered for data, by XID, which Linux has in the upper half of the addresses."""
    total = Counter()
    for event in events(capture):
        found = re.search(r" (\d+)@0x([0-9a-f]{8})[0-9a-f]{8}:", event["text"])
        if event["name"] in ("xprtrdma_chunk_read", "xprtrdma_chunk_write") and found:
            total[int(found[2], 16)] += int(found[1])
    return total


def of_client(rows: list[dict]) -> list[dict]:
    return [row for row in rows if row["detail"] != "backchannel"]


class Commands(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.runs = [(capture, traced(capture), rows_of(capture)) for capture in CAPTURES]

    def test_there_are_captures(self):
        self.assertGreaterEqual(len(self.runs), 5)

    def test_each_call_of_the_trace_is_there_once(self):
        for capture, theirs, mine in self.runs:
            expected = Counter((xid, call["operation"], call["status"]) for xid, call in theirs.items())
            found = Counter((int(row["id"], 0), row["operation"], int(row["status"], 0)) for row in of_client(mine))
            self.assertEqual(expected, found, capture.name)

    def test_counts_of_mountstats(self):
        """Those of the mount, as its last moment but the unmounting has them: number, and errors."""
        for capture, _, mine in self.runs:
            stats = {}
            for event in events(capture):
                if event["name"] == "tracing_mark_write" and (found := re.match(r"mountstats (\w+): ([\d ]+)", event["text"])):
                    numbers = list(map(int, found[2].split()))
                    if numbers[0]:
                        stats[found[1]] = numbers[0], numbers[8]
            self.assertTrue(stats, capture.name)
            for operation in FILE_OPERATIONS:
                rows = [row for row in mine if row["operation"] == operation]
                count, errors = stats.get(operation, (0, 0))
                self.assertEqual((count, errors), (len(rows), sum(row["outcome"] == "failed" for row in rows)), capture.name)

    def test_files_and_ranges(self):
        for capture, _, mine in self.runs:
            found = Counter((row["operation"], int(row["file"], 0), int(row["offset"]), int(row["bytes"])) for row in mine
                            if row["operation"] in FILE_OPERATIONS)
            self.assertEqual(transfers(capture), found, capture.name)

    def test_data_of_each_command(self):
        """What READs and WRITEs moved is what the call names, if it succeeded and its data were not in a SEND."""
        compared = 0
        for capture, _, mine in self.runs:
            offered = chunks(capture)
            for row in mine:
                if row["operation"] in FILE_OPERATIONS and row["outcome"] == "succeeded" and row["data_bytes"]:
                    self.assertIn(int(row["id"], 0), offered)
                    self.assertLessEqual(int(row["data_bytes"]), offered[int(row["id"], 0)], row)
                    self.assertLessEqual(int(row["data_bytes"]), int(row["bytes"]), row)
                    compared += 1
                    if row["operation"] == "WRITE":
                        self.assertEqual(row["data_bytes"], row["bytes"])
        self.assertGreater(compared, 30)

    def test_latencies(self):
        """The wire lies between the two moments that the client's kernel traced, of which it keeps whole milliseconds or less."""
        for capture, theirs, mine in self.runs:
            for row in of_client(mine):
                if row["latency"]:
                    rtt = theirs[int(row["id"], 0)]["rtt"]
                    self.assertLessEqual(int(row["latency"]), rtt + 1_000_000, (capture.name, row))
                    if capture.stem.startswith("nfs_network"):  # what is lost, or comes behind what is lost, comes again
                        self.assertGreaterEqual(int(row["latency"]), rtt - 100_000_000, row)

    def test_parts_add_up(self):
        for _, _, mine in self.runs:
            check_parts(self, mine)

    def test_part_of_the_target(self):
        capture = named("nfs_network-41")
        rows = of_client(rows_of(capture))
        compared = check_targets(self, rows, served(capture), lambda row: int(row["id"], 0))
        self.assertGreater(compared, len(rows) // 2)

    def test_without_the_cm(self):
        """The form of the messages shows the same commands."""
        for name in ("nfs_io-3", "nfs_io-41"):
            rows, carried = rows_of_packets(named(name), "!infiniband.mad")
            count = Counter((row["operation"], row["id"], row["status"], row["data_bytes"]) for row in rows)
            self.assertEqual({(each["protocol"], each["known_by"]) for each in carried}, {("NFS/RDMA", "shape")})
            self.assertEqual(count, Counter((row["operation"], row["id"], row["status"], row["data_bytes"]) for row in rows_of(named(name))))

    def test_one_direction(self):
        """Calls without their replies are outstanding, replies without their calls are unseen; nothing is claimed of either."""
        for way, outcome in (("ip.src == 192.168.2.25", "outstanding"), ("ip.src == 192.168.2.24", "unseen")):
            rows, _ = rows_of_packets(named("nfs_io-3"), f"{way} && !infiniband.mad")
            self.assertGreater(len(rows), 40)
            self.assertEqual({row["outcome"] for row in rows}, {outcome})

    def test_by_hand(self):
        capture = named("nfs_io-3")
        self.assertEqual(rows_of(capture, "--decode-as", "port=20049:none"), [])
        self.assertEqual(len(rows_of(capture, "--decode-as", "port=20049:nfs")), len(rows_of(capture)))

    def test_statuses_that_were_cut_off(self):
        """Of 96 bytes a packet keeps the XID of a reply, and not its status: it came, and nobody knows what it says."""
        rows, carried = rows_of_cut(named("nfs_io-3"), 96)
        answered = [row for row in rows if row["response_packet"]]
        self.assertGreater(len(answered), 40)
        self.assertEqual({row["outcome"] for row in answered}, {"no_status"})
        self.assertEqual(sum(each["failed"] for each in carried), 0)

    def test_cut_captures(self):
        """What stands in the first 128 bytes of each packet is right, and nothing else is said."""
        capture = named("nfs_io-3")
        rows, _ = rows_of_cut(capture, 128)
        calls = traced(capture)
        self.assertEqual({int(row["id"], 0) for row in rows}, set(calls))
        self.assertGreater(sum(bool(row["operation"]) for row in rows), len(rows) // 2)
        for row in rows:
            self.assertIn(row["operation"], ("", calls[int(row["id"], 0)]["operation"]))
            if row["status"]:
                self.assertEqual(int(row["status"], 0), calls[int(row["id"], 0)]["status"])

# No capture here has them, or tshark shows another first one
NOT_COMPARED = {"nfs.cb.operation", "rpcordma.errcode"}


def plain(text: str) -> int | str:
    """A value in any of the forms of both programs."""
    try:
        return int(text, 0)
    except ValueError:
        return text.replace(":", "")


class Witness(unittest.TestCase):
    def test_fields_of_tshark(self):
        """tshark 4.0 decodes the header of each message that is one packet, and RPC behind it. What it shows and we do not are replies that it
        puts together from WRITEs, and operations behind the one that a COMPOUND is about."""
        columns = [word for field in ("frame.number", *FIELDS) for word in ("-e", field)]
        options = ["-T", "fields", "-E", "occurrence=f", "-Y", "rpcordma", *columns]
        compared: Counter = Counter()
        for capture in CAPTURES:
            runs = [subprocess.run(command, check=True, capture_output=True, text=True).stdout for command in
                    (["tshark", "-n", *options, "-r", capture], [PROGRAM, "dissect", "-q", *options, capture])]
            theirs, mine = ({row[0]: row[1:] for row in (line.split("\t") for line in run.splitlines())} for run in runs)
            for frame in theirs.keys() & mine.keys():
                for field, their, our in zip(FIELDS, theirs[frame], mine[frame]):
                    if their and our:
                        self.assertEqual(plain(their), plain(our), (capture.name, frame, field))
                        compared[field] += 1
        self.assertEqual(set(FIELDS) - set(compared), NOT_COMPARED)
        self.assertGreater(sum(compared.values()), 5_000)

    def test_titles_of_chunks_and_names_of_procedures(self):
        """As many packets have a reply chunk as tshark counts, and procedures of NFS have names (RFC 1813, RFC 8881)."""
        names = {("3", "1"): "GETATTR", ("3", "6"): "READ", ("3", "17"): "READDIRPLUS", ("4", "1"): "COMPOUND"}
        for name in ("nfs_io-3", "nfs_io-41"):
            run = lambda *command: subprocess.run(command, check=True, capture_output=True, text=True).stdout
            counts = [row.split("\t") for row in run("tshark", "-r", named(name), "-T", "fields", "-e", "rpcordma.writes_count", "-e", "rpcordma.reply_count", "-Y",
                                                     "rpcordma").splitlines()]
            text = run(PROGRAM, "dissect", "-V", named(name))
            self.assertEqual(text.count("\nWrite chunk:"), sum(int(writes) for writes, _ in counts))
            self.assertEqual(text.count("\nReply chunk:"), sum(int(reply) for _, reply in counts))
            self.assertGreater(text.count("\nReply chunk:"), 5)
            found = Counter()
            for version, number, words in re.findall(r"Program +100003 +NFS .*\n +Program version +(\d+) .*\n +Procedure +(\d+)  (.*?) +rpc\.procedure", text):
                found[version] += 1
                self.assertEqual(words.strip(), names.get((version, number), words.strip()))
                self.assertTrue(words.strip(), (name, version, number))
            self.assertGreater(sum(found.values()), 20, name)


def findings(capture: pathlib.Path) -> dict[str, str]:
    return {each["id"]: each["what"] for each in report_of(capture)["findings"]}


class Findings(unittest.TestCase):
    OF_COMMANDS = ("io_failed", "command_refused", "queue_refused", "commands_resent", "slow_target")

    def test_bad_disk(self):
        for name in ("nfs_errors-3", "nfs_errors-41"):
            found = findings(named(name))
            self.assertIn("1 READ: IO", found["io_failed"])
            self.assertIn("1 WRITE: IO", found["io_failed"])
            self.assertNotIn("command_refused", found)  # a folder that is not empty, and a file that is not there

    def test_slow_server(self):
        found = findings(named("nfs_slow-41"))
        self.assertIn("slow_target", found)
        for row in rows_of(named("nfs_slow-41")):
            if row["operation"] == "READ" and row["latency"]:
                self.assertGreaterEqual(int(row["target_time"]), 29_000_000, row)

    def test_slow_network(self):
        """It loses 8 % of what the server sends, which is quick."""
        found = findings(named("nfs_network-41"))
        self.assertIn("commands_resent", found)
        self.assertNotIn("slow_target", found)

    def test_healthy_runs_have_none(self):
        for name in ("nfs_io-3", "nfs_io-41"):
            for each in self.OF_COMMANDS:
                self.assertNotIn(each, findings(named(name)), name)


if __name__ == "__main__":
    unittest.main()
