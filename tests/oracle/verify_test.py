#!/usr/bin/env python3
"""`rocescope verify` on the lab's captures: all agree with their truth; a truth that was falsified is noticed.

Each truth beside a capture (captures/NAME.ndjson) says what rdmagen did and what the devices counted.
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

PROGRAM = sys.argv.pop(1)
CAPTURES = pathlib.Path(__file__).resolve().parents[2] / "captures"
DONE, DIFFERS, ERROR = 0, 1, 2


def run(*arguments) -> subprocess.CompletedProcess:
    return subprocess.run([PROGRAM, "verify", *arguments], capture_output=True, text=True, timeout=60)


# The WRITEs that ended the queue pair were lost before the capture, with all that repeated them: 4, of which all but one were flushed,
# as if never sent.
NEVER_SEEN = {"link_away-client-exhausted": 4}


def verify(capture: pathlib.Path, *arguments) -> dict:
    done = run("--json", *arguments, capture)
    result = json.loads(done.stdout)
    assert done.returncode == (DONE if result["agrees"] else DIFFERS), (done.returncode, done.stderr)
    return result


def facts(result: dict) -> dict[str, dict]:
    return {" ".join([fact["fact"], fact.get("detail", "")]).strip(): fact for fact in result["facts"]}


class Falsified:
    """The truth of a kept capture, to be changed, and the result of `verify`."""

    def __init__(self, name: str):
        self.capture = CAPTURES / f"{name}.pcapng"
        self.facts = [json.loads(line) for line in (CAPTURES / f"{name}.ndjson").read_text().splitlines()]

    def of(self, event: str, **fields) -> list[dict]:
        return [fact for fact in self.facts if fact["event"] == event
                and all(fact.get(key) == value for key, value in fields.items())]

    def messages(self, side: str, qpn: int) -> list[dict]:
        return [post for post in self.of("post", side=side, qpn=qpn) if post["opcode"] not in ("RECV", "BIND_MW")]

    def remove(self, fact: dict) -> None:
        self.facts = [each for each in self.facts if each is not fact]

    def verify(self) -> dict:
        with tempfile.TemporaryDirectory() as folder:
            truth = pathlib.Path(folder) / "false.ndjson"
            truth.write_text("".join(json.dumps(fact) + "\n" for fact in self.facts))
            return verify(self.capture, "--truth", truth)


class KeptCaptures(unittest.TestCase):
    def test_agree_with_their_truth(self):
        tried = sorted(CAPTURES.glob("*.ndjson"))
        self.assertGreater(len(tried), 50)
        for truth in tried:
            with self.subTest(truth.stem):
                result = verify(truth.with_suffix(".pcapng"))
                self.assertEqual(result["differences"], [])
                self.assertTrue(result["agrees"])
                self.assertEqual(result["capture_lost"], 0)

    def test_are_compared_in_all_that_the_truth_has(self):
        """Counted here, from the truth alone, so that nothing is passed over in silence."""
        operations = {"SEND": "SEND", "SEND_WITH_IMM": "SEND", "SEND_WITH_INV": "SEND", "RDMA_WRITE": "RDMA WRITE",
                      "RDMA_WRITE_WITH_IMM": "RDMA WRITE", "RDMA_READ": "RDMA READ Request", "ATOMIC_CMP_AND_SWP": "CmpSwap",
                      "ATOMIC_FETCH_AND_ADD": "FetchAdd", "ATOMIC_WRITE": "ATOMIC WRITE", "FLUSH": "FLUSH"}
        for path in sorted(CAPTURES.glob("*.ndjson")):
            with self.subTest(path.stem):
                truth = Falsified(path.stem)
                types = {(fact["side"], fact["qpn"]): fact["type"] for fact in truth.of("qp")}
                wanted: dict[str, int] = {}
                for post in truth.of("post"):
                    if post["opcode"] not in operations:
                        continue
                    datagram = types[post["side"], post["qpn"]] == "UD"
                    row = "datagrams" if datagram else "messages " + operations[post["opcode"]]
                    wanted[row] = wanted.get(row, 0) + 1
                if path.stem in NEVER_SEEN:
                    wanted["messages RDMA WRITE"] -= NEVER_SEEN[path.stem]
                compared = {name: fact["agree"] for name, fact in facts(verify(path.with_suffix(".pcapng"))).items()
                            if name.startswith(("messages", "datagrams"))}
                self.assertEqual(compared, wanted)

    def test_that_only_logs_and_counters_tell_of_say_what_was_not_compared(self):
        result = verify(CAPTURES / "nvme.pcapng")
        self.assertEqual(facts(result)["packets sent"]["agree"], 377)
        self.assertIn("has no queue pairs and no work requests", " ".join(result["notes"]))


class FalseTruth(unittest.TestCase):
    def assert_said(self, result: dict, fact: str, sentence: str) -> dict:
        """The sentence of the only difference of this fact matches."""
        self.assertFalse(result["agrees"])
        told = [difference for difference in result["differences"] if difference["fact"] == fact]
        self.assertEqual(len(told), 1, result["differences"])
        self.assertRegex(told[0]["what"], sentence)
        return told[0]

    def test_a_changed_key(self):
        truth = Falsified("rdmagen-cm-bulk")
        post = truth.messages("client", 17)[1]
        was, post["rkey"] = post["rkey"], 0xbad
        result = truth.verify()
        told = self.assert_said(result, "messages", f"^client QP 0x000011: work request {post['wr_id']} .*: "
                                f"rkey 0xbad was posted, {was:#x} is on the wire$")
        self.assertEqual(truth.facts.index(post) + 1, int(told["truth"].rpartition(":")[2]))
        self.assertRegex(told["what"], f"in packet {told['packet']} ")
        self.assert_said(result, "keys", "^rkey 0xbad was posted, and no packet names it$")
        rows = facts(result)
        self.assertEqual(rows["messages RDMA WRITE"]["differing"], 1)
        self.assertEqual(rows["messages RDMA WRITE"]["agree"], rows["messages RDMA WRITE"]["truth"] - 1)

    def test_a_missing_post(self):
        truth = Falsified("rdmagen-cm-mixed")
        posts = truth.messages("client", 17)
        gone, following = posts[9:11]
        truth.remove(gone)
        result = truth.verify()
        self.assert_said(result, "messages", "^client QP 0x000011: message [0-9]+ in packet [0-9]+ .* was not posted; "
                         f"work request {following['wr_id']} .* comes next$")

    def test_a_post_too_many(self):
        truth = Falsified("rdmagen-cm-mixed")
        post = truth.messages("client", 17)[9]
        truth.facts.insert(truth.facts.index(post), dict(post, wr_id=4711, bytes=post["bytes"] + 1))
        result = truth.verify()
        self.assert_said(result, "messages", "^client QP 0x000011: work request 4711 .* has no message; message .* comes next$")

    def test_a_wrong_byte_count(self):
        truth = Falsified("rdmagen-exchange-mpi")
        post = truth.messages("client", 18)[0]
        post["bytes"] -= 1
        result = truth.verify()
        self.assert_said(result, "messages", f"bytes: {post['bytes']} was posted, {post['bytes'] + 1} is on the wire")
        self.assertGreater(facts(result)["bytes"]["differing"], 0)

    def test_another_address(self):
        truth = Falsified("rdmagen-cm-bulk")
        post = truth.messages("client", 17)[0]
        post["remote_address"] += 8
        self.assert_said(truth.verify(), "messages", f"remote address {post['remote_address']:#x} was posted")

    def test_another_immediate(self):
        truth = Falsified("rdmagen-cm-write-imm")
        post = next(post for post in truth.messages("client", 17) if "immediate" in post)
        post["immediate"] ^= 1
        self.assert_said(truth.verify(), "messages", f"immediate {post['immediate']:#x} was posted")

    def test_another_opcode(self):
        truth = Falsified("rdmagen-cm-write-read")
        post = next(post for post in truth.messages("client", 17) if post["opcode"] == "RDMA_READ")
        post["opcode"] = "RDMA_WRITE"
        result = truth.verify()
        self.assert_said(result, "messages", "opcode RDMA_WRITE was posted, RDMA READ Request is on the wire")
        for row in "messages RDMA WRITE", "messages RDMA READ Request":
            self.assertEqual(facts(result)[row]["differing"], 1)

    def test_an_invalidation_less(self):
        truth = Falsified("rdmagen-cm-mixed")
        post = next(post for post in truth.of("post") if post["opcode"] == "SEND_WITH_INV")
        was = post.pop("invalidate_rkey")
        self.assert_said(truth.verify(), "messages", f"invalidated rkey none was posted, {was:#x} is on the wire")

    def test_another_status(self):
        for name, was, now, there in [
                ("fault-wrong-rkey", "REM_ACCESS_ERR", "SUCCESS", r"refused \(remote access error\)"),
                ("fault-wrong-rkey", "REM_ACCESS_ERR", "REM_OP_ERR", r"refused \(remote access error\)"),
                ("fault-rnr", "RNR_RETRY_EXC_ERR", "SUCCESS", "outstanding")]:
            with self.subTest(f"{name}: {now}"):
                truth = Falsified(name)
                completion, = truth.of("completion", status=was)
                completion["status"] = now
                told = self.assert_said(truth.verify(), "outcomes", f"ended with {now}, and message .* is {there}$")
                self.assertEqual(truth.facts.index(completion) + 1, int(told["truth"].rpartition(":")[2]))

    def test_a_refused_request_that_succeeded(self):
        truth = Falsified("rdmagen-cm-bulk")
        completion = truth.of("completion", side="client", opcode="RDMA_WRITE")[0]
        completion["status"] = "REM_ACCESS_ERR"
        self.assert_said(truth.verify(), "outcomes", "ended with REM_ACCESS_ERR, and message .* is completed$")

    def test_a_receive_of_other_bytes(self):
        truth = Falsified("rdmagen-cm-pingpong")
        receive = truth.of("completion", side="server", opcode="RECV")[3]
        receive["bytes"] += 1
        told = self.assert_said(truth.verify(), "receives", f"^server QP 0x000011: a receive ended as RECV with {receive['bytes']} "
                                f"bytes, and message [0-9]+ in packet [0-9]+ .SEND, {receive['bytes'] - 1} bytes. is what arrived$")
        self.assertEqual(truth.facts.index(receive) + 1, int(told["truth"].rpartition(":")[2]))

    def test_a_receive_of_nothing(self):
        truth = Falsified("rdmagen-cm-pingpong")
        receive = truth.of("completion", side="server", opcode="RECV")[-1]
        truth.facts.append(dict(receive, wr_id=receive["wr_id"] + 1, time_ns=receive["time_ns"] + 1))
        self.assert_said(truth.verify(), "receives", "and no message arrived$")

    def test_a_smaller_region(self):
        truth = Falsified("rdmagen-cm-bulk")
        region = next(region for region in truth.of("mr", side="server") if "REMOTE_WRITE" in region["access"])
        region["length"] = 100
        self.assert_said(truth.verify(), "regions", "was carried out, and the server registered 100 bytes at "
                         f"{region['address']:#x} under this rkey$")

    def test_no_region(self):
        truth = Falsified("rdmagen-cm-bulk")
        for region in truth.of("mr", side="server"):
            region["rkey"] ^= 0x100000
        self.assert_said(truth.verify(), "regions", "the server registered no memory under this rkey$")

    def test_another_queue_pair(self):
        truth = Falsified("rdmagen-cm-bulk")
        for fact in truth.facts:
            if fact["side"] == "client" and fact.get("qpn") == 17:
                fact["qpn"] = 99
        result = truth.verify()
        sentences = [difference["what"] for difference in result["differences"] if difference["fact"] == "queue_pairs"]
        self.assertTrue(any(re.match("client QP 0x000063 is not in the capture, though it posted", each) for each in sentences))
        self.assertTrue(any(re.match("192.168.2.25 QP 0x000011 is in the capture, and the truth has no", each)
                            for each in sentences))
        self.assertGreater(facts(result)["messages RDMA WRITE"]["differing"], 0)

    def test_another_psn_and_path_mtu(self):
        truth = Falsified("psn_wrap")
        state = next(state for state in truth.of("qp_state", side="client") if state.get("state") == "RTS" and "dest_qpn" in state)
        state["sq_psn"] += 1
        for each in truth.of("qp_state", side="client", qpn=state["qpn"]):
            if "path_mtu" in each:
                each["path_mtu"] = 4096
        result = truth.verify()
        self.assert_said(result, "starting_psns", f"the PSN of its first request is {state['sq_psn']} in the truth, "
                         f"{state['sq_psn'] - 1} in the capture$")
        self.assert_said(result, "path_mtus", "its path MTU is 4096 in the truth, 1024 in the capture$")

    def test_another_peer(self):
        truth = Falsified("rdmagen-cm-bulk")
        for state in truth.of("qp_state", side="client"):
            if "dgid" in state:
                state["dgid"] = "::ffff:192.168.2.77"
        self.assert_said(truth.verify(), "addresses", "192.168.2.77 in the truth, 192.168.2.24 in the capture$")

    def test_datagrams(self):
        truth = Falsified("rdmagen_transport-cm-ud")
        truth.messages("client", 17)[3]["bytes"] += 4
        told = self.assert_said(truth.verify(), "datagrams", "^client QP 0x000011 to QP 0x000011: 10 messages of")
        self.assertRegex(told["what"], "were posted, 10 messages of")

    def test_cm_events(self):
        truth = Falsified("fault-reject")
        event, = truth.of("cm_event", type="REJECTED")
        event["status"] = 8
        result = truth.verify()
        told = [difference["what"] for difference in result["differences"] if difference["fact"] == "cm_rejects"]
        self.assertEqual(told, ["1 requests were rejected with reason 8, 0 REJ messages with this reason are in the capture",
                                "0 requests were rejected with reason 28, 1 REJ messages with this reason are in the capture"])

    def test_counters(self):
        truth = Falsified("fault-rnr")
        for counters in truth.of("counters", on="client", when="after"):
            counters["hw_counters"]["rcvd_rnr_err"] += 1
        self.assert_said(truth.verify(), "counters", "^rcvd_rnr_err of the client grew by 5, by the capture it is 4$")

    def test_every_counter_that_a_packet_shows(self):
        names = ("duplicate_request", "out_of_seq_request", "rcvd_rnr_err", "send_rnr_err", "rcvd_seq_err")
        for side in "server", "client":
            for name in names:
                with self.subTest(side=side, counter=name):
                    truth = Falsified("rdmagen-cm-mixed")
                    for counters in truth.of("counters", on=side, when="after"):
                        counters["hw_counters"][name] += 2
                    self.assert_said(truth.verify(), "counters", f"^{name} of the {side} grew by 2, by the capture it is 0$")

    def test_more_packets_than_there_were(self):
        truth = Falsified("fault-rnr")
        for on, name in ("client", "sent_pkts"), ("server", "rcvd_pkts"):
            for counters in truth.of("counters", on=on, when="after"):
                counters["hw_counters"][name] += 3
        result = truth.verify()
        told = sorted(difference["what"] for difference in result["differences"] if difference["fact"] == "counters")
        self.assertEqual(told, ["rcvd_pkts of the server grew by 10, by the capture it is 7",
                                "sent_pkts of the client grew by 10, by the capture it is 7"])

    def test_a_state_too_few(self):
        truth = Falsified("rdmagen-cm-bulk")
        for state in truth.of("qp_state", side="client", state="ERR"):
            truth.remove(state)
        told = self.assert_said(truth.verify(), "states", "^client QP 0x000011: the capture shows that it was in ERR, the truth does not$")
        self.assertEqual((told["packet"], told["connection"]), (207, 1))  # the DREQ, as tshark shows it

    def test_a_state_too_many(self):
        truth = Falsified("rdmagen-exchange-bulk")
        ready, = truth.of("qp_state", side="client", qpn=18, state="RTS")
        truth.facts.append(dict(ready, state="ERR", by="device", time_ns=ready["time_ns"] + 10**9))
        told = self.assert_said(truth.verify(), "states", "^client QP 0x000012: it was in ERR, and the capture does not show it$")
        self.assertEqual(told["truth"].rpartition(":")[2], str(len(truth.facts)))

    def test_states_in_another_order(self):
        truth = Falsified("rdmagen-cm-bulk")
        ready, = truth.of("qp_state", side="server", state="RTS")
        ready["state"], ready["via"] = "RTR", ["RTS"]
        self.assert_said(truth.verify(), "states", "^server QP 0x000011: the capture shows that it was in RTS, the truth does not$")

    def test_a_killed_program_cannot_tell_what_its_kernel_did(self):
        truth = Falsified("killed-server")
        self.assertTrue(truth.verify()["agrees"])
        truth.remove(truth.of("kill")[0])
        self.assert_said(truth.verify(), "states", "^server QP 0x000011: the capture shows that it was in ERR, the truth does not$")


class CommandLine(unittest.TestCase):
    def split(self, folder: pathlib.Path, name: str) -> list[pathlib.Path]:
        """A file for each side and for the lab, as they come from a run."""
        files = []
        for side in ("server", "client", "lab"):
            files.append(folder / f"{side}.ndjson")
            lines = [line for line in (CAPTURES / f"{name}.ndjson").read_text().splitlines() if json.loads(line)["side"] == side]
            files[-1].write_text("\n".join(lines))
        return files

    def test_takes_the_truth_of_each_side_from_its_own_file(self):
        name = "rdmagen-exchange-mixed"
        with tempfile.TemporaryDirectory() as folder:
            files = self.split(pathlib.Path(folder), name)
            apart = verify(CAPTURES / f"{name}.pcapng", *(word for file in files for word in ("--truth", file)))
        self.assertEqual(apart["facts"], verify(CAPTURES / f"{name}.pcapng")["facts"])

    def test_compares_what_one_side_tells(self):
        name = "rdmagen-cm-mixed"
        with tempfile.TemporaryDirectory() as folder:
            server, client, _ = self.split(pathlib.Path(folder), name)
            for file in server, client:
                result = verify(CAPTURES / f"{name}.pcapng", "--truth", file)
                count = len(Falsified(name).messages(file.stem, 17))
                self.assertEqual(result["differences"], [])
                self.assertEqual(facts(result)["queue_pairs"]["agree"], 1)
                self.assertEqual(facts(result)["outcomes"]["agree"], count)
                self.assertIn("whose truth is not given", " ".join(result["notes"]))

    def test_goes_on_behind_a_capture_of_a_run_that_cannot_be_read(self):
        name = "rdmagen-exchange-mixed"
        with tempfile.TemporaryDirectory() as folder:
            for file in self.split(pathlib.Path(folder), name):
                file.rename(file.with_suffix(".rdmagen.ndjson"))
            whole = (CAPTURES / f"{name}.pcapng").read_bytes()
            (pathlib.Path(folder) / "a.wire.pcapng").write_bytes(whole[:10])
            (pathlib.Path(folder) / "b.wire.pcapng").write_bytes(whole)
            done = run(folder)
        self.assertEqual(done.returncode, 2)
        self.assertIn("a.wire.pcapng", done.stderr)
        self.assertIn("queue pairs", done.stdout)

    def test_says_which_truth_it_found_beside_the_capture(self):
        done = run(CAPTURES / "rping.pcapng")
        self.assertEqual(done.returncode, DONE)
        self.assertEqual(done.stderr, "")
        self.assertRegex(done.stdout, r"^The capture agrees with the truth\n  The truth is .*/rping\.ndjson, found beside the capture\n")

    def test_wants_a_truth(self):
        done = run(CAPTURES / "lab_rping_write_ud_atomic.pcap")
        self.assertEqual(done.returncode, ERROR)
        self.assertRegex(done.stderr, "no truth given, and there is none beside the capture")

    def test_a_capture_that_is_not_there_is_told_before_its_truth(self):
        done = run("missing.pcapng")
        self.assertEqual(done.returncode, ERROR)
        self.assertEqual(done.stderr, "rocescope: cannot open missing.pcapng: No such file or directory\n")

    def test_shows_twenty_differences_and_all_of_them_with_v(self):
        truth = Falsified("rdmagen-cm-mixed")
        for post in truth.messages("client", 17)[:30]:
            post["bytes"] += 1
        with tempfile.TemporaryDirectory() as folder:
            false = pathlib.Path(folder) / "false.ndjson"
            false.write_text("".join(json.dumps(fact) + "\n" for fact in truth.facts))
            short = run("--truth", false, truth.capture)
            full = run("-v", "--truth", false, truth.capture)
        self.assertEqual(short.returncode, DIFFERS)
        self.assertEqual(short.stdout.count("look at: "), 20)
        self.assertRegex(short.stdout, r"\.\.\. and [0-9]+ more \(-v shows all\)")
        self.assertGreater(full.stdout.count("look at: "), 25)

    def test_says_that_differences_may_come_from_losses_of_the_capture(self):
        with tempfile.TemporaryDirectory() as folder:
            thin = pathlib.Path(folder) / "thin.pcapng"
            subprocess.run(["editcap", CAPTURES / "rdmagen-cm-bulk.pcapng", thin, "30-40"], check=True, capture_output=True)
            done = run("--truth", CAPTURES / "rdmagen-cm-bulk.ndjson", thin)
        self.assertEqual(done.returncode, DIFFERS)
        self.assertRegex(done.stdout, "The capture lacks [0-9]+ packets that were on the wire: differences may come from that")


if __name__ == "__main__":
    unittest.main()
