"""The claims that are known to be false: known_false_claims.txt.

A line that ends with a colon says in words what is wrong. Under it stand the findings, each with its views and their scenarios:

    Losses of READ responses are taken for timeouts:
      timeout_recovery
        cut to 64: lost-heavy lost-light
"""
from __future__ import annotations

import pathlib
from collections.abc import Callable, Iterator

FILE = pathlib.Path(__file__).resolve().parent / "known_false_claims.txt"
Entry = tuple[str, str, str]  # scenario, view, finding


class KnownFalseClaims:
    def __init__(self) -> None:
        self.reason: dict[Entry, str] = {}

    def __contains__(self, entry: Entry) -> bool:
        return entry in self.reason

    def all(self) -> Iterator[Entry]:
        return iter(self.reason)

    def keep(self, is_kept: Callable[[Entry], bool]) -> None:
        self.reason = {entry: reason for entry, reason in self.reason.items() if is_kept(entry)}

    @staticmethod
    def read() -> KnownFalseClaims:
        result = KnownFalseClaims()
        reason = finding = ""
        for line in FILE.read_text().splitlines():
            if not line or line.startswith("#"):
                continue
            if not line.startswith(" "):
                reason = line.removesuffix(":")
            elif not line.startswith("    "):
                finding = line.strip()
            else:
                view, _, names = line.strip().rpartition(": ")
                for scenario in names.split():
                    entry = (scenario, view, finding)
                    if entry in result.reason:
                        raise ValueError(f"{FILE.name} has {entry} twice")
                    result.reason[entry] = reason
        return result

    def write(self) -> None:
        head = [line for line in FILE.read_text().splitlines() if line.startswith("#")]
        tree: dict[str, dict[str, dict[str, list[str]]]] = {}
        for (scenario, view, finding), reason in self.reason.items():
            tree.setdefault(reason, {}).setdefault(finding, {}).setdefault(view, []).append(scenario)
        lines = head
        for reason, findings in tree.items():
            lines += ["", f"{reason}:"]
            for finding, views in findings.items():
                lines.append(f"  {finding}")
                lines += [f"    {view}: {' '.join(names)}" for view, names in views.items()]
        FILE.write_text("\n".join(lines) + "\n")
