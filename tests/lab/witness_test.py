"""The witness agrees with kept captures and their truth, and finds each lie put into that truth."""

import copy
import json
import sys
import tempfile
import unittest
from pathlib import Path

import lab_path  # noqa: F401
from rocelab import paths, pcap, refresh, scenario, truth, witness
from rocelab.errors import LabError

SKIPPED = 77
KEPT = ["psn_wrap", "rdmagen-exchange-mixed", "rdmagen-cm-mixed", "rdmagen_several-cm", "rdmagen_transport-exchange-ud"]


class Kept:
    """A kept capture with its truth, which a test may change before it is compared."""

    def __init__(self, name: str) -> None:
        self.capture = paths.CAPTURES / f"{name}.pcapng"
        self.events = truth.read(paths.CAPTURES / f"{name}.ndjson")

    def compare(self) -> tuple[int, list[str]]:
        addresses = {event["name"]: event["address"] for event in self.events if event["event"] == "host"}
        sides = [witness.Side(addresses[name], [event for event in self.events if event["side"] == name]) for name in scenario.HOSTS]
        return witness.compare(paths.our_program("rocescope"), self.capture, sides)

    def of(self, **wanted: object) -> list[dict]:
        return [event for event in self.events if all(event.get(key) == value for key, value in wanted.items())]


class WitnessTest(unittest.TestCase):
    def assert_finds(self, kept: Kept, *expected: str) -> None:
        _, problems = kept.compare()
        self.assertTrue(any(all(part in problem for part in expected) for problem in problems), f"{expected} not in {problems}")

    def test_kept_captures_hold_all_that_was_posted(self) -> None:
        for name in KEPT:
            kept = Kept(name)
            agreed, problems = kept.compare()
            posted = [event for event in kept.of(event="post") if event["opcode"] not in witness.NOT_ON_THE_WIRE]
            self.assertEqual((agreed, problems), (len(posted), []), name)

    def test_a_wrong_key_address_length_or_operation_is_found(self) -> None:
        for key, value, expected in (("rkey", 1, "rkey 1 was posted"), ("remote_address", 2, "remote address 2 was posted"),
                                 ("bytes", 3, "bytes 3 was posted"), ("opcode", "RDMA_READ", "opcode RDMA_READ was posted")):
            kept = Kept("psn_wrap")
            kept.of(event="post", opcode="RDMA_WRITE")[0][key] = value
            self.assert_finds(kept, expected)

    def test_a_wrong_immediate_or_operand_is_found(self) -> None:
        for opcode, key in (("SEND_WITH_IMM", "immediate"), ("ATOMIC_CMP_AND_SWP", "swap"), ("ATOMIC_CMP_AND_SWP", "compare"),
                            ("ATOMIC_FETCH_AND_ADD", "add"), ("SEND_WITH_INV", "invalidate_rkey")):
            kept = Kept("rdmagen-exchange-mixed")
            kept.of(event="post", opcode=opcode)[0][key] ^= 1
            self.assert_finds(kept, "was posted", "is on the wire")

    def test_a_work_request_too_few_or_too_many_is_found(self) -> None:
        missing, extra = Kept("psn_wrap"), Kept("psn_wrap")
        missing.events.remove(missing.of(event="post", opcode="RDMA_READ")[-1])
        extra.events.append(copy.copy(extra.of(event="post", opcode="RDMA_READ")[-1]))
        self.assert_finds(missing, "5 posted, 6 on the wire")
        self.assert_finds(extra, "7 posted, 6 on the wire")

    def test_a_wrong_first_psn_a_missing_state_and_an_unknown_key_are_found(self) -> None:
        psn, state, key = Kept("psn_wrap"), Kept("psn_wrap"), Kept("psn_wrap")
        for event in psn.of(event="qp_state", side="client", sq_psn=0xFFFFF0):
            event["sq_psn"] = 5
        state.events = [event for event in state.events if event.get("state") != "RTR" or event["side"] == "server"]
        key.events = [event for event in key.events if event["event"] != "mr"]
        self.assert_finds(psn, "PSN 16777200", "should be at 5")
        self.assert_finds(state, "went through INIT, RTS")
        self.assert_finds(key, "registered no region")

    def test_a_request_of_xrc_is_held_against_the_initiator_s_posts(self) -> None:
        # XRC SEND Only to QP 0x31, PSN 7, XRC SRQ 9, four bytes; the ICRC is nobody's matter here.
        roce = bytes.fromhex("a400ffff 00000031 80000007 00000009 01020304 00000000")
        udp = bytes.fromhex("c0d212b7") + (8 + len(roce)).to_bytes(2) + b"\0\0"
        ip = bytes.fromhex("4500") + (28 + len(roce)).to_bytes(2) + bytes.fromhex("00004000 40110000 c0a80219 c0a80218")
        frame = bytes.fromhex("525400123424 525400123425 0800") + ip + udp + roce
        qp = [{"event": "qp", "qpn": 0x30, "type": "XRC_SEND"},
              *({"event": "qp_state", "qpn": 0x30, "state": state, "by": "rdmagen", "dest_qpn": 0x31, "sq_psn": 7}
                for state in ("INIT", "RTR", "RTS"))]
        post = {"event": "post", "qpn": 0x30, "wr_id": 1, "opcode": "SEND", "bytes": 4}
        with tempfile.TemporaryDirectory() as name:
            capture = Path(name) / "xrc.pcapng"
            pcap.write_pcapng(capture, pcap.Pcap(1, 65536, [(5, len(frame), frame)]), "enp0s1", "")
            for srqn, agreed in ((9, 1), (8, 0)):
                sides = [witness.Side("192.168.2.25", [*qp, post | {"xrc_srqn": srqn}]), witness.Side("192.168.2.24", [])]
                found, problems = witness.compare(paths.our_program("rocescope"), capture, sides)
                self.assertEqual((found, len(problems)), (agreed, 1 - agreed), problems)

    def test_a_damaged_packet_is_found(self) -> None:
        with tempfile.TemporaryDirectory() as name:
            damaged = Path(name) / "damaged.pcapng"
            data = bytearray(Kept("psn_wrap").capture.read_bytes())
            at = data.index(bytes.fromhex("12b7"), len(data) // 2)  # a UDP port 4791; behind it the BTH
            data[at + 40] ^= 1
            damaged.write_bytes(data)
            problem, = witness.icrc_problems(paths.our_program("rocescope"), damaged)
        self.assertIn("ICRCs are good", problem)


class RefreshTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.captures, self.results = self.folder / "captures", self.folder / "results" / "rping"
        self.captures.mkdir()
        self.results.mkdir(parents=True)
        (self.captures / "README.md").write_text("# Captures\n\nby hand\n")
        pcap.write_pcapng(self.results / "client.wire.pcapng", pcap.Pcap(1, 65536, [(5, 4, b"abcd")]), "enp0s1", "")
        machines = {"kernel": "6.1.0", "packages": {"rdma-core": "44.0-2", "perftest": "4.5-1"}}
        lines = [{"time_ns": 3, "side": "lab", "event": "lab", "machines": machines},
                 {"time_ns": 9, "side": "lab", "event": "capture", "vantage": "client.wire", "packets": 1}]
        (self.results / "truth.ndjson").write_text("".join(json.dumps(line) + "\n" for line in lines))
        (self.results / "2.client.rdmagen.ndjson").write_text('{"time_ns":5,"side":"client","event":"start"}\n{"time_ns":7,"cut')
        self.scenario, = scenario.find("rping")

    def keep(self) -> str:
        refresh.keep([self.scenario], self.folder / "results", self.captures)
        return (self.captures / "README.md").read_text()

    def test_capture_truth_and_a_line_are_kept_once_however_often(self) -> None:
        once = self.keep()
        self.assertIn("by hand\n", once)
        self.assertIn("| `rping.pcapng` | 1 | client, wire | 6.1.0, rdma-core 44.0, perftest 4.5 | rping:", once)
        self.assertEqual(self.keep(), once)
        self.assertTrue((self.captures / "rping.pcapng").exists())

    def test_the_truth_of_all_is_in_the_order_of_time(self) -> None:
        self.keep()
        self.assertEqual([event["time_ns"] for event in truth.read(self.captures / "rping.ndjson")], [3, 5, 9])

    def test_a_capture_too_large_for_git_is_refused(self) -> None:
        with open(self.results / "client.wire.pcapng", "ab") as file:
            file.truncate(refresh.LIMIT + 1)
        with self.assertRaisesRegex(LabError, "larger than 1 MiB"):
            self.keep()


if __name__ == "__main__":
    if paths.our_program("rocescope") is None:
        print("skipped: rocescope is not built")
        sys.exit(SKIPPED)
    unittest.main()
