#!/usr/bin/env python3
"""Commands of RNBD over RTRS in `analyze --csv`, beside those that rtrs_packets.py makes, by the structures of Linux."""
import pathlib
import subprocess
import tempfile
import unittest

from capture_file import write_pcap
from command_rows import PROGRAM, cut, report_of, rows_of
import rtrs_packets

ETHERNET = 1


def fields(capture: pathlib.Path, names: list[str], display_filter: str) -> list[list[str]]:
    columns = [word for name in names for word in ("-e", name)]
    run = subprocess.run([PROGRAM, "dissect", "-q", "-T", "fields", "-E", "separator=|", "-E", "occurrence=a", "-Y", display_filter, *columns, capture],
                         check=True, capture_output=True, text=True)
    return [line.split("|") for line in run.stdout.splitlines()]


class Commands(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.capture = pathlib.Path(cls.folder.name) / "rtrs.pcap"
        write_pcap(cls.capture, ETHERNET, rtrs_packets.everything().frames)
        cls.rows, cls.report = rows_of(cls.capture), report_of(cls.capture)

    def test_commands(self):
        """In the order of their responses: operation, buffer, device, sector, blocks, bytes, data, outcome."""
        found = [(row["operation"], int(row["id"], 0), row["target"], row["offset"], row["blocks"], row["bytes"], row["data_bytes"], row["outcome"])
                 for row in self.rows]
        self.assertEqual(found, [
            ("Info", 0x80000, "", "", "", "0", "", "succeeded"),
            ("Open", 0, "", "", "", "0", "64", "succeeded"),
            ("Write", 511, "1", str(1 << 33), "1", "1000", "", "succeeded"),
            ("Write", 2, "1", "1024", "16", "8192", "", "succeeded"),
            ("Read", 1, "1", "8", "8", "4096", "4096", "succeeded"),
            ("Flush", 3, "1", "0", "0", "0", "", "succeeded"),
            ("Read", 3, "1", "4000", "4", "2048", "", "failed"),
            ("Heartbeat", 0x80001, "", "", "", "0", "", "succeeded"),
            ("Close", 4, "1", "", "", "0", "", "succeeded"),
            ("", 6, "", "", "", "", "", "unseen"),
            ("Read", 5, "1", "16", "1", "512", "", "outstanding"),
        ])
        self.assertEqual([row["detail"] for row in self.rows if row["operation"] == "Open"], ["disk.img"])
        self.assertEqual([row["in_capsule"] for row in self.rows if row["operation"] in ("Write", "Read")], ["true", "true", "false", "false", "false"])

    def test_times_and_status(self):
        for row in self.rows:
            if row["latency"]:
                self.assertEqual(sum(int(row[part]) for part in ("request", "data", "resend", "unknown", "target_time")), int(row["latency"]))
        slow = {row["id"] for row in self.rows if row["latency"] and int(row["latency"]) > 29_000_000}
        self.assertEqual({int(each, 0) for each in slow}, {1, 2, 511})
        self.assertEqual([(int(row["status"], 0), row["status_name"]) for row in self.rows if row["outcome"] == "failed"], [(5, "EIO")])

    def test_what_is_carried(self):
        (carried,) = self.report["carried"]
        self.assertEqual((carried["protocol"], carried["known_by"], carried["initiator"], carried["depth"]), ("RTRS/RNBD", "messages", 0, 512))
        self.assertEqual((carried["failed"], carried["unreadable"], carried["most_outstanding"]), (1, 0, 3))
        self.assertIn("EIO", next(each["what"] for each in self.report["findings"] if each["id"] == "io_failed"))

    def test_layers(self):
        io = fields(self.capture, ["rocescope.rnbd.op", "rocescope.rnbd.sector", "rocescope.rnbd.size", "rocescope.rnbd.device", "rocescope.rtrs.usr_len"], "rocescope.rnbd.io")
        self.assertEqual(io, [["0", "8", "4096", "1", "32"], ["1", "1024", "8192", "1", "32"], ["2", "0", "0", "1", "32"], ["0", "4000", "2048", "1", "32"],
                              ["0", "16", "512", "1", "32"]])  # one stands in two packets
        read = fields(self.capture, ["rocescope.rtrs.desc.va", "rocescope.rtrs.desc.r_key", "rocescope.rtrs.desc.len"], "rocescope.rtrs.read")
        self.assertEqual([[int(each, 0) for each in row] for row in read],
                         [[rtrs_packets.CLIENT_MEMORY, rtrs_packets.CLIENT_KEY + buffer, size] for buffer, size in ((0, 64), (1, 4096), (3, 2048), (5, 512))])
        self.assertEqual(fields(self.capture, ["rocescope.rnbd.path", "rocescope.rnbd.access"], "rocescope.rnbd.open"), [["disk.img", "1"]])
        responses = fields(self.capture, ["rocescope.rtrs.buffer", "rocescope.rtrs.errno"], "rocescope.rtrs.errno")
        self.assertEqual(responses, [["0", "0"], ["511", "0"], ["2", "0"], ["1", "0"], ["3", "0"], ["3", "5"], ["4", "0"], ["6", "0"]])
        keys = fields(self.capture, ["rocescope.rtrs.rkey_rsp.buffer", "rocescope.rtrs.rkey_rsp.r_key"], "rocescope.rtrs.rkey_rsp")
        self.assertEqual([[int(each, 0) for each in row] for row in keys], [[0, 0x7100], [2, 0x7101]])
        self.assertEqual(fields(self.capture, ["rocescope.rtrs.path"], "rocescope.rtrs.info_req"), [["a path"]])
        info = fields(self.capture, ["rocescope.rtrs.desc.r_key"], "rocescope.rtrs.info_rsp")
        self.assertEqual([[int(each, 0) for each in row[0].split(",")] for row in info], [[0x7000, 0x7001, 0x7002, 0x7003]])

    def test_lines(self):
        text = subprocess.run([PROGRAM, "dissect", "-q", self.capture], check=True, capture_output=True, text=True).stdout
        for each in ("Imm 0x00102020, RNBD Write, device 1, 8192 bytes at sector 1024", "RNBD Read, device 1, 2048 bytes at sector 4000",
                     "RTRS IO Response of buffer 3: EIO", "RTRS IO Response of buffer 511", "RTRS Heartbeat ACK"):
            self.assertIn(each, text)

    def test_private_data(self):
        request = fields(self.capture, ["rocescope.rtrs.conn.magic", "rocescope.rtrs.conn.version", "rocescope.rtrs.conn.cid_num", "rocescope.rtrs.conn.first"], "infiniband.cm.req")
        self.assertEqual([[int({"True": "1"}.get(each, each), 0) for each in row] for row in request], [[0x1BBD, 0x200, 2, 1]])
        reply = fields(self.capture, ["rocescope.rtrs.conn.queue_depth", "rocescope.rtrs.conn.max_io_size", "rocescope.rtrs.conn.max_hdr_size"], "infiniband.cm.rep")
        self.assertEqual(reply, [["512", "126976", "4096"]])

    def test_without_a_reply(self):
        """Of a connection whose REP was not seen its responses show where the immediate data of a request have the buffer."""
        with tempfile.TemporaryDirectory() as folder:
            part = pathlib.Path(folder) / "part.pcapng"
            subprocess.run([PROGRAM, "extract", "-q", "-Y", "!infiniband.cm.rep", "-w", part, self.capture], check=True)
            facts = lambda row: tuple(row[column] for column in ("id", "operation", "bytes", "offset", "outcome", "status", "issued"))
            rows = [facts(row) for row in rows_of(part) if row["operation"] in ("Read", "Write", "Flush")]
            self.assertGreater(len(rows), 3)
            self.assertLessEqual(set(rows), {facts(row) for row in self.rows})

    def test_requests_that_cannot_be_distinguished(self):
        """One at a time takes buffer 0 always. A write whose header was cut off says nothing by which its response could be known: however many there
        are, reads are followed, whose size shows where their message stands."""
        before, writes, after = 4, 100, 20
        stream = rtrs_packets.Rtrs()
        stream.connect()

        def reads(count: int) -> None:
            for each in range(count):
                stream.request_read(0, 4_096, rtrs_packets.rnbd_io(rtrs_packets.IO_READ, 1, 8 * each, 4_096))
                stream.data(0, bytes(4_096))
                stream.respond(0)

        reads(before)
        for each in range(writes):
            stream.request_write(0, bytes(512), rtrs_packets.rnbd_io(rtrs_packets.IO_WRITE, 1, each, 512))
            stream.respond(0)
        reads(after)
        with tempfile.TemporaryDirectory() as folder:
            capture, part = (pathlib.Path(folder) / name for name in ("whole.pcap", "part.pcapng"))
            write_pcap(capture, ETHERNET, stream.frames)
            subprocess.run([PROGRAM, "extract", "-q", "-Y", "!infiniband.mad", "-w", part, capture], check=True)
            with cut(part, 100) as short:
                rows, (carried,) = rows_of(short), report_of(short)["carried"]
        followed = [row for row in rows if row["operation"] == "Read"]
        self.assertEqual([(row["outcome"], row["offset"]) for row in followed], [("succeeded", str(8 * each)) for count in (before, after) for each in range(count)])
        # Each command is followed, or counted as one that is not.
        self.assertEqual((carried["commands"], carried["commands"] - carried["unfollowed"]), (before + writes + after, len([row for row in rows if row["request_packet"]])))

    def test_data_of_the_last_with_their_memory(self):
        """Nothing of the data of one, nor its response, was captured. One that comes later takes the same memory."""
        stream = rtrs_packets.Rtrs()
        stream.connect()
        for each in range(9):
            stream.request_read(0, 4_096, rtrs_packets.rnbd_io(rtrs_packets.IO_READ, 1, 8 * each, 4_096))
            if each != 3:
                stream.data(0, bytes(4_096))
                stream.respond(0)
        with tempfile.TemporaryDirectory() as folder:
            capture, part = (pathlib.Path(folder) / name for name in ("whole.pcap", "part.pcapng"))
            write_pcap(capture, ETHERNET, stream.frames)
            subprocess.run([PROGRAM, "extract", "-q", "-Y", "!infiniband.mad", "-w", part, capture], check=True)
            rows = {row["offset"]: row for row in rows_of(part) if row["operation"] == "Read"}
        self.assertEqual({offset: row["data_bytes"] for offset, row in rows.items() if offset != "24"}, {str(8 * each): "4096" for each in range(9) if each != 3})

    def test_cut_captures(self):
        """Each reported value of a command is right: a cut header gives none."""
        whole = {(row["id"], row["request_packet"]): row for row in self.rows}
        for length in (80, 100, 128, 512, 1_000):
            with cut(self.capture, length) as short:
                for row in rows_of(short):
                    right = whole[row["id"], row["request_packet"]]
                    for column in ("operation", "bytes", "offset", "target", "status"):
                        self.assertIn(row[column], ("", "0", right[column]), (length, row))


if __name__ == "__main__":
    unittest.main()
