"""Two hosts as network namespaces, joined by a pair of interfaces; programs that run in them."""
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import daemons  # noqa: E402
from daemons import NOT_HERE, wait_until  # noqa: E402

PROGRAM = pathlib.Path(sys.argv.pop(1)).resolve()
SYNTH = pathlib.Path(sys.argv.pop(1)).resolve()
CAPTURES = pathlib.Path(__file__).resolve().parents[2] / "captures"

LAB = CAPTURES / "lab_rping_write_ud_atomic.pcap"
LAB_PACKETS, LAB_ROCE = 1272, 1241
EVERYTHING = ("-f", "")


def require():
    """Leaves where the tests cannot run, and says why."""
    daemons.require(("ip", "tcpreplay", "tcpdump", "tshark", "setpriv", "mount", "prometheus", "promtool"))
    if os.geteuid() != 0:
        print("skipped: only root can make network namespaces")
        sys.exit(NOT_HERE)
    trial = subprocess.run(["ip", "netns", "add", f"roce{os.getpid()}"], capture_output=True, text=True)
    if trial.returncode != 0:
        print("skipped: no network namespaces here:", trial.stderr.strip())
        sys.exit(NOT_HERE)
    subprocess.run(["ip", "netns", "del", f"roce{os.getpid()}"], check=True)


def main():
    """What each file of tests ends with."""
    require()
    os.umask(0o022)
    unittest.main(verbosity=2)


def run(*words, **options):
    return subprocess.run([str(word) for word in words], capture_output=True, text=True, check=True, **options).stdout


def analyze(*words):
    return json.loads(run(PROGRAM, "analyze", "--json", *words))


class Live:
    """rocescope live, or a program beside it, once it captures."""

    def __init__(self, words, ready: str, folder: pathlib.Path, output_to=None):
        self.errors = folder / f"errors{time.monotonic_ns()}"
        self.output = folder / f"output{time.monotonic_ns()}"
        with open(self.errors, "wb") as errors, open(self.output, "wb") as output:
            self.process = subprocess.Popen([str(word) for word in words], stdout=output_to or output, stderr=errors,
                                            cwd=folder)
        self.wait_for(ready)

    def wait_for(self, text: str, seconds: float = 30):
        end = time.monotonic() + seconds
        while text not in self.said() and self.process.poll() is None and time.monotonic() < end:
            time.sleep(0.01)
        if text not in self.said():
            raise AssertionError(f"waited for '{text}' in: {self.said()}")

    def wait_until_it_catches(self, number: int):
        """A signal: that of `live` are caught from when it captures on, -q or not."""
        def catches():
            status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
            return int(re.search(r"SigCgt:\s*(\w+)", status)[1], 16) >> (number - 1) & 1
        wait_until(catches, f"signal {number} is caught")

    def counters(self) -> dict:
        """What SIGUSR1 makes it print: packets that were `received` and `dropped` by the kernel, and that it `read`."""
        before = len(self.said())
        pattern = r"([\d,]+) packets? received, ([\d,]+) dropped by the kernel.*\n.*?([\d,]+) packets? read, .*\n"
        self.send(signal.SIGUSR1)
        wait_until(lambda: re.search(pattern, self.said()[before:]), "counters are printed")
        numbers = re.search(pattern, self.said()[before:]).groups()
        return dict(zip(("received", "dropped", "read"), (int(number.replace(",", "")) for number in numbers)))

    def wait_until_read(self, packets: int):
        wait_until(lambda: self.counters()["read"] >= packets, f"{packets} packets are read")

    def said(self) -> str:
        return self.errors.read_text()

    def send(self, number: int):
        self.process.send_signal(number)

    def end(self, number: int = signal.SIGINT) -> str:
        """Its standard output, after the signal."""
        self.send(number)
        return self.wait()

    def wait(self) -> str:
        self.process.wait(timeout=60)
        return self.output.read_text(errors="replace")

    def kill(self):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()


class Network(unittest.TestCase):
    """Each test has interfaces of its own: `enp0s1` is here, what goes into `far` there comes out of it."""
    HERE, FAR = "enp0s1", "far"
    _made = 0

    def setUp(self):
        Network._made += 1
        self.here, self.far = (f"roce{os.getpid()}-{Network._made}{side}" for side in "ab")
        for name in (self.here, self.far):
            run("ip", "netns", "add", name)
            self.addCleanup(subprocess.run, ["ip", "netns", "del", name], capture_output=True)
            # Nothing is to be sent but by the tests.
            self.inside(name, "sysctl", "-qw", "net.ipv6.conf.all.disable_ipv6=1", "net.ipv6.conf.default.disable_ipv6=1")
        self.join(self.HERE, self.FAR)
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.folder.chmod(0o777)

    def join(self, here: str, far: str):
        run("ip", "link", "add", here, "netns", self.here, "type", "veth", "peer", "name", far, "netns", self.far)
        for namespace, name in ((self.here, here), (self.far, far)):
            run("ip", "-n", namespace, "link", "set", name, "mtu", "9000", "arp", "off", "up")
        self.wait_for_link(here, far)

    def wait_for_link(self, here: str, far: str):
        """What is sent sooner is lost."""
        for namespace, name in ((self.here, here), (self.far, far)):
            wait_until(lambda: self.link(namespace, name)["operstate"] == "UP", f"{name} is up")

    def link(self, namespace: str, name: str) -> dict:
        return json.loads(run("ip", "-n", namespace, "-j", "-s", "link", "show", name))[0]

    def inside(self, namespace: str, *words, **options) -> str:
        return run("ip", "netns", "exec", namespace, *words, **options)

    def start(self, *words, ready="capturing on", before=(), output_to=None) -> Live:
        live = Live(["ip", "netns", "exec", self.here, *before, PROGRAM, "live", *words], ready, self.folder, output_to)
        self.addCleanup(live.kill)
        return live

    def live(self, *words, **options) -> Live:
        return self.start("-i", self.HERE, *words, **options)

    def tcpdump(self, *words) -> Live:
        live = Live(["ip", "netns", "exec", self.here, "tcpdump", "-i", self.HERE, "-Z", "root",
                     "--time-stamp-precision=nano", "-B", "65536", *words], "listening on", self.folder)
        self.addCleanup(live.kill)
        return live

    def end_tcpdump(self, tcpdump: Live):
        """On a signal to end, it leaves unread packets in the kernel."""
        def has_all():
            before = len(tcpdump.said())
            tcpdump.send(signal.SIGUSR1)
            pattern = r"(\d+) packets? captured, (\d+) packets? received by filter, 0 packets dropped by kernel"
            wait_until(lambda: re.search(pattern, tcpdump.said()[before:]), "tcpdump counts and has dropped nothing")
            captured, received = re.search(pattern, tcpdump.said()[before:]).groups()
            return captured == received
        wait_until(has_all, "tcpdump has everything")
        tcpdump.end()

    def replay(self, capture: pathlib.Path, *words, interface=FAR):
        self.inside(self.far, "tcpreplay", "-q", "-i", interface, *(words or ("--topspeed",)), capture)

    def split(self, capture: pathlib.Path, packets: int) -> tuple[pathlib.Path, pathlib.Path]:
        """The first packets of a capture, and the others: what is sent twice is of another connection the second time."""
        parts = self.folder / "first.pcapng", self.folder / "others.pcapng"
        for part, words in zip(parts, (("-r",), ())):
            run("editcap", *words, capture, part, f"1-{packets}")
        return parts

    def flood(self, *words):
        """Packets that go on coming until the test ends; the first are there."""
        packets_here = lambda: self.link(self.here, self.HERE)["stats64"]["rx"]["packets"]
        before = packets_here()
        flood = subprocess.Popen(["ip", "netns", "exec", self.far, "tcpreplay", "-q", "--preload-pcap", "-i", self.FAR, *words,
                                  "--loop=1000000", LAB], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(flood.wait)
        self.addCleanup(flood.kill)
        wait_until(lambda: packets_here() > before, "the flood comes in")

    def send(self, frames, *words):
        """Frames of scapy."""
        from scapy.utils import wrpcap
        file = str(self.folder / "sent.pcap")
        wrpcap(file, frames, linktype=1)
        self.replay(pathlib.Path(file), *words)

    def fields(self, capture: pathlib.Path, *names: str) -> list:
        words = [word for name in names for word in ("-e", name)]
        fields = run("tshark", "-n", "-o", "frame.generate_md5_hash:TRUE", "-r", capture, "-T", "fields", *words)
        return [line.split("\t") for line in fields.splitlines()]


def report_of(lines: str) -> dict:
    """What live --json ends with."""
    return json.loads(lines.splitlines()[-1])


def without_names(report: dict) -> dict:
    """What must be the same of a live capture and of what it wrote."""
    for capture in report["captures"]:
        del capture["path"], capture["format"]
    return report
