"""Scenario files: TOML to Scenario, with errors that name the file, the key and what may stand there. Manual: README.md."""

import itertools
import re
import tomllib
from dataclasses import dataclass, field
from pathlib import Path

from . import paths
from .built_modules import BUILDS
from .errors import LabError
from .expect import Expectation, parse_expectation
from .network import Impairment, Network

HOSTS = ("server", "client")
MEMORY = 768  # MiB of a guest
WHOLE = 65536  # bytes of a packet that captures keep: all
# Filled in when a command runs: addresses, the rxe device, the GID index on the command's host, a file for rdmagen's truth.
RUN_NAMES = {"server", "client", "device", "gid", "interface", "truth"}
NEEDS = ("rdmagen", "rocescope", "flush")
PLACEHOLDER = re.compile(r"(?<!\$)\{([a-z_]+)\}")
KINDS = {int | str: "a number or a text", str: "a text", int: "a number", bool: "true or false", list: "a list", dict: "a table"}


@dataclass(frozen=True)
class Command:
    """One command of a scenario. `ready` or `background` make it run beside those that follow."""

    on: str
    run: str
    stdin: str = ""
    background: bool = False
    ready: str = ""  # "tcp PORT", "cm", "output TEXT"
    timeout: float = 30
    exit: int | str = 0  # a code, "any", "failure"
    stop: str = ""  # the signal that ends it once all others are through

    def accepts(self, code: int | None) -> bool:
        if self.stop or self.exit == "any":
            return True
        return code not in (None, 0) if self.exit == "failure" else code == self.exit


@dataclass(frozen=True)
class Trace:
    """Trace events of a machine's kernel that become truth."""

    on: str
    modules: list[str]  # that have them
    events: list[str]  # "nvme", a system; "nvme/nvme_setup_cmd", one event


@dataclass(frozen=True)
class Scenario:
    """A scenario, one variant of its matrix."""

    name: str
    about: str
    file: Path
    commands: list[Command]
    network: Network = Network()
    impairments: list[Impairment] = field(default_factory=list)
    traces: list[Trace] = field(default_factory=list)
    expectations: list[Expectation] = field(default_factory=list)
    tags: list[str] = field(default_factory=list)
    kernel: str = ""
    needs: list[str] = field(default_factory=list)
    packages: tuple[str, ...] = ()
    modules: tuple[str, ...] = ()  # that are built: names of built_modules.BUILDS
    inside: str = "client"
    keep: str = ""
    fresh: bool = False
    icrc: str = "good"
    memory: int = MEMORY
    snap: int = WHOLE


class _Table:
    """A TOML table that is read key by key; a key left over at the end is an error."""

    def __init__(self, where: str, data: dict) -> None:
        self._where, self._data, self._known = where, dict(data), []

    def fail(self, text: str) -> None:
        raise LabError(f"{self._where}: {text}")

    def take(self, key: str, kind: type, default: object = None, choices: tuple = (), required: bool = False) -> object:
        self._known.append(key)
        if key not in self._data:
            if required:
                self.fail(f"{key} is missing")
            return default
        value = self._data.pop(key)
        if kind is int and isinstance(value, str) and value.isdigit():
            value = int(value)  # from a matrix, whose values are texts
        if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
            self.fail(f"{key} must be {KINDS[kind]}, it is {value!r}")
        if choices and value not in choices:
            self.fail(f"{key} is {value!r}; it may be {', '.join(map(repr, choices))}")
        return value

    def tables(self, key: str) -> list["_Table"]:
        listed = self.take(key, list, [])
        if not all(isinstance(item, dict) for item in listed):
            self.fail(f"{key} is written as tables: [[{key}]]")
        return [_Table(f"{self._where}, [[{key}]] number {number}", item) for number, item in enumerate(listed, start=1)]

    def rest(self) -> dict:
        data, self._data = self._data, {}
        return data

    def end(self) -> None:
        if self._data:
            self.fail(f"{next(iter(self._data))!r} is not known here; known are {', '.join(self._known)}")


def _fill(value: object, chosen: dict[str, str], where: str) -> object:
    """Puts the matrix's values into all texts; an unknown {name} is an error."""
    if isinstance(value, dict):
        return {key: _fill(item, chosen, where) for key, item in value.items()}
    if isinstance(value, list):
        return [_fill(item, chosen, where) for item in value]
    if not isinstance(value, str):
        return value

    def replace(match: re.Match) -> str:
        if match[1] in chosen:
            return chosen[match[1]]
        if match[1] in RUN_NAMES:
            return match[0]
        raise LabError(f"{where}: {{{match[1]}}} stands for nothing; known are {', '.join(sorted(RUN_NAMES | set(chosen)))}. "
                       "A brace of the shell's is written ${...} or with a space after it")
    return PLACEHOLDER.sub(replace, value)


def _axis(name: str, values: object, where: str) -> list[tuple[str, str]]:
    """One axis of a matrix: (part of the variant's name, value)."""
    if isinstance(values, dict):
        pairs = [(key, str(value)) for key, value in values.items()]
    elif isinstance(values, list):
        pairs = [(str(value), str(value)) for value in values]
    else:
        raise LabError(f"{where}: matrix.{name} is a list of values, or a table of named ones")
    for part, _ in pairs:
        if not re.fullmatch(r"[A-Za-z0-9_.-]+", part):
            raise LabError(f"{where}: matrix.{name}: {part!r} cannot be in a scenario's name; name the values: "
                           f'[matrix.{name}] light = "1%"')
    return pairs


def load(file: Path) -> list[Scenario]:
    """All variants of a scenario file."""
    try:
        data = tomllib.loads(file.read_text())
    except OSError as error:
        raise LabError(f"cannot read {file}: {error.strerror}. The scenarios: lab list") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise LabError(f"{file}: {error}") from None
    matrix = data.pop("matrix", {})
    if not isinstance(matrix, dict):
        raise LabError(f"{file}: matrix is a table: [matrix]")
    axes = [[(name, *pair) for pair in _axis(name, values, str(file))] for name, values in matrix.items()]
    scenarios = []
    for combination in itertools.product(*axes):
        name = "-".join([file.stem, *(part for _, part, _ in combination)])
        chosen = {axis: value for axis, _, value in combination}
        scenarios.append(_parse(_Table(str(file), _fill(data, chosen, str(file))), name, file))
    return scenarios


def _parse(table: _Table, name: str, file: Path) -> Scenario:
    commands = [_command(item) for item in table.tables("command")]
    if not commands:
        table.fail("there is no [[command]]: nothing to do")
    scenario = Scenario(
        name=name, file=file, commands=commands,
        about=table.take("about", str, required=True),
        network=_network(_Table(f"{file}, [network]", table.take("network", dict, {}))),
        impairments=[_impairment(item) for item in table.tables("impair")],
        traces=[_trace(item) for item in table.tables("trace")],
        expectations=[parse_expectation(item) for item in table.tables("expect")],
        tags=table.take("tags", list, []),
        kernel=table.take("kernel", str, ""),
        needs=table.take("needs", list, []),
        packages=tuple(table.take("packages", list, [])),
        modules=tuple(table.take("modules", list, [])),
        inside=table.take("inside", str, "client", HOSTS),
        keep=table.take("keep", str, "", ("server.wire", "client.wire", "server.inside", "client.inside")),
        fresh=table.take("fresh", bool, False),
        icrc=table.take("icrc", str, "good", ("good", "any")),
        memory=_memory(table), snap=table.take("snap", int, WHOLE))
    table.end()
    if unknown := [need for need in scenario.needs if need not in NEEDS]:
        table.fail(f"needs names {unknown[0]!r}; it may name {', '.join(map(repr, NEEDS))}")
    if unknown := [name for name in scenario.modules if name not in BUILDS]:
        table.fail(f"modules names {unknown[0]!r}; it may name {', '.join(map(repr, BUILDS))}")
    if not 64 <= scenario.snap <= WHOLE:
        table.fail(f"snap is {scenario.snap}; it may be 64 to {WHOLE}")
    ways = [(impairment.on, impairment.way) for impairment in scenario.impairments]
    if len(set(ways)) != len(ways):
        table.fail("two [[impair]] for the same host and way; netem takes several things at once: \"delay 1ms loss 1%\"")
    return scenario


def _memory(table: _Table) -> int:
    """MiB."""
    text = table.take("memory", str, f"{MEMORY}M")
    size = re.fullmatch(r"(\d+)([MG])", text)
    memory = int(size[1]) * (1024 if size[2] == "G" else 1) if size else 0
    if memory < 512:
        table.fail(f'memory is {text!r}; it is a size as "768M" or "3G", 512M at least')
    return memory


def _command(table: _Table) -> Command:
    command = Command(
        on=table.take("on", str, choices=HOSTS, required=True),
        run=table.take("run", str, required=True),
        stdin=table.take("stdin", str, ""),
        ready=table.take("ready", str, ""),
        background=table.take("background", bool, False),
        timeout=float(table.take("timeout", int, 30)),
        exit=table.take("exit", int | str, 0),
        stop=table.take("stop", str, "", ("TERM", "INT", "KILL", "HUP")))
    if isinstance(command.exit, str) and command.exit not in ("any", "failure"):
        table.fail(f'exit is a number, "any" or "failure", not {command.exit!r}')
    if command.ready and not re.fullmatch(r"tcp \d+|cm|output .+", command.ready):
        table.fail(f'ready is {command.ready!r}; it may be "tcp PORT", "cm" (a listening RDMA CM) or "output TEXT"')
    table.end()
    return command


def _network(table: _Table) -> Network:
    network = Network(mtu=table.take("mtu", int, 1500), vlan=table.take("vlan", int, 0), ipv6=table.take("ipv6", bool, False))
    if not 576 <= network.mtu <= 9000:
        table.fail(f"mtu is {network.mtu}; it may be 576 to 9000")
    if not 0 <= network.vlan <= 4094:
        table.fail(f"vlan is {network.vlan}; it may be 1 to 4094")
    table.end()
    return network


def _impairment(table: _Table) -> Impairment:
    impairment = Impairment(
        on=table.take("on", str, choices=HOSTS, required=True),
        way=table.take("way", str, choices=("out", "in"), required=True),
        netem=table.take("netem", str, required=True),
        only=table.take("only", str, "roce", ("roce", "all")))
    table.end()
    return impairment


def _trace(table: _Table) -> Trace:
    trace = Trace(on=table.take("on", str, choices=HOSTS, required=True), modules=table.take("modules", list, []),
                  events=table.take("events", list, required=True))
    table.end()
    return trace


def files() -> list[Path]:
    return sorted(paths.SCENARIOS.glob("*.toml"))


def find(name: str) -> list[Scenario]:
    """Scenarios by name: a file, a file's stem (all its variants), or one variant."""
    path = Path(name)
    if path.suffix == ".toml":
        return load(path)
    for file in files():
        if name == file.stem or name.startswith(f"{file.stem}-"):
            found = [scenario for scenario in load(file) if name in (file.stem, scenario.name)]
            if found:
                return found
    raise LabError(f"no scenario is called {name}. The scenarios: lab list")
