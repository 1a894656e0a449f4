"""The lab's truth: NDJSON, one fact a line, in the form of rdmagen's truth: time_ns, side, event. README.md lists the events."""

import json
import time
from pathlib import Path

SCHEMA = 1


class Truth:
    """Collects facts and writes them as they come, so that a scenario that fails has them too."""

    def __init__(self, file: Path) -> None:
        self._out = open(file, "w", encoding="utf-8")

    def add(self, event: str, /, **facts: object) -> None:
        self._out.write(json.dumps({"time_ns": time.time_ns(), "side": "lab", "event": event, **facts}) + "\n")
        self._out.flush()

    def close(self) -> None:
        self._out.close()


def read(file: Path) -> list[dict]:
    """The lines of a truth file; a last line that its writer did not finish is left out."""
    lines = file.read_text(encoding="utf-8", errors="replace").split("\n")
    return [json.loads(line) for line in lines[:-1] if line]
