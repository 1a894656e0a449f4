#!/usr/bin/env python3
"""rocescope live in network namespaces: several interfaces, those that go away, what may be captured on."""
import json
import os
import pathlib
import re
import subprocess
import time

import network
from network import CAPTURES, EVERYTHING, LAB, LAB_PACKETS, LAB_ROCE, PROGRAM, Network, analyze, report_of, run, without_names


# Of the program, an hour once there is a file of this name where it runs. The kernel's stays as it is.
CLOCK_SET_BACK = r"""
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
int clock_gettime(clockid_t clock, struct timespec* time) {
  int status = syscall(SYS_clock_gettime, clock, time);
  if (clock == CLOCK_REALTIME && access("set_back", F_OK) == 0) time->tv_sec -= 3600;
  return status;
}
"""


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

    def test_clock_that_is_set_back_stops_nothing(self):
        self.join("second", "far2")
        library = self.folder / "clock.so"
        (self.folder / "clock.c").write_text(CLOCK_SET_BACK)
        try:
            run("cc", "-shared", "-fPIC", "-o", library, self.folder / "clock.c")
        except FileNotFoundError:
            self.skipTest("there is no C compiler")
        live = self.start("-i", self.HERE, "-i", "second", "--json", "--every", "200ms", *EVERYTHING,
                          before=("env", f"LD_PRELOAD={library}"))
        self.replay(LAB)
        live.wait_until_read(LAB_PACKETS)
        (self.folder / "set_back").touch()
        self.replay(LAB)
        live.wait_until_read(2 * LAB_PACKETS)
        lines = [json.loads(line) for line in live.end().splitlines()]
        self.assertEqual(lines[-1]["packets_read"], 2 * LAB_PACKETS)
        intervals = [line for line in lines if line["type"] == "interval"]
        self.assertGreater(min(line["duration"] for line in intervals), 0)
        for before, after in zip(intervals, intervals[1:]):
            self.assertEqual(after["time"] - before["time"], after["duration"])

    def test_one_that_goes_away_ends_the_capture_with_its_report(self):
        live = self.live()
        self.replay(LAB)
        live.wait_until_read(LAB_ROCE)
        run("ip", "-n", self.here, "link", "del", self.HERE)
        self.assertIn("1,241 packets", live.wait())
        self.assertEqual(live.process.returncode, 2)
        self.assertIn(f"rocescope: {self.HERE}: The interface disappeared\n", live.said())

    def test_that_have_the_same_packets_are_an_error(self):
        for words, message in (
                (("any", "lo"), "any also captures the packets of lo: they would count twice. Name only one of them"),
                ((self.HERE, "any"), f"any also captures the packets of {self.HERE}: they would count twice. Name only one of them"),
                ((self.HERE, self.HERE), f"{self.HERE} is named twice: its packets would count twice"),
                ((self.HERE, "another"), f"another is {self.HERE}: its packets would count twice")):
            if "another" in words:
                run("ip", "-n", self.here, "link", "property", "add", "dev", self.HERE, "altname", "another")
            options = [word for name in words for word in ("-i", name)]
            outcome = subprocess.run(["ip", "netns", "exec", self.here, PROGRAM, "live", "-a", "duration:1", *options],
                                     capture_output=True, text=True)
            self.assertEqual((outcome.returncode, outcome.stderr), (2, f"rocescope: {message}\n"))

    def test_one_that_is_down_for_a_while_is_gone_on_with(self):
        live = self.live("--json")
        self.replay(LAB)
        live.wait_until_read(LAB_ROCE)
        run("ip", "-n", self.here, "link", "set", self.HERE, "down")
        time.sleep(0.3)  # for live to meet it
        run("ip", "-n", self.here, "link", "set", self.HERE, "up")
        self.wait_for_link(self.HERE, self.FAR)
        self.replay(LAB)
        self.assertEqual(report_of(live.end())["packets_read"], 2 * LAB_ROCE)


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
        reported = re.findall(r"^  (\w+) \(", outcome.stdout + outcome.stderr, re.MULTILINE)
        self.assertEqual(here["time_stamp_types"], reported)

    def test_without_rights_tell_what_helps(self):
        text = run("setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups", PROGRAM, "interfaces")
        self.assertIn("cannot capture on lo: Operation not permitted. Run: sudo setcap cap_net_raw=ep ", text)


class Unseen(Network):
    """Hardware whose packets bypass the kernel, as a folder in the place of sysfs."""

    def setUp(self):
        super().setUp()
        self.port = self.folder / "sys/class/infiniband/mlx5_0/ports/1"
        (self.port / "gid_attrs/ndevs").mkdir(parents=True)
        (self.port / "gid_attrs/ndevs/0").write_text(f"{self.HERE}\n")
        (self.port / "counters").mkdir()
        self.count(1000)
        script = f"mount --bind '{self.folder / 'sys'}' /sys && exec \"$@\""
        self.sysfs = ("unshare", "--mount", "sh", "-c", script, "sh")

    def count(self, packets: int):
        """At once: live reads at any time."""
        new = self.folder / "new"
        new.write_text(f"{packets}\n")
        new.rename(self.port / "counters/port_rcv_packets")

    WARNING = "no RoCE captured on enp0s1, while mlx5_0 counted {} packets: RDMA hardware bypasses the kernel. " \
              "See: rocescope interfaces, man rocescope-capture\n"

    def test_packets_of_an_rdma_device_are_reported_while_nothing_is_captured(self):
        live = self.live(before=self.sysfs)
        self.count(1234)
        live.wait_for(self.WARNING.format(234))
        self.count(2000)
        live.end()
        self.assertEqual(live.said().count("no RoCE captured"), 1)
        self.assertEqual(live.process.returncode, 0)

    def test_they_are_reported_at_the_end_of_a_short_capture_and_of_one_of_other_packets(self):
        for words in (("-f", "arp"), EVERYTHING):
            with self.subTest(words=words):
                self.count(1000)
                live = self.live(*words, before=self.sysfs)
                self.count(1005)
                live.end()
                self.assertIn(self.WARNING.format(5), live.said())

    def test_nothing_is_reported_if_roce_is_captured_or_nothing_is_counted(self):
        self.count(1000)
        quiet = self.live(before=self.sysfs)
        time.sleep(2.5)  # two looks
        quiet.end()
        self.assertNotIn("no RoCE captured", quiet.said())
        live = self.live(before=self.sysfs)
        self.replay(LAB)
        live.wait_until_read(LAB_ROCE)
        self.count(1234)
        time.sleep(2.5)
        live.end()
        self.assertNotIn("no RoCE captured", live.said())

    def test_interfaces_say_how_to_see_them(self):
        text = self.inside(self.here, *self.sysfs, PROGRAM, "interfaces")
        self.assertIn(f"  {self.HERE}: captures do not see RoCE of mlx5_0: hardware bypasses the kernel. ", text)


# Somebody who may capture, and nothing else.
NOBODY = ("setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups", "--inh-caps=-all,+net_raw",
          "--ambient-caps=-all,+net_raw", "--bounding-set=-all,+net_raw")


class Rights(Network):
    def test_none_is_an_error_that_names_the_command(self):
        outcome = subprocess.run(["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups", PROGRAM, "live", "-i", "lo"],
                                 capture_output=True, text=True)
        self.assertEqual(outcome.returncode, 2)
        self.assertEqual(outcome.stderr, "rocescope: cannot capture on lo: Operation not permitted. "
                         f"Run: sudo setcap cap_net_raw=ep {PROGRAM}\n")

    def test_cap_net_raw_is_enough_and_given_up(self):
        live = self.live("--json", *EVERYTHING, before=NOBODY)
        status = pathlib.Path(f"/proc/{live.process.pid}/status").read_text()
        self.assertRegex(status, r"CapEff:\s+0{16}\n")
        self.assertRegex(status, r"CapPrm:\s+0{16}\n")
        self.replay(LAB)
        self.assertEqual(report_of(live.end())["packets_read"], LAB_PACKETS)

    def test_no_thread_is_no_obstacle(self):
        written = self.folder / "written.pcapng"
        for words in ((), ("-w", written)):
            for how_it_ends in ((), ("-c", "1000"), ("-a", "duration:3")):
                with self.subTest(words=words, how_it_ends=how_it_ends):
                    live = self.live("--json", *EVERYTHING, *words, *how_it_ends, before=(*NOBODY, "prlimit", "--nproc=0"))
                    self.assertEqual(len(os.listdir(f"/proc/{live.process.pid}/task")), 1)
                    self.replay(LAB)
                    report = report_of(live.wait() if how_it_ends else live.end())
                    packets = 1000 if "-c" in how_it_ends else LAB_PACKETS
                    self.assertEqual((live.process.returncode, report["packets_read"]), (0, packets))
                    if words:
                        self.assertEqual(len(self.fields(written, "frame.number")), packets)

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


if __name__ == "__main__":
    network.main()
