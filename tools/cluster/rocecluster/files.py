"""Files: written whole or not at all, and names as a terminal can show them."""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path


def shown(name: str) -> str:
    """A name on one line: control characters and bytes that are no UTF-8 as \\xNN."""
    text = name.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def write_json(path: Path, value: object) -> None:
    """Replaces the file in one step. Names that are no UTF-8 come back as they were."""
    draft = path.with_name(f"{path.name}.new-{os.uname().nodename}-{os.getpid()}")
    try:
        with draft.open("w") as file:
            json.dump(value, file)
            file.write("\n")
        os.replace(draft, path)
    except OSError:
        remove(draft)
        raise


def read_json(path: Path) -> dict | None:
    """None: it is not there, or not whole."""
    try:
        value = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return None
    return value if isinstance(value, dict) else None


def remove(path: Path) -> None:
    try:
        path.unlink()
    except OSError:
        pass


def sha256(path: str | Path) -> str:
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        for piece in iter(lambda: file.read(1 << 20), b""):
            digest.update(piece)
    return digest.hexdigest()


def seal(path: Path) -> dict:
    """What shows later that a result is the one that was written."""
    status = path.stat()
    return {"size": status.st_size, "mtime_ns": status.st_mtime_ns, "sha256": sha256(path)}


def is_sealed(path: Path, sealed: object, contents: bool = False) -> bool:
    """Whether the file is as seal() saw it: its size and time, with `contents` all of it."""
    if not isinstance(sealed, dict):
        return False
    try:
        status = path.stat()
        if status.st_size != sealed.get("size") or status.st_mtime_ns != sealed.get("mtime_ns"):
            return False
        return not contents or sha256(path) == sealed.get("sha256")
    except OSError:
        return False
