"""Fetches a release's packages with apt, without root: apt gets folders of its own and an empty status file.

The settings of this machine's apt.conf, such as proxies, apply too."""

import re
import shutil
import subprocess
from pathlib import Path

from .distribution import Distribution
from .errors import LabError

TIMEOUT = 900  # seconds for a download

# Needed by installation scripts only, which are not run, or by programs that the guests do not start.
LEFT_OUT = re.compile(r"(perl|libperl|usrmerge|dpkg|debconf|adduser|passwd|libdb5|libgdbm|gcc-\d+-base|pci\.ids|.*-perl_|udev_|python3|libpython3|"
                      r"libhwloc-plugins|hwloc-nox|libx(ml2|11|cb|ext|au|dmcp|nvctrl)|libicu|ocl-icd|openssh-client|libfido2|libcbor)")
EXCLUDED = ["doc", "man", "locale", "info", "bash-completion", "lintian", "bug"]


class Apt:
    """apt-get for one distribution, with all of its state in `folder`."""

    def __init__(self, folder: Path, distribution: Distribution) -> None:
        if shutil.which("apt-get") is None:
            raise LabError("apt-get is not here. Use machines of your own: lab run --hosts A,B SCENARIO")
        self._folder = folder
        self._distribution = distribution
        self.archives = folder / "archives"
        for part in ("lists/partial", "archives/partial", "etc/preferences.d"):
            (folder / part).mkdir(parents=True, exist_ok=True)
        (folder / "status").touch()
        (folder / "lab.sources").write_text(distribution.sources_text())

    def _options(self) -> list[str]:
        folder = self._folder
        return [
            "-o", f"Dir::State={folder}", "-o", f"Dir::State::status={folder}/status",
            "-o", f"Dir::State::lists={folder}/lists", "-o", f"Dir::Cache={folder}",
            "-o", f"Dir::Cache::archives={self.archives}", "-o", f"Dir::Etc::sourcelist={folder}/lab.sources",
            "-o", "Dir::Etc::sourceparts=-", "-o", f"Dir::Etc::preferencesparts={folder}/etc/preferences.d",
            "-o", "Dir::Etc::preferences=-", "-o", "APT::Architecture=amd64", "-o", "APT::Architectures=amd64",
            "-o", "APT::Sandbox::User=", "-o", "Acquire::Languages=none", "-o", "Acquire::Retries=3",
            "-o", "Acquire::IndexTargets::deb::DEP-11::DefaultEnabled=false", "-o", "Binary::apt::APT::Keep-Downloaded-Packages=true",
            "-o", "APT::Update::Post-Invoke::=", "-o", "APT::Update::Post-Invoke-Success::=",
            "-o", "DPkg::Post-Invoke::=", "-o", "APT::Keep-Downloaded-Packages=true",
        ]

    def _run(self, program: str, *arguments: str) -> str:
        command = [program, *self._options(), *arguments]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT, cwd=self.archives)
        except subprocess.TimeoutExpired:
            raise LabError(f"{program} {arguments[0]} did not finish in {TIMEOUT} s. Is the network there?") from None
        if done.returncode != 0:
            raise LabError(f"{program} {' '.join(arguments)} failed for {self._distribution.codename}:\n{done.stderr.strip()}")
        return done.stdout

    def update(self) -> None:
        self._run("apt-get", "update", "-q")

    def download(self, packages: list[str]) -> list[Path]:
        """The packages and all that they depend on, as .deb files."""
        # apt lists only what it would fetch: list with an empty folder, then fetch into the folder that is kept.
        nothing = self._folder / "nothing"
        (nothing / "partial").mkdir(parents=True, exist_ok=True)
        uris = self._run("apt-get", "-o", f"Dir::Cache::archives={nothing}", "install", "-y", "-q", "--no-install-recommends",
                         "--print-uris", *packages)
        self._run("apt-get", "install", "-y", "-q", "--no-install-recommends", "--download-only", *packages)
        names = re.findall(r"^'[^']+' (\S+\.deb) ", uris, re.MULTILINE)
        return [self.archives / name for name in names]

    def download_kernel(self) -> list[Path]:
        """The newest kernel that the meta package points to: its image and modules, without what installs them."""
        seen = self._named_from(self._distribution.kernel, r"linux-(?:image|modules|modules-extra|binary)(?:-unsigned)?-\d[^\s,|(]*")
        if not seen:
            raise LabError(f"{self._distribution.kernel} of {self._distribution.codename} names no kernel package")
        return self._fetch(sorted(seen))

    def download_kernel_headers(self, version: str) -> list[Path]:
        """What modules of this kernel are built against."""
        name = f"linux-headers-{version}"
        return self._fetch([name, *sorted(self._named_from(name, r"linux-(?:headers|kbuild)-\d[^\s,|(]*"))])

    def download_kernel_source(self, version: str) -> Path:
        """The source of the newest kernel of that branch."""
        branch = re.match(r"\d+\.\d+", version)
        return self._fetch([f"linux-source-{branch[0] if branch else version}"])[0]

    def _suite(self) -> list[str]:
        return ["-t", self._distribution.kernel_suite] if self._distribution.kernel_suite else []

    def _named_from(self, name: str, pattern: str) -> set[str]:
        """Packages of the form that `name` depends on, and those that they depend on."""
        wanted, seen = [name], set[str]()
        while wanted:
            shown = self._run("apt-cache", "show", *self._suite(), "--no-all-versions", wanted.pop())
            depends = "".join(re.findall(r"^(?:Pre-)?Depends:(.*)$", shown, re.MULTILINE))
            parts = set(re.findall(rf"({pattern})", depends)) - seen
            seen |= parts
            wanted += sorted(parts)
        return seen

    def _fetch(self, names: list[str]) -> list[Path]:
        self._run("apt-get", "download", "-q", *self._suite(), *names)
        return [max(self.archives.glob(f"{name}_*.deb"), key=lambda path: path.stat().st_mtime) for name in names]


def unpack(packages: list[Path], root: Path) -> None:
    """Unpacks the packages into `root`, without running their scripts."""
    for folder in ("bin", "sbin", "lib", "lib64"):  # one /usr, as Debian and Ubuntu have it installed
        (root / "usr" / folder).mkdir(parents=True, exist_ok=True)
        if not (root / folder).is_symlink():
            (root / folder).symlink_to(f"usr/{folder}")
    excluded = ["--exclude=./dev/*", "--exclude=*/gconv/*", *(f"--exclude=./usr/share/{name}" for name in EXCLUDED)]
    for package in packages:
        if LEFT_OUT.match(package.name):
            continue
        tar = subprocess.Popen(["dpkg-deb", "--fsys-tarfile", package], stdout=subprocess.PIPE)
        command = ["tar", "-x", "-C", root, "--keep-directory-symlink", "--no-same-owner", "--no-same-permissions", *excluded]
        done = subprocess.run(command, stdin=tar.stdout, capture_output=True, text=True)
        if done.returncode != 0 or tar.wait() != 0:
            raise LabError(f"cannot unpack {package.name}: {done.stderr.strip()}. Run: lab clean")
