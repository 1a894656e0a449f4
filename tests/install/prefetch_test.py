#!/usr/bin/env python3
"""That the program fetches ahead: g++ drops calls of functions in which it sees no effect (src/tracking/prefetch.hpp).

    prefetch_test.py PROGRAM
"""
import platform
import re
import subprocess
import sys

# Functions that fetch through others, and how many fetches g++ makes of them at least. Where it drops what it takes for calls without
# effect, of the first ones 8 and 2 are left.
FETCHES = {
    "rocescope::Lookout::fetch_contents": 14,
    "rocescope::Lookout::show": 3,
}


def main() -> int:
    if platform.machine() != "x86_64":
        print("only the instructions of x86-64 are known here")
        return 77
    code = subprocess.run(["objdump", "-d", "-C", "--no-show-raw-insn", sys.argv[1]], stdout=subprocess.PIPE, text=True, check=True).stdout
    found = dict.fromkeys(FETCHES, 0)
    function = None
    for line in code.splitlines():
        if begins := re.match(r"[0-9a-f]+ <([\w:]+)", line):
            function = begins[1]
        elif "prefetch" in line and function in found:
            found[function] += 1
    missing = [f"{name}: {found[name]} fetches, of {least} at least" for name, least in FETCHES.items() if found[name] < least]
    print("\n".join(missing))
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
