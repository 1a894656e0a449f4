"""Exits of tools that look like failures, though their traffic was complete."""

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Excuse:
    """A command, its exit code and its stderr, which together mean that only the end failed."""

    reason: str
    command: str  # regular expression, from the command's beginning on
    exit: int
    stderr: str  # regular expression for the whole


EXCUSES = (
    # After the last iteration perftest measures the CPU's clock, which a busy emulated machine can spoil, and ends there. With
    # -a it would have gone on with the next size.
    Excuse("perftest cannot tell the clock of the CPU", r"ib_(write|read|send|atomic)_(bw|lat) (?!.*-a\b)", 1,
           r"(?:.*\n)*Can't produce a report\n"),
    # At its end rping closes the event channel that another of its threads still reads from. It would
    # have reported an earlier failure; the peer's disconnect (state 10) is its usual end.
    Excuse("rping closes its event channel under its other thread", r"rping ", 255,
           r"(?=(?:.*\n)*rdma_get_cm_event: Bad file descriptor\n)"
           r"(?:(?:client|server) DISCONNECT EVENT\.\.\.\n|wait for RDMA_\w+ state 10\n|rdma_get_cm_event: Bad file descriptor\n)+"),
)


def excuse(command: str, exit_code: int | None, stderr: bytes) -> str | None:
    """Why that end is no failure; None if it is one, or needs no excuse."""
    output = stderr.decode("utf-8", "replace")
    return next((each.reason for each in EXCUSES if exit_code == each.exit and re.match(each.command, command)
                 and re.fullmatch(each.stderr, output)), None)
