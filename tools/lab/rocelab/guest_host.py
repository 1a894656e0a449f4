"""A guest as a host: commands and files through the agent in it (qemu-guest-agent on a virtio serial port)."""

import base64
import time
from pathlib import Path

from .channel import Channel
from .errors import LabError
from .host import Host

CHUNK = 1 << 20  # bytes of a file in one message
CONSOLE_LINES = 30
CLOCK_TOLERANCE = 1_000_000  # nanoseconds
MAX_LATE = 50_000_000  # nanoseconds that setting a clock may take to arrive


class GuestHost(Host):
    """A booted guest; `agent` is the channel to its agent, `console` the file that its console goes to."""

    def __init__(self, name: str, agent: Channel, console: Path) -> None:
        super().__init__(name)
        self._agent = agent
        self._console = console

    def await_agent(self, deadline: float) -> None:
        """Waits until the agent answers."""
        for number in range(1, 1 << 30):
            if self._agent.synchronise(number, 0.5):
                return
            if time.monotonic() > deadline:
                raise LabError(f"{self.name} did not boot in time. Its console ends with:\n{self.console()}")

    def execute(self, script: str, timeout: float) -> tuple[int, bytes, bytes]:
        started = self._agent.ask("guest-exec", path="/bin/sh", arg=["-c", script], **{"capture-output": True})
        pid, deadline = started["pid"], time.monotonic() + timeout
        pause = 0.005
        while True:
            status = self._agent.ask("guest-exec-status", pid=pid)
            if status["exited"]:
                break
            if time.monotonic() > deadline:
                raise LabError(f"{self.name}: `{script.strip()}` did not end in {timeout:g} s")
            time.sleep(pause)
            pause = min(pause * 1.5, 0.1)
        decoded = (base64.b64decode(status.get(stream, "")) for stream in ("out-data", "err-data"))
        return status.get("exitcode", 128 + status.get("signal", 0)), *decoded

    def read(self, path: str) -> bytes | None:
        try:
            handle = self._agent.ask("guest-file-open", path=path, mode="r")
        except LabError as error:
            if "No such file" in str(error):
                return None
            raise
        parts = []
        try:
            while True:
                chunk = self._agent.ask("guest-file-read", timeout=30, handle=handle, count=CHUNK)
                parts.append(base64.b64decode(chunk["buf-b64"]))
                if chunk["eof"] or not chunk["count"]:
                    return b"".join(parts)
        finally:
            self._agent.ask("guest-file-close", handle=handle)

    def write(self, path: str, data: bytes) -> None:
        handle = self._agent.ask("guest-file-open", path=path, mode="w")
        try:
            for start in range(0, len(data), CHUNK):
                part = base64.b64encode(data[start:start + CHUNK]).decode()
                self._agent.ask("guest-file-write", timeout=30, handle=handle, **{"buf-b64": part})
        finally:
            self._agent.ask("guest-file-close", handle=handle)

    def clock_offset(self) -> tuple[int, int]:
        """Guest's clock minus ours, and how far that may be wrong, in nanoseconds: the best of a few questions."""
        best = (0, 1 << 62)
        for _ in range(8):
            before = time.time_ns()
            there = self._agent.ask("guest-get-time")
            after = time.time_ns()
            if after - before < 2 * best[1]:
                best = (there - (before + after) // 2, (after - before) // 2)
        return best

    def set_clock(self) -> tuple[int, int]:
        """Brings the guest's clock to ours if it is further off than `CLOCK_TOLERANCE`; returns what is left, as
        clock_offset()."""
        late = 0
        left, uncertain = self.clock_offset()
        for _ in range(8):
            if abs(left) < CLOCK_TOLERANCE:
                break
            # The agent sets the clock, then fails to set a hardware clock, which the guest does not have.
            try:
                self._agent.ask("guest-set-time", time=time.time_ns() + late)
            except LabError as error:
                if "hwclock" not in str(error):
                    raise
            left, uncertain = self.clock_offset()
            late = min(max(late - left, 0), MAX_LATE)
        return left, uncertain

    def console(self) -> str:
        lines = self._console.read_text(errors="replace").splitlines() if self._console.exists() else []
        return "\n".join(lines[-CONSOLE_LINES:])
