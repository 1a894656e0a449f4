"""Checks before a run whether the lab can run here."""

import shutil

from . import distribution, image
from .errors import LabError
from .guest import qemu


def obstacle() -> str:
    """Empty if guests can be booted; else what is missing. Builds the image if the cache does not have it."""
    if shutil.which("depmod", path="/sbin:/usr/sbin:/bin:/usr/bin") is None:
        return "depmod is not here. Run: apt-get install kmod"
    try:
        qemu()
        image.get(distribution.choose())
    except LabError as error:
        return str(error)
    return ""
