"""What runs on a node: one shard of a capture point, the merge of one, or the merge of all."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Callable

from .errors import TaskError, UsageError
from .files import read_json, remove, seal, shown, write_json
from .results import Between, Task, files_file, read_run, shards_of

SAID = 20  # lines that are kept of what rocescope says
SECONDS_UNTIL_REQUEUED = 60


def who() -> dict:
    """Which attempt this is, as Slurm or Kubernetes calls it."""
    env = os.environ
    if "SLURM_JOB_ID" in env:
        array = env.get("SLURM_ARRAY_JOB_ID")
        job = f"{array}_{env.get('SLURM_ARRAY_TASK_ID')}" if array else env["SLURM_JOB_ID"]
    else:
        job = os.uname().nodename if "JOB_COMPLETION_INDEX" in env else f"process {os.getpid()}"  # a pod is a host
    return {"job": job, "restart": env.get("SLURM_RESTART_COUNT", "0"), "host": env.get("SLURMD_NODENAME") or os.uname().nodename,
            "pid": os.getpid()}


class Attempt:
    """Its state file says what became of it, also when it ends without another word."""

    def __init__(self, out: Path, task: Task, run: dict, run_name: str) -> None:
        self.out, self.task, self.run = out, task, run
        before = task.state()
        same_run = before.get("run") == run_name and before.get("identity") == task.identity
        self.state = {"identity": task.identity, "run": run_name, "state": "begun", "began": time.time(), **who(), "shards": run["shards"],
                      "failures": before.get("failures", []) if same_run else []}
        self.marker = "".join(c if c.isalnum() else "-" for c in f"{self.state['job']}-{self.state['restart']}-{self.state['host']}")

    def begin(self) -> None:
        self.task.folder.mkdir(parents=True, exist_ok=True)
        for result in self.task.results:  # what a killed one left
            for left in self.task.folder.glob(f"{result.name}.new-*"):
                remove(left)
        write_json(self.task.state_file, self.state)

    def is_mine(self) -> bool:
        """False: a node that was given up lives on, and another has the task now."""
        now = self.task.state()
        return all(now.get(key) == self.state[key] for key in ("job", "restart", "host", "pid"))

    def draft(self, result: Path) -> Path:
        return result.with_name(f"{result.name}.new-{self.marker}")

    def publish(self, said: list[str]) -> None:
        """The results, then the word that they are there: in between there is no result, and the task is made again."""
        sealed = {}
        for result in self.task.results:
            draft = self.draft(result)
            with draft.open("rb") as file:
                os.fsync(file.fileno())
            os.replace(draft, result)
            sealed[result.name] = seal(result)
        write_json(self.task.state_file, {**self.state, "state": "done", "ended": time.time(), "said": said, "results": sealed})

    def fail(self, error: TaskError) -> bool:
        """True: it may be tried again."""
        for result in self.task.results:
            remove(self.draft(result))
        if not self.is_mine():
            return False
        self.state["failures"].append({"reason": str(error), "host": self.state["host"], "job": self.state["job"], "time": time.time()})
        self.state.update(state="failed", final=error.final, ended=time.time())
        write_json(self.task.state_file, self.state)
        return not error.final and len(self.state["failures"]) <= self.run["retries"]


class Terminated(Exception):
    pass


def _terminate(number: int, frame: object) -> None:
    raise Terminated(signal.Signals(number).name)


def go_to(directory: str, files: list[dict]) -> None:
    """Where captures are named from."""
    try:
        os.chdir(directory)
    except OSError as error:
        if not all(os.path.isabs(file["name"]) for file in files):
            raise TaskError(f"{shown(directory)}, where captures are named from: {error.strerror}") from None


def check_inputs(files: list[dict]) -> None:
    for file in files:
        try:
            status = os.stat(file["name"])
        except OSError as error:
            raise TaskError(f"{shown(file['name'])}: {error.strerror}", final=error.errno == 2) from None
        if (status.st_size, status.st_mtime_ns) != (file["size"], file["mtime_ns"]):
            raise TaskError(f"{shown(file['name'])} changed after the plan was made: run rocescope-sbatch again", final=True)


def check_version(run: dict) -> None:
    said = version_of(run["program"])
    if said != run["version"]:
        raise TaskError(f"{run['program']} is {said} here, and {run['version']} where the plan was made", final=True)


def version_of(program: str) -> str:
    try:
        said = subprocess.run([program, "--version"], stdin=subprocess.DEVNULL, capture_output=True, check=True)
    except OSError as error:
        raise TaskError(f"cannot run {program}: {error.strerror}") from None
    except subprocess.CalledProcessError as error:
        raise TaskError(f"{program} is no rocescope that works: with --version it ended with {error.returncode}") from None
    text = said.stdout.decode("utf-8", "replace").strip()
    if not text.startswith("rocescope "):
        first = f"'{shown(text.splitlines()[0])}'" if text else "nothing"
        raise TaskError(f"{program} is no rocescope: with --version it says {first}")
    return text


def run_program(words: list[str], log: Path, output: Path | None = None) -> list[str]:
    """What it said on standard error; fails with the last line of that."""
    with log.open("ab") as said, open(output or os.devnull, "wb") as out:
        start = said.tell()
        try:
            process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=out, stderr=said)
        except OSError as error:
            raise TaskError(f"cannot run {words[0]}: {error.strerror}") from None
        try:
            status = process.wait()
        except BaseException:
            process.kill()
            process.wait()
            raise
    with log.open("rb") as said:
        said.seek(start)
        lines = [shown(line.decode("utf-8", "replace")) for line in said.read().splitlines() if line.strip()]
    if status < 0:
        raise TaskError(f"rocescope was killed by {signal.Signals(-status).name}" + (": out of memory?" if status == -signal.SIGKILL else ""))
    if status != 0:
        raise TaskError(lines[-1] if lines else f"rocescope ended with {status} and said nothing")
    return lines[:SAID]


def run_shard(attempt: Attempt, run: dict) -> list[str]:
    task, point = attempt.task, attempt.task.point
    check_version(run)
    files = (read_json(files_file(attempt.out, point)) or {}).get("files")
    if files is None:
        raise TaskError(f"{shown(str(files_file(attempt.out, point)))} is missing or damaged: run rocescope-sbatch again", final=True)
    go_to(run["directory"], files)
    check_inputs(files)
    words = [run["program"], "analyze", f"--partial={attempt.draft(task.results[0])}", f"--threads={run['threads']}", *run["options"]]
    if run["shards"] > 1:
        words.append(f"--shard={task.shard}/{run['shards']}")
    if not run["messages"]:
        words.append("--no-messages")
    said = run_program([*words, "--", *(file["name"] for file in files)], task.log)
    check_inputs(files)
    return said


def run_merge(attempt: Attempt, run: dict, shards: list[Task]) -> list[str]:
    missing = [str(shard.shard) for shard in shards if not shard.is_done()]
    if missing:
        several = len(missing) > 1
        raise TaskError(f"shard{'s' * several} {', '.join(missing)} of {run['shards']} {'are' if several else 'is'} missing", final=True)
    check_version(run)
    whole, report = (attempt.draft(result) for result in attempt.task.results)
    messages = [] if run["messages"] else ["--no-messages"]
    try:
        said = run_program([run["program"], "merge", f"--partial={whole}", *messages, "--", *(str(shard.results[0]) for shard in shards)],
                           attempt.task.log)
    except TaskError:
        check_parts(shards, lambda shard: f"{shard.title} of {run['shards']}")
        raise
    return said + run_program([run["program"], "merge", "--json", "--", str(whole)], attempt.task.log, report)


def check_parts(parts: list[Task], name: Callable[[Task], str]) -> None:
    """Where a merge failed: fails, and says why, if what it merged was damaged. The next run makes that again."""
    damaged = [part for part in parts if not part.is_done(contents=True)]
    for part in damaged:
        remove(part.state_file)
    if damaged:
        raise TaskError(f"{', '.join(name(part) for part in damaged)} damaged since it was written: run rocescope-sbatch again",
                        final=True) from None


def run_between(attempt: Attempt, run: dict, between: Between) -> list[str]:
    check_version(run)
    go_to(str(attempt.out), [])
    parts = [os.path.relpath(part.results[0], attempt.out) for part in between.parts]
    document, text = (attempt.draft(result) for result in between.results)
    try:
        said = run_program([run["program"], "merge", "--json", "--", *parts], between.log, document)
        run_program([run["program"], "merge", "--", *parts], between.log, text)
    except TaskError:
        check_parts(between.parts, lambda part: part.owner)
        raise
    return said


def requeue() -> bool:
    """Slurm ends this process, and runs the task again, maybe elsewhere. False: it does not."""
    job = f"{os.environ['SLURM_ARRAY_JOB_ID']}_{os.environ['SLURM_ARRAY_TASK_ID']}"
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    asked = subprocess.run(["scontrol", "requeue", job], stdin=subprocess.DEVNULL, capture_output=True, check=False)
    if asked.returncode != 0:
        print(f"rocescope-sbatch: cannot requeue: {asked.stderr.decode('utf-8', 'replace').strip()}", file=sys.stderr)
        return False
    time.sleep(SECONDS_UNTIL_REQUEUED)
    return True


def run_task(run_file: Path, kind: str, number: int) -> int:
    """Exit code: 0 its result is there, 1 it is not."""
    run = read_run(run_file)
    out = run_file.resolve().parents[1]
    if number >= len(run[kind]):
        raise UsageError(f"{shown(str(run_file))} has no task {number} of {kind}")
    if kind == "between_to_run":
        task = Between(out, run)
        if not task.is_needed():
            return 0
    else:
        index, shard = run[kind][number] if kind == "shards_to_run" else (run[kind][number], 0)
        task = Task(out, run, run["points"][index], shard)
    if task.is_done(contents=True):
        return 0
    for ending in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(ending, _terminate)
    attempt = Attempt(out, task, run, run_file.name)
    try:
        attempt.begin()
        if isinstance(task, Between):
            said = run_between(attempt, run, task)
        else:
            said = run_shard(attempt, run) if task.shard else run_merge(attempt, run, shards_of(out, run, task.point))
        attempt.publish(said)
        return 0
    except TaskError as error:
        failure = error
    except Terminated as ending:
        failure = TaskError(f"ended by {ending}: out of time, cancelled or preempted", final=True)
    except OSError as error:
        failure = TaskError(f"{shown(str(error.filename or 'a file'))}: {error.strerror}")
    print(f"rocescope-sbatch: {task.owner}, {task.title}: {failure}", file=sys.stderr, flush=True)
    try:
        again = attempt.fail(failure)
    except OSError as error:
        print(f"rocescope-sbatch: cannot write {shown(str(task.state_file))}: {error.strerror}", file=sys.stderr, flush=True)
        again = False
    if again and "SLURM_ARRAY_TASK_ID" in os.environ:
        requeue()
    return 1
