"""Writes initramfs archives: cpio "newc" (Linux: Documentation/driver-api/early-userspace/buffer-format.rst).

Every file in the archive belongs to root, so building it needs neither root nor fakeroot.
"""

import os
import stat
from pathlib import Path
from typing import BinaryIO

TRAILER = "TRAILER!!!"


class Archive:
    """One cpio archive on a binary stream; close() writes its end. The kernel takes several, one behind the other."""

    def __init__(self, out: BinaryIO) -> None:
        self._out = out
        self._inode = 0

    def entry(self, name: str, mode: int, data: bytes = b"", device: tuple[int, int] = (0, 0)) -> None:
        """Adds one entry; `mode` with its type bits, `device` for device nodes only."""
        self._inode += 1
        path = name.encode() + b"\0"
        fields = (self._inode, mode, 0, 0, 1, 0, len(data), 0, 0, *device, len(path), 0)
        header = b"070701" + b"".join(b"%08X" % field for field in fields)
        self._write(header + path)
        self._write(data)

    def tree(self, folder: Path) -> None:
        """Adds all that is in `folder`: folders, files, symbolic links."""
        for path in sorted(folder.rglob("*")):
            name, info = str(path.relative_to(folder)), path.lstat()
            if stat.S_ISLNK(info.st_mode):
                self.entry(name, stat.S_IFLNK | 0o777, os.readlink(path).encode())
            elif stat.S_ISDIR(info.st_mode):
                self.entry(name, stat.S_IFDIR | 0o755)
            elif stat.S_ISREG(info.st_mode):
                self.entry(name, stat.S_IFREG | (0o755 if info.st_mode & 0o111 else 0o644), path.read_bytes())

    def folder(self, name: str) -> None:
        self.entry(name, stat.S_IFDIR | 0o755)

    def file(self, name: str, data: bytes, mode: int = 0o644) -> None:
        self.entry(name, stat.S_IFREG | mode, data)

    def character_device(self, name: str, major: int, minor: int) -> None:
        self.entry(name, stat.S_IFCHR | 0o600, device=(major, minor))

    def close(self) -> None:
        self._inode = -1
        self.entry(TRAILER, 0)

    def _write(self, data: bytes) -> None:
        self._out.write(data + b"\0" * (-len(data) % 4))
