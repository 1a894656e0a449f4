"""The command line of the lab."""

import argparse
import shutil
import signal
import sys
from pathlib import Path

from . import paths
from .errors import LabError

ABOUT = """\
Two machines with SoftRoCE on your own: real RDMA traffic, captured at both ends, with the truth written beside it.

  %(prog)s list                              the scenarios
  %(prog)s run write_bw                      run one; results in lab-results/
  %(prog)s run --tag short --out /tmp/short  run all that carry a tag
  %(prog)s run my_own.toml                   run a scenario file of your own (see README.md of the lab)
  %(prog)s run --hosts alice,bob write_bw    on two machines of yours, over ssh
  %(prog)s shell client                      a terminal in a machine
  %(prog)s clean                             forget the images (they are built again when needed)
"""


def parser() -> argparse.ArgumentParser:
    main = argparse.ArgumentParser(prog=Path(sys.argv[0]).name, description=ABOUT, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = main.add_subparsers(dest="command", required=True, metavar="COMMAND")
    run = commands.add_parser("run", help="run scenarios")
    run.add_argument("scenarios", nargs="*", metavar="SCENARIO", help="names as `lab list` has them, or files")
    run.add_argument("--tag", action="append", default=[], help="all scenarios that carry this tag")
    run.add_argument("--all", action="store_true", help="all scenarios")
    run.add_argument("--out", type=Path, default=Path("lab-results"), metavar="DIR", help="where results go (lab-results)")
    run.add_argument("--hosts", metavar="SERVER,CLIENT", help="two machines reached by ssh instead of guests")
    run.add_argument("--kernel", default="", help="guests of another release: trixie, bookworm-backports")
    run.add_argument("--refresh", action="store_true", help="remake the scenarios' files in captures/")
    listing = commands.add_parser("list", help="list the scenarios")
    listing.add_argument("--tag", action="append", default=[], help="those that carry this tag")
    shell = commands.add_parser("shell", help="a terminal in a machine")
    shell.add_argument("machine", choices=["server", "client"])
    shell.add_argument("--kernel", default="", help="guests of another release: trixie, bookworm-backports")
    commands.add_parser("clean", help="remove the cache")
    return main


def _clean() -> int:
    shutil.rmtree(paths.cache(), ignore_errors=True)
    return 0


def main(arguments: list[str]) -> int:
    """Exit code: 0 all scenarios passed, 1 a scenario failed, 2 it could not be run, 130 interrupted."""
    options = parser().parse_args(arguments)
    for end in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(end) == signal.SIG_DFL:
            signal.signal(end, signal.default_int_handler)  # as Ctrl-C: clean up
    try:
        match options.command:
            case "shell":
                from .shell import open_shell
                open_shell(options.machine, options.kernel)
                return 0
            case "clean":
                return _clean()
            case "list":
                from .listing import print_scenarios
                return print_scenarios(options.tag)
            case _:
                from .runner import run_scenarios
                return run_scenarios(options)
    except LabError as error:
        print(f"lab: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("lab: interrupted", file=sys.stderr)
        return 130
