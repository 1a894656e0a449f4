#!/usr/bin/env python3
"""`rocescope verify` on the lab's captures: all agree with their truth; a truth that was falsified is noticed.

Each truth beside a capture (captures/NAME.ndjson) says what rdmagen did and what the devices counted.
"""
import re
import unittest

from falsified import CAPTURES, Falsified, facts, verify

# The WRITEs that ended the queue pair were lost before the capture, with all that repeated them: 4, of which all but one were flushed,
# as if never sent.
NEVER_SEEN = {"link_away-client-exhausted": 4}


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
        found = [difference for difference in result["differences"] if difference["fact"] == fact]
        self.assertEqual(len(found), 1, result["differences"])
        self.assertRegex(found[0]["what"], sentence)
        return found[0]

    def test_a_changed_key(self):
        truth = Falsified("rdmagen-cm-bulk")
        post = truth.messages("client", 17)[1]
        was, post["rkey"] = post["rkey"], 0xbad
        result = truth.verify()
        found = self.assert_said(result, "messages", f"^client QP 0x000011: work request {post['wr_id']} .*: "
                                f"rkey 0xbad was posted, {was:#x} is on the wire$")
        self.assertEqual(truth.facts.index(post) + 1, int(found["truth"].rpartition(":")[2]))
        self.assertRegex(found["what"], f"in packet {found['packet']} ")
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
                found = self.assert_said(truth.verify(), "outcomes", f"ended with {now}, and message .* is {there}$")
                self.assertEqual(truth.facts.index(completion) + 1, int(found["truth"].rpartition(":")[2]))

    def test_a_refused_request_that_succeeded(self):
        truth = Falsified("rdmagen-cm-bulk")
        completion = truth.of("completion", side="client", opcode="RDMA_WRITE")[0]
        completion["status"] = "REM_ACCESS_ERR"
        self.assert_said(truth.verify(), "outcomes", "ended with REM_ACCESS_ERR, and message .* is completed$")

    def test_a_receive_of_other_bytes(self):
        truth = Falsified("rdmagen-cm-pingpong")
        receive = truth.of("completion", side="server", opcode="RECV")[3]
        receive["bytes"] += 1
        found = self.assert_said(truth.verify(), "receives", f"^server QP 0x000011: a receive ended as RECV with {receive['bytes']} "
                                f"bytes, and message [0-9]+ in packet [0-9]+ .SEND, {receive['bytes'] - 1} bytes. is what arrived$")
        self.assertEqual(truth.facts.index(receive) + 1, int(found["truth"].rpartition(":")[2]))

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
        found = self.assert_said(truth.verify(), "datagrams", "^client QP 0x000011 to QP 0x000011: 10 messages of")
        self.assertRegex(found["what"], "were posted, 10 messages of")

    def test_cm_events(self):
        truth = Falsified("fault-reject")
        event, = truth.of("cm_event", type="REJECTED")
        event["status"] = 8
        result = truth.verify()
        found = [difference["what"] for difference in result["differences"] if difference["fact"] == "cm_rejects"]
        self.assertEqual(found, ["1 requests were rejected with reason 8, 0 REJ messages with this reason are in the capture",
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
        found = sorted(difference["what"] for difference in result["differences"] if difference["fact"] == "counters")
        self.assertEqual(found, ["rcvd_pkts of the server grew by 10, by the capture it is 7",
                                "sent_pkts of the client grew by 10, by the capture it is 7"])

    def test_a_state_too_few(self):
        truth = Falsified("rdmagen-cm-bulk")
        for state in truth.of("qp_state", side="client", state="ERR"):
            truth.remove(state)
        found = self.assert_said(truth.verify(), "states", "^client QP 0x000011: the capture shows that it was in ERR, the truth does not$")
        self.assertEqual((found["packet"], found["connection"]), (207, 1))  # the DREQ, as tshark shows it

    def test_a_state_too_many(self):
        truth = Falsified("rdmagen-exchange-bulk")
        ready, = truth.of("qp_state", side="client", qpn=18, state="RTS")
        truth.facts.append(dict(ready, state="ERR", by="device", time_ns=ready["time_ns"] + 10**9))
        found = self.assert_said(truth.verify(), "states", "^client QP 0x000012: it was in ERR, and the capture does not show it$")
        self.assertEqual(found["truth"].rpartition(":")[2], str(len(truth.facts)))

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


if __name__ == "__main__":
    unittest.main()
