"""window_test.py ROCESCOPE PLUGIN [FOLDER]: Wireshark's window on a virtual screen, by keys and mouse. FOLDER gets pictures of it.

Witnesses are the titles of its windows, and the texts that Wireshark copies to the clipboard.
"""

import os
import re
import subprocess
import sys
import time
import unittest
from pathlib import Path

from tshark import CAPTURES, Tshark, skip_without

PROGRAM = Path()
TSHARK: Tshark
PICTURES: Path | None = None
LOSSY = CAPTURES / "impaired_out-loss_heavy.pcapng"
WIDTH, HEIGHT = 1730, 860
LOST = 'rocescope.verdict.lost == "before"'
RESENT, ITS_NAK, LATER = "41", "40", "46"  # a packet that was lost on its way to the capture point, and the NAK that asked for it


def output(*words, **options) -> str:
    options = {"stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL, **options}
    return subprocess.run([str(word) for word in words], check=False, text=True, **options).stdout


def wait_until(look, seconds: float = 30):
    """What `look` returns, once it is true, or at the end."""
    end = time.monotonic() + seconds
    while not (seen := look()) and time.monotonic() < end:
        time.sleep(0.05)
    return seen


class Screen:
    """A virtual screen; without a window manager, so keys go where they are sent to."""

    def __init__(self):
        reading, writing = os.pipe()
        self.server = subprocess.Popen(["Xvfb", "-displayfd", str(writing), "-screen", "0", f"{WIDTH}x{HEIGHT}x24", "-noreset"],
                                       pass_fds=[writing], stderr=subprocess.DEVNULL)
        os.close(writing)
        with os.fdopen(reading) as numbers:
            self.environment = {"DISPLAY": ":" + numbers.readline().strip()}

    def close(self):
        self.server.terminate()
        self.server.wait()

    def run(self, *words, **options) -> str:
        return output(*words, env=os.environ | self.environment, **options)

    def windows(self) -> dict[str, str]:
        """Titles and identifiers."""
        found = self.run("xdotool", "search", "--onlyvisible", "--name", ".").split()
        return {self.run("xdotool", "getwindowname", each).strip(): each for each in found}

    def find(self, title: str, seconds: float) -> str | None:
        """The window of this title, if it comes; it gets the keys then."""
        window = wait_until(lambda: next((each for name, each in self.windows().items() if re.search(title, name)), None), seconds)
        if window is not None:
            self.run("timeout", "5", "xdotool", "windowfocus", "--sync", window)
        return window

    def wait_for(self, title: str) -> str:
        window = self.find(title, 60)
        assert window, f"waited for a window {title!r}; there are {list(self.windows())}"
        return window

    def keys(self, *keys: str):
        self.run("xdotool", "key", "--clearmodifiers", "--delay", "30", *keys)

    def type(self, text: str):
        self.run("xdotool", "type", "--delay", "5", text)

    def click(self, x: int, y: int):
        self.run("xdotool", "mousemove", x, y, "click", 1)

    def copied(self, *keys: str, once: bool = False) -> str:
        """What these keys copy to the clipboard; they are pressed again until it is something, or `once` alone."""
        nothing = "nothing was copied"
        self.run("xclip", "-selection", "clipboard", input=nothing, stdout=subprocess.DEVNULL)

        def look():
            self.keys(*keys)
            found = wait_until(lambda: self.run("timeout", "5", "xclip", "-selection", "clipboard", "-o").replace(nothing, ""), 1)
            return found
        return look() if once else wait_until(look)

    def resize(self, window: str, width: int, height: int):
        self.run("timeout", "5", "xdotool", "windowsize", "--sync", window, width, height)

    def picture(self, name: str, window: str = "root"):
        if PICTURES is not None:
            time.sleep(0.5)  # until it is painted
            self.run("import", "-window", window, "+dither", "-colors", "48", "-depth", "8", f"png8:{PICTURES / name}.png")


class WindowTest(unittest.TestCase):
    def setUp(self):
        self.screen = Screen()
        self.addCleanup(self.screen.close)
        home = TSHARK.folder / "home"
        settings = home / ".config" / "wireshark"
        settings.mkdir(parents=True)
        (settings / "recent_common").write_text("gui.geometry_main_x: 0\ngui.geometry_main_y: 0\n"
                                                f"gui.geometry_main_width: {WIDTH}\ngui.geometry_main_height: {HEIGHT}\n")
        if os.geteuid() == 0:
            subprocess.run(["chown", "-R", "65534", home], check=True)
        subprocess.run(["chmod", "-R", "a+rX", PROGRAM.parent], check=False)
        installed = TSHARK.run("wireshark", "--install-profile", program=str(self.program_for_all()))
        self.assertEqual(installed.returncode, 0, installed.stderr)

        words = ("-n", "-C", "RoCE", "-r", TSHARK.copy(LOSSY), "-g", LATER)
        process = TSHARK.as_user("wireshark", words, {**self.screen.environment, "XDG_RUNTIME_DIR": str(home)})
        self.errors = TSHARK.folder / "errors"
        with self.errors.open("w") as errors:
            self.wireshark = subprocess.Popen(**process, cwd=TSHARK.folder, stdout=errors, stderr=errors)
        self.addCleanup(self.end)
        self.main = rf"^{LOSSY.name}$"
        self.screen.wait_for(self.main)

    def program_for_all(self) -> Path:
        """Of which the folder is not closed to other users."""
        program = TSHARK.folder / "rocescope"
        program.write_bytes(PROGRAM.read_bytes())
        program.chmod(0o755)
        return program

    def end(self):
        self.wireshark.terminate()
        self.wireshark.wait()

    def choose(self, menu: str, place: int, title: str) -> str:
        """An entry of a menu, which has this place from the end in Wireshark 4.0, and another in other versions."""
        for places in (place, *range(1, 30)):
            self.screen.wait_for(self.main)
            self.screen.keys(f"alt+{menu}", *["Up"] * places, "Return")
            if window := self.screen.find(title, 2):
                return window
            self.screen.keys("Escape", "Escape")
            for other in self.screen.windows():
                if not re.search(self.main, other) and self.screen.find(re.escape(other), 0):
                    self.screen.keys("Escape")
        self.fail(f"no entry opens {title}; there are {list(self.screen.windows())}")

    def packet_details(self, beginning: str) -> str:
        """As far as they are open, once they are those of the packet."""
        def look():
            self.screen.wait_for(self.main)
            text = self.screen.copied("ctrl+alt+shift+a")
            return text if text.startswith(beginning) else ""
        return wait_until(look)

    def properties(self, pattern: str) -> str:
        """Of the capture; they say what the filter leaves once it ran."""
        def look():
            self.screen.wait_for(self.main)
            self.screen.keys("ctrl+alt+shift+c")
            if not self.screen.find("Capture File Properties", 10):
                return ""  # a key that comes too soon is lost
            text = self.screen.copied("ctrl+a", "ctrl+c")
            self.screen.keys("Escape")
            return text if re.search(pattern, text) else ""
        return wait_until(look, 60)

    def test_shows_what_was_lost(self):
        screen = self.screen
        screen.keys(*["ctrl+Up"] * (int(LATER) - int(RESENT)))
        screen.click(300, HEIGHT - 60)
        screen.keys("Home", "End", "Right")
        details = self.packet_details(f"Frame {RESENT}:")
        for text in ("[Verdict: retransmission]", f"[Frame that asked for it: {ITS_NAK}]",
                     f"asked for by the NAK in {ITS_NAK}; the first copy was not seen at the capture point"):
            self.assertIn(text, details)
        screen.picture("packets")

        # The link to the NAK.
        def on_link():
            screen.keys("Down")
            return screen.copied("ctrl+alt+shift+f").strip() == "rocescope.verdict.evidence"
        self.assertTrue(wait_until(on_link))
        screen.keys("alt+g", "l")
        self.assertIn("asks for packets that were not seen at the capture point", self.packet_details(f"Frame {ITS_NAK}:"))

        screen.keys("ctrl+slash")
        screen.type(LOST)
        screen.keys("Return")
        found = len(TSHARK.output("-n", "-r", TSHARK.copy(LOSSY), "-Y", LOST).splitlines())
        self.assertGreater(found, 10)
        self.assertTrue(self.properties(rf"Packets\s+213\s+{found} \("))

        for _ in range(5):  # a key that comes too soon is lost, and the others press another button
            window = self.choose("s", 20, "RoCE connections")
            screen.resize(window, WIDTH, 300)
            screen.picture("connections", window)
            table = screen.copied("Tab", "Tab", "Tab", "space", once=True)
            screen.keys("Escape")
            if table:
                break
        self.assertRegex(table, r"(?m)^ *1 +RC +192\.168\.2\.25 +0x000011 +192\.168\.2\.24 +0x000011 +169 ")

        window = self.choose("t", 1, "RoCE report")
        screen.resize(window, 620, 660)
        screen.picture("report", window)
        text = screen.copied("ctrl+a", "ctrl+c")
        expected = output(PROGRAM, "analyze", "-q", LOSSY, env=os.environ | {"COLUMNS": "72"})
        self.assertEqual(text.strip(), expected.replace(LOSSY.name, "capture", 1).strip())
        self.assertNotIn("rocescope", self.errors.read_text())


def main() -> None:
    global PROGRAM, TSHARK, PICTURES
    PROGRAM, plugin = map(Path, (sys.argv.pop(1), sys.argv.pop(1)))
    if len(sys.argv) > 1 and not sys.argv[1].startswith("-"):
        PICTURES = Path(sys.argv.pop(1))
    skip_without(plugin, "wireshark", "Xvfb", "xdotool", "xclip", "import")
    TSHARK = Tshark(plugin)
    unittest.main()


if __name__ == "__main__":
    main()
