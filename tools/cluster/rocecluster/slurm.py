"""Slurm: what is submitted, and what is in the queue. It needs no accounting."""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
import time
from pathlib import Path

from .errors import UsageError
from .files import read_json, shown, write_json
from .results import Between, Task, read_run

FRONT = Path(__file__).resolve().parents[1] / "rocescope-sbatch"
KINDS = ("shards_to_run", "merges_to_run", "between_to_run")  # each waits for those before it
USUAL_INDEX = 1000  # the largest of an array, where nothing else is configured
MOST_FAILURES = 20  # of squeue, one after the other: some minutes
HELD = re.compile(r"held|DependencyNeverSatisfied", re.IGNORECASE)
NOT_NOW = re.compile(r"allocation failure: .*(?:not available|not usable|in use|busy|violates)")  # of `sbatch --test-only`: nodes, or limits of a user
# What sbatch is given here, or would not submit the jobs of the plan with.
OURS = ("array", "chdir", "clusters", "cpus-per-task", "error", "help", "input", "job-name", "no-requeue", "ntasks", "open-mode", "output",
        "parsable", "quiet", "requeue", "test-only", "uid", "usage", "version", "wait", "wrap")
OURS_SHORT = "aceDhiJMnoQuVW"
SWITCHES = "hHOQsuvVW"  # short options without a value
DEPENDENCY = "--dependency="
WAITING = ("PD", "RF", "RH", "RQ", "RD", "RS", "SE")  # pending, or about to be again


def call(*words: str) -> str:
    try:
        done = subprocess.run([*words], stdin=subprocess.DEVNULL, capture_output=True, check=False)
    except OSError as error:
        raise UsageError(f"cannot run {words[0]}: {error.strerror}; is this a host that submits jobs to Slurm?") from None
    if done.returncode != 0:
        said = "; ".join(done.stderr.decode("utf-8", "replace").split("\n")).strip("; ")
        raise UsageError(f"{words[0]} failed: {said or f'it ended with {done.returncode}'}")
    return done.stdout.decode("utf-8", "replace")


def name_of(out: Path) -> str:
    """Of all jobs of this folder."""
    return f"rocescope-{hashlib.sha256(os.fsencode(out)).hexdigest()[:8]}"


class Queue:
    """The tasks of a folder that Slurm has in its queue, by Task.key."""

    def __init__(self, out: Path) -> None:
        self.out = out
        self.states: dict[tuple[str, str], str] = {}  # "waiting" or "running"
        self.reasons: dict[tuple[str, str], str] = {}  # why it waits, as Slurm says it
        self.jobs: list[str] = []

    def read(self) -> Queue:
        plans: dict[str, dict] = {}
        for line in call("squeue", "--noheader", "--array", f"--user={os.getuid()}", "--format=%F %K %t %j %r").splitlines():
            words = line.split(maxsplit=4)
            found = re.fullmatch(rf"{name_of(self.out)}\.(\d+)\.(shards|merges|between)\.(\d+)", words[3]) if len(words) == 5 else None
            if found is None:
                continue
            job, index, state, _, reason = words
            run, kind, offset = found.groups()
            if run not in plans:
                plans[run] = read_run(self.out / "runs" / f"{run}.json")
            key = Between.KEY
            if kind != "between":
                plan, number = plans[run], int(offset) + int(index)
                item = plan[f"{kind}_to_run"][number]
                point, shard = item if kind == "shards" else (item, 0)
                key = Task(self.out, plan, plan["points"][point], shard).key
            self.states[key] = "waiting" if state in WAITING else "running"
            self.reasons[key] = reason
            if job not in self.jobs:
                self.jobs.append(job)
        return self

    def state(self, task: Task) -> str | None:
        return self.states.get(task.key)

    def reason(self, task: Task) -> str:
        return self.reasons[task.key]

    def is_stuck(self) -> bool:
        """Only somebody's command can move it on: what does not wait for that waits for what does."""
        waits_for = {key: self.reasons[key] for key, state in self.states.items() if state == "waiting"}
        held = [reason for reason in waits_for.values() if HELD.search(reason)]
        others = [reason for reason in waits_for.values() if not HELD.search(reason) and reason != "Dependency"]
        return bool(held) and not others and len(waits_for) == len(self.states)

    def has(self, task: Task) -> bool:
        return self.state(task) is not None


def largest_index() -> int:
    found = re.search(r"^MaxArraySize\s*=\s*(\d+)", call("scontrol", "show", "config"), re.MULTILINE)
    return max(int(found.group(1)) - 1, 1) if found else USUAL_INDEX


def options_in(word: str) -> list[tuple[str, str]]:
    """Names and values, as sbatch reads them: short options without a value may stand before another one."""
    if word.startswith("--"):
        name, _, value = word.partition("=")
        return [(name, value)]
    found = []
    for number, letter in enumerate(word[1:], 2):
        if letter not in SWITCHES:
            return [*found, (f"-{letter}", word[number:])]
        found.append((f"-{letter}", ""))
    return found


def is_ours(name: str) -> bool:
    """Any beginning of a long name counts, as it does for sbatch."""
    return any(ours.startswith(name[2:]) for ours in OURS) if name.startswith("--") else name[1:] in OURS_SHORT


def awaited(value: str) -> str:
    """What --dependency says, so that other dependencies can stand beside it."""
    if "?" in value:
        raise UsageError(f"--sbatch: dependency {shown(value)}: a ? would let the jobs begin before those of the plan that they need; only a , can")
    parts = value.split(",")
    if "" in parts:
        raise UsageError(f"--sbatch: dependency '{shown(value)}': no job is named")
    return ",".join(f"afterany:{part}" if re.fullmatch(r"[\d_]+", part) else part for part in parts)


def join_dependencies(words: list[str]) -> list[str]:
    """All in one option, since sbatch heeds the last one alone."""
    found = [number for number, word in enumerate(words) if word.startswith(DEPENDENCY)]
    if not found:
        return words
    joined = DEPENDENCY + ",".join(words[number][len(DEPENDENCY):] for number in found)
    return [*words[:found[0]], joined, *(word for word in words[found[0]:] if not word.startswith(DEPENDENCY))]


def read_options(words: list[str]) -> list[str]:
    """What the user wants to give sbatch, as it is given. Fails where that would break the plan."""
    options = []
    for word in words:
        if not word.startswith("-"):
            raise UsageError(f"--sbatch {shown(word)}: options begin with -")
        for name, value in options_in(word) or [(word, "")]:
            if is_ours(name):
                raise UsageError(f"--sbatch={shown(word)}: '{shown(name)}' of sbatch cannot be given here: it would break the plan")
            if name == "-d" or (name.startswith("--dep") and DEPENDENCY.startswith(name)):
                options.append(DEPENDENCY + awaited(value))
            else:
                options.append(word if name.startswith("--") else name + value)
    return join_dependencies(options)


def submission(out: Path, run_name: str, kind: str, offset: int, count: int, threads: int, more: list[str], at_once: int | None) -> list[str]:
    """The command. The batch script is the front of this program, so that no shell reads any name; jobs begin in /, since Slurm would
    read a % in the name of their folder."""
    at_most = f"%{at_once}" if at_once else ""
    short = kind.split("_", 1)[0]
    if "\\" in str(out):
        raise UsageError(f"{shown(str(out))}: Slurm writes no files where a name has a backslash")
    return ["sbatch", "--parsable", "--requeue", f"--job-name={name_of(out)}.{run_name}.{short}.{offset}", "--chdir=/",
            f"--output={str(out / 'slurm').replace('%', '%%')}/%A_%a.out", "--open-mode=append", "--input=/dev/null", "--ntasks=1",
            f"--cpus-per-task={threads}", f"--array=0-{count - 1}{at_most}", *more, str(FRONT), "--from", str(FRONT.parent),
            "--task", kind, str(offset), str(out / "runs" / f"{run_name}.json")]


def commands(out: Path, run: dict, run_name: str, largest: int, more: list[str], at_once: int | None) -> list[tuple[str, int, list[str]]]:
    """Of each array what it has, from which task on, and its command."""
    found = []
    for kind in KINDS:
        total = len(run[kind])
        for offset in range(0, total, largest):
            threads = run["threads"] if kind == "shards_to_run" else 1
            found.append((kind, offset, submission(out, run_name, kind, offset, min(largest, total - offset), threads, more, at_once)))
    return found


def check_options(more: list[str]) -> None:
    """Fails if sbatch does not take them, also where nothing is to be submitted. What has no room now is nothing wrong with them."""
    if not more:
        return
    try:
        call("sbatch", "--test-only", *more, str(FRONT))
    except UsageError as error:
        if not NOT_NOW.search(str(error)):
            raise


def submit(out: Path, run: dict, run_name: str, more: list[str], at_once: int | None, before: list[str]) -> list[str]:
    """The merges wait until all shards ended, however, those of the jobs `before` too; the merge of all points waits for them."""
    arrays: list[tuple[str, int, str]] = []
    for kind, first, words in commands(out, run, run_name, largest_index(), more, at_once):
        jobs = [*before, *(job for of, _, job in arrays if of != kind)] if kind != KINDS[0] else []
        if jobs:
            words.insert(1, f"{DEPENDENCY}afterany:{':'.join(jobs)}")
        said = call(*join_dependencies(words)).strip()
        job = said.split(";")[0]
        if not job.isdecimal():
            raise UsageError(f"sbatch submitted nothing: {shown(said) or 'it said nothing'}")
        arrays.append((kind, first, job))
        write_json(jobs_file(out, run_name), {"arrays": arrays})
    return [job for _, _, job in arrays]


def jobs_file(out: Path, run_name: str) -> Path:
    """The arrays of a run: what of it each has, from which task on, and its number."""
    return out / "runs" / f"{run_name}.jobs.json"


def job_of(out: Path, run: dict, run_name: str, task: Task) -> str | None:
    """Which task of which array it was submitted as in this run."""
    if isinstance(task, Between):
        kind, item = "between_to_run", 0
    else:
        index = next(index for index, point in enumerate(run["points"]) if point["folder"] == task.point["folder"])
        kind, item = ("shards_to_run", [index, task.shard]) if task.shard else ("merges_to_run", index)
    if item not in run[kind]:
        return None
    number = run[kind].index(item)
    arrays = (read_json(jobs_file(out, run_name)) or {}).get("arrays", [])
    return next((f"{job}_{number - first}" for of, first, job in reversed(arrays) if of == kind and first <= number), None)


def wait(out: Path) -> None:
    pause, failures = 1.0, 0
    while True:
        try:
            queue = Queue(out).read()
            if not queue.jobs or queue.is_stuck():
                return
            failures = 0
        except UsageError:  # the controller is started again, or busy
            failures += 1
            if failures == MOST_FAILURES:
                raise
        time.sleep(pause)
        pause = min(pause * 1.5, 15)


def last_word(out: Path, job: str) -> str:
    """What Slurm itself wrote last about a task that ended without a word of its own."""
    try:
        lines = (out / "slurm" / f"{job}.out").read_bytes().decode("utf-8", "replace").splitlines()
    except OSError:
        return ""
    return next((shown(line.strip()) for line in reversed(lines) if line.strip()), "")


def accounted(job: str) -> str:
    """How a task ended, such as OUT_OF_MEMORY; empty where Slurm keeps no accounts."""
    try:
        return call("sacct", "--noheader", "--parsable2", "--allocations", "--format=State", f"--jobs={job}").split("\n")[0].strip()
    except UsageError:
        return ""
