#!/usr/bin/env python3
"""Good captures in which bits were flipped: a damaged packet is counted as damaged, and nothing else is concluded from it.

The whole capture is the witness: whatever the damaged one says of losses, hosts, connections and the like, that one says as well. What
was flipped, and in which packets, is known here; bits that the ICRC leaves out (TTL, DSCP, ECN, checksums) are not flipped.
"""
import collections
import dataclasses
import json
import pathlib
import random
import struct
import subprocess
import sys
import tempfile
import unittest

PROGRAM = sys.argv.pop(1)
CAPTURES = pathlib.Path(__file__).resolve().parents[2] / "captures"
# Not lab_pingpong_atomic_udaddy: rdma_rxe sent again there within microseconds, and its copies look alike.
NAMES = ("ipv6.pcapng", "lab_rping_write_ud_atomic.pcap", "nvme.pcapng", "path_mtu-256.pcapng",
         "pingpong-srq.pcapng", "pingpong-uc.pcapng", "rdmagen-cm-bulk.pcapng", "rdmagen-cm-mixed.pcapng", "rdmagen-cm-mpi.pcapng",
         "rdmagen_several-exchange.pcapng", "rdmagen_transport-cm-ud.pcapng", "several.pcapng", "vlan.pcapng")
FIELDS = ("addresses", "port", "bth", "behind", "any")
ONE_IN = (1000, 20)  # packets; at least one is damaged
SECTION_HEADER = b"\x0a\x0d\x0d\x0a"
ENHANCED_PACKET = 6
LOSSES = ("lost_before", "lost_after", "capture_lost", "read_responses_missing", "missing_psns", "recoveries", "rnr_naks", "sequence_naks",
          "fatal_naks", "msn_backwards", "credit_stalls")
VERDICTS = ("out_of_order", "retransmission", "capture_duplicate", "read_response_retransmission", "ack_of_unseen", "used_psn")
# Damage takes these messages away as a loss would.
MAY_APPEAR = {
    "icrc_bad": "that is it",
    "cm_incomplete": "a message of the handshake was damaged",
}


def records(data: bytes):
    """The parts of a capture file, and where in each its frame begins; 0: it is none."""
    pcapng = data.startswith(SECTION_HEADER)
    at = 0 if pcapng else 24
    if not pcapng:
        yield data[:24], 0
    while at < len(data):
        kind, length = struct.unpack_from("<II", data, at) if pcapng else (
            ENHANCED_PACKET, 16 + struct.unpack_from("<I", data, at + 8)[0])
        yield data[at:at + length], (28 if pcapng else 16) if kind == ENHANCED_PACKET else 0
        at += length


def run(*arguments) -> str:
    return subprocess.run([PROGRAM, *arguments], capture_output=True, check=True, text=True).stdout


@dataclasses.dataclass
class Layout:
    """Where the headers of a RoCEv2 frame begin."""
    record: int
    ip: int
    version: int
    udp: int
    end: int

    def ranges(self, field: str) -> list[tuple[int, int]]:
        bth = self.udp + 8
        address = (12, 20) if self.version == 4 else (8, 40)
        return {"addresses": [(self.ip + address[0], self.ip + address[1])],
                "port": [(self.udp, self.udp + 2)],
                # Not the opcode's reserved bits beside FECN and BECN, which the ICRC leaves out.
                "bth": [(bth, bth + 4), (bth + 5, bth + 12)],
                "behind": [(bth + 12, self.end)],
                "any": [(self.ip + address[0], self.ip + address[1]), (self.udp, self.udp + 2), (bth, bth + 4), (bth + 5, self.end)],
                }[field]


def layout(record: bytes, frame: int, pcapng: bool) -> Layout | None:
    """Of the ports of the lab's wire: Ethernet, a VLAN tag or none."""
    captured = struct.unpack_from("<I", record, 20 if pcapng else 8)[0]
    data = record[frame:frame + captured]
    at, kind = 14, data[12:14]
    if kind == b"\x81\x00":
        at, kind = 18, data[16:18]
    if kind == b"\x08\x00" and data[at + 9] == 17:
        udp, version = at + 20, 4
    elif kind == b"\x86\xdd" and data[at + 6] == 17:
        udp, version = at + 40, 6
    else:
        return None
    if struct.unpack_from(">H", data, udp + 2)[0] != 4791:
        return None
    end = udp + struct.unpack_from(">H", data, udp + 4)[0]
    return Layout(frame, frame + at, version, frame + udp, frame + end)


def keys(report: dict) -> dict[str, set]:
    """Who and what the report names."""
    def sides(row):
        return frozenset((side.get("address"), side.get("qpn")) for side in row["sides"])
    return {
        "hosts": {row["address"] for row in report["nic_counters"]},
        "pairs": {(pair["source"], pair["destination"]) for pair in report["host_rates"]},
        "flows": {(flow["source"], flow["destination"], flow["dest_qp"]) for flow in report["flows"]},
        "ud_flows": {(flow["source"], flow["source_qp"], flow["destination"], flow["dest_qp"]) for flow in report["ud_flows"]},
        "queue pairs": {side for connection in report["connections"] for side in sides(connection)},
        "regions": {(region["responder"], region["r_key"]) for region in report["memory_regions"]},
        "transports": {connection["transport"] for connection in report["connections"]},
    }


def effects(report: dict) -> collections.Counter:
    result: collections.Counter = collections.Counter()
    for connection in report["connections"]:
        for side in connection["sides"]:
            requests = side["requests"]
            for name in LOSSES:
                result[name] += requests[name]
            for name in VERDICTS:
                result[name] += requests["verdicts"].get(name, 0)
            result["cnp"] += side["cnp_packets"]
    return result


class Good:
    def __init__(self, file: pathlib.Path):
        self.file = file
        self.report = json.loads(run("analyze", "--json", file))
        self.keys = keys(self.report)
        self.effects = effects(self.report)
        self.findings = {finding["id"] for finding in self.report["findings"]}
        data = file.read_bytes()
        self.pcapng = data.startswith(SECTION_HEADER)
        self.records = [(record, layout(record, frame, self.pcapng) if frame else None, frame) for record, frame in records(data)]

    def damage(self, field: str, one_in: int, seed: int, to: pathlib.Path) -> set[int]:
        """Writes it with flipped bits; the numbers of the frames that have them."""
        chance = random.Random(f"{self.file.name} {field} {one_in} {seed}")
        roce = [at for at, (_, where, _) in enumerate(self.records) if where]
        chosen = {at for at in roce if chance.randrange(one_in) == 0} or {chance.choice(roce)}
        numbers, number, content = set(), 0, []
        for at, (record, where, frame) in enumerate(self.records):
            number += frame != 0
            if at in chosen:
                numbers.add(number)
                damaged = bytearray(record)
                place = chance.choice([place for first, end in where.ranges(field) for place in range(first, end)])
                damaged[place] ^= 1 << chance.randrange(8)
                record = bytes(damaged)
            content.append(record)
        to.write_bytes(b"".join(content))
        return numbers

    def senders(self) -> list[tuple[int, bytes]]:
        """Of each RoCE packet its place among the records, and its source address."""
        found = []
        for at, (record, where, _) in enumerate(self.records):
            if where:
                first = where.ip + (12 if where.version == 4 else 8)
                found.append((at, record[first:first + (4 if where.version == 4 else 16)]))
        return found

    def spoil(self, source: bytes, to: pathlib.Path) -> int:
        """Writes it with zeros for the ICRCs of this sender; how many."""
        records = [record for record, _, _ in self.records]
        spoiled = [at for at, sender in self.senders() if sender == source]
        for at in spoiled:
            end = self.records[at][1].end
            records[at] = records[at][:end - 4] + bytes(4) + records[at][end:]
        to.write_bytes(b"".join(records))
        return len(spoiled)


class Damage(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.temporary.name)
        cls.good = [Good(CAPTURES / name) for name in NAMES]

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def check(self, good: Good, field: str, one_in: int, seed: int, file: pathlib.Path) -> None:
        damaged = good.damage(field, one_in, seed, file)
        report = json.loads(run("analyze", "--json", file))
        bad = {int(line) for line in run("dissect", file, "-T", "fields", "-e", "frame.number", "-Y",
                                         'rocescope.icrc.status == "bad"').split()}
        self.assertLessEqual(bad, damaged)
        # Bits that make a packet none of RoCE, or cut it, leave no ICRC to look at.
        if field == "port":
            self.assertEqual(bad, damaged)
        self.assertEqual(report["icrc"]["bad"], len(bad))
        self.assertEqual(report["icrc"]["damaged"], len(bad))
        reported = sum(finding["count"] for finding in report["findings"] if finding["id"] == "icrc_bad")
        self.assertEqual(reported, len(bad))
        for name, now in keys(report).items():
            self.assertLessEqual(now, good.keys[name], name)
        gone = effects(report) - good.effects
        self.assertEqual(gone, {}, "losses and the like")
        self.check_findings(good, report, set(MAY_APPEAR))

    def check_findings(self, good: Good, report: dict, may_appear: set[str]) -> None:
        new = {finding["id"] for finding in report["findings"]} - good.findings - may_appear
        self.assertEqual(new, set(), [finding["what"] for finding in report["findings"] if finding["id"] in new])

    def test_it_is_counted_and_shows_nothing_else(self):
        for good in self.good:
            for field in FIELDS:
                for one_in in ONE_IN:
                    with self.subTest(capture=good.file.name, field=field, one_in=one_in):
                        self.check(good, field, one_in, 1, self.folder / good.file.name)

    def test_a_sender_without_any_right_icrc_is_followed_all_the_same(self):
        """Its packets were captured before its NIC wrote the ICRC."""
        for good in self.good:
            source = min(address for _, address in good.senders())
            with self.subTest(capture=good.file.name, source=source.hex()):
                file = self.folder / good.file.name
                count = good.spoil(source, file)
                report = json.loads(run("analyze", "--json", file))
                self.assertEqual((report["icrc"]["bad"], report["icrc"]["damaged"]), (count, 0))
                self.assertEqual(keys(report), good.keys)
                self.assertEqual(effects(report), good.effects)
                self.assertEqual([connection["sides"][0]["requests"]["messages_completed"] for connection in report["connections"]],
                                 [connection["sides"][0]["requests"]["messages_completed"] for connection in good.report["connections"]])
                reported = [(finding["id"], finding["count"]) for finding in report["findings"] if finding["id"].startswith("icrc_")]
                self.assertEqual(reported, [("icrc_bad_all_tx", count)])
                self.check_findings(good, report, {"icrc_bad_all_tx"})


if __name__ == "__main__":
    unittest.main()
