"""The lab's truth: NDJSON, one fact a line, each with `type`. The lines are described in README.md."""

import json
from pathlib import Path

SCHEMA = 1


class Truth:
    """Collects facts and writes them as they come, so that a scenario that fails has them too."""

    def __init__(self, file: Path) -> None:
        self._out = open(file, "w", encoding="utf-8")

    def add(self, kind: str, /, **facts: object) -> None:
        self._out.write(json.dumps({"type": kind, **facts}) + "\n")
        self._out.flush()

    def close(self) -> None:
        self._out.close()
