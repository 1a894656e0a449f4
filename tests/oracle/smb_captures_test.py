#!/usr/bin/env python3
"""Commands of SMB Direct in `analyze --csv`, of captures of the lab, beside what cifs traced and counted while they were made."""
import dataclasses
import json
import pathlib
import re
import subprocess
import tempfile
import unittest
from collections import Counter

import command_rows
from capture_file import read_pcap, write_pcap
from command_rows import check_parts, cut, left_of, named, report_of, rows_of

CAPTURES = sorted(command_rows.CAPTURES.glob("smb_*.pcapng"))
OPLOCK_BREAK = 18


def events(capture: pathlib.Path, *names: str) -> list[dict]:
    return [event for event in map(json.loads, capture.with_suffix(".ndjson").read_text().splitlines())
            if event["event"] == "trace" and event["name"] in names]


def number(event: dict, key: str) -> int:
    return int(re.search(rf"\b{key}=(\w+)", event["text"])[1], 0)


def connections(capture: pathlib.Path) -> list[dict]:
    return report_of(capture)["carried"]


class Commands(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.runs = [(capture, rows_of(capture)) for capture in CAPTURES]

    def test_there_are_captures(self):
        self.assertEqual([capture.stem for capture, _ in self.runs], ["smb_errors", "smb_io", "smb_network", "smb_starved"])

    def test_each_command_of_the_client_is_there_once(self):
        """By command and Message ID, which begins again with each connection."""
        for capture, mine in self.runs:
            theirs = Counter((number(event, "cmd"), number(event, "mid")) for event in events(capture, "smb3_cmd_enter"))
            found = Counter((int(row["opcode"], 0), int(row["id"], 0)) for row in mine if int(row["opcode"], 0) != OPLOCK_BREAK)
            self.assertEqual(found, theirs, capture.name)
            waits = {"Create", "Query Directory", "Close"} if capture.stem == "smb_starved" else set()  # a chain, for ever
            self.assertLessEqual({row["operation"] for row in mine if row["outcome"] not in ("succeeded", "failed")}, waits, capture.name)

    def test_statuses(self):
        for capture, mine in self.runs:
            theirs = Counter((number(event, "cmd"), number(event, "mid"), number(event, "status")) for event in events(capture, "smb3_cmd_err"))
            found = Counter((int(row["opcode"], 0), int(row["id"], 0), int(row["status"], 0)) for row in mine if int(row["status"] or "0", 0))
            self.assertEqual(theirs - found, Counter(), capture.name)
            # Of a chain it traces the first only, and what it takes for a success not as an error.
            for (command, message, status), _ in (found - theirs).items():
                row = next(row for row in mine if (int(row["opcode"], 0), int(row["id"], 0)) == (command, message))
                self.assertIn(row["status_name"], ("STATUS_FILE_CLOSED", "STATUS_INVALID_PARAMETER", "STATUS_NO_MORE_FILES", "STATUS_END_OF_FILE",
                                                   "STATUS_MORE_PROCESSING_REQUIRED"), (capture.name, row))

    def test_data(self):
        """Offset and length of each read and write of the client's."""
        for capture, mine in self.runs:
            for name, operation in (("smb3_read_enter", "Read"), ("smb3_write_enter", "Write")):
                theirs = Counter((number(event, "offset"), number(event, "len")) for event in events(capture, name))
                found = Counter((int(row["offset"]), int(row["bytes"])) for row in mine if row["operation"] == operation)
                self.assertEqual(found, theirs, (capture.name, operation))

    def test_statistics(self):
        """/proc/fs/cifs/Stats: how many of each command, and the bytes of all reads and writes, before the last of them closed the share."""
        capture = named("smb_io")
        rows = rows_of(capture)
        lines = [event["text"].removeprefix("stats ") for event in events(capture, "tracing_mark_write") if event["text"].startswith("stats ")]
        counted = {int(line.split()[0]): int(line.split()[1]) for line in lines if re.fullmatch(r"\d+\t\t\d+\t.*", line)}
        self.assertEqual(sorted(counted), list(range(19)))
        end = next(event["time_ns"] for event in events(capture, "tracing_mark_write"))
        found = Counter(int(row["opcode"], 0) for row in rows if int(row["issued"]) < end)
        self.assertEqual({command: count for command, count in counted.items() if count and command in (0, 1, 3, 7, 8, 9)},
                         {command: found[command] for command in (0, 1, 3, 7, 8, 9)})
        read, written = next(map(int, match.groups()) for match in (re.match(r"Bytes read: (\d+) +Bytes written: (\d+)", line) for line in lines) if match)
        writes = [row for row in rows if row["operation"] == "Write"]
        self.assertEqual(sum(int(row["bytes"]) for row in writes), written)
        by_rdma = sum(int(row["data_bytes"] or 0) for row in rows if row["operation"] == "Read")
        inline = 3000  # cat of a small file, below the threshold of RDMA
        self.assertIn(read - by_rdma, (0, inline))

    def test_data_by_rdma(self):
        """READs and WRITEs of the server moved what the command names, but for the end of the file."""
        moved = 0
        for row in rows_of(named("smb_io")):
            if row["operation"] in ("Read", "Write") and row["outcome"] == "succeeded" and int(row["bytes"]) >= 8192:
                self.assertEqual(row["data_bytes"], row["bytes"], row)
                moved += 1
        self.assertEqual(moved, 12)

    def test_latencies(self):
        """The wire lies between the two moments that the client traced."""
        compared = 0
        for capture, mine in self.runs:
            if len(connections(capture)) > 1:
                continue
            began = {number(event, "mid"): event["time_ns"] for event in events(capture, "smb3_cmd_enter")}
            ended = {number(event, "mid"): event["time_ns"] for event in events(capture, "smb3_cmd_done", "smb3_cmd_err")}
            for row in mine:
                message = int(row["id"], 0)
                if row["latency"] and message in ended and message in began:
                    self.assertLessEqual(int(row["latency"]), ended[message] - began[message] + 1_000_000, row)
                    # What is lost, or comes behind what is lost, comes again. The client goes on once its request is acknowledged, too, and after
                    # the first response it loads what signs and encrypts.
                    if capture.stem == "smb_network" and row["acknowledged"] and row["operation"] != "Negotiate":
                        self.assertGreaterEqual(int(row["latency"]), ended[message] - began[message] - 100_000_000, row)
                    compared += 1
        self.assertGreater(compared, 100)

    def test_parts_add_up(self):
        for _, mine in self.runs:
            check_parts(self, mine)

    def test_how_it_is_known(self):
        for capture, _ in self.runs:
            for each in connections(capture):
                self.assertEqual((each["protocol"], each["known_by"], each["initiator"], each["unreadable"], each["encrypted"]),
                                 ("SMB Direct", "messages", 0, 0, 0), capture.name)
        self.assertEqual(connections(named("smb_io"))[0]["target_name"], "\\\\192.168.2.24\\share")

    def test_findings(self):
        """A file that is not there is no failure, nor are the commands that rest on its being opened."""
        found = {capture.stem: {} for capture in CAPTURES}
        for capture in CAPTURES:
            for each in report_of(capture)["findings"]:
                found[capture.stem].setdefault(each["id"], []).append(each["what"])
        for stem in ("smb_io", "smb_starved"):
            self.assertLessEqual(set(found[stem]) & {"io_failed", "queue_refused", "command_refused", "cm_reject"}, set(), stem)
        self.assertIn("credit_starvation", found["smb_starved"])
        self.assertNotIn("credit_starvation", found["smb_io"])
        self.assertEqual(found["smb_errors"]["io_failed"], ["1 Read: STATUS_INVALID_HANDLE"])  # as ksmbd calls an error of the disk
        self.assertEqual(sorted(found["smb_errors"]["queue_refused"]),
                         ["1 Session Setup: STATUS_LOGON_FAILURE"] * 2 + ["1 Tree Connect (\\\\192.168.2.24\\nothing): STATUS_BAD_NETWORK_NAME"])

    def test_slow_network(self):
        """It loses 4 % of what the server sends: a response that is lost comes again after the server's ACK timeout of 2.15 s."""
        found = {each["id"] for each in report_of(named("smb_network"))["findings"]}
        self.assertLessEqual({"packet_loss_before", "commands_resent"}, found)
        self.assertNotIn("slow_target", found)
        slow = [row for row in rows_of(named("smb_network")) if row["latency"] and int(row["latency"]) > 500_000_000]
        self.assertGreater(len(slow), 5)
        for row in slow:  # a Read waited for its data; of the others nothing says whether the response was lost
            self.assertGreater(int(row["resend"] if row["operation"] == "Read" else row["unknown"]), int(row["latency"]) * 9 // 10, row)

    def test_data_sent_again(self):
        """Each WRITE of the server comes again as it was 2.15 s later, before its ACK: the data were lost behind the capture, or the ACK was. Nothing
        says which, and the server was quick all the same."""
        opcode, psn, late = 42, slice(51, 54), 2_150_000_000  # BTH behind Ethernet, IPv4 and UDP
        with tempfile.TemporaryDirectory() as folder:
            capture, again = pathlib.Path(folder) / "smb.pcap", pathlib.Path(folder) / "again.pcap"
            subprocess.run(["editcap", "-F", "nsecpcap", named("smb_io"), capture], check=True)
            link_type, magic, frames = read_pcap(capture)
            changed, message, shift, repeated = [], [], 0, 0

            def put(frame, more):
                time = frame.seconds * 1_000_000_000 + frame.fraction + more
                changed.append(dataclasses.replace(frame, seconds=time // 1_000_000_000, fraction=time % 1_000_000_000))

            for frame in frames:
                data = frame.data
                is_rc = data[12:14] == b"\x08\x00" and data[23] == 17 and data[36:38] == (4791).to_bytes(2, "big")
                is_write = is_rc and data[29] == 24 and data[opcode] in (0x06, 0x07, 0x08, 0x0A)
                if is_write and data[opcode] in (0x06, 0x0A):
                    message = []
                if is_write:
                    message.append((frame, shift))
                is_ack = is_rc and data[29] != 24 and data[opcode] == 0x11
                if is_ack and message and (int.from_bytes(data[psn], "big") - int.from_bytes(message[-1][0].data[psn], "big")) % 2**24 < 2**23:
                    shift, repeated = shift + late, repeated + 1
                    for sent, before in message:
                        put(sent, before + late)
                    message = []
                put(frame, shift)
            write_pcap(again, link_type, changed, magic)
            reads = [row for row in rows_of(again) if row["operation"] == "Read" and row["latency"] and int(row["latency"]) > late]
            self.assertEqual((repeated, len(reads)), (11, 11))
            for row in reads:
                self.assertLess(int(row["target_time"]), 100_000_000, row)
                self.assertGreater(int(row["unknown"]), 2_000_000_000, row)
            self.assertNotIn("slow_target", {each["id"] for each in report_of(again)["findings"]})

    def test_credits(self):
        """The server had used the four credits that the client's /proc/fs/cifs/smbd_receive_credit_max allows, in the middle of a message: by
        tshark, the last message of the server says how much is missing, and nothing of the client's that follows grants a credit."""
        fields = ("frame.number", "frame.time_epoch", "ip.src", "smb_direct.credits.granted", "smb_direct.remaining_length")
        shown = subprocess.run(["tshark", "-n", "-r", named("smb_starved"), "-Y", "smb_direct.credits.granted", "-T", "fields",
                                *(word for field in fields for word in ("-e", field))], check=True, capture_output=True, text=True).stdout
        messages = [line.split("\t") for line in shown.splitlines()]
        last = max(index for index, message in enumerate(messages) if message[2] == "192.168.2.24")
        self.assertGreater(int(messages[last][4]), 1340)
        behind = messages[last + 1:]
        self.assertEqual({int(message[3]) for message in behind}, {0})
        (finding,) = (each for each in report_of(named("smb_starved"))["findings"] if each["id"] == "credit_starvation")
        waited = float(behind[-1][1]) - float(messages[last][1])
        self.assertIn(f" {waited:.2f} s in all", finding["what"])
        self.assertEqual((finding["count"], finding["packets"][0]), (1, int(behind[-1][0])))

    def test_without_the_cm(self):
        capture = named("smb_io")
        with left_of(capture, "!infiniband.mad") as part:
            facts = lambda rows: Counter((row["operation"], row["id"], row["bytes"], row["status"], row["data_bytes"]) for row in rows)
            self.assertEqual(facts(rows_of(part)), facts(rows_of(capture)))
            self.assertEqual({(each["protocol"], each["known_by"]) for each in connections(part)}, {("SMB Direct", "shape")})

    def test_cut_captures(self):
        """What stands in the first bytes of each packet is right."""
        for capture, mine in self.runs:
            whole = {(row["connection"], row["id"], row["operation"]): row for row in mine}
            for length in (128, 192, 256):
                with cut(capture, length) as short:
                    for row in rows_of(short):
                        right = whole[row["connection"], row["id"], row["operation"]]
                        for column in ("bytes", "offset", "status", "target"):
                            self.assertIn(row[column], ("", "0", "0x0000000000000000", right[column]), (capture.name, length, row))


if __name__ == "__main__":
    unittest.main()
