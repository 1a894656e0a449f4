#!/usr/bin/env python3
"""The same tables, bytes and statements on a current ClickHouse: the engine of the npm package chdb."""
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

MODULES = pathlib.Path(sys.argv.pop(2))

from servers import CAPTURES, ENVIRONMENT, PROGRAM, Server, analyze
from daemons import NOT_HERE
from questions import check_all, load_all, views


class Current(Server):
    """A server that is a process of node."""

    def __init__(self, folder: pathlib.Path):
        self.folder = folder

    def start(self):
        script = pathlib.Path(__file__).with_name("current_server.mjs")
        self.process = subprocess.Popen(["node", script, MODULES, self.folder / "data"], stdout=subprocess.PIPE, text=True)
        self.url = f"http://127.0.0.1:{int(self.process.stdout.readline())}"

    def stop(self):
        super().stop()
        self.process.stdout.close()


class OnCurrent(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="rocescope_chdb_")
        self.addCleanup(folder.cleanup)
        self.server = Current(pathlib.Path(folder.name))
        self.server.start()
        self.addCleanup(self.server.stop)

    def export(self, *words, status=0):
        done = subprocess.run([PROGRAM, "export", "--clickhouse", self.server.url, *map(str, words)], capture_output=True, text=True,
                              timeout=300, env=ENVIRONMENT)
        self.assertEqual(done.returncode, status, done.stderr)
        return done

    def count(self, table: str) -> int:
        return self.server.rows(f"SELECT count() AS n FROM rocescope.{table}")[0]["n"]

    def test_loads_replaces_and_answers(self):
        self.assertGreater(int(self.server.ask("SELECT version()").split(".")[0]), 23)
        loaded = load_all(lambda *words: self.export(*words))
        for table, member in ("connections", "connections"), ("findings", "findings"), ("handshakes", "handshakes"), ("hosts", "nic_counters"):
            self.assertEqual(self.count(table), sum(len(each.report[member]) for each in loaded), table)
        for view in views():
            self.server.ask(view, database="rocescope")
        check_all(self, loaded, lambda statement: self.server.rows(statement, database="rocescope"))
        capture = CAPTURES / "impaired_out-loss_heavy.pcapng"
        messages = self.count("messages")
        self.export(capture)
        self.assertEqual(self.count("messages"), messages)
        self.export("--packets", "frame", capture)
        self.assertEqual(self.count("packets"), analyze(capture)["totals"]["packets"])
        self.assertEqual(self.server.rows("SELECT count() AS n FROM rocescope.packets WHERE opcode = ''")[0]["n"],
                         self.count("packets") - analyze(capture)["totals"]["roce_packets"])
        self.export("--no-messages", capture)
        self.assertEqual(self.count("packets"), 0)
        of_capture = self.server.rows(f"SELECT count() AS n FROM rocescope.messages WHERE capture_id IN "
                                      f"(SELECT capture_id FROM rocescope.loads WHERE name = '{capture}')")
        self.assertEqual(of_capture[0]["n"], 0)
        before = self.count("messages"), self.count("connections")
        self.server.stop()
        self.server.start()
        self.assertEqual((self.count("messages"), self.count("connections")), before)
        self.assertEqual(self.server.rows("SELECT name FROM system.tables WHERE database = 'rocescope' AND name LIKE 'stage%'"), [])

    def test_both_hosts(self):
        loaded = load_all(lambda *words: self.export(*words), hosts=("alice", "bob"))
        for view in views():
            self.server.ask(view, database="rocescope")
        check_all(self, loaded, lambda statement: self.server.rows(statement, database="rocescope"))


if __name__ == "__main__":
    if not shutil.which("node") or not (MODULES / "node_modules/chdb").exists():
        print("skipped: npm has not fetched chdb; tools/test --all does")
        sys.exit(NOT_HERE)
    unittest.main(verbosity=2)
