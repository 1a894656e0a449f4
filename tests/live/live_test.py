#!/usr/bin/env python3
"""rocescope live, on interfaces of network namespaces: what it reports, what it writes, how it ends.

Witnesses are tcpdump on the same interface, tshark and capinfos on what was written, and the kernel's counters.
"""
import json
import os
import pathlib
import re
import signal
import subprocess
import time
import unittest

import network
from network import CAPTURES, PROGRAM, Network, analyze, report_of, run, without_names

LAB = CAPTURES / "lab_rping_write_ud_atomic.pcap"
LAB_PACKETS, LAB_ROCE = 1272, 1241
EVERYTHING = ("-f", "")


class Report(Network):
    def test_is_that_of_analyze_on_what_was_written(self):
        for name in ("lab_rping_write_ud_atomic.pcap", "impaired_out-loss_heavy.pcapng", "rdmagen-cm-mixed.pcapng",
                     "ecn-heavy.pcapng", "vlan.pcapng", "ipv6.pcapng", "pingpong-ud.pcapng"):
            for words in (EVERYTHING, ()):
                with self.subTest(name, words=words):
                    written = self.folder / f"{name}{len(words)}.pcapng"
                    live = self.live("--json", "-w", written, *words)
                    self.replay(CAPTURES / name)
                    report = report_of(live.end())
                    self.assertEqual(live.process.returncode, 0, live.said())
                    self.assertGreater(report["packets_read"], 0)
                    self.assertEqual(without_names(report), without_names(analyze(written)))

    def test_is_that_of_analyze_on_what_tcpdump_wrote(self):
        dumped = self.folder / "dumped.pcap"
        tcpdump = self.tcpdump("-w", dumped)
        live = self.live("--json", *EVERYTHING)
        self.replay(LAB)
        report = without_names(report_of(live.end()))
        self.end_tcpdump(tcpdump)
        expected = without_names(analyze(dumped))
        self.maxDiff = 2000
        for each in (report, expected):
            del each["captures"][0]["interfaces"]  # a pcap file does not name them
        self.assertEqual(report, expected)

    def test_options_mean_what_they_mean_to_analyze(self):
        written = self.folder / "written.pcapng"
        options = ("--host", "192.168.2.25", "--qpn", "0x11", "--interval", "1ms", "-Y", "infiniband.bth.opcode < 64")
        live = self.live("--json", "-w", written, *options)
        self.replay(LAB)
        report = report_of(live.end())
        self.assertLess(report["totals"]["packets"], report["packets_read"])
        self.assertEqual(without_names(report), without_names(analyze(written, *options)))

    def test_is_text_without_json(self):
        live = self.live("-q", ready="")
        time.sleep(1)
        self.replay(LAB)
        text = live.end()
        self.assertTrue(text.startswith(f"{self.HERE}: 1,241 packets in "), text)
        self.assertEqual(live.said(), "")

    def test_of_nothing_says_so(self):
        live = self.live()
        self.assertTrue(live.end(signal.SIGTERM).startswith(f"{self.HERE}: no packets\n"))
        self.assertEqual(live.process.returncode, 0)

    def test_tables_and_messages_go_to_csv_as_well(self):
        live = self.live("--csv", self.folder / "live", "-w", self.folder / "written.pcapng")
        self.replay(LAB)
        live.end()
        run(PROGRAM, "analyze", "--csv", self.folder / "after", self.folder / "written.pcapng")
        for file in sorted((self.folder / "after").iterdir()):
            if file.name != "captures.csv":
                self.assertEqual((self.folder / "live" / file.name).read_text(), file.read_text(), file.name)

    def test_exit_code_tells_of_findings(self):
        live = self.live("--fail-on", "error")
        self.replay(CAPTURES / "impaired_out-loss_heavy.pcapng")
        live.end()
        self.assertEqual(live.process.returncode, 1)


class Updates(Network):
    def lines(self, text: str) -> dict:
        lines = [json.loads(line) for line in text.splitlines()]
        return {kind: [line for line in lines if line["type"] == kind] for kind in
                ("interval", "connection", "finding", "report")}

    def test_come_in_time_and_tell_all_that_happened(self):
        live = self.live("--json", "--every", "200ms", *EVERYTHING)
        self.replay(CAPTURES / "impaired_out-loss_heavy.pcapng", "--pps=200")
        time.sleep(0.5)
        early = self.lines("".join(line for line in live.output.read_text().splitlines(True) if line.endswith("\n")))
        self.assertIn("packet_loss_before", [line["id"] for line in early["finding"]])
        self.assertEqual(early["report"], [])
        told = self.lines(live.end())
        (report,) = told["report"]
        intervals = told["interval"]
        self.assertGreater(len(intervals), 5)
        for before, after in zip(intervals, intervals[1:]):
            self.assertEqual(after["time"] - before["time"], after["duration"])
        # The last one ends with the capture.
        for line in intervals[:-1]:
            self.assertAlmostEqual(line["duration"] / 1e9, 0.2, delta=0.15)
        self.assertEqual(sum(line["packets"] for line in intervals), report["packets_read"])
        self.assertEqual(intervals[-1]["total"]["packets"], report["packets_read"])
        self.assertEqual(intervals[-1]["interfaces"], [{"name": self.HERE, "received_packets": report["packets_read"],
                                                        "dropped_by_kernel": 0, "dropped_by_interface": 0}])
        last = {line["number"]: line for line in told["connection"]}
        self.assertEqual({number: line["last_time"] for number, line in last.items()},
                         {each["number"]: each["last_time"] for each in report["connections"]})

    def test_end_when_nobody_reads_them(self):
        command = f"{PROGRAM} live -i {self.HERE} --json --every 50ms | head -n 1"
        pipe = network.Live(["ip", "netns", "exec", self.here, "sh", "-c", command], "capturing on", self.folder)
        self.assertEqual(json.loads(pipe.wait())["type"], "interval")


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

        end = time.monotonic() + 20
        while value("rocescope_packets_total") != 213 and time.monotonic() < end:
            time.sleep(0.2)
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
        live, url = self.serve()
        self.replay(CAPTURES / "impaired_out-loss_heavy.pcapng")
        time.sleep(1)
        text = self.fetch(url)
        live.end()
        manual = run(PROGRAM, "__man", "live").replace("\\", "")
        names = set(re.findall(r"^# TYPE (rocescope_\w+)", text, re.MULTILINE))
        self.assertEqual(names, set(re.findall(r"\brocescope_\w+", manual)))
        ours = "".join(line + "\n" for line in text.splitlines() if "rocescope_" in line)
        subprocess.run(["promtool", "check", "metrics"], input=ours, text=True, check=True, capture_output=True)

    def test_cannot_be_served_where_somebody_else_listens(self):
        _, url = self.serve()
        port = url.split(":")[2].split("/")[0]
        outcome = subprocess.run(["ip", "netns", "exec", self.here, PROGRAM, "live", "-i", self.HERE, "--metrics", port],
                                 capture_output=True, text=True)
        self.assertEqual((outcome.returncode, outcome.stderr), (
            2, f"rocescope: cannot serve metrics at 127.0.0.1:{port}: the address is not here, or the port is taken\n"))
        outcome = subprocess.run([PROGRAM, "live", "-i", "lo", "--metrics", "x"], capture_output=True, text=True)
        self.assertEqual((outcome.returncode, outcome.stderr), (
            2, "rocescope: metrics need ADDRESS:PORT such as 127.0.0.1:9417, not 'x'\n"))


class Filter(Network):
    def frames(self):
        from scapy.all import IP, UDP, Dot1AD, Dot1Q, Ether, IPv6, Raw, TCP
        roce = Raw(b"\x64\x40\xff\xff\x00\x00\x00\x11\x00\x00\x00\x01" + bytes(20))
        inner = {
            "v2": (0x0800, IP(src="10.0.0.1", dst="10.0.0.2") / UDP(sport=49152, dport=4791) / roce),
            "v2.ip6": (0x86DD, IPv6(src="fd00::1", dst="fd00::2") / UDP(sport=49152, dport=4791) / roce),
            "v1": (0x8915, Raw(bytes(40)) / roce),
            "pfc": (0x8808, Raw(b"\x01\x01\x00\x08" + bytes(42))),
            "dns": (0x0800, IP(src="10.0.0.1", dst="10.0.0.2") / UDP(sport=53, dport=53) / roce),
            "tcp": (0x0800, IP(src="10.0.0.1", dst="10.0.0.2") / TCP(dport=4791) / roce),
            "fragment": (0x0800, IP(src="10.0.0.1", dst="10.0.0.2", frag=8, proto=17) / Raw(b"\x12\xb7" * 20)),
            "other": (0x88B5, Raw(b"\x12\xb7" * 30)),
        }
        tags = {"": (), "q": (Dot1Q(vlan=7),), "qq": (Dot1Q(vlan=7), Dot1Q(vlan=8)), "adq": (Dot1AD(vlan=7), Dot1Q(vlan=8))}
        for number, (tag, layers) in enumerate(tags.items()):
            for kind, (ethertype, payload) in inner.items():
                # The last byte of the address names the frame in what was captured.
                frame = Ether(dst="02:00:00:00:00:01", src=f"02:00:00:00:{number:02x}:{len(kind):02x}", type=ethertype)
                for at, layer in enumerate(layers):
                    layer = layer.copy()
                    layer.type = layers[at + 1].overload_fields.get(Ether, {}).get("type", 0x8100) if at + 1 < len(
                        layers) else ethertype
                    frame.type = {"Dot1Q": 0x8100, "Dot1AD": 0x88A8}[layers[0].__class__.__name__]
                    frame = frame / layer
                yield kind, tag, bytes(frame / payload)

    def passed(self, interface: str):
        frames = list(self.frames())
        live = self.start("-i", interface, "-w", self.folder / "written.pcapng")
        from scapy.all import Ether
        self.send([Ether(data) for _, _, data in frames], "--pps=2000")
        live.end()
        return frames, self.folder / "written.pcapng"

    def test_passes_roce_and_pfc_in_vlans_and_nothing_else(self):
        frames, written = self.passed(self.HERE)
        wanted = [data for kind, _, data in frames if kind in ("v2", "v2.ip6", "v1", "pfc")]
        from scapy.utils import PcapNgReader
        got = [bytes(packet) for packet in PcapNgReader(str(written))]
        self.assertEqual([data.hex() for data in got], [data.hex() for data in wanted])

    def test_passes_the_same_on_any(self):
        frames, written = self.passed("any")
        got = [int(row[0]) for row in self.fields(written, "frame.len")]
        # In cooked mode the Ethernet header and one tag make place for 20 bytes. Of two tags nothing is promised.
        wanted = [len(data) - 14 - (4 if tag else 0) + 20 for kind, tag, data in frames
                  if kind in ("v2", "v2.ip6", "v1", "pfc") and len(tag) < 2]
        self.assertEqual(got[:len(wanted)], wanted)

    def test_of_the_user_replaces_it(self):
        live = self.live("-f", "tcp", "-w", self.folder / "written.pcapng")
        self.replay(LAB)
        live.end()
        protocols = {row[0] for row in self.fields(self.folder / "written.pcapng", "ip.proto")}
        self.assertEqual(protocols, {"6"})
        self.assertIn("tcp", run("capinfos", self.folder / "written.pcapng"))

    def test_that_is_wrong_is_told_with_libpcaps_words(self):
        outcome = subprocess.run([PROGRAM, "live", "-i", "lo", "-f", "udp prt 4791"], capture_output=True, text=True)
        self.assertEqual(outcome.returncode, 2)
        self.assertRegex(outcome.stderr, "^rocescope: cannot filter lo with 'udp prt 4791': .*syntax error")


class Several(Network):
    def test_interfaces_are_merged_by_time(self):
        self.join("second", "far2")
        written = self.folder / "written.pcapng"
        live = self.start("-i", self.HERE, "-i", "second", "--json", "-w", written, *EVERYTHING)
        other = subprocess.Popen(["ip", "netns", "exec", self.far, "tcpreplay", "-q", "-i", "far2", "--pps=20000",
                                  CAPTURES / "lab_pingpong_atomic_udaddy.pcap"], stdout=subprocess.DEVNULL)
        self.replay(LAB, "--pps=20000")
        other.wait()
        report = report_of(live.end())
        rows = self.fields(written, "frame.time_epoch", "frame.interface_name")
        self.assertEqual(len(rows), LAB_PACKETS + 1288)
        self.assertEqual({row[1] for row in rows}, {self.HERE, "second"})
        times = [row[0] for row in rows]
        self.assertEqual(times, sorted(times))
        self.assertEqual(report["totals"]["out_of_order_packets"], 0)
        self.assertEqual(without_names(report), without_names(analyze(written)))

    def test_one_that_goes_away_ends_the_capture_with_its_report(self):
        live = self.live()
        self.replay(LAB)
        time.sleep(0.5)
        run("ip", "-n", self.here, "link", "del", self.HERE)
        self.assertIn("1,241 packets", live.wait())
        self.assertEqual(live.process.returncode, 2)
        self.assertIn(f"rocescope: {self.HERE}: ", live.said())

    def test_one_that_is_down_for_a_while_is_gone_on_with(self):
        live = self.live("--json")
        self.replay(LAB)
        time.sleep(0.5)
        for state in ("down", "up"):
            run("ip", "-n", self.here, "link", "set", self.HERE, state)
            time.sleep(0.3)
        self.replay(LAB)
        self.assertEqual(report_of(live.end())["packets_read"], 2 * LAB_ROCE)


class Written(Network):
    def test_is_what_tcpdump_writes_at_the_same_time(self):
        tcpdump = self.tcpdump("-w", self.folder / "dumped.pcap")
        live = self.live("-w", self.folder / "written.pcapng", *EVERYTHING)
        self.replay(LAB, "--topspeed", "--loop=20")
        live.end()
        self.end_tcpdump(tcpdump)
        run("tshark", "-F", "pcap", "-r", self.folder / "written.pcapng", "-w", self.folder / "written.pcap")
        fields = ("frame.time_epoch", "frame.len", "frame.cap_len", "frame.md5_hash")
        rows = [self.fields(self.folder / name, *fields) for name in ("written.pcapng", "dumped.pcap")]
        self.assertEqual(len(rows[0]), 20 * LAB_PACKETS)
        self.assertEqual(*rows)

    def test_snap_length_cuts_and_says_so(self):
        live = self.live("-s", "100", "-w", self.folder / "written.pcapng")
        self.replay(LAB)
        live.end()
        rows = self.fields(self.folder / "written.pcapng", "frame.len", "frame.cap_len")
        self.assertEqual({int(row[1]) for row in rows if int(row[0]) > 100}, {100})
        self.assertIn("Capture length = 100", run("capinfos", self.folder / "written.pcapng"))

    def test_has_statistics_at_its_end(self):
        live = self.live("-w", self.folder / "written.pcapng")
        self.replay(LAB)
        live.end()
        blocks = (self.folder / "written.pcapng").read_bytes()
        length = int.from_bytes(blocks[-4:], "little")
        last = blocks[-length:]
        self.assertEqual(int.from_bytes(last[:4], "little"), 5)
        self.assertIn((4).to_bytes(2, "little") + (8).to_bytes(2, "little") + LAB_ROCE.to_bytes(8, "little"), last)
        self.assertIn((5).to_bytes(2, "little") + (8).to_bytes(2, "little") + bytes(8), last)

    def test_on_standard_output_goes_to_other_programs(self):
        command = f"{PROGRAM} live -i {self.HERE} -c {LAB_ROCE} -w - | tshark -r - -T fields -e frame.number | tail -n 1"
        pipe = network.Live(["ip", "netns", "exec", self.here, "sh", "-c", command], "capturing on", self.folder)
        self.replay(LAB)
        self.assertEqual(pipe.wait().strip(), str(LAB_ROCE))
        self.assertIn(f"{self.HERE}: 1,241 packets in ", pipe.said())

    def test_is_there_before_the_end_when_nothing_more_comes(self):
        live = self.live("-w", self.folder / "written.pcapng")
        self.replay(LAB)
        end = time.monotonic() + 5
        while time.monotonic() < end and analyze(self.folder / "written.pcapng")["packets_read"] < LAB_ROCE:
            time.sleep(0.05)
        self.assertEqual(analyze(self.folder / "written.pcapng")["packets_read"], LAB_ROCE)
        live.end()

    def ring(self):
        return sorted(self.folder.glob("ring_*.pcapng"))

    def test_ring_of_files_by_size_keeps_the_newest(self):
        live = self.live("--json", "-w", self.folder / "ring.pcapng", "-b", "filesize:100", "-b", "files:3", *EVERYTHING)
        self.replay(LAB)
        report = report_of(live.end())
        self.assertEqual(report["packets_read"], LAB_PACKETS)
        files = self.ring()
        self.assertEqual(len(files), 3)
        for file in files:
            self.assertRegex(file.name, r"^ring_\d{5}_\d{14}\.pcapng$")
            # One packet may go beyond the size, and the statistics.
            self.assertLess(file.stat().st_size, 102_000 + 9000)
            self.assertIn("Number of stat entries = 1", run("capinfos", file))
        numbers = [int(file.name.split("_")[1]) for file in files]
        self.assertEqual(numbers, list(range(numbers[0], numbers[0] + 3)))
        self.assertGreater(numbers[0], 1)

    def test_files_together_have_every_packet(self):
        tcpdump = self.tcpdump("-w", self.folder / "dumped.pcap")
        live = self.live("-w", self.folder / "ring.pcapng", "-b", "packets:100", *EVERYTHING)
        self.replay(LAB)
        live.end()
        self.end_tcpdump(tcpdump)
        self.assertEqual(len(self.ring()), 13)
        together = [row for file in self.ring() for row in self.fields(file, "frame.time_epoch", "frame.md5_hash")]
        self.assertEqual(together, self.fields(self.folder / "dumped.pcap", "frame.time_epoch", "frame.md5_hash"))

    def test_files_by_duration(self):
        live = self.live("-w", self.folder / "ring.pcapng", "-b", "duration:0.5", *EVERYTHING)
        self.replay(LAB, "--pps=600")
        live.end()
        times = [[float(row[0]) for row in self.fields(file, "frame.time_epoch")] for file in self.ring()]
        self.assertIn(len(times), (4, 5))
        for file in times:
            self.assertLess(file[-1] - file[0], 0.5)


class End(Network):
    def test_after_a_number_of_packets(self):
        for words in (("-c", "100"), ("-a", "packets:100")):
            live = self.live("--json", "-w", self.folder / "written.pcapng", *words)
            self.replay(LAB)
            self.assertEqual(report_of(live.wait())["packets_read"], 100)
            self.assertEqual(len(self.fields(self.folder / "written.pcapng", "frame.number")), 100)

    def test_after_a_time(self):
        began = time.monotonic()
        live = self.live("-a", "duration:1")
        self.assertTrue(live.wait().startswith(f"{self.HERE}: no packets\n"))
        self.assertGreater(time.monotonic() - began, 1)
        self.assertLess(time.monotonic() - began, 5)

    def test_after_a_file_size(self):
        live = self.live("-a", "filesize:50", "-w", self.folder / "written.pcapng")
        self.replay(LAB)
        live.wait()
        size = (self.folder / "written.pcapng").stat().st_size
        self.assertGreaterEqual(size, 50_000)
        self.assertLess(size, 53_000)

    def test_what_came_before_the_signal_is_reported(self):
        # In its ring the kernel may have packets of the last tenth of a second.
        for number in (signal.SIGINT, signal.SIGTERM):
            for _ in range(5):
                live = self.live("--json", *EVERYTHING)
                self.replay(LAB)
                self.assertEqual(report_of(live.end(number))["packets_read"], LAB_PACKETS)
                self.assertEqual(live.process.returncode, 0)

    def test_under_load_is_not_put_off(self):
        live = self.live("--json", *EVERYTHING)
        flood = subprocess.Popen(["ip", "netns", "exec", self.far, "tcpreplay", "-q", "--preload-pcap", "-i", self.FAR,
                                  "--topspeed", "--loop=100000", LAB], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(flood.wait)
        self.addCleanup(flood.kill)
        time.sleep(1)
        began = time.monotonic()
        report = report_of(live.end())
        self.assertLess(time.monotonic() - began, 5)
        self.assertGreater(report["packets_read"], 10_000)

    def test_by_sigkill_leaves_a_readable_file(self):
        flood = subprocess.Popen(["ip", "netns", "exec", self.far, "tcpreplay", "-q", "--preload-pcap", "-i", self.FAR,
                                  "--pps=50000", "--loop=100000", LAB], stdout=subprocess.DEVNULL,
                                 stderr=subprocess.DEVNULL)
        self.addCleanup(flood.wait)
        self.addCleanup(flood.kill)
        for round_ in range(10):
            written = self.folder / "written.pcapng"
            live = self.live("-w", written, *EVERYTHING)
            time.sleep(0.05 + 0.037 * round_)
            live.kill()
            self.assertGreater(analyze(written)["packets_read"], 0)
            tshark = subprocess.run(["tshark", "-r", written, "-T", "fields", "-e", "frame.number"], capture_output=True,
                                    text=True)
            self.assertTrue(tshark.returncode == 0 or "cut short" in tshark.stderr, tshark.stderr)
            self.assertEqual(len(tshark.stdout.split()), analyze(written)["packets_read"])


class Signals(Network):
    def test_usr1_prints_counters(self):
        live = self.live("-w", self.folder / "written.pcapng")
        self.replay(LAB)
        time.sleep(0.5)
        live.send(signal.SIGUSR1)
        live.wait_for("written, 1 file\n")
        self.assertIn(f"rocescope: {self.HERE}: 1,241 packets received, 0 dropped by the kernel, 0 by the interface\n"
                      "rocescope: 1,241 packets read, 1,241 of them RoCE\n"
                      "rocescope: 1,241 packets written, 1 file\n", live.said())
        live.end()
        self.assertEqual(live.process.returncode, 0)

    def test_usr2_flushes_under_load(self):
        written = self.folder / "written.pcapng"
        live = self.live("-w", written, *EVERYTHING)
        self.replay(LAB)
        live.send(signal.SIGUSR2)
        live.send(signal.SIGUSR2)
        self.assertGreater(json.loads(live.end() and json.dumps(analyze(written)))["packets_read"], 0)
        self.assertEqual(live.process.returncode, 0)


class FullDisk(Network):
    def test_keeps_what_was_written_and_reports(self):
        disk = self.folder / "disk"
        disk.mkdir()
        run("mount", "-t", "tmpfs", "-o", "size=300k", "tmpfs", disk)
        self.addCleanup(subprocess.run, ["umount", disk])
        live = self.live("--json", "-w", disk / "written.pcapng", *EVERYTHING)
        self.replay(LAB, "--pps=5000")
        report = report_of(live.wait())
        self.assertEqual(live.process.returncode, 2)
        message = re.search(r"rocescope: cannot write (.*): No space left on device. ([\d,]+) packets were written before\n",
                            live.said())
        self.assertIsNotNone(message, live.said())
        kept = int(message[2].replace(",", ""))
        self.assertEqual(analyze(disk / "written.pcapng")["packets_read"], kept)
        self.assertGreaterEqual(report["packets_read"], kept)
        self.assertEqual(len(self.fields(disk / "written.pcapng", "frame.number")), kept)

    def test_from_the_start_is_an_error(self):
        outcome = subprocess.run([PROGRAM, "live", "-i", "lo", "-w", "/dev/full"], capture_output=True, text=True)
        self.assertEqual(outcome.returncode, 2)
        self.assertEqual(outcome.stderr, "rocescope: cannot write /dev/full: No space left on device\n")


class Rights(Network):
    def test_none_is_an_error_that_names_the_command(self):
        outcome = subprocess.run(["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups", PROGRAM, "live", "-i", "lo"],
                                 capture_output=True, text=True)
        self.assertEqual(outcome.returncode, 2)
        self.assertEqual(outcome.stderr, "rocescope: cannot capture on lo: Operation not permitted. "
                         f"Run: sudo setcap cap_net_raw=ep {PROGRAM}\n")

    def test_cap_net_raw_is_enough_and_given_up(self):
        live = self.live("--json", *EVERYTHING, before=(
            "setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups", "--inh-caps=-all,+net_raw",
            "--ambient-caps=-all,+net_raw", "--bounding-set=-all,+net_raw"))
        status = pathlib.Path(f"/proc/{live.process.pid}/status").read_text()
        self.assertRegex(status, r"CapEff:\s+0{16}\n")
        self.assertRegex(status, r"CapPrm:\s+0{16}\n")
        self.replay(LAB)
        self.assertEqual(report_of(live.end())["packets_read"], LAB_PACKETS)

    def test_z_becomes_a_user_who_owns_what_is_written(self):
        written = self.folder / "written.pcapng"
        live = self.live("-Z", "nobody", "--json", "-w", written)
        status = pathlib.Path(f"/proc/{live.process.pid}/status").read_text()
        nobody = run("id", "-u", "nobody").strip()
        self.assertRegex(status, rf"Uid:\s+{nobody}\s+{nobody}\s+{nobody}\s+{nobody}\n")
        self.assertRegex(status, r"CapEff:\s+0{16}\n")
        self.replay(LAB)
        self.assertEqual(report_of(live.end())["packets_read"], LAB_ROCE)
        self.assertEqual(str(written.stat().st_uid), nobody)

    def test_z_of_nobody_known_is_an_error(self):
        outcome = subprocess.run([PROGRAM, "live", "-i", "lo", "-Z", "xyzzy"], capture_output=True, text=True)
        self.assertEqual((outcome.returncode, outcome.stderr), (2, "rocescope: cannot become xyzzy: there is no such user\n"))


class Drops(Network):
    def synthetic(self, *words) -> pathlib.Path:
        """Connections that were set up before; nothing is lost on them."""
        made = self.folder / "made.pcap"
        run(network.SYNTH, "-o", made, "--setup", "none", *words)
        return made

    def test_are_counted_to_the_packet_and_blamed_on_nobody_else(self):
        written = self.folder / "written.pcapng"
        made = self.synthetic("--packets", "20000", "--qps", "8")
        live = self.live("--json", "-B", "4096", "-w", written, *EVERYTHING)
        # What does not fit into the ring while it sleeps is dropped: at the end, and then in the middle.
        live.send(signal.SIGSTOP)
        self.replay(made)
        live.send(signal.SIGCONT)
        time.sleep(0.5)
        self.replay(self.synthetic("--packets", "3000", "--qps", "8", "--seed", "1"))
        sent = json.loads(self.inside(self.far, "ip", "-j", "-s", "link", "show", self.FAR))[0]["stats64"]["tx"]["packets"]
        report = report_of(live.end())
        dropped = report["captures"][0]["interfaces"][0]["dropped_packets"]
        self.assertGreater(dropped, 1000)
        self.assertEqual(report["packets_read"] + dropped, sent)
        self.assertEqual(without_names(report), without_names(analyze(written)))
        self.assertIn("lost while capturing", live.said())
        found = {finding["id"] for finding in report["findings"]}
        self.assertIn("capture_loss", found)
        self.assertFalse(found & {"packet_loss_before", "packet_loss_after"}, found)

    def test_are_none_where_the_ring_is_large_enough(self):
        made = self.synthetic("--packets", "20000", "--qps", "8")
        live = self.live("--json", *EVERYTHING)
        live.send(signal.SIGSTOP)
        self.replay(made)
        live.send(signal.SIGCONT)
        report = report_of(live.end())
        self.assertEqual(report["captures"][0]["interfaces"][0]["dropped_packets"], 0)
        self.assertEqual(report["packets_read"], len(self.fields(made, "frame.number")))
        self.assertEqual({f["id"] for f in report["findings"] if f["severity"] != "note"}, set())


class Interfaces(Network):
    def test_are_those_of_the_kernel(self):
        listed = json.loads(self.inside(self.here, PROGRAM, "interfaces", "--json"))["interfaces"]
        kernel = {link["ifname"] for link in json.loads(self.inside(self.here, "ip", "-j", "link"))}
        self.assertEqual({each["name"] for each in listed}, kernel | {"any"})
        here = next(each for each in listed if each["name"] == self.HERE)
        self.assertEqual((here["up"], here["running"], here["link_type"], here["capturable"]), (True, True, "EN10MB", True))
        loopback = next(each for each in listed if each["name"] == "lo")  # down in a new namespace
        self.assertEqual((loopback["up"], loopback["capturable"]), (False, False))
        self.assertEqual(loopback["problem"], "cannot capture on lo: That device is not up. Run: sudo ip link set lo up")

    def test_time_stamp_types_are_those_of_tcpdump(self):
        listed = json.loads(self.inside(self.here, PROGRAM, "interfaces", "--json"))["interfaces"]
        here = next(each for each in listed if each["name"] == self.HERE)
        outcome = subprocess.run(["ip", "netns", "exec", self.here, "tcpdump", "-J", "-i", self.HERE], capture_output=True, text=True)
        told = re.findall(r"^  (\w+) \(", outcome.stdout + outcome.stderr, re.MULTILINE)
        self.assertEqual(here["time_stamp_types"], told)

    def test_without_rights_tell_what_helps(self):
        text = run("setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups", PROGRAM, "interfaces")
        self.assertIn("cannot capture on lo: Operation not permitted. Run: sudo setcap cap_net_raw=ep ", text)


class Examples(Network):
    def test_of_the_help_text_work(self):
        commands = re.findall(r"^  (rocescope live .*)$", run(PROGRAM, "help", "live"), re.MULTILINE)
        self.assertGreater(len(commands), 3)
        for command in commands:
            with self.subTest(command):
                script = command.replace("rocescope", f"exec {PROGRAM}", 1).split("|")[0]
                if "duration" in script:
                    continue  # a minute
                live = network.Live(["ip", "netns", "exec", self.here, "sh", "-c", script], "capturing on", self.folder)
                live.end()
                self.assertEqual(live.process.returncode, 0, live.said())


if __name__ == "__main__":
    network.require()
    os.umask(0o022)
    unittest.main(verbosity=2)
