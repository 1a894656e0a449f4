#!/usr/bin/env python3
"""`rocescope analyze --csv`, as Python's csv module reads it, beside the JSON of the same run."""
import csv
import json
import pathlib
import re
import resource
import signal
import subprocess
import sys
import tempfile
import unittest

PROGRAM = sys.argv.pop(1)
CAPTURES = pathlib.Path(__file__).resolve().parents[2] / "captures"
VERDICTS = ("verdicts", "verdict_"), ("retransmission_causes", "retransmission_"), ("recovery_causes", "recovery_")


def analyze(*arguments) -> subprocess.CompletedProcess:
    return subprocess.run([PROGRAM, "analyze", *arguments], capture_output=True, text=True, timeout=60)


def read(path: pathlib.Path) -> list[dict[str, str]]:
    with path.open(newline="") as file:
        reader = csv.DictReader(file, strict=True)
        rows = list(reader)
    assert all(None not in row and None not in row.values() for row in rows), "a row is not as long as the header"
    return rows


def cell(value) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return " ".join(str(each) for each in value) if isinstance(value, list) else str(value)


def flat(member: dict, prefix: str = "") -> dict[str, str]:
    """A JSON object as cells: what is not there is empty."""
    cells = {}
    for key, value in member.items():
        if isinstance(value, dict):
            cells |= flat(value, f"{prefix}{key}_")
        elif not (isinstance(value, list) and value and isinstance(value[0], dict)):
            cells[prefix + key] = cell(value)
    return cells


def connection_cells(connection: dict) -> dict[str, str]:
    cells = flat({key: value for key, value in connection.items() if key != "sides"})
    for number, side in enumerate(connection["sides"]):
        requests = side["requests"]
        members = {key: value for key, value in (side | requests).items() if not isinstance(value, (dict, list))}
        for key, prefix in VERDICTS:
            members |= {prefix + name: value for name, value in requests[key].items()}
        cells |= flat(members, f"side{number}_")
    return cells


class Csv(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name) / "tables"

    def run_on(self, capture: str, *arguments) -> dict:
        done = analyze("--json", "--csv", self.folder, *arguments, CAPTURES / capture)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return json.loads(done.stdout)

    def assert_same(self, rows: list[dict[str, str]], members: list[dict[str, str]]):
        self.assertEqual(len(rows), len(members))
        for row, cells in zip(rows, members):
            known = {name: value for name, value in cells.items() if name in row}
            self.assertGreater(len(known), 8)
            self.assertEqual({name: value for name, value in row.items() if value not in ("", "0")},
                             {name: value for name, value in known.items() if value not in ("", "0")})

    def test_tables_are_those_of_the_json_document(self):
        for capture in "rdmagen_several-cm.pcapng", "impaired_out-loss_heavy.pcapng", "lab_pingpong_atomic_udaddy.pcap":
            with self.subTest(capture):
                self.folder = self.folder.with_name(capture)
                report = self.run_on(capture)
                self.assert_same(read(self.folder / "connections.csv"), [connection_cells(each) for each in report["connections"]])
                for name, key in {"findings": "findings", "flows": "flows", "datagrams": "ud_flows", "cm": "cm_messages", "regions": "memory_regions"}.items():
                    rows = read(self.folder / f"{name}.csv")
                    self.assert_same(rows, [flat(each) for each in report[key]])

    def test_counters_are_those_of_the_json_document_by_the_names_of_both_drivers(self):
        """The names as in drivers/infiniband: hw/mlx5/counters.c, sw/rxe/rxe_hw_counters.c."""
        report = self.run_on("fault-rnr.pcapng")
        rows = read(self.folder / "counters.csv")
        for host in report["nic_counters"]:
            mine = {row["counter"]: int(row["value"]) for row in rows if row["address"] == host["address"]}
            self.assertEqual(mine, {name: value for name, value in host.items() if name not in ("address", "overlay_id")})
        names = {(row["counter"], row["mlx5"], row["rxe"]) for row in rows}
        self.assertLessEqual({("rnr_nak_retry_err", "rnr_nak_retry_err", "rcvd_rnr_err"), ("sent_pkts", "", "sent_pkts"),
                              ("np_cnp_sent", "np_cnp_sent", ""), ("out_of_sequence", "out_of_sequence", "out_of_seq_request")}, names)
        naks = next(row for row in rows if (row["address"], row["rxe"]) == ("192.168.2.25", "rcvd_rnr_err"))
        self.assertEqual(naks["value"], "4")

    def test_messages_are_those_that_the_connections_count(self):
        for capture in "rdmagen_several-cm.pcapng", "fault-wrong-rkey.pcapng", "killed-client.pcapng", "pingpong-uc.pcapng":
            with self.subTest(capture):
                self.folder = self.folder.with_name(capture)
                report = self.run_on(capture)
                rows = read(self.folder / "messages.csv")
                self.assertEqual(len({row["number"] for row in rows}), len(rows))
                for connection in report["connections"]:
                    for number, side in enumerate(connection["sides"]):
                        mine = [row for row in rows if (row["connection"], row["side"]) == (str(connection["number"]), str(number))]
                        for total in side["operations"]:
                            of_it = [row for row in mine if row["operation"] == total["operation"]]
                            self.assertEqual(len(of_it), total["messages"])
                            self.assertEqual(sum(int(row["bytes"]) for row in of_it), total["bytes"])
                            for outcome in "completed", "refused":
                                self.assertEqual(sum(row["outcome"] == outcome for row in of_it), total[outcome])

    def test_messages_are_of_no_connections_that_only_damaged_packets_name(self):
        """Packets to the requester, and those from it whose source address was damaged: of hosts that do not exist."""
        shown = self.folder.with_name("shown.pcapng")
        subprocess.run(["tshark", "-r", CAPTURES / "two_views-corrupt.pcap.gz", "-Y", "ip.src != 192.168.2.25", "-w", shown],
                       capture_output=True, check=True)
        tshark = subprocess.run(["tshark", "-r", shown, "-T", "fields", "-e", "ip.src"], capture_output=True, text=True, check=True)
        damaged = set(tshark.stdout.split()) - {"192.168.2.24", "192.168.2.25"}
        self.assertEqual(len(damaged), 4)
        page, trace = self.folder.with_name("page.html"), self.folder.with_name("trace")
        run = analyze("--csv", self.folder, "--html", page, "--perfetto", trace, shown)
        self.assertEqual(run.returncode, 0, run.stderr)
        connections = {row["number"] for row in read(self.folder / "connections.csv")}
        self.assertEqual({row["connection"] for row in read(self.folder / "messages.csv")} - connections, set())
        tables = [re.search(f'id="data-{name}"[^>]*>(.*?)</script>', page.read_text(), re.DOTALL)[1] for name in ("table-messages", "pairs")]
        self.assertIn("192.168.2.24", tables[1])
        for content in *tables, trace.read_text(errors="replace"):
            self.assertEqual([address for address in damaged if address in content], [])

    def test_messages_have_what_was_posted(self):
        posts = [json.loads(line) for line in (CAPTURES / "rdmagen-cm-bulk.ndjson").read_text().splitlines()
                 if '"event":"post"' in line]
        writes = [post for post in posts if post["opcode"] == "RDMA_WRITE"]
        self.run_on("rdmagen-cm-bulk.pcapng")
        rows = [row for row in read(self.folder / "messages.csv") if row["operation"] == "RDMA WRITE"]
        self.assertEqual([(int(row["address"], 16), int(row["r_key"]), int(row["bytes"])) for row in rows],
                         [(post["remote_address"], post["rkey"], post["bytes"]) for post in writes])
        for row in rows:
            self.assertEqual((row["requester"], row["responder"], row["outcome"]), ("192.168.2.25", "192.168.2.24", "completed"))
            self.assertLess(int(row["first_packet"]), int(row["completion_packet"]))

    def test_the_header_is_there_without_rows(self):
        self.run_on("dead_service.pcapng")
        for name in "connections", "findings", "flows", "datagrams", "cm", "regions", "commands", "counters", "messages":
            lines = (self.folder / f"{name}.csv").read_text().splitlines()
            self.assertRegex(lines[0], "^[a-z0-9_]+(,[a-z0-9_]+)+$")
        self.assertEqual(read(self.folder / "messages.csv"), [])

    def test_options_that_narrow_choose_messages_too(self):
        self.run_on("rdmagen_several-cm.pcapng", "--connection", "2")
        rows = read(self.folder / "messages.csv")
        self.assertGreater(len(rows), 5)
        self.assertEqual({row["connection"] for row in rows}, {"2"})

    def test_overwrites_nothing(self):
        self.folder.mkdir()
        (self.folder / "flows.csv").write_text("mine")
        done = analyze("--csv", self.folder, CAPTURES / "rping.pcapng")
        self.assertEqual(done.returncode, 2)
        self.assertRegex(done.stderr, "flows.csv is there already, and --csv overwrites nothing. Name a new or an empty folder")
        self.assertEqual([path.name for path in self.folder.iterdir()], ["flows.csv"])
        self.assertEqual((self.folder / "flows.csv").read_text(), "mine")

    def test_overwrites_no_other_output_of_the_same_run(self):
        self.folder.mkdir()
        done = analyze("--csv", self.folder, "--partial", self.folder / "flows.csv", CAPTURES / "rping.pcapng")
        self.assertEqual(done.returncode, 2)
        self.assertRegex(done.stderr, "flows.csv is there already, and --csv overwrites nothing")
        self.assertEqual([path.name for path in self.folder.iterdir()], ["flows.csv"])  # the partial result
        self.assertTrue((self.folder / "flows.csv").read_bytes().startswith(b"\x89RSP"))

    def test_leaves_nothing_where_a_file_cannot_be_written(self):
        def limit() -> None:
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (1_024, 1_024))

        done = subprocess.run([PROGRAM, "analyze", "--csv", self.folder, CAPTURES / "rdmagen-cm-bulk.pcapng"],
                              capture_output=True, text=True, timeout=60, preexec_fn=limit)
        self.assertEqual(done.returncode, 2)
        self.assertRegex(done.stderr, "cannot write .*csv: File too large")
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_says_why_it_cannot_write(self):
        file = self.folder.with_name("file")
        file.write_text("")
        done = analyze("--csv", file / "tables", CAPTURES / "rping.pcapng")
        self.assertEqual(done.returncode, 2)
        self.assertRegex(done.stderr, "cannot make the folder .*: Not a directory")

    def test_has_each_message_once_where_connections_are_evicted(self):
        requests = self.folder.parent / "requests.pcapng"
        with requests.open("wb") as file:
            subprocess.run([PROGRAM, "extract", "-Y", "infiniband.bth and not infiniband.aeth", "-w", "-",
                            CAPTURES / "pingpong-srq.pcapng", CAPTURES / "several.pcapng"], stdout=file, check=True)
        done = analyze("--max-connections", "1", "--csv", self.folder, requests)
        self.assertEqual(done.returncode, 0, done.stderr)
        numbers = [row["number"] for row in read(self.folder / "messages.csv")]
        self.assertGreater(len(numbers), 50)
        self.assertEqual(len(numbers), len(set(numbers)))


if __name__ == "__main__":
    unittest.main()
