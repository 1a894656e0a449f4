"""tshark with the plugin, as a user runs it. Root's tshark ignores plugins that are not installed, so it runs as nobody here."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

CAPTURES = Path(__file__).resolve().parents[2] / "captures"
SKIPPED = 77  # what ctest takes for it


class Tshark:
    """Has a folder that everybody may read; captures must be in it."""

    def __init__(self, plugin: Path):
        self._folder = tempfile.TemporaryDirectory()
        self.folder = Path(self._folder.name)
        version = re.search(r"(\d+\.\d+)\.", self._output("tshark", "--version")).group(1)
        plugins = self.folder / "plugins" / version / "epan"
        plugins.mkdir(parents=True)
        shutil.copy(plugin, plugins / "rocescope.so")
        (self.folder / "home").mkdir()
        subprocess.run(["chmod", "-R", "a+rX,u+w", self.folder], check=True)
        if os.geteuid() == 0:
            os.chown(self.folder / "home", 65534, 65534)

    @staticmethod
    def _output(*words: str) -> str:
        return subprocess.run(words, check=True, capture_output=True, text=True).stdout

    def copy(self, capture: Path) -> Path:
        target = self.folder / capture.name
        if not target.exists():
            shutil.copy(capture, target)
            target.chmod(0o644)
        return target

    def as_user(self, program: str, words: tuple, environment: dict[str, str] | None) -> dict:
        """How a process of it is made."""
        as_nobody = ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"] if os.geteuid() == 0 else []
        surroundings = {**os.environ, "HOME": str(self.folder / "home"), "WIRESHARK_PLUGIN_DIR": str(self.folder / "plugins"),
                        "LC_ALL": "C.UTF-8", **(environment or {})}
        surroundings.pop("XDG_CONFIG_HOME", None)
        return {"args": [*as_nobody, program, *map(str, words)], "env": surroundings}

    def run(self, *words, program: str = "tshark", environment: dict[str, str] | None = None, **options) -> subprocess.CompletedProcess:
        return subprocess.run(**self.as_user(program, words, environment), capture_output=True, text=True, check=False, **options)

    def output(self, *words, **options) -> str:
        """Fails if it complains, for what a broken plugin does to it is a line on standard error."""
        result = self.run(*words, **options)
        assert result.returncode == 0 and not result.stderr.strip(), (words, result.returncode, result.stderr)
        return result.stdout


def skip_without(plugin: Path, *programs: str) -> None:
    missing = [] if plugin.exists() else ["libwireshark-dev"]
    missing += [program for program in ("tshark", *programs) if shutil.which(program) is None]
    if missing:
        print("skipped: not installed:", ", ".join(missing))
        sys.exit(SKIPPED)
