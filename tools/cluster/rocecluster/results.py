"""The folder of results, --out: what lies where in it, and which of it is what the plan asks for.

    runs/0001.json           what one call of rocescope-sbatch planned and which tasks it submitted; the tasks read it
    slurm/12_3.out           what Slurm says about a task; empty if it has nothing to say
    points/POINT/files.*.json  the captures of it, as a plan found them
    points/POINT/2of4.rsp    the partial result of a shard; 2of4.json: whose it is, or why it is not there; 2of4.log: what rocescope said
    points/POINT/whole.rsp   of all shards, with report.json, the report of the capture point; merge.json and merge.log as of a shard
    between/report.json      of all capture points, with what became of packets between them, and report.txt; merge.json and merge.log
"""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path

from .errors import UsageError
from .files import is_sealed, read_json, shown

SCHEMA = 1
RUN = re.compile(r"\d{4,}\.json")


def runs(out: Path) -> list[Path]:
    folder = out / "runs"
    found = [path for path in folder.iterdir() if RUN.fullmatch(path.name)] if folder.is_dir() else []
    return sorted(found, key=lambda path: int(path.stem))


def read_run(path: Path) -> dict:
    run = read_json(path)
    if run is None or run.get("schema") != SCHEMA:
        raise UsageError(f"cannot read the plan in {path}: it is missing, damaged, or of another version of rocescope-sbatch")
    return run


def digest_of(files: list[dict]) -> str:
    """The same for the same files with the same contents, as far as their times, or their checksums, tell."""
    known = [[file["name"], file["size"], file.get("sha256") or file["mtime_ns"]] for file in files]
    return hashlib.sha256(json.dumps(known).encode()).hexdigest()


def files_file(out: Path, point: dict) -> Path:
    return out / "points" / point["folder"] / f"files.{point['digest'][:16]}.json"


class Task:
    """A shard of a capture point, 1 to N, or its merge, 0; and the files of it."""

    def __init__(self, out: Path, run: dict, point: dict, shard: int) -> None:
        self.point, self.shard = point, shard
        self.folder = out / "points" / point["folder"]
        self.owner = shown(point["name"])
        self.name = f"{shard}of{run['shards']}" if shard else "merge"
        self.title = f"shard {shard}/{run['shards']}" if shard else "merge"
        self.results = [self.folder / f"{self.name}.rsp"] if shard else [self.folder / "whole.rsp", self.folder / "report.json"]
        self.state_file = self.folder / f"{self.name}.json"
        self.log = self.folder / f"{self.name}.log"
        # Whose result it is: that of another version, of other options or of other contents of files does not count.
        of = {key: run[key] for key in ("version", "directory", "options", "messages")}
        text = json.dumps([SCHEMA, of, point["digest"], self.name], sort_keys=True)
        self.identity = hashlib.sha256(text.encode()).hexdigest()
        self.key = (point["folder"], self.identity)  # in the queue

    def state(self) -> dict:
        return read_json(self.state_file) or {}

    def is_done(self, contents: bool = False) -> bool:
        """Whether its results are there, of this plan, and as they were written; `contents`: every byte of them."""
        state = self.state()
        sealed = state.get("results")
        if state.get("state") != "done" or state.get("identity") != self.identity or not isinstance(sealed, dict):
            return False
        return all(is_sealed(path, sealed.get(path.name), contents) for path in self.results)


def shards_of(out: Path, run: dict, point: dict) -> list[Task]:
    return [Task(out, run, point, shard) for shard in range(1, run["shards"] + 1)]


def merge_of(out: Path, run: dict, point: dict) -> Task:
    return Task(out, run, point, 0)


def merged_shards(run: dict, merge: Task) -> int:
    """Of how many shards what is there was made: an earlier plan may have had others than this one."""
    return merge.state().get("shards", run["shards"])


def shards_behind(out: Path, run: dict, merge: Task) -> list[Task]:
    """Of what is there: the shards that it was made of, as far as they are of this plan."""
    shards = shards_of(out, {**run, "shards": merged_shards(run, merge)}, merge.point)
    return [shard for shard in shards if shard.state().get("identity") == shard.identity]


def damaged_behind(out: Path, run: dict, merge: Task) -> list[Task]:
    """Those of them that are not as they were written, every byte. One that is gone is not: nothing needs it any more."""
    return [shard for shard in shards_behind(out, run, merge) if shard.results[0].exists() and not shard.is_done(contents=True)]


class Between(Task):
    """The merge of all capture points that have a report now: what became of packets between them."""

    KEY = ("", "between")

    def __init__(self, out: Path, run: dict) -> None:
        self.shard = 0
        self.folder = out / "between"
        self.owner = "all capture points"
        self.title = "merge"
        self.results = [self.folder / "report.json", self.folder / "report.txt"]
        self.state_file = self.folder / "merge.json"
        self.log = self.folder / "merge.log"
        self.key = self.KEY
        merges = [merge_of(out, run, point) for point in run["points"]] if run["messages"] else []
        self.parts = [merge for merge in merges if merge.is_done()]
        # Of these contents: a part that was made anew is another one.
        of = [[merge.identity, merge.state()["results"][merge.results[0].name]["sha256"]] for merge in self.parts]
        self.identity = hashlib.sha256(json.dumps([SCHEMA, run["version"], of]).encode()).hexdigest()

    def is_needed(self) -> bool:
        """One point has nothing to be compared with, nor have those without messages."""
        return len(self.parts) > 1
