"""What is there, what is on its way, and what is missing, with the reason."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from .files import shown
from .results import Between, Task, damaged_behind, merge_of, merged_shards, read_run, shards_behind, shards_of
from .slurm import Queue, accounted, job_of, last_word

ORDER = ("done", "running", "waiting", "begun", "failed", "lost", "damaged", "missing")
DAMAGED = "was damaged or changed after it was written"
LARGEST = 20  # warnings of a capture point that are shown


def state_of(task: Task, queue: Queue, queue_known: bool, contents: bool) -> str:
    if task.is_done(contents):
        return "done"
    queued = queue.state(task)
    if queued:
        return queued
    state = task.state()
    if state.get("identity") != task.identity or state.get("state") == "done":
        return "damaged" if state.get("identity") == task.identity else "missing"
    if state["state"] == "begun":
        return "lost" if queue_known else "begun"
    return "failed"


def words_of(out: Path, run: dict, merge: Task) -> list[str]:
    """What rocescope said of a point that has its report, each line once. All shards say the same of the captures, each speaks of its own
    connections; what part of the packets a shard follows is of no interest but for the first one."""
    said = [(shard, line) for shard in shards_behind(out, run, merge) for line in shard.state().get("said", [])]
    lines = [line for shard, line in said if shard.shard == 1 or not line.startswith(f"rocescope: {shard.title} ")]
    return list(dict.fromkeys([*lines, *merge.state().get("said", [])]))[:LARGEST]


def reason_of(out: Path, run: dict, run_name: str, task: Task, state: str, queue: Queue) -> str:
    about = task.state()
    if state == "failed":
        failures = about["failures"]
        tries = f" after {len(failures)} tries" if len(failures) > 1 else ""
        return f"failed{tries} on {failures[-1]['host']}: {failures[-1]['reason']}"
    if state == "lost":
        said = last_word(out, about["job"]) or "killed, or the node failed"
        return f"ended on {about['host']} without a word, job {' '.join([about['job'], accounted(about['job'])]).strip()}: {said}"
    if state == "missing":
        said = last_word(out, job_of(out, run, run_name, task) or "")
        return f"has not run: {said}" if said else "has not run"
    if state == "waiting":
        return f"waits in the queue: {queue.reason(task)}"
    return {"damaged": DAMAGED, "running": "is running",
            "begun": "was begun; whether it still runs, Slurm cannot be asked here"}[state]


def report(out: Path, run_file: Path, queue: Queue, queue_known: bool = True, contents: bool = False) -> tuple[str, int]:
    """The text, and the exit code: 0 if every capture point has its report, and nothing is damaged."""
    run = read_run(run_file)
    counts: Counter[str] = Counter()
    whole, blocks, damaged, notes = 0, [], [], []
    for point in run["points"]:
        merge = merge_of(out, run, point)
        name = shown(point["name"])
        if merge.is_done(contents):
            whole += 1
            found = damaged_behind(out, run, merge) if contents else []
            damaged += [f"  {name}: {shard.title} {DAMAGED}" for shard in found]
            counts.update({"damaged": len(found), "done": merged_shards(run, merge) - len(found)})
            notes += [f"  {name}: {line}" for line in words_of(out, run, merge)]
            continue
        states = {task: state_of(task, queue, queue_known, contents) for task in [*shards_of(out, run, point), merge]}
        counts.update(state for task, state in states.items() if task.shard)
        lines = []
        for task, state in states.items():
            shards_are_missing = not task.shard and state != "running" and any(states[each] != "done" for each in states if each.shard)
            if state != "done" and not shards_are_missing:
                lines.append(f"    {task.title} {reason_of(out, run, run_file.stem, task, state, queue)}")
        blocks += [f"  {name}: no report", *lines]
    between = Between(out, run)
    is_whole = not between.is_needed() or between.is_done(contents)
    if not is_whole:
        reason = reason_of(out, run, run_file.stem, between, state_of(between, queue, queue_known, contents), queue)
        blocks += [f"  {between.owner}: no report", f"    {between.title} {reason}"]
    total, shards = len(run["points"]), sum(counts.values())
    parts = [f"{counts[state]} {state}" for state in ORDER if counts[state]]
    text = [f"{total} capture point{'s' * (total != 1)}, {shards} shard{'s' * (shards != 1)}: {', '.join(parts)}",
            f"reports: {whole} of {total}, in {shown(str(out / 'points'))}"]
    if between.is_needed() and is_whole:
        text.append(f"between {len(between.parts)} of them: {shown(str(between.folder / 'report.txt'))} and report.json")
    if run["left_out"]:
        text += ["left out, since they are empty:", *(f"  {shown(name)}" for name in run["left_out"])]
    if blocks:
        text += ["without a report:", *blocks]
    if damaged:
        text += ["damaged shards of points that have their report:", *damaged]
    if notes:
        text += ["what rocescope said:", *notes]
    return "\n".join(text) + "\n", 0 if whole == total and is_whole and not damaged else 1
