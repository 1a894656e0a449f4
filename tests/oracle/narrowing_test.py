#!/usr/bin/env python3
"""What `analyze` reports on the packets that options leave, against its report on a file of the packets that tshark or editcap leaves; and that it finds nothing in them that it does not find in the whole capture."""
import datetime
import functools
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

import many_captures
from capture_file import records

PROGRAM = sys.argv.pop(1)
CAPTURES = pathlib.Path(__file__).resolve().parents[2] / "captures"
LOSSY = CAPTURES / "impaired_out-loss_heavy.pcapng"
ECN = CAPTURES / "ecn-heavy.pcapng"
SEVERAL = CAPTURES / "several.pcapng"
MIXED = CAPTURES / "rdmagen-cm-mixed.pcapng"
CORRUPT = CAPTURES / "impaired_out-corrupt_heavy.pcapng"
LAB = CAPTURES / "lab_pingpong_atomic_udaddy.pcap"
ALL = (LOSSY, ECN, SEVERAL, MIXED, CORRUPT, LAB)

# Filters that tshark has as well, most of which leave only a part of each connection.
FILTERS = ("infiniband.bth.opcode == 17", "infiniband.bth.opcode != 17", "ip.src == 192.168.2.24", "ip.dsfield.ecn == 3",
           "frame.len > 500", "infiniband.bth.psn & 1 == 1 || !infiniband.bth", "infiniband.aeth", "udp.dstport == 4791")
# Rules about shares, rates and the like: the packets that are left may have more of something than all of them.
OF_SHARES = {"ecn_marked", "small_messages", "small_mtu"}


def analyze(path, *options) -> dict:
    output = subprocess.run([PROGRAM, "analyze", "--json", *options, path], capture_output=True, check=True, text=True).stdout
    return json.loads(output)


def left_by_tshark(display_filter: str) -> dict[pathlib.Path, set[int]]:
    """The numbers of the packets that pass, of ALL."""
    return {capture: {int(number) for (number,) in rows}
            for capture, rows in many_captures.rows(list(ALL), display_filter, ["frame.number"]).items()}


def host_pairs(report):
    return {(pair["source"], pair["destination"]): (pair["packets"], pair["wire_bytes"])
            for pair in report["host_rates"]}


def hosts(report):
    """What each host counts of packets alone."""
    names = ("np_cnp_sent", "np_ecn_marked_roce_packets", "rp_cnp_handled", "rx_icrc_encapsulated")
    return {host["address"]: {name: host[name] for name in names} for host in report["nic_counters"]}


def flows(report):
    return {(flow["source"], flow["destination"], flow["dest_qp"]): (flow["packets"], flow["bytes"]) for flow in report["flows"]}


def sides(report):
    """Packets and bytes of each sender, whatever they are paired with."""
    found = {}
    for connection in report["connections"]:
        for side, other in zip(connection["sides"], reversed(connection["sides"])):
            if side["packets"] > 0:
                found[side["address"], other.get("qpn")] = tuple(side[name] for name in ("packets", "bytes", "ce_packets", "cnp_packets"))
    return found


def findings(report):
    return {(each["id"], each.get("connection"), each.get("side"), each.get("handshake")) for each in report["findings"]}


@functools.cache
def findings_of_all(capture):
    return findings(analyze(capture))


class Narrowing(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.left = pathlib.Path(folder.name) / "left.pcapng"

    def keep(self, capture: pathlib.Path, numbers: set[int]):
        packets, parts = 0, []
        for is_packet, part in records(capture.read_bytes()):
            packets += is_packet
            if not is_packet or packets in numbers:
                parts.append(part)
        self.left.write_bytes(b"".join(parts))

    def check(self, narrowed, what):
        with self.subTest(what):
            witness = analyze(self.left)
            for name in ("totals", "operations", "icrc", "pauses"):
                self.assertEqual(narrowed[name], witness[name], name)
            self.assertEqual(narrowed["totals"]["packets"], witness["packets_read"])
            self.assertEqual(flows(narrowed), flows(witness))
            # Of a message only the answer that ends it may be left: then its sender has a message, and no packet.
            self.assertEqual({pair: sent for pair, sent in host_pairs(narrowed).items() if sent[0]},
                             {pair: sent for pair, sent in host_pairs(witness).items() if sent[0]})
            for name in ("packets", "wire_bytes", "payload_bytes"):
                self.assertEqual(narrowed["rates"][name], witness["rates"][name], name)
            self.assertEqual(hosts(narrowed), hosts(witness))
            for name in ("ecn", "classes", "cnps"):
                self.assertEqual(narrowed["congestion"][name], witness["congestion"][name], name)
            self.assertEqual(sides(narrowed), sides(witness))

    def check_findings(self, narrowed, capture, what):
        with self.subTest(what):
            more = findings(narrowed) - findings_of_all(capture)
            self.assertEqual({each for each in more if each[0] not in OF_SHARES}, set())

    def test_a_filter_leaves_what_that_of_tshark_does(self):
        for display_filter in FILTERS:
            for capture, numbers in left_by_tshark(display_filter).items():
                self.keep(capture, numbers)
                narrowed = analyze(capture, "-Y", display_filter)
                self.check(narrowed, f"{capture.name} {display_filter}")
                self.check_findings(narrowed, capture, f"findings of {capture.name} {display_filter}")

    def test_numbers_leave_what_editcap_writes(self):
        for capture in ALL:
            subprocess.run(["editcap", "-r", capture, self.left, "61-119"], check=True, capture_output=True)
            narrowed = analyze(capture, "-Y", "frame.number > 60 && frame.number < 120")
            self.check(narrowed, capture.name)
            self.check_findings(narrowed, capture, f"findings of {capture.name}")

    def test_a_window_leaves_what_editcap_writes(self):
        for capture in ALL:
            totals = analyze(capture)["totals"]
            third = totals["duration"] // 3
            times = [(totals["first_time"] + part * third) // 1_000_000_000 * 1_000_000_000 + 500_000_000 for part in (0, 1, 2)]
            for start, end in zip(times, times[1:]):
                if start == end:
                    continue
                # editcap's window ends before its end, in microseconds here.
                window = [datetime.datetime.fromtimestamp(time // 1_000_000_000, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S") +
                          f".{time % 1_000_000_000:09}Z" for time in (start, end)]
                subprocess.run(["editcap", "-A", window[0], "-B", window[1], capture, self.left], check=True, capture_output=True)
                narrowed = analyze(capture, "--from", window[0], "--to", window[1])
                self.check(narrowed, f"{capture.name} {window}")
                self.check_findings(narrowed, capture, f"findings of {capture.name} {window}")

    def test_hosts_and_queue_pairs_leave_what_a_filter_does(self):
        for options, display_filter in ((("--host", "192.168.2.24"), "ip.addr == 192.168.2.24"),
                                        (("--qpn", "0x13"), "infiniband.bth.destqp == 0x13 || infiniband.deth.srcqp == 0x13")):
            for capture, numbers in left_by_tshark(display_filter).items():
                self.keep(capture, numbers)
                narrowed = analyze(capture, *options)
                self.check(narrowed, f"{capture.name} {options}")
                self.check_findings(narrowed, capture, f"findings of {capture.name} {options}")

    def test_times_of_a_connection_are_those_of_its_packets_that_are_left(self):
        """Of directions that were joined after some packets, too."""
        subprocess.run(["editcap", "-r", CAPTURES / "ecn-light.pcapng", self.left, "33-100000"], check=True, capture_output=True)
        for capture in (self.left, CAPTURES / "atomic_write-cm.pcapng"):
            for display_filter in ("infiniband.aeth", "infiniband.bth && !infiniband.aeth"):
                rows = subprocess.run(["tshark", "-r", capture, "-Y", f"({display_filter}) && infiniband.bth.destqp > 1", "-T", "fields",
                                       "-e", "frame.time_epoch"], check=True, capture_output=True, text=True).stdout.split()
                times = [int(row.replace(".", "")) for row in rows]
                connections = analyze(capture, "-Y", display_filter)["connections"]
                self.assertEqual((min(each["first_time"] for each in connections), max(each["last_time"] for each in connections)),
                                 (min(times), max(times)), (capture.name, display_filter))

    def test_what_the_end_shows_is_there_where_its_packets_are(self):
        """The server dies: its peer's messages stay outstanding, whatever else is left out."""
        capture = CAPTURES / "killed-server.pcapng"
        whole = analyze(capture)
        (outstanding,) = (each for each in whole["findings"] if each["id"] == "torn_down_outstanding")
        for options in (("-Y", "frame.number != 300"), ("--from", "+3.504143")):
            narrowed = analyze(capture, *options)
            (found,) = (each for each in narrowed["findings"] if each["id"] == "torn_down_outstanding")
            self.assertEqual((found["packets"], found["weight"]), (outstanding["packets"], outstanding["weight"]), options)
        self.assertNotIn("torn_down_outstanding",
                         {each["id"] for each in analyze(capture, "-Y", f"frame.number < {outstanding['packets'][0]}")["findings"]})

    def test_messages_that_did_not_end_count(self):
        narrowed = analyze(CAPTURES / "killed-server.pcapng", "-Y", "frame.number != 300")
        for connection in narrowed["connections"]:
            for side in connection["sides"]:
                self.assertEqual(sum(each["messages"] for each in side["operations"]), side["requests"]["messages"])

    def test_times_since_the_start_count_from_the_first_packet(self):
        """As --from and --to take them: that of the file, whatever is left, even if a later packet has an earlier time."""
        lines = subprocess.run([PROGRAM, "dissect", LOSSY], check=True, capture_output=True, text=True).stdout.splitlines()
        self.left = self.left.with_suffix(".pcap")
        reordered = self.left.with_name("reordered.pcap")
        subprocess.run(["editcap", "-F", "nsecpcap", "-r", LOSSY, reordered, "31"], check=True)
        subprocess.run(["mergecap", "-a", "-F", "nsecpcap", "-w", self.left, reordered, LOSSY], check=True, capture_output=True)
        key_line = 19  # the first of the handshake
        late = float(subprocess.run(["tshark", "-r", self.left, "-T", "fields", "-e", "frame.time_relative", "-Y",
                                     f"frame.number == {key_line}"], check=True, capture_output=True, text=True).stdout)
        self.assertLess(late, 0)
        self.assertEqual(analyze(self.left, "--from", "+0")["totals"]["packets"], len(lines) + 1 - 30)
        for options in ((), ("-Y", "frame.number > 1")):
            text = subprocess.run([PROGRAM, "analyze", "-v", *options, self.left], check=True, capture_output=True, text=True).stdout
            self.assertRegex(text, rf"\s{late:.3f}\s", options)

    def test_marks_that_nobody_answers_are_all_missed(self):
        for display_filter in ("frame.number <= 125", "frame.number > 125", "infiniband.bth.psn & 1 == 1"):
            (connection,) = analyze(CAPTURES / "ecn-light.pcapng", "-Y", display_filter)["connections"]
            for side in connection["sides"]:
                if "congestion" in side:
                    self.assertEqual(side["congestion"]["marked_unnotified"], side["congestion"]["marked"], display_filter)

    def test_a_connection_is_reported_as_in_the_whole_capture(self):
        """With all of its packets, its header, rates and hosts, from a file and through a pipe."""
        for capture in (LOSSY, SEVERAL, MIXED, ECN):
            whole = analyze(capture)
            for connection in whole["connections"]:
                narrowed = analyze(capture, "--connection", str(connection["number"]))
                self.assertEqual(narrowed["connections"], [connection])
                packets = sum(side["packets"] for side in connection["sides"])
                copies = sum(side["requests"]["verdicts"].get("capture_duplicate", 0) for side in connection["sides"])
                self.assertEqual(narrowed["totals"]["packets"], packets)
                self.assertEqual(narrowed["rates"]["packets"], packets - copies)
                self.assertLessEqual({each for each in findings(narrowed) if each[1]}, findings(whole))
                for finding in narrowed["findings"]:
                    self.assertIn(finding.get("connection"), (None, connection["number"]))
                by_filter = analyze(capture, "-Y", f"rocescope.connection == {connection['number']}")
                self.assertEqual(by_filter["totals"], narrowed["totals"])
                self.assertEqual(by_filter["rates"], narrowed["rates"])
                self.assertEqual(by_filter["connections"], narrowed["connections"])

    def test_verdicts_that_are_left_count_as_in_the_whole_capture(self):
        """A loss counts with the packet that shows it."""
        whole = analyze(LOSSY)
        narrowed = analyze(LOSSY, "-Y", 'rocescope.verdict == "retransmission"')
        retransmissions = [side["requests"]["verdicts"].get("retransmission", 0) for side in whole["connections"][0]["sides"]]
        self.assertGreater(sum(retransmissions), 0)
        self.assertEqual(narrowed["totals"]["packets"], sum(retransmissions))
        for side, expected in zip(narrowed["connections"][0]["sides"], whole["connections"][0]["sides"]):
            self.assertEqual(side["requests"]["lost_before"], expected["requests"]["lost_before"])
            self.assertEqual(side["requests"]["recoveries"], expected["requests"]["recoveries"])

    def test_windows_add_up_to_the_whole(self):
        """Whatever is a sum counts in one of two windows."""
        for capture in (LOSSY, MIXED, SEVERAL, ECN):
            whole = analyze(capture)
            middle = (whole["totals"]["first_time"] + whole["totals"]["last_time"]) // 2
            moment = [f"{time // 1_000_000_000}.{time % 1_000_000_000:09}" for time in (middle, middle + 1)]
            halves = [analyze(capture, "--to", moment[0]), analyze(capture, "--from", moment[1])]
            for name in ("acks", "payload_bytes", "sequence_naks", "rnr_naks", "recoveries", "missing_psns", "messages_completed",
                         "lost_before", "lost_after"):
                sums = [sum(side["requests"].get(name, 0) for connection in report["connections"] for side in connection["sides"])
                        for report in (whole, *halves)]
                if name in ("lost_before", "lost_after"):  # what turns out to be none is taken back
                    self.assertGreaterEqual(sums[1] + sums[2], sums[0], f"{capture.name} {name}")
                else:
                    self.assertEqual(sums[1] + sums[2], sums[0], f"{capture.name} {name}")

    def test_a_connection_that_is_not_there_names_those_that_are(self):
        """Where the capture begins in the middle, directions that are joined leave numbers out."""
        with tempfile.TemporaryDirectory() as folder:
            part = pathlib.Path(folder) / "part.pcapng"
            subprocess.run(["editcap", "-r", SEVERAL, part, "150-9999"], check=True)
            numbers = sorted(connection["number"] for connection in analyze(part)["connections"])
            self.assertNotEqual(numbers[0], 1)
            run = subprocess.run([PROGRAM, "analyze", "--connection", "99", part], capture_output=True, text=True)
        self.assertEqual((run.returncode, run.stdout), (2, ""))
        self.assertEqual(run.stderr, f"rocescope: no connection 99: there are {len(numbers)}, numbers {', '.join(map(str, numbers))}. "
                                     "Their numbers: rocescope analyze FILE\n")


if __name__ == "__main__":
    unittest.main()
