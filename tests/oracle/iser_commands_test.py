#!/usr/bin/env python3
"""Commands of iSER in `analyze --csv`, beside what the kernels of both machines traced while the capture was made, and what tshark decodes."""
import pathlib
import re
import subprocess
import unittest
from collections import Counter

import command_rows
from command_rows import PROGRAM, check_parts, check_targets, named, report_of, rows_of, rows_of_cut, rows_of_packets
from defects_iser import FIELDS
from scsi_traces import answered, blocks, facts_of, issued, latencies, of_scsi, served

CAPTURES = sorted(command_rows.CAPTURES.glob("iser_*.pcapng"))
TASK_OPERATIONS = ("Abort Task", "Logical Unit Reset")
SESSION_OPERATIONS = ("Login", "Text", "Logout", "NOP-Out")


class Commands(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.runs = [(capture, rows_of(capture)) for capture in CAPTURES]

    def test_there_are_captures(self):
        self.assertGreaterEqual(len(self.runs), 5)

    def test_each_command_of_the_target_is_there_once(self):
        for capture, mine in self.runs:
            self.assertEqual(issued(capture), Counter((int(row["id"], 0), int(row["bytes"]), int(row["opcode"], 0) & 0xFF)
                                                      for row in of_scsi(mine)), capture.name)

    def test_statuses(self):
        for capture, mine in self.runs:
            theirs = answered(capture)
            found = Counter((int(row["id"], 0), int(row["status"], 0)) for row in of_scsi(mine) if row["status"])
            self.assertEqual(found - theirs, Counter(), capture.name)
            for tag, status in theirs - found:  # it ended what was aborted
                row = next(row for row in mine if int(row["id"], 0) == tag)
                self.assertEqual((capture.name, row["outcome"]), ("iser_abort.pcapng", "outstanding"))

    def test_blocks_of_the_initiator(self):
        for capture, mine in self.runs:
            self.assertEqual(blocks(capture), Counter((row["operation"], int(row["offset"]), int(row["blocks"])) for row in mine
                                                      if re.match(r"(Read|Write)\(", row["operation"])), capture.name)

    def test_data_of_each_command(self):
        """What READs and WRITEs moved is what the command names, if it succeeded and its data did not come with it."""
        compared = 0
        for capture, mine in self.runs:
            for row in mine:
                if row["outcome"] == "succeeded" and re.match(r"(Read|Write)\(", row["operation"]) and row["in_capsule"] == "false":
                    inside = int(row["bytes"]) - int(row["data_bytes"])
                    self.assertIn(inside, (0, 8192) if row["operation"].startswith("Write") else (0,), row)  # of a write the first part
                    compared += 1
        self.assertGreater(compared, 30)

    def test_latencies(self):
        """The wire lies between the two moments that the initiator's kernel traced."""
        compared = 0
        for capture, mine in self.runs:
            theirs = latencies(capture)
            for row in mine:
                name = re.match(r"(Read|Write)\((\d+)\)", row["operation"])
                key = (f"{name[1].upper()}_{name[2]}", int(row["offset"])) if name else None
                if key in theirs and len(theirs[key]) == 1 and row["latency"]:
                    self.assertLessEqual(int(row["latency"]), theirs[key][0] + 1_000_000, row)
                    if capture.stem == "iser_network":  # what is lost, or comes behind what is lost, comes again
                        self.assertGreaterEqual(int(row["latency"]), theirs[key][0] - 100_000_000, row)
                    compared += 1
        self.assertGreater(compared, 30)

    def test_parts_add_up(self):
        for _, mine in self.runs:
            check_parts(self, mine)

    def test_part_of_the_target(self):
        for capture, mine in self.runs:
            check_targets(self, of_scsi(mine), served(capture), lambda row: int(row["id"], 0))
        capture = named("iser_network")
        rows = of_scsi(rows_of(capture))
        self.assertGreater(check_targets(self, rows, served(capture), lambda row: int(row["id"], 0)), len(rows) // 2)

    def test_how_it_is_known(self):
        for capture, _ in self.runs:
            for each in report_of(capture)["carried"]:
                self.assertEqual(each["protocol"], "iSER")
                self.assertIn(each["known_by"], ("private_data", "messages"))
        normal = report_of(named("iser_io"))["carried"][-1]
        self.assertEqual((normal["initiator_name"], normal["target_name"]), ("iqn.2026-11.lab:client", "iqn.2026-11.lab:target"))

    def test_without_the_cm(self):
        """The form of the messages shows the same commands; of a connection with few messages the names of its login."""
        rows, carried = rows_of_packets(named("iser_io"), "!infiniband.mad")
        self.assertEqual({(each["protocol"], each["known_by"]) for each in carried}, {("iSER", "shape")})
        self.assertEqual(facts_of(rows), facts_of(rows_of(named("iser_io"))))

    def test_one_direction(self):
        """Commands without their responses are outstanding, responses without their commands are unseen."""
        for way, outcome in (("ip.src == 192.168.2.25", "outstanding"), ("ip.src == 192.168.2.24", "unseen")):
            rows, _ = rows_of_packets(named("iser_io"), f"{way} && !infiniband.mad")
            self.assertGreater(len(rows), 30)
            self.assertEqual({row["outcome"] for row in rows}, {outcome})

    def test_by_hand(self):
        capture = named("iser_io")
        self.assertEqual(rows_of(capture, "--decode-as", "port=3260:none"), [])
        self.assertEqual(len(rows_of(capture, "--decode-as", "port=3260:iser")), len(rows_of(capture)))

    def test_cut_captures(self):
        """What stands in the first bytes of each packet is right, and nothing else is said. With 96 there are 42 of each message, in which are
        the header of iSER and the opcode, but no tag; with 128 all tags, and no status of a login."""
        capture = named("iser_io")
        whole = {int(row["id"], 0): row for row in of_scsi(rows_of(capture))}
        for length in (96, 128):
            rows, carried = rows_of_cut(capture, length)
            self.assertEqual({each["protocol"] for each in carried}, {"iSER"})
            self.assertEqual(bool(rows), length == 128)
            for row in of_scsi(rows):
                for column in ("operation", "bytes", "offset", "blocks", "status", "target"):
                    right = whole[int(row["id"], 0)][column]
                    if column == "status" and row["status"] and int(row["status"], 0) == 2:  # its sense data were cut off
                        right = f"{int(right, 0) & 0xFF:#018x}"
                        self.assertEqual(row["detail"], "sense not captured")
                    self.assertIn(row[column], ("", "0", right), (length, row))


# No capture here has them
NOT_COMPARED = {"iscsi.X", "iscsi.asyncevent", "iscsi.bufferOffset", "iscsi.datasn", "iscsi.eventvendorcode", "iscsi.parameter1", "iscsi.parameter2",
                "iscsi.parameter3", "iscsi.reject.reason", "iscsi.scsidata.F", "iser.flags.rej", "iser.ird", "iser.ord"}


def plain(text: str) -> int | str:
    """A value in any of the forms of both programs."""
    try:
        return int({"True": "1", "False": "0"}.get(text, text), 0)
    except ValueError:
        return text.replace(":", "")


class Witness(unittest.TestCase):
    def test_fields_of_tshark(self):
        """tshark 4.0 decodes each message, as far as its first packet has it."""
        columns = [word for field in ("frame.number", *FIELDS) for word in ("-e", field)]
        options = ["-T", "fields", "-E", "occurrence=a", "-E", "aggregator=\x1d", "-E", "separator=\x1e", "-Y", "iser", *columns]
        compared: Counter = Counter()
        for capture in CAPTURES:
            runs = [subprocess.run(command, check=True, capture_output=True, text=True).stdout for command in
                    (["tshark", "-n", *options, "-r", capture], [PROGRAM, "dissect", "-q", *options, capture])]
            theirs, mine = ({row[0]: row[1:] for row in (line.split("\x1e") for line in run.split("\n")[:-1])} for run in runs)
            # tshark shows a message each time that it comes, we once.
            copies = set(subprocess.run([PROGRAM, "dissect", "-q", "-T", "fields", "-e", "frame.number", "-Y", 'rocescope.verdict == "retransmission"',
                                         capture], check=True, capture_output=True, text=True).stdout.split())
            self.assertEqual(len(theirs.keys() - copies), len(mine.keys() - copies), capture.name)
            for frame in theirs.keys() & mine.keys():  # tshark shows a message of several packets with the first, we with the last
                for field, their, our in zip(FIELDS, theirs[frame], mine[frame]):
                    if not their or (field == "scsi_sbc.opcode" and not our):  # of a response it shows that of the command
                        continue
                    values = [[plain(value) for value in cell.split("\x1d")] for cell in (their, our)]
                    if field in ("scsi_sbc.opcode", "iscsi.cid"):  # tshark shows it twice
                        values = [each[:1] for each in values]
                    if field == "scsi.sns.valid":  # it shows the whole byte
                        values[0] = [value >> 7 for value in values[0]]
                    self.assertEqual(*values, (capture.name, frame, field))
                    compared[field] += 1
        self.assertEqual(set(FIELDS) - set(compared), NOT_COMPARED)
        self.assertGreater(sum(compared.values()), 5_000)


def findings(capture: pathlib.Path) -> dict[str, str]:
    found: dict[str, str] = {}
    for each in report_of(capture)["findings"]:
        found[each["id"]] = f'{found.get(each["id"], "")} {each["what"]}'
    return found


class Findings(unittest.TestCase):
    OF_COMMANDS = ("io_failed", "queue_refused", "commands_resent", "slow_target")

    def test_bad_block(self):
        found = findings(named("iser_errors"))
        self.assertIn("Read(10)", found["io_failed"])
        self.assertIn("Write(10)", found["io_failed"])
        sense = "Logical Unit Communication Failure"
        self.assertIn(sense, found["io_failed"])

    def test_refused_logins(self):
        found = findings(named("iser_refused"))
        self.assertIn("authorization failure", found["queue_refused"])
        self.assertIn("invalid service ID", found["cm_reject"])
        self.assertNotIn("io_failed", found)
        refusals = Counter(row["status_name"] for row in rows_of(named("iser_refused")) if row["operation"] == "Login")
        self.assertEqual(refusals, {"authorization failure": 1})

    def test_slow_target(self):
        found = findings(named("iser_slow"))
        self.assertIn("slow_target", found)
        self.assertNotIn("commands_resent", found)
        for row in rows_of(named("iser_slow")):
            least = 59_000_000 if row["operation"].startswith("Write(") else 29_000_000 if row["operation"].startswith("Read(") else 0
            if row["latency"]:
                self.assertGreaterEqual(int(row["target_time"]), least, row)

    def test_slow_network(self):
        """It loses 8 % of what the target sends: a response that is lost comes again after the target's ACK timeout of 2.15 s."""
        found = findings(named("iser_network"))
        self.assertIn("commands_resent", found)
        self.assertNotIn("slow_target", found)
        self.assertGreater(max(int(row["unknown"]) for row in rows_of(named("iser_network")) if row["latency"]), 1_000_000_000)

    def test_aborted(self):
        rows = rows_of(named("iser_abort"))
        self.assertEqual(Counter(row["operation"] for row in rows if row["operation"] in TASK_OPERATIONS),
                         {"Abort Task": 1, "Logical Unit Reset": 1})

    def test_healthy_runs_have_none(self):
        for each in self.OF_COMMANDS:
            self.assertNotIn(each, findings(named("iser_io")), each)


if __name__ == "__main__":
    unittest.main()
