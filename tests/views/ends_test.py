#!/usr/bin/env python3
"""Captures of one run that end at different times: one that ends while a connection repeats its requests, another one that goes on.

    ends_test.py PROGRAM
    ends_test.py PROGRAM --all     with more places where a capture ends, which takes longer

The ends of connections must be reported as for captures that saw only these connections, and that end when all end.
"""
import json
import struct
import sys
import unittest

import packets
import scenarios
import views
from reported import Reported

PLACES = 40 if "--all" in sys.argv else 6  # where a capture ends
sys.argv[1:] = [word for word in sys.argv[1:] if word != "--all"]
ENDS = ("retry_exhausted", "torn_down_outstanding")
REPEATED = ("link_away-server-exhausted", "link_away-server-recovered", "link_away-client-exhausted", "fault-rnr", "killed-server",
            "lost-heavy", "nvme_network-loss", "srp_network")
CNPS = 3
Shown = list[packets.Packet]


def other_place(after: int) -> Shown:
    """What another host sees, of no RoCE: ARP requests, the first with the time `after`."""
    request = bytes.fromhex("ffffffffffff5254000000010806000108000604000152540000000ac0a80101000000000000c0a80102").ljust(60, b"\0")
    return [packets.Packet(time=after + second * views.SECOND, data=request, length=len(request)) for second in range(0, 120, 2)]


def cnp_in_place_of(answer: packets.Packet) -> packets.Packet:
    """From and to the same queue pairs."""
    bth = bytes([packets.CNP, 0x40]) + answer.data[answer.bth + 2:answer.bth + 8] + bytes(4)
    data = bytearray(answer.data[:answer.bth] + bth + bytes(16))
    struct.pack_into(">H", data, answer.ip + 2, len(data) + 4 - answer.ip)
    struct.pack_into(">H", data, answer.bth - 4, len(data) + 4 - answer.bth + 8)
    struct.pack_into(">H", data, answer.ip + 10, 0)
    total = sum(struct.unpack_from(">10H", data, answer.ip))
    total = (total & 0xFFFF) + (total >> 16)
    struct.pack_into(">H", data, answer.ip + 10, 0xFFFF - ((total & 0xFFFF) + (total >> 16)))
    data += packets.icrc_of(bytes(data[answer.ip:]), answer.bth - 8 - answer.ip)
    return packets.Packet(time=answer.time, data=bytes(data), length=len(data))


class Ends(Reported):
    def findings(self, names: list[str], files: list[Shown], *options: str) -> list[tuple[str, str, str]]:
        """Without the numbers of packets."""
        return sorted((each["id"], each["strength"], str(each["weight"])) for each in self.report_as(names, files, *options)["findings"])

    def ends(self, names: list[str], files: list[Shown], *options: str) -> list[tuple[str, str, str]]:
        """Findings about ends of connections."""
        return [each for each in self.findings(names, files, *options) if each[0] in ENDS]

    def report_as(self, names: list[str], files: list[Shown], *options: str) -> dict:
        paths = [self.folder / name for name in names]
        for path, its in zip(paths, files):
            path.parent.mkdir(exist_ok=True)
            packets.write(path, its)
        return json.loads(self.run_program("analyze", "--json", *options, *paths))

    def places(self, shown: Shown) -> list[int]:
        """Times, among them those shortly behind packets that came again."""
        keys = [(packet.flow, packet.opcode, packet.psn) for packet in shown]
        again = [i + 1 for i, key in enumerate(keys) if key[1] in packets.REQUESTS and key in keys[max(0, i - 400):i]]
        some = [len(shown) * place // (PLACES + 1) for place in range(1, PLACES + 1)]
        few = [again[len(again) * place // PLACES] for place in range(PLACES)] if again else []
        return sorted({shown[i - 1].time + 1 for i in (*some, *few) if i > 0})

    def test_of_a_place_that_another_one_outlasts(self) -> None:
        for scenario in scenarios.read_all(REPEATED.__contains__):
            shown = scenario.packets
            other = other_place(shown[0].time)
            for time in self.places(shown):
                begin = [packet for packet in shown if packet.time < time]
                with self.subTest(scenario.name, packets=len(begin)):
                    alone = self.findings(["one.pcapng"], [begin])
                    self.assertEqual(self.findings(["one.pcapng", "other.pcapng"], [begin, other]), alone)
                    self.assertEqual(self.findings(["other.pcapng", "one.pcapng"], [other, begin], "--jobs", "2"), alone)

    def test_of_one_direction(self) -> None:
        """The file with the responses ends first: that nothing came after that, nobody saw."""
        for scenario in scenarios.read_all(REPEATED.__contains__):
            requester = views.requester_of(scenario)
            shown = scenario.packets
            whole = set(self.ends(["one.pcapng"], [shown]))
            requests = [packet for packet in shown if packet.source == requester]
            responses = [packet for packet in shown if packet.source != requester]
            with self.subTest(scenario.name):
                self.assertLessEqual(whole, set(self.ends(["one.pcapng", "other.pcapng"], [requests + other_place(shown[-1].time),
                                                                                             responses + other_place(shown[-1].time)])))
            for time in self.places(shown):
                begin = [packet for packet in responses if packet.time < time]
                if not any(packet.bth for packet in begin):
                    continue
                with self.subTest(scenario.name, responses=len(begin)):
                    found = self.ends(["one.pcapng", "other.pcapng"], [requests, begin])
                    # What is true of the whole may be said, and nothing else.
                    self.assertLessEqual({each[0] for each in found}, {each[0] for each in whole})

    def test_of_a_side_that_sends_cnps_alone(self) -> None:
        """They show where its packets are seen, as any others do."""
        for scenario in scenarios.read_all("link_away-server-exhausted".__eq__):
            requester = views.requester_of(scenario)
            shown = [packet for packet in scenario.packets if packet.source == requester or not packet.is_response]
            cnps = [cnp_in_place_of(packet) for packet in scenario.packets if packet.source != requester and packet.is_response][:CNPS]
            one = views.by_time(shown + cnps) + other_place(shown[-1].time)
            alone = self.ends(["one.pcapng"], [one])
            self.assertTrue(alone)
            other = other_place(shown[0].time - views.SECOND)[:2]
            requests = shown + other_place(shown[-1].time)
            for files, expected in ((one, other), alone), ((other, one), alone), ((requests, cnps), []), ((cnps, requests), []):
                with self.subTest(scenario.name, packets=[len(file) for file in files]):
                    self.assertEqual(self.ends(["one.pcapng", "other.pcapng"], list(files)), expected)

    def test_of_files_that_follow_each_other(self) -> None:
        rings = (["ring_0000{}_2026112800000{}.pcapng"] * 4, ["ring.pcap{}"] * 4, ["node7/ring_{}.pcapng"] * 4)
        for scenario in scenarios.read_all(REPEATED.__contains__):
            shown = [*scenario.packets, *other_place(scenario.packets[-1].time)]
            whole = self.ends(["one.pcapng"], [shown])
            last = len(scenario.packets)
            for place, cuts in enumerate(((last // 2, last - 1, last + 3), (last // 3, last - 6, last), (last - 3, last + 1, last + 20))):
                names = [name.format(i + 8, i + 8) for i, name in enumerate(rings[place])]
                files = [shown[begin:end] for begin, end in zip((0, *cuts), (*cuts, len(shown)))]
                with self.subTest(scenario.name, names=names[0], cuts=cuts):
                    self.assertEqual(self.ends(names, files), whole)
                    self.assertEqual(self.ends(names[::-1], files[::-1], "--jobs", "2"), whole)
                    # Another place neither goes on with them nor takes anything away.
                    before = scenario.packets[0].time
                    self.assertEqual(self.ends([*names, "other.pcapng"], [*files, other_place(before)]), whole)
                    self.assertEqual(self.resumed(names, files), self.report_as(names, files))

    def resumed(self, names: list[str], files: list[Shown]) -> dict:
        """Of one file at a time."""
        for state in self.folder.glob("state*"):
            state.unlink()
        before: tuple[str, ...] = ()
        for number, name in enumerate(names[:-1]):
            state = str(self.folder / f"state{number}")
            self.run_program("analyze", *before, "--save-state", state, self.folder / name)
            before = "--resume", state
        return json.loads(self.run_program("analyze", "--json", *before, self.folder / names[-1]))


if __name__ == "__main__":
    unittest.main()
