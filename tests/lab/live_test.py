#!/usr/bin/env python3
"""The lab, live: the short scenarios run in guests, and once more over ssh's way, with what they leave held against the truth.

Usage: live_test.py RESULTS [Image] [QuickScenarios] [ShortScenarios] [MachinesOverSsh]
Exits with 77, which CTest takes for skipped, where guests cannot be booted.
"""

import collections
import json
import os
import socket
import subprocess
import sys
import tempfile
import threading
import unittest
from pathlib import Path
from unittest import mock

import lab_path
from rocelab import distribution, image, paths, preflight, scenario, shell, ssh, truth
from rocelab.execution import Execution
from rocelab.messages import read_columns
from rocelab.pair import Pair

SKIPPED = 77
LAB = lab_path.SOURCE / "tools" / "lab" / "lab"
TIMEOUT = 600  # seconds for all short scenarios, beside other tests
RESULTS = Path()

# In ssh's place: hands target, command and input to this test, which gives them to the guest's agent.
FAKE_SSH = """#!/usr/bin/env python3
import json, os, socket, sys
with socket.socket(socket.AF_UNIX) as line:
    line.connect(os.path.join(os.path.dirname(os.path.abspath(sys.argv[0])), "line"))
    target, command = sys.argv[1], " ".join(sys.argv[2:])
    line.sendall(json.dumps([target, command, sys.stdin.buffer.read().hex()]).encode())
    line.shutdown(socket.SHUT_WR)
    code, out, err = json.loads(b"".join(iter(lambda: line.recv(1 << 20), b"")))
sys.stdout.buffer.write(bytes.fromhex(out))
sys.stderr.buffer.write(bytes.fromhex(err))
sys.exit(code)
"""


class Image(unittest.TestCase):
    """What guests boot, which is fetched and built once."""

    def test_is_there(self) -> None:
        self.assertTrue(image.get(distribution.choose()).initramfs.exists())


class ShortScenarios(unittest.TestCase):
    """One boot for all; each test looks at what the run left."""

    TAG = "short"

    @classmethod
    def setUpClass(cls) -> None:
        cls.scratch = RESULTS / "scratch"
        cls.scratch.mkdir(parents=True, exist_ok=True)
        command = [sys.executable, LAB, "run", "--tag", cls.TAG, "--out", RESULTS]
        done = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT, env={**os.environ, "TMPDIR": str(cls.scratch)})
        cls.output, cls.exit = done.stdout + done.stderr, done.returncode
        cls.names = [one.name for file in scenario.files() for one in scenario.load(file) if cls.TAG in one.tags]

    def test_all_pass(self) -> None:
        self.assertEqual(self.exit, 0, self.output)

    def test_each_leaves_captures_logs_and_truth(self) -> None:
        for name in self.names:
            files = {path.name for path in (RESULTS / name).iterdir()}
            self.assertLessEqual({"server.wire.pcapng", "client.wire.pcapng", "truth.ndjson"}, files, name)
            self.assertTrue(any(file.endswith(".inside.pcapng") for file in files), name)
            self.assertTrue(any(file.endswith(".log") for file in files), name)

    def test_the_truth_tells_commands_counters_versions_and_the_result(self) -> None:
        for name in self.names:
            events = truth.read(RESULTS / name / "truth.ndjson")
            kinds = {event["event"] for event in events}
            self.assertLessEqual({"lab", "host", "command", "counters", "capture", "witness", "result"}, kinds, name)
            for event in events:
                if event["event"] == "host":
                    self.assertLess(abs(event["clock_offset"]), 5_000_000, f"{name}: {event['name']}'s clock")
                if event["event"] == "command":
                    self.assertLess(event["began_ns"], event["ended_ns"])

    def test_every_work_request_of_rdmagen_is_in_every_capture_and_nothing_else(self) -> None:
        compared = 0
        for name in self.names:
            for event in truth.read(RESULTS / name / "truth.ndjson"):
                if event["event"] == "witness":
                    self.assertEqual(event["problems"], [], f"{name} {event['capture']}")
                    compared += event["agreed"]
        self.assertGreater(compared, 0)

    def test_both_ends_of_the_wire_and_the_guest_see_the_same_packets_at_the_same_time(self) -> None:
        for name in self.names:
            packets = {path.stem: _roce_packets(path) for path in (RESULTS / name).glob("*.pcapng")}
            first = packets["client.wire"]
            for vantage, there in packets.items():
                self.assertEqual(sorted(there), sorted(first), f"{name} {vantage}")
                for key, time in there.items():
                    self.assertLess(abs(time - first[key]), 0.2, f"{name} {vantage} {key}")

    def test_rocescope_live_in_the_guest_reports_what_is_on_the_wire(self) -> None:
        live = [one.name for file in scenario.files() for one in scenario.load(file) if "live" in one.tags]
        self.assertGreater(len(live), 1)
        for name in live:
            log = (RESULTS / name / "1.client.rocescope.log").read_text()
            inside = json.loads(next(line for line in log.splitlines() if line.startswith('{"type": "report"')))
            command = [paths.our_program("rocescope"), "analyze", "--json", "-Y", "infiniband", RESULTS / name / "client.wire.pcapng"]
            wire = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
            self.assertGreater(wire["totals"]["packets"], 20, name)
            self.assertEqual(inside["totals"]["packets"], wire["totals"]["packets"], name)
            for part in ("operations", "icrc"):
                self.assertEqual(inside[part], wire[part], f"{name} {part}")
            self.assertEqual(_without_times(inside["flows"]), _without_times(wire["flows"]), name)
            self.assertEqual(_requests(inside), _requests(wire), name)

    def test_nothing_is_left_running_or_lying_about(self) -> None:
        self.assertEqual(list(self.scratch.iterdir()), [])
        left = [path for path in Path("/proc").glob("[0-9]*/cmdline") if str(self.scratch) in _text(path)]
        self.assertEqual(left, [])


class QuickScenarios(ShortScenarios):
    """Of these the ones in which `rocescope live` runs in a guest, beside rdmagen and perftest."""

    TAG = "quick"


class MachinesOverSsh(unittest.TestCase):
    """The way of --hosts and of setup-host, with guests in the place of other machines."""

    @classmethod
    def setUpClass(cls) -> None:
        cls.pair = cls.enterClassContext(Pair(image.get(distribution.choose())))
        shell.prepare(cls.pair)

    def test_a_scenario_runs_and_leaves_capture_and_truth(self) -> None:
        with tempfile.TemporaryDirectory() as name:
            fake = Path(name) / "ssh"
            fake.write_text(FAKE_SSH)
            fake.chmod(0o755)
            with socket.socket(socket.AF_UNIX) as line, mock.patch.dict(os.environ, ROCESCOPE_LAB_SSH=str(fake)):
                line.bind(str(Path(name) / "line"))
                line.listen()
                threading.Thread(target=_answer, args=(line, self.pair), daemon=True).start()
                wanted, = scenario.find("rping")
                execution = Execution(ssh.connect("server,client"), wanted, RESULTS / "over_ssh")
                execution.run()
        self.assertEqual(execution.problems, [])
        self.assertEqual(execution.unchecked, 0)
        self.assertTrue((RESULTS / "over_ssh" / "client.inside.pcapng").exists())

    def test_setup_host_makes_a_device_and_finds_what_is_in_its_way(self) -> None:
        host = self.pair.guests["server"].host
        host.write("/tmp/setup-host", (paths.LAB / "setup-host").read_bytes())
        self.assertIn("rxe0 is gone", host.check("bash /tmp/setup-host --undo"))

        def run_with(policy: str, rule: str, expected: int, *parts: str) -> None:
            chain = "{ type filter hook input priority 0; policy %s; }" % policy
            host.check(f"modprobe nf_tables; nft flush ruleset; nft add table inet t; nft add chain inet t in '{chain}'; "
                       f"nft add rule inet t in {rule}")
            code, out, _ = host.execute("bash /tmp/setup-host enp0s1", 60)
            for part in parts:
                self.assertIn(part, out.decode())
            self.assertEqual(code, expected, out.decode())

        run_with("accept", "udp dport 4792 drop", 0, "module rdma_rxe is loaded", "enp0s1 is RDMA device rxe_enp0s1",
                 "MTU 1500: path MTU 1024", "no firewall rule refuses UDP port 4791",
                 "0000:0000:0000:0000:0000:ffff:c0a8:0218, RoCE v2", "Ready.")
        run_with("accept", "udp dport 4791 counter drop", 1, "PROBLEM  a firewall rule refuses UDP port 4791")
        run_with("drop", "tcp dport 22 accept", 1, "PROBLEM  a firewall refuses what it does not know")
        host.check("ip addr flush dev enp0s1; ip link set enp0s1 mtu 900")
        run_with("drop", "udp dport 4791 accept", 1, "the firewall lets UDP port 4791 in", "PROBLEM  enp0s1 has no address",
                 "PROBLEM  MTU 900 is small for RoCE", "PROBLEM  no GID of rxe_enp0s1 is an IPv4 address")


def _answer(line: socket.socket, pair: Pair) -> None:
    """Runs in a guest what the fake ssh is asked to, until the test is over."""
    while True:
        try:
            connection, _ = line.accept()
        except OSError:
            return
        with connection:
            target, command, given = json.loads(b"".join(iter(lambda: connection.recv(1 << 20), b"")))
            host = pair.guests[target].host
            host.check("mkdir -p /tmp/ssh")
            host.write("/tmp/ssh/input", bytes.fromhex(given))
            code, out, err = host.execute(f"cd /tmp; exec </tmp/ssh/input; {command}", 60)
            connection.sendall(json.dumps([code, out.hex(), err.hex()]).encode())


def _text(path: Path) -> str:
    """A file of /proc, whose process may end meanwhile."""
    try:
        return path.read_text(errors="replace")
    except OSError:
        return ""


def _without_times(flows: list[dict]) -> list[dict]:
    """Two clocks are never the same."""
    return [{key: value for key, value in flow.items() if key not in ("first_time", "last_time")} for flow in flows]


def _requests(report: dict) -> list:
    """Of both sides of each connection; not what depends on where one stands: what was in flight at most, stalls, and what moved a
    sender whom no NAK asked: whether it had waited for as long as a timeout, and whether an ACK had passed by then. A packet may
    wait between the wire and a guest that has no processor."""
    for connection in report["connections"]:
        for side in connection["sides"]:
            for column in ("most_in_flight", "stalls", "stalled", "longest_stall"):
                del side["requests"][column]
            for column in ("retransmission_causes", "recovery_causes"):
                causes = side["requests"][column]
                causes["without a NAK"] = sum(causes.pop(cause, 0) for cause in ("timeout", "unknown", "spurious", "ack_lost"))
    return sorted((connection["number"], side["address"], json.dumps(side["requests"]), json.dumps(side["operations"]))
                  for connection in report["connections"] for side in connection["sides"])


def _roce_packets(capture: Path) -> dict[tuple, float]:
    """Time of each packet, by what identifies it."""
    columns = ["frame.time_epoch", "rocescope.src", "infiniband.bth.opcode", "infiniband.bth.destqp", "infiniband.bth.psn",
               "udp.srcport"]
    found: dict[tuple, float] = {}
    repeated: collections.Counter = collections.Counter()
    for time, *key in read_columns(paths.our_program("rocescope"), capture, columns, "infiniband.bth"):
        found[(repeated[tuple(key)], *key)] = float(time)
        repeated[tuple(key)] += 1
    return found


def main() -> int:
    global RESULTS
    RESULTS = Path(sys.argv.pop(1)).resolve()
    if missing := [name for name in ("rocescope", "rdmagen") if paths.our_program(name) is None]:
        print(f"skipped: not built: {', '.join(missing)}")
        return SKIPPED
    if obstacle := preflight.obstacle():
        print(f"skipped: the lab cannot run here: {obstacle}")
        return SKIPPED
    return 0 if unittest.main(exit=False, verbosity=2).result.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main())
