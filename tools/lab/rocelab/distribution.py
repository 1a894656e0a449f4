"""Which distribution a guest is made of, and where its packages come from."""

import platform
from dataclasses import dataclass
from pathlib import Path

from . import sources
from .errors import LabError
from .sources import Source

KERNELS = {"debian": "linux-image-amd64", "ubuntu": "linux-image-generic"}


@dataclass(frozen=True)
class Distribution:
    """A release to make guests of, and the kernel's meta package in it."""

    name: str  # debian or ubuntu
    codename: str  # bookworm, noble
    kernel: str  # linux-image-amd64
    kernel_suite: str  # the suite that the kernel is taken from when it is not the release itself; else empty
    sources: tuple[Source, ...]

    def sources_text(self) -> str:
        """A file as sources.list(5) has it, of stanzas."""
        return "\n".join(source.text() for source in self.sources)

    def uris(self) -> str:
        """Where packages come from, for a person."""
        return ", ".join(dict.fromkeys(source.uris for source in self.sources))


def host_release(os_release: Path = Path("/etc/os-release")) -> dict[str, str]:
    """Keys of /etc/os-release (os-release(5))."""
    lines = os_release.read_text().splitlines() if os_release.exists() else []
    return {key: value.strip("\"'") for key, _, value in (line.partition("=") for line in lines) if value}


def _sources(name: str, codename: str, suites: list[str], release: dict[str, str], etc_apt: Path) -> tuple[Source, ...]:
    everything = sources.read(etc_apt)
    own, own_codename = release.get("ID", ""), release.get("VERSION_CODENAME", "")
    chosen = sources.of_release(everything, codename)
    if not chosen and name == own:
        chosen = sources.of_other_release(sources.of_release(everything, own_codename), own_codename, codename)
    if not chosen:
        raise LabError(f"apt of this machine has no source of {name} {codename}. Name one in {etc_apt}/sources.list.d; "
                       "see `man sources.list`")
    for suite in suites:
        chosen = sources.with_suite(chosen, everything, codename, suite)
    return tuple(chosen)


def choose(kernel: str = "", packages: tuple[str, ...] = (), etc_apt: Path = sources.ETC_APT) -> Distribution:
    """The host's own release, or what a scenario's `kernel` asks for: bookworm-backports, trixie, ... And the suites that `packages`
    names: "ksmbd-tools/bookworm-backports"."""
    if platform.machine() != "x86_64":
        raise LabError(f"the lab's guests are x86_64 machines, this is {platform.machine()}. "
                       "Use machines of your own: lab run --hosts A,B SCENARIO")
    release = host_release()
    name, codename = release.get("ID", ""), release.get("VERSION_CODENAME", "")
    kernel_suite = ""
    if kernel:
        name, (codename, _, backports) = "debian", kernel.partition("-")
        kernel_suite = kernel if backports else ""
    if name not in KERNELS:
        raise LabError(f"the lab makes its guests from packages of Debian or Ubuntu, this is {name or 'unknown'}. "
                       "Use machines of your own: lab run --hosts A,B SCENARIO")
    suites = dict.fromkeys(suite for suite in [kernel_suite, *(package.partition("/")[2] for package in packages)] if suite)
    return Distribution(name, codename, KERNELS[name], kernel_suite, _sources(name, codename, list(suites), release, etc_apt))
