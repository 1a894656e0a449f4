"""Our own programs as a second, small initramfs behind the image's, so that a rebuilt program does not rebuild the image.

Each comes with the libraries that it was linked with on this machine, but for the C library and the verbs libraries: those
are the guest's own, since the verbs libraries must match the guest's drivers.
"""

import re
import subprocess
from pathlib import Path

from .cpio import Archive

PREFIX = "opt/rocescope"
GUESTS_OWN = re.compile(r"(linux-vdso|ld-linux|libc\.so|libm\.so|libpthread|libdl\.so|librt\.so|libresolv|"
                        r"libibverbs|librdmacm|libnl-)")


def libraries(program: Path) -> list[Path]:
    """The shared libraries that a program brings along."""
    listed = subprocess.run(["ldd", program], capture_output=True, text=True).stdout
    found = re.findall(r"^\s*(\S+) => (/\S+)", listed, re.MULTILINE)
    return [Path(path) for name, path in found if not GUESTS_OWN.match(name)]


def write(programs: list[Path], file: Path) -> None:
    """Writes the archive: each program behind a wrapper that finds its libraries."""
    with open(file, "wb") as out:
        archive = Archive(out)
        for folder in ("opt", PREFIX, f"{PREFIX}/bin", f"{PREFIX}/lib", f"{PREFIX}/libexec"):
            archive.folder(folder)
        brought = {path.name: path for program in programs for path in libraries(program)}
        for name, path in sorted(brought.items()):
            archive.file(f"{PREFIX}/lib/{name}", path.read_bytes(), 0o755)
        for program in programs:
            archive.file(f"{PREFIX}/libexec/{program.name}", program.read_bytes(), 0o755)
            wrapper = f'#!/bin/sh\nLD_LIBRARY_PATH=/{PREFIX}/lib exec /{PREFIX}/libexec/{program.name} "$@"\n'
            archive.file(f"{PREFIX}/bin/{program.name}", wrapper.encode(), 0o755)
        archive.close()
