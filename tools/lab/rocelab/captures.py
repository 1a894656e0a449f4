"""The captures of one scenario: at each end of the wire (QEMU's), and inside a guest with libpcap (tcpdump)."""

import re
import time
from pathlib import Path

from . import pcap
from .errors import LabError
from .host import Job
from .machines import Machines
from .truth import Truth

START_TIMEOUT = 20  # seconds
INSIDE = "/tmp/rocescope-lab-inside.pcap"


class Captures:
    """Started before the first command and fetched after the last."""

    def __init__(self, machines: Machines, inside: str, snap: int, folder: Path) -> None:
        self._machines = machines
        self._inside = machines.sides[inside]
        self._snap = snap
        self._folder = folder
        self._shifts: dict[str, int] = {}
        self._tcpdump: Job | None = None

    def start(self) -> None:
        for name, side in self._machines.sides.items():
            if side.guest is not None:
                self._shifts[name] = side.guest.start_wire_capture(self._folder / f"{name}.wire.pcap", self._snap)
        # -Z root: otherwise tcpdump gives up the right to write its file; the buffer is for bursts of an emulated machine.
        self._tcpdump = self._inside.host.start(
            f"rm -f {INSIDE}; exec tcpdump -i {self._inside.interface} -s {self._snap} -B 16384 -U -Z root "
            f"--time-stamp-precision=nano -w {INSIDE}")
        if not _await_output(self._tcpdump, "listening on"):
            raise LabError(f"{self._inside.name}: tcpdump does not start: {self._tcpdump.output().strip()}")

    def stop(self) -> None:
        """Ends all that have started. Files stay in place until fetch()."""
        if self._tcpdump is not None and not self._tcpdump.finished():
            self._tcpdump.stop("INT", 10)
        for name in self._shifts:
            self._machines.sides[name].guest.stop_wire_capture()

    def fetch(self, truth: Truth) -> None:
        """Makes the pcapng files in the folder."""
        for name, shift in self._shifts.items():
            raw = self._folder / f"{name}.wire.pcap"
            self._convert(raw, f"{name}.wire", f"{name}'s end of the wire, seen by QEMU (microseconds)", shift, 0, truth)
        data = self._inside.host.read(INSIDE)
        if data is None:
            raise LabError(f"{self._inside.name}: tcpdump wrote nothing: {self._tcpdump.output().strip()}")
        raw = self._folder / f"{self._inside.name}.inside.pcap"
        raw.write_bytes(data)
        lost = re.search(r"(\d+) packets dropped by kernel", self._tcpdump.output())
        self._convert(raw, f"{self._inside.name}.inside", f"inside {self._inside.name}, seen by libpcap", 0,
                      int(lost[1]) if lost else 0, truth)

    def _convert(self, raw: Path, vantage: str, description: str, shift: int, lost: int, truth: Truth) -> None:
        content = pcap.read(raw)
        interface = self._machines.sides[vantage.split(".")[0]].interface
        pcap.write_pcapng(self._folder / f"{vantage}.pcapng", content, interface, description, shift)
        raw.unlink()
        truth.add("capture", vantage=vantage, file=f"{vantage}.pcapng", packets=len(content.packets), dropped=lost)


def _await_output(job: Job, text: str) -> bool:
    deadline = time.monotonic() + START_TIMEOUT
    while text not in job.output():
        if job.finished() or time.monotonic() > deadline:
            return text in job.output()
        time.sleep(0.05)
    return True
