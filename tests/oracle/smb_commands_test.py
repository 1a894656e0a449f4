#!/usr/bin/env python3
"""Commands of SMB Direct in `analyze --csv`, beside what tshark says of the same packets. They are made packet by packet, as no kernel of
Debian has SMB Direct: smb_packets.py."""
import pathlib
import subprocess
import tempfile
import unittest
from collections import Counter

from command_rows import PROGRAM, cut, report_of, rows_of
from capture_file import write_pcap
from defects_smb import FIELDS
import smb_packets

ETHERNET = 1


def fields(command: list, capture: pathlib.Path, names: list[str]) -> list[dict]:
    """By packet, the values of each field, as numbers."""
    options = [option for name in names for option in ("-e", name)]
    lines = subprocess.run([*command, "-T", "fields", "-E", "separator=/t", "-E", "aggregator=,", "-E", "occurrence=a", *options, *capture], check=True,
                           capture_output=True, text=True).stdout.splitlines()
    number = lambda text: {"True": 1, "False": 0}.get(text) if text in ("True", "False") else int(text, 0)
    return [{name: [number(value) for value in values.split(",")] for name, values in zip(names, line.split("\t")) if values} for line in lines]


def of_tshark(capture: pathlib.Path, names: list[str]) -> list[dict]:
    return fields(["tshark", "-n", "-r", capture], [], names)


def of_ours(capture: pathlib.Path, names: list[str]) -> list[dict]:
    return fields([PROGRAM, "dissect", "--decode-as", "port=445:smb"], [capture], names)  # from the first message on


class Commands(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.capture = cls.made("smb")
        cls.rows, cls.report = rows_of(cls.capture), report_of(cls.capture)

    @classmethod
    def made(cls, name: str, with_handshake: bool = True) -> pathlib.Path:
        path = pathlib.Path(cls.folder.name) / f"{name}.pcap"
        write_pcap(path, ETHERNET, smb_packets.everything(with_handshake).frames)
        return path

    def row(self, message: int) -> dict:
        (row,) = [row for row in self.rows if int(row["id"], 0) == message and row["operation"] != "Cancel"]
        return row

    def test_each_command_of_tshark_is_there_once(self):
        """By Message ID and command; notices of the server have none of their own. tshark puts no fragments together that are SENDs of several
        packets: those of the request 10 and of the response to 9."""
        requests = Counter()
        for packet in of_tshark(self.capture, ["smb2.cmd", "smb2.msg_id", "smb2.flags.response"]):
            for command, message, response in zip(packet.get("smb2.cmd", []), packet.get("smb2.msg_id", []), packet.get("smb2.flags.response", [])):
                requests[command, message] += not response or message == (1 << 64) - 1
        found = Counter((int(row["opcode"], 0), int(row["id"], 0)) for row in self.rows)
        self.assertEqual(+requests + Counter({(smb_packets.WRITE, 10): 1}), found)
        self.assertGreater(len(found), 18)

    def test_statuses(self):
        """Of the last response that tshark has for a Message ID."""
        statuses = {}
        for packet in of_tshark(self.capture, ["smb2.msg_id", "smb2.nt_status"]):
            for message, status in zip(packet.get("smb2.msg_id", []), packet.get("smb2.nt_status", [])):
                statuses[message] = status
        for row in self.rows:
            if row["status"]:
                self.assertEqual(int(row["status"], 0), statuses.get(int(row["id"], 0), 0), row)
        failed = {int(row["id"], 0) for row in self.rows if row["outcome"] == "failed"}
        self.assertEqual(failed, {3, 5, 11, 12, 16})  # not the login that goes on, nor what is pending

    def test_data_and_times(self):
        read, write = self.row(7), self.row(8)
        self.assertEqual((read["operation"], read["bytes"], read["data_bytes"], read["offset"]), ("Read", "6144", "6144", "0"))
        self.assertEqual((write["operation"], write["bytes"], write["data_bytes"], write["offset"]), ("Write", "8192", "8192", "65536"))
        self.assertGreater(int(write["target_time"]), 29_000_000)
        self.assertLess(int(read["target_time"]), 400_000)
        for row in self.rows:
            if row["latency"]:
                self.assertEqual(sum(int(row[part]) for part in ("request", "data", "resend", "unknown", "target_time")), int(row["latency"]))

    def test_fragments(self):
        """A request begins in its first fragment."""
        write, read = self.row(10), self.row(9)
        self.assertEqual((write["bytes"], write["in_capsule"], read["bytes"]), ("2900", "true", "3000"))
        first = [number for number, packet in enumerate(of_tshark(self.capture, ["smb_direct.remaining_length"]), 1)
                 if packet.get("smb_direct.remaining_length", [0])[0] > 0]
        self.assertIn(int(write["request_packet"]), first)

    def test_names(self):
        self.assertEqual(self.row(6)["detail"], "Gr\u00f6\u00dfe.bin")
        self.assertEqual(self.row(3)["detail"], "\\\\server\\nothing")
        (carried,) = self.report["carried"]
        self.assertEqual((carried["protocol"], carried["known_by"], carried["initiator"]), ("SMB Direct", "messages", 0))
        self.assertEqual((carried["target_name"], carried["encrypted"], carried["unreadable"]), ("\\\\server\\share", 2, 0))

    def test_findings(self):
        """The probe of port 5445 is a note; what failed is there, and a file that does not exist is no failure."""
        found = {each["id"]: each for each in self.report["findings"]}
        self.assertIn("STATUS_DISK_FULL", found["io_failed"]["what"])
        self.assertEqual(found["io_failed"]["count"], 1)
        self.assertIn("STATUS_BAD_NETWORK_NAME", found["queue_refused"]["what"])
        self.assertNotIn("cm_reject", found)
        self.assertEqual({each["severity"] for name, each in found.items() if name not in ("io_failed", "queue_refused")} - {"note"}, set())

    def test_fields(self):
        mine, theirs = of_ours(self.capture, FIELDS), of_tshark(self.capture, FIELDS)
        self.assertEqual(len(mine), len(theirs))
        compared = set()
        for number, (ours, other) in enumerate(zip(mine, theirs), 1):
            remaining = (ours.get("smb_direct.remaining_length", [0]), other.get("smb_direct.remaining_length", [0]))
            if remaining != ([0], [0]) or other.get("smb2.msg_id", [0])[0] in (9, 10):
                continue  # fragments, of which each shows its message elsewhere
            if other.get("smb2.cmd") == [smb_packets.SESSION_SETUP]:
                other.pop("smb2.channel", None)  # it has another field of that name
            self.assertEqual(ours, other, number)
            compared |= set(other)
        self.assertEqual(set(FIELDS) - compared, set())

    def test_without_handshake(self):
        rows = rows_of(self.made("shape", False))
        key = lambda row: (row["operation"], row["id"], row["bytes"], row["status"], row["outcome"])
        self.assertEqual(Counter(map(key, rows)), Counter(map(key, self.rows)))
        forced = report_of(self.capture, "--decode-as", "connection=1:smb")["carried"]
        self.assertEqual([each["known_by"] for each in forced], ["user"])
        self.assertEqual(report_of(self.capture, "--decode-as", "port=445:none")["carried"], [])

    def test_cut(self):
        whole = {(row["operation"], row["id"]): row for row in self.rows}
        for length in (96, 128, 160, 256):
            with cut(self.capture, length) as short:
                for row in rows_of(short):
                    self.assertIn(row["status"], ("", whole[row["operation"], row["id"]]["status"]), length)
                self.assertEqual([each["protocol"] for each in report_of(short)["carried"]], ["SMB Direct"], length)


if __name__ == "__main__":
    unittest.main()
