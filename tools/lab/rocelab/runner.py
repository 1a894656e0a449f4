"""`lab run`: which scenarios, on which machines, one after the other; several share a boot."""

import argparse
import re
import sys
import time
from pathlib import Path

from . import distribution, image, paths, scenario
from .errors import LabError
from .execution import Execution
from .machines import GuestMachines, Machines
from .pair import Pair
from .scenario import Scenario


def _named(options: argparse.Namespace) -> list[Scenario]:
    """Those that the user named; all of them can run."""
    named = [found for name in options.scenarios for found in scenario.find(name)]
    for wanted in named:
        if missing := _missing(wanted, bool(options.hosts)):
            raise LabError(f"cannot run {wanted.name}: {missing}")
    return named


def _choose(options: argparse.Namespace) -> list[Scenario]:
    chosen = _named(options)
    if options.all or options.tag:
        for file in scenario.files():
            chosen += [found for found in scenario.load(file) if options.all or set(options.tag) & set(found.tags)]
    if not chosen:
        raise LabError("which scenario? lab list shows them")
    return list({found.name: found for found in chosen}.values())


def _tell(text: str) -> None:
    print(f"lab: {text}", file=sys.stderr, flush=True)


def _missing(wanted: Scenario, own_machines: bool) -> str:
    """Why a scenario cannot run: a program is not built, or guests lack memory; empty if it can."""
    for need in wanted.needs:
        if need == "flush" and not paths.has_flush():
            return "rdmagen is built without FLUSH: this rdma-core has no verb for it, Debian 13's has"
        if need != "flush" and paths.our_program(need) is None:
            return f"{need} is not built: cmake --build --preset release --target {need}"
    if not own_machines and 2 * wanted.memory > (free := _free_memory()):
        return f"two guests of {wanted.memory} MiB do not fit: {free} MiB of memory are free"
    return ""


def _free_memory() -> int:
    """MiB available without swapping (proc_meminfo(5))."""
    return int(re.search(r"^MemAvailable:\s*(\d+) kB", Path("/proc/meminfo").read_text(), re.MULTILINE)[1]) // 1024


class Run:
    """Counts what passed, failed and was skipped, and prints a line for each."""

    def __init__(self, out: Path) -> None:
        self._out = out
        self.failed = 0
        self.skipped = 0
        self.passed: list[Scenario] = []

    def one(self, machines: Machines, wanted: Scenario) -> bool:
        began = time.monotonic()
        folder = self._out / wanted.name
        execution = Execution(machines, wanted, folder)
        execution.run()
        seconds = time.monotonic() - began
        if not execution.problems:
            note = f" ({execution.unchecked} expectations not checked: there is no rocescope)" if execution.unchecked else ""
            print(f"passed   {wanted.name:32} {seconds:5.1f} s  {folder}{note}", flush=True)
            self.passed.append(wanted)
            return True
        self.failed += 1
        print(f"FAILED   {wanted.name:32} {seconds:5.1f} s  {folder}", flush=True)
        for problem in execution.problems:
            print("  " + problem.replace("\n", "\n    "), flush=True)
        for name, side in machines.sides.items():
            if lines := side.host.console().splitlines()[-10:]:
                print(f"  {name}'s console ends with:\n    " + "\n    ".join(lines), flush=True)
        return False

    def skip(self, wanted: Scenario, why: str) -> None:
        self.skipped += 1
        print(f"skipped  {wanted.name:32} {why}", flush=True)


def _run_in_guests(run: Run, chosen: list[Scenario], kernel: str) -> None:
    """One boot for all scenarios of a kernel, memory, packages and modules; a new one after a failure or where a scenario leaves too much
    behind."""
    def guests_of(wanted: Scenario) -> tuple[str, int, tuple[str, ...], tuple[str, ...]]:
        return kernel or wanted.kernel, wanted.memory, wanted.packages, wanted.modules
    for guests in dict.fromkeys(map(guests_of, chosen)):
        waiting = [wanted for wanted in chosen if guests_of(wanted) == guests]
        wanted_kernel, memory, packages, modules = guests
        built = image.get(distribution.choose(wanted_kernel, packages), packages, modules)
        while waiting:
            _tell(f"booting server and client, kernel {built.facts['kernel']}")
            with Pair(built, memory) as pair:
                machines = GuestMachines(pair)
                while waiting:
                    wanted = waiting.pop(0)
                    if not run.one(machines, wanted) or wanted.fresh:
                        break


def run_scenarios(options: argparse.Namespace) -> int:
    """Exit code: 0 if none failed. Of those that --tag or --all chose, the ones that cannot run are skipped."""
    if options.refresh and paths.INSTALLED:
        raise LabError("--refresh writes to captures/ of the source tree, which an installed lab does not have")
    run, chosen = Run(options.out), []
    for wanted in _choose(options):
        if missing := _missing(wanted, bool(options.hosts)):
            run.skip(wanted, missing)
        else:
            chosen.append(wanted)
    if chosen:
        if options.hosts:
            from .ssh import connect
            machines = connect(options.hosts)
            for wanted in chosen:
                run.one(machines, wanted)
        else:
            _run_in_guests(run, chosen, options.kernel)
    if options.refresh:
        from .refresh import keep
        keep(run.passed, options.out)
    print(f"{len(run.passed)} passed, {run.failed} failed, {run.skipped} skipped")
    return 1 if run.failed else 0
