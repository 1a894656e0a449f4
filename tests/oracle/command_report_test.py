#!/usr/bin/env python3
"""What the report for people says of commands, in each of its forms, beside what the hosts' kernels traced while the captures were made."""
import json
import re
import subprocess
import unittest
from collections import Counter

from command_rows import CAPTURES, PROGRAM, left_of, named, report_of, rows_of, table_rows_of

WITH_COMMANDS = sorted(file for protocol in ("nvme", "nfs", "iser", "srp", "smb", "rnbd", "rds", "rsockets")
                       for file in CAPTURES.glob(f"{protocol}*.pcapng"))
# NVMe Base 2.0, 3.3.3.2 and NVMe-oF 1.1a, 3.3: status code type x 256 + status code
NVME_STATUSES = {0x001: "Invalid Command Opcode", 0x002: "Invalid Field in Command", 0x006: "Internal Error"}


def text_of(capture, *options: str) -> str:
    return subprocess.run([PROGRAM, "analyze", *options, capture], check=True, capture_output=True, text=True, timeout=60).stdout


def table_of(text: str, heading: str) -> list[dict]:
    """The rows of the table below a heading, by the headings of its columns."""
    lines = text.split(f"\n{heading}\n", 1)
    if len(lines) < 2:
        return []
    lines = lines[1].split("\n\n", 1)[0].splitlines()
    # A column is where no row has text in the gap before it.
    width = max(map(len, lines))
    lines = [line.ljust(width) for line in lines]
    gaps = [all(line[at:at + 2] == "  " for line in lines) for at in range(width)]
    starts = [at + 1 for at in range(width - 1) if gaps[at] and not gaps[at + 1]]
    cells = [[line[begin:end].strip() for begin, end in zip(starts, [*starts[1:], width])] for line in lines]
    return [dict(zip(cells[0], row)) for row in cells[1:]]


def traced_ends(capture) -> list[tuple[int, int]]:
    """Queue and status of each command of NVMe that the host's kernel saw complete, without those that it gave up itself."""
    ends = []
    for line in capture.with_suffix(".ndjson").read_text().splitlines():
        event = json.loads(line)
        if event["event"] == "trace" and event["on"] == "client" and event["name"] == "nvme_complete_rq":
            facts = dict(re.findall(r"(\w+)=(\w+)", event["text"]))
            status = int(facts["status"], 16) & 0x7FF
            if status not in (0x370, 0x371):
                ends.append((int(facts["qid"]), status))
    return ends


class Text(unittest.TestCase):
    def test_errors_by_status(self):
        """In words, with how many commands ended so, as the kernel of the host saw them, and where the first did."""
        capture = named("nvme_errors")
        expected = Counter(NVME_STATUSES[status] for _, status in traced_ends(capture) if status)
        found = Counter()
        rows = rows_of(capture)
        for row in table_of(text_of(capture, "-v"), "Commands that did not succeed, by status"):
            found[row["status"]] += int(row["commands"])
            alike = [each for each in rows if each["operation"] == row["operation"] and each["status_name"] == row["status"]]
            self.assertEqual(len(alike), int(row["commands"]))
            self.assertEqual(int(row["first packet"]), min(int(each["response_packet"]) for each in alike))
        self.assertEqual(found, expected)
        self.assertGreater(len(found), 2)

    def test_errors_by_status_of_all_protocols(self):
        shown = set()
        for capture in WITH_COMMANDS:
            rows = [row for row in rows_of(capture) if row["outcome"] == "failed"
                    or row["outcome"] in ("unseen", "no_status") and int(row["status"] or "0", 0)]
            table = table_of(text_of(capture, "-v"), "Commands that did not succeed, by status")
            self.assertEqual(sum(int(row["commands"]) for row in table), len(rows), capture.name)
            for row in table:
                self.assertRegex(row["status"], "[A-Za-z]", capture.name)
                shown.add(row["protocol"])
        self.assertGreaterEqual(len(shown), 5, shown)

    def test_rates_have_units(self):
        """Of bytes as elsewhere: three digits and a prefix; none of fewer than three commands."""
        shown = 0
        for capture in WITH_COMMANDS:
            totals = report_of(capture).get("command_totals", [])
            table = table_of(text_of(capture, "-v"), "Commands by operation and size")
            self.assertEqual(len(table), len(totals), capture.name)
            for row, total in zip(table, totals):
                over = total["commands"] - total.get("outstanding", 0)
                for name, column in (("commands_per_second", "IOPS"), ("bytes_per_second", "B/s")):
                    if over < 3:
                        self.assertNotIn(name, total, capture.name)
                        self.assertEqual(row.get(column, ""), "", capture.name)
                if "bytes_per_second" in total:
                    number, unit = row["B/s"].split(" ")
                    factor = {"B/s": 1, "kB/s": 1e3, "MB/s": 1e6, "GB/s": 1e9}[unit]
                    self.assertAlmostEqual(float(number) * factor, total["bytes_per_second"], delta=0.006 * total["bytes_per_second"] + 0.5)
                    shown += 1
        self.assertGreater(shown, 10)


def confidences(capture, *options: str) -> set[tuple[str, str]]:
    return {(each["protocol"], each["confidence"]) for each in report_of(capture, *options)["carried"]}


class Recognition(unittest.TestCase):
    """How sure it is what a connection carries, of what the packets that were left can show."""

    NAMES = {"nvme_io": "NVMe-oF", "nfs_io-3": "NFS/RDMA", "iser_io": "iSER", "srp_io": "SRP", "smb_io": "SMB Direct", "rnbd_io": "RTRS/RNBD"}

    def test_set_up_and_messages_agree(self):
        for name, protocol in self.NAMES.items():
            self.assertEqual(confidences(named(name)), {(protocol, "certain")}, name)

    def test_messages_alone(self):
        for name in ("nvme_io", "nfs_io-3", "iser_io", "srp_io", "smb_io"):
            with left_of(named(name), "!infiniband.mad") as part:
                self.assertEqual(confidences(part), {(self.NAMES[name], "likely")}, name)

    def test_set_up_alone(self):
        """Private data have a form of their own; SMB has none."""
        for name, protocol in self.NAMES.items():
            with left_of(named(name), "infiniband.mad || infiniband.bth.opcode == 17") as part:
                self.assertEqual(confidences(part), {(protocol, "guess" if name == "smb_io" else "likely")}, name)

    def test_port_alone(self):
        self.assertEqual(confidences(named("rping")), {("rping", "guess")})

    def test_word_of_the_user(self):
        self.assertEqual(confidences(named("nvme_io"), "--decode-as", "port=4420:nvme"), {("NVMe-oF", "certain")})
        for protocol in ("nvme", "nfs", "iser", "srp", "smb", "rds"):
            found = confidences(named("rping"), "--decode-as", f"port=7174:{protocol}")
            self.assertEqual({confidence for _, confidence in found}, {"guess"}, protocol)

    def test_all_forms_say_it(self):
        for capture in (named("iser_io"), named("smb_errors"), named("rping")):
            carried = [(str(each["connection"]), each["known_by"], each["confidence"]) for each in report_of(capture)["carried"]]
            self.assertTrue(carried)
            rows = table_rows_of(capture, "carried.csv")
            self.assertEqual([(row["connection"], row["known_by"], row["confidence"]) for row in rows], carried)
            table = table_of(text_of(capture, "-v"), "What connections carry")
            self.assertEqual([(row["no."], row["known by"], row["confidence"]) for row in table], carried)


if __name__ == "__main__":
    unittest.main()
