"""A Debian of its own in a folder, made by mmdebstrap with the apt settings of this machine."""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2]
sys.dont_write_bytecode = True
sys.path.insert(0, str(SOURCE / "tools" / "lab"))

from rocelab import distribution  # noqa: E402

SHOWN = 6000  # characters of what failed


class Failed(Exception):
    """A command failed; says which, and its output."""


def run(*words) -> str:
    """Standard output."""
    done = subprocess.run([str(word) for word in words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False,
                          stdin=subprocess.DEVNULL)
    if done.returncode != 0:
        raise Failed(f"exit code {done.returncode} of: {' '.join(map(str, words))}\n{(done.stdout + done.stderr)[-SHOWN:]}")
    return done.stdout


def settings() -> list[str]:
    """How apt of this machine reaches its sources, such as proxies."""
    ways = ("Acquire::http::", "Acquire::https::", "Acquire::Retries", "Acquire::Check-")
    return [line for line in run("apt-config", "dump").splitlines() if line.startswith(ways)]


class Root:
    """A release, in a temporary folder as a context manager."""

    def __init__(self, suite: str, packages: list[str], cache: Path | None = None):
        self._suite, self._packages, self._cache = suite, packages, cache

    def __enter__(self) -> "Root":
        self._folder = tempfile.TemporaryDirectory(dir="/var/tmp", prefix=f"rocescope-{self._suite}-")
        self.path = Path(self._folder.name) / "root"
        sources = Path(self._folder.name) / "debian.sources"
        sources.write_text(distribution.choose(self._suite).sources_text())
        options = [f"--aptopt={line}" for line in settings()] + [f"--include={package}" for package in self._packages]
        try:
            run("mmdebstrap", "--mode=root", "--variant=apt", "--format=directory", "--quiet", *options,
                self._suite, self.path, sources)
        except Failed:
            self._folder.cleanup()
            raise
        if self._cache is not None:
            self._cache.mkdir(parents=True, exist_ok=True)
            shutil.copytree(self._cache, self.path / "ccache")
        return self

    def __exit__(self, *_) -> None:
        if self._cache is not None:
            shutil.rmtree(self._cache)
            shutil.copytree(self.path / "ccache", self._cache)
        self._folder.cleanup()

    def run(self, script: str, user: str = "root") -> str:
        """Standard output of a shell script in the root, whose processes all end with it."""
        who = {"root": "0:0", "nobody": "65534:65534"}[user]
        surroundings = ["PATH=/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL=C.UTF-8", "DEBIAN_FRONTEND=noninteractive", "MANWIDTH=80",
                        f"HOME={'/root' if user == 'root' else '/tmp/home'}"]
        return run("unshare", "--mount", "--pid", "--fork", "--kill-child", f"--mount-proc={self.path}/proc",
                   "chroot", f"--userspec={who}", self.path, "env", "-i", *surroundings, "sh", "-euc", script)

    def put(self, file: Path, target: str) -> None:
        """A copy that all may read."""
        place = self.path / target.lstrip("/")
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(file, place)
        place.chmod(0o644)
