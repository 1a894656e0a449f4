"""The plan: capture points, shards, what is there already, and so what is to do."""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
from pathlib import Path

from .errors import TaskError, UsageError
from .files import read_json, write_json
from .points import find_points
from .results import SCHEMA, Between, damaged_behind, files_file, merge_of, merged_shards, runs, shards_of
from .slurm import Queue
from .task import version_of

# What `analyze` is given here, or would write beside the partial result.
OURS = ("partial", "save-state", "resume", "no-messages", "shard", "jobs", "json", "csv", "html", "perfetto", "fail-on", "threads", "read-file",
        "stats", "help", "color", "quiet", "verbose")
OURS_SHORT = ("-r", "-q", "-v", "-h")


def check_options(words: list[str]) -> list[str]:
    for word in words:
        name = word.split("=", 1)[0]
        if not word.startswith("-") or name in ("-", "--"):
            raise UsageError(f"'{word}' behind -- is no option of `rocescope analyze`: write the value of an option as --option=value")
        if any(ours.startswith(name[2:]) for ours in OURS) if name.startswith("--") else name[:2] in OURS_SHORT:
            raise UsageError(f"option '{name}' of `rocescope analyze` cannot be given here")
    return words


def program_and_version(program: str | None) -> tuple[str, str]:
    """The program is looked for in PATH again on each node, unless it was named."""
    if program is None:
        if shutil.which("rocescope") is None:
            raise UsageError("rocescope is not in PATH: name it with --program")
        program = "rocescope"
    elif os.sep in program:
        program = os.path.abspath(program)
    try:
        return program, version_of(program)
    except TaskError as error:
        raise UsageError(str(error)) from None


def try_options(program: str, words: list[str]) -> None:
    """What the program has against them is said here, and not by every task."""
    said = subprocess.run([program, "analyze", *words, "--", os.devnull], stdin=subprocess.DEVNULL, capture_output=True, check=False)
    text = said.stderr.decode("utf-8", "replace").strip()
    if f"cannot read {os.devnull}" not in text:  # the options are right, and it fails on the empty capture
        raise UsageError(text.removeprefix("rocescope: ") or f"{program} does not take {' '.join(words)}")


def make_run(options: argparse.Namespace) -> dict:
    points, empty = find_points(options.inputs, options.group, options.exclude, options.out, options.checksum)
    program, version = program_and_version(options.program)
    if words := check_options(options.analyze):
        try_options(program, words)
    return {"schema": SCHEMA, "version": version, "program": program, "directory": os.getcwd(), "options": words,
            "messages": not options.no_messages, "shards": options.shards, "threads": options.threads, "retries": options.retries,
            "points": points, "left_out": empty}


def add_tasks(run: dict, out: Path, queue: Queue, contents: bool) -> None:
    """Those that have no result yet and do not wait in the queue, as `shards_to_run`, `merges_to_run` and `between_to_run`; and how many
    shards there are with those that are done, as `all_shards`."""
    shards, merges, run["all_shards"] = [], [], 0
    for index, point in enumerate(run["points"]):
        merge = merge_of(out, run, point)
        if merge.is_done(contents):
            run["all_shards"] += merged_shards(run, merge)
            damaged = damaged_behind(out, run, merge) if contents else []
            count = merged_shards(run, merge)
            if damaged and count != run["shards"]:
                raise UsageError(f"{damaged[0].owner}: {damaged[0].title} is damaged, and made anew only with --shards {count}")
            shards += [[index, shard.shard] for shard in damaged if not queue.has(shard)]
            continue
        run["all_shards"] += run["shards"]
        missing = [shard for shard in shards_of(out, run, point) if not queue.has(shard) and not shard.is_done(contents)]
        shards += [[index, shard.shard] for shard in missing]
        # One that waits already waits for older shards alone.
        if missing or not queue.has(merge):
            merges.append(index)
    run["shards_to_run"], run["merges_to_run"], run["between_to_run"] = shards, merges, []
    if not run["messages"] or len(run["points"]) < 2:
        return
    between = Between(out, run)
    if merges or (between.is_needed() and not queue.has(between) and not between.is_done(contents)):
        run["between_to_run"] = [0]


def next_run_file(out: Path) -> Path:
    there = runs(out)
    return out / "runs" / f"{int(there[-1].stem) + 1 if there else 1:04}.json"


def write_run(run: dict, out: Path) -> Path:
    try:
        for folder in ("runs", "slurm", "points"):
            (out / folder).mkdir(parents=True, exist_ok=True)
        points = {index for index, _ in run["shards_to_run"]}
        for index in sorted(points):  # a task reads those of its point alone
            file = files_file(out, run["points"][index])
            file.parent.mkdir(exist_ok=True)
            about = {"files": run["points"][index]["files"]}
            if read_json(file) != about:
                write_json(file, about)
        path = next_run_file(out)
        write_json(path, {**run, "points": [{key: value for key, value in point.items() if key != "files"} for point in run["points"]]})
    except OSError as error:
        raise UsageError(f"cannot write in {out}: {error.strerror}") from None
    return path
