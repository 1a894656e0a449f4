"""Whether KVM truly works. On nested machines it is not enough that /dev/kvm opens: a kernel must boot."""

import os
import subprocess
from pathlib import Path

from . import paths

PATIENCE = 12  # seconds; with KVM that works it takes about two
KVM = ["-accel", "kvm", "-cpu", "host"]
EMULATION = ["-accel", "tcg,thread=multi", "-cpu", "max"]


def _boots(qemu: str, kernel: Path) -> bool:
    """Whether a kernel gets as far as to find no root file system, which ends it."""
    command = [qemu, *KVM, "-M", "q35", "-m", "256", "-nodefaults", "-display", "none", "-no-reboot", "-serial", "stdio",
               "-kernel", str(kernel), "-append", "console=ttyS0 panic=-1 noautogroup"]
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        return False
    return b"Kernel panic" in done.stdout


def options(qemu: str, kernel: Path) -> list[str]:
    """QEMU's options for the fastest way that works here; tried once a boot of this machine."""
    choice = os.environ.get("ROCESCOPE_LAB_ACCEL")
    if choice in ("kvm", "tcg"):
        return KVM if choice == "kvm" else EMULATION
    if not os.access("/dev/kvm", os.R_OK | os.W_OK):
        return EMULATION
    boot = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    remembered = paths.cache() / "kvm"
    known = remembered.read_text().split() if remembered.exists() else []
    if known[:1] != [boot]:
        known = [boot, "works" if _boots(qemu, kernel) else "fails"]
        remembered.write_text(" ".join(known) + "\n")
    return KVM if known[1:] == ["works"] else EMULATION
