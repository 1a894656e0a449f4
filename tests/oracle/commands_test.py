#!/usr/bin/env python3
"""Commands of NVMe over RDMA in `analyze --csv`, beside what the kernels of both machines traced while the capture was made."""
import dataclasses
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
from collections import Counter, defaultdict

from capture_file import read_pcap, write_pcap
from command_rows import CAPTURES, PROGRAM, check_parts, check_targets, left_of, named, report_of, rows_of, rows_of_packets

sys.path.append(str(CAPTURES.parent / "tests/views"))
import packets  # noqa: E402

OPERATIONS = {"nvme_cmd_read": "Read", "nvme_cmd_write": "Write", "nvme_cmd_flush": "Flush", "nvme_cmd_dsm": "Dataset Management",
              "nvme_cmd_write_zeroes": "Write Zeroes", "nvme_admin_identify": "Identify",
              "nvme_admin_get_log_page": "Get Log Page", "nvme_admin_set_features": "Set Features",
              "nvme_admin_get_features": "Get Features", "nvme_admin_keep_alive": "Keep Alive",
              "nvme_fabrics_type_connect": "Connect", "nvme_fabrics_type_property_get": "Property Get",
              "nvme_fabrics_type_property_set": "Property Set", "nvme_fabrics_type_auth_send": "Authentication Send",
              "nvme_fabrics_type_auth_receive": "Authentication Receive"}
BY_THE_HOST = (0x370, 0x371)  # statuses of commands that the host gave up: no response has them
BLOCK_OPERATIONS = ("Read", "Write", "Write Zeroes")


def traced(capture: pathlib.Path) -> list[dict]:
    """Each command that the host's kernel issued, with its end if it came."""
    commands, waiting = [], {}
    for line in capture.with_suffix(".ndjson").read_text().splitlines():
        event = json.loads(line)
        if event["event"] != "trace" or event["on"] != "client":
            continue
        controller = event["text"].partition(":")[0]
        facts = dict(re.findall(r"(\w+)=(\w+)", event["text"]))
        key = controller, re.search(r"qid=(\d+)", event["text"])[1], facts["cmdid"]  # a Connect names its queue behind that
        if event["name"] == "nvme_setup_cmd":
            name = re.search(r"cmd=\((\w+)", event["text"])
            if name and name[1] == "nvme_admin_async_event":  # which older kernels do not trace
                continue
            command = {"queue": int(facts["qid"]), "id": int(facts["cmdid"]), "operation": OPERATIONS.get(name[1] if name else ""),
                       "issued": event["time_ns"], "ended": None, "status": None}
            if command["operation"] in BLOCK_OPERATIONS:
                command |= {"offset": int(facts["slba"]), "blocks": int(facts["len"]) + 1}
            commands.append(command)
            waiting[key] = command
        elif event["name"] == "nvme_complete_rq" and key in waiting:
            waiting.pop(key).update(ended=event["time_ns"], status=int(facts["status"], 16))
    return commands


def served(capture: pathlib.Path) -> dict[tuple[int, int], list[int]]:
    """How long the target's kernel had each command, in ns: all of one queue and ID, in their order."""
    times, waiting = defaultdict(list), {}
    for line in capture.with_suffix(".ndjson").read_text().splitlines():
        event = json.loads(line)
        if event["event"] != "trace" or event["on"] != "server":
            continue
        queue, number = (int(each) for each in re.search(r"qid=(\d+), cmdid=(\d+)", event["text"]).groups())
        if event["name"] == "nvmet_req_init":
            waiting[queue, number] = event["time_ns"]
        elif event["name"] == "nvmet_req_complete" and (queue, number) in waiting:
            times[queue, number].append(event["time_ns"] - waiting.pop((queue, number)))
    return times


def without_events(rows: list[dict]) -> list[dict]:
    return [row for row in rows if row["operation"] != "Asynchronous Event Request"]


def ours(capture: pathlib.Path, *options: str) -> list[dict]:
    """Without requests for events, which the kernel does not trace."""
    return without_events(rows_of(capture, *options))


def number(cell: str) -> int | None:
    return int(cell, 0) if cell else None


def nanoseconds(cell: str) -> int:
    return int(cell)


CAPTURES_WITH_TRACES = sorted(file for file in CAPTURES.glob("nvme_*.pcapng"))


class Commands(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.runs = [(capture, traced(capture), ours(capture)) for capture in CAPTURES_WITH_TRACES]

    def test_there_are_captures(self):
        self.assertGreaterEqual(len(self.runs), 4)

    def test_each_command_of_the_trace_is_there_once(self):
        for capture, theirs, mine in self.runs:
            known = [each for each in theirs if each["operation"]]
            expected = Counter((each["queue"], each["id"], each["operation"]) for each in known)
            # Of authentication the trace names queue 0, whichever it is of.
            found = Counter((0 if row["operation"].startswith("Auth") else int(row["queue"]), int(row["id"], 0), row["operation"])
                            for row in mine)
            for command in theirs:
                if not command["operation"]:  # the trace does not name it
                    expected[command["queue"], command["id"], next(
                        (row["operation"] for row in mine if int(row["id"], 0) == command["id"] and int(row["queue"]) == command["queue"]
                         and row["operation"] not in OPERATIONS.values()), "")] += 1
            self.assertEqual(expected, found, capture.name)

    def test_places_and_statuses(self):
        for capture, theirs, mine in self.runs:
            blocks = Counter((each["id"], each["offset"], each["blocks"]) for each in theirs if "offset" in each)
            self.assertEqual(blocks, Counter((int(row["id"], 0), int(row["offset"]), int(row["blocks"])) for row in mine
                                             if row["operation"] in BLOCK_OPERATIONS))
            statuses = Counter((each["id"], each["status"] & 0x7FF, bool(each["status"] & 0x4000)) for each in theirs
                               if each["status"] is not None and each["status"] & 0x7FF not in BY_THE_HOST)
            self.assertEqual(statuses, Counter((int(row["id"], 0), int(row["status"], 0), row["do_not_retry"] == "true")
                                               for row in mine if row["status"]))

    def test_latencies(self):
        """The wire lies between the two moments that the host's kernel traced."""
        for capture, theirs, mine in self.runs:
            of_trace, of_ours = defaultdict(list), defaultdict(list)
            for each in theirs:
                if each["ended"] is not None:
                    of_trace[each["queue"], each["id"], each["operation"]].append(each["ended"] - each["issued"])
            for row in mine:
                if row["latency"]:
                    of_ours[int(row["queue"]), int(row["id"], 0), row["operation"]].append(nanoseconds(row["latency"]))
            compared = 0
            for key, latencies in of_ours.items():
                if len(of_trace[key]) != len(latencies):
                    continue
                for trace, wire in zip(sorted(of_trace[key]), sorted(latencies)):
                    self.assertLessEqual(wire, trace + 1_000_000, key)
                    compared += 1
            self.assertGreater(compared, len(mine) // 2)

    def test_rates(self):
        """What the host's kernel counted, between the first command that it issued and the last that it saw complete."""
        compared = 0
        for capture, theirs, _ in self.runs:
            ended = [each for each in theirs if each["ended"] is not None and "blocks" in each]
            for row in report_of(capture)["command_totals"]:
                # A size of the report has one number of blocks of 512 bytes and those up to twice as many.
                alike = [each for each in ended if each["operation"] == row["operation"]
                         and row["at_least"] <= 512 * each["blocks"] < 2 * row["at_least"]]
                if len(alike) != row["commands"] or row["failed"] or row["outstanding"]:
                    continue
                if len(alike) < 3:  # which say little of a rate
                    self.assertNotIn("commands_per_second", row)
                    continue
                traced_time = max(each["ended"] for each in alike) - min(each["issued"] for each in alike)
                time = row["last_over"] - row["first_issued"]
                self.assertLessEqual(time, traced_time + 1_000_000, row)  # the wire lies between
                self.assertLessEqual(traced_time - time, 100_000_000, row)
                self.assertAlmostEqual(row["commands_per_second"], len(alike) / time * 1e9, delta=0.51)
                if row["operation"] != "Write Zeroes":
                    moved = 512 * sum(each["blocks"] for each in alike)
                    self.assertAlmostEqual(row["bytes_per_second"], moved / time * 1e9, delta=0.51)
                compared += 1
        self.assertGreater(compared, 3)

    def test_parts_add_up(self):
        for _, _, mine in self.runs:
            check_parts(self, mine)

    def test_part_of_the_target(self):
        """Beside the target's own kernel, whose interrupts take some of the time."""
        for capture, _, mine in self.runs:
            compared = check_targets(self, mine, served(capture), lambda row: (int(row["queue"]), int(row["id"], 0)))
            self.assertGreater(compared, len(mine) // 2, capture.name)

    def test_data_of_each_command(self):
        """What READs and WRITEs moved is what the command names, if it succeeded and its data were not in the capsule."""
        for capture, _, mine in self.runs:
            for row in mine:
                if row["outcome"] == "succeeded" and row["operation"] in ("Read", "Write") and row["in_capsule"] == "false":
                    self.assertEqual(row["data_bytes"], row["bytes"], row)

    def test_without_the_cm(self):
        """The form of the messages shows the same commands, but for those that name the queues."""
        capture = CAPTURES / "nvme_io.pcapng"
        rows, _ = rows_of_packets(capture, "!infiniband.mad")
        count = Counter((row["operation"], row["id"], row["status"]) for row in without_events(rows))
        self.assertEqual(count, Counter((row["operation"], row["id"], row["status"]) for row in ours(capture)))

    def test_of_one_connection(self):
        """Options that narrow leave the commands of the others out, and all that is said about these."""
        capture = CAPTURES / "nvme_errors.pcapng"
        rows = ours(capture)
        for connection in {row["connection"] for row in rows}:
            report = report_of(capture, "--connection", connection)
            mine = [row for row in rows if row["connection"] == connection]
            requests = sum(row["operation"] == "Asynchronous Event Request" for row in mine)
            self.assertEqual([str(each["connection"]) for each in report["carried"]], [connection])
            self.assertEqual(sum(each["commands"] for each in report["command_totals"]
                                 if each["operation"] != "Asynchronous Event Request"), len(mine) - requests)
            self.assertEqual(sum(each["failed"] for each in report["command_totals"]), sum(row["outcome"] == "failed" for row in mine))

    def test_by_hand(self):
        capture = CAPTURES / "nvme_io.pcapng"
        self.assertEqual(ours(capture, "--decode-as", "port=4420:none"), [])
        self.assertNotEqual(ours(capture, "--decode-as", "port=4420:nvme"), [])


def findings(capture: pathlib.Path) -> dict[str, str]:
    return {each["id"]: each["what"] for each in report_of(capture)["findings"]}


class Findings(unittest.TestCase):
    def test_bad_block(self):
        found = findings(CAPTURES / "nvme_errors.pcapng")
        failed = [each for each in traced(CAPTURES / "nvme_errors.pcapng") if each["status"] and each["queue"] == 1]
        self.assertTrue(failed)
        self.assertTrue(all(each["status"] & 0x7FF == 0x006 for each in failed))
        self.assertIn("Internal Error", found["io_failed"])
        # Opcode 0xc5, and a log page that is not there
        self.assertIn("Invalid Command Opcode", found["command_refused"])
        self.assertNotIn("queue_refused", found)

    def test_refused_data_in_the_capsule(self):
        """As nvmet answers data beyond param_inline_data_size; another Write, whose data the target READs, fails as others do."""
        capture = CAPTURES / "nvme_io.pcapng"
        writes = [row for row in ours(capture) if row["operation"] == "Write"]
        for in_capsule, refused, failed in (("true", 1, 0), ("false", 0, 1)):
            answer = number(next(row["response_packet"] for row in writes if row["in_capsule"] == in_capsule))
            whole = packets.read(capture)
            packet = whole[answer - 1]
            whole[answer - 1] = packet.with_bytes({len(packet.data) - 6: (0x16 << 1 | 0x8000).to_bytes(2, "little")})
            with tempfile.TemporaryDirectory() as folder:
                changed = pathlib.Path(folder) / "changed.pcapng"
                packets.write(changed, whole)
                found = findings(changed)
            self.assertEqual(("in_capsule_refused" in found, "io_failed" in found), (refused == 1, failed == 1), found)
            self.assertEqual(found["in_capsule_refused" if refused else "io_failed"], "1 Write: SGL Offset Invalid")

    def test_refused_host(self):
        found = findings(CAPTURES / "nvme_refused.pcapng")
        self.assertIn("Connect Invalid", found["queue_refused"])
        self.assertIn("invalid service ID", found["cm_reject"])
        self.assertNotIn("io_failed", found)

    def test_refused_connect_in_words(self):
        """The fabrics have statuses of their own, and the response says which parameter is wrong: an NQN in the data (NVMe-oF 1.1a, 3.3)."""
        made = subprocess.run([PROGRAM, "dissect", "-V", "-Y", "nvme.cqe.status", CAPTURES / "nvme_refused.pcapng"], check=True, capture_output=True,
                              text=True)
        for words in ("Connect Invalid Host", "Connect Invalid Parameters"):
            self.assertRegex(made.stdout, rf"Status type and code +0x18\d +{words} ")
        offsets = re.findall(r"Offset of the invalid parameter +(\d+) .*\n +Where it is +1  in its data", made.stdout)
        self.assertEqual(offsets, ["512", "256"])  # the host's NQN, the subsystem's
        self.assertNotIn("Controller ID", made.stdout)

    def test_finding_names_commands_of_all_kinds(self):
        """Reads and a Write that failed: the first packets of all of them, in their order."""
        capture = CAPTURES / "nvme_errors.pcapng"
        failed = [row for row in ours(capture) if row["outcome"] == "failed" and row["queue"] != "0"]
        self.assertEqual({row["operation"] for row in failed}, {"Read", "Write"})
        packets = sorted(number(row["response_packet"]) for row in failed)
        found = next(each for each in report_of(capture)["findings"] if each["id"] == "io_failed")
        self.assertEqual(found["packets"], packets[:4])

    def test_one_way_knows_nothing_of_the_queue(self):
        """Without the target's responses nobody knows how many commands are outstanding at once."""
        for name in ("nvme_network-delay", "nvme_network-loss", "nvme_slow"):
            with left_of(named(name), "ip.src == 192.168.2.25") as part:
                report = report_of(part)
            self.assertNotIn("queue_full", [each["id"] for each in report["findings"]], name)
            self.assertEqual({each.get("most_outstanding") for each in report["carried"]}, {None}, name)

    def test_decoding_a_connection_that_is_not_there_is_said(self):
        """It may be in a later capture, or behind the packets that were read: so that is no error."""
        for number in (2, 9):
            made = subprocess.run([PROGRAM, "analyze", "--decode-as", f"connection={number}:nvme", CAPTURES / "nvme_io.pcapng"],
                                  check=True, capture_output=True, text=True)
            self.assertEqual("is no connection 9" in made.stderr, number == 9)

    def test_ports_of_others(self):
        """rping at the ports of storage protocols: its messages say that it is none of these."""
        capture = CAPTURES / "rping.pcapng"
        port = next(each["service"] for each in report_of(capture)["handshakes"])
        with tempfile.TemporaryDirectory() as folder:
            changed = pathlib.Path(folder) / "changed.pcapng"
            for number in (4420, 20049, 3260, 445, 18634):
                service = lambda port: b"\x00\x00\x00\x00\x01\x06" + port.to_bytes(2, "big")
                data = capture.read_bytes()
                self.assertIn(service(7174), data, port)
                changed.write_bytes(data.replace(service(7174), service(number)))
                report = report_of(changed, "--no-icrc")
                self.assertEqual([each["outcome"] for each in report["handshakes"]], ["established"])
                self.assertEqual(report.get("carried", []), [], number)

    def test_slow_target(self):
        """dm-delay holds reads for 30 ms and writes for 60 ms."""
        found = findings(CAPTURES / "nvme_slow.pcapng")
        self.assertIn("slow_target", found)
        self.assertNotIn("commands_resent", found)
        for row in ours(CAPTURES / "nvme_slow.pcapng"):
            least = {"Read": 29_000_000, "Write": 59_000_000}.get(row["operation"], 0)
            if row["latency"]:
                self.assertGreaterEqual(nanoseconds(row["target_time"]), least, row)

    def test_slow_network(self):
        """It delays all that the target sends by 30 ms, or loses 8 % of it: then each lost response takes 2 s more."""
        for name in ("nvme_network-delay.pcapng", "nvme_network-loss.pcapng"):
            self.assertNotIn("slow_target", findings(CAPTURES / name), name)
        lossy = findings(CAPTURES / "nvme_network-loss.pcapng")
        self.assertIn("commands_resent", lossy)
        # Responses that were lost came again after the target's ACK timeout of 2.15 s: no packet says that they were sent before.
        unknown = [nanoseconds(row["unknown"]) for row in ours(CAPTURES / "nvme_network-loss.pcapng") if row["latency"]]
        self.assertGreater(max(unknown), 1_000_000_000)
        delayed = [row for row in ours(CAPTURES / "nvme_network-delay.pcapng") if row["latency"]]
        for row in delayed:
            self.assertGreaterEqual(nanoseconds(row["request"]), 29_000_000, row)
            # A READ fetched the data of the Write of 32 KiB: they had the same way to go, and the response after them.
            self.assertLess(nanoseconds(row["target_time"]), 15_000_000, row)
        self.assertRegex(findings(CAPTURES / "nvme_network-delay.pcapng")["slow_network"], "^p99 of 69 commands is .* target, 39")
        for name in ("nvme_network-loss.pcapng", "nvme_slow.pcapng", "nvme_io.pcapng"):
            self.assertNotIn("slow_network", findings(CAPTURES / name), name)

    def test_ack_that_was_lost(self):
        """Then the next one comes when the command is over: it says nothing of where the time went."""
        late = 0
        for name in ("nvme_network-loss", "iser_network", "srp_network"):
            for row in ours(CAPTURES / f"{name}.pcapng"):
                if not row["latency"] or not row["acknowledged"]: continue
                sign = min(number(row[each]) for each in ("first_data", "completed") if row[each])
                if number(row["acknowledged"]) <= sign: continue
                late += 1
                self.assertEqual((row["request"], number(row["unknown"]) > 0), ("0", True), row)
        self.assertGreater(late, 3)

    def test_target_that_stops(self):
        """Its disk answers nothing for 8 s; the host gives up after 2 s."""
        capture = CAPTURES / "nvme_stops.pcapng"
        found = findings(capture)
        self.assertIn("commands_unanswered", found)
        self.assertRegex(found["commands_unanswered"], "the oldest waited for [23]\\.\\d+ s, until the host disconnected")
        for name in ("nvme_io.pcapng", "nvme_slow.pcapng", "nvme_errors.pcapng", "nvme_network-loss.pcapng"):
            self.assertNotIn("commands_unanswered", findings(CAPTURES / name), name)

    def test_target_that_stops_until_the_end(self):
        """The same without what the host did when it gave up, and with the last packet of both so much later."""
        fields = subprocess.run(["tshark", "-n", "-r", CAPTURES / "nvme_stops.pcapng", "-Y", "infiniband.mad.attributeid == 0x15", "-T", "fields",
                                 "-e", "frame.number"], check=True, capture_output=True, text=True).stdout.split()
        with tempfile.TemporaryDirectory() as folder:
            whole, cut = pathlib.Path(folder) / "whole.pcap", pathlib.Path(folder) / "cut.pcap"
            subprocess.run(["editcap", "-F", "nsecpcap", CAPTURES / "nvme_stops.pcapng", whole], check=True)
            link_type, magic, frames = read_pcap(whole)
            frames = frames[:int(fields[0]) - 1]
            self.assertEqual(frames[-1].data[36:38], (4791).to_bytes(2, "big"))
            for later, is_said in ((5, False), (30, True)):
                last = dataclasses.replace(frames[-1], seconds=frames[-1].seconds + later)
                write_pcap(cut, link_type, [*frames[:-1], last], magic)
                found = findings(cut)
                self.assertEqual("commands_unanswered" in found, is_said, found)
            self.assertRegex(found["commands_unanswered"], "the oldest waited for 3\\d\\.\\d s, until the last packet of both hosts")

    def test_authentication(self):
        """Its secrets are nowhere: what the messages carry is not shown, only that they are of it."""
        capture = CAPTURES / "nvme_auth.pcapng"
        names = Counter(row["operation"] for row in ours(capture) if row["operation"].startswith("Authentication"))
        self.assertEqual(names, Counter(each["operation"] for each in traced(capture) if "Auth" in (each["operation"] or "")))
        self.assertEqual(set(names), {"Authentication Send", "Authentication Receive"})

    def test_authentication_that_fails(self):
        """One side has another key: AUTH_Failure1 of the target, or AUTH_Failure2 of the host."""
        for wrong, operation in (("host", "Authentication Receive (AUTH_Failure1)"), ("target", "Authentication Send (AUTH_Failure2)")):
            found = findings(CAPTURES / f"nvme_auth_refused-{wrong}.pcapng")
            self.assertEqual(found.get("queue_refused"), f"1 {operation}: Authentication failed")
            self.assertNotIn("command_refused", found)
        self.assertNotIn("queue_refused", findings(CAPTURES / "nvme_auth.pcapng"))

    def test_healthy_runs_have_none(self):
        for name in ("nvme_io.pcapng", "nvme.pcapng", "nvme_auth.pcapng"):
            found = findings(CAPTURES / name)
            for each in ("io_failed", "queue_refused", "commands_resent", "slow_target"):
                self.assertNotIn(each, found, name)


if __name__ == "__main__":
    unittest.main()
