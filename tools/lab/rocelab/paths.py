"""Where things are: the lab's files, the cache, the programs of ours. The same in the source tree and installed."""

import os
import subprocess
from pathlib import Path

LAB = Path(__file__).resolve().parents[1]
SOURCE = LAB.parents[1]  # of an installed lab (PREFIX/share/rocescope-lab): PREFIX
INSTALLED = not (SOURCE / "CMakeLists.txt").exists()
SCENARIOS = LAB / "scenarios"
GUEST = LAB / "guest"
CAPTURES = SOURCE / "captures"


def cache() -> Path:
    """The lab's cache; made if it is not there."""
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    folder = Path(base) / "rocescope-lab"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def our_programs() -> list[Path]:
    """Those of our programs that are built, in ROCESCOPE_BUILD, else build/release; or those installed beside the lab."""
    build = os.environ.get("ROCESCOPE_BUILD") or (None if INSTALLED else SOURCE / "build" / "release")
    if build is None:
        found = (SOURCE / "bin" / "rocescope", SOURCE / "bin" / "rdmagen", SOURCE / "libexec" / "rocescope-lab" / "rds_talk")
    else:
        found = (Path(build) / "rocescope", Path(build) / "tools" / "rdmagen" / "rdmagen", Path(build) / "tools" / "lab" / "rds_talk")
    return [program for program in found if os.access(program, os.X_OK) and program.is_file()]


def our_program(name: str) -> Path | None:
    return next((program for program in our_programs() if program.name == name), None)


def has_flush() -> bool:
    """Whether rdmagen was built with an rdma-core that has the verb for FLUSH."""
    rdmagen = our_program("rdmagen")
    return rdmagen is not None and "FLUSH" in subprocess.run([rdmagen, "--version"], capture_output=True, text=True, check=False).stdout
