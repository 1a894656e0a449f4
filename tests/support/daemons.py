"""What tests share that start programs of the distribution and wait for what they do."""
import shutil
import socket
import sys
import time
from collections.abc import Iterable

NOT_HERE = 77


def require(names: Iterable[str], path: str | None = None):
    """Leaves where the tests cannot run, and says why. `path` as $PATH, which it is else."""
    missing = [name for name in names if not shutil.which(name, path=path)]
    if missing:
        print("skipped: not installed:", ", ".join(missing))
        sys.exit(NOT_HERE)


def free_ports(number: int) -> list[int]:
    """Of 127.0.0.1."""
    sockets = [socket.socket() for _ in range(number)]
    for each in sockets:
        each.bind(("127.0.0.1", 0))
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports


def wait_until(is_so, what: str, seconds: float = 60):
    """How long things take depends on the machine and on what else it does: tests wait for what they need, not for a time."""
    end = time.monotonic() + seconds
    while not is_so():
        if time.monotonic() > end:
            raise AssertionError(f"waited {seconds} s until {what}")
        time.sleep(0.02)
