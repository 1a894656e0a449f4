#!/usr/bin/env python3
"""What `rocescope export` loads into two ClickHouse servers, beside the JSON and the CSV of `analyze`."""
import http.server
import pathlib
import subprocess
import tempfile
import threading

from servers import CAPTURES, ENVIRONMENT, PROGRAM, Pair, Server, analyze, csv_tables, free_ports, main

SOME = ("rdmagen_several-cm.pcapng", "impaired_out-loss_heavy.pcapng", "lab_pingpong_atomic_udaddy.pcap", "fault-reject.pcapng",
        "ipv6_lost-read.pcapng", "lab_rping_write_ud_atomic.pcap")
# Columns of packets, and what `dissect -T fields` calls them.
FIELDS = {"number": "frame.number", "time": "frame.time_epoch", "wire_bytes": "frame.len", "captured_bytes": "frame.cap_len",
          "psn": "infiniband.bth.psn", "dest_qp": "infiniband.bth.destqp", "ack_request": "infiniband.bth.a", "becn": "infiniband.bth.becn",
          "syndrome": "infiniband.aeth.syndrome", "msn": "infiniband.aeth.msn", "address": "infiniband.reth.va", "r_key": "infiniband.reth.r_key",
          "dma_length": "infiniband.reth.dmalen", "icrc": "rocescope.icrc.status", "connection": "rocescope.connection",
          "message": "rocescope.message.id", "verdict": "rocescope.verdict", "cause": "rocescope.verdict.cause", "lost": "rocescope.verdict.lost",
          "missing_psns": "rocescope.verdict.missing", "related_packet": "rocescope.verdict.related",
          "evidence_packet": "rocescope.verdict.evidence"}
SENT = ("packets", "wire_bytes", "payload_bytes", "goodput_bytes", "resent_bytes", "messages")


def as_cell(value) -> str:
    """As CSV has it."""
    if isinstance(value, list):
        return " ".join(str(each) for each in value)
    return str(value)


def as_row(cells: dict[str, str], types: dict[str, str]) -> dict[str, str]:
    """A line of CSV as the table has it: what is absent is 0 or empty, and its flag is 0."""
    row = {}
    for name, cell in cells.items():
        kind = types[name]
        if "Int" in kind and not kind.startswith("Array"):
            if name + "_known" in types:
                row[name + "_known"] = str(int(cell != ""))
            row[name] = {"": "0", "true": "1", "false": "0"}.get(cell) or str(int(cell, 0))
        else:
            row[name] = cell
    return row


class Load(Pair):
    def table(self, name: str) -> list[dict]:
        return self.everywhere(f"SELECT * FROM {{db}}.{name}")

    def types(self, table: str) -> dict[str, str]:
        rows = self.servers[0].rows(f"SELECT name, type FROM system.columns WHERE database = '{self.database}' AND table = '{table}'")
        return {row["name"]: row["type"] for row in rows}

    def assert_csv(self, table: str, lines: list[dict[str, str]], where: str):
        types = self.types(table)
        there = self.everywhere(f"SELECT * FROM {{db}}.{table} WHERE capture_id IN (SELECT capture_id FROM {{db}}.loads WHERE name = '{where}')")
        rows = [{name: as_cell(value) for name, value in row.items() if name != "capture_id"} for row in there]
        wanted = [as_row(line, types) for line in lines]
        key = lambda row: sorted(row.items())
        self.assertEqual(sorted(rows, key=key), sorted(wanted, key=key))

    def test_rows_are_those_of_csv_and_sums_those_of_json(self):
        total = {}
        for capture in SOME:
            self.export(CAPTURES / capture)
            with self.subTest(capture), tempfile.TemporaryDirectory() as folder:
                name = str(CAPTURES / capture)
                tables = csv_tables(pathlib.Path(folder) / "csv", CAPTURES / capture)
                self.assert_csv("connections", tables["connections"], name)
                self.assert_csv("messages", tables["messages"], name)
                self.assert_csv("findings", tables["findings"], name)
                report = analyze(CAPTURES / capture)
                self.check_against_json(report, name)
                for table, number in self.numbers(report).items():
                    total[table] = total.get(table, 0) + number
        for table, number in total.items():
            self.assertEqual(self.count(table), number, table)
        self.assertEqual(self.stages(), [])

    @staticmethod
    def numbers(report: dict) -> dict[str, int]:
        requests = [side["requests"] for connection in report["connections"] for side in connection["sides"]]
        return {"captures": len(report["captures"]), "connections": len(report["connections"]), "findings": len(report["findings"]),
                "handshakes": len(report["handshakes"]), "hosts": len(report["nic_counters"]), "loads": 2}

    def check_against_json(self, report: dict, name: str):
        where = f"WHERE capture_id IN (SELECT capture_id FROM {self.database}.loads WHERE name = '{name}')"

        def sums(table: str, *columns: str) -> dict:
            asked = ", ".join(f"sum({column}) AS {column}" for column in columns)
            rows = self.everywhere(f"SELECT count() AS n, {asked} FROM {{db}}.{table} {where}")
            return {column: sum(row[column] for row in rows) for column in ("n", *columns)}

        # Messages by operation: JSON counts them in each side, CSV writes none of these sums.
        operations = {}
        for connection in report["connections"]:
            for side in connection["sides"]:
                for each in side["operations"]:
                    of = operations.setdefault(each["operation"], {"completed": 0, "refused": 0})
                    for key in of:
                        of[key] += each[key]
        there = self.everywhere(f"SELECT operation, countIf(outcome = 'completed') AS completed, countIf(outcome = 'refused') AS refused "
                                f"FROM {{db}}.messages {where} GROUP BY operation")
        self.assertEqual({row.pop("operation"): row for row in there if row["completed"] + row["refused"]},
                         {key: value for key, value in operations.items() if sum(value.values())})

        buckets = [each["buckets"] for each in report["host_rates"] if "buckets" in each]
        expected = {column: sum(sum(each[column]) for each in buckets) for column in SENT}
        found = sums("host_rates", *SENT)
        found.pop("n")
        self.assertEqual(found, expected)
        self.assertEqual(found, {column: sum(each[column] for each in report["host_rates"]) for column in SENT})

        sides = [side["rates"] for connection in report["connections"] for side in connection["sides"] if "rates" in side]
        found = sums("rates", *SENT)
        found.pop("n")
        self.assertEqual(found, {column: sum(each[column] for each in sides) for column in SENT})

        counters = [key for key in report["nic_counters"][0] if key not in ("address", "overlay_id")] if report["nic_counters"] else []
        if counters:
            found = sums("hosts", *counters)
            self.assertEqual(found, {"n": len(report["nic_counters"])} |
                             {key: sum(host[key] for host in report["nic_counters"]) for key in counters})
        found = sums("captures", "packets", "bytes", "roce_packets", "cut_packets")
        self.assertEqual(found, {"n": 1} | {key: report["totals"][key] for key in ("packets", "bytes", "roce_packets", "cut_packets")})
        rows = self.everywhere(f"SELECT number, outcome, side0_address, side1_qpn, service_id, reject_reason, reject_reason_known "
                               f"FROM {{db}}.handshakes {where} ORDER BY number")
        self.assertEqual([(row["number"], row["outcome"], row["side0_address"], row["side1_qpn"], row["service_id"],
                           row["reject_reason"] if row["reject_reason_known"] else None) for row in rows],
                         [(each["number"], each["outcome"], each["sides"][0]["address"], each["sides"][1].get("qpn", 0),
                           int(each.get("service_id", "0"), 0), each.get("reject", {}).get("reason")) for each in report["handshakes"]])

    def dissected(self, capture: str, passes: str) -> list[dict[str, str]]:
        """As columns have it: absent numbers are 0, times nanoseconds."""
        words = [word for field in FIELDS.values() for word in ("-e", field)]
        done = subprocess.run([PROGRAM, "dissect", "-T", "fields", *words, "-Y", passes, CAPTURES / capture], capture_output=True, text=True,
                              check=True, env=ENVIRONMENT)
        types, rows = self.types("packets"), []
        for line in done.stdout.splitlines():
            row = dict(zip(FIELDS, line.split("\t"), strict=True))
            row["time"] = row["time"].replace(".", "")
            row["address"] = f"0x{int(row['address'], 16):016x}" if row["address"] else ""
            rows.append(as_row(row, types))
        return rows

    def test_packets_that_pass_a_filter(self):
        for capture in SOME[:3]:
            for passes in ("rocescope.verdict.retransmission || infiniband.aeth || infiniband.reth", "frame", "rocescope.connection == 1",
                           "infiniband.bth.psn == 0xffffff && frame.number == 0"):
                with self.subTest(capture, passes=passes):
                    self.export("--name", capture, "--packets", passes, CAPTURES / capture)
                    wanted = self.dissected(capture, passes)
                    where = f"WHERE capture_id IN (SELECT capture_id FROM {{db}}.loads WHERE name = '{capture}')"
                    there = self.everywhere(f"SELECT * FROM {{db}}.packets {where} ORDER BY number")
                    self.assertEqual([{name: as_cell(row[name]) for name in wanted[0]} for row in there] if wanted else there, wanted)
                    ledger = self.everywhere(f"SELECT packets_filter, rows_packets FROM {{db}}.loads {where} ORDER BY sequence DESC LIMIT 1")
                    self.assertEqual((ledger[0]["packets_filter"], ledger[0]["rows_packets"]), (passes, len(wanted)))
        rows = self.everywhere("SELECT opcode, is_request, payload_bytes, source, udp_source_port, dest_qp FROM {db}.packets "
                               "WHERE opcode = 'RC SEND Middle' LIMIT 1")
        self.assertEqual([row["is_request"] for row in rows], [1] * len(rows))
        # Without the option a load takes them away again, as everything of the load before.
        self.export("--name", SOME[0], "--packets", "frame", CAPTURES / SOME[0])
        before = self.count("packets")
        self.assertGreater(before, 0)
        self.export("--name", SOME[0], CAPTURES / SOME[0])
        self.assertEqual(self.count("packets"), before - analyze(CAPTURES / SOME[0])["totals"]["packets"])
        self.assertEqual(self.stages(), [])

    def test_packets_of_what_is_narrowed(self):
        report = analyze("-Y", "infiniband.bth.psn < 0x800000", CAPTURES / SOME[1])
        self.export("-Y", "infiniband.bth.psn < 0x800000", "--packets", "frame", CAPTURES / SOME[1])
        self.assertEqual(self.count("packets"), report["totals"]["packets"])
        self.assertEqual(self.everywhere("SELECT count() AS n FROM {db}.packets WHERE psn >= 0x800000")[0]["n"], 0)

    def test_what_has_no_packets_is_refused(self):
        part = self.folder / "part.rsp"
        subprocess.run([PROGRAM, "analyze", "--partial", part, CAPTURES / SOME[0]], check=True, capture_output=True, env=ENVIRONMENT)
        self.assertIn("a partial result has no packets", self.export("--packets", "frame", part, status=2).stderr)
        self.assertIn("unknown field", self.export("--packets", "frame.nunber == 1", CAPTURES / SOME[0], status=2).stderr)
        self.assertIn("a display filter", self.export("--packets", " ", CAPTURES / SOME[0], status=2).stderr)
        with open(CAPTURES / SOME[0], "rb") as capture:
            done = subprocess.run(self.command("--name", "x", "--packets", "frame", "-"), stdin=capture, capture_output=True, text=True, timeout=60,
                                  env=ENVIRONMENT)
        self.assertEqual((done.returncode, "cannot be read twice" in done.stderr), (2, True))

    def test_loading_again_replaces(self):
        for _ in range(3):
            self.export(CAPTURES / SOME[0])
        report = analyze(CAPTURES / SOME[0])
        self.assertEqual(self.count("connections"), len(report["connections"]))
        self.assertEqual(self.count("captures"), 1)
        states = self.everywhere("SELECT state, sequence FROM {db}.loads ORDER BY sequence")
        self.assertEqual([row["state"] for row in states], ["planned", "done"] * 3)
        self.assertEqual([row["sequence"] for row in states], list(range(1, 7)))
        # Fewer rows than before: of tables without rows, too.
        self.export("--no-messages", CAPTURES / SOME[0])
        self.assertEqual(self.count("messages"), 0)
        self.assertEqual(self.count("connections"), len(report["connections"]))
        self.assertEqual(self.stages(), [])

    def test_what_was_replaced_does_not_come_again_when_the_server_is_killed(self):
        for _ in range(2):
            self.export("--name", "killed", CAPTURES / SOME[1])
        for server in self.servers:  # some parts are merged, whose files stay for a while
            server.ask(f"OPTIMIZE TABLE {self.database}.connections FINAL")
        self.export("--name", "killed", "--no-messages", CAPTURES / SOME[1])
        before = {table: self.count(table) for table in ("connections", "findings", "rates", "messages")}
        for server in self.servers:
            server.kill()
            server.start()
        self.assertEqual({table: self.count(table) for table in before}, before)
        self.assertEqual(before["messages"], 0)
        self.assertEqual(before["connections"], len(analyze(CAPTURES / SOME[1])["connections"]))

    def test_what_was_replaced_does_not_come_again_from_a_merge(self):
        self.export("--name", "merged", CAPTURES / SOME[1])
        tables = "connections", "findings", "messages", "rates", "host_rates"
        wanted = {table: self.count(table) for table in tables}
        over = threading.Event()

        def merge():
            while not over.is_set():
                for server in self.servers:
                    for table in tables:
                        try:
                            server.ask(f"OPTIMIZE TABLE {self.database}.{table} FINAL")
                        except AssertionError:
                            pass  # a load ends what is being merged

        merging = threading.Thread(target=merge)
        merging.start()
        try:
            for _ in range(5):
                self.export("--name", "merged", CAPTURES / SOME[1])
                self.assertEqual({table: self.count(table) for table in tables}, wanted)
        finally:
            over.set()
            merging.join()
        for server in self.servers:
            server.kill()
            server.start()
        self.assertEqual({table: self.count(table) for table in tables}, wanted)

    def test_partial_results_load_as_captures_do(self):
        folder = self.folder / self.database
        folder.mkdir()
        parts = []
        for capture in SOME[:2]:
            parts.append(folder / f"{capture}.rsp")
            subprocess.run([PROGRAM, "analyze", "--partial", parts[-1], CAPTURES / capture], check=True, capture_output=True, env=ENVIRONMENT)
        self.export(*parts)
        columns = "number, connection, operation, outcome, bytes, first_time, completion_time, requester, responder_qpn"
        of_parts = self.everywhere(f"SELECT {columns} FROM {{db}}.messages")
        rest = {table: self.count(table) for table in ("connections", "findings", "handshakes", "hosts", "rates", "host_rates", "captures")}
        self.database += "_captures"
        for capture in SOME[:2]:
            self.export(CAPTURES / capture)
        key = lambda row: sorted((name, str(value)) for name, value in row.items())
        self.assertEqual(sorted(of_parts, key=key), sorted(self.everywhere(f"SELECT {columns} FROM {{db}}.messages"), key=key))
        self.assertEqual(rest, {table: self.count(table) for table in rest})
        self.assertIn("is for captures", self.export("--no-icrc", parts[0], status=2).stderr)
        self.assertIn("at once", self.export(parts[0], CAPTURES / SOME[0], status=2).stderr)
        bare = folder / "bare.rsp"
        subprocess.run([PROGRAM, "analyze", "--no-messages", "--partial", bare, CAPTURES / SOME[0]], check=True, capture_output=True, env=ENVIRONMENT)
        self.assertIn("bare.rsp was made with --no-messages: none are loaded", self.export(bare).stderr)
        self.assertNotIn("none are loaded", self.export("--no-messages", bare).stderr)
        damaged = folder / "damaged.rsp"
        damaged.write_bytes(parts[0].read_bytes()[:-40])
        self.assertIn("damaged.rsp", self.export(damaged, status=2).stderr)

    def test_messages_are_of_no_connections_that_only_damaged_packets_name(self):
        """Packets to the requester, and those from it whose source address was damaged: of hosts that do not exist."""
        shown = self.folder / "shown.pcapng"
        subprocess.run(["tshark", "-r", CAPTURES / "two_views-corrupt.pcap.gz", "-Y", "ip.src != 192.168.2.25", "-w", shown],
                       capture_output=True, check=True)
        folder, part = self.folder / self.database, self.folder / "damaged.rsp"
        rows = csv_tables(folder, shown)["messages"]
        key = lambda row: (int(row["number"]), int(row["connection"]))
        subprocess.run([PROGRAM, "analyze", "--partial", part, shown], check=True, capture_output=True, env=ENVIRONMENT)
        for name, export in ("capture", shown), ("part", part):
            with self.subTest(name):
                self.export("--name", name, export)
                where = f"WHERE capture_id IN (SELECT capture_id FROM {{db}}.loads WHERE name = '{name}')"
                there = self.everywhere(f"SELECT number, connection FROM {{db}}.messages {where}")
                self.assertEqual(sorted(map(key, there)), sorted(map(key, rows)))
                ledger = self.everywhere(f"SELECT rows_messages FROM {{db}}.loads {where} ORDER BY sequence DESC LIMIT 1")
                self.assertEqual(ledger[0]["rows_messages"], len(rows))
        self.assertEqual(self.stages(), [])

    def test_a_capture_moves_where_the_servers_change(self):
        names = [f"capture {i}" for i in range(12)]  # which server has one depends on its port
        for name in names:
            self.export("--name", name, CAPTURES / SOME[0], urls=self.servers[0].url)
        count = self.servers[0].rows(f"SELECT count() AS n FROM {self.database}.connections")[0]["n"]
        self.assertEqual(count, len(names) * len(analyze(CAPTURES / SOME[0])["connections"]))
        for name in names:
            self.export("--name", name, CAPTURES / SOME[0])
        self.assertEqual(self.count("connections"), count)
        self.assertEqual(self.count("captures"), len(names))
        moved = self.servers[0].rows(f"SELECT name FROM {self.database}.loads WHERE state = 'moved'")
        self.assertEqual(self.servers[1].rows(f"SELECT count() AS n FROM {self.database}.captures")[0]["n"], len(moved))
        self.assertTrue(0 < len(moved) < len(names), moved)
        self.assertEqual(self.stages(), [])

    def test_many_load_at_once(self):
        loads = [subprocess.Popen(self.command("--name", f"host {i}", CAPTURES / SOME[i % 2]), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                  text=True, env=ENVIRONMENT) for i in range(8)]
        for load in loads:
            said = load.communicate(timeout=300)[1]
            self.assertEqual((load.returncode, said), (0, ""))
        reports = [analyze(CAPTURES / capture) for capture in SOME[:2]]
        self.assertEqual(self.count("connections"), 4 * sum(len(report["connections"]) for report in reports))
        self.assertEqual(self.count("captures"), 8)
        self.assertEqual(self.stages(), [])

    def test_another_capture_of_the_same_name_is_an_error(self):
        self.export("--name", "host's \\ring", CAPTURES / SOME[0])
        done = self.export("--name", "host's \\ring", CAPTURES / SOME[1], status=2)
        self.assertIn("begins at another time", done.stderr)
        self.assertEqual(self.count("connections"), len(analyze(CAPTURES / SOME[0])["connections"]))
        self.export("--name", "host's \\ring", "--replace", CAPTURES / SOME[1])
        self.assertEqual(self.count("connections"), len(analyze(CAPTURES / SOME[1])["connections"]))
        self.assertEqual(self.stages(), [])
        with open(CAPTURES / SOME[0], "rb") as capture:
            done = subprocess.run(self.command("-"), stdin=capture, capture_output=True, text=True, timeout=60, env=ENVIRONMENT)
        self.assertEqual((done.returncode, "--name" in done.stderr), (2, True))

    def test_tables_of_an_older_version_get_what_they_lack(self):
        self.export(CAPTURES / SOME[0])
        before = self.types("connections")
        for server in self.servers:
            server.ask(f"ALTER TABLE {self.database}.connections DROP COLUMN side0_packets")
        self.export(CAPTURES / SOME[0])
        self.assertEqual(self.types("connections"), before)
        self.assertEqual(sum(row["n"] for row in self.everywhere("SELECT sum(side0_packets) AS n FROM {db}.connections")),
                         sum(each["sides"][0]["packets"] for each in analyze(CAPTURES / SOME[0])["connections"]))
        for server in self.servers:
            server.ask(f"ALTER TABLE {self.database}.connections DROP COLUMN side1_packets")
            server.ask(f"ALTER TABLE {self.database}.connections ADD COLUMN side1_packets String")
        self.assertIn("side1_packets", self.export(CAPTURES / SOME[0], status=2).stderr)


class Refusals(Pair):
    def setUp(self):
        super().setUp()
        self.capture = CAPTURES / SOME[0]

    def assert_refused(self, urls: str, *texts: str, words=(), **environment):
        done = self.export(*words, self.capture, urls=urls, status=2, **environment)
        for text in texts:
            self.assertIn(text, done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        return done.stderr

    def test_a_server_that_is_down(self):
        url = f"http://127.0.0.1:{free_ports(1)[0]}"
        self.assert_refused(f"{self.servers[0].url},{url}", url, "onnect")

    def test_a_server_that_is_no_clickhouse(self):
        class Other(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                self.send_response(200)
                self.end_headers()
                self.wfile.write(b"<html>hello</html>")

            def log_message(self, *_):
                pass

        other = http.server.HTTPServer(("127.0.0.1", 0), Other)
        self.addCleanup(other.server_close)
        self.addCleanup(other.shutdown)
        threading.Thread(target=other.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{other.server_port}"
        self.assert_refused(url, url, "no ClickHouse", "<html>hello</html>")

    def test_what_is_no_url(self):
        self.assert_refused("db1:8123", "no URL")
        self.assert_refused("ftp://127.0.0.1", "no URL")
        self.assert_refused(f"{self.servers[0].url}/?query=x", "?")
        error = self.assert_refused(f"http://loader:s3cret@127.0.0.1:{self.servers[0].http}", "--credentials")
        self.assertNotIn("s3cret", error)

    def test_the_server_says_why(self):
        who = {"CLICKHOUSE_USER": "nobody", "CLICKHOUSE_PASSWORD": "x"}
        self.assert_refused(self.servers[0].url, "Code: 192", "Unknown user nobody", **who)
        self.assertNotIn("wr0ng", self.assert_refused(self.servers[0].url, "Code: 193", "Wrong password",
                                                      CLICKHOUSE_USER="loader", CLICKHOUSE_PASSWORD="wr0ng"))

    def test_who_may_load(self):
        self.export(self.capture, CLICKHOUSE_USER="loader", CLICKHOUSE_PASSWORD="s3cret")
        file = self.folder / "credentials"
        file.write_text("# of the loader\nuser=loader\npassword=s3cret\n")
        file.chmod(0o644)
        self.assert_refused(self.urls, "chmod 600", words=("--credentials", file))
        file.chmod(0o600)
        self.export("--credentials", file, self.capture)
        file.write_text("user=loader\npassword=wr0ng\n")
        self.assert_refused(self.urls, "Wrong password", words=("--credentials", file))
        file.write_text("loader:s3cret\n")
        self.assert_refused(self.urls, "user=NAME", words=("--credentials", file))
        netrc = self.folder / ".netrc"
        netrc.write_text("machine 127.0.0.1 login loader password s3cret\n")
        netrc.chmod(0o600)
        self.export(self.capture, HOME=str(self.folder))
        netrc.write_text("machine 127.0.0.1 login loader password wr0ng\n")
        self.assert_refused(self.urls, "Wrong password", HOME=str(self.folder))
        self.assertEqual(self.count("captures"), 1)

    def test_other_words(self):
        for words, text in ((("--database", "x y"), "letters"), (("--database", "1x"), "letters"), (("--ca-file", "/nonexistent/ca"), "cannot read"),
                            (("--name", ""), "a name"), (("--interval", "x"), "--interval")):
            with self.subTest(words):
                self.assert_refused(self.urls, text, words=words)
        done = subprocess.run([PROGRAM, "export", self.capture], capture_output=True, text=True, env=ENVIRONMENT)
        self.assertEqual((done.returncode, "--clickhouse" in done.stderr), (2, True))
        self.capture = "/nonexistent/capture.pcap"
        self.assert_refused(self.urls, "/nonexistent/capture.pcap")
        self.assertEqual(self.everywhere("SELECT name FROM system.tables WHERE database = '{db}' AND name LIKE 'stage%'"), [])

    def test_tls(self):
        folder = self.folder / "tls"
        server = Server(folder, tls=True)
        subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", folder / "key.pem", "-out",
                        folder / "certificate.pem", "-days", "2", "-subj", "/CN=localhost", "-addext",
                        "subjectAltName=IP:127.0.0.1"], check=True, capture_output=True)
        self.addCleanup(server.stop)
        server.start()
        url = f"https://127.0.0.1:{server.https}"
        self.assert_refused(url, "--ca-file names a file with the certificate")
        self.assert_refused(f"http://127.0.0.1:{server.https}", "A port with TLS needs a URL with https://")
        self.assert_refused(f"https://127.0.0.1:{server.http}", "A port without TLS needs a URL with http://")
        self.export("--ca-file", folder / "certificate.pem", self.capture, urls=url)
        self.assertEqual(server.rows(f"SELECT count() AS n FROM {self.database}.captures")[0]["n"], 1)


if __name__ == "__main__":
    main()
