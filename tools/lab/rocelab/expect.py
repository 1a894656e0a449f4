"""What must be true at the end of a scenario."""

import operator
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from . import paths
from .errors import LabError

RELATIONS = {"==": operator.eq, "!=": operator.ne, ">": operator.gt, ">=": operator.ge, "<": operator.lt, "<=": operator.le}
KINDS = ("packets", "counter", "dropped", "log")
DISSECT_TIMEOUT = 120  # seconds


@dataclass(frozen=True)
class Expectation:
    """One [[expect]]: what is counted, where, and what the count must be."""

    kind: str  # packets, counter, dropped, log
    what: str  # a display filter, a counter's name, a way (out, in), a regular expression
    where: str  # a capture (client.wire) for packets, else a host
    count: str = ">= 1"

    def holds(self, found: int) -> bool:
        relation, number = self.count.split()
        return RELATIONS[relation](found, int(number))

    def __str__(self) -> str:
        return f"{self.kind} {self.what!r} at {self.where} {self.count}"


def parse_expectation(table: Any) -> Expectation:
    """From a table of a scenario file."""
    given = [(kind, what) for kind in KINDS if (what := table.take(kind, str))]
    if len(given) != 1:
        table.fail(f"one of {', '.join(KINDS)} says what is looked at")
    kind, what = given[0]
    if kind == "packets":
        where = table.take("in", str, "client.wire", ("server.wire", "client.wire", "server.inside", "client.inside"))
    else:
        where = table.take("on", str, choices=("server", "client"), required=True)
    count = str(table.take("count", int | str, ">= 1"))
    if count.isdigit():
        count = f"== {count}"
    if not re.fullmatch(r"(==|!=|>=|<=|>|<) \d+", count):
        table.fail(f'count is {count!r}; it is a number, or a relation and a number: ">= 1"')
    if kind == "dropped" and what not in ("out", "in"):
        table.fail(f'dropped is {what!r}; it may be "out" or "in", the way of an [[impair]]')
    if kind == "log":
        try:
            re.compile(what)
        except re.error as error:
            table.fail(f"log is no regular expression: {error}")
    table.end()
    return Expectation(kind, what, where, count)


def count_packets(capture: Path, display_filter: str) -> int | None:
    """How many packets of a capture a display filter selects; None if rocescope is not built."""
    rocescope = paths.our_program("rocescope")
    if rocescope is None:
        return None
    command = [rocescope, "dissect", "-q", "-r", capture, "-Y", display_filter, "-T", "fields", "-e", "frame.number"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=DISSECT_TIMEOUT)
    except subprocess.TimeoutExpired:
        raise LabError(f"rocescope did not read {capture} in {DISSECT_TIMEOUT} s") from None
    if done.returncode != 0:
        raise LabError(f"rocescope cannot apply {display_filter!r}:\n{done.stderr.strip()}")
    return len(done.stdout.splitlines())
