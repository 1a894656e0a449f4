"""Trace events of a machine's kernel, and what its commands write to trace_marker, which become truth: one line an event, by the machine's
clock."""

import re

from .host import Host
from .scenario import Trace

FOLDER = "/sys/kernel/tracing"
LINE = re.compile(rb"^.*?\s(\d+)\.(\d{6}): (\w+): (.*)$")


def start(host: Host, trace: Trace) -> None:
    """The monotonic clock of the trace is tied to the time of day by a mark."""
    modules = "".join(f"modprobe {name}\n" for name in trace.modules)
    events = "".join(f"echo 1 >events/{name}/enable\n" for name in trace.events)
    host.check(f"""set -e
{modules}mountpoint -q {FOLDER} || mount -t tracefs none {FOLDER}
cd {FOLDER}
echo 0 >tracing_on; echo >trace; echo mono >trace_clock; echo 4096 >buffer_size_kb
{events}echo 1 >tracing_on
for mark in 1 2 3; do echo "lab $(date +%s%N)" >trace_marker; done""", 60)


def stop(host: Host, trace: Trace) -> list[dict]:
    """Ends the tracing; what was traced, as facts."""
    host.execute(f"cd {FOLDER} && echo 0 >tracing_on && cp trace /run/rocescope-lab/trace && echo 0 >events/enable", 60)
    return facts(host.read("/run/rocescope-lab/trace") or b"", trace.on)


def facts(text: bytes, on: str) -> list[dict]:
    lines = [match for match in map(LINE.match, text.splitlines()) if match]
    times = [int(line[1]) * 10**9 + int(line[2]) * 1000 for line in lines]
    # A mark is written after its time of day was read, so the offset is at least this: the largest is the nearest.
    offsets = [int(line[4].split()[1]) - time for line, time in zip(lines, times)
               if _is_ours(line)]
    if not offsets:
        return []
    return [{"time_ns": time + max(offsets), "side": "lab", "event": "trace", "on": on, "name": line[3].decode(),
             "text": line[4].decode("utf-8", "replace").strip()}
            for line, time in zip(lines, times) if not _is_ours(line)]


def _is_ours(line: re.Match) -> bool:
    return line[3] == b"tracing_mark_write" and line[4].startswith(b"lab ")
