#!/usr/bin/env python3
"""Compares the counters that the NICs would have, as `rocescope analyze` makes them, with those that the lab's devices have.

They are equal, but for what no packet at the place of the capture shows; each such difference is derived here from another
witness, or named with its reason.
"""
import collections
import pathlib
import re
import subprocess
import tempfile
import unittest

import truth_test

# Of rxe (drivers/infiniband/sw/rxe/rxe_hw_counters.c), and ours.
NAMES = {
    "sent_pkts": "sent_pkts",
    "rcvd_pkts": "rcvd_pkts",
    "duplicate_request": "duplicate_request",
    "out_of_seq_request": "out_of_sequence",
    "rcvd_rnr_err": "rnr_nak_retry_err",
    "send_rnr_err": "send_rnr_err",
    "rcvd_seq_err": "packet_seq_err",
}

COPIES = "netem made 18 copies, which look like those of a mirror"
GONE = "rxe does not count packets for a queue pair that is gone"
BEHIND = "lost behind the capture and sent again after a timeout: here they seem to have arrived"
EXPLAINED = {
    ("impaired_in-loss_heavy", "server", "duplicate_request"): (-5, BEHIND),
    ("impaired_out-duplicate_heavy", "server", "duplicate_request"): (+18, COPIES),
    ("impaired_out-duplicate_heavy", "server", "rcvd_pkts"): (+18, COPIES),
    ("link_away-server-exhausted", "server", "duplicate_request"): (-48, BEHIND),
    ("link_away-server-recovered", "server", "duplicate_request"): (-32, BEHIND),
    ("killed-server", "server", "rcvd_pkts"): (-5, GONE),
    ("pingpong-srq", "client", "rcvd_pkts"): (-1, GONE),
    # An ACK comes 20 ms after the last message of the server, which may have left by then.
    ("rsockets", "server", "rcvd_pkts"): (-1, GONE),
}
# A NAK was lost before the capture point, as the requests show that called for it.
NAKS_LOST = {("ipv6_lost-write", "out_of_seq_request")}


def counted(scenario, machine) -> dict | None:
    readings = {fact["when"]: fact["hw_counters"] for fact in scenario.of("counters") if fact.get("on") == machine}
    return {name: readings["after"][name] - readings["before"][name] for name in NAMES} if len(readings) == 2 else None


def predicted(scenario) -> dict:
    """By machine."""
    machines = {fact["address"]: fact["name"] for fact in scenario.of("host")}
    return {machines[row["address"]]: row for row in scenario.report["nic_counters"] if row["address"] in machines}


def marked(scenario) -> int:
    return sum(row["np_ecn_marked_roce_packets"] for row in scenario.report["nic_counters"])


def peers_in(name) -> dict[int, int]:
    """By number of a queue pair that of its peer, where the CM says that these differ. No two connections of a capture share one then."""
    output = subprocess.run(
        ["tshark", "-n", "-r", truth_test.CAPTURES / f"{name}.pcapng", "-Y", "infiniband.cm.req.localqpn || infiniband.cm.rep.localqpn", "-T", "fields",
         "-e", "infiniband.cm.req", "-e", "infiniband.cm.req.localqpn", "-e", "infiniband.cm.rep.remotecommid", "-e", "infiniband.cm.rep.localqpn"],
        capture_output=True, check=True, text=True).stdout
    asked: dict = {}
    peers: dict = {}
    for line in output.splitlines():
        request, active, answered, passive = line.split("\t")
        if active:
            asked[int(request, 0)] = int(active, 0)
        elif int(answered, 0) in asked:
            pair = asked[int(answered, 0)], int(passive, 0)
            peers |= {pair[0]: pair[1], pair[1]: pair[0]} if pair[0] != pair[1] else {}
    return peers


def naks_with_news(name) -> collections.Counter:
    """NAKs for a PSN sequence error by their receiver, without those that acknowledge nothing: rxe_comp.c (check_ack) counts
    only the ones whose PSN is after the next that it waits for. Both queue pairs of a connection mostly have one number in the lab."""
    output = subprocess.run(
        ["tshark", "-n", "-r", truth_test.CAPTURES / f"{name}.pcapng", "-Y", "infiniband.bth.opcode < 0x20", "-T", "fields", "-e",
         "ip.src", "-e", "ip.dst", "-e", "ipv6.src", "-e", "ipv6.dst", "-e", "infiniband.bth.destqp", "-e", "infiniband.bth.opcode",
         "-e", "infiniband.bth.psn",
         "-e", "infiniband.aeth.syndrome.opcode", "-e", "infiniband.aeth.syndrome.error_code"],
        capture_output=True, check=True, text=True).stdout
    peers = peers_in(name)
    awaited: dict = {}
    news: collections.Counter = collections.Counter()
    for line in output.splitlines():
        *addresses, queue_pair, opcode, psn, syndrome, error = line.split("\t")
        number = int(queue_pair, 0)
        source, destination = zip((address for address in addresses if address), (peers.get(number, number), number))
        psn = int(psn)
        if int(opcode, 0) != 0x11:
            awaited.setdefault(source, psn)  # the first request
            continue
        covers = psn if syndrome in ("1", "3") else (psn + 1) % 2**24
        ahead = destination in awaited and 0 < (covers - awaited[destination]) % 2**24 < 2**23
        if syndrome == "3" and int(error, 0) == 0 and ahead:
            news[destination[0]] += 1
        if ahead:
            awaited[destination] = covers
    return news


def naks_due(name) -> collections.Counter:
    """NAKs for a PSN sequence error by the responder that must have sent them, of requests that each have one PSN: one for each hole
    behind the next PSN that it takes, until that comes (rxe_resp.c, check_psn: sent_psn_nak)."""
    output = subprocess.run(
        ["tshark", "-n", "-r", truth_test.CAPTURES / f"{name}.pcapng", "-Y", "infiniband.bth.opcode < 0x0c", "-T", "fields", "-e",
         "ip.dst", "-e", "ipv6.dst", "-e", "infiniband.bth.psn"], capture_output=True, check=True, text=True).stdout
    awaited: dict = {}
    asked: dict = {}
    due: collections.Counter = collections.Counter()
    for line in output.splitlines():
        *addresses, psn = line.split("\t")
        (destination,) = (address for address in addresses if address)
        ahead = (int(psn) - awaited.setdefault(destination, int(psn))) % 2**24
        if ahead == 0:
            awaited[destination] = (int(psn) + 1) % 2**24
            asked[destination] = False
        elif ahead < 2**23 and not asked.get(destination):
            asked[destination] = True
            due[destination] += 1
    return due


class Counters(unittest.TestCase):
    def test_are_those_of_the_devices(self):
        tried, explained = 0, set()
        for scenario in truth_test.SCENARIOS:
            machines = {fact["name"]: fact["address"] for fact in scenario.of("host")}
            for machine, row in predicted(scenario).items():
                device = counted(scenario, machine)
                if device is None:
                    continue
                for name, ours in NAMES.items():
                    expected = row[ours]
                    if name == "sent_pkts":  # netem counts what it marks as dropped
                        expected += scenario.dropped(machine, "out") - (marked(scenario) if machine == "client" else 0)
                    if name == "rcvd_pkts":
                        expected -= scenario.dropped(machine, "in")
                    if (scenario.name, name) in NAKS_LOST and expected > 0:
                        self.assertGreater(naks_due(scenario.name)[machines[machine]], expected)
                        expected = naks_due(scenario.name)[machines[machine]]
                    if name == "rcvd_seq_err" and expected > 0:
                        expected = naks_with_news(scenario.name)[machines[machine]]
                    key = (scenario.name, machine, name)
                    if key in EXPLAINED:
                        explained.add(key)
                        expected += EXPLAINED[key][0]
                    with self.subTest(scenario=scenario.name, machine=machine, counter=name):
                        self.assertEqual(expected, device[name])
                    tried += 1
        self.assertEqual(explained, set(EXPLAINED))
        self.assertGreater(tried, 700)

    def test_say_what_copies_of_the_network_add(self):
        """The report leaves copies out, since it does not know who made them; it knows that of copies that were answered."""
        (scenario,) = (each for each in truth_test.SCENARIOS if each.name == "impaired_out-duplicate_heavy")
        capture = truth_test.CAPTURES / f"{scenario.name}.pcapng"
        device = counted(scenario, "server")
        with tempfile.TemporaryDirectory() as folder:
            again = pathlib.Path(folder) / "again.pcapng"  # as another point sees it
            subprocess.run(["editcap", "-t", "0.000003", capture, again], check=True, capture_output=True)
            for files in ([capture], [capture, again]):
                text = subprocess.run([truth_test.PROGRAM, "analyze", "-v", *files], capture_output=True, check=True, text=True).stdout
                for counter, without in (("rcvd_pkts", 80), ("duplicate_request", 0)):
                    with self.subTest(counter, files=len(files)):
                        (line,) = (line for line in text.splitlines() if line.split()[:1] == [counter])
                        least = int(re.search(r"at least (\d+)", line)[1])
                        self.assertGreater(least, without)
                        self.assertLessEqual(least, device[counter])

    def test_of_requests_are_those_that_were_posted(self):
        kinds = {"rx_write_requests": ("RDMA_WRITE", "RDMA_WRITE_WITH_IMM"), "rx_read_requests": ("RDMA_READ",),
                 "rx_atomic_requests": ("ATOMIC_CMP_AND_SWP", "ATOMIC_FETCH_AND_ADD")}
        for scenario in truth_test.SCENARIOS:
            if scenario.is_impaired() or not scenario.of("post") or scenario.requests("rnr_naks"):
                continue
            for machine, row in predicted(scenario).items():
                for counter, opcodes in kinds.items():
                    posted = sum(fact["opcode"] in opcodes and fact["side"] != machine for fact in scenario.of("post"))
                    self.assertEqual(row[counter], posted, (scenario.name, machine, counter))

    def test_of_marks_are_those_that_netem_made(self):
        for name in ("ecn-heavy", "ecn-light"):
            scenario = next(each for each in truth_test.SCENARIOS if each.name == name)
            self.assertEqual(predicted(scenario)["server"]["np_ecn_marked_roce_packets"], scenario.dropped("client", "out"))
            self.assertEqual(predicted(scenario)["client"]["np_ecn_marked_roce_packets"], 0)
            # Soft-RoCE sends no CNPs.
            (finding,) = (each for each in scenario.report["findings"] if each["id"] == "ce_without_cnp")
            self.assertEqual(finding["weight"], scenario.dropped("client", "out"))

    def test_of_refusals_stand_at_both_ends(self):
        for name, here, there in (("fault-wrong-rkey", "req_remote_access_errors", "resp_remote_access_errors"),
                                  ("fault-out-of-range", "req_remote_access_errors", "resp_remote_access_errors"),
                                  ("fault-read-only", "req_remote_access_errors", "resp_remote_access_errors")):
            scenario = next(each for each in truth_test.SCENARIOS if each.name == name)
            rows = predicted(scenario)
            self.assertEqual((rows["client"][here], rows["server"][there]), (1, 1), name)
            self.assertEqual((rows["server"][here], rows["client"][there]), (0, 0), name)


if __name__ == "__main__":
    unittest.main()
