"""One scenario on two prepared machines: impairment, commands, counters, captures, truth, expectations."""

import json
import re
import time
from dataclasses import dataclass
from pathlib import Path

from . import network, paths, tracing, truth, witness
from .captures import Captures
from .errors import LabError
from .excuses import excuse
from .expect import Expectation, count_packets
from .host import JOBS, Job
from .machines import Machines, Side
from .scenario import HOSTS, WHOLE, Command, Scenario
from .truth import Truth

READY_TIMEOUT = 20  # seconds for a server to listen
PROBLEMS_SHOWN = 5  # of one capture
SETTLE = 0.3  # seconds for the last packets to arrive


@dataclass
class _Running:
    number: int
    command: Command
    side: Side
    job: Job
    truth: str


class Execution:
    """Runs one scenario; `problems` says what went wrong, empty if nothing did."""

    def __init__(self, machines: Machines, scenario: Scenario, folder: Path) -> None:
        self._machines = machines
        self._scenario = scenario
        self._folder = folder
        self._started: list[_Running] = []
        self._counters: dict[str, dict] = {}
        self._dropped: dict[tuple[str, str], int] = {}
        self.problems: list[str] = []
        self.unchecked = 0

    def run(self) -> None:
        self._folder.mkdir(parents=True, exist_ok=True)
        for old in self._folder.iterdir():
            old.unlink()
        self._truth = Truth(self._folder / "truth.ndjson")
        try:
            self._run()
        except LabError as error:
            self.problems.append(str(error))
        finally:
            self._truth.add("result", passed=not self.problems, problems=self.problems)
            self._truth.close()

    def _run(self) -> None:
        scenario = self._scenario
        self._machines.prepare(scenario)
        self._tell_machines()
        captures = Captures(self._machines, scenario.inside, scenario.snap, self._folder)
        try:
            captures.start()
            self._tell_counters("before")
            self._impair()
            for trace in self._scenario.traces:
                tracing.start(self._machines.sides[trace.on].host, trace)
            self._run_commands()
            time.sleep(SETTLE)
            self._tell_traces()
            self._tell_queues()
            self._tell_counters("after")
        finally:
            self._end_jobs()
            self._machines.both(lambda side: side.host.execute(network.release_script(side.interface), 30))
            captures.stop()
            self._fetch_logs()
        captures.fetch(self._truth)
        self._check_expectations()
        self._check_captures()

    def _tell_machines(self) -> None:
        scenario = self._scenario
        self._truth.add("lab", schema=1, scenario=scenario.name, about=scenario.about,
                        machines=self._machines.facts())
        clocks = self._machines.both(lambda side: side.guest.host.set_clock() if side.guest else (None, None))
        for name, side in self._machines.sides.items():
            clock = clocks[name]
            self._truth.add("host", name=name, address=side.address, interface=side.interface, device=side.device, gid=side.gid,
                            mtu=scenario.network.mtu, vlan=scenario.network.vlan, clock_offset=clock[0],
                            clock_uncertainty=clock[1], kernel=side.host.check("uname -r").strip())

    def _tell_counters(self, when: str) -> None:
        read = self._machines.both(lambda side: network.read_counters(side.host, side.device, side.interface))
        for name, counters in read.items():
            self._truth.add("counters", on=name, when=when, **counters)
            both = counters["netdev"] | counters["hw_counters"]
            before = self._counters.get(name)
            self._counters[name] = {key: value - before.get(key, 0) for key, value in both.items()} if before else both

    def _impair(self) -> None:
        for impairment in self._scenario.impairments:
            side = self._machines.sides[impairment.on]
            side.host.check(network.impair_script(impairment, side.interface))
            self._truth.add("impairment", on=impairment.on, way=impairment.way, netem=impairment.netem, only=impairment.only,)

    def _tell_queues(self) -> None:
        """The packets that the queues dropped, which captures behind them cannot show."""
        for impairment in self._scenario.impairments:
            side = self._machines.sides[impairment.on]
            device = side.interface if impairment.way == "out" else "ifb-lab"
            shown = side.host.check(f"{network.TC} -s qdisc show dev {device}")
            netem = re.search(r"qdisc netem.*?Sent (\d+) bytes (\d+) pkt \(dropped (\d+),", shown, re.DOTALL)
            sent, dropped = (int(netem[2]), int(netem[3])) if netem else (0, 0)
            self._dropped[impairment.on, impairment.way] = dropped
            self._truth.add("queue", on=impairment.on, way=impairment.way, sent=sent, dropped=dropped, text=shown)

    def _tell_traces(self) -> None:
        for trace in self._scenario.traces:
            found = tracing.stop(self._machines.sides[trace.on].host, trace)
            text = "".join(json.dumps(fact) + "\n" for fact in found)
            (self._folder / f"{trace.on}.trace.ndjson").write_text(text)

    def _run_commands(self) -> None:
        for number, command in enumerate(self._scenario.commands, start=1):
            running = self._start(number, command)
            if command.ready:
                self._await_ready(running)
            elif not (command.background or command.stop):
                self._finish(running)
        for running in [job for job in self._started if not job.command.stop]:
            self._finish(running)
        for running in list(self._started):
            self._finish(running)

    def _start(self, number: int, command: Command) -> _Running:
        sides = self._machines.sides
        side, file = sides[command.on], f"{JOBS}/truth-{number}.ndjson"
        text = side.fill(command.run, sides["server"], sides["client"], file)
        running = _Running(number, command, side, side.host.start(text, command.stdin.encode()), file)
        self._started.append(running)
        return running

    def _await_ready(self, running: _Running) -> None:
        kind, _, what = running.command.ready.partition(" ")
        script = {"tcp": f"ss -Hltn sport = :{what} | grep -q .",
                  "cm": f"{network.RDMA} resource show cm_id | grep -q LISTEN"}.get(kind)
        deadline = time.monotonic() + READY_TIMEOUT
        while True:
            ready = running.side.host.execute(script, 10)[0] == 0 if script else what in running.job.output()
            if ready:
                return
            if running.job.finished() or time.monotonic() > deadline:
                raise LabError(f"{running.side.name}: `{running.job.command}` is not ready ({running.command.ready}). "
                               f"It says:\n{running.job.output().strip() or '(nothing)'}")
            time.sleep(0.1)

    def _finish(self, running: _Running) -> None:
        """Waits for a command to end and records how it ended; ends it if the scenario says so."""
        if running not in self._started:
            return
        command, job = running.command, running.job
        result = job.stop(command.stop) if command.stop else job.wait(command.timeout)
        self._started.remove(running)
        self._save(running, "log", result.stdout + result.stderr)
        facts = running.side.host.read(running.truth)
        if facts is not None:
            self._save(running, "ndjson", facts)
        excused = None if command.accepts(result.exit) else excuse(job.command, result.exit, result.stderr)
        fine = command.accepts(result.exit) or excused is not None
        self._truth.add("command", number=running.number, on=command.on, command=job.command, began_ns=result.began,
                        ended_ns=result.ended, exit=result.exit, expected=command.stop or command.exit, excuse=excused,
                        passed=fine)
        if not fine:
            how = f"did not end in {command.timeout:g} s" if result.exit is None else f"ended with {result.exit}"
            output = (result.stdout + result.stderr).decode("utf-8", "replace").strip().splitlines()[-20:]
            self.problems.append(f"{command.on}: `{job.command.strip()}` {how}. It says:\n" + "\n".join(output))

    def _end_jobs(self) -> None:
        """Ends what a failure left running."""
        for running in list(self._started):
            result = running.job.stop()
            self._started.remove(running)
            self._save(running, "log", result.stdout + result.stderr)

    def _save(self, running: _Running, kind: str, data: bytes) -> None:
        words = [word for word in running.job.command.split() if "=" not in word] or ["command"]
        program = re.sub(r"[^A-Za-z0-9_]", "", words[0].rsplit("/", 1)[-1])
        (self._folder / f"{running.number}.{running.side.name}.{program}.{kind}").write_bytes(data)

    def _fetch_logs(self) -> None:
        for name, side in self._machines.sides.items():
            if console := side.host.console():
                (self._folder / f"{name}.console").write_text(console + "\n")

    def _check_expectations(self) -> None:
        for expectation in self._scenario.expectations:
            found = self._count(expectation)
            held = None if found is None else expectation.holds(found)
            self.unchecked += found is None
            self._truth.add("expectation", kind=expectation.kind, what=expectation.what, where=expectation.where,
                            count=expectation.count, found=found, passed=held)
            if held is False:
                self.problems.append(f"expected {expectation}, found {found}")

    def _check_captures(self) -> None:
        """In every capture all ICRCs are good, unless packets were damaged on purpose; and all that rdmagen posted is there,
        unless something was lost or refused."""
        scenario, rocescope = self._scenario, paths.our_program("rocescope")
        if rocescope is None:
            return
        truths = [truth.read(file) for name in HOSTS for file in sorted(self._folder.glob(f"*.{name}.rdmagen.ndjson"))]
        faults = any(event.get("fault", "none") != "none" for events in truths for event in events)
        for capture in sorted(self._folder.glob("*.pcapng")):
            wrong: list[str] = []
            if scenario.icrc == "good" and not any("corrupt" in impairment.netem for impairment in scenario.impairments):
                wrong += witness.icrc_problems(rocescope, capture, scenario.snap < WHOLE)
            agreed = 0
            if len(truths) == 2 and not faults and not scenario.impairments:
                sides = [witness.Side(self._machines.sides[name].address, events) for name, events in zip(HOSTS, truths)]
                agreed, disagreements = witness.compare(rocescope, capture, sides)
                wrong += disagreements
            self._truth.add("witness", capture=capture.name, agreed=agreed, problems=wrong)
            self.problems += [f"{capture.name}: {problem}" for problem in wrong[:PROBLEMS_SHOWN]]

    def _count(self, expectation: Expectation) -> int | None:
        match expectation.kind:
            case "packets":
                # Machines of the user's have no wire capture: there the one inside stands for it.
                names = (expectation.where, f"{self._scenario.inside}.inside")
                captures = (self._folder / f"{name}.pcapng" for name in names)
                capture = next((file for file in captures if file.exists()), None)
                return count_packets(capture, expectation.what) if capture else None
            case "counter":
                counters = self._counters[expectation.where]
                if expectation.what not in counters:
                    raise LabError(f"{expectation.where} has no counter {expectation.what}; it has {', '.join(sorted(counters))}")
                return counters[expectation.what]
            case "dropped":
                return self._dropped.get((expectation.where, expectation.what), 0)
            case _:
                logs = self._folder.glob(f"*.{expectation.where}.*.log")
                return sum(len(re.findall(expectation.what, log.read_text(errors="replace"), re.MULTILINE)) for log in logs)
