"""That each source of the program compiles alone, as with -DROCESCOPE_UNITY=1: alone_test.py COMPILER BUILD.

What a source takes from a header that it does not include is else not missed where another one of its batch includes it.
"""
from __future__ import annotations

import concurrent.futures
import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

INCLUDE = re.compile(r'^#include "([^"]+)"', re.MULTILINE)
ROOT = Path(__file__).resolve().parents[2]
IN_PROGRAM = tuple(str(ROOT / folder) + "/" for folder in ("dissectors", "src"))


def commands(compiler: str, build: Path) -> list[tuple[str, list[str]]]:
    """The sources of all batches, and how each is compiled alone."""
    result = []
    for entry in json.loads((build / "compile_commands.json").read_text()):
        batch = Path(entry["directory"]) / entry["file"]
        if not batch.name.startswith("unity_"):
            continue
        words = shlex.split(entry["command"])
        flags = words[words.index(compiler):words.index("-o")]
        flags = [flag for place, flag in enumerate(flags) if flag not in ("-MD", "-MT", "-MF") and flags[place - 1] not in ("-MT", "-MF")]
        sources = [source for source in INCLUDE.findall(batch.read_text()) if source.startswith(IN_PROGRAM)]
        result += [(source, [*flags, "-fsyntax-only", source]) for source in sources]
    return result


def main() -> int:
    compiler, build = sys.argv[1], Path(sys.argv[2])

    def compiled(command: tuple[str, list[str]]) -> bool:
        made = subprocess.run(command[1], cwd=build, capture_output=True, text=True, check=False)
        if made.returncode != 0:
            print(f"{command[0]} does not compile alone:\n{made.stderr}")
        return made.returncode == 0

    todo = commands(compiler, build)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(compiled, todo))
    print(f"{sum(results)} of {len(todo)} sources compile alone")
    return 0 if todo and all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
