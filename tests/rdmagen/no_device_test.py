#!/usr/bin/env python3
"""rdmagen where no RDMA device has the address that it connects from: an error that says what to run next, whatever the set-up.

Usage: no_device_test.py RDMAGEN
"""

import socket
import subprocess
import sys
import unittest
from pathlib import Path

RDMAGEN = ""


class NoDeviceTest(unittest.TestCase):
    def run_client(self, setup: str, port: int) -> subprocess.CompletedProcess:
        command = [RDMAGEN, "client", "127.0.0.1", "--port", str(port), "--setup", setup, "--workload", "write-read", "--wait", "5"]
        return subprocess.run(command, capture_output=True, text=True, timeout=30)

    def test_the_exchange_says_so_once_it_has_reached_a_server(self) -> None:
        with socket.create_server(("127.0.0.1", 0)) as server:
            done = self.run_client("exchange", server.getsockname()[1])
        self.assertEqual(done.returncode, 1, done)
        self.assertRegex(done.stderr, r"no RDMA device.*\n  \w")

    def test_the_cm_says_so(self) -> None:
        done = self.run_client("cm", 18520)
        self.assertEqual(done.returncode, 1, done)
        self.assertRegex(done.stderr, r"rdmagen: .*\n  \w")

    @unittest.skipIf(any(Path("/sys/class/infiniband").glob("*")), "this machine has an RDMA device, on which it would serve")
    def test_a_server_says_so(self) -> None:
        done = subprocess.run([RDMAGEN, "server"], capture_output=True, text=True, timeout=30)
        self.assertEqual(done.returncode, 1, done)
        self.assertRegex(done.stderr, r"rdmagen: .*\n  \w")


if __name__ == "__main__":
    RDMAGEN = sys.argv.pop(1)
    unittest.main()
