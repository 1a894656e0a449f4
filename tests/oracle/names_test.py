#!/usr/bin/env python3
"""What connections carry, by the report, beside the commands that the lab ran while it made the captures: each protocol has its name, and
no connection of another program has one."""
import json
import os
import pathlib
import re
import unittest

from command_rows import CAPTURES, cut, left_of, report_of

# What a program shows of itself in the commands of the lab, the name of what it carries, and how that is known.
PROGRAMS = ((r"\brping ", "rping", {"service_id"}), (r"\bucmatose ", "ucmatose", {"service_id"}), (r"\brstream ", "rsockets", {"private_data"}),
            (r"\bnvme connect", "NVMe-oF", {"private_data", "messages"}), (r"\bproto=rdma\b", "NFS/RDMA", {"messages"}),
            (r"\bmount .*-t cifs .*rdma", "SMB Direct", {"messages"}), (r"rnbd-client/ctl/map_device", "RTRS/RNBD", {"messages"}),
            (r"\biscsiadm ", "iSER", {"private_data", "messages"}), (r"\badd_target\b", "SRP", {"messages"}), (r"\brds_talk ", "RDS", {"messages"}),
            (r"\bib_\w+_(?:bw|lat) (?!-c UD)", "perftest", {"key_lines"}), (r"\bibv_(?!ud)\w+_pingpong ", "ibv pingpong", {"key_lines"}),
            (r"\b(?:ucx_perftest|NPopenmpi|NPmpich2) ", "UCX", {"shape"}), (r"\bfi_pingpong .*;ofi_rxm", "libfabric", {"private_data"}))
NO_CONNECTION = {"srp_refused"}  # no login succeeds
# Of UCX: messages name what earlier ones named.
NAMED_BY_MESSAGES = {"ucx-fragments", "ucx-sync", "ucx-rndv_get", "ucx-rndv_put"}


def commands_of(capture: pathlib.Path) -> str:
    events = map(json.loads, capture.with_suffix(".ndjson").read_text().splitlines())
    return "\n".join(event["command"] for event in events if event["event"] == "command")


def carried(capture: pathlib.Path) -> set[tuple[str, str]]:
    return {(each["protocol"], each["known_by"]) for each in report_of(capture)["carried"]}


class Names(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.captures = sorted(path for path in CAPTURES.glob("*.pcapng") if path.with_suffix(".ndjson").exists())

    def test_names(self):
        named = set()
        for capture in self.captures:
            commands = commands_of(capture)
            expected = {name: ways for pattern, name, ways in PROGRAMS if re.search(pattern, commands)}
            found = carried(capture)
            if capture.stem not in NO_CONNECTION:
                self.assertEqual({name for name, _ in found}, set(expected), capture.name)
            for name, way in found:
                self.assertIn(way, expected[name], capture.name)
            named |= {name for name, _ in found}
        self.assertEqual(named, {name for _, name, _ in PROGRAMS})

    def test_tests_of_perftest(self):
        """They are those that the lab ran. Of one direction alone the kind is known."""
        tests = set()
        for capture in self.captures:
            found = {each["test"] for each in report_of(capture)["carried"] if each["protocol"] == "perftest"}
            self.assertEqual(found, set(re.findall(r"\b(ib_\w+_(?:bw|lat)) (?!-c UD)", commands_of(capture))), capture.name)
            tests |= found
        self.assertEqual(tests, {"ib_send_bw", "ib_write_bw", "ib_read_bw", "ib_atomic_bw"})
        with left_of(CAPTURES / "path_mtu-4096.pcapng", "tcp || ip.src == 192.168.2.25") as part:
            self.assertEqual([each["test"] for each in report_of(part)["carried"]], ["ib_write"])

    def test_kinds_of_ucx(self):
        """They are those of the test that the lab ran, and the library is the one that ran it."""
        kinds = {"ucp_put_lat": "put", "ucp_get": "get", "ucp_am_lat": "active message", "stream_lat": "stream", "tag_sync_lat": "tag", "tag_lat": "tag"}
        seen = set()
        for capture in self.captures:
            commands = commands_of(capture)
            library = "Open MPI" if " NPopenmpi " in commands else "MPICH" if " NPmpich2 " in commands else ""
            test = re.search(r"ucx_perftest -t (\w+)", commands)
            if test is None and not library:
                continue
            use = "rendezvous" if "UCX_RNDV_SCHEME" in commands else kinds[test[1]] if test else "tag"
            [carried] = report_of(capture)["carried"]
            self.assertEqual((carried["library"], carried["kinds"]), (library, f"wire-up, {use}"), capture.name)
            seen.add((library, use))
        self.assertEqual(seen, {("", use) for use in {*kinds.values(), "rendezvous"}} | {("Open MPI", "tag"), ("MPICH", "tag")})

    def test_lines_without_memory(self):
        """Of a perftest of SENDs whose packets with the path MTU nobody captured: its lines name no memory either, as those of a ping-pong."""
        capture = CAPTURES / "several.pcapng"
        self.assertIn("ib_send_bw ", commands_of(capture))
        path_mtu = " || ".join(f"frame.number == {number}" for number in (19, 20, 128, 129, 353, 354))  # tshark: tcp.len == 2
        with left_of(capture, f"!({path_mtu})") as part:
            handshakes = report_of(part)["handshakes"]
            self.assertEqual({each.get("path_mtu") for each in handshakes}, {None})
            self.assertTrue(any("region" not in side for each in handshakes for side in each["sides"]))
            self.assertEqual(carried(part), {("perftest", "key_lines")})

    def test_ucx_without_datagrams(self):
        """UCX whose datagrams, which connected it, were not captured."""
        captures = [*CAPTURES.glob("ucx-*.pcapng"), *CAPTURES.glob("mpi-*.pcapng")]
        self.assertLessEqual(NAMED_BY_MESSAGES, {each.stem for each in captures})
        for capture in captures:
            with left_of(capture, "!(infiniband.deth.q_key == 0x1ee7a330)") as part:
                self.assertEqual(carried(part), {("UCX", "shape")} if capture.stem in NAMED_BY_MESSAGES else set(), capture.name)

    def test_nccl(self):
        """Public captures of NCCL's own tests over SoftRoCE, whose names say so: each connection is of NCCL, and none of the others."""
        folder = os.environ.get("ROCESCOPE_EXTRA_CAPTURES")
        captures = sorted(pathlib.Path(folder).glob("*.pcap")) if folder else []
        named = {capture for capture in captures if "__nccl_" in capture.name}
        if not named:
            self.skipTest("ROCESCOPE_EXTRA_CAPTURES names no folder with captures of NCCL")
        for capture in captures:
            report = report_of(capture)
            found = {each["connection"] for each in report["carried"] if each["protocol"] == "NCCL"}
            self.assertEqual(found, {each["number"] for each in report["connections"]} if capture in named else set(), capture.name)

    def test_cut(self):
        """96 bytes of a packet have none of the private data: then the messages speak, of which 80 bytes have nothing."""
        capture = CAPTURES / "rsockets.pcapng"
        with cut(capture, 96) as short:
            self.assertEqual(carried(short), {("rsockets", "shape")})
        with cut(capture, 80) as short:
            self.assertEqual(carried(short), set())


if __name__ == "__main__":
    unittest.main()
