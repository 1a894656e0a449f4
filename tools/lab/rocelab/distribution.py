"""Which distribution a guest is made of, and where its packages come from."""

import platform
import re
from dataclasses import dataclass, field
from pathlib import Path

from .errors import LabError

KEYRINGS = {
    "debian": "/usr/share/keyrings/debian-archive-keyring.gpg",
    "ubuntu": "/usr/share/keyrings/ubuntu-archive-keyring.gpg",
}
MIRRORS = {"debian": "http://deb.debian.org/debian", "ubuntu": "http://archive.ubuntu.com/ubuntu"}


@dataclass(frozen=True)
class Distribution:
    """A release to make guests of, and the kernel's meta package in it."""

    name: str  # debian or ubuntu
    codename: str  # bookworm, noble
    kernel: str  # linux-image-amd64
    kernel_suite: str = ""  # the suite that the kernel is taken from when it is not the release itself
    mirror: str = field(default="", compare=False)

    def sources(self) -> str:
        """Lines of sources.list."""
        signed, main = f"[signed-by={KEYRINGS[self.name]}]", "main universe" if self.name == "ubuntu" else "main"
        suites = [(self.mirror, self.codename), (self.mirror, f"{self.codename}-updates")]
        if self.name == "ubuntu":
            suites.append((self.mirror, f"{self.codename}-security"))
        else:
            suites.append((self.mirror.rstrip("/") + "-security", f"{self.codename}-security"))
        if self.kernel_suite:
            suites.append((self.mirror, self.kernel_suite))
        return "".join(f"deb {signed} {uri} {suite} {main}\n" for uri, suite in suites)


def host_release(os_release: Path = Path("/etc/os-release")) -> dict[str, str]:
    """Keys of /etc/os-release (os-release(5))."""
    lines = os_release.read_text().splitlines() if os_release.exists() else []
    return {key: value.strip("\"'") for key, _, value in (line.partition("=") for line in lines) if value}


def configured_mirror(codename: str, etc_apt: Path = Path("/etc/apt")) -> str | None:
    """The mirror that this machine itself takes the release from, from either form of its sources."""
    for file in [etc_apt / "sources.list", *sorted((etc_apt / "sources.list.d").glob("*"))]:
        text = file.read_text(errors="replace") if file.is_file() else ""
        one_line = re.search(rf"^deb\s+(?:\[[^]]*\]\s+)?(https?://\S+)\s+{codename}\s", text, re.MULTILINE)
        if one_line:
            return one_line[1].rstrip("/")
        for stanza in re.split(r"\n\s*\n", text):
            uri = re.search(r"^URIs:\s*(https?://\S+)", stanza, re.MULTILINE)
            suites = re.search(r"^Suites:(.*)$", stanza, re.MULTILINE)
            if uri and suites and codename in suites[1].split():
                return uri[1].rstrip("/")
    return None


def choose(kernel: str = "") -> Distribution:
    """The host's own release, or what a scenario's `kernel` asks for: bookworm-backports, trixie, ..."""
    if platform.machine() != "x86_64":
        raise LabError(f"the lab's guests are x86_64 machines, this is {platform.machine()}. "
                       "Use machines of your own: lab run --hosts A,B SCENARIO")
    release = host_release()
    name, codename = release.get("ID", ""), release.get("VERSION_CODENAME", "")
    if kernel:
        name, (codename, _, backports) = "debian", kernel.partition("-")
        suite = kernel if backports else ""
    else:
        suite = ""
    if name not in MIRRORS:
        raise LabError(f"the lab makes its guests from packages of Debian or Ubuntu, this is {name or 'unknown'}. "
                       "Use machines of your own: lab run --hosts A,B SCENARIO")
    if not Path(KEYRINGS[name]).exists():
        raise LabError(f"{KEYRINGS[name]} is missing. Run: apt-get install {name}-archive-keyring")
    mirror = configured_mirror(release.get("VERSION_CODENAME", "")) if release.get("ID") == name else None
    return Distribution(name, codename, "linux-image-generic" if name == "ubuntu" else "linux-image-amd64", suite,
                        mirror or MIRRORS[name])
