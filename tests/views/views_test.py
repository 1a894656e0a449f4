#!/usr/bin/env python3
"""What a report claims on the captures that people have, held against what happened.

Each scenario with a truth is shown to the program in about forty views (views.py). No quantity called exact may differ from the
truth, none called "at least" be above it, and no error or warning name what did not happen. What is known to be false today stands
in known_false_claims.txt. That list only shrinks: an entry that is no longer false fails as well, and --shrink takes it out.

    views_test.py PROGRAM                    the scenarios of COMMON
    views_test.py PROGRAM --all              all of them, which takes longer
    views_test.py PROGRAM --show SCENARIO    every false claim of one of them, known or not
    views_test.py PROGRAM --keep FOLDER SCENARIO VIEW    writes the capture of one view
    views_test.py PROGRAM --all --shrink     takes out of the list what is no longer false
    views_test.py PROGRAM --all --cuts       what each snap length keeps: the figures of rocescope-capture(7)
"""
import argparse
import collections
import json
import pathlib
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator

import claims
import known
import packets
import scenarios
import views

# One of each kind: what the network and the hosts do, and what is clean.
COMMON = (
    "ecn-heavy", "fault-rnr", "fault-slow-receiver", "fault-wrong-rkey", "impaired_in-loss_heavy", "impaired_out-corrupt_heavy",
    "impaired_out-duplicate_heavy", "impaired_out-loss_heavy", "impaired_out-reorder_heavy", "killed-server", "lost-heavy", "nvme",
    "pingpong-rc", "pingpong-uc", "rdmagen-cm-mixed", "rdmagen_several-exchange", "several", "udaddy", "two_views-loss_light",
    "two_views-duplicate", "two_views_responses-atomic")
# The least share of what a view could know that it must say; of the others it is ALL_BUT_FEW.
LEAST_RECALL = {"10 % missing": 0.9, "30 % missing": 0.84,
                # Of few captures, each chosen since what is missing looked like something else.
                "again: 3 % missing": 0.85, "again: 10 % missing": 0.8, "again: 30 % missing": 0.85,
                # Nothing shows what was lost, damaged or overtaken between the ends, and the report says so.
                "again: identification 0, both ends: clocks 2 s apart, one interface": 0,
                # A packet that was sent again looks like one that was overtaken, or duplicated.
                "identification 0, one direction: from the requester": 0.9, "identification 0, twice: 20 us apart": 0.9,
                "identification 0, both ends: two interfaces": 0.9,
                # So does a network that makes copies.
                "identification 0, some twice": 0.85,
                # If packets were lost or duplicated between the ends, nothing distinguishes copies from retransmissions: the report says so.
                "identification 0, both ends: one interface": 0.8,
                "identification 0, both ends: clocks 3 ms apart, one interface": 0.8,
                "identification 0, both ends: clocks 2 s apart, one interface": 0.8}
ALL_BUT_FEW = 0.93
# Of all scenarios: among those that are not common are more that delay, reorder and damage packets between the ends.
LEAST_RECALL_OF_ALL = {"identification 0, both ends: one interface": 0.7,
                       "identification 0, both ends: clocks 3 ms apart, one interface": 0.7,
                       # Copies come later than what senders sent again meanwhile: most is said to be unsure.
                       "identification 0, both ends: clocks 2 s apart, one interface": 0.65}


class Outcome:
    """All views of all scenarios."""

    def __init__(self, program: str, folder: pathlib.Path):
        self.program, self.file = program, folder / "view.pcapng"
        self.false: dict[tuple[str, str, str], claims.FalseClaim] = {}  # by scenario, view and finding
        self.silent: list[str] = []
        self.could_know, self.knows = collections.Counter(), collections.Counter()
        self.checked, self.claimed, self.wrong = collections.Counter(), collections.Counter(), collections.Counter()
        self.seen_views: list[str] = []
        self.not_said: dict[str, set[str]] = collections.defaultdict(set)

    def analyze(self, view: views.View) -> dict:
        packets.write(self.file, view.packets, view.digits)
        command = [self.program, "analyze", "--json", "--quiet", "--threads", "1", self.file]
        return json.loads(subprocess.run(command, capture_output=True, check=True).stdout)

    def add(self, scenario: scenarios.Scenario, maker: Callable[[scenarios.Scenario], Iterator[views.View]]) -> None:
        whole = self.analyze(views.View("whole", scenario.packets))
        for view in maker(scenario):
            self.judge(scenario, view, whole if view.name == "whole" else self.analyze(view), whole)

    def judge(self, scenario: scenarios.Scenario, view: views.View, report: dict, whole: dict) -> None:
        name = view.name
        if name not in self.seen_views:
            self.seen_views.append(name)
        if not any(report[key] for key in ("findings", "connections", "ud_flows")):
            self.silent.append(f"{scenario.name}, {name}")
        false = list(claims.false_claims(scenario, view, report))
        for each in false:
            self.false[scenario.name, name, each.finding] = each
        said = {finding["id"] for finding in report["findings"]} - {each.finding for each in false if each.truth.high == 0}
        could = claims.could_be_known(claims.known_to_whole(scenario, whole), whole, view)
        self.could_know[name] += len(could)
        self.knows[name] += len(could & said)
        if could - said:
            self.not_said[name].update(could - said)
        self.checked[name] += 1
        self.claimed[name] += sum(1 for _ in claims.claims_of(report))
        self.wrong[name] += len(false)

    def recall(self, view: str) -> float:
        return self.knows[view] / self.could_know[view] if self.could_know[view] else 1.0

    def tell(self) -> None:
        print(f"{'view':44} {'captures':>8} {'claims':>7} {'false':>6} {'could know':>11} {'recall':>7}  not said")
        for name in self.seen_views:
            missing = ", ".join(sorted(self.not_said[name]))
            print(f"{name:44} {self.checked[name]:8} {self.claimed[name]:7} {self.wrong[name]:6} {self.could_know[name]:11} "
                  f"{self.recall(name):7.0%}  {missing}")
        captures, claimed, wrong = (sum(each.values()) for each in (self.checked, self.claimed, self.wrong))
        print(f"{captures} captures, {claimed} claims, {wrong} of them false")


def tell_cuts(outcome: Outcome, judged: list[scenarios.Scenario]) -> None:
    """Findings and handshakes of the cut captures that the whole ones have too, and ICRCs; other packets than RoCE count as bytes."""
    kept = collections.defaultdict(collections.Counter)
    lost = collections.defaultdict(collections.Counter)
    for scenario in judged:
        if not scenario.roce:
            continue
        whole = None
        for view in (views.View("whole", scenario.packets), *views.cut(scenario)):
            report = outcome.analyze(view)
            said = {finding["id"] for finding in report["findings"]}
            whole = said if whole is None else whole
            kept[view.name] += collections.Counter(
                captures=report["totals"]["roce_packets"] > 0, findings=len(said & whole), handshakes=len(report["handshakes"]),
                icrcs=report["icrc"]["good"] + report["icrc"]["bad"], bytes=report["totals"]["captured_bytes"])
            lost[view.name].update(whole - said)
    columns = ("captures", "findings", "handshakes", "icrcs", "bytes")
    print(f"{'':12}", *(f"{column:>11}" for column in columns))
    for name, row in kept.items():
        print(f"{name:12}", *(f"{row[column]:11}" for column in columns))
    for name, findings in lost.items():
        print(f"{name} does not say:", ", ".join(f"{finding} {times}" for finding, times in findings.most_common()) or "nothing")


def problems(outcome: Outcome, entries: known.KnownFalseClaims, is_judged: Callable[[str], bool],
             bounds: dict[str, float]) -> list[str]:
    result = [f"no claims at all: {silent}" for silent in outcome.silent]
    for (scenario, view, finding), false in outcome.false.items():
        if (scenario, view, finding) not in entries:
            result.append(f"false: {scenario}, {view}: {false}")
    for scenario, view, finding in entries.all():
        if is_judged(scenario) and (scenario, view, finding) not in outcome.false:
            result.append(f"no longer false, take it out of {known.FILE.name} (--shrink): {scenario}, {view}: {finding}")
    for view in outcome.seen_views:
        least = bounds.get(view, ALL_BUT_FEW)
        if outcome.recall(view) < least:
            result.append(f"too little is said: {view}: {outcome.recall(view):.0%} of what it could know, not {least:.0%}")
    return result


def chosen(options: argparse.Namespace) -> list[scenarios.Scenario]:
    if options.show:
        return scenarios.read_all(lambda name: name == options.show.partition("@")[0])
    return scenarios.read_all(lambda name: options.all or name in COMMON)


def keep(folder: pathlib.Path, scenario_name: str, view_name: str) -> None:
    for scenario in scenarios.read_all(lambda name: name == scenario_name.partition("@")[0]):
        for view in views.views_of(scenario):
            if (scenario.name, view.name) == (scenario_name, view_name):
                packets.write(folder / f"{scenario_name}, {view_name}.pcapng", view.packets, view.digits)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--shrink", action="store_true")
    parser.add_argument("--show", metavar="SCENARIO")
    parser.add_argument("--cuts", action="store_true")
    parser.add_argument("--keep", nargs=3, metavar=("FOLDER", "SCENARIO", "VIEW"))
    options = parser.parse_args()
    if options.keep:
        folder, scenario_name, view_name = options.keep
        keep(pathlib.Path(folder), scenario_name, view_name)
        return 0
    judged = chosen(options)
    with tempfile.TemporaryDirectory() as folder:
        outcome = Outcome(options.program, pathlib.Path(folder))
        if options.cuts:
            tell_cuts(outcome, judged)
            return 0
        for scenario in judged:
            outcome.add(scenario, views.views_of)
        if not options.all and not options.show:
            again = {*views.MERGED_AGAIN, *views.COUNTED_AGAIN, *(name for name, _ in views.THINNED_AGAIN)}
            others = {name.partition("@")[0] for name in again} - set(COMMON)
            for scenario in scenarios.read_all(others.__contains__):
                outcome.add(scenario, views.judged_again)
    if options.show:
        for (scenario, view, _), false in outcome.false.items():
            print(f"{scenario}, {view}: {false}")
        return 0
    outcome.tell()
    entries = known.KnownFalseClaims.read()
    names = {scenario.name for scenario in judged}

    def is_judged(scenario: str) -> bool:
        return options.all or scenario in names
    if options.shrink:
        entries.keep(lambda entry: not is_judged(entry[0]) or entry in outcome.false)
        entries.write()
    wrong = problems(outcome, entries, is_judged, LEAST_RECALL | LEAST_RECALL_OF_ALL if options.all else LEAST_RECALL)
    print(*wrong, sep="\n", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
