#!/usr/bin/env python3
"""rocescope live in network namespaces: its updates while it captures, as JSON and for Prometheus."""
import json
import os
import re
import signal
import statistics
import subprocess

import network
from network import CAPTURES, EVERYTHING, LAB, PROGRAM, Network, report_of, run


class Updates(Network):
    def lines(self, text: str) -> dict:
        lines = [json.loads(line) for line in text.splitlines()]
        return {kind: [line for line in lines if line["type"] == kind] for kind in
                ("interval", "connection", "finding", "report")}

    def test_come_in_time_and_tell_all_that_happened(self):
        live = self.live("--json", "--every", "200ms", *EVERYTHING)
        self.replay(CAPTURES / "impaired_out-loss_heavy.pcapng", "--pps=200")
        early = lambda: self.lines("".join(line for line in live.output.read_text().splitlines(True) if line.endswith("\n")))
        network.wait_until(lambda: "packet_loss_before" in [line["id"] for line in early()["finding"]], "it is found")
        live.wait_until_read(213)
        self.assertEqual(early()["report"], [])
        reported = self.lines(live.end())
        (report,) = reported["report"]
        intervals = reported["interval"]
        self.assertGreater(len(intervals), 2)
        for before, after in zip(intervals, intervals[1:]):
            self.assertEqual(after["time"] - before["time"], after["duration"])
        # The last one ends with the capture; some may have had to wait for a processor.
        self.assertAlmostEqual(statistics.median(line["duration"] for line in intervals[:-1]) / 1e9, 0.2, delta=0.1)
        self.assertEqual(sum(line["packets"] for line in intervals), report["packets_read"])
        self.assertEqual(intervals[-1]["total"]["packets"], report["packets_read"])
        self.assertEqual(intervals[-1]["interfaces"], [{"name": self.HERE, "received_packets": report["packets_read"],
                                                        "dropped_by_kernel": 0, "dropped_by_interface": 0,
                                                        "not_analysed": 0}])
        last = {line["number"]: line for line in reported["connection"]}
        self.assertEqual({number: line["last_time"] for number, line in last.items()},
                         {each["number"]: each["last_time"] for each in report["connections"]})

    def test_tell_what_takes_more_than_connections(self):
        from scapy.utils import PcapReader
        frames = [bytes(frame) for frame in PcapReader(str(LAB))]
        wrong = [frame[:-1] + bytes([frame[-1] ^ 1]) for frame in frames]  # the last byte of the ICRC
        for words, sent, wanted in (((), wrong, "icrc_bad_all_tx"), (("-s", "50"), frames, "truncated_capture")):
            with self.subTest(wanted):
                live = self.live("--json", "--every", "100ms", *words)
                self.send(sent)
                lines = lambda: [line for line in live.output.read_text().splitlines(True) if line.endswith("\n")]
                network.wait_until(lambda: wanted in [json.loads(line).get("id") for line in lines()], "it is reported")
                self.assertIn(wanted, [finding["id"] for finding in report_of(live.end())["findings"]])

    def test_end_when_nobody_reads_them(self):
        command = f"{PROGRAM} live -i {self.HERE} --json --every 50ms | head -n 1"
        pipe = network.Live(["ip", "netns", "exec", self.here, "sh", "-c", command], "capturing on", self.folder)
        self.assertEqual(json.loads(pipe.wait())["type"], "interval")


    def test_nobody_reads_end_the_program_silently_with_metrics_as_without(self):
        for words in ((), ("--metrics", "0")):
            with self.subTest(words):
                reading, writing = os.pipe()
                live = subprocess.Popen(["ip", "netns", "exec", self.here, PROGRAM, "live", "-i", self.HERE, "--json", "--every",
                                         "50ms", *words], stdout=writing, stderr=subprocess.PIPE, text=True)
                os.close(writing)
                os.read(reading, 1)
                os.close(reading)
                said = live.communicate(timeout=30)[1]
                self.assertEqual(live.returncode, -signal.SIGPIPE)
                self.assertNotIn("pipe", said)


class ExpressLane(Network):
    """Two captures of the same packets: of one, packets that are what comes next are not looked at."""

    lines = Updates.lines

    def test_tells_the_same(self):
        sent = self.folder / "sent.pcap"
        run(network.SYNTH, "-o", sent, "--packets", "20000", "--qps", "32", "--loss", "0.002", "--operations", "send,write")
        for words in ((), ("-w", "FILE")):
            with self.subTest(words=words):
                lives = []
                for wish in ("off", "on"):
                    given = [self.folder / f"{wish}.pcapng" if word == "FILE" else word for word in words]
                    lives.append(self.live("--json", "-v", "--every", "100ms", *given, before=("env", f"ROCESCOPE_EXPRESS={wish}")))
                self.replay(sent, "--pps=20000")
                packets = max(live.counters()["received"] for live in lives)
                for live in lives:
                    live.wait_until_read(packets)
                reported = [self.lines(live.end()) for live in lives]
                for each, live in zip(reported, lives):
                    self.assertEqual("express lane" in live.said(), live is lives[1])
                    self.assertGreater(len(each["interval"]), 5)
                lane = re.search(r"express lane: ([\d,]+) packets", lives[1].said())[1]
                self.assertGreater(int(lane.replace(",", "")), packets / 4)
                for each in reported:
                    report = each["report"][0]
                    self.assertEqual(sum(line["packets"] for line in each["interval"]), packets)
                    self.assertEqual(each["interval"][-1]["total"]["packets"], report["packets_read"])
                full, express = ({
                    "report": each["report"],
                    "total": each["interval"][-1]["total"],
                    "connections": {line["number"]: {name: value for name, value in line.items() if name != "time"}
                                    for line in each["connection"]}} for each in reported)
                for name in full:
                    self.assertEqual(full[name], express[name], name)


def traced_commands(capture) -> dict[str, tuple[int, int]]:
    """By operation, what the host's kernel traced: commands that it issued and saw complete, and sectors of 512 bytes."""
    names = {"nvme_cmd_read": "Read", "nvme_cmd_write": "Write", "nvme_cmd_flush": "Flush", "nvme_cmd_write_zeroes": "Write Zeroes",
             "nvme_admin_identify": "Identify", "nvme_admin_get_log_page": "Get Log Page"}
    waiting, traced = {}, {}
    for line in capture.with_suffix(".ndjson").read_text().splitlines():
        event = json.loads(line)
        if event["event"] != "trace" or event["on"] != "client":
            continue
        queue, number = (int(re.search(rf"{each}=(\d+)", event["text"])[1]) for each in ("qid", "cmdid"))
        key = event["text"].partition(":")[0], queue, number
        if event["name"] == "nvme_setup_cmd":
            name, length = (re.search(each, event["text"]) for each in (r"cmd=\((\w+)", r"len=(\d+)"))
            waiting[key] = name and names.get(name[1]), int(length[1]) + 1 if length else 0
        elif event["name"] == "nvme_complete_rq" and key in waiting:
            operation, sectors = waiting.pop(key)
            if operation:
                before = traced.get(operation, (0, 0))
                traced[operation] = before[0] + 1, before[1] + sectors
    return traced


def metric_by_operation(text: str, name: str, protocol: str = "NVMe-oF") -> dict[str, float]:
    """What a metric has of a protocol."""
    lines = re.findall(rf'^{name}\{{protocol="{protocol}",operation="([^"]*)"\}} (\S+)$', text, re.MULTILINE)
    return {operation: float(value) for operation, value in lines}


class Metrics(Network):
    """A Prometheus server in the same namespace fetches them."""

    def setUp(self):
        super().setUp()
        run("ip", "-n", self.here, "link", "set", "lo", "up")

    def fetch(self, url: str) -> str:
        return self.inside(self.here, "/usr/bin/python3", "-c",
                           f"import urllib.request; print(urllib.request.urlopen({url!r}).read().decode())")

    def serve(self, *words):
        live = self.live("--metrics", "127.0.0.1:0", "--every", "200ms", *words)
        return live, re.search(r"metrics at (http://127\.0\.0\.1:\d+/metrics)\n", live.said())[1]

    def test_are_scraped_by_a_prometheus_server(self):
        live, url = self.serve("--json", *EVERYTHING)
        address = url.removeprefix("http://").removesuffix("/metrics")
        (self.folder / "prometheus.yml").write_text(
            "scrape_configs: [{job_name: roce, scrape_interval: 200ms, scrape_timeout: 200ms, "
            f"static_configs: [{{targets: ['{address}']}}]}}]\n")
        server = network.Live(["ip", "netns", "exec", self.here, "prometheus", f"--config.file={self.folder}/prometheus.yml",
                               f"--storage.tsdb.path={self.folder}/data", "--web.listen-address=127.0.0.1:9090"],
                              "Server is ready", self.folder)
        self.addCleanup(server.kill)
        self.replay(CAPTURES / "impaired_out-loss_heavy.pcapng")

        def value(query: str):
            from urllib.parse import quote
            result = json.loads(self.fetch(f"http://127.0.0.1:9090/api/v1/query?query={quote(query)}"))["data"]["result"]
            return float(result[0]["value"][1]) if result else None

        network.wait_until(lambda: value("rocescope_packets_total") == 213, "the server has them")
        got = {name: value(name) for name in (
            "rocescope_packets_total", "rocescope_bytes_total", "rocescope_roce_packets_total", "rocescope_naks_total",
            "rocescope_retransmitted_packets_total", 'rocescope_findings_total{id="packet_loss_before",severity="error"}',
            f'rocescope_interface_received_packets_total{{interface="{self.HERE}"}}',
            f'rocescope_interface_dropped_packets_total{{interface="{self.HERE}",by="kernel"}}')}
        report = report_of(live.end())
        requests = [side["requests"] for each in report["connections"] for side in each["sides"]]
        self.assertEqual(list(got.values()), [
            213, report["totals"]["bytes"], report["totals"]["roce_packets"], 9,
            sum(each["verdicts"].get("retransmission", 0) for each in requests), 1, 213, 0])

    def test_are_what_the_manual_names_and_promtool_accepts(self):
        live, url = self.serve(*EVERYTHING)
        self.replay(CAPTURES / "impaired_out-loss_heavy.pcapng")
        network.wait_until(lambda: "rocescope_packets_total 213\n" in self.fetch(url), "they are up to date")
        text = self.fetch(url)
        live.end()
        manual = run(PROGRAM, "__man", "live").replace("\\", "")
        names = set(re.findall(r"^# TYPE (rocescope_\w+)", text, re.MULTILINE))
        self.assertEqual(names, set(re.findall(r"\brocescope_\w+", manual)))
        ours = "".join(line + "\n" for line in text.splitlines() if "rocescope_" in line)
        subprocess.run(["promtool", "check", "metrics"], input=ours, text=True, check=True, capture_output=True)

    def test_count_the_commands_that_the_host_traced(self):
        capture = CAPTURES / "nvme_io.pcapng"
        live, url = self.serve("--json")
        self.assertNotIn("rocescope_commands_total{", self.fetch(url))
        self.replay(capture, "--pps=2000")
        packets = network.analyze(capture)["totals"]["roce_packets"]
        network.wait_until(lambda: f"rocescope_roce_packets_total {packets}\n" in self.fetch(url), "they are up to date")
        text = self.fetch(url)
        intervals = [line for line in map(json.loads, live.end().splitlines()) if line["type"] == "interval"]
        traced = traced_commands(capture)
        got = {name: metric_by_operation(text, f"rocescope_{name}") for name in (
            "commands_total", "failed_commands_total", "command_bytes_total", "command_latency_seconds_count",
            "command_latency_seconds_sum")}
        for operation, (commands, sectors) in traced.items():
            with self.subTest(operation):
                self.assertEqual(got["commands_total"][operation], commands)
                self.assertEqual(got["failed_commands_total"][operation], 0)
                self.assertEqual(got["command_latency_seconds_count"][operation], commands)
                self.assertGreater(got["command_latency_seconds_sum"][operation], 0)
                rows = [(line, row) for line in intervals for row in line["commands"]
                        if (row["protocol"], row["operation"]) == ("NVMe-oF", operation)]
                self.assertEqual(sum(row["commands"] for _, row in rows), commands)
                for line, row in rows:
                    seconds = line["duration"] / 1e9
                    self.assertAlmostEqual(row["commands_per_second"], row["commands"] / seconds, delta=0.51)
                    self.assertAlmostEqual(row["bytes_per_second"], row["bytes"] / seconds, delta=0.51)
                    self.assertEqual(row["commands"] > 0, "latency_p50" in row)
                if operation in ("Read", "Write"):
                    self.assertEqual(got["command_bytes_total"][operation], 512 * sectors)
                    self.assertEqual(sum(row["bytes"] for _, row in rows), 512 * sectors)

    def test_count_no_bytes_where_nobody_knows_how_many(self):
        """With 96 bytes of a packet an SRP command has no descriptor, which would say how many bytes it is about."""
        capture = CAPTURES / "srp_io.pcapng"
        live, url = self.serve("--json", "-s", "96")
        self.replay(capture, "--pps=2000")
        whole = network.analyze(capture)
        packets = whole["totals"]["roce_packets"]
        network.wait_until(lambda: f"rocescope_roce_packets_total {packets}\n" in self.fetch(url), "they are up to date")
        text = self.fetch(url)
        intervals = [line for line in map(json.loads, live.end().splitlines()) if line["type"] == "interval"]
        wanted = {}
        for row in whole["command_totals"]:
            sized = row["succeeded"] if row["at_least"] == 0 else 0
            known = wanted.get(row["operation"], (0, 0))
            wanted[row["operation"]] = known[0] + sized, known[1] + row["succeeded"] - sized
        self.assertGreater(wanted["Read(10)"][1], 10)
        unsized, of_bytes = (metric_by_operation(text, f"rocescope_{name}", "SRP") for name in ("unsized_commands_total", "command_bytes_total"))
        self.assertEqual(unsized, {operation: count for operation, (_, count) in wanted.items()})
        self.assertEqual(set(of_bytes.values()), {0})
        rows = [row for line in intervals for row in line["commands"]]
        for operation, (_, count) in wanted.items():
            self.assertEqual(sum(row["unsized"] for row in rows if row["operation"] == operation), count, operation)
        for row in rows:
            self.assertEqual(row["bytes"], 0)
            self.assertEqual("bytes_per_second" in row, row["unsized"] == 0, row)

    def test_have_buckets_of_latencies_that_add_up(self):
        live, url = self.serve()
        self.replay(CAPTURES / "nvme_io.pcapng", "--pps=2000")
        network.wait_until(lambda: 'rocescope_commands_total{' in self.fetch(url), "they are known")
        text = self.fetch(url)
        live.end()
        buckets = re.findall(r'^rocescope_command_latency_seconds_bucket\{.*operation="Read",le="([^"]+)"\} (\d+)$', text, re.MULTILINE)
        self.assertEqual(buckets[-1], ("+Inf", str(int(metric_by_operation(text, "rocescope_commands_total")["Read"]))))
        counts = [int(count) for _, count in buckets]
        self.assertEqual(counts, sorted(counts))

    def test_are_served_over_ipv6_where_the_server_can(self):
        run("ip", "netns", "exec", self.here, "sysctl", "-qw", "net.ipv6.conf.lo.disable_ipv6=0")
        command = ["ip", "netns", "exec", self.here, PROGRAM, "live", "-i", self.HERE, "--metrics", "[::1]:9417"]
        try:
            live = network.Live(command, "capturing on", self.folder)
        except AssertionError as error:
            self.assertIn("rocescope: cannot serve metrics at [::1]:9417: this host does not have the address, the port is in use, or the web "
                          "server of this build (civetweb) was made without IPv6\n", str(error))
            self.skipTest("civetweb was built without IPv6 here")
        self.addCleanup(live.kill)
        self.assertIn("metrics at http://[::1]:9417/metrics\n", live.said())
        self.assertIn("rocescope_packets_total 0\n", self.fetch("http://[::1]:9417/metrics"))

    def test_cannot_be_served_where_somebody_else_listens(self):
        _, url = self.serve()
        port = url.split(":")[2].split("/")[0]
        outcome = subprocess.run(["ip", "netns", "exec", self.here, PROGRAM, "live", "-i", self.HERE, "--metrics", port],
                                 capture_output=True, text=True)
        self.assertEqual((outcome.returncode, outcome.stderr), (
            2, f"rocescope: cannot serve metrics at 127.0.0.1:{port}: this host does not have the address, or the port is in use\n"))
        outcome = subprocess.run([PROGRAM, "live", "-i", "lo", "--metrics", "x"], capture_output=True, text=True)
        self.assertEqual((outcome.returncode, outcome.stderr), (
            2, "rocescope: metrics need ADDRESS:PORT such as 127.0.0.1:9417, not 'x'\n"))


if __name__ == "__main__":
    network.main()
