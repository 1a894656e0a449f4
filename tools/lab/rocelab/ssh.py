"""Machines of the user's own, over ssh: the same scenarios on hardware or on other virtual machines."""

import os
import shlex
import subprocess

from . import network
from .errors import LabError
from .host import Host
from .machines import OwnMachines, Side

SSH = ["ssh", "-o", "BatchMode=yes", "-o", "ConnectTimeout=10"]
TIMEOUT = 60  # seconds for one file

# The first rxe device (any RDMA device if there is none), its interface, and that interface's IPv4 address.
PROBE = r"""
device=; for path in /sys/class/infiniband/*; do [ -e "$path" ] || continue
  [ -z "$device" ] && device=${path##*/}; case ${path##*/} in rxe*) device=${path##*/}; break ;; esac; done
[ -n "$device" ] || exit 3
interface=$(cat "/sys/class/infiniband/$device/ports/1/gid_attrs/ndevs/0" 2>/dev/null)
address=$(ip -4 -o addr show dev "$interface" | sed -n 's/.* inet \([0-9.]*\).*/\1/p' | head -n 1)
echo "$(id -u) $device $interface $address"
"""


def program() -> list[str]:
    """The ssh command; ROCESCOPE_LAB_SSH replaces it (with a jump host, or a test's own)."""
    return shlex.split(os.environ.get("ROCESCOPE_LAB_SSH", "")) or SSH


class SshHost(Host):
    """A machine that `ssh TARGET` reaches without asking for a password, as root."""

    def __init__(self, name: str, target: str) -> None:
        super().__init__(name)
        self.target = target

    def execute(self, script: str, timeout: float) -> tuple[int, bytes, bytes]:
        return self._run(["sh", "-s"], script.encode(), timeout, script)

    def read(self, path: str) -> bytes | None:
        code, out, _ = self._run([f"cat {shlex.quote(path)}"], b"", TIMEOUT, path)
        return out if code == 0 else None

    def write(self, path: str, data: bytes) -> None:
        code, _, err = self._run([f"cat >{shlex.quote(path)}"], data, TIMEOUT, path)
        if code != 0:
            raise LabError(f"{self.name} ({self.target}): cannot write {path}: {err.decode('utf-8', 'replace').strip()}")

    def _run(self, command: list[str], data: bytes, timeout: float, what: str) -> tuple[int, bytes, bytes]:
        try:
            done = subprocess.run([*program(), self.target, *command], input=data, capture_output=True, timeout=timeout)
        except subprocess.TimeoutExpired:
            raise LabError(f"{self.name} ({self.target}): `{what.strip()}` did not end in {timeout:g} s") from None
        except FileNotFoundError:
            raise LabError("ssh is not here. Run: apt-get install openssh-client") from None
        if done.returncode == 255:
            raise LabError(f"cannot reach {self.name} as {self.target}: {done.stderr.decode('utf-8', 'replace').strip()}. "
                           f"It must work without a password: ssh {self.target} true")
        return done.returncode, done.stdout, done.stderr


def connect(hosts: str) -> OwnMachines:
    """Both machines of --hosts SERVER,CLIENT, looked at."""
    targets = hosts.split(",")
    if len(targets) != 2 or not all(targets):
        raise LabError("--hosts takes two machines: --hosts SERVER,CLIENT")
    return OwnMachines({name: _look(SshHost(name, target)) for name, target in zip(("server", "client"), targets)})


def _look(host: SshHost) -> Side:
    code, out, _ = host.execute(PROBE, 20)
    if code != 0:
        raise LabError(f"{host.name} ({host.target}) has no RDMA device. Run there: setup-host INTERFACE")
    uid, device, *rest = out.decode().split()
    if uid != "0":
        raise LabError(f"{host.target} must be reached as root, for tc and tcpdump: --hosts root@...")
    if len(rest) != 2:
        raise LabError(f"{host.name} ({host.target}): {device}'s interface has no IPv4 address. Run there: setup-host INTERFACE")
    interface, address = rest
    host.check(f"command -v tcpdump >/dev/null && [ -x {network.TC} ] || {{ echo 'tcpdump or tc is missing' >&2; exit 1; }}")
    return Side(host, interface, device, address)
