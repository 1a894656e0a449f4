#!/usr/bin/env python3
"""Commands of SRP in `analyze --csv`, beside what the kernels of both machines traced while the capture was made, and beside what the bytes
of the messages say by the structures of Linux (include/scsi/srp.h): tshark decodes no SRP."""
import pathlib
import re
import struct
import subprocess
import unittest
from collections import Counter

import command_rows
from command_rows import PROGRAM, check_parts, check_targets, cut, named, report_of, rows_of, rows_of_packets
from scsi_traces import answered, blocks, dispatched_again, events, facts_of, issued, latencies, of_scsi, served

CAPTURES = sorted(command_rows.CAPTURES.glob("srp_*.pcapng"))
WITH_COMMANDS = [capture for capture in CAPTURES if capture.stem != "srp_refused"]
TASKS = ("Abort Task", "Logical Unit Reset")


class Commands(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.runs = [(capture, rows_of(capture)) for capture in WITH_COMMANDS]

    def test_there_are_captures(self):
        self.assertGreaterEqual(len(self.runs), 3)

    def test_each_command_of_the_target_is_there_once(self):
        """Some the target answers itself before it starts them, a unit attention for one."""
        for capture, mine in self.runs:
            found = Counter((int(row["id"], 0), int(row["bytes"]), int(row["opcode"], 0) & 0xFF) for row in of_scsi(mine))
            self.assertEqual(issued(capture) - found, Counter(), capture.name)
            statuses = {int(row["id"], 0): row["status_name"] for row in of_scsi(mine) if row["outcome"] == "failed"}
            for (tag, _, operation), count in (found - issued(capture)).items():
                self.assertEqual((operation, count), (0, 1), capture.name)
                self.assertIn("Reset Function Occurred", statuses[tag])

    def test_statuses(self):
        for capture, mine in self.runs:
            found = Counter((int(row["id"], 0), int(row["status"], 0)) for row in of_scsi(mine) if row["status"])
            theirs = answered(capture)
            self.assertEqual(found - theirs, Counter(), capture.name)
            for tag, _ in theirs - found:  # it ended what was aborted
                row = next(row for row in mine if int(row["id"], 0) == tag)
                self.assertEqual((capture.name, row["outcome"]), ("srp_abort.pcapng", "outstanding"))

    def test_blocks_of_the_initiator(self):
        for capture, mine in self.runs:
            self.assertEqual(blocks(capture), Counter((row["operation"], int(row["offset"]), int(row["blocks"])) for row in mine
                                                      if re.match(r"(Read|Write)\(", row["operation"])), capture.name)

    def test_statistics_of_the_disk(self):
        """/sys/block/sda/stat of both logins: requests and sectors of 512 bytes that were read and written. WRITE SAME counts as a write."""
        mine = rows_of(named("srp_io"))
        for connection, event in enumerate(events(named("srp_io"), "tracing_mark_write"), 1):
            statistics = [int(word) for word in event["text"].split()[1:]]
            rows = [row for row in mine if row["connection"] == str(connection) and row["outcome"] == "succeeded"]
            for prefix, (requests, _, sectors) in (("Read(", statistics[:3]), ("Write", statistics[4:7])):
                done = [row for row in rows if row["operation"].startswith(prefix)]
                self.assertEqual((len(done), sum(int(row["blocks"]) for row in done)), (requests, sectors), (connection, prefix))

    def test_data_of_each_command(self):
        """What READs and WRITEs moved is what the command names, if it succeeded and its data did not come with it."""
        compared, immediate = 0, 0
        for capture, mine in self.runs:
            for row in mine:
                if row["outcome"] == "succeeded" and re.match(r"(Read|Write)\(", row["operation"]):
                    self.assertEqual(row["data_bytes"] or "0", "0" if row["in_capsule"] == "true" else row["bytes"], row)
                    self.assertEqual(int(row["bytes"]), 512 * int(row["blocks"]), row)
                    compared, immediate = compared + 1, immediate + (row["in_capsule"] == "true" and capture.stem == "srp_io")
        self.assertGreater(compared, 30)
        self.assertEqual(immediate, 8)

    def test_latencies(self):
        """The wire lies between the two moments that the initiator's kernel traced."""
        compared = 0
        for capture, mine in self.runs:
            theirs = latencies(capture)
            for row in mine:
                name = re.match(r"(Read|Write)\((\d+)\)", row["operation"])
                key = (f"{name[1].upper()}_{name[2]}", int(row["offset"])) if name else None
                if key in theirs and len(theirs[key]) == 1 and row["latency"]:
                    self.assertLessEqual(int(row["latency"]), theirs[key][0] + 1_000_000, row)
                    if capture.stem == "srp_network":  # what is lost, or comes behind what is lost, comes again
                        self.assertGreaterEqual(int(row["latency"]), theirs[key][0] - 100_000_000, row)
                    compared += 1
        self.assertGreater(compared, 30)

    def test_parts_add_up(self):
        for _, mine in self.runs:
            check_parts(self, mine)

    def test_part_of_the_target(self):
        for capture, mine in self.runs:
            compared = check_targets(self, of_scsi(mine), served(capture), lambda row: int(row["id"], 0))
            if capture.stem == "srp_network":
                self.assertGreater(compared, len(of_scsi(mine)) // 2)

    def test_how_it_is_known(self):
        for capture, _ in self.runs:
            for each in report_of(capture)["carried"]:
                self.assertEqual((each["protocol"], each["known_by"], each["unreadable"]), ("SRP", "messages", 0))
                self.assertEqual(each["depth"], 128)
                self.assertEqual(each["target_name"], "0x505400fffe123424505400fffe123424")  # as the scenario sets it up
                self.assertTrue(each["initiator_name"].endswith("505400fffe123425"), each)

    def test_without_the_cm(self):
        """The form of the messages shows the same commands."""
        rows, carried = rows_of_packets(named("srp_io"), "!infiniband.mad")
        self.assertEqual({(each["protocol"], each["known_by"]) for each in carried}, {("SRP", "shape")})
        self.assertEqual(facts_of(rows), facts_of(rows_of(named("srp_io"))))

    def test_one_direction(self):
        """Commands without their responses are outstanding, responses without their commands are unseen."""
        for way, outcome in (("ip.src == 192.168.2.25", "outstanding"), ("ip.src == 192.168.2.24", "unseen")):
            rows, _ = rows_of_packets(named("srp_io"), f"{way} && !infiniband.mad")
            self.assertGreater(len(rows), 30)
            self.assertEqual({row["outcome"] for row in rows}, {outcome})

    def test_by_hand(self):
        capture = named("srp_io")
        self.assertEqual(rows_of(capture, "--decode-as", "port=5555:none"), [])
        self.assertEqual(len(rows_of(capture, "--decode-as", "port=5555:srp")), len(rows_of(capture)))

    def test_cut_captures(self):
        """What stands in the first bytes of each packet is right, and nothing else is said. With 90 there are 36 of each message, in which are
        the tag, the operation code and no sense data: why a command failed is not known. With 96 there are the whole CDB of ten bytes and the
        sense key; with 128 direct descriptors."""
        for name in ("srp_io", "srp_errors"):
            capture = named(name)
            whole = {row["request_packet"]: row for row in of_scsi(rows_of(capture))}
            for length in (90, 96, 128):
                with cut(capture, length) as short:
                    rows, report = rows_of(short), report_of(short)
                self.assertEqual({each["protocol"] for each in report["carried"]}, {"SRP"})
                self.assertEqual(len(of_scsi(rows)), len(whole))
                for row in of_scsi(rows):
                    right = whole[row["request_packet"]]
                    for column in ("operation", "bytes", "offset", "blocks", "target", "id"):
                        same = column == "operation" and right["operation"].startswith(("Read(", "Write("))
                        self.assertIn(row[column], (right[column],) if same else ("", "0", right[column]), (length, row))
                    if right["outcome"] == "failed":
                        self.assertEqual(row["outcome"], "failed")
                        known = {90: "sense not captured", 96: f"{right['detail']}, code not captured"}
                        self.assertEqual(row["detail"], known.get(length, right["detail"]), row)
                self.assertEqual("io_failed" in {each["id"] for each in report["findings"]}, name == "srp_errors" and length > 90)


def fields(capture: pathlib.Path, program: list, names: list[str], display_filter: str) -> dict[str, list[str]]:
    """By number of the frame."""
    columns = [word for name in ("frame.number", *names) for word in ("-e", name)]
    run = subprocess.run([*program, "-T", "fields", "-E", "separator=|", "-E", "occurrence=a", "-Y", display_filter, *columns, *(["-r"] if program[0] == "tshark" else []),
                          capture], check=True, capture_output=True, text=True)
    return {row[0]: row[1:] for row in (line.split("|") for line in run.stdout.splitlines())}


def number(text: str) -> int:
    return int({"True": "1", "False": "0"}.get(text, text), 0)


class Witness(unittest.TestCase):
    """The structures of include/scsi/srp.h, read here by themselves, of messages of one packet as tshark shows their bytes."""
    COMMAND, RESPONSE, TASK = ">BB3xBBBQ4xQxBxB", ">BB2xiQ2xBBIIII", ">BB6xQ4xQ2xBxQ8x"
    MINE = {0x02: ("opcode", None, "formats", "cmd.out_count", "cmd.in_count", "tag", "lun", "cmd.attr", "cmd.more_cdb"),
            0xC1: ("opcode", "solnt", "req_lim_delta", "tag", None, "rsp.status", "rsp.out_residual", "rsp.in_residual", "rsp.sense_len", "rsp.rsp_len"),
            0x01: ("opcode", None, "tag", "lun", "task.function", "task.task_tag")}

    def test_information_units(self):
        names = [f"rocescope.srp.{name}" for name in sorted({each for row in self.MINE.values() for each in row if each and each not in ("formats", "lun")})]
        names += ["rocescope.srp.cmd.out_format", "rocescope.srp.cmd.in_format", "rocescope.scsi.lun", "rocescope.srp.desc.va", "rocescope.srp.desc.key",
                  "rocescope.srp.desc.len", "rocescope.srp.table.va", "rocescope.srp.table.total", "rocescope.srp.imm.len", "rocescope.srp.rsp_data.code"]
        compared: Counter = Counter()
        for capture in WITH_COMMANDS:
            payloads = fields(capture, ["tshark", "-n", "--disable-protocol", "rpcordma"],
                              ["infiniband.payload", "data.data", "infiniband.bth.destqp", "infiniband.bth.psn"], "infiniband.bth.opcode == 4")
            mine = fields(capture, [PROGRAM, "dissect", "-q"], names, "rocescope.srp.opcode")
            seen = set()
            for frame, (payload, data, *packet) in payloads.items():
                if tuple(packet) in seen:  # it came again
                    continue
                seen.add(tuple(packet))
                unit = bytes.fromhex((payload or data).replace(":", "").split(",")[0])
                layout = {0x02: self.COMMAND, 0xC1: self.RESPONSE, 0x01: self.TASK}[unit[0]]
                values = dict(zip(names, mine[frame]))
                for name, value in zip(self.MINE[unit[0]], struct.unpack_from(layout, unit)):
                    if name == "formats":
                        theirs = [value >> 4, value & 15]
                        self.assertEqual([number(values["rocescope.srp.cmd.out_format"]), number(values["rocescope.srp.cmd.in_format"])], theirs)
                    elif name:
                        text = values["rocescope.scsi.lun" if name == "lun" else f"rocescope.srp.{name}"]
                        self.assertEqual(number(text), value, (capture.name, frame, name))
                        compared[name] += 1
                compared += self.check_buffers(unit, values)
        self.assertEqual(compared["direct"] > 30 and compared["table"], 4)
        self.assertGreater(compared["rsp_data"], 2)
        self.assertGreater(sum(compared.values()), 900)

    def check_buffers(self, unit: bytes, values: dict[str, str]) -> Counter:
        if unit[0] == 0xC1 and unit[18] & 1:
            self.assertEqual(number(values["rocescope.srp.rsp_data.code"]), unit[36 + 3])
            return Counter(rsp_data=1)
        formats = {unit[5] >> 4, unit[5] & 15} - {0} if unit[0] == 0x02 else set()
        at = 48 + 4 * (unit[31] >> 2) if formats else 0
        descriptors = [[number(each) for each in values[f"rocescope.srp.desc.{name}"].split(",")] for name in ("va", "key", "len")] if formats - {3} else []
        if formats == {1}:
            self.assertEqual([each[0] for each in descriptors], list(struct.unpack_from(">QII", unit, at)))
            return Counter(direct=1)
        if formats == {2}:
            count = unit[6] + unit[7]
            address, _, size, total = struct.unpack_from(">QIII", unit, at)
            self.assertEqual((number(values["rocescope.srp.table.va"]), number(values["rocescope.srp.table.total"]), size), (address, total, 16 * count))
            theirs = [struct.unpack_from(">QII", unit, at + 20 + 16 * i) for i in range(count)]
            self.assertEqual(list(zip(*descriptors)), theirs)
            self.assertEqual(sum(length for _, _, length in theirs), total)
            return Counter(table=1)
        if formats == {3}:
            self.assertEqual(number(values["rocescope.srp.imm.len"]), struct.unpack_from(">I", unit, at)[0])
        return Counter()

    def test_logins(self):
        """Private data of the CM, of which tshark shows the bytes."""
        names = [f"rocescope.srp.login.{name}" for name in ("tag", "formats", "opcode", "it_iu_len", "initiator_port", "target_port", "imm_offset", "ti_iu_len",
                                                            "req_lim_delta", "reason")]
        kinds: Counter = Counter()
        for capture in CAPTURES:
            raw = fields(capture, ["tshark", "-n"], ["infiniband.cm.req.ip_cm.private", "infiniband.cm.rep.private", "infiniband.cm.rej.private"],
                         "infiniband.mad.attributeid in {0x10, 0x12, 0x13}")
            mine = fields(capture, [PROGRAM, "dissect", "-q"], names, "rocescope.srp.login.opcode")
            for frame, (req, rep, rej) in raw.items():
                data = bytes.fromhex((req or rep or rej).replace(":", ""))
                if rej and data[0] != 0xC2:  # of the CM itself: nobody listens there
                    self.assertNotIn(frame, mine)
                    continue
                tag, formats, opcode, it_length, initiator, target, offset, ti_length, credits, reason = mine[frame]
                if req:
                    theirs = struct.unpack(">QHBBI16s16sH6x", data)
                    self.assertEqual((number(tag), number(formats) << 1, number(opcode), number(it_length), bytes.fromhex(initiator.replace(":", "")),
                                      bytes.fromhex(target.replace(":", "")), number(offset)), (*theirs[:2], *theirs[3:]))
                elif rep:
                    theirs = struct.unpack_from(">B3xiQIIHB25x", data)
                    self.assertEqual((number(opcode), number(credits), number(tag), number(it_length), number(ti_length), number(formats) << 1), theirs[:6])
                else:
                    self.assertEqual((number(opcode), number(reason), number(tag), number(formats) << 1), struct.unpack_from(">B3xIQ8xH6x", data))
                kinds["REQ" if req else "REP" if rep else "REJ"] += 1
        self.assertEqual(kinds, {"REQ": 9, "REP": 6, "REJ": 2})


def findings(capture: pathlib.Path) -> dict[str, str]:
    found: dict[str, str] = {}
    for each in report_of(capture)["findings"]:
        found[each["id"]] = f'{found.get(each["id"], "")} {each["what"]}'
    return found


class Findings(unittest.TestCase):
    OF_COMMANDS = ("io_failed", "queue_refused", "commands_resent", "slow_target", "commands_aborted", "cm_reject")

    def test_bad_block(self):
        found = findings(named("srp_errors"))
        self.assertIn("Read(10)", found["io_failed"])
        self.assertIn("Write(10)", found["io_failed"])
        self.assertIn("Logical Unit Communication Failure", found["io_failed"])

    def test_refused_logins(self):
        """The target's kernel logs why; who is not in its ACL gets the reason of too many channels."""
        found = findings(named("srp_refused"))
        self.assertIn("SRP says limit of channels reached", found["cm_reject"])
        self.assertIn("SRP says unable to associate the channel with an I_T nexus", found["cm_reject"])
        self.assertIn("invalid service ID", found["cm_reject"])
        self.assertEqual(len(events(named("srp_refused"), "tracing_mark_write")), 2)

    def test_aborted(self):
        rows = rows_of(named("srp_abort"))
        counts = Counter(row["operation"] for row in rows if row["operation"] in TASKS)
        self.assertEqual(counts, {"Abort Task": 1, "Logical Unit Reset": 2})
        self.assertIn("1 Abort Task, 2 Logical Unit Reset", findings(named("srp_abort"))["commands_aborted"])
        self.assertEqual([row["detail"] for row in rows if row["operation"] == "Read(10)" and row["outcome"] == "outstanding"].count("Abort Task"), 1)
        self.assertIn("1 Abort Task, 1 Logical Unit Reset", findings(named("iser_abort"))["commands_aborted"])

    def test_issued_again(self):
        for capture in CAPTURES + [named("iser_abort"), named("iser_errors"), named("iser_io")]:
            found = [each["count"] for each in report_of(capture)["findings"] if each["id"] == "commands_retried"]
            self.assertEqual(sum(found), dispatched_again(capture), capture.name)
        self.assertIn("2 Read(10) after no response", findings(named("srp_abort"))["commands_retried"])

    def test_slow_network(self):
        """It loses 8 % of what the target sends: a response that is lost comes again after the target's ACK timeout of 2.15 s."""
        found = findings(named("srp_network"))
        self.assertIn("commands_resent", found)
        self.assertNotIn("slow_target", found)
        self.assertGreater(max(int(row["latency"]) for row in rows_of(named("srp_network")) if row["latency"]), 1_000_000_000)

    def test_healthy_runs_have_none(self):
        for each in self.OF_COMMANDS:
            self.assertNotIn(each, findings(named("srp_io")), each)


if __name__ == "__main__":
    unittest.main()
