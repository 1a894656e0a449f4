#!/usr/bin/env python3
"""Kills of rocescope and of the servers at any moment of a load; then the load is repeated, and every row is there once."""
import os
import random
import signal
import subprocess
import sys
import time

SYNTH = sys.argv.pop(2)

from servers import CAPTURES, ENVIRONMENT, Pair, analyze, main, wait_until

CAPTURE = CAPTURES / "impaired_out-loss_heavy.pcapng"
SMALLER = CAPTURES / "rdmagen_several-cm.pcapng"
TABLES = ("captures", "connections", "messages", "rates", "host_rates", "findings", "handshakes", "hosts", "packets")
ROUNDS = 20


class Kills(Pair):
    def setUp(self):
        super().setUp()
        seed = int(os.environ.get("ROCESCOPE_SEED", time.time_ns() % 1_000_000))
        self.random = random.Random(seed)
        print(f"ROCESCOPE_SEED={seed}", flush=True)

    def command(self, *words, **options) -> list[str]:
        """With packets, where the capture can be read twice."""
        return super().command(*(() if words[-1] == "-" else ("--packets", "infiniband.aeth")), *words, **options)

    def state(self) -> dict:
        """How many rows each table has, and a checksum of the messages."""
        state = {table: self.count(table) for table in TABLES}
        rows = self.everywhere("SELECT sum(cityHash64(capture_id, number, connection, first_time, bytes, outcome)) AS n FROM {db}.messages")
        return state | {"checksum": sum(row["n"] for row in rows) % 2**64}

    def begin(self, *words) -> subprocess.Popen:
        return subprocess.Popen(self.command(*words), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, env=ENVIRONMENT)

    def load_both(self):
        self.export("--name", "one", CAPTURE)
        self.export("--name", "two", SMALLER)

    def how_long(self) -> float:
        began = time.monotonic()
        self.export("--name", "one", CAPTURE)
        return time.monotonic() - began

    def test_of_rocescope(self):
        self.load_both()
        wanted = self.state()
        length = self.how_long()
        killed = 0
        for _ in range(ROUNDS):
            process = self.begin("--name", "one", CAPTURE)
            time.sleep(self.random.uniform(0, length))
            process.kill()
            killed += process.wait() == -signal.SIGKILL
            process.stderr.close()
            self.export("--name", "one", CAPTURE)
            self.assertEqual(self.state(), wanted)
            self.assertEqual(self.stages(), [])
        self.assertGreater(killed, ROUNDS // 4)

    def test_of_a_server(self):
        self.load_both()
        wanted = self.state()
        length = self.how_long()
        for _ in range(ROUNDS // 2):
            server = self.random.choice(self.servers)
            process = self.begin("--name", "one", CAPTURE)
            time.sleep(self.random.uniform(0, length))
            server.kill()
            said = process.communicate(timeout=120)[1]
            self.assertIn(process.returncode, (0, 2), said)
            if process.returncode == 2:
                self.assertIn(server.url, said)
            server.start()
            self.export("--name", "one", CAPTURE)
            self.assertEqual(self.state(), wanted)
            self.assertEqual(self.stages(), [])

    def test_in_the_middle_of_what_is_sent(self):
        """Of a capture whose messages are several INSERTs: killed when the first is there and the next is on its way."""
        large = self.folder / "large.pcap"
        subprocess.run([SYNTH, "-o", large, "--packets", "1200000", "--qps", "64", "--frame-size", "128", "--seed", "1"], check=True,
                       capture_output=True)
        self.export("--name", "large", large)
        wanted = self.state()
        sides = [side for connection in analyze(large)["connections"] for side in connection["sides"]]
        self.assertEqual(wanted["messages"], sum(each["messages"] for side in sides for each in side["operations"]))
        self.assertGreater(wanted["messages"], 900_000)  # three INSERTs
        owner = next(server for server in self.servers if server.rows(f"SELECT count() AS n FROM {self.database}.captures")[0]["n"])

        def rows_in_stage() -> int:
            parts = owner.rows(f"SELECT sum(rows) AS n FROM system.parts WHERE active AND database = '{self.database}' AND table LIKE 'stage_messages%'")
            return parts[0]["n"]

        for what in ("rocescope", "server", "rocescope"):
            process = self.begin("--name", "large", large)
            wait_until(lambda: rows_in_stage() > 0 or process.poll() is not None, "the first rows are there")
            self.assertIsNone(process.poll())
            time.sleep(self.random.uniform(0, 0.3))
            if what == "server":
                owner.kill()
                said = process.communicate(timeout=120)[1]
                self.assertEqual(process.returncode, 2, said)
                self.assertIn(owner.url, said)
                owner.start()
            else:
                process.kill()
                process.wait()
                process.stderr.close()
            self.assertEqual(self.count("messages"), wanted["messages"], "what was there stays until it is replaced")
            self.assertNotEqual(self.stages(), [])
            self.export("--name", "large", large)
            self.assertEqual(self.state(), wanted)
            self.assertEqual(self.stages(), [])

    def test_a_server_is_down_then_up(self):
        self.load_both()
        wanted = self.state()
        self.servers[1].kill()
        self.assertIn(self.servers[1].url, self.export("--name", "one", CAPTURE, status=2).stderr)
        self.servers[1].start()
        self.export("--name", "one", CAPTURE)
        self.assertEqual(self.state(), wanted)

    def test_two_loads_at_once_leave_one(self):
        self.load_both()
        wanted = self.state()
        for _ in range(5):
            processes = [self.begin("--name", "one", CAPTURE) for _ in range(2)]
            for process in processes:
                said = process.communicate(timeout=120)[1]
                self.assertIn(process.returncode, (0, 2), said)
            self.export("--name", "one", CAPTURE)
            self.assertEqual(self.state(), wanted)

    def test_ctrl_c_loads_nothing(self):
        self.load_both()
        wanted = self.state()
        with open(CAPTURE, "rb") as capture:
            head = capture.read(200_000)
        process = subprocess.Popen(self.command("--name", "one", "--replace", "-"), stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.PIPE, env=ENVIRONMENT)
        process.stdin.write(head)
        process.stdin.flush()
        wait_until(lambda: any(row["state"] == "planned" for row in self.everywhere(
            "SELECT argMax(state, sequence) AS state FROM {db}.loads WHERE name = 'one' GROUP BY capture_id")), "the load is planned")
        process.send_signal(signal.SIGINT)
        process.stdin.close()
        said = process.stderr.read().decode()
        process.stderr.close()
        self.assertEqual(process.wait(60), 130, said)
        self.assertIn("nothing is loaded", said)
        self.assertEqual(self.state(), wanted)


if __name__ == "__main__":
    main()
