"""A machine that takes part in a scenario: commands in it, files in and out. Subclasses reach it."""

import itertools
import time
from abc import ABC, abstractmethod
from dataclasses import dataclass

from .errors import LabError

JOBS = "/run/rocescope-lab"


@dataclass(frozen=True)
class Result:
    """A finished command. Times are nanoseconds of the machine's own CLOCK_REALTIME; exit is None after a time-out."""

    exit: int | None
    stdout: bytes
    stderr: bytes
    began: int
    ended: int

    @property
    def text(self) -> str:
        return self.stdout.decode("utf-8", "replace")


class Host(ABC):
    """A machine. `name` is its part: server or client."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._numbers = itertools.count(1)

    @abstractmethod
    def execute(self, script: str, timeout: float) -> tuple[int, bytes, bytes]:
        """Runs a short shell script and waits for it: exit code, output, errors."""

    @abstractmethod
    def read(self, path: str) -> bytes | None:
        """A file's content, None if it is not there."""

    @abstractmethod
    def write(self, path: str, data: bytes) -> None:
        """Makes or replaces a file; its folder must be there."""

    def console(self) -> str:
        """The last lines of the machine's console, if it has one that can be read."""
        return ""

    def check(self, script: str, timeout: float = 30) -> str:
        """Runs a script that must succeed; returns its output."""
        code, out, err = self.execute(script, timeout)
        if code != 0:
            output = (err or out).decode("utf-8", "replace").strip()
            raise LabError(f"{self.name}: `{script.strip()}` failed with {code}: {output}")
        return out.decode("utf-8", "replace")

    def start(self, command: str, stdin: bytes = b"") -> "Job":
        """Starts a command in a process group of its own and returns at once."""
        folder = f"{JOBS}/{next(self._numbers)}"
        script = (f"mkdir -p {folder} && cat >{folder}/command <<'END_OF_COMMAND'\n{command}\nEND_OF_COMMAND\n"
                  f"cat >{folder}/job <<'END_OF_JOB'\n{_JOB.format(folder=folder)}\nEND_OF_JOB\n"
                  f": >{folder}/stdin\n")
        self.check(script)
        if stdin:
            self.write(f"{folder}/stdin", stdin)
        self.check(f"setsid -f sh {folder}/job </dev/null >/dev/null 2>&1")
        return Job(self, folder, command)

    def run(self, command: str, timeout: float = 30, stdin: bytes = b"") -> Result:
        """Runs a command to its end or its time-out."""
        return self.start(command, stdin).wait(timeout)


# The traps keep this shell alive when the job's group gets a signal, to record the exit of the command.
_JOB = """trap : INT TERM HUP
cd {folder} && echo $$ >pid && date +%s%N >began
sh ./command <stdin >stdout 2>stderr
echo $? $(date +%s%N) >ended.new && mv ended.new ended"""


class Job:
    """A command that was started on a host."""

    def __init__(self, host: Host, folder: str, command: str) -> None:
        self.host = host
        self.command = command
        self._folder = folder
        self._result: Result | None = None

    def output(self) -> str:
        """What it has printed so far, both streams."""
        parts = (self.host.read(f"{self._folder}/{name}") or b"" for name in ("stdout", "stderr"))
        return b"".join(parts).decode("utf-8", "replace")

    def finished(self) -> bool:
        return self._result is not None or self.host.read(f"{self._folder}/ended") is not None

    def wait(self, timeout: float) -> Result:
        """Its result; after `timeout` seconds it is killed and the result's exit is None."""
        deadline = time.monotonic() + timeout
        while not self.finished():
            if time.monotonic() > deadline:
                return self.stop("KILL")
            time.sleep(0.05)
        return self._collect()

    def signal(self, name: str) -> None:
        self.host.execute(f"kill -{name} -$(cat {self._folder}/pid)", 10)

    def stop(self, name: str = "TERM", patience: float = 5) -> Result:
        """Ends it (with KILL if the signal does not in `patience` seconds); exit is None if it had to be killed."""
        if not self.finished():
            self.signal(name)
            deadline = time.monotonic() + (patience if name != "KILL" else 0)
            while not self.finished() and time.monotonic() < deadline:
                time.sleep(0.05)
            if not self.finished():
                self.signal("KILL")
        return self._collect()

    def _collect(self) -> Result:
        if self._result is None:
            out, err, began, ended = (self.host.read(f"{self._folder}/{name}") or b""
                                      for name in ("stdout", "stderr", "began", "ended"))
            code, when = (ended.split() + [b"", b""])[:2]
            self._result = Result(int(code) if code else None, out, err, int(began or 0), int(when or time.time_ns()))
        return self._result
