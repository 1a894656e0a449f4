#!/usr/bin/env python3
"""Datagrams of RDS in `analyze --csv`, beside what the programs that sent them said, and beside what the bytes of the messages say by the
structures of Linux (net/rds/rds.h): tshark decodes no RDS."""
import json
import struct
import unittest
from collections import Counter

from command_rows import PROGRAM, cut, named, report_of, rows_of, rows_of_packets
from rds_packets import of_capture
import subprocess

CAPTURE = named("rds")
ADDRESSES = {"client": "192.168.2.25", "server": "192.168.2.24"}


def said(on: str) -> list[str]:
    return [event["text"] for event in map(json.loads, CAPTURE.with_suffix(".ndjson").read_text().splitlines())
            if event["event"] == "trace" and event["on"] == on and not event["text"].startswith("lab ")]


def fields(display_filter: str, *names: str) -> dict[int, list[str]]:
    """By number of the frame."""
    columns = [word for name in ("frame.number", *names) for word in ("-e", name)]
    run = subprocess.run([PROGRAM, "dissect", "-q", "-T", "fields", "-E", "separator=|", "-E", "occurrence=a", "-Y", display_filter, *columns, CAPTURE],
                         check=True, capture_output=True, text=True)
    return {int(row[0]): row[1:] for row in (line.split("|") for line in run.stdout.splitlines())}


class Commands(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.rows, cls.report = rows_of(CAPTURE), report_of(CAPTURE)
        cls.messages = of_capture(CAPTURE)

    def side(self, name: str) -> int:
        (connection,) = self.report["connections"]
        return [side["address"] for side in connection["sides"]].index(ADDRESSES[name])

    def of(self, operation: str) -> list[dict]:
        return [row for row in self.rows if row["operation"] == operation]

    def test_each_datagram_that_was_sent_is_there_once(self):
        """The client sends to ports, and the server answers."""
        for name in ("client", "server"):
            sent = Counter()
            for line in said(name):
                if line.startswith("sent "):
                    _, size, _, port = line.split()
                    sent[int(size), int(port)] += 1
            found = Counter((int(row["bytes"]), int(row["target"])) for row in self.of("Datagram") if int(row["initiator"]) == self.side(name))
            self.assertEqual(sent, found, name)
        self.assertEqual({row["outcome"] for row in self.of("Datagram")}, {"succeeded"})
        self.assertGreater(len(self.of("Datagram")), 25)

    def test_rdma(self):
        """What the server READ and WROTE, in its order."""
        done = [line.split() for line in said("server") if line.startswith(("read ", "wrote "))]
        rows = self.of("RDMA")
        self.assertEqual([row["data_bytes"] for row in rows], [size for _, size in done])
        self.assertEqual([row["bytes"] for row in rows], [size for _, size in done])  # its datagram names none
        self.assertEqual([(row["outcome"], int(row["initiator"])) for row in rows], [("succeeded", self.side("client"))] * 4)
        self.assertEqual([int(row["id"], 0) for row in rows], [message.to_use for message in self.messages if message.to_use is not None])
        for row in rows:
            self.assertEqual(sum(int(row[part]) for part in ("request", "data", "resend", "unknown", "target_time")), int(row["latency"]))

    def test_congestion(self):
        """Each side begins with a map. Then one has the port that nobody reads. By the maps as they are on the wire."""
        maps: dict[str, list[bytes]] = {}
        for message in self.messages:
            if message.flags & 1 and len(message.data) == 4096:
                maps.setdefault(message.source, []).append(message.data)
        self.assertEqual(sum(map(len, maps.values())), 8)
        for name, address in ADDRESSES.items():
            halves = maps[address]
            ports = [[port for port in range(65536) if (first + second)[port // 8] >> port % 8 & 1] for first, second in zip(halves[::2], halves[1::2])]
            self.assertEqual(ports, {"client": [[]], "server": [[], [4001], []]}[name])
            said = [row["detail"] for row in self.of("Congestion map") if int(row["initiator"]) == self.side(name)]
            self.assertEqual(said, ["1 port congested: 4001" if each else "no port is congested" for each in ports])

    def test_what_is_carried(self):
        (carried,) = self.report["carried"]
        self.assertEqual((carried["protocol"], carried["known_by"], carried["unreadable"]), ("RDS", "messages", 0))
        self.assertEqual((carried["commands"], carried["failed"]), (len(self.rows), 0))

    def test_headers(self):
        """Of each message, in the packet that ends it."""
        names = [f"rocescope.rds.{name}" for name in ("sequence", "ack", "len", "sport", "dport", "flags", "credit", "checksum", "rdma.r_key",
                                                     "rdma_dest.r_key", "rdma_dest.offset")]
        mine = fields("rocescope.rds", *names)
        theirs = {message.frame: message for message in self.messages}
        self.assertEqual(set(mine), set(theirs))
        for frame, values in mine.items():
            each = theirs[frame]
            right = [each.sequence, each.ack, each.length, each.sport, each.dport, each.flags, each.credit, each.checksum, each.used, each.to_use,
                     each.offset]
            self.assertEqual([int(value, 0) if value else None for value in values], right, frame)

    def test_without_handshake(self):
        rows, carried = rows_of_packets(CAPTURE, "!infiniband.mad")
        self.assertEqual([(each["protocol"], each["known_by"]) for each in carried], [("RDS", "shape")])
        key = lambda row: (row["operation"], row["id"], row["bytes"], row["outcome"], row["detail"], row["data_bytes"])
        self.assertEqual(Counter(map(key, rows)), Counter(map(key, self.rows)))

    def test_one_direction(self):
        """Datagrams without their ACKs, and RDMA without its end, or only with its end."""
        for name, outcome in (("client", "outstanding"), ("server", "unseen")):
            rows, _ = rows_of_packets(CAPTURE, f"ip.src == {ADDRESSES[name]} && !infiniband.mad")
            self.assertEqual({row["outcome"] for row in rows if row["operation"] == "RDMA"}, {outcome})
            self.assertEqual({row["outcome"] for row in rows if row["operation"] == "Datagram"}, {"outstanding"})

    def test_by_hand(self):
        self.assertEqual(rows_of(CAPTURE, "--decode-as", "port=18634:none"), [])
        self.assertEqual(len(rows_of(CAPTURE, "--decode-as", "port=18634:rds")), len(self.rows))

    def test_cut_captures(self):
        """112 bytes have the header and six bytes of data, 96 all of the header that is in use. Of fewer nothing is said."""
        facts = lambda row: (row["operation"], row["id"], row["bytes"], row["target"], row["outcome"])
        for length in (64, 96, 112, 200):
            with cut(CAPTURE, length) as short:
                rows, report = rows_of(short), report_of(short)
            if length < 96:
                self.assertEqual(rows, [], length)
                continue
            self.assertEqual(list(map(facts, rows)), list(map(facts, self.rows)), length)
            self.assertEqual({row["detail"] for row in rows if row["operation"] == "Congestion map"}, {""})
            self.assertEqual([each["unreadable"] for each in report["carried"]], [0], length)


if __name__ == "__main__":
    unittest.main()
