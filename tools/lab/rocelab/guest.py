"""One QEMU process: a machine without disk, on one wire, with its console in a file."""

import ctypes
import os
import shutil
import signal
import socket
import subprocess
import time
from pathlib import Path

from . import acceleration
from .channel import Channel
from .errors import LabError
from .guest_host import GuestHost
from .image import Image

PR_SET_PDEATHSIG = 1
_libc = ctypes.CDLL(None)


def _die_with_the_lab() -> None:
    """Runs in the child: no guest outlives the lab, however the lab ends."""
    _libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    os.setpgrp()  # Ctrl-C is the lab's to handle


def qemu() -> str:
    program = shutil.which("qemu-system-x86_64")
    if program is None:
        raise LabError("qemu-system-x86_64 is not here. Run: apt-get install qemu-system-x86")
    return program


class Guest:
    """A guest from its start to its end, with `memory` MiB. Must be made in the thread that lives as long as the lab does."""

    def __init__(self, name: str, number: int, image: Image, memory: int, overlay: Path, wire: socket.socket,
                 folder: Path) -> None:
        self.name = name
        self.console_file = folder / f"{name}.console"
        self.shell_socket = folder / f"{name}.shell"
        monitor, monitor_end = socket.socketpair()
        agent, agent_end = socket.socketpair()
        initramfs = folder / f"{name}.initramfs"
        with open(initramfs, "wb") as out:
            for part in (image.initramfs, overlay):
                with open(part, "rb") as source:
                    shutil.copyfileobj(source, out)
        # Stopped at first (-S): its clock is zero when it continues, which wire captures need.
        command = [
            qemu(), "-name", f"rocescope-lab-{name}", *acceleration.options(qemu(), image.kernel), "-S",
            "-M", "q35", "-smp", "1", "-m", str(memory), "-nodefaults", "-no-user-config", "-display", "none", "-no-reboot",
            "-kernel", str(image.kernel), "-initrd", str(initramfs),
            "-append", f"console=ttyS0 quiet loglevel=4 panic=-1 random.trust_cpu=on lab.name={name} rdinit=/init "
                       "mitigations=off nokaslr audit=0",
            "-chardev", f"file,id=console,path={self.console_file}", "-serial", "chardev:console",
            "-chardev", f"socket,id=shell,path={self.shell_socket},server=on,wait=off", "-serial", "chardev:shell",
            "-chardev", f"socket,id=monitor,fd={monitor_end.fileno()}", "-mon", "chardev=monitor,mode=control",
            "-netdev", f"socket,id=wire,fd={wire.fileno()}",
            "-device", f"virtio-net-pci,netdev=wire,mac=52:54:00:12:34:{number:02x}",
            "-device", "virtio-serial-pci", "-chardev", f"socket,id=agent,fd={agent_end.fileno()}",
            "-device", "virtserialport,chardev=agent,name=lab.agent",
            "-device", "virtio-rng-pci",
        ]
        ends = (monitor_end.fileno(), agent_end.fileno(), wire.fileno())
        self._errors = open(folder / f"{name}.qemu", "w+b")
        self._process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=self._errors, stderr=self._errors,
                                         pass_fds=ends, preexec_fn=_die_with_the_lab, env={**os.environ, "TZ": "UTC"})
        monitor_end.close()
        agent_end.close()
        self.monitor = Channel(monitor, f"{name}'s QEMU")
        self._agent = Channel(agent, f"{name}'s agent")
        self.host = GuestHost(name, self._agent, self.console_file)
        self.zero = 0

    def go(self) -> None:
        """Lets the guest run."""
        try:
            self.monitor.greeting()
            self.monitor.ask("qmp_capabilities")
            self.monitor.ask("cont")
            stamp = self.monitor.event("RESUME")["timestamp"]
        except LabError as error:
            self._errors.seek(0)
            output = self._errors.read().decode(errors="replace").strip()
            raise LabError(f"{self.name}: QEMU does not start: {output or error}") from None
        self.zero = stamp["seconds"] * 1_000_000_000 + stamp["microseconds"] * 1_000

    def start_wire_capture(self, file: Path, snap: int) -> int:
        """Writes all frames at this guest's end of the wire, `snap` bytes of each, to `file`, a pcap of QEMU's. Returns what is to
        be added to its times, in nanoseconds: QEMU stamps with its own clock, which began at `zero`, plus the whole second of
        this call."""
        while True:
            second = time.time_ns() // 1_000_000_000
            self.monitor.ask("object-add", **{"qom-type": "filter-dump", "id": "dump", "netdev": "wire",
                                              "file": str(file), "maxlen": snap})
            if time.time_ns() // 1_000_000_000 == second:
                return self.zero - second * 1_000_000_000
            self.stop_wire_capture()

    def stop_wire_capture(self) -> None:
        self.monitor.ask("object-del", id="dump")

    def alive(self) -> bool:
        return self._process.poll() is None

    def stop(self) -> None:
        """Ends the machine at once; nothing in it is worth keeping."""
        if self._process.poll() is None:
            self._process.kill()
        self._process.wait(timeout=10)
        self.monitor.close()
        self._agent.close()
        self._errors.close()
