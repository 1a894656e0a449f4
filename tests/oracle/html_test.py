#!/usr/bin/env python3
"""The data of `rocescope analyze --html`, beside the JSON and the tables of the same run, what `dissect` shows of each packet, and what
tshark counts. What a browser makes of them: tests/page."""
import collections
import json
import os
import pathlib
import re
import signal
import struct
import subprocess
import time
import unittest

from page_data import CAPTURES, NAMES, PROGRAM, SYNTH, Data, PageTest, analyze, cell, each_capture, fields, running, total

WRAP = 1 << 24
PACKET_FIELDS = ["frame.number", "frame.time_epoch", "infiniband.bth.psn", "rocescope.verdict", "rocescope.verdict.cause",
                 "rocescope.verdict.lost", "rocescope.verdict.lost_response", "rocescope.verdict.related"]
MARKS = {
    "nak": "infiniband.aeth.syndrome.opcode == 3",
    "rnr_nak": "infiniband.aeth.syndrome.opcode == 1",
    "cnp": "infiniband.bth.opcode == 129",
    "gap": "rocescope.verdict.gap || rocescope.verdict.read_response_gap",
    "retransmission": "rocescope.verdict.retransmission || rocescope.verdict.read_response_retransmission",
    "out_of_order": "rocescope.verdict.out_of_order",
}
COUNTED = "!rocescope.verdict.damaged && !rocescope.verdict.capture_duplicate"


class Html(PageTest):
    @each_capture()
    def test_tables_are_those_of_csv(self, _path, data, folder, _report):
        for name in ("connections", "findings", "flows", "datagrams", "cm", "regions", "commands", "counters", "messages"):
            expected = self.rows(folder, name)
            if name == "counters":
                expected = [row for row in expected if row["value"] != "0"]
            if name == "messages":  # the file has them as they ended
                expected.sort(key=lambda row: int(row["number"]))
            self.assertEqual([{key: cell(value) for key, value in row.items()} for row in data.rows(name)], expected, name)
            self.assertEqual(data[f"table-{name}"]["left_out"], 0)

    @each_capture()
    def test_tables_without_csv_are_those_of_json(self, _path, data, _folder, report):
        handshakes = data.rows("handshakes")
        self.assertEqual(len(handshakes), len(report["handshakes"]))
        for mine, theirs in zip(handshakes, report["handshakes"], strict=True):
            flat = {key: value for key, value in theirs.items() if not isinstance(value, (dict, list))}
            for side, values in enumerate(theirs["sides"]):
                flat |= {f"side{side}_{key}": value for key, value in values.items() if not isinstance(value, (dict, list))}
            self.assertEqual({key: mine[key] for key in flat}, flat)
        self.assertEqual([row["address"] for row in data.rows("hosts")], [row["address"] for row in report["nic_counters"]])

    @each_capture()
    def test_figures_are_those_of_json(self, path, data, _folder, report):
        totals = data["summary"]["totals"]
        self.assertEqual(totals["packets"], report["totals"]["packets"])
        self.assertEqual(totals["roce_bytes"], report["totals"]["roce_bytes"])
        self.assertEqual(totals["connections"], len(report["connections"]))
        sides = [side for connection in report["connections"] for side in connection["sides"]]
        self.assertEqual(totals["messages"], sum(side["requests"]["messages"] for side in sides))
        sizes = {name[6:]: [data[name]["row_count"], data[name]["left_out"]] for name in data.sections if name.startswith("table-")}
        self.assertEqual(data["meta"]["tables"], sizes)
        self.assertGreaterEqual(data["pairs"]["buckets"], 200)
        self.assertIn(path.name, data["summary"]["headline"])
        worst = [finding for finding in report["findings"] if finding["severity"] != "note"]
        verdict = data["summary"]["verdict"]
        if worst:
            self.assertIn(worst[0]["what"].lower(), verdict["text"].lower())
        else:
            self.assertEqual(verdict["severity"], "good")
        lines = [line for block in data["findings"]["blocks"] for line in block["lines"]]
        self.assertEqual(sum(line["number"] for line in lines), len(report["findings"]))
        self.assertEqual({line["id"] for line in lines}, {finding["id"] for finding in report["findings"]})
        self.assertEqual(set(data["explain"]), {finding["id"] for finding in report["findings"]})

    @each_capture("send", "write", "read_request", "read_response", "ack", "nak", "rnr_nak", "atomic")
    def test_points_are_the_packets_that_dissect_shows(self, path, data, _folder, _report):
        for number, connection in data.connections.items():
            expected = fields([PROGRAM, "dissect", "-q"], path, PACKET_FIELDS, "-Y", f"rocescope.connection == {number}")
            points, classes = connection["points"], connection["classes"]
            frames, times, psns = (running(points[key]) for key in ("frame", "t", "psn"))
            self.assertEqual(frames, [int(line[0]) for line in expected])
            related = {index: note.get("related", 0) for index, note in connection["notes"]}
            for i, (_, time, psn, verdict, cause, lost, lost_response, relation) in enumerate(expected):
                point = classes[points["class"][i]]
                seconds, fraction = time.split(".")
                self.assertEqual(times[i] + data.start, int(seconds) * 10**9 + int(fraction))
                self.assertEqual((point["verdict"], point["cause"], point["lost"], point["lost_response"]),
                                 (verdict, cause, lost, lost_response))
                if i in related:
                    self.assertEqual(related[i], int(relation or 0))
                if point["what"] != "cnp" and not point["damaged"]:
                    self.assertEqual(psns[i] % WRAP, int(psn))
                self.seen.add(point["what"])
            self.assertEqual(connection["thinned"]["packets"], len(expected))
            # without their wrap, those of one requester stand close together
            for side in 0, 1:
                mine = [psn for psn, index in zip(psns, points["class"]) if classes[index]["requester"] == side]
                self.assertLess(max(mine, default=0) - min(mine, default=0), 1 << 20)

    @each_capture()
    def test_messages_are_those_of_the_table(self, _path, data, folder, _report):
        rows = self.rows(folder, "messages")
        for number, connection in data.connections.items():
            messages = connection["messages"]
            starts, psns, frames = (running(messages[key]) for key in ("start", "first_psn", "first_frame"))
            mine = []
            for i, message in enumerate(messages["number"]):
                region, done = messages["region"][i], messages["done"][i]
                address = "" if region < 0 else f"0x{int(connection['regions'][region]['base'], 16) + messages['offset'][i]:016x}"
                mine.append((str(message), str(messages["side"][i]), connection["operations"][messages["operation"][i]],
                             connection["outcomes"][messages["outcome"][i]], str(messages["bytes"][i]), str(starts[i] + data.start),
                             "" if done is None else str(starts[i] + data.start + done), str(psns[i] % WRAP),
                             str((psns[i] + messages["psns"][i] - 1) % WRAP), str(messages["attempts"][i]), str(frames[i]),
                             cell(messages["time"][i]), address))
            keys = ("number", "side", "operation", "outcome", "bytes", "first_time", "completion_time", "first_psn", "last_psn",
                    "attempts", "first_packet", "message_time", "address")
            theirs = [tuple(row[key] for key in keys) for row in rows if row["connection"] == str(number)]
            self.assertEqual(sorted(mine), sorted(theirs))
            self.assertEqual(connection["messages_left_out"], 0)

    @each_capture()
    def test_rates_and_what_is_in_flight_add_up_to_those_of_json(self, _path, data, _folder, report):
        reported = {connection["number"]: connection for connection in report["connections"]}
        for number, connection in data.connections.items():
            for side in 0, 1:
                theirs = reported[number]["sides"][side]
                rate = connection["rate"][side] or {"wire": [], "goodput": [], "resent": []}
                for mine, name in ("wire", "wire_bytes"), ("goodput", "goodput_bytes"), ("resent", "resent_bytes"):
                    self.assertEqual(sum(rate[mine]), theirs["rates"].get(name, 0), (number, side, name))
                most = theirs["requests"]["most_in_flight"]
                steps = connection["in_flight"][side] or {"bytes": [], "packets": []}
                self.assertEqual(max(steps["bytes"], default=0), most["bytes"], (number, side))
                self.assertEqual(max(steps["packets"], default=0), most["packets"], (number, side))

    def test_acknowledgements_are_those_that_tshark_shows(self):
        for name in *NAMES[:2], "fault-rnr.pcapng", "pingpong-rc.pcapng", "rdmagen-cm-bulk.pcapng":
            with self.subTest(name):
                data, _, _ = self.run_on(CAPTURES / name)
                lines = fields(["tshark", "-n"], CAPTURES / name, ["frame.number", "infiniband.bth.psn"], "-Y",
                               "infiniband.aeth.syndrome.opcode == 0 && infiniband.bth.opcode == 17")
                acknowledged = {int(psn) for _, psn in lines}
                tried = 0
                for connection in data.connections.values():
                    if any(each["what"] == "read_request" for each in connection["classes"]):
                        continue
                    for steps in filter(None, connection["acknowledged"]):
                        psns = running(steps["psn"])
                        self.assertEqual(psns, sorted(psns))
                        refused = {psn - 1 for psn, index in zip(running(connection["points"]["psn"]), connection["points"]["class"])
                                   if connection["classes"][index]["what"] in ("nak", "rnr_nak")}
                        unexplained = [psn for psn in psns if psn % WRAP not in acknowledged and psn not in refused]
                        self.assertLessEqual(len(unexplained), 1, "the one before the first, which the handshake names")
                        tried += len(psns)
                self.assertGreater(tried, 0)

    def test_other_traffic_is_what_tshark_counts(self):
        for name in (*NAMES[:2], "several.pcapng"):
            with self.subTest(name):
                data, _, report = self.run_on(CAPTURES / name)
                counted = collections.Counter()
                for source, destination, protocol, port, size in fields(
                        ["tshark", "-n"], CAPTURES / name, ["ip.src", "ip.dst", "ip.proto", "udp.dstport", "frame.len"], "-Y", "ip"):
                    if port == "4791":
                        continue
                    counted[source, destination, "tcp" if protocol == "6" else "other"] += int(size)
                pairs = data["pairs"]
                for pair in pairs["pairs"]:
                    hosts = [pairs["hosts"][index] for index in pair["hosts"]]
                    for direction, (source, destination) in zip(pair["directions"], (hosts, hosts[::-1]), strict=True):
                        if ":" in source:
                            continue
                        for kind in "tcp", "other":
                            self.assertEqual(direction[kind]["wire_bytes"], counted[source, destination, kind])
                            self.assertEqual(total(direction["series"][kind]), counted[source, destination, kind])
                for rates in report["host_rates"]:
                    hosts = rates["source"], rates["destination"]
                    pair = next(each for each in pairs["pairs"] if {pairs["hosts"][index] for index in each["hosts"]} == set(hosts))
                    direction = pair["directions"][[pairs["hosts"][index] for index in pair["hosts"]].index(hosts[0])]
                    for key, series in ("wire_bytes", "roce_wire"), ("goodput_bytes", "goodput"), ("resent_bytes", "resent"):
                        self.assertEqual(direction["roce"][key], rates[key])
                        self.assertEqual(total(direction["series"][series]), rates[key])
                self.assertEqual(total(pairs["all"]["roce_wire"]), report["rates"]["wire_bytes"])

    @each_capture("nak", "rnr_nak", "gap", "retransmission", "out_of_order")
    def test_marks_are_the_packets_that_dissect_shows(self, path, data, _folder, _report):
        marks = data["marks"]
        frames = running(marks["events"]["frame"])
        for kind, chosen in MARKS.items():
            shown = [int(line[0]) for line in fields([PROGRAM, "dissect", "-q"], path, ["frame.number"], "-Y", f"({chosen}) && {COUNTED}")]
            mine = [frame for frame, index in zip(frames, marks["events"]["kind"], strict=True) if marks["kinds"][index] == kind]
            self.assertEqual(mine, shown, kind)
            self.assertEqual(total(marks["series"][kind]), len(shown), kind)
            self.seen |= {kind} if shown else set()

    def test_ladder_is_that_of_flow(self):
        for name in NAMES[0], "rdmagen_several-cm.pcapng":
            data, _, _ = self.run_on(CAPTURES / name)
            for number, connection in data.connections.items():
                lines = subprocess.run([PROGRAM, "flow", "-q", "--json", "--connection", str(number), CAPTURES / name],
                                       capture_output=True, check=True, text=True).stdout.splitlines()
                theirs = [(event["frame"], event["time"], event["sender"]) for event in map(json.loads, lines) if event["type"] != "ladder"]
                mine = [(event["frame"], event["t"] + data.start, event["sender"]) for event in connection["ladder"]["events"]]
                self.assertEqual(mine, theirs)

    def test_is_the_same_with_any_number_of_threads_and_without_the_express_lane(self):
        for captures in [[CAPTURES / name] for name in NAMES[:3]] + [[CAPTURES / name for name in NAMES[:3]]]:
            pages = set()
            for threads, express in ("1", "on"), ("2", "on"), ("1", "off"):
                self.run_on("--threads", threads, *captures, express=express)
                pages.add((self.folder / f"{self.runs}.html").read_bytes())
            self.assertEqual(len(pages), 1, captures)

    def test_what_is_left_out_by_options_is_not_there(self):
        for arguments in (["--connection", "2", CAPTURES / "rdmagen_several-cm.pcapng"],
                          ["-Y", "frame.number > 50", CAPTURES / NAMES[0]], ["--to", "+3.6", CAPTURES / NAMES[0]]):
            data, folder, report = self.run_on(*arguments)
            self.assertNotEqual(data["meta"]["narrowing"], [])
            self.assertEqual([row["number"] for row in data.rows("connections")], [each["number"] for each in report["connections"]])
            rows = self.rows(folder, "messages")
            for number, connection in data.connections.items():
                packets = sum(side["packets"] for each in report["connections"] if each["number"] == number for side in each["sides"])
                self.assertEqual(connection["thinned"]["packets"], packets)
                self.assertEqual(sorted(connection["messages"]["number"]),
                                 sorted(int(row["number"]) for row in rows if row["connection"] == str(number)))

    def test_sizes_of_commands_are_shown(self):
        """A column without a heading is hidden at first. What a capture cut has no number."""
        short = self.folder / "short.pcapng"
        subprocess.run(["editcap", "-s", "96", CAPTURES / "srp_io.pcapng", short], check=True)
        for path in (CAPTURES / "srp_io.pcapng", short):
            data, _, report = self.run_on(path)
            (column,) = (column for column in data["table-command_totals"]["columns"] if column["name"] == "at_least")
            self.assertEqual(column["heading"], "bytes from")
            self.assertEqual([row["at_least"] for row in data.rows("command_totals")], [row.get("at_least") for row in report["command_totals"]])
            self.assertEqual(None in [row["at_least"] for row in data.rows("command_totals")], path is short)

    def test_a_pipe_is_read_once_and_the_page_says_so(self):
        with (CAPTURES / NAMES[0]).open("rb") as stdin:
            data, folder, _ = self.run_on("-", stdin=stdin)
        self.assertEqual(data["meta"]["detailed"], [])
        self.assertEqual(data["meta"]["files"], ["standard input"])
        self.assertRegex(data["meta"]["left_out"][0], "pipe")
        self.assertEqual(len(data.rows("messages")), len(self.rows(folder, "messages")))

    def test_text_of_captures_is_never_markup(self):
        path = self.folder / "<script>alert(1)<!--&amp;.pcapng"
        path.symlink_to(CAPTURES / NAMES[0])
        data, _, _ = self.run_on(path)
        self.assertEqual(data["meta"]["files"], [str(path)])
        page = (self.folder / "1.html").read_text()
        for text in data.texts.values():
            self.assertNotRegex(text, "[<>&]")
        self.assertNotIn("<script>alert", page)

    def test_says_why_it_cannot_write(self):
        (self.folder / "file").write_text("mine")
        for argument, error in ((self.folder / "file", "file is there already, and --html overwrites nothing"),
                                (self.folder / "file" / "x", "cannot write .*/file/x: Not a directory"),
                                (self.folder, "cannot write .*: Is a directory"),
                                ("/dev/full", "cannot write /dev/full: No space left on device"),
                                ("", "--html needs the name of a file"),
                                ("-", "--html needs the name of a file, since standard output has the report"),
                                (self.folder / "none" / "x", "cannot write .*: No such file or directory")):
            done = analyze("--html", argument, CAPTURES / "rping.pcapng")
            self.assertEqual(done.returncode, 2, argument)
            self.assertRegex(done.stderr, error)
        self.assertEqual((self.folder / "file").read_text(), "mine")
        done = analyze("--perfetto", self.folder / "one", "--html", self.folder / "one", CAPTURES / "rping.pcapng")
        self.assertRegex(done.stderr, "cannot write .*/one: File exists")
        self.assertEqual([path.name for path in self.folder.iterdir()], ["file"])

    def test_no_page_is_larger_than_20_mb(self):
        def block(kind: int, body: bytes) -> bytes:
            body += bytes(-len(body) % 4)
            return struct.pack("<II", kind, len(body) + 12) + body + struct.pack("<I", len(body) + 12)

        path, interfaces = self.folder / "wide.pcapng", 5000
        names = (f"{i:04}".encode() + b"<" * 996 for i in range(interfaces))  # six bytes for each < in the page
        path.write_bytes(block(0x0A0D0D0A, struct.pack("<IHHq", 0x1A2B3C4D, 1, 0, -1)) +
                         b"".join(block(1, struct.pack("<HHIHH", 1, 0, 0, 2, 1000) + name + bytes(4)) for name in names))
        done = analyze("--html", self.folder / "wide.html", path)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertLess((self.folder / "wide.html").stat().st_size, 20_000_000)
        data = Data((self.folder / "wide.html").read_text())
        self.assertEqual(data["meta"]["tables"]["interfaces"], [0, interfaces])
        self.assertIn("The table of interfaces: it would make the page too large.", data["meta"]["left_out"])

    @unittest.skipIf(SYNTH is None, "needs synth")
    def test_says_that_an_interrupted_analysis_has_no_page(self):
        path, page = self.folder / "long.pcap", self.folder / "page.html"
        subprocess.run([SYNTH, "-o", path, "--packets", "1000000", "--qps", "64", "--frame-size", "96"], check=True)
        process = subprocess.Popen([PROGRAM, "analyze", "--html", page, path], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        status = pathlib.Path(f"/proc/{process.pid}/status")
        while not int(re.search(r"SigCgt:\s*(\w+)", status.read_text())[1], 16) >> (signal.SIGINT - 1) & 1:
            time.sleep(0.001)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
        self.assertEqual((process.returncode, page.exists()), (130, False))
        self.assertIn("no HTML report is written", errors)

    @unittest.skipIf(SYNTH is None, "needs synth")
    def test_few_of_many_connections_are_shown_in_full(self):
        path = self.folder / "many.pcap"
        subprocess.run([SYNTH, "-o", path, "--packets", "60000", "--qps", "200", "--operations", "send,write,read", "--sizes", "64,4K",
                        "--loss", "0.002"], check=True)
        data, folder, report = self.run_on(path)
        detailed = data["meta"]["detailed"]
        self.assertEqual(len(detailed), 64)
        self.assertLess(os.path.getsize(self.folder / "1.html"), 20e6)
        troubled = {row["number"] for row in self.rows(folder, "messages") if row["resent"] == "true" or row["outcome"] != "completed"}
        self.assertEqual({str(row["number"]) for row in data.rows("messages")}, troubled)
        self.assertEqual(data["table-messages"]["left_out"], len(self.rows(folder, "messages")) - len(troubled))
        self.assertIn(f"{len(report['connections']) - 64} of", data["meta"]["left_out"][0])
        rows = collections.defaultdict(list)
        for row in self.rows(folder, "messages"):
            rows[int(row["connection"])].append(row)
        names = ["rocescope.connection", "frame.number", "rocescope.verdict", "rocescope.verdict.cause", "rocescope.verdict.lost"]
        packets = collections.defaultdict(list)
        for number, *line in fields([PROGRAM, "dissect", "-q"], path, names, "-Y", "rocescope.connection"):
            packets[int(number)].append(line)
        for number, connection in data.connections.items():
            points, classes = connection["points"], connection["classes"]
            mine = [[str(frame), *(classes[index][key] for key in ("verdict", "cause", "lost"))]
                    for frame, index in zip(running(points["frame"]), points["class"], strict=True)]
            self.assertEqual(mine, packets[number])
            frames = running(connection["messages"]["first_frame"])
            self.assertEqual(sorted(frames), sorted(int(row["first_packet"]) for row in rows[number]))
            known = {int(row["first_packet"]): int(row["number"]) for row in rows[number]}
            for frame, name in zip(frames, connection["messages"]["number"], strict=True):
                self.assertIn(name, (None, known[frame]))
            self.assertIn("CM REQ", {event["label"]["title"] for event in connection["ladder"]["events"]})


if __name__ == "__main__":
    unittest.main()
