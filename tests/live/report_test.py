#!/usr/bin/env python3
"""rocescope live in network namespaces: what it reports.

The witness is what tcpdump writes on the same interface.
"""
import re
import signal

import network
from network import CAPTURES, EVERYTHING, LAB, PROGRAM, Network, analyze, report_of, run, without_names


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
            del each["capture_points"][0]["places"]
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
        live.wait_until_it_catches(signal.SIGUSR1)
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
    network.main()
