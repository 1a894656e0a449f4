"""The two machines of a run: guests, prepared for each scenario, or the user's machines, as they are."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from . import network
from .errors import LabError
from .guest import Guest
from .host import JOBS, Host
from .network import Network
from .pair import Pair
from .scenario import Scenario

INTERFACE = "enp0s1"


@dataclass
class Side:
    """One machine in its part: access to it, and its name on the network."""

    host: Host
    interface: str
    device: str
    address: str
    gid: int = 0
    guest: Guest | None = None  # None: no wire capture and no clock of ours

    @property
    def name(self) -> str:
        return self.host.name

    def fill(self, text: str, server: "Side", client: "Side", truth: str) -> str:
        """A command of a scenario as this side runs it."""
        values = {"server": server.address, "client": client.address, "device": self.device, "gid": str(self.gid),
                  "interface": self.interface, "truth": truth}
        for name, value in values.items():
            text = text.replace("{%s}" % name, value)
        return text


class Machines(ABC):
    """Both sides, and their preparation for a scenario."""

    sides: dict[str, Side]

    @abstractmethod
    def prepare(self, scenario: Scenario) -> None:
        """Removes what an earlier scenario left and sets up the scenario's network."""

    @abstractmethod
    def facts(self) -> dict:
        """Release, kernel and versions of these machines."""

    def both(self, work: Callable[[Side], Any]) -> dict[str, Any]:
        """Does something on both machines at the same time; raises the first error when both are done."""
        with ThreadPoolExecutor(len(self.sides)) as threads:
            started = {name: threads.submit(work, side) for name, side in self.sides.items()}
        return {name: future.result() for name, future in started.items()}


class GuestMachines(Machines):
    """A booted pair of guests."""

    def __init__(self, pair: Pair) -> None:
        self._pair = pair
        self.sides = {name: Side(guest.host, INTERFACE, network.DEVICE, "", guest=guest) for name, guest in pair.guests.items()}

    def prepare(self, scenario: Scenario) -> None:
        def prepare_one(side: Side) -> None:
            side.address = scenario.network.address(side.name)
            side.host.check(network.reset_script(side.interface), 60)
            side.host.check(network.setup_script(scenario.network, side.name, side.interface), 60)
            side.gid = network.gid_index(side.host, side.device, side.address)
        self.both(prepare_one)

    def facts(self) -> dict:
        facts = dict(self._pair.image.facts)
        wanted = facts.pop("wanted")
        kernel = ("linux-image", "linux-source")
        named = {name: version for name, version in facts["packages"].items() if name in wanted or name.startswith(kernel)}
        return facts | {"packages": named}


class OwnMachines(Machines):
    """Machines of the user's: rxe is there (setup-host), addresses and MTU stay as they are."""

    def __init__(self, sides: dict[str, Side]) -> None:
        self.sides = sides

    def prepare(self, scenario: Scenario) -> None:
        if scenario.network != Network():
            raise LabError(f"{scenario.name} asks for a network of its own (MTU, VLAN or IPv6), which the lab makes in guests "
                           "only. Run it without --hosts")
        for side in self.sides.values():
            side.host.check(f"rm -rf {JOBS} && mkdir -p {JOBS}")
            side.gid = network.gid_index(side.host, side.device, side.address)

    def facts(self) -> dict:
        return {name: {"kernel": side.host.check("uname -r").strip(),
                       "release": side.host.check(". /etc/os-release && echo $PRETTY_NAME").strip()}
                for name, side in self.sides.items()}
