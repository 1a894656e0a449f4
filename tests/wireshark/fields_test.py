"""What the plugin shows of each packet is what `rocescope dissect` shows, field by field: of all captures in one file, and of single ones.

    fields_test.py ROCESCOPE PLUGIN [CAPTURE...]    every sixth capture by itself, for neighbours are much alike
    fields_test.py ROCESCOPE PLUGIN --all           each, which takes longer
"""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory

from tshark import CAPTURES, Tshark, skip_without

# What only the plugin has: links, words, and what only later packets tell.
OWN = {"rocescope.note", "rocescope.verdict.resent_in", "rocescope.finding", "rocescope.message.operation", "rocescope.message.outcome",
       "rocescope.message.bytes", "rocescope.message.first_frame", "rocescope.message.last_frame", "rocescope.message.completed_in",
       "rocescope.message.completes", "rocescope.message.time", "rocescope.message.ack_time"}
ROCE = "rocescope.encapsulation"


def packet_fields(program: Path) -> list[str]:
    rows = subprocess.run([program, "fields"], check=True, capture_output=True, text=True).stdout.splitlines()
    names = [row.split("\t")[0] for row in rows if row.startswith("rocescope.") and row.split("\t")[5] == "-"]
    return list(dict.fromkeys(names))


def check_names(tshark: Tshark, fields: list[str], program: Path) -> list[str]:
    assert "rocescope.so" in tshark.output("-G", "plugins"), "tshark did not load the plugin"
    known = {row.split("\t")[2] for row in tshark.output("-G", "fields").splitlines() if row.startswith("F\t")}
    known = {name for name in known if name.startswith("rocescope.") and not name.startswith("rocescope.expert.")}
    everything = subprocess.run([program, "fields"], check=True, capture_output=True, text=True).stdout.splitlines()
    return [f"only the plugin has {name}" for name in sorted(known - {row.split("\t")[0] for row in everything} - OWN)] + [
        f"the plugin lacks {name}" for name in sorted(set(fields) - known)]


class Comparison:
    def __init__(self, program: Path, tshark: Tshark, fields: list[str]):
        self.program = program
        self.tshark = tshark
        self.columns = [word for name in ["frame.number", *fields] for word in ("-e", name)]

    def dissect(self, capture: Path, passes: int) -> list[str]:
        """In one pass nobody knows what connections become."""
        words = [self.program, "dissect", "-q", "-Y", ROCE, "-T", "fields", *self.columns]
        with capture.open("rb") as file:
            result = subprocess.run([*words, capture if passes == 2 else "-"], stdin=file, check=True, capture_output=True, text=True)
        return result.stdout.splitlines()

    def show(self, capture: Path, passes: int) -> list[str]:
        words = ["-n", "--disable-heuristic", "rpcrdma_infiniband", "-r", self.tshark.copy(capture), "-Y", ROCE, "-T", "fields"]
        return self.tshark.output(*words, *(["-2"] if passes == 2 else []), *self.columns).replace("True", "1").splitlines()

    def problems(self, capture: Path, passes: int) -> tuple[int, list[str]]:
        expected, found = self.dissect(capture, passes), self.show(capture, passes)
        if expected == found:
            return len(found), []
        rows = [pair for pair in zip(expected, found) if pair[0] != pair[1]][:3]
        return len(found), [f"{capture.name}, {passes} passes, {len(expected)} and {len(found)} packets:",
                            *(f"  dissect {one}\n  tshark  {other}" for one, other in rows)]


def main() -> int:
    program, plugin = map(Path, sys.argv[1:3])
    skip_without(plugin)
    is_all = sys.argv[3:] == ["--all"]
    named = [] if is_all else [Path(word) for word in sys.argv[3:]]
    captures = named or sorted(file for file in CAPTURES.iterdir() if ".pcap" in file.name)
    single = captures if named or is_all else captures[::6]
    fields = packet_fields(program)
    tshark = Tshark(plugin)
    problems = check_names(tshark, fields, program)
    comparison = Comparison(program, tshark, fields)
    with TemporaryDirectory() as folder, ThreadPoolExecutor(2) as pool:
        # tshark takes longer to start than to read most captures.
        merged = Path(folder) / "merged.pcapng"
        subprocess.run(["mergecap", "-a", "-F", "pcapng", "-w", merged, *captures], check=True)
        results = list(pool.map(comparison.problems, [merged, merged, *single], [2, 1] + [1] * len(single)))
    for _, found in results:
        problems += found
    print(f"{len(fields)} fields, {len(captures)} captures, {sum(count for count, _ in results)} packets in one and in two passes")
    print("\n".join(problems))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
