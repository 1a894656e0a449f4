#!/usr/bin/env python3
"""The commands of tools/cluster/many_hosts.md, in the order of the page: captures of three hosts with the three programs it names, on
interfaces made for it; Slurm; and ClickHouse, whose servers are the only words that are replaced.

    page_test.py PROGRAM SYNTH
"""
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

arguments = sys.argv[1:3]
PROGRAM = pathlib.Path(arguments[0]).resolve()
HERE = pathlib.Path(__file__).resolve().parent
PAGE = HERE.parents[1] / "tools/cluster/many_hosts.md"
sys.path += [str(HERE.parent / "live"), str(HERE.parent / "clickhouse"), str(HERE.parent / "support")]
sys.argv[1:3] = [*arguments, str(PROGRAM)]
import daemons  # noqa: E402
import network  # noqa: E402
import servers  # noqa: E402
import slurm  # noqa: E402

HOSTS = {"alice": "dumpcap", "bob": "tcpdump", "carol": "rocescope"}
SOURCES = {"alice": "impaired_out-loss_heavy.pcapng", "bob": "rdmagen-cm-mixed.pcapng", "carol": "lost-light.pcapng"}
READY = {"dumpcap": "File:", "tcpdump": "listening on", "rocescope": "capturing on"}
LEAST = 10_000  # bytes
ADDRESSES = "http://db1:8123,http://db2:8123"


def blocks() -> dict[str, list[str]]:
    """The commands of each section."""
    sections = re.split(r"(?m)^## (.*)\n", PAGE.read_text())
    return {title: re.findall(r"```sh\n(.*?)```", text, re.DOTALL) for title, text in zip(sections[1::2], sections[2::2])}


class Page(network.Network):
    def setUp(self):
        super().setUp()
        folder = tempfile.TemporaryDirectory(prefix="rocescope_page_")
        self.addCleanup(folder.cleanup)
        (pathlib.Path(folder.name) / "slurm").mkdir()
        self.slurm = slurm.Slurm(pathlib.Path(folder.name) / "slurm")
        self.addCleanup(self.slurm.stop)
        self.slurm.start()
        self.environment = self.slurm.environment | {"PATH": f"{PROGRAM.parent}:{slurm.SBATCH.parent}:{self.slurm.environment['PATH']}"}
        self.servers = [servers.Server(pathlib.Path(folder.name) / name) for name in ("db1", "db2")]
        for server in self.servers:
            self.addCleanup(server.stop)
            server.start()

    def shell(self, text: str) -> str:
        text = text.replace(ADDRESSES, ",".join(server.url for server in self.servers))
        done = subprocess.run(["bash", "-euc", text], cwd=self.folder, capture_output=True, text=True, timeout=300, env=self.environment)
        self.assertEqual(done.returncode, 0, f"{text}\n{done.stdout}{done.stderr}")
        return done.stdout

    def files(self, host: str) -> list[pathlib.Path]:
        return sorted((self.folder / "captures" / host).glob("*"))

    def record(self, host: str, text: str):
        """Runs the command until it has what goes over the wire."""
        program = HOSTS[host]
        words = ["ip", "netns", "exec", self.here, "env", f"HOSTNAME={host}", *(f"{name}={value}" for name, value in self.environment.items()),
                 "bash", "-euc", text.replace(f"\n{program} ", f"\nexec {program} ")]
        live = network.Live(words, READY[program], self.folder)
        self.addCleanup(live.kill)
        self.replay(slurm.CAPTURES / SOURCES[host])
        if program == "tcpdump":
            return self.end_tcpdump(live)
        if program == "dumpcap":  # what it has not read when it ends is lost
            network.wait_until(lambda: self.size(host) > LEAST, "it has written packets")
        live.end()

    def size(self, host: str) -> int:
        return sum(path.stat().st_size for path in self.files(host))

    def test_commands(self):
        page = blocks()
        for host, text in zip(HOSTS, page["Capture"]):
            self.assertIn(f"\n{HOSTS[host]} ", text)
            self.record(host, text)
            self.assertGreater(self.size(host), LEAST)
        points, wait, status, jobs, one_by_one = page["Run"]
        self.assertEqual(len(re.findall(r"(?m)^captures/", self.shell(points))), 3)
        self.assertIn("reports: 3 of 3", self.shell(wait))
        self.assertIn("6 done", self.shell(status))
        self.shell(jobs)
        self.shell(one_by_one)
        for merge in page["Merge"]:
            self.shell(merge)
        for host in HOSTS:
            files = [path.relative_to(self.folder) for path in self.files(host)]
            wanted = subprocess.run([PROGRAM, "analyze", "--json", "-q", *files], cwd=self.folder, capture_output=True, check=True).stdout
            report = next(self.folder.glob(f"results/points/{host}_ring*/report.json"))
            self.assertTrue(report.read_bytes() == wanted, host)
            self.assertGreater(json.loads(wanted)["totals"]["packets"], 100)
        alice = next(self.folder.glob("results/points/alice_ring*/report.json")).read_bytes()
        for name in ("alice.json", "one_by_one.json", "merged.json"):
            self.assertTrue((self.folder / name).read_bytes() == alice, name)
        between = self.folder / "results/between"
        self.assertEqual((between / "report.txt").read_bytes(), (self.folder / "between.txt").read_bytes())
        self.assertEqual(len(json.loads((between / "report.json").read_bytes())["reports"]), len(HOSTS))
        text, csv, merged_html, html, export = page["Look"]
        files = [path.relative_to(self.folder) for path in self.files("alice")]
        wanted = subprocess.run([PROGRAM, "analyze", *files], cwd=self.folder, capture_output=True, text=True, check=True).stdout
        self.assertEqual(self.shell(text), wanted)
        self.shell(csv)
        self.assertTrue((self.folder / "alice_csv/messages.csv").stat().st_size)
        if subprocess.run([PROGRAM, "help", "analyze"], capture_output=True, text=True, check=True).stdout.count("--html"):
            self.shell(merged_html)
            self.shell(html)
            for name in ("alice_merged.html", "alice.html"):
                self.assertTrue((self.folder / name).stat().st_size)
        self.shell(export)
        loaded = {row["name"]: row["packets"] for server in self.servers
                  for row in server.rows("SELECT name, argMax(packets, sequence) AS packets FROM rocescope.loads GROUP BY name")}
        messages = sum(server.rows("SELECT count() AS n FROM rocescope.messages")[0]["n"] for server in self.servers)
        self.assertEqual(messages, sum(len(servers.csv_tables(self.folder / f"{host}_tables", *self.files(host))["messages"]) for host in HOSTS))
        self.assertEqual(sorted(loaded.values()), sorted(json.loads(path.read_text())["totals"]["packets"]
                                                         for path in self.folder.glob("results/points/*/report.json")))


if __name__ == "__main__":
    daemons.require(slurm.DAEMONS, slurm.PATH)
    daemons.require(servers.NEEDED, servers.PATH)
    network.require()
    missing = [name for name in ("dumpcap",) if not shutil.which(name)]
    if missing:
        print("skipped: not installed:", *missing)
        sys.exit(daemons.NOT_HERE)
    unittest.main(verbosity=2)
