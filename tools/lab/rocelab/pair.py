"""Two guests, server and client, joined by one wire."""

import shutil
import socket
import tempfile
import time
from pathlib import Path
from types import TracebackType

from . import overlay, paths
from .guest import Guest
from .image import Image
from .scenario import MEMORY

BOOT_TIMEOUT = 240  # seconds; an emulated guest on a busy machine takes most of a minute
NAMES = ("server", "client")


class Pair:
    """Both machines from boot to end, `memory` MiB each: `with Pair(image) as pair`. Sockets and scratch files are gone
    afterwards."""

    def __init__(self, image: Image, memory: int = MEMORY) -> None:
        self.image = image
        self._memory = memory
        self.guests: dict[str, Guest] = {}
        self.folder = Path(tempfile.mkdtemp(prefix="rocescope-lab-"))
        self._ends = socket.socketpair()

    def __enter__(self) -> "Pair":
        try:
            self._boot()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(self, kind: type | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.stop()

    def _boot(self) -> None:
        programs = self.folder / "programs"
        overlay.write(paths.our_programs(), programs)
        for number, (name, end) in enumerate(zip(NAMES, self._ends), start=0x24):
            end.setblocking(True)
            self.guests[name] = Guest(name, number, self.image, self._memory, programs, end, self.folder)
            end.close()
        for guest in self.guests.values():
            guest.go()
        deadline = time.monotonic() + BOOT_TIMEOUT
        for guest in self.guests.values():
            guest.host.await_agent(deadline)

    def stop(self) -> None:
        for guest in self.guests.values():
            guest.stop()
        for end in self._ends:
            end.close()
        shutil.rmtree(self.folder, ignore_errors=True)
