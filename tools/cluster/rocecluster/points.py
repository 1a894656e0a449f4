"""Which captures there are, and which of them are one capture point: the files of one ring are."""

from __future__ import annotations

import fnmatch
import glob
import hashlib
import os
import re
import shlex
from pathlib import Path

from .errors import UsageError
from .files import sha256, shown
from .results import digest_of

COMPRESSED = re.compile(r"\.(?:gz|zst|lz4)$", re.IGNORECASE)
# Behind the suffix: the number that `tcpdump -C` adds.
SUFFIX = re.compile(r"(\.(?:pcapng|pcap|cap))\d*$", re.IGNORECASE)
DATE, CLOCK = r"(?:19|20)\d\d-?(?:0[1-9]|1[0-2])-?(?:0[1-9]|[12]\d|3[01])", r"\d\d(?:[-_:.]?\d\d(?:[-_:.]?\d\d)?)?"
RING = re.compile(
    r"(?:^|[-_.])(?:"
    rf"\d{{5,}}_{DATE}(?:{CLOCK})?"  # dumpcap -b, rocescope live -b: number and time
    r"|(?:19|20)\d{12}_\d{5,}"  # dumpcap -b nametimenum:2
    rf"|{DATE}(?:[-_T. ]?{CLOCK})?Z?"  # tcpdump -G, with a date in the name
    r"|1\d{9}"  # tcpdump -G with %s
    r")$")
HOW = ("ring", "directory", "file")


def natural(name: str) -> list:
    """Numbers by their value: ring.pcap9 comes before ring.pcap10."""
    return [(int(part), "") if part.isdigit() and part.isascii() else (-1, part) for part in re.split(r"([0-9]+)", name)]


def ring_of(name: str) -> str:
    """The name of the ring that a file belongs to: without compression, and without what capture programs count with."""
    plain = COMPRESSED.sub("", name)
    suffix = SUFFIX.search(plain)
    if suffix is None:
        return RING.sub("", plain)
    return RING.sub("", plain[:suffix.start()]) + suffix.group(1)


def point_of(name: str, how: str) -> str:
    folder, base = os.path.split(name)
    if how == "ring":
        return os.path.join(folder, ring_of(base))
    if how == "directory":
        return folder or "."
    if how == "file":
        return name
    found = re.search(how, name)
    if found is None or not any(found.groups()):  # of no group there is nothing to name the point by
        raise UsageError(f"--group {how} does not match {shown(name)}")
    return "\0".join(group or "" for group in found.groups())


def check_group(how: str) -> None:
    if how in HOW:
        return
    try:
        groups = re.compile(how).groups
    except re.error as error:
        raise UsageError(f"--group {how}: {error}") from None
    if groups == 0:
        raise UsageError(f"--group needs {', '.join(HOW)}, or a regular expression with a group: '/(host[0-9]+)/'")


def find_files(patterns: list[str], exclude: list[str], out: Path) -> tuple[list[str], list[str]]:
    """Names as they were given, and those left out since they are empty."""
    names: dict[str, str] = {}
    inside, results, excluded = str(out) + os.sep, 0, 0
    for pattern in patterns:
        if not pattern:
            raise UsageError("INPUT is an empty word: which captures?")
        literal = os.path.lexists(pattern)
        matching = [pattern] if literal else glob.glob(pattern, recursive=True)
        if not matching:
            raise UsageError(f"nothing is named {shown(pattern)}")
        if literal and os.path.isdir(pattern):
            raise UsageError(f"{shown(pattern)} is a folder: name the captures in it, such as '{shown(os.path.join(pattern, '*.pcapng'))}'")
        for name in matching:
            if os.path.isdir(name):
                continue
            if os.path.abspath(name).startswith(inside):
                results += 1
                continue
            if any(fnmatch.fnmatchcase(part, each) for part in (name, os.path.basename(name)) for each in exclude):
                excluded += 1
                continue
            names.setdefault(os.path.abspath(name), name)
    found, empty = [], []
    for name in sorted(names.values(), key=natural):
        if not os.path.isfile(name):
            raise UsageError(f"{shown(name)} is no file that can be read twice" if os.path.exists(name) else f"{shown(name)} leads nowhere")
        (found if os.path.getsize(name) else empty).append(name)
    if not found:
        if results:
            raise UsageError(f"what is named is in {shown(str(out))}, the folder of the results: --out needs another one")
        if empty:
            others = f" and {len(empty) - 1} more are" if len(empty) > 1 else " is"
            raise UsageError(f"{shown(empty[0])}{others} empty, and nothing else is left")
        raise UsageError("no captures are left: --exclude leaves out all that is named" if excluded else "folders alone are named, and no captures")
    return found, empty


def identity_of(name: str, checksum: bool) -> dict:
    try:
        status = os.stat(name)
        about = {"name": name, "size": status.st_size, "mtime_ns": status.st_mtime_ns}
        return {**about, "sha256": sha256(name)} if checksum else about
    except OSError as error:
        raise UsageError(f"cannot read {shown(name)}: {error.strerror}") from None


def folder_name(point: str) -> str:
    """One that any file system takes, the same each time; the digits tell apart what looks alike."""
    readable = re.sub(r"[^A-Za-z0-9.-]+", "_", "_".join(Path(point.replace("\0", "/")).parts[-2:])).strip("._-")
    return f"{readable[:80]}-{hashlib.sha256(os.fsencode(point)).hexdigest()[:8]}".lstrip("-")


def find_points(patterns: list[str], how: str, exclude: list[str], out: Path, checksum: bool) -> tuple[list[dict], list[str]]:
    """Points in the order of their names, with their files in that of theirs; and the files left out since they are empty."""
    check_group(how)
    found, empty = find_files(patterns, exclude, out)
    files: dict[str, list[str]] = {}
    for name in found:
        files.setdefault(point_of(name, how), []).append(name)
    points = []
    for point, names in files.items():
        plain: dict[str, str] = {}
        for name in names:
            other = plain.setdefault(COMPRESSED.sub("", name), name)
            if other != name:
                raise UsageError(f"{shown(other)} and {shown(name)} look like the same packets twice: --exclude one of them")
        # By where it is, so that the folder is the same from wherever the files are named.
        where = os.path.abspath(point) if how in HOW else point
        about = [identity_of(name, checksum) for name in names]
        name = shlex.join(point.split("\0")) if "\0" in point else point
        points.append({"name": name, "folder": folder_name(where), "digest": digest_of(about), "files": about})
    return points, empty
