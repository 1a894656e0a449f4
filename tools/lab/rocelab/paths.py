"""Where things are: the source tree, the cache, the programs of ours."""

import os
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[3]
LAB = SOURCE / "tools" / "lab"
SCENARIOS = LAB / "scenarios"
GUEST = LAB / "guest"
CAPTURES = SOURCE / "captures"


def cache() -> Path:
    """The lab's cache; made if it is not there."""
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    folder = Path(base) / "rocescope-lab"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def build() -> Path:
    """Where our programs are built: ROCESCOPE_BUILD, else build/release."""
    return Path(os.environ.get("ROCESCOPE_BUILD") or SOURCE / "build" / "release")


def our_programs() -> list[Path]:
    """Those of our programs that are built."""
    found = (build() / "rocescope", build() / "tools" / "rdmagen" / "rdmagen")
    return [program for program in found if os.access(program, os.X_OK) and program.is_file()]


def our_program(name: str) -> Path | None:
    return next((program for program in our_programs() if program.name == name), None)


def has_flush() -> bool:
    """Whether rdmagen was built with an rdma-core that has the verb for FLUSH."""
    settings = build() / "CMakeCache.txt"
    return settings.exists() and "RDMAGEN_HAVE_FLUSH:INTERNAL=1" in settings.read_text().splitlines()
