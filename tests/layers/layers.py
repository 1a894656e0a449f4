"""Which folder may include which: layers.py [ROOT] names each include that breaks it, and ends with 1 if there is one."""

import re
import sys
from pathlib import Path

# Folder: what it may include besides itself. `rocescope` is include/rocescope, the public API.
MAY_INCLUDE = {
    "include/rocescope": "",
    "dissectors": "rocescope",
    "src/sorting": "",
    "src/model": "rocescope",
    "src/capture": "rocescope model",
    "src/text": "rocescope",
    "src/truth": "rocescope sorting",
    "src/fields": "rocescope dissectors",
    "src/filter": "rocescope fields",
    "src/messages": "rocescope dissectors",
    "src/tracking": "rocescope sorting model dissectors messages",
    "src/ulp": "rocescope sorting model dissectors messages",
    "src/schema": "rocescope sorting model text",
    "src/findings": "rocescope sorting model text dissectors schema",
    "src/analysis": "rocescope sorting model text capture dissectors tracking messages ulp findings schema filter",
    "src/partial": "rocescope sorting model capture dissectors tracking ulp schema analysis",
    "src/ladder": "rocescope sorting model text dissectors truth tracking schema analysis",
    "src/render": "rocescope sorting model text truth tracking schema fields analysis ladder",
    "src/screen": "rocescope sorting model text schema analysis ladder render",
    "src/terminal": "rocescope screen",
    "src/metrics": "rocescope model text",
    "src/clickhouse": "rocescope schema",
    "src/verify": "rocescope sorting text truth analysis render",
    "src/cli": "rocescope sorting model text capture dissectors truth fields filter tracking messages findings schema analysis partial"
    " ladder render screen terminal metrics clickhouse verify",
    "dissectors/wireshark": "rocescope fields analysis render",
    "tools/rdmagen": "core workloads verbs",
    "tools/rdmagen/core": "workloads",
    "tools/rdmagen/workloads": "core",
    "tools/rdmagen/verbs": "core workloads",
    "tools/synth": "core",
    "tools/examples": "rocescope",
    "tools/lab": "",
}
PLACES = ("include", "dissectors", "src", "tools")

INCLUDE = re.compile(r'^\s*#\s*include\s+(?:"([^"]+)"|<([^>]+)>)', re.MULTILINE)


def names_of(folder: str) -> set[str]:
    return {Path(folder).name, *MAY_INCLUDE[folder].split()}


OURS = set().union(*map(names_of, MAY_INCLUDE))


def folder_of(file: Path) -> str | None:
    """The longest folder of the table that `file`, relative to the root, lies in."""
    return next((str(parent) for parent in file.parents if str(parent) in MAY_INCLUDE), None)


def problems_of(file: Path, text: str) -> list[str]:
    folder = folder_of(file)
    if folder is None:
        return [f"{file}: its folder has no line in tests/layers/layers.py"]
    problems = []
    for match in INCLUDE.finditer(text):
        quoted, system = match.groups()
        name = quoted or system
        first = name.split("/")[0] if "/" in name else None
        if system and first not in OURS:
            continue
        line = text.count("\n", 0, match.start(1 if quoted else 2)) + 1
        if first is None:
            problems.append(f'{file}:{line}: "{name}" does not name its folder')
        elif first not in names_of(folder):
            problems.append(f"{file}:{line}: {folder} must not include {name}")
    return problems


def problems_in(root: Path) -> list[str]:
    files = sorted(file for place in PLACES for file in (root / place).rglob("*") if file.suffix in (".hpp", ".cpp"))
    if not files:
        return [f"{root}: no sources here"]
    return [problem for file in files for problem in problems_of(file.relative_to(root), file.read_text())]


def main() -> int:
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parents[2]
    problems = problems_in(root)
    print("\n".join(problems))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
