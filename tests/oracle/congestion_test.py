#!/usr/bin/env python3
"""Congestion: marks and classes against tshark's fields of the project's captures; CNPs, rates and pauses, which no capture
of a lab without RoCE NICs has, against packets that scapy makes at times chosen here."""
import collections
import functools
import json
import pathlib
import struct
import subprocess
import sys
import tempfile
import unittest

import many_captures
from capture_file import PCAP_MAGIC_NANOSECONDS, Frame, write_pcap

from scapy.contrib.roce import BTH
from scapy.layers.inet import IP, UDP
from scapy.layers.l2 import Dot1Q, Ether
from scapy.packet import Raw

PROGRAM = sys.argv.pop(1)
CAPTURES = pathlib.Path(__file__).resolve().parents[2] / "captures"
US = 1_000
MS = 1_000_000
ECN = {0: "not_ect", 1: "ect1", 2: "ect0", 3: "ce"}


def report_of(path, *options) -> dict:
    output = subprocess.run([PROGRAM, "analyze", "--json", *options, path], capture_output=True, check=True, text=True).stdout
    return json.loads(output)


def report(packets, *options) -> dict:
    """Of packets with their times, nanoseconds from the start."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "made.pcap"
        made = ((time, bytes(packet)) for time, packet in sorted(packets, key=lambda each: each[0]))
        write_pcap(path, 1, [Frame(data, len(data), fraction=time) for time, data in made], PCAP_MAGIC_NANOSECONDS)
        return report_of(path, *options)


@functools.cache  # scapy takes milliseconds for each
def roce(source, destination, qp, opcode, psn, payload=b"", ecn=2, dscp=26, vlan=None):
    ether = Ether(src=f"02:00:00:00:00:0{source}", dst=f"02:00:00:00:00:0{destination}")
    if vlan is not None:
        ether = ether / Dot1Q(prio=vlan, vlan=5)
    return Raw(bytes(ether / IP(src=f"10.0.0.{source}", dst=f"10.0.0.{destination}", tos=dscp << 2 | ecn) /
                     UDP(sport=49152, dport=4791) / BTH(opcode=opcode, dqpn=qp, psn=psn) / Raw(payload)))


def send(psn, **shape):
    return roce(1, 2, 0x22, 0x04, psn, bytes(1000), **shape)


def ack(psn):
    return roce(2, 1, 0x11, 0x11, psn, struct.pack("!I", 0x1F000001), ecn=0)


def cnp(dscp=48):
    return roce(2, 1, 0x11, 0x81, 0, bytes(16), ecn=0, dscp=dscp)


def pfc(source, times, opcode=0x0101):
    if opcode == 1:
        body = struct.pack("!HH", 1, times)
    else:
        body = struct.pack("!HH8H", opcode, sum(1 << c for c in times), *(times.get(c, 0) for c in range(8)))
    return Ether(src=f"02:00:00:00:00:0{source}", dst="01:80:c2:00:00:01", type=0x8808) / Raw(body.ljust(46, b"\0"))


def stream(count, step, marked=(), first_psn=0, start=0, **shape):
    """SENDs every `step`, and an ACK for each."""
    for i in range(count):
        yield start + i * step, send(first_psn + i, ecn=3 if i in marked else 2, **shape)
        yield start + i * step + 1 * US, ack(first_psn + i)


def sender(made: dict) -> dict:
    (connection,) = made["connections"]
    return next(side for side in connection["sides"] if side["address"] == "10.0.0.1")


def notifier(made: dict) -> dict:
    (connection,) = made["connections"]
    return next(side for side in connection["sides"] if side["address"] == "10.0.0.2")


class Marks(unittest.TestCase):
    def test_are_those_that_tshark_shows(self):
        tried = 0
        fields = ["infiniband.bth.opcode", "infiniband.bth.destqp", "ip.dsfield", "ipv6.tclass", "vlan.priority"]
        seen = many_captures.rows(sorted(CAPTURES.glob("*.pcap*")), "infiniband.bth && udp", fields, "-E", "occurrence=l")
        for path, rows in seen.items():
            counted = collections.Counter()
            classes = collections.Counter()
            for opcode, qp, v4, v6, pcp in rows:
                byte = int(v4 or v6, 16)
                low = int(opcode, 0) & 0x1F
                role = ("cnp" if opcode == "129" else "cm" if int(qp, 16) == 1 else
                        "ack" if int(opcode, 0) < 0x60 and low in (0x11, 0x12) else "data")
                counted[role, ECN[byte & 3]] += 1
                classes[byte >> 2, int(pcp) if pcp else None, role] += 1
            made = report_of(path)
            if any(side["requests"]["verdicts"].get("capture_duplicate")
                   for connection in made["connections"] for side in connection["sides"]):
                continue  # left out here
            if len(made["capture_points"]) > 1:
                continue  # each packet counts at one of them
            congestion = made["congestion"]
            if made["icrc"]["damaged"]:  # no field of theirs is evidence, and netem damages data here
                damaged = counted["data", "not_ect"] - congestion["ecn"]["data"]["not_ect"]
                self.assertEqual(damaged, made["icrc"]["damaged"], path.name)
                continue
            self.assertEqual({(role, mark): count for role, marks in congestion["ecn"].items() for mark, count in marks.items()
                              if count}, dict(counted), path.name)
            self.assertEqual({(row["dscp"], row.get("pcp"), role): row[f"{role}_packets"] for row in congestion["classes"]
                              for role in ("data", "ack", "cnp", "cm") if row[f"{role}_packets"]}, dict(classes), path.name)
            tried += 1
        self.assertGreater(tried, 40)

    def test_are_reported_by_class_and_role(self):
        made = report([*stream(10, 10 * US, vlan=3), (5 * US, cnp()), (95 * US, cnp(dscp=26))])
        self.assertEqual([{key: value for key, value in row.items() if value} for row in made["congestion"]["classes"]],
                         [{"dscp": 26, "pcp": 3, "data_packets": 10}, {"dscp": 26, "ack_packets": 10, "cnp_packets": 1},
                          {"dscp": 48, "cnp_packets": 1}])

    def test_a_connection_that_changes_class_is_reported(self):
        made = report([*stream(5, 10 * US), *stream(5, 10 * US, start=50 * US, first_psn=5, dscp=0),
                       *stream(5, 10 * US, start=100 * US, first_psn=10)])
        self.assertEqual(sender(made)["class_changes"], 2)


class Notifications(unittest.TestCase):
    def test_answer_the_marks_since_the_last_one(self):
        # Marked at 100, 110 and 300 us; CNPs at 125 us and at 304 us.
        made = report([*stream(50, 10 * US, marked=(10, 11, 30)), (125 * US, cnp()), (304 * US, cnp())])
        congestion = sender(made)["congestion"]
        self.assertEqual((congestion["marked"], congestion["marked_unnotified"]), (3, 0))
        self.assertEqual((congestion["cnps"], congestion["cnps_without_mark"]), (2, 0))
        delay = notifier(made)["times"]["cnp_delay"]
        self.assertEqual((delay["count"], delay["min"], delay["max"]), (2, 4 * US, 25 * US))
        interval = notifier(made)["times"]["cnp_interval"]
        self.assertEqual((interval["count"], interval["min"]), (1, 179 * US))
        self.assertEqual(notifier(made)["cnp_packets"], 2)
        self.assertEqual(made["congestion"]["ecn"]["data"]["ce"], 3)

    def test_without_a_mark_mean_that_it_was_marked_behind_the_capture(self):
        made = report([*stream(300, 10 * US, marked=(0,)), (2500 * US, cnp())])
        congestion = sender(made)["congestion"]
        self.assertEqual((congestion["marked"], congestion["marked_unnotified"]), (1, 1))
        self.assertEqual((congestion["cnps"], congestion["cnps_without_mark"]), (1, 1))
        self.assertNotIn("cnp_delay", notifier(made)["times"])

    def test_that_never_come_are_missed(self):
        made = report(stream(500, 10 * US, marked=range(0, 500, 10)))
        congestion = sender(made)["congestion"]
        self.assertEqual((congestion["marked"], congestion["marked_unnotified"], congestion["cnps"]), (50, 50, 0))
        (finding,) = (each for each in made["findings"] if each["id"] == "ce_without_cnp")
        self.assertEqual((finding["severity"], finding["what"]),
                         ("warning", "50 packets marked CE (10 % of its data), and no CNP was seen"))

    def test_are_not_missed_where_one_came_or_nothing_could(self):
        marked = dict(step=10 * US, marked=range(0, 500, 10))
        for made in (report([*stream(500, **marked), (105 * US, cnp())]),
                     report([(time, packet) for time, packet in stream(500, **marked) if Ether(packet.load)[IP].src == "10.0.0.1"]),
                     report(stream(500, 10 * US, marked=(10, 20))), report(stream(20, 10 * US, marked=range(20)))):
            self.assertNotIn("ce_without_cnp", {finding["id"] for finding in made["findings"]})

    def test_to_queue_pairs_that_nobody_saw_are_counted(self):
        made = report([(0, cnp()), (1, cnp())])
        self.assertEqual((made["congestion"]["cnps"], made["congestion"]["untracked_cnps"]), (2, 2))

    def test_storm(self):
        made = report([*stream(500, 10 * US), *((1000 * US + i * 5 * US, cnp()) for i in range(400))])
        self.assertEqual(sender(made)["congestion"]["most_cnps"], 200)


class Reactions(unittest.TestCase):
    BYTES = 14 + 20 + 8 + 12 + 1000 + 4

    def test_a_sender_that_halves_its_rate_is_slower(self):
        made = report([*stream(300, 10 * US), (2999 * US, cnp()), *stream(200, 20 * US, start=3000 * US, first_psn=300)])
        congestion = sender(made)["congestion"]
        self.assertEqual((congestion["reactions"], congestion["not_slower"]), (1, 0))
        self.assertAlmostEqual(congestion["bytes_before"], 100 * self.BYTES, delta=1.5 * self.BYTES)
        self.assertAlmostEqual(congestion["bytes_after"], 50 * self.BYTES, delta=1.5 * self.BYTES)

    def test_a_sender_that_goes_on_is_not(self):
        made = report([*stream(700, 10 * US), (2999 * US, cnp())])
        congestion = sender(made)["congestion"]
        self.assertEqual((congestion["reactions"], congestion["not_slower"]), (1, 1))

    def test_windows_after_a_cnp_do_not_overlap(self):
        made = report([*stream(1000, 10 * US), *((3000 * US + i * 100 * US + 5 * US, cnp()) for i in range(30))])
        self.assertEqual(sender(made)["congestion"]["reactions"], 3)
        self.assertEqual(sender(made)["congestion"]["cnps"], 30)

    def test_the_window_is_an_option(self):
        packets = [*stream(300, 10 * US), (2999 * US, cnp()), *stream(200, 20 * US, start=3000 * US, first_psn=300)]
        congestion = sender(report(packets, "--cnp-window", "200us"))["congestion"]
        self.assertAlmostEqual(congestion["bytes_before"], 20 * self.BYTES, delta=1.5 * self.BYTES)
        self.assertAlmostEqual(congestion["bytes_after"], 10 * self.BYTES, delta=1.5 * self.BYTES)

    def test_without_a_whole_window_on_both_sides_nothing_is_said(self):
        early = report([*stream(300, 10 * US), (500 * US, cnp())])
        self.assertEqual(sender(early)["congestion"]["reactions"], 0)
        late = report([*stream(300, 10 * US), (2500 * US, cnp())])
        self.assertEqual(sender(late)["congestion"]["reactions"], 0)


class Pauses(unittest.TestCase):
    def test_last_from_xoff_to_xon(self):
        made = report([(0, pfc(3, {3: 65535})), (40 * US, pfc(3, {3: 0})), (100 * US, pfc(3, {3: 65535, 4: 100})),
                       (150 * US, pfc(3, {3: 65535})), (170 * US, pfc(3, {3: 0})), (171 * US, pfc(4, {3: 7}))])
        rows = {(row["source"][-1], row["priority"]): row for row in made["pauses"]}
        self.assertEqual(set(rows), {("3", 3), ("3", 4), ("4", 3)})
        row = rows["3", 3]
        self.assertEqual((row["xoff"], row["xon"], row["pauses"], row["ended"]), (3, 2, 2, 2))
        self.assertEqual((row["paused"], row["longest"], row["quanta"]), (110 * US, 70 * US, 3 * 65535))
        self.assertEqual((rows["3", 4]["paused"], rows["3", 4]["ended"]), (0, 0))  # nobody knows how long

    def test_run_out_after_their_quanta_at_the_speed_of_the_link(self):
        # 1000 quanta at 100 Gb/s: 5.12 us.
        packets = [(0, pfc(3, {3: 1000})), (2 * US, pfc(3, {3: 1000})), (50 * US, pfc(3, {3: 1000})),
                   (51 * US, pfc(3, {3: 0})), (100 * US, pfc(3, {3: 1000})), (200 * US, pfc(3, {3: 0})), (300 * US, pfc(4, {0: 1}))]
        row = report(packets, "--link-speed", "100G")["pauses"][0]
        self.assertEqual((row["pauses"], row["ended"]), (3, 1))
        self.assertEqual((row["paused"], row["longest"]), (7120 + 1000 + 5120, 7120))
        row = report(packets, "--link-speed", "2.5Gb/s")["pauses"][0]  # 204.8 us: each renews the one before, and XON ends it
        self.assertEqual((row["pauses"], row["ended"], row["paused"]), (2, 2, 51 * US + 100 * US))

    def test_of_the_whole_link_are_counted_apart(self):
        made = report([(0, pfc(3, 500, opcode=1)), (10 * US, pfc(3, 0, opcode=1))])
        (row,) = made["pauses"]
        self.assertNotIn("priority", row)
        self.assertEqual((row["xoff"], row["xon"], row["paused"]), (1, 1, 10 * US))


if __name__ == "__main__":
    unittest.main()
