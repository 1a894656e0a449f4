#!/usr/bin/env python3
"""rocescope live in network namespaces: how it ends, what signals do, what the kernel dropped.

Witnesses are tshark and capinfos on what was written, and the kernel's counters.
"""
import pathlib
import signal
import subprocess
import time

import network
from network import EVERYTHING, LAB, LAB_PACKETS, LAB_ROCE, Network, analyze, report_of, run, without_names


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
        self.assertLess(time.monotonic() - began, 20)

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
        self.flood("--topspeed")
        live.wait_until_read(10_000)
        began = time.monotonic()
        report = report_of(live.end())
        self.assertLess(time.monotonic() - began, 20)
        self.assertGreater(report["packets_read"], 10_000)

    def test_by_sigkill_leaves_a_readable_file(self):
        written = self.folder / "written.pcapng"
        self.flood("--pps=10000")
        for round_ in range(10):
            live = self.live("-w", written, *EVERYTHING)
            time.sleep(0.05 + 0.037 * round_)
            live.kill()
            self.packets_in(written)

    def test_by_sigkill_loses_no_packet_that_was_in_the_file(self):
        # The kernel gives packets when it has many, or after a tenth of a second, sometimes two tenths, as the manual says: until then the
        # file may have none.
        written = self.folder / "written.pcapng"
        self.flood("--pps=10000")
        for round_ in range(5):
            live = self.live("-w", written, *EVERYTHING)
            network.wait_until(lambda: analyze(written)["packets_read"] > 0, "the first packets are written")
            time.sleep(0.037 * round_)
            before = analyze(written)["packets_read"]
            live.kill()
            self.assertGreaterEqual(self.packets_in(written), before)

    def packets_in(self, written: pathlib.Path) -> int:
        """Of a file that may be cut in its last packet; capinfos must have as many."""
        packets = analyze(written)["packets_read"]
        capinfos = subprocess.run(["capinfos", "-T", "-r", "-M", "-c", written], capture_output=True, text=True)
        self.assertTrue(capinfos.returncode == 0 or "cut short" in capinfos.stderr, capinfos.stderr)
        self.assertEqual(int(capinfos.stdout.rsplit("\t", 1)[1]), packets)
        return packets


class Signals(Network):
    def test_usr1_prints_counters(self):
        live = self.live("-w", self.folder / "written.pcapng")
        self.replay(LAB)
        live.wait_until_read(LAB_ROCE)
        live.wait_for(f"rocescope: {self.HERE}: 1,241 packets received, 0 dropped by the kernel, 0 by the interface\n"
                      "rocescope: 1,241 packets read, 1,241 of them RoCE\n"
                      "rocescope: 1,241 packets written, 1 file\n")
        live.end()
        self.assertEqual(live.process.returncode, 0)

    def test_usr2_flushes_under_load(self):
        written = self.folder / "written.pcapng"
        live = self.live("-w", written, *EVERYTHING)
        self.replay(LAB)
        live.send(signal.SIGUSR2)
        live.send(signal.SIGUSR2)
        live.end()
        self.assertEqual(analyze(written)["packets_read"], LAB_PACKETS)
        self.assertEqual(live.process.returncode, 0)


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

        def has_caught_up():
            counters = live.counters()
            return counters["received"] == counters["dropped"] + counters["read"]
        network.wait_until(has_caught_up, "there is room in the ring")
        self.replay(self.synthetic("--packets", "3000", "--qps", "8", "--seed", "2"))
        sent = self.link(self.far, self.FAR)["stats64"]["tx"]["packets"]
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


if __name__ == "__main__":
    network.main()
