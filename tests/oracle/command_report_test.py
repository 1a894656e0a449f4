#!/usr/bin/env python3
"""What the report for people says of commands, in each of its forms, beside what the hosts' kernels traced while the captures were made."""
import dataclasses
import json
import pathlib
import re
import subprocess
import tempfile
import unittest
from collections import Counter

from capture_file import read_pcap, write_pcap
from command_rows import CAPTURES, PROGRAM, left_of, named, report_of, rows_of, table_rows_of
from commands_test import served, traced

WITH_COMMANDS = sorted(file for protocol in ("nvme", "nfs", "iser", "srp", "smb", "rnbd", "rds", "rsockets")
                       for file in CAPTURES.glob(f"{protocol}*.pcapng"))
# NVMe Base 2.0, 3.3.3.2 and NVMe-oF 1.1a, 3.3: status code type x 256 + status code
NVME_STATUSES = {0x001: "Invalid Command Opcode", 0x002: "Invalid Field in Command", 0x006: "Internal Error"}


def text_of(capture, *options: str) -> str:
    return subprocess.run([PROGRAM, "analyze", *options, capture], check=True, capture_output=True, text=True, timeout=60).stdout


def table_of(text: str, heading: str) -> list[dict]:
    """The rows of the table below a heading, by the headings of its columns."""
    lines = text.split(f"\n{heading}\n", 1)
    if len(lines) < 2:
        return []
    lines = lines[1].split("\n\n", 1)[0].splitlines()
    # A column is where no row has text in the gap before it.
    width = max(map(len, lines))
    lines = [line.ljust(width) for line in lines]
    gaps = [all(line[at:at + 2] == "  " for line in lines) for at in range(width)]
    starts = [at + 1 for at in range(width - 1) if gaps[at] and not gaps[at + 1]]
    cells = [[line[begin:end].strip() for begin, end in zip(starts, [*starts[1:], width])] for line in lines]
    return [dict(zip(cells[0], row)) for row in cells[1:]]


def traced_ends(capture) -> list[tuple[int, int]]:
    """Queue and status of each command of NVMe that the host's kernel saw complete, without those that it gave up itself."""
    ends = []
    for line in capture.with_suffix(".ndjson").read_text().splitlines():
        event = json.loads(line)
        if event["event"] == "trace" and event["on"] == "client" and event["name"] == "nvme_complete_rq":
            facts = dict(re.findall(r"(\w+)=(\w+)", event["text"]))
            status = int(facts["status"], 16) & 0x7FF
            if status not in (0x370, 0x371):
                ends.append((int(facts["qid"]), status))
    return ends


class Text(unittest.TestCase):
    def test_errors_by_status(self):
        """In words, with how many commands ended so, as the kernel of the host saw them, and where the first did."""
        capture = named("nvme_errors")
        expected = Counter(NVME_STATUSES[status] for _, status in traced_ends(capture) if status)
        found = Counter()
        rows = rows_of(capture)
        for row in table_of(text_of(capture, "-v"), "Commands that did not succeed, by status"):
            found[row["status"]] += int(row["commands"])
            alike = [each for each in rows if each["operation"] == row["operation"] and each["status_name"] == row["status"]]
            self.assertEqual(len(alike), int(row["commands"]))
            self.assertEqual(int(row["first packet"]), min(int(each["response_packet"]) for each in alike))
        self.assertEqual(found, expected)
        self.assertGreater(len(found), 2)

    def test_errors_by_status_of_all_protocols(self):
        shown = set()
        for capture in WITH_COMMANDS:
            rows = [row for row in rows_of(capture) if row["outcome"] == "failed"
                    or row["outcome"] in ("unseen", "no_status") and int(row["status"] or "0", 0)]
            table = table_of(text_of(capture, "-v"), "Commands that did not succeed, by status")
            self.assertEqual(sum(int(row["commands"]) for row in table), len(rows), capture.name)
            for row in table:
                self.assertRegex(row["status"], "[A-Za-z]", capture.name)
                shown.add(row["protocol"])
        self.assertGreaterEqual(len(shown), 5, shown)

    def test_rates_have_units(self):
        """Of bytes as elsewhere: three digits and a prefix; none of fewer than three commands."""
        shown = 0
        for capture in WITH_COMMANDS:
            totals = report_of(capture).get("command_totals", [])
            table = table_of(text_of(capture, "-v"), "Commands by operation and size")
            self.assertEqual(len(table), len(totals), capture.name)
            for row, total in zip(table, totals):
                over = total["commands"] - total.get("outstanding", 0)
                for name, column in (("commands_per_second", "IOPS"), ("bytes_per_second", "B/s")):
                    if over < 3:
                        self.assertNotIn(name, total, capture.name)
                        self.assertEqual(row.get(column, ""), "", capture.name)
                if "bytes_per_second" in total:
                    number, unit = row["B/s"].split(" ")
                    factor = {"B/s": 1, "kB/s": 1e3, "MB/s": 1e6, "GB/s": 1e9}[unit]
                    self.assertAlmostEqual(float(number) * factor, total["bytes_per_second"], delta=0.006 * total["bytes_per_second"] + 0.5)
                    shown += 1
        self.assertGreater(shown, 10)


def confidences(capture, *options: str) -> set[tuple[str, str]]:
    return {(each["protocol"], each["confidence"]) for each in report_of(capture, *options)["carried"]}


class Recognition(unittest.TestCase):
    """How sure it is what a connection carries, of what the packets that were left can show."""

    NAMES = {"nvme_io": "NVMe-oF", "nfs_io-3": "NFS/RDMA", "iser_io": "iSER", "srp_io": "SRP", "smb_io": "SMB Direct", "rnbd_io": "RTRS/RNBD"}

    def test_set_up_and_messages_agree(self):
        for name, protocol in self.NAMES.items():
            self.assertEqual(confidences(named(name)), {(protocol, "certain")}, name)

    def test_messages_alone(self):
        for name in ("nvme_io", "nfs_io-3", "iser_io", "srp_io", "smb_io"):
            with left_of(named(name), "!infiniband.mad") as part:
                self.assertEqual(confidences(part), {(self.NAMES[name], "likely")}, name)

    def test_set_up_alone(self):
        """Private data have a form of their own; SMB has none."""
        for name, protocol in self.NAMES.items():
            with left_of(named(name), "infiniband.mad || infiniband.bth.opcode == 17") as part:
                self.assertEqual(confidences(part), {(protocol, "guess" if name == "smb_io" else "likely")}, name)

    def test_port_alone(self):
        self.assertEqual(confidences(named("rping")), {("rping", "guess")})

    def test_word_of_the_user(self):
        self.assertEqual(confidences(named("nvme_io"), "--decode-as", "port=4420:nvme"), {("NVMe-oF", "certain")})
        for protocol in ("nvme", "nfs", "iser", "srp", "smb", "rds"):
            found = confidences(named("rping"), "--decode-as", f"port=7174:{protocol}")
            self.assertEqual({confidence for _, confidence in found}, {"guess"}, protocol)

    def test_all_forms_say_it(self):
        for capture in (named("iser_io"), named("smb_errors"), named("rping")):
            carried = [(str(each["connection"]), each["known_by"], each["confidence"]) for each in report_of(capture)["carried"]]
            self.assertTrue(carried)
            rows = table_rows_of(capture, "carried.csv")
            self.assertEqual([(row["connection"], row["known_by"], row["confidence"]) for row in rows], carried)
            table = table_of(text_of(capture, "-v"), "What connections carry")
            self.assertEqual([(row["no."], row["known by"], row["confidence"]) for row in table], carried)


def sweep(steps: list[tuple[int, int]], start: int, width: int, number: int) -> list[tuple[int, int]]:
    """Of each bucket the most outstanding at once, and how long commands were, added up: of the moments at which their number changes."""
    steps = sorted(steps)  # at the same time what is over comes first
    depths, now, at = [], 0, 0
    for bucket in range(number):
        begin, end = start + bucket * width, start + (bucket + 1) * width
        last = steps[-1][0] if bucket == number - 1 else end
        most, time, before = now, 0, max(begin, steps[0][0])
        while at < len(steps) and steps[at][0] < end:
            time += now * (steps[at][0] - before)
            before, now = steps[at][0], now + steps[at][1]
            most = max(most, now, steps[at][1])
            at += 1
        depths.append((most, time + now * max(last - before, 0)))
    return depths


class Depth(unittest.TestCase):
    """How many commands were outstanding over time."""

    def test_the_same_as_of_the_commands(self):
        """From the last packet of each request to the first of its response that its receiver took: those of commands.csv and messages.csv."""
        compared = set()
        for capture in WITH_COMMANDS:
            rows = rows_of(capture)
            if "abort" in capture.name:
                continue  # what is aborted is outstanding no longer, and has no response
            sent = {row["first_packet"]: int(row["last_time"]) for row in table_rows_of(capture, "messages.csv")}
            for carried in report_of(capture)["carried"]:
                mine = [row for row in rows if int(row["connection"]) == carried["connection"]]
                if carried["protocol"] in ("RDS", "rsockets"):
                    continue  # what only ACKs answer
                depths = carried["outstanding"]
                ends = [(int(row["completed"]), -1) for row in mine if row["completed"]]
                of = lambda steps: sweep(steps + ends, depths["start"], depths["interval"], len(depths["most"]))
                expected = of([(sent[row["request_packet"]], 1) for row in mine])
                name = capture.name, carried["connection"]
                self.assertEqual(max(depths["most"]), carried["most_outstanding"], name)
                if carried["protocol"] == "SMB Direct":  # a request may be of several SENDs, the last of which an ACK answers
                    least = of([(min(int(row[end]) for end in ("acknowledged", "completed") if row[end]), 1) for row in mine
                                if row["acknowledged"] or row["completed"]])
                    if len(ends) < len(mine):
                        least[-1] = (0, 0)  # what is not over goes on until the last message, which may come before the ACK
                    for low, *own, high in zip(least, depths["most"], depths["command_time"], expected):
                        self.assertTrue(low[0] <= own[0] <= high[0] and low[1] <= own[1] <= high[1], name)
                else:
                    self.assertEqual(depths["most"], [most for most, _ in expected], name)
                    self.assertEqual(depths["command_time"], [time for _, time in expected], name)
                compared.add((carried["protocol"], max(depths["most"]) > 1))
        self.assertLessEqual({("NVMe-oF", True), ("NFS/RDMA", True), ("iSER", True), ("SMB Direct", True), ("SRP", False),
                              ("RTRS/RNBD", False)}, compared)

    def test_between_what_both_kernels_say(self):
        """The wire has a command for longer than the target's kernel, and not as long as the host's."""
        for name in ("nvme_slow", "nvme_io", "nvme_errors", "nvme_network-loss", "nvme_network-delay"):
            host = [each for each in traced(named(name)) if each["queue"] == 1 and each["ended"]]
            steps = sorted([(each["issued"], 1) for each in host] + [(each["ended"], -1) for each in host])
            (most, _), = sweep(steps, 0, 1 << 62, 1)
            (carried,) = (each for each in report_of(named(name))["carried"] if each["queue"] == 1)
            self.assertEqual(len(host), carried["commands"], name)
            self.assertLessEqual(max(carried["outstanding"]["most"]), most, name)
            if name == "nvme_network-loss":  # responses that were seen and not taken leave their commands outstanding
                self.assertEqual(carried["most_outstanding"], most)
            target = sum(sum(times) for (queue, _), times in served(named(name)).items() if queue == 1)
            self.assertLessEqual(target, sum(carried["outstanding"]["command_time"]), name)
            self.assertLessEqual(sum(carried["outstanding"]["command_time"]), sum(each["ended"] - each["issued"] for each in host), name)

    def test_one_way_knows_nothing_of_it(self):
        for name in ("nvme_io", "nfs_io-3", "iser_io", "srp_io", "smb_io", "rnbd_io"):
            for address in ("192.168.2.24", "192.168.2.25"):
                with left_of(named(name), f"ip.src == {address}") as part:
                    for carried in report_of(part).get("carried", []):
                        if carried.get("most_outstanding") is None:
                            self.assertNotIn("outstanding", carried, name)
                    if address == "192.168.2.25":
                        self.assertEqual({each.get("most_outstanding") for each in report_of(part).get("carried", [])} - {None}, set(), name)

    def test_clocks_that_stand_still_or_go_back(self):
        """The host's kernel had five commands at once, whatever the capture's clock says; what a clock that goes back says is unknown."""
        capture = named("nvme_network-delay")
        (queue,) = (each for each in report_of(capture)["carried"] if each["queue"] == 1)
        host = [each for each in traced(capture) if each["queue"] == 1]
        (most, _), = sweep([(each["issued"], 1) for each in host] + [(each["ended"], -1) for each in host], 0, 1 << 62, 1)
        self.assertEqual(queue["most_outstanding"], most)
        with tempfile.TemporaryDirectory() as folder:
            whole, changed = pathlib.Path(folder) / "whole.pcap", pathlib.Path(folder) / "changed.pcap"
            subprocess.run(["editcap", "-F", "nsecpcap", capture, whole], check=True)
            link_type, magic, frames = read_pcap(whole)
            half = frames[:len(frames) // 2]
            for back, expected in ((None, most), (3600, None), (2, None)):
                moved = [dataclasses.replace(each, seconds=each.seconds - (back or 0)) for each in frames[len(half):]]
                still = [dataclasses.replace(each, seconds=1_000_000_000, fraction=0) for each in frames]
                write_pcap(changed, link_type, still if back is None else half + moved, magic)
                (queue,) = (each for each in report_of(changed)["carried"] if each["queue"] == 1)
                self.assertEqual((queue.get("most_outstanding"), "outstanding" in queue), (expected, expected is not None), back)

    def test_buckets_of_csv(self):
        for capture in (named("nvme_io"), named("nfs_io-3"), named("srp_errors")):
            expected = []
            for carried in report_of(capture)["carried"]:
                depths = carried["outstanding"]
                self.assertLessEqual(len(depths["most"]), 128)
                expected += [(carried["connection"], carried["protocol"], depths["start"] + number * depths["interval"], depths["interval"], most,
                              time) for number, (most, time) in enumerate(zip(depths["most"], depths["command_time"]))]
            rows = table_rows_of(capture, "outstanding.csv")
            self.assertEqual([(int(row["connection"]), row["protocol"], int(row["start"]), int(row["interval"]), int(row["most"]),
                               int(row["command_time"])) for row in rows], expected)


class Stalls(unittest.TestCase):
    """How many commands were outstanding when a connection stood still, as its findings say."""

    @staticmethod
    def said(capture, *options: str) -> list[tuple[dict, int | None]]:
        found = [each for each in report_of(capture, *options)["findings"] if each["id"] in ("timeout_recovery", "retry_exhausted", "credit_stall")]
        numbers = [re.search(r"; (\d+|no) commands? (?:was|were) outstanding at the first$", each["what"]) for each in found]
        return [(each, number and int(number[1].replace("no", "0"))) for each, number in zip(found, numbers)]

    def test_as_many_as_the_commands_say(self):
        protocols = set()
        for capture in WITH_COMMANDS:
            for finding, number in self.said(capture):
                moment = finding["first_time"]
                mine = [row for row in rows_of(capture) if int(row["connection"]) == finding["connection"]]
                alike = [row for row in mine if int(row["issued"]) <= moment <= int(row["completed"] or 1 << 62)]
                self.assertEqual(number, len(alike), (capture.name, finding["what"]))
                protocols |= {row["protocol"] for row in mine}
        self.assertEqual(protocols, {"NVMe-oF", "NFS/RDMA", "iSER", "SRP", "SMB Direct"})

    def test_as_many_as_the_kernel_of_the_host_had(self):
        """Of the queue for data, at the first packet that was sent again. The clocks of host and capture differ by less than 20 ms."""
        compared = 0
        for finding, number in self.said(named("nvme_network-loss")):
            if finding["connection"] != 2:
                continue
            host = [each for each in traced(named("nvme_network-loss")) if each["queue"] == 1]
            at = lambda moment: sum(each["issued"] <= moment <= (each["ended"] or 1 << 62) for each in host)
            around = [at(finding["first_time"] + shift) for shift in range(-20_000_000, 20_000_001, 1_000_000)]
            self.assertTrue(min(around) <= number <= max(around), (finding["what"], around))
            compared += 1
        self.assertGreater(compared, 1)

    def test_nothing_where_it_is_not_known(self):
        """One direction alone, or a part of the capture."""
        capture = named("nvme_network-loss")
        for address in ("192.168.2.24", "192.168.2.25"):
            with left_of(capture, f"ip.src == {address}") as part:
                self.assertEqual({number for _, number in self.said(part)} - {None}, set())
        self.assertEqual({number for _, number in self.said(capture, "--from", "+30")} - {None}, set())


def comments_of(capture, *options: str) -> dict[int, list[str]]:
    """Of the capture that `extract` writes, by the number of the frame in it, as tshark reads them."""
    with tempfile.TemporaryDirectory() as folder:
        made = pathlib.Path(folder) / "made.pcapng"
        subprocess.run([PROGRAM, "extract", "-q", *options, "-w", made, capture], check=True)
        text = subprocess.run(["tshark", "-n", "-r", made, "-Y", "frame.comment", "-T", "fields", "-E", "aggregator=\x01", "-E", "quote=n",
                               "-e", "frame.number", "-e", "frame.comment"], check=True, capture_output=True, text=True).stdout
    return {int(line.split("\t")[0]): line.split("\t")[1].split("\x01") for line in text.splitlines()}


class Comments(unittest.TestCase):
    """What `extract` says of the packets that begin and end commands."""

    COMMAND = re.compile(r"command (\d+): ")

    def test_both_ends_of_each_command(self):
        protocols = set()
        for capture in WITH_COMMANDS:
            said = {}
            for frame, comments in comments_of(capture).items():
                for comment in comments:
                    if match := self.COMMAND.search(comment):
                        said.setdefault(int(match[1]), {})[frame] = comment
            for row in rows_of(capture):
                mine = said.pop(int(row["number"]), {})
                ends = [int(row[end]) for end in ("request_packet", "response_packet") if row[end]]
                self.assertEqual(sorted(mine), sorted(set(ends)), (capture.name, row))
                protocols.add(row["protocol"])
                if row["request_packet"] and row["response_packet"] and len(mine) == 2:
                    begin, end = mine[ends[0]], mine[ends[1]]
                    self.assertIn(f"command {row['number']}: response in packet {ends[1]} after ", begin)
                    self.assertRegex(end, rf"command {row['number']}: issued in packet {ends[0]}, (completed here|answered here, completed by a copy) after ")
                    self.assertTrue(end.startswith(f"{row['protocol']} {row['operation'] or 'unknown'}"), end)
                    for each in (begin, end):
                        number, unit, target, target_unit = re.search(r" after ([\d.]+) (\w+) \(([\d.]+) (\w+) target", each).groups()
                        units = {"ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9}
                        for value, column in ((float(number) * units[unit], "latency"), (float(target) * units[target_unit], "target_time")):
                            self.assertAlmostEqual(value, int(row[column]), delta=0.006 * int(row[column]) + 0.5)
                        status = "Success" if row["outcome"] == "succeeded" else row["status_name"]
                        self.assertTrue(status and each.endswith(f", {status}"), each)
                elif row["outcome"] == "outstanding":
                    self.assertIn("no response was read", mine[ends[0]])
            self.assertEqual(said, {}, capture.name)
        self.assertGreaterEqual(len(protocols), 7, protocols)

    def test_frames_of_the_new_file(self):
        """A packet that is in the new file is named by its number there as well."""
        row = next(row for row in rows_of(named("nvme_io")) if row["operation"] == "Read")
        frames = f"frame.number in {{{row['request_packet']}, {row['response_packet']}}}"
        said = comments_of(named("nvme_io"), "-Y", frames)
        self.assertEqual(len(said), 2)
        self.assertIn(f"issued in packet {row['request_packet']} (here 1), completed here after", said[2][-1])

    def test_none_where_nobody_wants_them(self):
        self.assertEqual(comments_of(named("nvme_io"), "--no-comments"), {})
        for comments in comments_of(named("lost-light")).values():
            self.assertNotRegex(" ".join(comments), self.COMMAND)

    def test_from_a_pipe(self):
        """It can be read only once: the verdicts are there all the same."""
        capture = named("nvme_network-loss")
        made = subprocess.run([PROGRAM, "extract", "-q", "-w", "-", "-"], input=capture.read_bytes(), check=True, capture_output=True).stdout
        self.assertIn(b"retransmission", made)
        self.assertNotIn(b": issued in packet", made)


if __name__ == "__main__":
    unittest.main()
