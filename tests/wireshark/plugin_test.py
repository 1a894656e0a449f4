"""plugin_test.py ROCESCOPE PLUGIN: what the plugin does beside the fields of packets."""

import json
import os
import re
import shutil
import subprocess
import sys
import unittest
from collections import Counter
from pathlib import Path

from tshark import CAPTURES, Tshark, skip_without

PROGRAM = Path()
TSHARK: Tshark
LOSSY = CAPTURES / "impaired_out-loss_heavy.pcapng"
SEVERAL = CAPTURES / "several.pcapng"
ROCE = "rocescope.encapsulation"


def program(*words) -> str:
    return subprocess.run([PROGRAM, *map(str, words)], check=True, capture_output=True, text=True).stdout


def report(capture: Path) -> str:
    return program("analyze", "-q", capture).replace(capture.name, "capture", 1)


def analyze(capture: Path) -> dict:
    return json.loads(program("analyze", "-q", "--json", capture))


def show(capture: Path, *words, passes: int = 1, **options) -> str:
    return TSHARK.output("-n", "--disable-heuristic", "rpcrdma_infiniband", *(["-2"] if passes == 2 else []), "-r", TSHARK.copy(capture),
                         *words, **options)


def columns(capture: Path, *names: str, **options) -> list[list[str]]:
    words = [word for name in names for word in ("-e", name)]
    return [row.split("\t") for row in show(capture, "-T", "fields", *words, *options.pop("more", ()), **options).splitlines()]


def as_numbers(line: str) -> list[list]:
    """Digits of hexadecimal numbers differ, and so do the words for flags from 4.0 to 4.4."""
    def number(value: str):
        return int(value, 0) if re.fullmatch(r"0x[0-9a-f]+|\d+", value) else {"True": 1, "False": 0}.get(value, value)
    return [[number(value) for value in cell.split(",")] for cell in line.split("\t")]


def verdicts(capture: Path) -> Counter:
    return Counter(program("dissect", "-q", "-Y", "rocescope.verdict", "-T", "fields", "-e", "rocescope.verdict", capture).split())


class PacketsTest(unittest.TestCase):
    def test_the_info_column_says_the_verdict(self):
        comments = {}
        for line in program("dissect", "-q", "-Y", "rocescope.verdict.retransmission", LOSSY).splitlines():
            comments[line.split()[0]] = line
        rows = columns(LOSSY, "frame.number", "rocescope.note", more=["-Y", "rocescope.verdict.retransmission"])
        self.assertEqual([row[0] for row in rows], list(comments))
        lines = show(LOSSY, "-Y", "rocescope.verdict.retransmission").splitlines()
        self.assertEqual(len(lines), len(rows))
        for (number, note), line in zip(rows, lines):
            self.assertIn(note, comments[number])
            self.assertEqual(line.split()[0], number)
            self.assertTrue(line.endswith(f" [{note}]"), line)

    def test_what_later_packets_tell_is_known_in_the_second_pass(self):
        rows = columns(LOSSY, "frame.number", "rocescope.verdict.related", "rocescope.verdict.resent_in", "rocescope.verdict", passes=2)
        resent = {row[0]: row[2] for row in rows if row[2]}
        first = {}
        for number, related, _, verdict in rows:
            if verdict in ("retransmission", "read_response_retransmission") and related:
                first.setdefault(related, number)
        self.assertGreater(len(first), 10)
        self.assertEqual(resent, first)
        self.assertFalse([row for row in columns(LOSSY, "rocescope.verdict.resent_in") if row[0]])

    def test_messages_have_their_packets_and_times(self):
        names = ["frame.number", "frame.time_epoch", "rocescope.message.completes", "rocescope.message.time", "rocescope.message.id",
                 "rocescope.message.outcome", "rocescope.message.completed_in"]
        rows = columns(SEVERAL, *names, passes=2)
        times = {row[0]: int(row[1].replace(".", "")) for row in rows}
        completed = sum(len(row[2].split(",")) for row in rows if row[2])
        totals = [operation for connection in analyze(SEVERAL)["connections"] for side in connection["sides"]
                  for operation in side["operations"]]
        self.assertEqual(completed, sum(each["completed"] + each.get("refused", 0) for each in totals))
        first_of = {}
        for number, _, _, _, message, *_ in rows:
            if message:
                first_of.setdefault(message, number)
        for number, _, messages, found, *_ in rows:
            if len(messages.split(",")) == 1 and found and "," not in found:
                self.assertEqual(round(float(found) * 1e9), times[number] - times[first_of[messages]], number)
        self.assertTrue(all(row[6] for row in rows if row[5] == "completed"))

    def test_a_filter_on_reading_renumbers_packets(self):
        """Its verdicts stay those of the whole capture, and links lead to the same packets."""
        names = ["frame.time_epoch", "infiniband.bth.psn", "rocescope.verdict"]
        whole = columns(LOSSY, *names, "frame.number", "rocescope.verdict.related", more=["-Y", "rocescope.encapsulation"], passes=2)
        keep = "infiniband.bth.opcode != 17"
        left = columns(LOSSY, *names, "frame.number", "rocescope.verdict.related", more=["-R", keep], passes=2)
        expected = columns(LOSSY, *names, more=["-Y", keep], passes=2)
        self.assertEqual([row[:3] for row in left], expected)
        self.assertLess(len(left), len(whole))
        times = {row[3]: row[0] for row in whole}
        times_left = {row[3]: row[0] for row in left}
        related = {row[0]: times[row[4]] for row in whole if row[4]}
        kept = set(times_left.values())
        found = {row[0]: times_left[row[4]] for row in left if row[4]}
        self.assertEqual(found, {time: other for time, other in related.items() if time in kept and other in kept})
        self.assertGreater(len(found), 10)

    def test_packets_that_are_no_roce_have_none_of_it(self):
        self.assertEqual(show(SEVERAL, "-Y", "rocescope && !infiniband"), "")

    def test_preferences_switch_parts_off(self):
        corrupt = CAPTURES / "two_views-corrupt.pcap.gz"
        self.assertTrue(show(corrupt, "-Y", 'rocescope.icrc.status == "bad"'))
        self.assertEqual(show(corrupt, "-Y", "rocescope.icrc.status", "-o", "rocescope.icrc:FALSE"), "")
        self.assertTrue(show(LOSSY, "-Y", "rocescope.finding", passes=2))
        self.assertEqual(show(LOSSY, "-Y", "rocescope.finding", "-o", "rocescope.findings:FALSE", passes=2), "")
        self.assertNotIn("[retransmission", show(LOSSY, "-o", "rocescope.info:FALSE"))
        self.assertEqual(show(LOSSY, "-Y", "rocescope", "--disable-protocol", "rocescope"), "")

    def test_finds_the_packets_of_findings(self):
        rows = columns(LOSSY, "frame.number", "rocescope.finding", passes=2, more=["-Y", "rocescope.finding"])
        found = {(name, int(number)) for number, names in rows for name in names.split(",")}
        roce = {int(row[0]) for row in columns(LOSSY, "frame.number", more=["-Y", "rocescope.encapsulation"])}
        expected = {(each["id"], packet) for each in analyze(LOSSY)["findings"] for packet in each["packets"] if packet in roce}
        self.assertEqual(found, expected)


class StatisticsTest(unittest.TestCase):
    def test_the_report_is_that_of_analyze(self):
        for capture in (LOSSY, SEVERAL):
            for passes in (1, 2):
                self.assertEqual(show(capture, "-q", "-z", "rocescope,report", passes=passes), report(capture), (capture, passes))

    def test_expert_information_counts_verdicts(self):
        text = show(LOSSY, "-q", "-z", "expert", environment={"COLUMNS": "300"})
        rows = re.findall(r"^ +(\d+) +(\S+) +rocescope  (.*?)\s*$", text, re.MULTILINE)
        counted = Counter()
        for count, _, summary in rows:
            counted["retransmission" if summary.startswith("Retransmission") else summary] += int(count)
        found = verdicts(LOSSY)
        self.assertEqual(counted["retransmission"], found["retransmission"], text)
        self.assertEqual(counted["Packets before it were not seen"], found["gap"])
        self.assertLess(len(rows), 20)  # text without numbers is summed up

    def test_verdicts(self):
        text = show(LOSSY, "-q", "-z", "rocescope_verdicts,tree")
        for verdict, count in verdicts(LOSSY).items():
            self.assertRegex(text, rf"(?m)^ {verdict} +{count}\s")

    def test_connections(self):
        for capture in (LOSSY, SEVERAL):
            rows = {}
            for line in show(capture, "-q", "-z", "rocescope,connections", passes=2).splitlines():
                words = [word.strip() for word in line.split("|")]
                if words and words[0].isdigit():
                    rows[int(words[0])] = words
            connections = analyze(capture)["connections"]
            self.assertEqual(set(rows), {each["number"] for each in connections})
            for connection in connections:
                words = rows[connection["number"]]
                self.assertEqual(int(words[6]), sum(side["packets"] for side in connection["sides"]))
                self.assertEqual(int(words[9]), sum(side["requests"]["verdicts"].get("retransmission", 0) for side in connection["sides"]))
                self.assertEqual({words[2], words[4]}, {side["address"] for side in connection["sides"]})

    def test_findings(self):
        for passes in (1, 2):
            text = show(LOSSY, "-q", "-z", "rocescope,findings", passes=passes)
            for finding in analyze(LOSSY)["findings"]:
                self.assertEqual(text.count(finding["id"]), 1, text)
                self.assertIn(finding["what"], text)

    def test_response_times(self):
        text = show(SEVERAL, "-q", "-z", "rocescope,srt")
        counts = {match[0]: int(match[1]) for match in re.findall(r"^ *\d+ +(\S.*?) {2,}(\d+) +\d+\.\d+", text, re.MULTILINE)}
        messages = columns(SEVERAL, "rocescope.message.time")
        self.assertEqual(sum(counts.values()), sum(len(row[0].split(",")) for row in messages if row[0]), text)

    def test_conversations(self):
        text = show(SEVERAL, "-q", "-z", "conv,rocescope", passes=2)
        self.assertEqual(len(re.findall("<->", text)), len(analyze(SEVERAL)["connections"]), text)


    def test_a_flow_graph_has_an_arrow_for_each_packet(self):
        text = show(LOSSY, "-q", "-z", "flow,rocescope,standard")
        self.assertEqual(len(re.findall(r"-->|<--", text)), int(program("dissect", "-q", "-Y", ROCE, LOSSY).count("\n")))

    def test_follows_the_payload_of_a_connection(self):
        """rping sends to and fro; what was sent is in the capture as the built-in dissector shows it."""
        capture = CAPTURES / "several.pcapng"
        text = show(capture, "-q", "-z", "follow,rocescope,raw,4")
        sent = [line.strip() for line in text.splitlines() if re.fullmatch(r"\s*[0-9a-f]{8,}", line)]
        payloads = [row[0] for row in columns(capture, "data.data", more=["-Y", "rocescope.connection == 4 && data.data"])]
        self.assertEqual("".join(sent), "".join(payloads))
        self.assertGreater(len(sent), 20)


class DecodingTest(unittest.TestCase):
    def test_takes_over_udp_port_4791(self):
        names = [row.split("\t")[0] for row in program("fields").splitlines()
                 if row.startswith(("infiniband.bth.", "infiniband.aeth.", "infiniband.reth.", "infiniband.deth.", "infiniband.invariant"))]
        words = [word for name in ["frame.number", *dict.fromkeys(names)] for word in ("-e", name)]
        for name in ("impaired_out-loss_heavy.pcapng", "several.pcapng", "pingpong-srq.pcapng"):
            capture = CAPTURES / name
            narrow = "udp.dstport == 4791"
            expected = program("dissect", "-q", "-Y", narrow, "-T", "fields", *words, capture).splitlines()
            found = show(capture, "-o", "rocescope.decode:TRUE", "-Y", narrow, "-T", "fields", *words).splitlines()
            self.assertEqual(len(found), len(expected))
            for one, other in zip(expected, found):
                self.assertEqual(as_numbers(one), as_numbers(other), (name, names))

    def test_the_built_in_dissector_is_back_without_it(self):
        self.assertIn("RRoCE", show(LOSSY))
        self.assertNotIn("RRoCE", show(LOSSY, "-o", "rocescope.decode:TRUE"))
        self.assertIn("RoCEv2", show(LOSSY, "-o", "rocescope.decode:TRUE"))


class ProfileTest(unittest.TestCase):
    def setUp(self):
        self.home = TSHARK.folder / "profile_home"
        shutil.rmtree(self.home, ignore_errors=True)
        self.home.mkdir()
        self.profile = self.home / ".config" / "wireshark" / "profiles" / "RoCE"

    def wireshark(self, option: str) -> subprocess.CompletedProcess:
        surroundings = {name: value for name, value in os.environ.items() if name not in ("XDG_CONFIG_HOME", "WIRESHARK_CONFIG_DIR")}
        return subprocess.run([PROGRAM, "wireshark", option], env={**surroundings, "HOME": str(self.home)}, capture_output=True, text=True,
                              check=False)

    def test_is_what_wireshark_reads(self):
        self.assertEqual(self.wireshark("--install-profile").returncode, 0)
        subprocess.run(["chmod", "-R", "a+rwX", self.home], check=True)
        words = ["-n", "-C", "RoCE", "-r", TSHARK.copy(SEVERAL)]
        in_home = {"HOME": str(self.home)}
        line = TSHARK.output(*words, "-c", "40", environment=in_home).splitlines()[-1]
        self.assertRegex(line, r" 1 13835547 1 +1082 RC RDMA Read Response Middle ")
        rules = columns(LOSSY, "frame.coloring_rule.name", "rocescope.verdict.lost", environment=in_home,
                        more=["-C", "RoCE", "--color", "-Y", "rocescope.verdict.retransmission"])
        self.assertEqual({tuple(row) for row in rules}, {(f"RoCE sent again, lost {lost} the capture point" if lost else "RoCE sent again",
                                                          lost) for _, lost in rules})
        colours = [row.split("@")[2] for row in (self.profile / "colorfilters").read_text().splitlines()[1:]]
        buttons = [row.split('","')[2].replace("\\x22", '"') for row in (self.profile / "dfilter_buttons").read_text().splitlines()[1:]]
        self.assertGreater(min(len(colours), len(buttons)), 2)
        # All at once, for tshark takes longest to start.
        TSHARK.output(*words, "-Y", " || ".join(f"({each})" for each in colours + buttons), environment=in_home)

    def test_payload_is_not_taken_for_another_protocol(self):
        capture = CAPTURES / "two_views_responses-send.pcap.gz"
        self.wireshark("--install-profile")
        subprocess.run(["chmod", "-R", "a+rwX", self.home], check=True)
        words = ["-n", "-2", "-r", TSHARK.copy(capture), "-Y", "rpcordma || _ws.malformed"]
        self.assertIn("protocol RPCoRDMA", TSHARK.run(*words).stderr)
        self.assertEqual(TSHARK.output("-C", "RoCE", *words, environment={"HOME": str(self.home)}), "")

    def test_is_installed_and_removed(self):
        for _ in range(2):
            self.assertIn(str(self.profile), self.wireshark("--install-profile").stdout)
        (self.profile / "recent").touch()
        self.assertEqual(self.wireshark("--remove-profile").returncode, 0)
        self.assertFalse(self.profile.exists())
        self.assertIn("nothing to remove", self.wireshark("--remove-profile").stderr)

    def test_leaves_what_the_user_made(self):
        self.profile.mkdir(parents=True)
        (self.profile / "colorfilters").write_text("@mine@tcp@[0,0,0][1,1,1]\n")
        for option in ("--install-profile", "--remove-profile"):
            self.assertIn("rocescope did not write", self.wireshark(option).stderr)
        self.assertEqual([file.name for file in self.profile.iterdir()], ["colorfilters"])

    def test_leaves_what_the_user_changed(self):
        self.wireshark("--install-profile")
        with (self.profile / "preferences").open("a") as file:
            file.write("gui.color_filter_fg.valid: 000000\n")
        before = (self.profile / "preferences").read_text()
        for option in ("--install-profile", "--remove-profile"):
            result = self.wireshark(option)
            self.assertEqual(result.returncode, 2)
            self.assertIn("was changed", result.stderr)
        self.assertEqual((self.profile / "preferences").read_text(), before)


class DamageTest(unittest.TestCase):
    """It runs inside somebody's Wireshark."""

    def survives(self, capture: Path, *words) -> None:
        for more in ([], ["-2"], ["-2", "-R", "frame.number % 3 != 0"], ["-o", "rocescope.decode:TRUE", "-V"]):
            result = TSHARK.run("-n", *more, "-r", capture, *words, "-z", "rocescope,report", "-z", "rocescope,connections")
            self.assertEqual(result.returncode, 0, (capture, more, result.stderr[-1000:]))
            self.assertNotIn("rocescope", result.stderr)

    def edited(self, capture: Path, *options: str) -> Path:
        target = TSHARK.folder / f"{'_'.join(options)}.pcapng"
        subprocess.run(["editcap", *options, capture, target], check=True, capture_output=True)
        target.chmod(0o644)
        return target

    def test_cut_packets(self):
        for length in (1, 43, 60):
            self.survives(self.edited(SEVERAL, "-s", str(length)))

    def test_changed_packets(self):
        for seed in range(2):
            self.survives(self.edited(LOSSY, "-E", "0.02", "--seed", str(seed)))

    def test_times_that_run_back(self):
        self.survives(self.edited(LOSSY, "-t", "-2000000000"))

    def test_packets_from_a_pipe(self):
        with LOSSY.open("rb") as file:
            text = TSHARK.run("-n", "-r", "-", "-q", "-z", "rocescope,report", stdin=file).stdout
        self.assertEqual(text, report(LOSSY))


def main() -> None:
    global PROGRAM, TSHARK
    PROGRAM, plugin = map(Path, (sys.argv.pop(1), sys.argv.pop(1)))
    skip_without(plugin)
    TSHARK = Tshark(plugin)
    unittest.main()


if __name__ == "__main__":
    main()
