"""extcap_test.py ROCESCOPE: interfaces that rocescope gives to Wireshark, in tshark and dumpcap. A script stands in for ssh: it runs the
command here that it should run on another host.
"""

import os
import re
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

from tshark import CAPTURES, skip_without

PROGRAM = Path()
CAPTURE = CAPTURES / "impaired_out-loss_heavy.pcapng"
PACKETS = 213
SSH = """#!/bin/sh
echo "$@" > "$HOME/asked"
for word; do command=$word; done
exec sh -c "exec $command"
"""
# In place of rocescope on the other host.
LIVE = '#!/bin/sh\ncat "$HOME/capture.pcapng"\n'
WAITS = '#!/bin/sh\necho $$ > "$HOME/process"\nexec sleep 1000\n'
LISTS = '#!/bin/sh\nprintf "%s|" "$@" > "$HOME/given"\n'


def wait_until(look, seconds: float = 30):
    end = time.monotonic() + seconds
    while not (seen := look()) and time.monotonic() < end:
        time.sleep(0.05)
    return seen


class ExtcapTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.home = Path(folder.name)
        self.program = self.home / "it's here" / "rocescope"
        self.program.parent.mkdir()
        shutil.copy(PROGRAM, self.program)
        shutil.copy(CAPTURE, self.home / "capture.pcapng")
        (self.home / "bin").mkdir()
        self.script("ssh", SSH)
        self.script("rocescope", LIVE)
        subprocess.run(["chmod", "-R", "a+rwX", self.home], check=True)
        self.environment = {name: value for name, value in os.environ.items() if not name.startswith(("XDG_", "WIRESHARK_"))}
        self.environment |= {"HOME": str(self.home), "PATH": f"{self.home / 'bin'}:{os.environ['PATH']}", "LC_ALL": "C.UTF-8"}

    def script(self, name: str, text: str) -> None:
        (self.home / "bin" / name).write_text(text)
        (self.home / "bin" / name).chmod(0o755)

    def words(self, *words) -> dict:
        as_nobody = ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"] if os.geteuid() == 0 else []
        return {"args": [*as_nobody, *map(str, words)], "env": self.environment}

    def run_as_user(self, *words) -> subprocess.CompletedProcess:
        return subprocess.run(**self.words(*words), capture_output=True, text=True, check=False, timeout=60)

    def extcap(self, *words) -> subprocess.CompletedProcess:
        return self.run_as_user(self.program, "extcap", *words)

    def capture(self, *words) -> subprocess.CompletedProcess:
        return self.extcap("--capture", "--extcap-interface", "roce-ssh", *words)

    def install(self) -> None:
        result = self.run_as_user(self.program, "wireshark", "--install-extcap")
        self.assertEqual(result.returncode, 0, result.stderr)

    def start(self) -> tuple[subprocess.Popen, int]:
        """A capture on a host where no packet comes, and the fifo that it writes to."""
        self.script("rocescope", WAITS)
        fifo = self.home / "fifo"
        os.mkfifo(fifo)
        fifo.chmod(0o666)
        words = ("--capture", "--extcap-interface", "roce-ssh", "--fifo", fifo, "--remote-host", "far")
        with (self.home / "errors").open("w") as errors:
            process = subprocess.Popen(**self.words(self.program, "extcap", *words), stdout=errors, stderr=errors)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        reading = os.open(fifo, os.O_RDONLY)
        self.assertTrue(wait_until(lambda: (self.home / "process").exists() and (self.home / "process").read_text()))
        return process, reading

    def ends_all(self, process: subprocess.Popen) -> None:
        self.assertEqual(process.wait(timeout=30), 0)
        self.assertEqual((self.home / "errors").read_text(), "")
        far = Path("/proc") / (self.home / "process").read_text().strip()
        self.assertTrue(wait_until(lambda: not far.exists()))

    def test_tshark_lists_it(self):
        self.assertNotIn("roce-ssh", self.run_as_user("tshark", "-D").stdout)
        self.install()
        self.assertRegex(self.run_as_user("tshark", "-D").stdout, r"(?m)^\d+\. roce-ssh \(.*ssh\)$")
        links = self.run_as_user("tshark", "-i", "roce-ssh", "-L")
        self.assertIn("EN10MB", links.stdout + links.stderr)

    def test_tshark_captures(self):
        self.install()
        written = self.home / "written.pcapng"
        words = ["-o", "extcap.roce_ssh.remotehost:user@far", "-o", "extcap.roce_ssh.remoteport:2022", "-o",
                 "extcap.roce_ssh.snaplength:100", "-f", "udp port 4791 or icmp", "-F", "pcapng"]
        result = self.run_as_user("tshark", "-i", "roce-ssh", *words, "-w", written)
        self.assertEqual(result.returncode, 0, result.stderr)
        frames = [self.run_as_user("tshark", "-r", file, "-T", "fields", "-e", "frame.md5_hash", "-e", "frame.time_epoch", "-o",
                                   "frame.generate_md5_hash:TRUE").stdout for file in (written, self.home / "capture.pcapng")]
        self.assertEqual(frames[0].count("\n"), PACKETS)
        self.assertEqual(*frames)
        asked = (self.home / "asked").read_text().strip()
        self.assertRegex(asked, r"-p 2022 -- user@far rocescope 'live' .*'-i' 'any' '-w' '-' '-s' '100' '-f' 'udp port 4791 or icmp'$")

    def test_wireshark_may_ask_for_all_of_it(self):
        interfaces = self.extcap("--extcap-interfaces", "--extcap-version=4.0").stdout
        self.assertRegex(interfaces, r"(?m)^extcap \{version=.*\}")
        options = self.extcap("--extcap-config", "--extcap-interface", "roce-ssh").stdout
        calls = re.findall(r"\{call=--(.*?)\}", options)
        self.assertIn("remote-host", calls)
        for call in calls:  # each is an option that it takes
            self.assertNotIn("unknown option", self.capture(f"--{call}", "1").stderr)
        self.assertEqual(self.extcap("--extcap-interface", "roce-ssh", "--extcap-capture-filter", "udp").stdout, "")

    def test_wrong_options(self):
        for words, text in (((), "needs --fifo FILE"), (("--fifo", "/nowhere/f", "--remote-host", "far"), "cannot write to /nowhere/f"),
                            (("--fifo", "/dev/null"), "'--remote-host' is needed"),
                            (("--fifo", "/dev/null", "--remote-host", "far", "--remote-port", "99999"), "a number from 1 to 65535"),
                            (("--fifo", "/dev/null", "--remote-host", "far", "--snap-length", "x"), "a number from 1 to 262144")):
            result = self.capture(*words)
            self.assertEqual(result.returncode, 2, words)
            self.assertIn(text, result.stderr)
        self.assertIn("no interface 'eth9'", self.extcap("--extcap-interface", "eth9", "--extcap-dlts").stderr)
        self.assertIn("man rocescope-wireshark", self.extcap().stderr)

    def test_what_ssh_says_is_passed_on(self):
        self.script("ssh", "#!/bin/sh\necho far: Permission denied >&2\nexit 255\n")
        result = self.capture("--fifo", "/dev/null", "--remote-host", "far")
        self.assertEqual(result.returncode, 2)
        self.assertIn("far: Permission denied\n", result.stderr)
        self.assertIn("ssh ended with 255", result.stderr)

    def test_words_reach_the_other_host_as_they_are(self):
        self.script("rocescope", LISTS)
        self.capture("--fifo", "/dev/null", "--remote-host", "far", "--remote-interface", "it's; $(touch oops) \"x\"",
                     "--remote-program", "env A=1 rocescope")
        self.assertEqual((self.home / "given").read_text(), """live|-q|-i|it's; $(touch oops) "x"|-w|-|""")

    def test_a_signal_ends_both_sides(self):
        for number in (signal.SIGTERM, signal.SIGINT):
            with self.subTest(number):
                process, reading = self.start()
                process.send_signal(number)
                self.ends_all(process)
                os.close(reading)
                (self.home / "fifo").unlink()
                (self.home / "process").unlink()

    def test_ends_quietly_where_nobody_reads(self):
        process, reading = self.start()
        os.close(reading)
        self.ends_all(process)

    def test_is_installed_and_removed(self):
        self.install()
        self.install()
        scripts = [self.home / ".config/wireshark/extcap/rocescope", self.home / ".local/lib/wireshark/extcap/rocescope"]
        for script in scripts:
            self.assertTrue(script.stat().st_mode & stat.S_IXOTH)
        self.assertEqual(self.run_as_user(self.program, "wireshark", "--remove-extcap").returncode, 0)
        self.assertFalse([script for script in scripts if script.exists()])
        self.assertIn("nothing to remove", self.run_as_user(self.program, "wireshark", "--remove-extcap").stderr)

    def test_leaves_what_rocescope_did_not_write(self):
        script = self.home / ".config/wireshark/extcap/rocescope"
        script.parent.mkdir(parents=True)
        script.write_text("mine")
        for option in ("--install-extcap", "--remove-extcap"):
            self.assertIn("did not write", self.run_as_user(self.program, "wireshark", option).stderr)
        self.assertEqual(script.read_text(), "mine")


def main() -> None:
    global PROGRAM
    PROGRAM = Path(sys.argv.pop(1))
    skip_without(PROGRAM)
    unittest.main()


if __name__ == "__main__":
    main()
