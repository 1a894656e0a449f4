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
        self.folder = pathlib.Path(folder.name)

    def report(self, shown: list[packets.Packet]) -> dict:
        return self.report_of(shown)

    def report_of(self, *shown: list[packets.Packet], options: tuple[str, ...] = ()) -> dict:
        """Of several files."""
        return json.loads(self.run_program("analyze", "--json", "--threads", "1", *options, *self.write(*shown)))

    def write(self, *shown: list[packets.Packet]) -> list[pathlib.Path]:
        files = [self.folder / f"view{number}.pcapng" for number in range(len(shown))]
        for file, its in zip(files, shown):
            packets.write(file, its)
        return files

    def run_program(self, command: str, *words: str | pathlib.Path) -> bytes:
        return subprocess.run([PROGRAM, command, "--quiet", *words], capture_output=True, check=True).stdout
