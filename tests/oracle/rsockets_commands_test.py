#!/usr/bin/env python3
"""Streams of rsockets in `analyze --csv`, beside the immediate data that tshark shows of the same packets, read here by the codes of
librdmacm (rsocket.c)."""
import subprocess
import unittest
from collections import Counter

from command_rows import PROGRAM, cut, named, report_of, rows_of, rows_of_packets

CAPTURE = named("rsockets")
WRITE_LAST, WRITE_ONLY, WRITE_LAST_IMMEDIATE, WRITE_ONLY_IMMEDIATE = 8, 10, 9, 11
DATA, CREDITS, IOMAP, CONTROL = 0, 4, 6, 7
NAMES = {DATA: "Data", CREDITS: "SGL Update", IOMAP: "Iomap SGL"}
CONTROLS = {0: "Disconnect", 1: "Keepalive", 2: "Shutdown"}


def fields(program: list, names: list[str], display_filter: str) -> dict[int, list[str]]:
    columns = [word for name in ("frame.number", *names) for word in ("-e", name)]
    run = subprocess.run([*program, "-T", "fields", "-E", "separator=|", "-E", "occurrence=f", "-Y", display_filter, *columns, *(["-r"] if program[0] == "tshark" else []),
                          CAPTURE], check=True, capture_output=True, text=True)
    return {int(row[0]): row[1:] for row in (line.split("|") for line in run.stdout.splitlines())}


def of_tshark() -> dict[int, tuple[str, int, int]]:
    """By the number of the frame that ends a WRITE: the sender, and the two parts of the immediate data. No packet is there twice."""
    found = fields(["tshark", "-n"], ["ip.src", "infiniband.immdt"], f"infiniband.bth.opcode == {WRITE_LAST_IMMEDIATE} || "
                   f"infiniband.bth.opcode == {WRITE_ONLY_IMMEDIATE}")
    values = {frame: (source, int(data.replace(":", ""), 16)) for frame, (source, data) in found.items()}
    return {frame: (source, value >> 29, value & ((1 << 29) - 1)) for frame, (source, value) in values.items()}


def operation(op: int, value: int) -> str:
    return CONTROLS[value] if op == CONTROL else NAMES[op]


class Rows(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.rows, cls.report, cls.messages = rows_of(CAPTURE), report_of(CAPTURE), of_tshark()
        (connection,) = cls.report["connections"]
        cls.addresses = [side["address"] for side in connection["sides"]]

    def test_each_write_is_there_once(self):
        """With the bytes of the stream that it says it moves."""
        expected = Counter((source, operation(op, value), value if op == DATA else 0) for source, op, value in self.messages.values())
        found = Counter((self.addresses[int(row["initiator"])], row["operation"], int(row["bytes"])) for row in self.rows)
        self.assertEqual(expected, found)
        self.assertGreater(len(found), 6)
        self.assertEqual({row["outcome"] for row in self.rows}, {"succeeded"})

    def test_bytes_of_each_direction(self):
        """The options of the program: bytes sent in one direction come back in the other, after 16 bytes of each side."""
        for side in range(2):
            moved = sum(int(row["bytes"]) for row in self.rows if row["operation"] == "Data" and int(row["initiator"]) == side)
            right = sum(value for source, op, value in self.messages.values() if op == DATA and source == self.addresses[side])
            self.assertEqual(moved, right)
            self.assertGreater(moved, 2 * 8 * 4096)

    def test_end_of_the_stream(self):
        ends = [(self.addresses[int(row["initiator"])], row["operation"]) for row in self.rows if row["operation"] in CONTROLS.values()]
        self.assertEqual(ends, [(source, CONTROLS[value]) for source, op, value in self.messages.values() if op == CONTROL])
        self.assertTrue(ends)

    def test_credits(self):
        details = [row["detail"] for row in self.rows if row["operation"] == "SGL Update"]
        self.assertEqual(Counter(details), Counter(f"up to message {value}" for _, op, value in self.messages.values() if op == CREDITS))

    def test_immediate_data_of_each_packet(self):
        names = [f"rocescope.rsockets.{name}" for name in ("op", "bytes", "control", "credits")]
        mine = fields([PROGRAM, "dissect", "-q"], names, "rocescope.rsockets")
        self.assertEqual(set(mine), set(self.messages))
        for frame, values in mine.items():
            _, op, value = self.messages[frame]
            places = {DATA: 1, CONTROL: 2, CREDITS: 3, IOMAP: 3}
            right = [str(op), "", "", ""]
            right[places[op]] = str(value)
            self.assertEqual(values, right, frame)

    def test_lines(self):
        text = subprocess.run([PROGRAM, "dissect", "-q", CAPTURE], check=True, capture_output=True, text=True).stdout
        for each in ("Imm 0x80000180, rsockets SGL Update up to 384", "Imm 0x00000800, rsockets data, 2048 bytes", "rsockets Disconnect"):
            self.assertIn(each, text)

    def test_private_data(self):
        """Of REQ and REP, beside the bytes that tshark shows: version 1, credits, the buffers."""
        names = ["version", "credits", "iomap_size", "sgl.va", "sgl.r_key", "sgl.len", "buffer.va", "buffer.r_key", "buffer.len"]
        mine = fields([PROGRAM, "dissect", "-q"], [f"rocescope.rsockets.conn.{name}" for name in names], "rocescope.rsockets.conn.version")
        theirs = fields(["tshark", "-n"], ["infiniband.cm.req.ip_cm", "infiniband.cm.rep.private"], "infiniband.mad.attributeid == 0x10 || infiniband.mad.attributeid == 0x13")
        self.assertEqual(set(mine), set(theirs))
        self.assertEqual(len(mine), 2)
        for frame, (request, reply) in theirs.items():
            data = bytes.fromhex((request or reply).replace(":", ""))[36 if request else 0:]
            number = lambda at, size: int.from_bytes(data[at:at + size], "big")
            right = [number(0, 1), number(2, 2), number(7, 1), number(8, 8), number(16, 4), number(20, 4), number(24, 8), number(32, 4), number(36, 4)]
            self.assertEqual([int(value, 0) for value in mine[frame]], right)

    def test_what_is_carried(self):
        (carried,) = self.report["carried"]
        self.assertEqual((carried["protocol"], carried["known_by"], carried["depth"]), ("rsockets", "private_data", 384))
        self.assertEqual((carried["commands"], carried["failed"], carried["unreadable"]), (len(self.rows), 0, 0))

    def test_without_handshake(self):
        """The buffers that are offered say what it is, and that the immediate data are the lengths of the data written there."""
        key = lambda row: (row["operation"], row["id"], row["bytes"], row["initiator"])
        rows, carried = rows_of_packets(CAPTURE, "!infiniband.mad")
        self.assertEqual([(each["protocol"], each["known_by"]) for each in carried], [("rsockets", "shape")])
        self.assertEqual(list(map(key, rows)), list(map(key, self.rows)))
        rows, carried = rows_of_packets(CAPTURE, "!infiniband.mad && !(infiniband.bth.opcode == 11 && infiniband.reth.dmalen == 16)")
        self.assertEqual((rows, carried), ([], []))
        self.assertEqual(list(map(key, rows_of(CAPTURE, "--decode-as", "connection=1:rsockets"))), list(map(key, self.rows)))
        self.assertEqual(rows_of(CAPTURE, "--decode-as", "connection=1:none"), [])

    def test_cut_captures(self):
        """The private data end at byte 312 of the frame of a REQ; what the immediate data say is not cut then."""
        with cut(CAPTURE, 320) as short:
            self.assertEqual(rows_of(short), self.rows)
        with cut(CAPTURE, 64) as short:
            self.assertEqual(rows_of(short), [])


if __name__ == "__main__":
    unittest.main()
