"""`lab run --refresh`: makes the files in captures/ and their lines in its README again."""

import json
import re
import shutil
from pathlib import Path

from . import paths, truth
from .errors import LabError
from .scenario import Scenario

LIMIT = 1 << 20  # bytes of one file
BEGIN, END = "<!-- lab: written by lab run --refresh -->", "<!-- lab: end -->"


def keep(scenarios: list[Scenario], out: Path, folder: Path = paths.CAPTURES) -> None:
    """Copies the kept capture and the truth of each scenario; writes the README's lines."""
    readme = folder / "README.md"
    lines = _lines(readme.read_text())
    too_large = []
    for scenario in scenarios:
        if not scenario.keep:
            print(f"not kept {scenario.name}: its file has no keep = \"client.wire\" or the like")
            continue
        capture, facts = out / scenario.name / f"{scenario.keep}.pcapng", merged_truth(out / scenario.name)
        if capture.stat().st_size > LIMIT or sum(map(len, facts)) > LIMIT:
            too_large.append(scenario.name)
            continue
        shutil.copyfile(capture, folder / f"{scenario.name}.pcapng")
        (folder / f"{scenario.name}.ndjson").write_text("\n".join(facts) + "\n")
        lines[scenario.name] = _line(scenario, [json.loads(fact) for fact in facts])
    there = {name: line for name, line in lines.items() if (folder / f"{name}.pcapng").exists()}
    readme.write_text(_with_lines(readme.read_text(), there))
    if too_large:
        raise LabError(f"not kept, because a file of it is larger than 1 MiB; let it do less: {', '.join(too_large)}")


def merged_truth(results: Path) -> list[str]:
    """The lab's truth and that of both sides, in the order of time."""
    events = [event for file in sorted(results.glob("*.ndjson")) for event in truth.read(file)]
    return [json.dumps(event, separators=(",", ":")) for event in sorted(events, key=lambda event: event["time_ns"])]


def _line(scenario: Scenario, events: list[dict]) -> str:
    """One line of the table."""
    lab = next(event for event in events if event["event"] == "lab")
    packets = next(event["packets"] for event in events if event["event"] == "capture" and event["vantage"] == scenario.keep)
    versions = lab["machines"]["packages"]
    rdma = versions.get("rdma-core", "?").split("-")[0]
    text = (f"| `{scenario.name}.pcapng` | {packets} | {scenario.keep.replace('.', ', ')} | {lab['machines']['kernel']}, "
            f"rdma-core {rdma}, perftest {versions.get('perftest', '?').split('-')[0]} | {scenario.about}")
    extra = [f"netem {event['netem']} at {event['on']}, {event['way']}" for event in events if event["event"] == "impairment"]
    variant = scenario.name.removeprefix(scenario.file.stem).strip("-")
    detail = "; ".join(([variant] if variant else []) + extra)
    return text + (f" ({detail})" if detail else "") + " |"


def _lines(readme: str) -> dict[str, str]:
    """The lines that are there, by scenario."""
    _, _, rest = readme.partition(BEGIN)
    return {match[1]: match[0] for match in re.finditer(r"^\| `([^`]+)\.pcapng` .*$", rest.partition(END)[0], re.MULTILINE)}


def _with_lines(readme: str, lines: dict[str, str]) -> str:
    table = "\n".join([BEGIN, "| file | packets | vantage | kernel and tools | what is in it |", "|---|---|---|---|---|",
                       *(lines[name] for name in sorted(lines)), END])
    if BEGIN not in readme:
        return readme.rstrip() + "\n\n" + table + "\n"
    before, _, rest = readme.partition(BEGIN)
    return before + table + rest.partition(END)[2]
