#!/usr/bin/env python3
"""Every number that `rocescope verify` prints as the truth's is the truth's, whatever the capture shows.

Counted here from the lines of the truth alone, and compared with what verify says of whole captures and of parts of them.
"""
import collections
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

PROGRAM = sys.argv.pop(1)
CAPTURES = pathlib.Path(__file__).resolve().parents[2] / "captures"
TRUTHS = sorted(CAPTURES.glob("*.ndjson"))
OPERATIONS = {"SEND": "SEND", "SEND_WITH_IMM": "SEND", "SEND_WITH_INV": "SEND", "RDMA_WRITE": "RDMA WRITE",
              "RDMA_WRITE_WITH_IMM": "RDMA WRITE", "RDMA_READ": "RDMA READ Request", "ATOMIC_CMP_AND_SWP": "CmpSwap",
              "ATOMIC_FETCH_AND_ADD": "FetchAdd", "ATOMIC_WRITE": "ATOMIC WRITE", "FLUSH": "FLUSH"}
WITHOUT_BYTES = ("ATOMIC_CMP_AND_SWP", "ATOMIC_FETCH_AND_ADD", "FLUSH")
RECEIVES = ("RECV", "RECV_RDMA_WITH_IMM")
GIVEN_UP = "given up after its retries, which were lost before the capture point: the device sent 56 packets that nobody received"
NOT_SENT = "of work requests that were flushed, or whose program ended first: nothing proves that they were sent"


def run(capture: pathlib.Path, truth: pathlib.Path) -> dict:
    done = subprocess.run([PROGRAM, "verify", "--json", "--truth", truth, capture], capture_output=True, text=True, timeout=60)
    result = json.loads(done.stdout)
    assert done.returncode == (0 if result["agrees"] else 1), (done.returncode, done.stderr)
    return result


def rows(result: dict) -> dict[tuple[str, str], dict]:
    named = {(fact["fact"], fact.get("detail", "")): fact for fact in result["facts"]}
    assert len(named) == len(result["facts"]), "two rows have one name"
    return named


def explained(row: dict, part: str = "") -> int:
    return sum(each["count"] for each in row["explained"] if part in ("", each["part_of"]) or each["part_of"] == "both")


class Counted:
    """What the lines of a truth say, by the rows of verify."""

    def __init__(self, path: pathlib.Path):
        self.lines = [json.loads(line) for line in path.read_text().splitlines()]
        self.numbers: collections.Counter = collections.Counter()
        self.types = {(line["side"], line["qpn"]): line["type"] for line in self.of("qp")}
        self.count_queue_pairs()
        self.count_work()
        self.count_memory()
        self.count_cm()
        self.count_devices()

    def of(self, event: str, **fields) -> list[dict]:
        return [line for line in self.lines if line["event"] == event
                and all(line.get(key) == value for key, value in fields.items())]

    def is_datagram(self, line: dict) -> bool:
        return self.types.get((line["side"], line["qpn"])) == "UD"

    def connected(self, event: str) -> list[dict]:
        return [line for line in self.of(event) if not self.is_datagram(line)]

    def count_queue_pairs(self) -> None:
        """In kept captures no number of a queue pair is used again."""
        self.numbers["queue_pairs", ""] = len(self.of("qp"))
        states = collections.defaultdict(set)
        known = {"addresses": set(), "starting_psns": set(), "path_mtus": set()}
        for line in self.connected("qp_state"):
            name = (line["side"], line["qpn"])
            states[name].update([line["state"], *line.get("via", [])])
            for field, row in ("dgid", "addresses"), ("sq_psn", "starting_psns"), ("path_mtu", "path_mtus"):
                if line.get(field) is not None:
                    known[row].add(name)
        self.numbers["states", ""] = sum(map(len, states.values()))
        self.numbers.update({(row, ""): len(names) for row, names in known.items()})

    def count_work(self) -> None:
        requests = set()
        for post in self.of("post"):
            if post["opcode"] not in OPERATIONS:
                continue
            if self.is_datagram(post):
                self.numbers["datagrams", ""] += 1
                continue
            requests.add((post["side"], post["qpn"], post["wr_id"]))
            self.numbers["messages", OPERATIONS[post["opcode"]]] += 1
            if post["opcode"] not in WITHOUT_BYTES:
                self.numbers["bytes", ""] += post["bytes"]
        for completion in self.connected("completion"):
            if completion["opcode"] in RECEIVES:
                self.numbers["receives", ""] += completion["status"] == "SUCCESS"
            else:
                self.numbers["outcomes", ""] += (completion["side"], completion["qpn"], completion["wr_id"]) in requests

    def count_memory(self) -> None:
        """Keys by the side that made them: in kept captures there is one of each."""
        posts = [post for post in self.connected("post") if post["opcode"] in OPERATIONS]
        keys = {(post["side"], post[field]) for post in posts for field in ("rkey", "invalidate_rkey") if field in post}
        self.numbers["keys", ""] = len(keys)
        open_keys = {(line["side"], line["rkey"]) for line in self.of("mr")
                     if any(each.startswith("REMOTE_") for each in line["access"])}
        open_keys |= {(line["side"], line["rkey"]) for line in self.of("post", opcode="BIND_MW")}
        ends = {(line["side"], line["qpn"], line["wr_id"]): line["status"] for line in self.connected("completion")
                if line["opcode"] not in RECEIVES}
        used, later = set(), set()
        for post in reversed(posts):  # work requests end in order: one without a completion succeeded when a later one did
            queue_pair = (post["side"], post["qpn"])
            status = ends.get((*queue_pair, post["wr_id"]))
            if status == "SUCCESS":
                later.add(queue_pair)
            good = status == "SUCCESS" if status else queue_pair in later
            key = ("client" if post["side"] == "server" else "server", post.get("rkey"))
            if good and key in open_keys:
                used.add(key)
        self.numbers["regions", ""] = len(used)

    def count_cm(self) -> None:
        events = [line for line in self.of("cm_event") if line["side"] != "lab"]
        side = "client" if any(line["side"] == "client" for line in events) else "server"
        mine = [line for line in events if line["side"] == side]
        if side == "server":
            self.numbers["cm_requests", ""] = sum(line["type"] == "CONNECT_REQUEST" for line in mine)
        else:  # each has a port of its own
            self.numbers["cm_requests", ""] = len({line["local_port"] for line in mine if line.get("local_address") and not
                                                   line["type"].startswith("ADDR_") and line["type"] != "ROUTE_ERROR"})
            for line in mine:
                self.numbers["cm_rejects", f"reason {line.get('status')}"] += line["type"] == "REJECTED"
        self.numbers["cm_established", ""] = sum(line["type"] == "ESTABLISHED" for line in mine)
        gone = [(line["side"], line["qpn"]) for line in events
                if line["type"] == "DISCONNECTED" and line.get("qpn") is not None]
        peers = {(line["side"], line["qpn"]): line["dest_qpn"] for line in self.connected("qp_state") if "dest_qpn" in line}
        other = {"client": "server", "server": "client"}
        self.numbers["cm_disconnects", ""] = len({frozenset([end, (other[end[0]], peers.get(end))]) for end in gone})

    def count_devices(self) -> None:
        for line in self.of("counters", side="lab"):
            for name, value in line["hw_counters"].items():
                growth = value if line["when"] == "after" else -value
                self.numbers["counters", f"{name} of the {line['on']}"] += growth
                if name in ("sent_pkts", "rcvd_pkts"):
                    self.numbers["packets", "sent" if name == "sent_pkts" else "received"] += growth


class Changed(Counted):
    """The truth of a kept capture, to be changed."""

    def __init__(self, name: str):
        super().__init__(CAPTURES / f"{name}.ndjson")
        self.capture = CAPTURES / f"{name}.pcapng"

    def verify(self) -> dict:
        with tempfile.TemporaryDirectory() as folder:
            changed = pathlib.Path(folder) / "changed.ndjson"
            changed.write_text("".join(json.dumps(line) + "\n" for line in self.lines))
            return run(self.capture, changed)

    def rows(self) -> dict[tuple[str, str], dict]:
        return rows(self.verify())


class Numbers(unittest.TestCase):
    def check(self, path: pathlib.Path, capture: pathlib.Path) -> dict:
        """All numbers of the truth, and that each row adds up."""
        truth = Counted(path)
        result = run(capture, path)
        named = rows(result)
        for name, row in named.items():
            with self.subTest(capture=capture.name, row=name):
                self.assertEqual(row["truth"], truth.numbers[name])
                for part in ("truth", "capture"):
                    left = row[part] - row["agree"] - explained(row, part)
                    self.assertGreaterEqual(left, 0)
                    self.assertLessEqual(left, row["differing"])
                if row["differing"]:
                    self.assertFalse(result["agrees"])
        for name, number in truth.numbers.items():
            if number and name[0] != "counters":
                self.assertIn(name, named, capture.name)
        return named

    def test_of_the_truth_are_counted_from_its_lines(self):
        seen: collections.Counter = collections.Counter()
        for path in TRUTHS:
            for name, row in self.check(path, path.with_suffix(".pcapng")).items():
                seen[name[0]] += 1
                self.assertEqual(row["differing"], 0, (path.stem, name))
        self.assertEqual(set(seen), {"queue_pairs", "addresses", "starting_psns", "path_mtus", "states", "messages", "bytes",
                                     "outcomes", "receives", "keys", "regions", "datagrams", "cm_requests", "cm_established",
                                     "cm_rejects", "cm_disconnects", "packets", "counters"})

    def test_of_the_truth_stay_when_the_capture_lacks_packets(self):
        """The capture's number changes, the truth's does not."""
        with tempfile.TemporaryDirectory() as folder:
            part = pathlib.Path(folder) / "part.pcapng"
            for path in TRUTHS:
                for frames in (["-r", "1-60"], ["20-40"]):
                    subprocess.run(["editcap", *frames[:-1], path.with_suffix(".pcapng"), part, frames[-1]], check=True,
                                   capture_output=True)
                    self.check(path, part)

    def test_of_the_truth_stay_with_a_capture_of_something_else(self):
        self.check(CAPTURES / "rdmagen-cm-mixed.ndjson", CAPTURES / "udaddy.pcapng")


class Explained(unittest.TestCase):
    def row(self, name: str, fact: str, detail: str) -> dict:
        return rows(run(CAPTURES / f"{name}.pcapng", CAPTURES / f"{name}.ndjson"))[fact, detail]

    def assert_explained(self, row: dict, truth: int, capture: int, part: str, count: int, why: str) -> None:
        self.assertEqual((row["truth"], row["capture"], row["differing"]), (truth, capture, 0))
        self.assertEqual([(each["part_of"], each["count"]) for each in row["explained"]], [(part, count)])
        self.assertRegex(row["explained"][0]["why"], why)

    def test_duplicates_that_the_capture_counts_once(self):
        for counter, truth, capture in ("duplicate_request", 18, 0), ("rcvd_pkts", 98, 80):
            row = self.row("impaired_out-duplicate_heavy", "counters", f"{counter} of the server")
            if row["capture"] == truth:
                self.assertEqual((row["truth"], row["agree"], row["explained"]), (truth, truth, []))
            else:
                self.assert_explained(row, truth, capture, "truth", 18, "twice")

    def test_naks_that_rxe_leaves_out(self):
        """tests/oracle/counters_test.py counts them with tshark."""
        for name, device, naks in (("impaired_out-loss_heavy", 8, 9), ("impaired_out-reorder_heavy", 23, 28),
                                   ("fault-slow-receiver", 0, 9), ("impaired_out-corrupt_heavy", 6, 7)):
            self.assert_explained(self.row(name, "counters", "rcvd_seq_err of the client"), device, naks, "capture", naks - device,
                                  "^NAKs that acknowledge nothing new: rxe leaves them out$")

    def test_losses_before_the_capture(self):
        self.assert_explained(self.row("lost-heavy", "packets", "sent"), 203, 185, "truth", 18,
                              "^lost before the capture point: the devices received 185$")
        self.assert_explained(self.row("impaired_out-loss_heavy", "counters", "sent_pkts of the client"), 174, 150, "truth", 24,
                              "^lost before the capture point: the device of the server received 150$")

    def test_losses_behind_it(self):
        self.assert_explained(self.row("impaired_in-loss_heavy", "packets", "received"), 161, 174, "capture", 13,
                              "^lost behind the capture point")
        self.assert_explained(self.row("impaired_out-corrupt_heavy", "packets", "received"), 142, 153, "capture", 11, "^damaged: ")

    def test_a_work_request_whose_tries_were_all_lost_before_the_capture(self):
        """netem dropped 56 packets: 7 tries of 4 WRITEs of 2 packets each. The first WRITE ended with RETRY_EXC_ERR."""
        for name, count in ((("states", ""), 1), (("messages", "RDMA WRITE"), 1), (("bytes", ""), 1000), (("outcomes", ""), 1)):
            row = self.row("link_away-client-exhausted", *name)
            self.assertIn({"part_of": "truth", "count": count, "why": GIVEN_UP}, row["explained"])
            self.assertEqual(row["differing"], 0)
        for lost, differing in ((2, 0), (1, 1), (0, 1)):  # that the device counts; the WRITE takes two packets
            truth = Changed("link_away-client-exhausted")
            after, = truth.of("counters", on="client", when="after")
            after["hw_counters"]["sent_pkts"] -= 56 - lost
            self.assertEqual(truth.rows()["messages", "RDMA WRITE"]["differing"], differing, lost)

    def test_work_requests_that_need_not_have_been_sent(self):
        """Two are added behind the last one; one was flushed, of the other the truth has no end."""
        truth = Changed("rdmagen-cm-bulk")
        before = truth.rows()
        last = truth.of("post", side="client", opcode="RDMA_WRITE")[-1]
        completion = truth.of("completion", side="client", wr_id=last["wr_id"])[-1]
        later = truth.lines[-1]["time_ns"]
        truth.lines += [dict(last, wr_id=4711, rkey=0xbad, time_ns=later), dict(last, wr_id=4712, time_ns=later),
                        dict(completion, wr_id=4711, status="WR_FLUSH_ERR", time_ns=later)]
        after = truth.rows()
        for name, more in ((("messages", "RDMA WRITE"), 2), (("bytes", ""), 2 * last["bytes"]), (("keys", ""), 1),
                           (("outcomes", ""), 1)):
            self.assertEqual(after[name]["truth"], before[name]["truth"] + more)
            self.assertEqual((after[name]["agree"], after[name]["differing"]), (before[name]["agree"], 0))
            self.assertEqual(after[name]["explained"], [{"part_of": "truth", "count": more, "why": NOT_SENT}])

    def test_a_message_that_was_not_sent_whole(self):
        """The capture lacks its last packet, and the program was killed before it ended."""
        capture = CAPTURES / "killed-client.pcapng"
        frames = subprocess.run(["tshark", "-n", "-r", capture, "-Y", "infiniband.bth.opcode == 8", "-T", "fields", "-e",
                                 "frame.number"], capture_output=True, check=True, text=True).stdout.split()
        with tempfile.TemporaryDirectory() as folder:
            part = pathlib.Path(folder) / "part.pcapng"
            subprocess.run(["editcap", capture, part, frames[-1]], check=True, capture_output=True)
            row = rows(run(part, CAPTURES / "killed-client.ndjson"))["bytes", ""]
        self.assertEqual((row["truth"], row["differing"]), (200_000, 0))
        self.assertLess(row["capture"], 200_000)
        self.assertEqual(row["explained"], [{"part_of": "truth", "count": 200_000 - row["capture"],
                                             "why": "the rest of messages that were not sent whole"}])

    def test_datagrams_that_need_not_have_been_sent(self):
        truth = Changed("rdmagen_transport-cm-ud")
        last = truth.of("post", side="client", opcode="SEND")[-1]
        sent = truth.rows()["datagrams", ""]["truth"]
        truth.lines.append(dict(last, wr_id=4711, time_ns=truth.lines[-1]["time_ns"]))
        self.assert_explained(truth.rows()["datagrams", ""], sent + 1, sent, "truth", 1, NOT_SENT)

    def test_messages_that_no_program_could_record(self):
        """Without the last receive, and without the result that says that all was recorded."""
        truth = Changed("rdmagen-cm-pingpong")
        receives = truth.of("completion", side="server", opcode="RECV")
        truth.lines.remove(receives[-1])
        row = truth.rows()["receives", ""]
        self.assertEqual((row["differing"], row["explained"]), (1, []))
        truth.lines.remove(*truth.of("result", side="server"))
        row = truth.rows()["receives", ""]
        self.assert_explained(row, row["capture"] - 1, row["capture"], "capture", 1, "after the last receive that was recorded")

    def test_completions_that_no_program_could_record(self):
        truth = Changed("rdmagen-cm-bulk")
        last = truth.of("completion", side="client", opcode="RDMA_WRITE")[-1]
        truth.lines.remove(last)
        result = truth.verify()
        self.assertEqual(rows(result)["outcomes", ""]["differing"], 1)
        self.assertRegex(result["differences"][0]["what"],
                         "is signaled and has no completion, and message .* is completed$")
        truth.lines.remove(*truth.of("result", side="client"))
        row = truth.rows()["outcomes", ""]
        self.assert_explained(row, row["capture"] - 1, row["capture"], "capture", 1, "^the truth has no completion")

    def test_completions_of_work_requests_that_ask_for_none(self):
        truth = Changed("rdmagen-cm-bulk")
        posts = [post for post in truth.of("post", side="client") if post["opcode"] == "RDMA_WRITE"]
        truth.lines.remove(*truth.of("completion", side="client", wr_id=posts[0]["wr_id"]))
        self.assertEqual(truth.rows()["outcomes", ""]["differing"], 1)
        posts[0]["signaled"] = False
        row = truth.rows()["outcomes", ""]
        self.assert_explained(row, row["capture"] - 1, row["capture"], "capture", 1, "^not signaled")

    def test_memory_that_no_program_recorded_as_used(self):
        truth = Changed("rdmagen-cm-bulk")
        ends = [line for line in truth.of("completion", side="client") if line["opcode"] == "RDMA_WRITE"]
        truth.lines = [line for line in truth.lines if line not in ends]
        self.assert_explained(truth.rows()["regions", ""], 0, 1, "capture", 1, "ended before it recorded")
        truth.lines += [dict(line, status="REM_ACCESS_ERR") for line in ends]
        row = truth.rows()["regions", ""]
        self.assertEqual((row["truth"], row["capture"], row["differing"], row["explained"]), (0, 1, 1, []))

    def test_messages_of_uc_that_nobody_received(self):
        truth = Changed("rdmagen_transport-cm-uc")
        receives = truth.of("completion", side="server", opcode="RECV")
        truth.lines.remove(receives[2])
        row = truth.rows()["receives", ""]
        self.assert_explained(row, row["capture"] - 1, row["capture"], "capture", 1,
                              "^messages without a receive: UC does not send again")
        receives[4]["bytes"] += 1
        self.assertEqual(truth.rows()["receives", ""]["differing"], 1)

    def test_outcomes_that_one_direction_does_not_show(self):
        name = "rdmagen-cm-write-imm"
        with tempfile.TemporaryDirectory() as folder:
            part = pathlib.Path(folder) / "part.pcapng"
            subprocess.run(["tshark", "-n", "-r", CAPTURES / f"{name}.pcapng", "-Y", "ip.src == 192.168.2.25", "-w", part],
                           check=True, capture_output=True)
            row = rows(run(part, CAPTURES / f"{name}.ndjson"))["outcomes", ""]
        self.assertGreater(row["truth"], 0)
        self.assertIn({"part_of": "truth", "count": row["truth"] - row["differing"],
                       "why": "only the direction of their requests was captured"}, row["explained"])

    def test_counters_that_fell(self):
        truth = Changed("fault-rnr")
        before, = truth.of("counters", on="client", when="before")
        before["hw_counters"]["rcvd_rnr_err"] = 1000
        result = truth.verify()
        self.assertNotIn(("counters", "rcvd_rnr_err of the client"), rows(result))
        self.assertIn("1 counters of the client have no reading before, or a higher one", " ".join(result["notes"]))

    def test_no_more_than_the_reason_can_explain(self):
        """One duplicate more than there are copies, one NAK fewer than rxe leaves out: each differs by one."""
        for name, counter, on, change, said in (
                ("impaired_out-duplicate_heavy", "duplicate_request", "server", 1, "duplicate_request of the server grew by 19, by the"),
                ("impaired_out-loss_heavy", "rcvd_seq_err", "client", -1, "rcvd_seq_err of the client grew by 7, by the capture it is 9")):
            with self.subTest(name):
                truth = Changed(name)
                after, = truth.of("counters", on=on, when="after")
                after["hw_counters"][counter] += change
                result = truth.verify()
                self.assertFalse(result["agrees"])
                self.assertEqual(rows(result)["counters", f"{counter} of the {on}"]["differing"], 1)
                self.assertEqual(len(result["differences"]), 1)
                self.assertRegex(result["differences"][0]["what"], said)

    def test_has_rows_of_its_own_in_the_text(self):
        capture = CAPTURES / "impaired_out-loss_heavy.pcapng"
        text = subprocess.run([PROGRAM, "verify", capture], capture_output=True, text=True, check=True).stdout
        self.assertRegex(text, r"(?m)^  fact +in the truth  in the capture  agree  explained  differing  why$")
        self.assertRegex(text, r"(?m)^  RoCE packets: sent +193 +169 +169 +0\n"
                               r"    only in the truth +24 +lost before the capture point: the devices received 169$")


if __name__ == "__main__":
    unittest.main()
