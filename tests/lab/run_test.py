"""`lab run` where something that a scenario needs is missing; nothing is booted."""

import contextlib
import io
import os
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import lab_path  # noqa: F401
from rocelab import command_line, runner


class RunTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.out = Path(folder.name) / "out"
        for patch in (mock.patch.dict(os.environ, ROCESCOPE_BUILD=folder.name),  # nothing is built there
                      mock.patch.object(runner, "_run_in_guests")):
            self.in_guests = patch.start()
            self.addCleanup(patch.stop)

    def run_lab(self, *arguments: str) -> tuple[int, str, str]:
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            status = command_line.main(["run", "--out", str(self.out), *arguments])
        return status, out.getvalue(), err.getvalue()

    def test_a_scenario_that_is_named_and_cannot_run_is_an_error(self) -> None:
        for name in ("rdmagen-cm-mixed", "rdmagen"):
            status, _, err = self.run_lab("rping", name)
            self.assertEqual(status, 2)
            self.assertRegex(err, r"lab: cannot run rdmagen-\S+: rdmagen is not built: cmake --build --preset release "
                                  r"--target rdmagen\n")
        self.in_guests.assert_not_called()

    def test_a_scenario_that_a_tag_chose_is_skipped(self) -> None:
        status, out, _ = self.run_lab("--tag", "short")
        self.assertEqual(status, 0)
        self.assertRegex(out, r"skipped  psn_wrap +rdmagen is not built")


if __name__ == "__main__":
    unittest.main()
