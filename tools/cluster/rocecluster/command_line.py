"""The command line of rocescope-sbatch."""

from __future__ import annotations

import argparse
import errno
import os
import shlex
import signal
import sys
from pathlib import Path

from . import kubernetes, slurm, status
from .errors import UsageError
from .files import shown
from .plan import add_tasks, make_run, next_run_file, write_run
from .results import read_run, runs
from .slurm import Queue
from .task import run_task

ABOUT = """\
Analyses the captures of many hosts with Slurm: an array job with a task for
each shard of each capture point, one that merges the shards, and a job that
merges all points. Each capture point gets the report that `rocescope analyze
--json` gives of its files; the report of all says what became of packets
between them.

  %(prog)s 'captures/*/*.pcapng' --out results --points
      which files are which capture point
  %(prog)s 'captures/*/*.pcapng' --out results --shards 4
      submit the jobs; again: do what is missing, what is there stays
  %(prog)s --status --out results
      what is there, what is missing and why
  %(prog)s 'captures/*/*.pcapng' --out results -- --no-icrc
      options of `rocescope analyze` behind --
"""
ENDING = """\
INPUT is a file or a pattern: *, ?, [...], and ** for any folders. Quote it,
so that the shell leaves the names alone.

The files of a capture point are one capture. --group says which they are:
  ring       those of a folder whose names differ only in what capture
             programs count with: number and time of `dumpcap -b` and
             `rocescope live -b` (ring_00001_20261125120000.pcapng), number of
             `tcpdump -C` (ring.pcap1), date and time or seconds of
             `tcpdump -G` (ring-20261125-1200.pcap), and in compression
  directory  all files of a folder
  file       each file alone
  REGEX      what the groups of a regular expression of Python match in the
             name of a file names its point: '/(host[0-9]+)/'. A file of
             which they match nothing is an error

A result counts as there if it was made of the same files (names, sizes and
times; with --checksum contents instead of times) by the same version of
rocescope with the same options. A damaged partial result is found when it is
merged, with --check at once, and made again by the next call.

  DIR/points/POINT/report.json   the report
  DIR/points/POINT/whole.rsp     the partial result of the capture point, for
                                 `rocescope merge` and `rocescope export`
  DIR/points/POINT/*.log         what rocescope said
  DIR/between/report.txt         of all points that have a report, if these
                                 are several; report.json beside it
  DIR/slurm/                     what Slurm said

Exit code: 0 done or submitted; with --status and --wait: every capture point
has its report, and all together have. 1 one has none, or --check found a
damaged result. 2 an error. 130 interrupted.
"""


def whole_number(least: int, most: int):
    def convert(text: str) -> int:
        value = int(text)
        if not least <= value <= most:
            raise argparse.ArgumentTypeError(f"{text} is not {least} to {most}")
        return value
    convert.__name__ = "number"
    return convert


def parser() -> argparse.ArgumentParser:
    main = argparse.ArgumentParser(prog="rocescope-sbatch", usage="%(prog)s INPUT... --out DIR [OPTION]... [-- ANALYZE-OPTION...]",
                                   description=ABOUT, epilog=ENDING, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False)
    main.add_argument("inputs", nargs="*", metavar="INPUT", help="captures")
    main.add_argument("--out", metavar="DIR", help="the folder of the results, which all nodes see at the same place")
    main.add_argument("--group", default="ring", metavar="HOW", help="which files are one capture point: ring (default), directory, file, or REGEX")
    main.add_argument("--exclude", action="append", default=[], metavar="PATTERN", help="leave out the files of this name")
    main.add_argument("--shards", type=whole_number(1, 64), default=1, metavar="N",
                      help="tasks of each capture point (1): each follows a part of its host pairs")
    main.add_argument("--threads", type=whole_number(1, 64), default=1, metavar="N", help="threads, and so processors, of a task (1)")
    main.add_argument("--mem", metavar="SIZE", help="memory of a task, as sbatch has it, with --kubernetes as Kubernetes has it: 4Gi")
    main.add_argument("--at-once", type=whole_number(1, 1_000_000), metavar="N", help="at most so many tasks at a time")
    main.add_argument("--no-messages", action="store_true", help="leave the messages out of partial results; faster, smaller")
    main.add_argument("--retries", type=whole_number(0, 20), default=2, metavar="N", help="how often a task that failed is tried again (2)")
    main.add_argument("--checksum", action="store_true", help="tell files by their contents instead of their times; reads all of them now")
    main.add_argument("--check", action="store_true", help="read all results to see whether they are as they were written")
    main.add_argument("--program", metavar="PATH",
                      help="rocescope, here and on all nodes, with --kubernetes here and in the image (default: the one in PATH)")
    actions = main.add_argument_group("instead of submitting")
    actions.add_argument("--points", action="store_true", help="print the capture points and their files")
    actions.add_argument("--dry-run", action="store_true", help="print what is to do and the commands; write nothing")
    actions.add_argument("--status", action="store_true", help="what is there, what is missing and why, of the last call for DIR")
    actions.add_argument("--kubernetes", metavar="IMAGE", help="print the same tasks as Jobs of Kubernetes 1.29 or newer, which run this image")
    actions.add_argument("--claim", action="append", default=[], metavar="NAME:PATH",
                         help="mount a PersistentVolumeClaim there; together they have captures and results (default: the nodes have the folders)")
    batch = main.add_argument_group("Slurm, without --kubernetes")
    batch.add_argument("--wait", action="store_true", help="wait until all has ended, then print the status")
    for name, value in (("partition", "NAME"), ("account", "NAME"), ("qos", "NAME"), ("time", "TIME")):
        batch.add_argument(f"--{name}", metavar=value, help="as sbatch has it")
    batch.add_argument("--sbatch", action="append", default=[], metavar="OPTION", help="another option for sbatch: --sbatch=--nice=100; "
                       "--sbatch=--dependency=afterok:JOB holds for all jobs")
    return main


def sbatch_options(options: argparse.Namespace) -> list[str]:
    names = ("partition", "account", "qos", "time", "mem")
    return [f"--{name}={getattr(options, name)}" for name in names if getattr(options, name) is not None] + slurm.read_options(options.sbatch)


def check_idle_options(options: argparse.Namespace) -> None:
    """None is given that would do nothing."""
    where, names = "without", ["claim"]
    if options.kubernetes is not None:
        where, names = "with", ["wait", "partition", "account", "qos", "time", "sbatch"]
    for name in names:
        if getattr(options, name) not in (None, False, []):
            raise UsageError(f"--{name} does nothing {where} --kubernetes")
    slurm.read_options(options.sbatch)


def print_points(run: dict) -> None:
    for point in run["points"]:
        size = sum(file["size"] for file in point["files"])
        print(f"{shown(point['name'])}: {len(point['files'])} file{'s' * (len(point['files']) != 1)}, {size:,} bytes, points/{point['folder']}")
        for file in point["files"]:
            print(f"    {shown(file['name'])}")
    for name in run["left_out"]:
        print(f"left out, since it is empty: {shown(name)}")


def read_or_say(queue: Queue) -> bool:
    """Whether Slurm says what is in the queue; if not, why is printed."""
    try:
        queue.read()
    except UsageError as error:
        print(f"rocescope-sbatch: {error}", file=sys.stderr)
        return False
    return True


def print_status(options: argparse.Namespace) -> int:
    there = runs(options.out)
    if not there:
        raise UsageError(f"{options.out} has no results of rocescope-sbatch")
    queue = Queue(options.out)
    known = read_or_say(queue)
    text, code = status.report(options.out, there[-1], queue, known, options.check)
    sys.stdout.write(text)
    return code


def print_dry_run(options: argparse.Namespace, run: dict, slurm_answers: bool) -> int:
    print_points(run)
    print(f"to do: {len(run['shards_to_run'])} of {run['all_shards']} shards, {merges(run)}{of_all_points(run)}")
    if options.kubernetes is not None:
        return 0  # its Jobs are printed without --dry-run
    name, more = next_run_file(options.out).stem, sbatch_options(options)
    largest = slurm.largest_index() if slurm_answers else slurm.USUAL_INDEX
    for _, _, words in slurm.commands(options.out, run, name, largest, more, options.at_once):
        print(shlex.join(words))
    if not slurm_answers:
        print("rocescope-sbatch: what is in the queue, and how large an array may be, is not known: as if it is empty, and "
              f"MaxArraySize {slurm.USUAL_INDEX + 1}; nor is whether sbatch takes these options", file=sys.stderr)
    return 0


def merges(run: dict) -> str:
    number = len(run["merges_to_run"])
    return f"{number} merge{'' if number == 1 else 's'}"


def of_all_points(run: dict) -> str:
    return ", one of all points" if run["between_to_run"] else ""


def is_another_plan(run: dict, out: Path) -> bool:
    """Whether it has other points, files or shards than the last call."""
    def parts(of: dict) -> tuple:
        return of["shards"], [(point["folder"], point["digest"]) for point in of["points"]]
    there = runs(out)
    return bool(there) and parts(read_run(there[-1])) != parts(run)


def submit(options: argparse.Namespace, run: dict, queue: Queue) -> int:
    if any(run[kind] for kind in slurm.KINDS):
        run_file = write_run(run, options.out)
        jobs = slurm.submit(options.out, run, run_file.stem, sbatch_options(options), options.at_once, queue.jobs)
        print(f"submitted: {len(run['shards_to_run'])} of {run['all_shards']} shards, {merges(run)}{of_all_points(run)}; "
              f"job{'s' * (len(jobs) != 1)} {', '.join(jobs)}")
    elif queue.jobs:
        print(f"nothing to submit: what is missing is in the queue, jobs {', '.join(queue.jobs)}")
    else:
        if is_another_plan(run, options.out):
            write_run(run, options.out)  # which --status is about from now on
        print("nothing to do: every capture point has its report")
    if not options.wait:
        return 0
    sys.stdout.flush()
    slurm.wait(options.out)
    return print_status(options)


def check_out(out: Path) -> None:
    """That it is a folder, or can be made; also where nothing is written yet."""
    there = next(folder for folder in (out, *out.parents) if os.path.exists(folder))
    if not os.path.isdir(there):
        raise UsageError(f"cannot write in {out}: {os.strerror(errno.ENOTDIR)}")


def dispatch(options: argparse.Namespace) -> int:
    if not options.out:
        raise UsageError("--out DIR is missing")
    options.out = Path(os.path.abspath(options.out))
    check_idle_options(options)
    if options.status:
        if options.inputs:
            raise UsageError("--status is about the last call for DIR, and takes no INPUT")
        return print_status(options)
    if not options.inputs:
        raise UsageError("INPUT is missing: which captures? `rocescope-sbatch --help` has examples")
    check_out(options.out)
    run = make_run(options)
    if options.kubernetes is not None:
        kubernetes.check(run, options.out, options.kubernetes, options.claim, options.mem)
    if options.points:
        print_points(run)
        return 0
    queue = Queue(options.out)
    slurm_answers = True
    if options.kubernetes is None:
        if options.dry_run:
            slurm_answers = read_or_say(queue)
        else:
            queue.read()
        if slurm_answers:
            slurm.check_options(sbatch_options(options))
    add_tasks(run, options.out, queue, options.check)
    if options.dry_run:
        return print_dry_run(options, run, slurm_answers)
    if options.kubernetes is not None:
        if not any(run[kind] for kind in slurm.KINDS):
            print("rocescope-sbatch: nothing to do: every capture point has its report", file=sys.stderr)
            return 0
        run_file = write_run(run, options.out)
        sys.stdout.write(kubernetes.manifest(run, options.out, run_file, options.kubernetes, options.claim, options.mem, options.at_once))
        return 0
    return submit(options, run, queue)


def task(words: list[str]) -> int:
    """What the jobs run: --task KIND FIRST RUN; which of the array, Slurm or Kubernetes says, or TASK."""
    if len(words) != 3:
        raise UsageError("--task needs KIND FIRST RUN")
    kind, first, run_file = words
    if kind not in slurm.KINDS:
        raise UsageError(f"'{kind}' is no kind of task: {', '.join(slurm.KINDS)}")
    index = next((os.environ[name] for name in ("SLURM_ARRAY_TASK_ID", "JOB_COMPLETION_INDEX") if name in os.environ), "0")
    for number in (first, index):
        if not number.isdecimal():
            raise UsageError(f"'{number}' is no number of a task")
    return run_task(Path(run_file), kind, int(first) + int(index))


def main(arguments: list[str]) -> int:
    for ending in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(ending) == signal.SIG_DFL:
            signal.signal(ending, signal.default_int_handler)
    try:
        if arguments[:1] == ["--task"]:
            return task(arguments[1:])
        behind = arguments.index("--") if "--" in arguments else len(arguments)
        for word in arguments[:behind]:
            if word.startswith("--") and word.endswith("=--"):  # of which argparse makes an empty list
                raise UsageError(f"{shown(word)}: -- is no value")
        options = parser().parse_args(arguments[:behind])
        options.analyze = arguments[behind + 1:]
        return dispatch(options)
    except UsageError as error:
        print(f"rocescope-sbatch: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
