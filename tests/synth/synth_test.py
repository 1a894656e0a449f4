#!/usr/bin/env python3
"""Compares reports of rocescope on synthetic captures with what synth put into them. tshark and scapy check that the captures
are valid RoCEv2.

Usage: synth_test.py ROCESCOPE SYNTH [TEST]...
"""
import collections
import json
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "oracle"))
import capture_file  # noqa: E402
from tshark import Tshark  # noqa: E402

from scapy.contrib.roce import BTH
from scapy.layers.l2 import Ether
from scapy.utils import RawPcapReader

ALL_OPERATIONS = "send,send-imm,write,write-imm,read,cas,fadd"
MIX = ["--packets", "20000", "--qps", "16", "--operations", ALL_OPERATIONS, "--sizes", "1,64,1000,4K,20K"]
FAULTS = ["--loss", "0.004", "--loss-after", "0.003", "--reorder", "0.01", "--duplicate", "0.01"]
CASES = {
    "mix": MIX,
    "empty messages": [*MIX, "--sizes", "0,1", "--seed", "9"],
    "loss before": [*MIX, "--loss", "0.01", "--seed", "2"],
    "loss behind": [*MIX, "--loss-after", "0.01", "--seed", "3"],
    "reordering": [*MIX, "--reorder", "0.02", "--seed", "4"],
    "duplicates": [*MIX, "--duplicate", "0.02", "--seed", "5"],
    "all faults, pcapng": [*MIX, *FAULTS, "--format", "pcapng", "--seed", "6"],
    "without CM": [*MIX, *FAULTS, "--setup", "none", "--seed", "7"],
    "small packets, many connections": ["--packets", "30000", "--qps", "1000", "--frame-size", "128", "--seed", "8"],
    "more connections than active": [*MIX, "--qps", "300", "--active", "7", *FAULTS, "--seed", "10"],
    "large messages": ["--packets", "20000", "--qps", "2", "--sizes", "1M", "--operations", "write,read", "--mtu", "4096",
                       *FAULTS, "--seed", "11"],
    "one message at a time": [*MIX, *FAULTS, "--depth", "1", "--ack-every", "1", "--burst", "1", "--seed", "12"],
    "all at one time": [*MIX, *FAULTS, "--depth", "16", "--ack-every", "16", "--burst", "100", "--seed", "13"],
    "slow": [*MIX, *FAULTS, "--qps", "4", "--gigabits", "1", "--seed", "14"],
    "headers only": [*MIX, *FAULTS, "--snap-length", "96", "--setup", "none", "--seed", "15"],
}
WITHOUT_CM = [name for name, options in CASES.items() if "none" in options]
OPERATIONS = {"SEND": "SEND", "SEND_WITH_IMM": "SEND", "RDMA_WRITE": "RDMA WRITE", "RDMA_WRITE_WITH_IMM": "RDMA WRITE",
              "RDMA_READ": "RDMA READ Request", "ATOMIC_CMP_AND_SWP": "CmpSwap", "ATOMIC_FETCH_AND_ADD": "FetchAdd"}
ATOMIC = ("CmpSwap", "FetchAdd")


def plain(address: str) -> str:
    return address.removeprefix("::ffff:")


def sums_of(truth: pathlib.Path) -> dict:
    """The sums of synth, by queue pair of the client."""
    facts = (json.loads(line) for line in truth.read_text().splitlines())
    return {fact["qpn"]: fact for fact in facts if fact["event"] == "sums"}


def reported(sums: dict) -> dict:
    messages = collections.Counter()
    octets = collections.Counter()
    for name, of_one in sums["messages"].items():
        messages[OPERATIONS[name]] += of_one["count"]
        octets[OPERATIONS[name]] += of_one["bytes"] if OPERATIONS[name] not in ATOMIC else 0
    atomics = sum(messages[name] for name in ATOMIC)
    return {
        "peer": sums["dest_qpn"],
        "addresses": (plain(sums["address"]), plain(sums["peer_address"])),
        "messages": dict(messages),
        "bytes": {name: octets[name] for name in messages},
        "completed": sum(messages.values()),
        "acks": sums["acks"] + atomics,
        "naks": sums["naks"],
        "recoveries": sums["naks"],
        "lost_before": sums["lost_before"],
        "lost_after": sums["lost_after"],
        "retransmission": sums["resent"],
        "out_of_order": sums["reordered"],
        "capture_duplicate": sums["duplicates"],
        "in_order and gap": sums["requests"] - sums["resent"] - sums["reordered"] - sums["duplicates"],
        "causes": {"nak": sums["resent"]} if sums["resent"] else {},
    }


def concluded(connection: dict) -> dict:
    own, peer = connection["sides"]
    requests = own["requests"]
    verdicts = collections.Counter(requests["verdicts"])
    operations = {row["operation"]: row for row in own["operations"]}
    return {
        "peer": peer["qpn"],
        "addresses": (own["address"], peer["address"]),
        "messages": {name: row["messages"] for name, row in operations.items()},
        "bytes": {name: row["bytes"] if name not in ATOMIC else 0 for name, row in operations.items()},
        "completed": requests["messages_completed"],
        "acks": requests["acks"],
        "naks": requests["sequence_naks"],
        "recoveries": requests["recoveries"],
        "lost_before": requests["lost_before"],
        "lost_after": requests["lost_after"],
        "retransmission": verdicts["retransmission"],
        "out_of_order": verdicts["out_of_order"],
        "capture_duplicate": verdicts["capture_duplicate"],
        "in_order and gap": verdicts["in_order"] + verdicts["gap"],
        "causes": requests["retransmission_causes"],
    }


class SynthTest(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))

    def make(self, options: list, name: str = "made") -> tuple:
        capture = self.folder / f"{name}.{'pcapng' if 'pcapng' in options else 'pcap'}"
        truth = self.folder / f"{name}.ndjson"
        given = dict(zip(options[::2], options[1::2]))  # the last one counts
        words = [word for pair in given.items() for word in pair]
        subprocess.run([SYNTH, "-o", capture, "--truth", truth, *words], check=True)
        return capture, truth

    def test_the_analysis_is_what_was_made(self):
        for name, options in CASES.items():
            with self.subTest(name):
                capture, truth = self.make(options)
                report = json.loads(subprocess.run([ROCESCOPE, "analyze", "--json", capture], check=True,
                                                   stdout=subprocess.PIPE).stdout)
                sums = sums_of(truth)
                self.assertGreater(len(sums), 0)
                seen = {connection["sides"][0]["qpn"]: connection for connection in report["connections"]}
                self.assertEqual(seen.keys(), sums.keys())
                for qpn, of_one in sums.items():
                    expected, found = reported(of_one), concluded(seen[qpn])
                    if name in WITHOUT_CM:  # the responses that paired the flows had no requests yet
                        self.assertIn(expected["acks"] - found["acks"], range(4))
                        del expected["acks"], found["acks"]
                    self.assertEqual(found, expected)

    def test_the_capture_agrees_with_the_truth(self):
        for name, options in CASES.items():
            with self.subTest(name):
                capture, truth = self.make(options)
                done = subprocess.run([ROCESCOPE, "verify", "--truth", truth, capture], stdout=subprocess.PIPE, text=True,
                                      check=False)
                self.assertEqual(done.returncode, 0, done.stdout)

    def test_the_faults_asked_for_are_made(self):
        _, truth = self.make(CASES["all faults, pcapng"])
        total = collections.Counter()
        for of_one in sums_of(truth).values():
            total.update({key: of_one[key] for key in ("lost_before", "lost_after", "reordered", "duplicates", "requests")})
        for key, least, most in (("lost_before", 0.002, 0.005), ("lost_after", 0.001, 0.004), ("reordered", 0.003, 0.02),
                                 ("duplicates", 0.005, 0.015)):
            self.assertTrue(least < total[key] / total["requests"] < most, (key, total))

    def test_the_same_seed_makes_the_same(self):
        options = CASES["all faults, pcapng"]
        first = [path.read_bytes() for path in self.make(options, "first")]
        self.assertEqual(first, [path.read_bytes() for path in self.make(options, "second")])
        other = [path.read_bytes() for path in self.make([*options, "--seed", "99"], "other")]
        self.assertNotEqual(first, other)

    def test_standard_output_is_a_file_as_any_other(self):
        capture, _ = self.make(MIX)
        piped = subprocess.run([SYNTH, *MIX], check=True, stdout=subprocess.PIPE).stdout
        self.assertEqual(piped, capture.read_bytes())

    def test_a_command_line_that_cannot_be_meant(self):
        for words in (["--qps", "0"], ["--mtu", "1500"], ["--operations", "flush"], ["--sizes", "x"], ["--loss", "2"],
                      ["--format", "erf"], ["--frame-size", "4096"], ["--unknown"]):
            done = subprocess.run([SYNTH, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
            self.assertEqual((done.returncode, done.stdout), (2, ""), words)
            self.assertIn("synth: ", done.stderr)

    @unittest.skipUnless(shutil.which("tshark"), "tshark is not installed")
    def test_tshark_reads_it_without_complaint(self):
        tshark = Tshark(self.folder / "tshark")
        for name in ("mix", "all faults, pcapng", "small packets, many connections"):
            with self.subTest(name):
                capture, truth = self.make(CASES[name])
                fields = ["-e", "infiniband.bth.opcode", "-e", "_ws.malformed", "-e", "_ws.expert.severity", "-e",
                          "ip.checksum.status"]
                lines = tshark.run(*tshark.options, "-o", "ip.check_checksum:TRUE", "-r", str(capture), "-T", "fields",
                                   *fields).splitlines()
                opcodes = collections.Counter()
                for line in lines:
                    opcode, malformed, severity, checksum = line.split("\t")
                    self.assertEqual((malformed, severity, checksum), ("", "", "1"), line)
                    opcodes[int(opcode)] += 1
                sums = sums_of(truth).values()
                self.assertEqual(opcodes.pop(0x64), 3 * len(sums))  # REQ, REP, RTU
                self.assertEqual(sum(opcodes.values()), sum(each["requests"] + each["responses"] for each in sums))
                self.assertEqual(opcodes[0x11], sum(each["acks"] + each["naks"] for each in sums))

    def test_two_ends_of_senders_that_do_not_count_lose_nothing_between(self):
        """One file is nearly over when the other begins, and what is sent again has the bytes of what was sent before."""
        near, _ = self.make([*MIX, "--sizes", "4K,16K", "--operations", "send,write,read", "--loss", "0.01", "--setup", "none"])
        _, _, frames = capture_file.read_pcap(near)
        first, last = (frame.seconds * 10**9 + frame.fraction for frame in (frames[0], frames[-1]))
        far = near.with_name("far.pcap")
        for difference in (last - first - 20_000, first - last + 20_000):
            with self.subTest(difference=difference):
                subprocess.run(["editcap", "-F", "nsecpcap", "-t", f"{difference / 10**9:.9f}", near, far], check=True)
                run = subprocess.run([ROCESCOPE, "analyze", "--json", near, far], capture_output=True, check=True)
                report = json.loads(run.stdout)
                rows = report["point_comparisons"]
                self.assertGreater(sum(row["both_packets"] for row in rows), 100)
                self.assertEqual(sum(row["only_from_packets"] + row["only_to_packets"] for row in rows), 0)
                self.assertNotIn("packet_loss_between", {finding["id"] for finding in report["findings"]})

    def test_scapy_computes_the_same_icrc(self):
        capture, _ = self.make(["--packets", "300", "--qps", "3", "--operations", ALL_OPERATIONS, "--sizes", "1,100,3000"])
        opcodes = set()
        reader = RawPcapReader(str(capture))
        self.addCleanup(reader.close)
        frames = [data for data, _ in reader]
        for data in frames:
            bth = Ether(data)[BTH]
            bth.icrc = None  # to be computed
            built = bth.underlayer.underlayer.underlayer.__class__(data)
            built[BTH].icrc = None
            self.assertEqual(bytes(built)[:-4], data[:-4])
            self.assertEqual(struct.unpack("<I", bytes(built)[-4:]), struct.unpack("<I", data[-4:]))
            opcodes.add(bth.opcode)
        self.assertGreater(len(opcodes), 15)


if __name__ == "__main__":
    ROCESCOPE, SYNTH = (pathlib.Path(word).resolve() for word in sys.argv[1:3])
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
