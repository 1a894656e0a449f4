#!/usr/bin/env python3
"""Whether what ends `analyze --jobs`, such as `timeout` or Slurm, ends the processes that it started, and their files go away.

    killed_jobs_test.py PROGRAM SYNTH
"""
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time


def shards_of(process: int) -> list[int]:
    """Those of its processes that are the program already, and not about to be."""
    return [int(child) for child in words_of(process, f"task/{process}/children").split() if b"--shard" in words_of(int(child), "cmdline")]


def words_of(process: int, file: str) -> bytes:
    try:
        return pathlib.Path(f"/proc/{process}/{file}").read_bytes()
    except (FileNotFoundError, ProcessLookupError):
        return b""


def is_running(process: int) -> bool:
    try:
        return pathlib.Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def killed(program: str, synth: str, folder: pathlib.Path) -> list[str]:
    scratch, capture = folder / "killed", folder / "killed.pcap"
    scratch.mkdir()
    subprocess.run([synth, "-o", capture, "--packets", "1200000", "--host-pairs", "16", "--frame-size", "128"], check=True, capture_output=True)
    for how, whom in ((signal.SIGTERM, "command"), (signal.SIGKILL, "command"), (signal.SIGTERM, "all"), (signal.SIGHUP, "all"),
                      (signal.SIGTERM, "merging")):
        with subprocess.Popen([program, "analyze", "--quiet", "--jobs", "2", "--csv", scratch / "csv", capture], stdout=subprocess.DEVNULL,
                              env=os.environ | {"TMPDIR": str(scratch)}, start_new_session=True) as command:
            while len(started := shards_of(command.pid)) < 2 or len([*scratch.rglob("*.messages")]) < 2:
                if command.poll() is not None:
                    return ["--jobs ends before it is killed"]
            while whom == "merging" and shards_of(command.pid):
                pass
            if whom != "merging":
                for child in started:
                    os.kill(child, signal.SIGSTOP)  # so that it cannot end before the command
            (os.killpg if whom == "all" else os.kill)(command.pid, how)
        for child in started if whom != "merging" else ():
            os.kill(child, signal.SIGCONT)
        deadline = time.monotonic() + 20
        while any(map(is_running, started)) and time.monotonic() < deadline:
            time.sleep(0.01)
        shutil.rmtree(scratch / "csv", ignore_errors=True)
        if any(map(is_running, started)) or list(scratch.iterdir()):
            return [f"--jobs, {whom} killed by {how.name}: {[*filter(is_running, started)]}, files {list(scratch.rglob('*'))}"]
    return []


def ended_meanwhile(program: str, folder: pathlib.Path) -> list[str]:
    """A shard that has its result after the command removed all files, and before the command is gone."""
    scratch, capture = folder / "rocescope-killed", folder / "killed.pcap"
    scratch.mkdir()
    messages, result = scratch / "1.rsp.messages", scratch / "1.rsp"
    deadline = time.monotonic() + 60
    command = os.fork()
    if command == 0:
        subprocess.Popen([program, "analyze", "--shard=1/2", f"--partial={result}", "--threads=1", capture],
                         env=os.environ | {"ROCESCOPE_JOB": str(messages), "ROCESCOPE_JOB_OF": str(os.getpid())})
        while not messages.exists() and time.monotonic() < deadline:
            time.sleep(0.001)
        messages.unlink(missing_ok=True)
        while not result.exists() and time.monotonic() < deadline:
            time.sleep(0.001)
        time.sleep(0.3)
        os._exit(0 if result.exists() else 1)
    failed = os.waitpid(command, 0)[1] != 0
    while scratch.exists() and time.monotonic() < deadline:
        time.sleep(0.01)
    if failed:
        return ["a shard that ends last: has no result"]
    return [f"a shard that ends last leaves {list(scratch.iterdir())}"] if scratch.exists() else []


def main() -> int:
    program, synth = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        failed = killed(program, synth, pathlib.Path(folder)) + ended_meanwhile(program, pathlib.Path(folder))
    for line in failed:
        print(line)
    return int(bool(failed))


if __name__ == "__main__":
    sys.exit(main())
