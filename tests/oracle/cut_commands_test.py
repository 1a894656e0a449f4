#!/usr/bin/env python3
"""Commands of captures that are cut, as `tcpdump -s 96` cuts them, beside those of the whole captures, which other tests compare with tshark and with
what the lab's kernels and programs said: what is reported of a command is right, and what was cut off is unknown, not 0. First argument: the
program."""
import contextlib
import json
import pathlib
import re
import subprocess
import sys
import unittest
from collections import Counter

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

from command_rows import CAPTURES, PROGRAM, cut, left_of, named, report_of, rows_of

PROTOCOLS = ("iser", "nfs", "nvme", "rds", "rnbd", "rsockets", "smb", "srp")
# Who is side 0, what it is called and how it is numbered depend on the CM, which is cut off as well.
COMPARED = ("id", "opcode", "operation", "detail", "target", "offset", "blocks", "bytes", "in_capsule", "status", "status_name", "do_not_retry",
            "issued", "acknowledged", "completed", "first_data", "last_data", "data_bytes", "resent", "latency", "resend", "file")
CHECK_CONDITION = 2
# Names of an operation whose code, or service action, was cut off.
WITHOUT_OPCODE = {"COMPOUND", "SCSI Command", "Command", "Service Action In(16)", "Maintenance In"}
# Findings on commands that would accuse somebody, or advise something.
BLAMES = {"slow_target", "commands_unanswered", "io_failed", "command_refused", "queue_refused", "queue_full", "keep_alive_late", "commands_resent",
          "commands_aborted", "commands_retried", "small_io", "unaligned_io", "in_capsule_unused", "in_capsule_refused"}


def captures() -> list[str]:
    return sorted(path.stem for path in CAPTURES.glob("*.pcapng") if path.stem.startswith(PROTOCOLS))


def key_of(row: dict) -> tuple:
    return row["protocol"], row["request_packet"], row["response_packet"], row["id"]


def is_right(row: dict, right: dict, column: str) -> bool:
    """Whether the row has the true value of the column, or none."""
    said, true = row[column], right[column]
    if said in ("", true):
        return True
    if (row["protocol"], column, said, row["opcode"]) == ("RTRS/RNBD", "detail", "not captured", ""):
        return True
    if row["status"] and column in ("status", "status_name", "detail"):
        # Of sense data the capture may have nothing, or no more than the key.
        short, whole = int(row["status"], 0), int(right["status"], 0)
        return row["protocol"] in ("iSER", "SRP") and short & 0xFF == CHECK_CONDITION and short == whole & (0xFF if short < 0x100 else 0xFF0000FF) and (
            column != "detail" or said in ("sense not captured", f"{true}, code not captured"))
    # Which operation it is about stands behind others.
    return column == "operation" and row["opcode"] == "" and said in WITHOUT_OPCODE


class OfCutCaptures(unittest.TestCase):
    def test_what_is_said_of_commands(self):
        compared = Counter()
        for name in captures():
            whole = {key_of(row): row for row in rows_of(named(name))}
            blames = {each["id"] for each in report_of(named(name))["findings"]}
            for length in (80, 96, 103, 112, 115, 128, 160, 200, 240):
                with cut(named(name), length) as short:
                    rows, report = rows_of(short), report_of(short)
                self.assertLessEqual(BLAMES & {each["id"] for each in report["findings"]}, blames, (name, length))
                for row in rows:
                    right = whole.get(key_of(row))
                    if right is None:
                        # Commands of SMB stand in one message, and so do their responses: either may be cut off by itself. A response that comes
                        # before anything shows of which connection it is has no command.
                        is_first = name == "iser_network" and row["operation"] in ("", "Login") and row["outcome"] in ("unseen", "outstanding")
                        self.assertTrue(is_first or (row["protocol"], row["outcome"]) in (("SMB Direct", "unseen"), ("SMB Direct", "no_status")),
                                        (name, length, row))
                        continue
                    wrong = {column: (row[column], right[column]) for column in COMPARED if not is_right(row, right, column)}
                    self.assertEqual(wrong, {}, (name, length, row))
                    self.assertIn(row["outcome"], (right["outcome"], "no_status", "outstanding" if row["protocol"] == "SMB Direct" else "unseen"))
                    if row["target_time"]:
                        self.assertLessEqual(int(row["target_time"]), int(right["target_time"]), (name, length, row))
                    compared[row["protocol"]] += 1
        self.assertGreater(min(compared.values()), 100)
        self.assertEqual(len(compared), len(PROTOCOLS), compared)

    def test_sizes_that_are_cut_off(self):
        """With 96 bytes SRP has the CDB, and no descriptor: how many bytes a command names stands there. So it does in totals."""
        whole = {key_of(row): row for row in rows_of(named("srp_io"))}
        with cut(named("srp_io"), 96) as short:
            rows, report = rows_of(short), report_of(short)
            text = subprocess.run([PROGRAM, "analyze", short], check=True, capture_output=True, text=True).stdout
        self.assertEqual(len(rows), len(whole))
        for row in rows:
            self.assertEqual(row["bytes"], "" if int(whole[key_of(row)]["bytes"]) > 0 else "0", row)
        totals = {row["operation"]: row for row in report["command_totals"]}
        self.assertEqual(len(totals), len(report["command_totals"]))
        for operation, row in totals.items():
            self.assertEqual("at_least" in row, operation == "Test Unit Ready", row)
            self.assertEqual("bytes" in row, operation == "Test Unit Ready", row)
            self.assertNotIn("bytes_per_second", row)
        self.assertRegex(text, r"Read\(10\) +unknown +16")

    def test_data_of_which_the_place_is_cut_off(self):
        """Which READs and WRITEs move them is not known then, nor whether those came again, and how long they and the target took."""
        of_data = ("first_data", "last_data", "data_bytes", "resent", "data", "resend", "target_time", "in_capsule")
        for name, length in (("srp_io", 96), ("nfs_io-41", 96), ("rnbd_io", 96), ("smb_io", 150)):
            whole = {key_of(row): row for row in rows_of(named(name))}
            with cut(named(name), length) as short:
                rows, report = rows_of(short), report_of(short)
                text = subprocess.run([PROGRAM, "analyze", "-v", short], check=True, capture_output=True, text=True).stdout
            moved = [row for row in rows if int(whole[key_of(row)]["data_bytes"] or 0) > 0]
            without = [row for row in rows if row["resent"] == ""]
            self.assertGreater(len(without), 10, name)
            self.assertEqual([row for row in moved if row not in without], [], name)
            for row in without:
                self.assertEqual([row[column] for column in of_data], [""] * len(of_data), (name, row))
                if row["latency"]:
                    self.assertEqual(sum(int(row[part]) for part in ("request", "unknown")), int(row["latency"]), (name, row))
            # What has no data has no place of them.
            if name == "srp_io":
                self.assertEqual([row for row in without if row["bytes"] == "0"], [])
            for row in rows:
                if whole[key_of(row)]["target_time"] and row not in without:
                    self.assertNotEqual(row["target_time"], "", (name, row))
            for row in report["command_totals"]:
                rows_of_it = [each for each in rows if each["operation"] == row["operation"]]
                if all(each in without for each in rows_of_it):
                    self.assertFalse({"resent", "at_p99_resent", "target_p50", "network_p50"} & row.keys(), (name, row))
                    self.assertFalse({"data", "resend", "target"} & row.get("at_p99", {}).keys(), (name, row))
            self.assertRegex(text, r" request, [^|]* unknown", name)
            self.assertNotIn(" 0 s target", text, name)

    def test_totals_of_which_the_place_is_cut_off(self):
        """What was sent again is known of some, and so rows of totals say how much at least: of the whole capture it is no less. Of those whose reason
        is not known, findings say "at least"."""
        def resent_in(report: dict) -> dict:
            sums = Counter()
            for row in report["command_totals"]:
                sums[row["operation"]] += row.get("resent", 0) + row.get("resent_at_least", 0)
            return sums
        for name, length in (("srp_network", 96), ("nfs_network-41", 96)):
            with cut(named(name), length) as short:
                report = report_of(short)
                text = subprocess.run([PROGRAM, "analyze", short], check=True, capture_output=True, text=True).stdout
            known = [f"{row['resent_at_least']}+" if "resent_at_least" in row else str(row["resent"]) for row in report["command_totals"]
                     if row.get("resent") or "resent_at_least" in row]
            self.assertTrue(any("+" in each for each in known), name)
            self.assertFalse([row for row in report["command_totals"] if "resent" in row and "resent_at_least" in row])
            least, whole = resent_in(report), resent_in(report_of(named(name)))
            self.assertLessEqual(sum(least.values()), sum(whole.values()), name)
            for operation in least.keys() & whole.keys():
                self.assertLessEqual(least[operation], whole[operation], (name, operation))
            table = text[text.index("Commands by operation"):].split("\n\n")[0].splitlines()[1:]
            end = table[0].find(" resent ") + len(" resent")
            cells = [line[end - len(" resent"):end].strip() for line in table[1:]] if " resent " in table[0] else []
            self.assertEqual([cell for cell in cells if cell], known, name)
            for finding in report["findings"]:
                if finding["id"] in ("commands_resent", "slow_target", "slow_network"):
                    self.assertEqual(finding["strength"], "at_least", (name, finding))
                    self.assertNotIn("at least 0", finding["what"])

    def test_responses_whose_identifier_is_cut_off(self):
        """A SEND that invalidates has four bytes more before the message than the request. Of iSER the R_Key says whose response it is, of SMB the
        half of the Message ID that is left."""
        outcomes = lambda rows: Counter((row["request_packet"], row["response_packet"], row["outcome"], row["status"]) for row in rows if row["operation"] != "Login")
        for name, lengths in (("iser_io", range(102, 106)), ("iser_errors", (102, 105)), ("smb_io", range(110, 114)), ("smb_errors", (110, 113))):
            with cut(named(name), lengths[-1] + 1) as short:
                right, unreadable = outcomes(rows_of(short)), report_of(short)["carried"][0]["unreadable"]
            self.assertNotIn("outstanding", {outcome for _, _, outcome, _ in right})
            for length in lengths:
                with cut(named(name), length) as short:
                    self.assertEqual(outcomes(rows_of(short)), right, (name, length))
                    self.assertEqual(report_of(short)["carried"][0]["unreadable"], unreadable, (name, length))

    def test_labels_of_responses_whose_tag_is_cut_off(self):
        """In a ladder each has its own, from when on it is known what the connection carries; tshark knows which packets of the whole capture are
        responses. With 96 bytes no packet has a tag."""
        fields = ("-Y", "iscsi.opcode == 0x21", "-T", "fields", "-e", "frame.number", "-e", "iscsi.initiatortasktag")
        shown = subprocess.run(["tshark", "-r", named("iser_io"), *fields], check=True, capture_output=True, text=True).stdout
        tags = {int(frame): tag for frame, tag in map(str.split, shown.splitlines())}
        for length in (96, 102, 103, 105, 106):
            with cut(named("iser_io"), length) as short:
                ladder = subprocess.run([PROGRAM, "flow", "--connection", "2", short], check=True, capture_output=True, text=True).stdout
            events = dict(re.findall(r"^[ !]+(\d+) +\d+\.\d+ (.*(?:\n {20,}\|.*)*)", ladder, re.MULTILINE))
            known_from = min(int(frame) for frame, event in events.items() if "iSCSI" in event)
            responses = {frame: tag for frame, tag in tags.items() if frame >= known_from}
            self.assertGreater(len(responses), 20)
            for frame, tag in responses.items():
                event = events[str(frame)]
                is_cut = length < (106 if "Invalidate" in event else 102)
                self.assertIn(f"iSCSI SCSI Response{', tag not captured' if is_cut else f' to {tag}'}", event, (length, frame))

    def test_operations_that_are_cut_off(self):
        """The CDB of SCSI is behind the tag: its operation code by itself, and without its service action, are no opcode of another command."""
        with_action = {"Read Capacity(16)", "Report Supported Operation Codes"}
        # 114 bytes of iSER end before the CDB, and 86 of SRP, where nothing but the user says what it is.
        for name, begin, options in (("iser_io", 114, ()), ("srp_io", 86, ("--decode-as", "connection=2:srp"))):
            whole = {(row["connection"], row["request_packet"]): row for row in rows_of(named(name)) if not row["opcode"].startswith("0x0000000000008")}
            for length in (begin - 2, begin, begin + 1, begin + 2):
                with cut(named(name), length) as short:
                    rows = [row for row in rows_of(short, *options) if (row["connection"], row["request_packet"]) in whole]
                self.assertGreater(len(rows), 20, (name, length))
                self.assertTrue(with_action & {whole[row["connection"], row["request_packet"]]["operation"] for row in rows})
                for row in rows:
                    right = whole[row["connection"], row["request_packet"]]
                    is_known = length > begin + (right["operation"] in with_action)
                    self.assertEqual(row["opcode"], right["opcode"] if is_known else "", (name, length, row))

    def test_what_a_reply_says_of_a_call_that_is_cut(self):
        """With 128 bytes an accepted reply shows nothing of the status of NFS while nobody knows what was called."""
        failed = {row["id"] for row in rows_of(named("nfs_errors-3")) if row["outcome"] == "failed"}
        self.assertTrue(failed)
        with cut(named("nfs_errors-3"), 128) as short:
            rows = rows_of(short)
        self.assertEqual(len(rows), len(rows_of(named("nfs_errors-3"))))
        self.assertEqual({row["outcome"] for row in rows if not row["operation"]}, {"no_status"})
        self.assertTrue({row["id"] for row in rows if not row["operation"]} & failed)

    def test_responses_alone(self):
        """They name no command, no size and no place of data: the numbers 0 would be of another command, such as Flush."""
        for name, protocol in (("nvme_io", "NVMe-oF"), ("iser_io", "iSER"), ("srp_io", "SRP")):
            with left_of(named(name), "ip.src == 192.168.2.24") as part:
                rows = [row for row in rows_of(part) if row["outcome"] == "unseen"]
                self.assertGreater(len(rows), 10, name)
                self.assertEqual({(row["protocol"], row["opcode"], row["bytes"], row["in_capsule"]) for row in rows}, {(protocol, "", "", "")})

    def test_commands_behind_the_cut(self):
        """SMB joins commands to one message: those that were cut off are counted as messages that nobody could read."""
        with cut(named("smb_io"), 128) as short:
            carried = report_of(short)["carried"]
            text = subprocess.run([PROGRAM, "analyze", short], check=True, capture_output=True, text=True).stdout
        whole = len(rows_of(named("smb_io")))
        self.assertGreater(carried[0]["unreadable"], 0)
        self.assertLess(carried[0]["commands"], whole)
        self.assertIn("unreadable", text)

    def test_rds(self):
        """The header has 48 bytes, of which 96 of a frame keep 42: as a rule all that is in use, which the checksum shows."""
        key = lambda row: (row["operation"], row["bytes"], row["target"], row["outcome"], row["request_packet"])
        with cut(named("rds"), 96) as short:
            self.assertEqual(Counter(map(key, rows_of(short))), Counter(map(key, rows_of(named("rds")))))


    def test_sizes_in_packet_lists(self):
        """Of an SMB WRITE by RDMA 162 bytes have where in the file it begins, and not how many bytes it is about."""
        texts = []
        for capture in (named("smb_io"), 162):
            with cut(named("smb_io"), 162) if capture == 162 else contextlib.nullcontext(capture) as each:
                texts.append(subprocess.run([PROGRAM, "dissect", each], check=True, capture_output=True, text=True).stdout)
        whole, short = (dict(re.findall(r"SMB Write (\d+), (.*?at \d+)", text)) for text in texts)
        by_rdma = {"24": "65536 bytes at 0", "25": "65536 bytes at 65536"}
        self.assertLessEqual(by_rdma.items(), whole.items())
        self.assertEqual({number: short[number] for number in by_rdma}, {"24": "at 0", "25": "at 65536"})

    def test_timeouts(self):
        """Where the CM is cut off nobody knows the ACK timeouts: what counts as one is what the kernel of that host counted as well."""
        events = [json.loads(line) for line in named("smb_network").with_suffix(".ndjson").read_text().splitlines()]
        addresses = {each["name"]: each["address"] for each in events if each["event"] == "host"}
        counters = {addresses[each["on"]]: each["hw_counters"] for each in events if each["event"] == "counters" and each["when"] == "after"}
        with cut(named("smb_network"), 96) as short:
            report = report_of(short)
        (connection,) = report["connections"]
        for me, other in (connection["sides"], connection["sides"][::-1]):
            timeouts = me["requests"]["recovery_causes"].get("timeout", 0)
            kernel = counters[me["address"]]
            # It sent again so often: after its timeout, or a NAK that it got.
            self.assertEqual(timeouts, kernel["completer_retry_err"] - kernel["rcvd_seq_err"], me["address"])
            self.assertEqual(kernel["rcvd_rnr_err"], 0)
        claims = [each for each in report["findings"] if each["id"] == "timeout_recovery"]
        self.assertEqual([each["strength"] for each in claims], ["estimated"] * 2)


class WithoutTheCm(unittest.TestCase):
    """The form of the messages alone gives the same result as the CM and the messages together."""

    # Connections that cannot be known without the CM: those that set up and watch a path of RTRS have few messages.
    UNKNOWN = {("rnbd_errors", 1), ("rnbd_io", 1), ("rnbd_slow", 1)}

    def check(self, name: str, length: int | None) -> None:
        # The first packets of a connection pass before it shows which are of the other direction.
        whole = Counter((row["protocol"], row["operation"], row["outcome"]) for row in rows_of(named(name)) if (name, int(row["connection"])) not in self.UNKNOWN)
        with left_of(named(name), "!infiniband.mad") as part, cut(part, length or 262_144) as short:
            rows, carried = rows_of(short), report_of(short)["carried"]
        self.assertEqual({each["known_by"] for each in carried}, {"shape"})
        found = Counter((row["protocol"], row["operation"] or "Write", row["outcome"]) for row in rows)
        self.assertEqual(found, whole, (name, length))

    def test_names_and_outcomes(self):
        for name in ("rnbd_io", "rnbd_errors", "rnbd_slow", "rsockets", "nvme_stops", "nvme_refused", "iser_refused", "iser_io"):
            self.check(name, None)

    def test_of_cut_captures(self):
        """In 96 bytes a write of RNBD that is one packet has no header: it stands behind the data."""
        for name in ("rnbd_io", "rnbd_errors", "rnbd_slow", "rsockets", "nvme_stops", "nvme_refused"):
            self.check(name, 96)

    def test_what_is_outstanding(self):
        """Also where a command is known when its response comes: it was outstanding before."""
        depth_of = lambda each: (each["commands"], each["most_outstanding"], each["outstanding"])
        for name in ("rnbd_io", "rnbd_slow", "rnbd_errors", "nvme_stops"):
            whole = [depth_of(each) for each in report_of(named(name))["carried"] if (name, each["connection"]) not in self.UNKNOWN]
            with left_of(named(name), "!infiniband.mad") as part:
                for length in (96, 262_144):
                    with cut(part, length) as short:
                        self.assertEqual(list(map(depth_of, report_of(short)["carried"])), whole, (name, length))

    def test_values(self):
        for name in ("rnbd_io", "rnbd_slow", "rsockets"):
            whole = {row["id"] + row["issued"]: row for row in rows_of(named(name))}
            with left_of(named(name), "!infiniband.mad") as part:
                for length in (96, 128, 160, 262_144):
                    with cut(part, length) as short:
                        rows = rows_of(short)
                    self.assertGreater(len(rows), 10)
                    for row in rows:
                        right = whole[row["id"] + row["issued"]]
                        wrong = {column: (row[column], right[column]) for column in COMPARED if row[column] not in ("", "not captured", right[column])}
                        self.assertEqual(wrong, {}, (name, length, row))
                        # Also of a request that waits until its buffer is known.
                        known = ("acknowledged", "request") + (() if row["resent"] == "" else ("first_data", "last_data", "data_bytes", "target_time"))
                        self.assertEqual([row[column] for column in known], [right[column] for column in known], (name, length, row))


if __name__ == "__main__":
    unittest.main()
