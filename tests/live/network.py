"""Two hosts as network namespaces, joined by a pair of interfaces; programs that run in them."""
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

PROGRAM = pathlib.Path(sys.argv.pop(1)).resolve()
SYNTH = pathlib.Path(sys.argv.pop(1)).resolve()
CAPTURES = pathlib.Path(__file__).resolve().parents[2] / "captures"
NOT_HERE = 77


def require():
    """Leaves where the tests cannot run, and says why."""
    missing = [name for name in ("ip", "tcpreplay", "tcpdump", "tshark", "setpriv", "mount", "prometheus", "promtool") if not shutil.which(name)]
    if missing:
        print("skipped: not installed:", ", ".join(missing))
        sys.exit(NOT_HERE)
    if os.geteuid() != 0:
        print("skipped: only root can make network namespaces")
        sys.exit(NOT_HERE)
    trial = subprocess.run(["ip", "netns", "add", f"roce{os.getpid()}"], capture_output=True, text=True)
    if trial.returncode != 0:
        print("skipped: no network namespaces here:", trial.stderr.strip())
        sys.exit(NOT_HERE)
    subprocess.run(["ip", "netns", "del", f"roce{os.getpid()}"], check=True)


def run(*words, **options):
    return subprocess.run([str(word) for word in words], capture_output=True, text=True, check=True, **options).stdout


def analyze(*words):
    return json.loads(run(PROGRAM, "analyze", "--json", *words))


class Live:
    """rocescope live, or a program beside it, once it captures."""

    def __init__(self, words, ready: str, folder: pathlib.Path):
        self.errors = folder / f"errors{time.monotonic_ns()}"
        self.output = folder / f"output{time.monotonic_ns()}"
        with open(self.errors, "wb") as errors, open(self.output, "wb") as output:
            self.process = subprocess.Popen([str(word) for word in words], stdout=output, stderr=errors,
                                            cwd=folder)
        self.wait_for(ready)

    def wait_for(self, text: str, seconds: float = 20):
        end = time.monotonic() + seconds
        while text not in self.said() and self.process.poll() is None and time.monotonic() < end:
            time.sleep(0.01)
        if text not in self.said():
            raise AssertionError(f"waited for '{text}' in: {self.said()}")

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

    def inside(self, namespace: str, *words, **options) -> str:
        return run("ip", "netns", "exec", namespace, *words, **options)

    def start(self, *words, ready="capturing on", before=()) -> Live:
        live = Live(["ip", "netns", "exec", self.here, *before, PROGRAM, "live", *words], ready, self.folder)
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
        """It leaves in the kernel what it has not read yet when it is told to end."""
        time.sleep(1.5)
        tcpdump.end()

    def replay(self, capture: pathlib.Path, *words, interface=FAR):
        self.inside(self.far, "tcpreplay", "-q", "-i", interface, *(words or ("--topspeed",)), capture)

    def send(self, frames, *words):
        """Frames of scapy."""
        from scapy.utils import wrpcap
        file = str(self.folder / "sent.pcap")
        wrpcap(file, frames, linktype=1)
        self.replay(pathlib.Path(file), *words)

    def fields(self, capture: pathlib.Path, *names: str) -> list:
        words = [word for name in names for word in ("-e", name)]
        return [line.split("\t") for line in run("tshark", "-n", "-o", "frame.generate_md5_hash:TRUE", "-r", capture, "-T", "fields", *words).splitlines()]


def report_of(lines: str) -> dict:
    """What live --json ends with."""
    return json.loads(lines.splitlines()[-1])


def without_names(report: dict) -> dict:
    """What must be the same of a live capture and of what it wrote."""
    for capture in report["captures"]:
        del capture["path"], capture["format"]
    return report
