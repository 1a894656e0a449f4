"""What the report says of packets that a test chose. The program is the first argument of the test."""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

import packets

PROGRAM = sys.argv.pop(1)


class Reported(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.file = pathlib.Path(folder.name) / "view.pcapng"

    def report(self, shown: list[packets.Packet]) -> dict:
        packets.write(self.file, shown)
        run = subprocess.run([PROGRAM, "analyze", "--json", "--quiet", "--threads", "1", self.file], capture_output=True, check=True)
        return json.loads(run.stdout)
