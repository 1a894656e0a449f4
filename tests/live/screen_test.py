#!/usr/bin/env python3
"""The screen of rocescope live, driven in tmux: keys are typed, and what the terminal shows is read.

What should be on it follows from what was sent; the layout has tests of its own, on whole screens.
"""
import os
import re
import shutil
import signal
import subprocess
import sys
import time
import unittest

import network
from network import CAPTURES, PROGRAM, Network, analyze, run

HEAVY = CAPTURES / "impaired_out-loss_heavy.pcapng"
HEAVY_ROCE = 169


class Screen(Network):
    WIDTH, HEIGHT = 80, 24

    def setUp(self):
        super().setUp()
        self.socket = f"rocescope-{os.getpid()}-{self.here}"
        self.addCleanup(subprocess.run, ["tmux", "-L", self.socket, "kill-server"], capture_output=True)
        run("tmux", "-L", self.socket, "-f", "/dev/null", "-u", "new-session", "-d", "-x", self.WIDTH, "-y", self.HEIGHT,
            "ip", "netns", "exec", self.here, "bash", "--norc", env=dict(os.environ, LC_ALL="C.UTF-8", PS1="$ "))
        self.modes = self.modes_of_terminal()

    def tmux(self, *words) -> str:
        return run("tmux", "-L", self.socket, *words)

    def press(self, *keys: str):
        self.tmux("send-keys", *keys)

    def type(self, text: str):
        self.tmux("send-keys", "-l", text)

    def lines(self) -> list:
        return self.tmux("capture-pane", "-p").splitlines()

    def see(self, text: str, seconds: float = 30) -> list:
        """The lines of the screen, once `text`, a regular expression, is on it."""
        end = time.monotonic() + seconds
        while not re.search(text, "\n".join(lines := self.lines())) and time.monotonic() < end:
            time.sleep(0.05)
        self.assertRegex("\n".join(lines), text)
        return lines

    def settled(self, first: int = 0) -> list:
        """The lines of the screen from `first` on, once they are painted: what is read meanwhile may be of both what was there and
        what comes. The first line has a clock."""
        before = None
        while before != (lines := self.lines()[first:]):
            before = lines
            time.sleep(0.3)
        return lines

    def modes_of_terminal(self) -> str:
        """By stty: echo, line editing and the like."""
        number = time.monotonic_ns()  # the one before may still be on the screen
        file = self.folder / f"modes{number}"
        self.press("clear", "Enter")
        self.type(f"stty -g > {file}; echo modes={number}")
        self.press("Enter")
        self.see(f"(?m)^modes={number}")
        return file.read_text()

    def watch(self, *words):
        self.type(" ".join(str(word) for word in (PROGRAM, "live", "-i", self.HERE, "--every", "100ms", *words)) + "; echo ended=$?")
        self.press("Enter")
        self.see(r"q quit  Enter open")

    def pid(self) -> int:
        shell = int(self.tmux("display-message", "-p", "#{pane_pid}"))
        return int(run("pgrep", "-P", shell, "rocescope"))

    def assert_terminal_is_back(self, code: int):
        self.see(f"(?m)^ended={code}")
        self.assertEqual(self.modes_of_terminal(), self.modes)
        self.assertEqual(self.tmux("display-message", "-p", "#{alternate_on} #{cursor_flag}"), "0 1\n")

    def test_shows_what_comes_and_ends_with_the_report(self):
        written = self.folder / "written.pcapng"
        self.watch("-w", written)
        lines = self.see("No findings")
        self.assertRegex(lines[0], rf"^ rocescope live  {self.HERE} .* [\d.]+ m?s$")
        self.assertEqual(lines[5], " None so far: no RoCE packet came.")
        self.replay(HEAVY, "--pps=500")
        self.see(r"(?s)^[^\n]*\n[^\n]*NAKs +9 .*\n Connections 1, by trouble\n.*\n  1 192\.168\.2\.25 > 192\.168\.2\.24 [^\n]* 79\n"
                 ".*Newest findings.*error")
        self.press("q")
        self.assert_terminal_is_back(0)
        self.assertEqual(analyze(written)["totals"]["packets"], HEAVY_ROCE)

    def test_report_is_what_stays_on_the_terminal(self):
        self.watch("-q")
        self.replay(HEAVY, "--pps=1000")
        self.see(r"(?m)^  1 192\.168\.2\.25")
        self.tmux("resize-window", "-x", "200", "-y", "60")
        self.press("q")
        self.see("(?m)^ended=0")
        self.assertIn(f"{self.HERE}: {HEAVY_ROCE} packets in ", "\n".join(self.lines()))

    def test_opens_a_connection(self):
        first, others = self.split(HEAVY, 100)
        packets = [side["packets"] for side in analyze(first)["connections"][0]["sides"]]
        self.watch()
        self.replay(first, "--pps=1000")
        self.see(r"(?m)^  1 192\.168\.2\.25")

        def all_is_there():
            return re.search("(?s)RTS +{} .*RTR +{} ".format(*packets), "\n".join(self.lines()))
        self.press("Enter")
        self.see("Connection 1: RC, MTU 1024")
        network.wait_until(all_is_there, "all packets were there")
        self.press("q")
        self.see("Connections 1, by trouble")
        self.press("Enter")
        self.see("Last messages")
        self.see(r"(?m)^!? *\d+ .*\|-- .*WRITE")  # from before it was opened
        self.replay(others, "--pps=1000")
        self.see(r"(?s)RTS +150 .*RTR +19 ")
        self.see(r"(?m)^!? *1\d\d .*\|-- .*WRITE")  # from after it was opened
        self.see(r"<- ACK +PSN 10657613 ")  # the last packet, which no other ended an event for
        self.see(r"\|-- .*WRITE")
        ladder = lambda: self.lines()[12:]
        newest = self.settled(12)
        self.press("Home")
        self.see(r"(?m)^.*\|-- .*WRITE")
        network.wait_until(lambda: ladder() != newest, "the ladder is another")
        self.press("End")
        network.wait_until(lambda: ladder() == newest, "the ladder is the newest again")
        self.press("q")
        self.see("Connections 1, by trouble")
        self.press("q")
        self.assert_terminal_is_back(0)

    def test_sorts_and_filters(self):
        made = self.folder / "made.pcap"
        run(network.SYNTH, "-o", made, "--setup", "none", "--packets", "20000", "--qps", "100")
        self.watch()
        self.replay(made, "--pps=20000")
        connections = len(analyze(made)["connections"])
        self.see(f"Connections 1-13 of {connections}, by trouble")
        self.press("n")
        first_words = lambda: [line.split()[:1] for line in self.lines()[5:18]]
        network.wait_until(lambda: first_words() == [[str(number)] for number in range(1, 14)], "they are sorted by number")
        self.press("G")
        self.see(f"{connections - 12}-{connections} of {connections}, by number")
        network.wait_until(lambda: first_words()[12] == [str(connections)], "the last is there")
        self.press("/")
        self.type("no such thing")
        self.see("Filter: no such thing_")
        self.see("None of them.")
        self.press("Escape")
        self.see(f"of {connections}, by number")
        self.press("e")
        self.see("with trouble, by number")
        self.press("q")
        self.assert_terminal_is_back(0)

    def test_pauses_while_the_capture_goes_on(self):
        self.watch()
        self.press("p")
        self.see("PAUSED at")
        before = self.settled()
        self.replay(HEAVY, "--pps=1000")
        time.sleep(0.5)
        self.assertEqual(self.lines(), before)
        self.press("p")
        self.see(r"(?m)^  1 192\.168\.2\.25 .* 79$")

    def test_saves_a_connection(self):
        run(network.SYNTH, "-o", self.folder / "made.pcap", "--setup", "none", "--packets", "3000", "--qps", "5")
        self.type(f"cd {self.folder}")
        self.press("Enter")
        (self.folder / "connection-2.pcapng").write_text("is not to be overwritten")
        first, others = self.split(self.folder / "made.pcap", 1500)
        self.watch()
        self.replay(first, "--pps=10000")
        self.see("Connections 5, by trouble")
        self.press("n")
        self.see("by number")
        connection = next(each for each in analyze(first)["connections"] if each["number"] == 2)
        self.press("Down", "Enter")
        self.see("(?s)" + ".*".join(rf" 0x{side['qpn']:06x} +RT[RS] +{side['packets']} " for side in connection["sides"]))
        self.press("s")
        self.see(r"connection 2 goes to connection-2-2\.pcapng, 0 packets by now")
        self.replay(others, "--pps=10000")
        queue_pairs = ", ".join(str(side["qpn"]) for side in connection["sides"])
        sent = run("tshark", "-n", "-o", "frame.generate_md5_hash:TRUE", "-r", others,
                   "-Y", f"infiniband.bth.destqp in {{{queue_pairs}}}", "-T", "fields", "-e", "frame.md5_hash").splitlines()
        self.see(f"connection-2-2.pcapng, {len(sent):,} packets by now")
        self.press("s")
        self.see(f"{len(sent):,} packets of connection 2 written to connection-2-2.pcapng")
        self.press("Up")
        self.see("q back")
        self.assertEqual(self.fields(self.folder / "connection-2-2.pcapng", "frame.md5_hash"), [[each] for each in sent])
        self.assertEqual((self.folder / "connection-2.pcapng").read_text(), "is not to be overwritten")

    def test_has_help(self):
        self.watch()
        self.press("?")
        self.see("any key: back")
        self.press("q")
        self.see("q quit")

    def test_follows_the_size_of_the_terminal(self):
        self.watch()
        for width, height in ((200, 60), (72, 14), (80, 24)):
            self.tmux("resize-window", "-x", str(width), "-y", str(height))
            self.see(r"(?m)^ q quit ")
            end = time.monotonic() + 5
            while not self.lines()[height - 1].startswith(" q quit") and time.monotonic() < end:
                time.sleep(0.05)
            self.assertTrue(self.lines()[height - 1].startswith(" q quit"), self.lines())
        self.tmux("resize-window", "-x", "40", "-y", "10")
        self.see("40 x 10; the screen takes")
        self.tmux("resize-window", "-x", "2", "-y", "1")
        time.sleep(0.3)
        self.tmux("resize-window", "-x", "80", "-y", "24")
        self.see(r"(?m)^ q quit ")

    def test_gives_the_terminal_back_after_signals(self):
        for number, code in ((signal.SIGINT, 0), (signal.SIGTERM, 0), (signal.SIGQUIT, 128 + signal.SIGQUIT),
                             (signal.SIGHUP, 128 + signal.SIGHUP), (signal.SIGSEGV, 128 + signal.SIGSEGV),
                             (signal.SIGABRT, 128 + signal.SIGABRT)):
            with self.subTest(number.name):
                self.type("ulimit -c 0; clear")
                self.press("Enter")
                self.watch("-q")
                os.kill(self.pid(), number)
                self.assert_terminal_is_back(code)

    def test_gives_the_terminal_back_after_two_signals_to_end(self):
        self.watch("-q")
        pid = self.pid()
        for number in (signal.SIGINT, signal.SIGTERM):
            os.kill(pid, number)
        network.wait_until(lambda: not os.path.exists(f"/proc/{pid}"), "it has ended")  # it would take what is typed
        self.type("echo code=$?")  # not behind the command: bash leaves that out where it died of SIGINT
        self.press("Enter")
        self.see("(?m)^code=(0|130|143)$")  # 0 where it had ended before the second came
        self.assertEqual(self.modes_of_terminal(), self.modes)
        self.assertEqual(self.tmux("display-message", "-p", "#{alternate_on} #{cursor_flag}"), "0 1\n")

    def test_gives_the_terminal_back_while_it_is_suspended(self):
        self.watch()
        self.press("C-z")
        self.see("Stopped")
        self.assertEqual(self.tmux("display-message", "-p", "#{alternate_on} #{cursor_flag}"), "0 1\n")
        self.type("fg")
        self.press("Enter")
        self.see(r"(?m)^ q quit ")
        self.press("q")
        self.see("ended=")

    def test_counters_do_not_disturb_it(self):
        self.watch()
        os.kill(self.pid(), signal.SIGUSR1)
        time.sleep(0.5)
        self.assertNotIn("received", "\n".join(self.lines()))
        self.press("q")
        self.see(f"{self.HERE}: 0 packets received")

    def test_is_not_there_when_nobody_wants_it(self):
        for number, words in enumerate(("--no-screen", "--json", "| cat", "< /dev/null")):
            with self.subTest(words):
                self.type(f"clear; {PROGRAM} live -i {self.HERE} -a duration:1 {words}; echo ended{number}=$?")
                self.press("Enter")
                time.sleep(0.5)
                self.assertEqual(self.tmux("display-message", "-p", "#{alternate_on}"), "0\n")
                self.see(f"(?m)^ended{number}=0")

    def test_terminal_that_is_unknown_gets_the_report(self):
        self.type(f"clear; TERM=none-such {PROGRAM} live -i {self.HERE} -a duration:1; echo ended=$?")
        self.press("Enter")
        lines = self.see("(?m)^ended=0")
        self.assertIn("no screen: cannot paint on a terminal of the type 'none-such'", "".join(lines))


if __name__ == "__main__":
    if not shutil.which("tmux"):
        print("skipped: not installed: tmux")
        sys.exit(network.NOT_HERE)
    network.require()
    unittest.main()
