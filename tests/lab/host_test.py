"""Commands on machines reached by ssh, with a command in ssh's place that runs them here."""

import os
import tempfile
import time
import unittest
from pathlib import Path
from unittest import mock

import lab_path  # noqa: F401
from rocelab import host, ssh
from rocelab.errors import LabError

# Takes `TARGET COMMAND...` as ssh does; the target "away" does not answer.
FAKE_SSH = """#!/bin/sh
[ "$1" = away ] && { echo "No route to host" >&2; exit 255; }
shift
exec sh -c "$*"
"""


class HostTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        fake = self.folder / "ssh"
        fake.write_text(FAKE_SSH)
        fake.chmod(0o755)
        for patch in (mock.patch.dict(os.environ, ROCESCOPE_LAB_SSH=str(fake)),
                      mock.patch.object(host, "JOBS", str(self.folder / "jobs"))):
            patch.start()
            self.addCleanup(patch.stop)
        self.host = ssh.SshHost("server", "here")

    def test_a_command_gives_its_streams_its_exit_code_and_its_times(self) -> None:
        before = time.time_ns()
        result = self.host.run("cat; echo $HOME >&2; exit 3", stdin=b"given\0\xff")
        self.assertEqual((result.exit, result.stdout), (3, b"given\0\xff"))
        self.assertIn(os.environ["HOME"].encode(), result.stderr)
        self.assertLessEqual(before, result.began)
        self.assertLess(result.began, result.ended)

    def test_a_command_beside_others_can_be_watched_and_ended(self) -> None:
        job = self.host.start("echo ready; sleep 60")
        deadline = time.monotonic() + 10
        while "ready" not in job.output() and time.monotonic() < deadline:
            time.sleep(0.05)
        self.assertFalse(job.finished())
        self.assertEqual(job.stop("TERM").stdout, b"ready\n")

    def test_a_command_that_does_not_end_is_killed_with_all_it_started(self) -> None:
        marker = self.folder / "still_alive"
        result = self.host.run(f"trap : TERM INT; (sleep 2; touch {marker}) & wait", timeout=0.3)
        self.assertIsNone(result.exit)
        time.sleep(2.2)
        self.assertFalse(marker.exists())

    def test_files_go_and_come(self) -> None:
        path = str(self.folder / "a file")
        self.host.write(path, b"\0\n'")
        self.assertEqual(Path(path).read_bytes(), b"\0\n'")
        self.assertIsNone(self.host.read(str(self.folder / "none")))

    def test_a_machine_that_does_not_answer_is_an_error_with_what_to_try(self) -> None:
        with self.assertRaisesRegex(LabError, "cannot reach client as away: No route to host.*ssh away true"):
            ssh.SshHost("client", "away").execute("true", 5)

    def test_a_script_that_fails_says_where_and_why(self) -> None:
        with self.assertRaisesRegex(LabError, "server: `false-thing` failed with 127"):
            self.host.check("false-thing")

    def test_two_machines_are_asked_for(self) -> None:
        with self.assertRaisesRegex(LabError, "--hosts SERVER,CLIENT"):
            ssh.connect("one")


if __name__ == "__main__":
    unittest.main()
