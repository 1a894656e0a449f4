#!/usr/bin/env python3
"""Compares connections, handshakes and states of queue pairs with the lab's truth, and with what tshark reads of the messages."""
import collections
import ipaddress
import json
import re
import shutil
import unittest

import many_captures
import truth_test

SCENARIOS = truth_test.SCENARIOS

# How the programs of each scenario connect their queue pairs, by the beginning of its name; the longest one counts.
METHODS = {
    "": "oob",
    "atomic_write-cm": "cm",
    "atomic_write-exchange": "exchange",
    "dead_service": "cm",
    "fault": "cm",
    "flush-cm": "cm",
    "flush-exchange": "exchange",
    "ipv6": "cm",
    "ipv6_lost": "oob",
    "iser": "cm",
    "killed": "cm",
    "libfabric": "cm",
    "link_away": "exchange",
    "mpi": "psn",
    "nfs": "cm",
    "nvme": "cm",
    "perftest_cm": "cm",
    "psn_wrap": "exchange",
    "rdmagen-cm": "cm",
    "rdmagen-exchange": "exchange",
    "rdmagen_several-cm": "cm",
    "rdmagen_several-exchange": "exchange",
    "rdmagen_transport-cm": "cm",
    "rdmagen_transport-exchange": "exchange",
    "rds": "cm",
    "rnbd": "cm",
    "rping": "cm",
    "rsockets": "cm",
    "smb": "cm",
    "srp": "cm",
    "ucmatose": "cm",
    "ucx": "psn",
    "udaddy": "cm",
    "vlan": "cm",
}


# Queue pairs whose error is not reported: all retries were lost before the capture.
ERROR_NOT_REPORTED = {"link_away-client-exhausted"}


def method_of(scenario) -> str:
    return METHODS[max((name for name in METHODS if scenario.name.startswith(name)), key=len)]


def plain(address: str) -> str:
    """An address as the report writes it: IPv4-mapped ones as IPv4."""
    parsed = ipaddress.ip_address(address)
    return str(parsed.ipv4_mapped or parsed) if parsed.version == 6 else str(parsed)


def truth_connections(scenario) -> dict:
    """By the queue pairs of client and server: the attributes that took the devices to RTS."""
    datagrams = {(fact["side"], fact["qpn"]) for fact in scenario.of("qp") if fact["type"] == "UD"}
    ends = {(fact["side"], fact["qpn"]): fact for fact in scenario.of("qp_state")
            if fact["state"] == "RTS" and (fact["side"], fact["qpn"]) not in datagrams}
    return {(qpn, fact["dest_qpn"]): (fact, ends["server", fact["dest_qpn"]])
            for (side, qpn), fact in ends.items() if side == "client"}


def of_qps(connections: list[dict], client: int, server: int) -> list[dict]:
    return [connection for connection in connections
            if [side.get("qpn") for side in connection["sides"]] == [client, server]]


def is_subsequence(short: list, long: list) -> bool:
    rest = iter(long)
    return all(item in rest for item in short)


class Connections(unittest.TestCase):
    def test_are_paired_by_the_strongest_evidence_there_is(self):
        self.assertGreater(len(SCENARIOS), 40)
        for scenario in SCENARIOS:
            methods = {connection["paired_by"] for connection in scenario.connections}
            self.assertLessEqual(methods, {method_of(scenario)}, scenario.name)

    def test_each_of_the_truth_is_one(self):
        tried = 0
        for scenario in SCENARIOS:
            expected = truth_connections(scenario)
            if not scenario.of("qp"):
                continue
            self.assertEqual(len(scenario.connections), len(expected), scenario.name)
            for (client, server), (at_client, at_server) in expected.items():
                found = of_qps(scenario.connections, client, server)
                self.assertEqual(len(found), 1, scenario.name)
                addresses = [side["address"] for side in found[0]["sides"]]
                self.assertEqual(addresses, [plain(at_server["dgid"]), plain(at_client["dgid"])], scenario.name)
                self.assertEqual(found[0]["path_mtu"], at_client["path_mtu"], scenario.name)
                handshake = scenario.report["handshakes"][found[0]["handshake"] - 1]
                self.assertEqual(handshake["connection"], found[0]["number"])
                self.assertEqual(handshake["outcome"], "established")
                psns = [side["first_psn"] for side in handshake["sides"]]
                self.assertEqual(psns, [at_client["sq_psn"], at_server["sq_psn"]], scenario.name)
                self.assertEqual(psns, [at_server["rq_psn"], at_client["rq_psn"]], scenario.name)
                if found[0]["transport"] == "RC":
                    self.assertEqual(handshake["retry_count"], at_client["retry_cnt"], scenario.name)
                    asked = [side["rnr_retry_count"] for side in handshake["sides"]]
                    self.assertEqual(asked, [at_server["rnr_retry"], at_client["rnr_retry"]], scenario.name)
                tried += 1
        self.assertGreater(tried, 30)

    def test_states_come_in_the_order_of_the_devices(self):
        tried = 0
        for scenario in SCENARIOS:
            killed = {fact["side"] for fact in scenario.of("kill")}
            for client, server in truth_connections(scenario):
                connection = of_qps(scenario.connections, client, server)[0]
                for name, qpn, side in zip(("client", "server"), (client, server), connection["sides"]):
                    went = [state for fact in scenario.of("qp_state") if (fact["side"], fact["qpn"]) == (name, qpn)
                            for state in (*fact.get("via", []), fact["state"])]
                    reported = [entry["state"] for entry in side["states"]]
                    self.assertIn("RTS", reported, scenario.name)
                    if "ERR" in went:
                        self.assertEqual("ERR" in reported, scenario.name not in ERROR_NOT_REPORTED, scenario.name)
                    # A killed side records nothing more; the wire shows the end of a queue pair as RESET.
                    ends = {"RESET", "ERR"} if name in killed else {"RESET"}
                    self.assertTrue(is_subsequence([state for state in reported if state not in ends], went),
                                    (scenario.name, name, reported, went))
                    packets = [entry["packet"] for entry in side["states"]]
                    self.assertEqual(packets, sorted(packets), scenario.name)
                    tried += 1
        self.assertGreater(tried, 60)

    def test_a_device_in_error_is_reported_before_the_connection_is_closed(self):
        tried = 0
        for scenario in SCENARIOS:
            if scenario.of("kill"):
                continue
            failed = {(fact["side"], fact["qpn"]) for fact in scenario.of("qp_state")
                      if (fact["state"], fact["by"]) == ("ERR", "device")}
            for client, server in truth_connections(scenario):
                connection = of_qps(scenario.connections, client, server)[0]
                handshake = scenario.report["handshakes"][connection["handshake"] - 1]
                closed = [step["packet"] for step in handshake["messages"] if step["message"] == "DREQ"]
                if handshake["kind"] == "exchange" and not closed:
                    continue  # it has no DREQ
                for end, side in zip((("client", client), ("server", server)), connection["sides"]):
                    if end not in failed:
                        continue
                    error = [entry for entry in side["states"] if entry["state"] == "ERR"][0]
                    self.assertLess(error["packet"], closed[0], scenario.name)
                    tried += 1
        self.assertGreater(tried, 5)


class Handshakes(unittest.TestCase):
    def test_each_cm_event_of_the_truth_is_there(self):
        tried = 0
        for scenario in SCENARIOS:
            events = collections.Counter((fact["side"], fact["type"]) for fact in scenario.of("cm_event"))
            if not events or any(fact["type"] == "UD" for fact in scenario.of("qp")) and method_of(scenario) == "cm":
                continue
            outcomes = collections.Counter(handshake["outcome"] for handshake in scenario.report["handshakes"])
            self.assertEqual(outcomes["established"], events["client", "ESTABLISHED"], scenario.name)
            self.assertEqual(outcomes["rejected"], events["client", "REJECTED"], scenario.name)
            self.assertEqual(sum(outcomes.values()), outcomes["established"] + outcomes["rejected"], scenario.name)
            closed = [handshake for handshake in scenario.report["handshakes"]
                      if any(step["message"] == "DREQ" for step in handshake["messages"])]
            self.assertEqual(len(closed), max(events["client", "DISCONNECTED"], events["server", "DISCONNECTED"]), scenario.name)
            tried += 1
        self.assertGreater(tried, 15)

    def test_rejections_name_the_reason_that_the_client_was_given(self):
        reasons = {}
        for scenario in SCENARIOS:
            if scenario.of("trace"):  # a driver of the kernel was the client: no trace has what the CM returned to it
                continue
            given = [fact["status"] for fact in scenario.of("cm_event") if fact["type"] == "REJECTED"]
            found = [handshake["reject"] for handshake in scenario.report["handshakes"] if "reject" in handshake]
            self.assertEqual([reject["reason"] for reject in found], given, scenario.name)
            reasons.update({scenario.name: reject["reason_name"] for reject in found})
        self.assertEqual(reasons, {"dead_service": "invalid service ID", "fault-reject": "consumer reject"})

    def test_ports_and_private_data_are_those_that_the_server_was_given(self):
        tried = 0
        for scenario in SCENARIOS:
            requests = {fact["peer_port"]: fact for fact in scenario.of("cm_event") if fact["type"] == "CONNECT_REQUEST"}
            for handshake in scenario.report["handshakes"]:
                if handshake.get("ip_source_port") not in requests:
                    continue
                fact = requests[handshake["ip_source_port"]]
                self.assertEqual(handshake["ip_source"], plain(fact["peer_address"]), scenario.name)
                self.assertEqual(handshake["ip_destination"], plain(fact["local_address"]), scenario.name)
                self.assertEqual(handshake["ip_destination_port"], fact["local_port"], scenario.name)
                given = bytes.fromhex(fact["private_data"]).rstrip(b"\0")
                found = bytes.fromhex(handshake["sides"][0].get("private_data", ""))
                self.assertEqual(found, given, scenario.name)
                tried += 1
        self.assertGreater(tried, 15)

    def test_regions_in_private_data_are_those_that_were_registered(self):
        """rdmagen's private data announce a region on each side; one that a WRITE or READ used is known."""
        found = collections.Counter()
        for scenario in SCENARIOS:
            registered = {(fact["side"], fact["rkey"]): fact for fact in scenario.of("mr")}
            for handshake in scenario.report["handshakes"]:
                for name, side in zip(("client", "server"), handshake["sides"]):
                    region = side.get("region")
                    if region is None or not registered:
                        continue
                    fact = registered[name, region["r_key"]]
                    self.assertEqual(int(region["address"], 16), fact["address"], scenario.name)
                    self.assertLessEqual(region.get("length", 0), fact["length"], scenario.name)
                    found[handshake["kind"]] += 1
                    if handshake["kind"] == "cm":
                        self.assertEqual(region["byte_order"], "big", scenario.name)
        self.assertGreater(found["cm"], 10)
        self.assertGreater(found["exchange"], 10)


def tshark(display_filter: str, fields: list[str]) -> dict[str, list[list[str]]]:
    """By scenario."""
    captures = [truth_test.CAPTURES / f"{scenario.name}.pcapng" for scenario in SCENARIOS]
    return {path.stem: rows for path, rows in many_captures.rows(captures, display_filter, fields).items()}


@unittest.skipUnless(shutil.which("tshark"), "tshark is missing")
class Witness(unittest.TestCase):
    def test_parameters_are_those_that_tshark_reads(self):
        req = "infiniband.cm.req"
        rep = "infiniband.cm.rep"
        names = ["localqpn", "startpsn", "retrcount", "rnrretrcount", "pkey"]
        fields = ["frame.number", f"{rep}.localqpn", f"{rep}.startpsn"] + [f"{req}.{name}" for name in names]
        seen = tshark(f"{req} || {rep}", fields)
        tried = 0
        for scenario in SCENARIOS:
            steps = [(step, handshake) for handshake in scenario.report["handshakes"] if handshake["kind"] == "cm"
                     for step in handshake["messages"]]
            handshakes = {packet: handshake for step, handshake in steps if step["message"] == "REQ"
                          for packet in (step["packet"], step.get("last_packet"))}  # it may be sent twice
            replies = {step["packet"]: handshake for step, handshake in steps if step["message"] == "REP"}
            for frame, qpn, psn, *values in seen[scenario.name]:
                if qpn:
                    active, passive = replies[int(frame)]["sides"]
                    self.assertEqual([passive["qpn"], active["first_psn"]], [int(qpn, 0), int(psn, 0)], scenario.name)
                    continue
                handshake = handshakes[int(frame)]
                active, passive = handshake["sides"]
                ours = [active["qpn"], passive["first_psn"], handshake["retry_count"], active["rnr_retry_count"], handshake["p_key"]]
                self.assertEqual(ours, [int(value, 0) for value in values], scenario.name)
                tried += 1
        self.assertGreater(tried, 30)

    def test_lines_over_tcp_are_those_at_the_same_place_of_both_streams(self):
        line = re.compile(rb"[0-9a-f]{4}:(?:[0-9a-f]{4}:)?([0-9a-f]{6}):([0-9a-f]{6}):[0-9a-f:]+\0")
        seen = tshark("tcp.len > 0", ["tcp.stream", "tcp.srcport", "tcp.dstport", "tcp.seq", "tcp.payload"])
        tried = 0
        for scenario in SCENARIOS:
            if method_of(scenario) != "oob":
                continue
            given = collections.defaultdict(dict)
            for stream, source, destination, sequence, payload in seen[scenario.name]:
                data = bytes.fromhex(payload)
                at = 0
                while found := line.match(data, at):
                    qp = tuple(int(number, 16) for number in found.groups())
                    client = int(source) > int(destination)  # servers listen below the ephemeral ports
                    if qp[0] != 0:
                        given[stream, int(sequence) + at][client] = qp
                    at = found.end()
            expected = {(both[True], both[False]) for both in given.values() if len(both) == 2}
            ours = [tuple((side["qpn"], side["first_psn"]) for side in handshake["sides"])
                    for handshake in scenario.report["handshakes"] if handshake["kind"] == "oob"]
            self.assertEqual(len(ours), len(set(ours)), scenario.name)
            self.assertEqual(set(ours), expected, scenario.name)
            tried += len(ours)
        self.assertGreater(tried, 30)


if __name__ == "__main__":
    unittest.main()
