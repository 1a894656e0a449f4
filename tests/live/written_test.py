#!/usr/bin/env python3
"""rocescope live in network namespaces: what it writes.

Witnesses are tcpdump on the same interface, tshark and capinfos on what was written.
"""
import decimal
import json
import os
import re
import select
import signal
import socket
import subprocess
import time

import network
from network import EVERYTHING, LAB, LAB_PACKETS, LAB_ROCE, PROGRAM, Network, analyze, report_of, run


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

    def test_on_standard_output_ends_where_nobody_reads(self):
        """Also while no packet comes: where ssh went away, nobody else ends it."""
        for pair in (os.pipe, lambda: [end.detach() for end in socket.socketpair()]):
            reading, writing = pair()
            live = self.live("-w", "-", output_to=writing)
            os.close(writing)
            self.assertTrue(os.read(reading, 1))
            self.assertIsNone(live.process.poll())
            os.close(reading)
            self.assertEqual(live.process.wait(timeout=30), -signal.SIGPIPE)

    def test_is_there_before_the_end_when_nothing_more_comes(self):
        live = self.live("-w", self.folder / "written.pcapng")
        self.replay(LAB)
        network.wait_until(lambda: analyze(self.folder / "written.pcapng")["packets_read"] == LAB_ROCE, "all are written")
        live.end()

    def test_is_complete_where_the_analysis_stands_still(self):
        """Standard output is a pipe that nobody reads: updates fill it, and the analysis waits for room."""
        reading, writing = os.pipe()
        self.addCleanup(os.close, reading)
        written = self.folder / "written.pcapng"
        live = network.Live(["ip", "netns", "exec", self.here, PROGRAM, "live", "-i", self.HERE, "--json", "--every", "1ms",
                             "-B", "4096", "-w", written, *EVERYTHING], "capturing on", self.folder, output_to=writing)
        self.addCleanup(live.kill)
        network.wait_until(lambda: not select.select([], [writing], [], 0)[1], "the pipe is full")
        os.close(writing)
        loops = 60
        for _ in range(loops):  # each of them fits in the kernel's ring
            self.replay(LAB)
            time.sleep(0.05)
        everything = loops * LAB_PACKETS
        network.wait_until(lambda: analyze(written)["packets_read"] == everything, "all are written")
        live.send(signal.SIGINT)
        lines = b""
        while chunk := os.read(reading, 65536):
            lines += chunk
        live.process.wait(timeout=60)
        report = report_of(lines.decode())
        dropped = report["captures"][0]["interfaces"][0]["dropped_packets"]
        self.assertGreater(dropped, 0)
        self.assertEqual(report["packets_read"] + dropped, everything)
        last = [line for line in map(json.loads, lines.decode().splitlines()) if line["type"] == "interval"][-1]
        self.assertEqual(last["interfaces"][0]["not_analysed"], dropped)
        self.assertIn(f"{dropped:,} of those came too fast to be analysed, and were written", live.said())
        self.assertEqual(analyze(written)["captures"][0]["interfaces"][0]["dropped_packets"], 0)

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

    def test_number_of_files_ends_the_capture(self):
        for words, packets in ((("-b", "packets:100"), 300), (("-b", "filesize:100"), None), (("-b", "duration:0.2"), None)):
            with self.subTest(words):
                for file in self.ring():
                    file.unlink()
                live = self.live("--json", "-w", self.folder / "ring.pcapng", "-a", "files:3", *words, *EVERYTHING)
                self.replay(LAB, "--pps=1000")
                report = report_of(live.wait())
                self.assertEqual(live.process.returncode, 0)
                self.assertEqual(len(self.ring()), 3)
                in_files = sum(analyze(file)["packets_read"] for file in self.ring())
                self.assertEqual(report["packets_read"], in_files)
                self.assertEqual(in_files, packets or in_files)
                self.assertLess(in_files, LAB_PACKETS)

    def test_number_of_files_needs_files_that_end(self):
        for words, message in (
                (("-a", "files:2"), "option '-a' files:2 needs -w FILE"),
                (("-a", "files:2", "-w", "x.pcapng"), "-a files:N is the number of files to stop after. Add when a new file begins, "
                                                      "such as -b filesize:100000")):
            outcome = subprocess.run([PROGRAM, "live", "-i", "lo", *words], capture_output=True, text=True, cwd=self.folder)
            self.assertEqual((outcome.returncode, outcome.stderr), (2, f"rocescope: {message}\n"))

    def test_files_by_duration(self):
        live = self.live("-w", self.folder / "ring.pcapng", "-b", "duration:0.5", *EVERYTHING)
        self.replay(LAB, "--pps=600")
        live.end()
        files = [[decimal.Decimal(row[0]) for row in self.fields(file, "frame.time_epoch")] for file in self.ring()]
        self.assertGreater(len(files), 3)  # 1272 packets take two seconds, or longer
        self.assertEqual(sum(map(len, files)), LAB_PACKETS)
        for file, after in zip(files, files[1:]):
            self.assertLess(file[-1] - file[0], decimal.Decimal("0.5"))
            self.assertGreaterEqual(after[0] - file[0], decimal.Decimal("0.5"))


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

    def test_of_tables_ends_the_capture_with_its_report(self):
        disk = self.folder / "disk"
        disk.mkdir()
        run("mount", "-t", "tmpfs", "-o", "size=16k", "tmpfs", disk)
        self.addCleanup(subprocess.run, ["umount", disk])
        live = self.live("--json", "--csv", disk / "tables", *EVERYTHING)
        self.flood("--pps=5000")
        report = report_of(live.wait())
        self.assertGreater(report["packets_read"], 0)
        self.assertEqual(live.process.returncode, 2)
        self.assertIn(f"rocescope: cannot write {disk}/tables/messages.csv: No space left on device\n", live.said())

    def test_from_the_start_is_an_error(self):
        outcome = subprocess.run([PROGRAM, "live", "-i", "lo", "-w", "/dev/full"], capture_output=True, text=True)
        self.assertEqual(outcome.returncode, 2)
        self.assertEqual(outcome.stderr, "rocescope: cannot write /dev/full: No space left on device\n")


if __name__ == "__main__":
    network.main()
