"""`lab shell`: a terminal in a guest, over its second serial line."""

import os
import select
import socket
import sys
import termios
import tty
from pathlib import Path

from . import distribution, image, network, paths
from .errors import LabError
from .pair import NAMES, Pair

LEAVE = b"\x1d"  # Ctrl-]


def _link() -> Path:
    """Points to the folder of the pair that a `lab shell` has booted."""
    return paths.cache() / "shell"


def open_shell(name: str, kernel: str) -> None:
    """Attaches to the pair that another `lab shell` runs, or boots one that ends with this shell."""
    if name not in NAMES:
        raise LabError(f"no machine is called {name}. Say: lab shell server, or lab shell client")
    if not sys.stdin.isatty():
        raise LabError("lab shell needs a terminal. To run commands without one, write a scenario: lab run FILE.toml")
    if (_link() / f"{name}.shell").exists():
        _attach(_link() / f"{name}.shell", name)
        return
    print("lab: booting both machines", file=sys.stderr)
    with Pair(image.get(distribution.choose(kernel))) as pair:
        prepare(pair)
        _link().unlink(missing_ok=True)
        _link().symlink_to(pair.folder)
        try:
            _attach(pair.guests[name].shell_socket, name)
        finally:
            _link().unlink(missing_ok=True)


def prepare(pair: Pair) -> None:
    """Sets up clocks, addresses and rxe on both, as for a scenario without options."""
    for guest in pair.guests.values():
        guest.host.set_clock()
        guest.host.check(network.setup_script(network.Network(), guest.name, "enp0s1"), 60)


def _attach(path: Path, name: str) -> None:
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        connection.connect(str(path))
    except OSError as error:
        raise LabError(f"cannot reach {name}'s shell ({error}); does another terminal have it?") from None
    print(f"lab: in {name}; Ctrl-] leaves. The other machine: lab shell in another terminal", file=sys.stderr)
    terminal = sys.stdin.fileno()
    before = termios.tcgetattr(terminal)
    try:
        tty.setraw(terminal)
        connection.sendall(b"\n")
        _bridge(terminal, connection)
    finally:
        termios.tcsetattr(terminal, termios.TCSADRAIN, before)
        connection.close()
        print(file=sys.stderr)


def _bridge(terminal: int, connection: socket.socket) -> None:
    while True:
        ready, _, _ = select.select([terminal, connection], [], [])
        if connection in ready:
            data = connection.recv(65536)
            if not data:
                return
            os.write(sys.stdout.fileno(), data)
        if terminal in ready:
            data = os.read(terminal, 4096)
            if not data or LEAVE in data:
                return
            connection.sendall(data)
