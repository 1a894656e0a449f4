#!/usr/bin/env python3
"""Compares the memory regions that `rocescope analyze` saw with what the work requests in the lab's truth asked for."""
import collections
import dataclasses
import unittest

import truth_test


@dataclasses.dataclass
class Region:
    reads: int = 0
    read_bytes: int = 0
    writes: int = 0
    written_bytes: int = 0
    atomics: int = 0
    flushes: int = 0
    lowest: int = 2**64
    highest: int = -1

    def add(self, post: dict):
        length = post["bytes"]
        if post["opcode"] == "RDMA_READ":
            self.reads += 1
            self.read_bytes += length
        elif post["opcode"] in ("RDMA_WRITE", "RDMA_WRITE_WITH_IMM", "ATOMIC_WRITE"):
            self.writes += 1
            self.written_bytes += length
        elif post["opcode"] == "FLUSH":
            self.flushes += 1
            length = 0
        else:
            self.atomics += 1
        if length > 0:
            self.lowest = min(self.lowest, post["remote_address"])
            self.highest = max(self.highest, post["remote_address"] + length - 1)


def asked_for(scenario) -> dict:
    regions = collections.defaultdict(Region)
    for post in scenario.of("post"):
        if "remote_address" in post:
            peer = "server" if post["side"] == "client" else "client"
            regions[peer, post["rkey"]].add(post)
    return dict(regions)


def seen(scenario) -> dict:
    machines = {fact["address"]: fact["name"] for fact in scenario.of("host")}
    regions = {}
    for row in scenario.report["memory_regions"]:
        region = Region(**{name: row[name] for name in ("reads", "read_bytes", "writes", "written_bytes", "atomics", "flushes")})
        if "lowest_address" in row:
            region.lowest, region.highest = int(row["lowest_address"], 16), int(row["highest_address"], 16)
        regions[machines.get(row["responder"], row["responder"]), row["r_key"]] = region
    return regions


class Regions(unittest.TestCase):
    def test_are_those_of_the_posted_work_requests(self):
        tried = 0
        for scenario in truth_test.SCENARIOS:
            hosts = {fact["address"] for fact in scenario.of("host")}
            if not asked_for(scenario) or any(row["responder"] not in hosts for row in scenario.report["memory_regions"]):
                continue
            if any(row["refused"] for row in scenario.report["memory_regions"]) or scenario.name in truth_test.NEVER_SEEN:
                continue
            with self.subTest(scenario.name):
                self.assertEqual(seen(scenario), asked_for(scenario))
            tried += 1
        self.assertGreater(tried, 20)

    def test_name_the_connections_that_use_them(self):
        for scenario in truth_test.SCENARIOS:
            numbers = {connection["number"] for connection in scenario.connections}
            for row in scenario.report["memory_regions"]:
                self.assertTrue(row["connections"], scenario.name)
                self.assertLessEqual(set(row["connections"]), numbers, scenario.name)

    def test_keep_refused_requests_apart(self):
        """The server refuses a WRITE right behind the end of its region, one with a wrong key, one into a region to read."""
        for name in ("fault-out-of-range", "fault-wrong-rkey", "fault-read-only"):
            scenario = next(each for each in truth_test.SCENARIOS if each.name == name)
            fault = [fact for fact in scenario.of("completion") if fact["status"] == "REM_ACCESS_ERR"]
            self.assertEqual(len(fault), 1, name)
            post = next(fact for fact in scenario.of("post") if (fact["side"], fact["qpn"], fact["wr_id"]) ==
                        (fault[0]["side"], fault[0]["qpn"], fault[0]["wr_id"]) and "remote_address" in fact)
            refused = [row for row in scenario.report["memory_regions"] if row["refused"]]
            self.assertEqual([(row["refused"], row["r_key"], int(row["refused_lowest_address"], 16),
                               int(row["refused_highest_address"], 16)) for row in refused],
                             [(1, post["rkey"], post["remote_address"], post["remote_address"] + post["bytes"] - 1)], name)


if __name__ == "__main__":
    unittest.main()
