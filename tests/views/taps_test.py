#!/usr/bin/env python3
"""Two captures of one run, at both ends of a network that lost nothing: one ends sooner, or lacks packets.

    taps_test.py PROGRAM SYNTH
    taps_test.py PROGRAM SYNTH --all     where more captures end, which takes longer
"""
import json
import pathlib
import random
import re
import subprocess
import sys
import unittest
from collections.abc import Iterator

import claims
import packets
import scenarios
import views
from reported import Reported

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "partial"))
import simulation  # noqa: E402

SYNTH = sys.argv.pop(1)
PLACES = 20 if "--all" in sys.argv else 3  # where a capture ends
sys.argv[1:] = [word for word in sys.argv[1:] if word != "--all"]
WHOLE = ("ecn-heavy", "rping", "nvme_io", "rdmagen-cm-mixed", "fault-rnr", "fault-slow-receiver")  # nothing was lost
CLOCKS = (0, 400 * views.MICROSECOND, -2 * views.SECOND)  # that of the second tap is ahead


MIXED = ("rdmagen-cm-write-imm", "nvme_refused", "iser_refused", "rdmagen-cm-inference-batch")  # short requests and long ones
SNAP_LENGTHS = (64, 68, 70, 96, 128, 256)
LOST = 3  # percent, of RoCE packets
OTHER = bytes.fromhex("ffffffffffff5254000000010806").ljust(60, b"\0")


def taps(names: tuple[str, ...] = WHOLE) -> Iterator[tuple[scenarios.Scenario, list[packets.Packet], list[packets.Packet]]]:
    for scenario in scenarios.read_all(names.__contains__):
        requester = views.requester_of(scenario)
        far = [packet.changed(time=packet.time + (views.WIRE_DELAY if packet.source == requester else -views.WIRE_DELAY))
               for packet in scenario.packets]
        yield scenario, scenario.packets, views.by_time(far)


def of_other_host(run: list[packets.Packet], requester: bytes) -> list[packets.Packet]:
    """The same run, a little later, of the requester and another host. The sums of the header and of UDP stay right."""
    def moved(packet: packets.Packet) -> packets.Packet:
        at = packet.ip + (16 if packet.source == requester else 12)
        address = bytearray(packet.data[at:at + 4])
        address[1], address[3] = address[1] + 1, address[3] - 1
        return packet.with_bytes({at: bytes(address)}).changed(time=packet.time + views.MICROSECOND)
    return [moved(packet) for packet in run if packet.bth]


def with_copies(run: list[packets.Packet], randoms: random.Random) -> list[packets.Packet]:
    copies = [packet.changed(time=packet.time + 3 * views.MICROSECOND) for packet in run if packet.bth and randoms.randrange(100) < 30]
    return views.by_time(run + copies)


def many_before(run: list[packets.Packet]) -> list[packets.Packet]:
    """Other packets, more than are looked at ahead."""
    many = 40_000
    return [packets.Packet(time=run[0].time - (many - i) * views.MICROSECOND, data=OTHER, length=len(OTHER)) for i in range(many)]


class Taps(Reported):
    def check_nothing_is_lost_between(self, near: list[packets.Packet], far: list[packets.Packet]) -> None:
        for clock in CLOCKS:
            with self.subTest(clock=clock):
                files = near, [packet.changed(time=packet.time + clock) for packet in far]
                lost = [each["what"] for each in self.report_of(*files)["findings"]
                        if each["id"] == "packet_loss_between" and claims.strength_of(each) != claims.ESTIMATED]
                self.assertEqual(lost, [])

    def test_one_of_them_ends_or_begins_in_the_middle(self) -> None:
        for scenario, near, far in taps():
            for place in range(1, PLACES + 1):
                time = far[len(far) * place // (PLACES + 1)].time
                with self.subTest(scenario.name, place=place):
                    self.check_nothing_is_lost_between(near, [packet for packet in far if packet.time < time])
                    self.check_nothing_is_lost_between(near, [packet for packet in far if packet.time >= time])
                    self.check_nothing_is_lost_between([packet for packet in near if packet.time < time], far)
                    self.check_nothing_is_lost_between([packet for packet in near if packet.time >= time], far)

    def test_one_of_them_sees_a_short_time(self) -> None:
        """Of hosts that do not count their packets, nothing happened twice because two saw it, and nothing is lost that one never saw."""
        for scenario, near, far in taps((*WHOLE, *MIXED)):
            near, far = ([packet.without_identification() for packet in its] for its in (near, far))
            known = self.accusations(near)
            for count in {24, 40, max(24, len(far) // 2)}:
                for clock in CLOCKS:
                    # A requester sends all again sooner than the clocks differ: nothing distinguishes its copies.
                    if count >= len(far) or (scenario.name == "fault-slow-receiver" and abs(clock) > views.SECOND):
                        continue
                    for part in (far[:count], far[-count:]):
                        with self.subTest(scenario.name, count=count, clock=clock, begins=part[0] is far[0]):
                            moved = [packet.changed(time=packet.time + clock) for packet in part]
                            self.assertEqual(self.accusations(near, moved) - known, set())

    def accusations(self, *shown: list[packets.Packet]) -> set[str]:
        return {each["id"] for each in self.report_of(*shown)["findings"] if each["severity"] != "note"}

    def test_one_of_them_missed_an_answer(self) -> None:
        """The requester waited as long as the answer asked for, so the answer arrived."""
        for scenario, near, far in taps():
            refusals = [packet for packet in near if packet.is_response and packet.opcode == packets.ACKNOWLEDGE and packet.syndrome >> 5 == 1]
            for missed in refusals[:-1]:  # after the last one nothing follows
                with self.subTest(scenario.name, identification=missed.identification):
                    self.check_nothing_is_lost_between([packet for packet in near if packet is not missed], far)

    def test_one_of_them_misses_some_packets(self) -> None:
        for scenario, near, far in taps():
            for seed in range(PLACES):
                randoms = random.Random(f"{scenario.name} {seed}")
                with self.subTest(scenario.name, seed=seed):
                    self.check_nothing_is_lost_between([packet for packet in near if randoms.randrange(100) >= 10], far)

    def test_one_of_them_misses_many_in_a_row_and_sees_one_host(self) -> None:
        """What the host sends to others between them does not hide that they are in a row."""
        for scenario, near, far in taps():
            all_of_host = views.by_time(near + of_other_host(near, views.requester_of(scenario)))
            for place in range(1, PLACES + 1):
                first = len(far) * place // (PLACES + 1)
                for count in (20, 60):
                    with self.subTest(scenario.name, place=place, count=count):
                        self.check_nothing_is_lost_between(all_of_host, far[:first] + far[first + count:])

    def test_one_of_them_has_packets_twice(self) -> None:
        """Copies that a mirror made are no losses, nor do they hide that others are missing in a row."""
        for scenario, near, far in taps():
            for is_counted in (True, False):
                shown = [its if is_counted else [packet.without_identification() for packet in its] for its in (near, far)]
                randoms = random.Random(scenario.name)
                for tap in (0, 1):
                    twice, once = with_copies(shown[tap], randoms), shown[1 - tap]
                    with self.subTest(scenario.name, tap=tap, counted=is_counted):
                        self.check_nothing_is_lost_between(twice, once)
                    for place in range(1, PLACES + 1) if is_counted else ():
                        first = len(once) * place // (PLACES + 1)
                        with self.subTest(scenario.name, tap=tap, place=place):
                            self.check_nothing_is_lost_between(twice, once[:first] + once[first + 40:])

    def test_packets_that_one_of_them_has_twice_are_lost_once(self) -> None:
        for scenario, near, far in taps():
            randoms = random.Random(scenario.name)
            lost = [packet for packet in far if packet.bth and randoms.randrange(100) < LOST]
            for tap in (0, 1):
                shown = [near, [packet for packet in far if packet not in lost]]
                shown[tap] = with_copies(shown[tap], randoms)
                with self.subTest(scenario.name, tap=tap):
                    self.assertLessEqual(sum(self.losses_between(*shown).values()), len(lost))

    def test_one_of_them_has_cut_packets(self) -> None:
        """Losses are reported as if both had whole packets, whether hosts count their packets or not."""
        for scenario, near, far in taps((*WHOLE, *MIXED)):
            for is_counted in (True, False):
                shown = [its if is_counted else [packet.without_identification() for packet in its] for its in (near, far)]
                randoms = random.Random(scenario.name)
                shown[1] = [packet for packet in shown[1] if not packet.bth or randoms.randrange(100) >= LOST]
                whole = self.losses_between(*shown)
                for snap in SNAP_LENGTHS:
                    for tap in (0, 1):
                        cut = list(shown)
                        cut[tap] = [packet.changed(data=packet.data[:snap]) for packet in cut[tap]]
                        with self.subTest(scenario.name, snap=snap, tap=tap, counted=is_counted):
                            self.assertEqual(self.losses_between(*cut), whole)

    def test_a_third_one_begins_where_what_is_read_ahead_ends(self) -> None:
        """Its first packets are its own, not what another one saw before."""
        made = self.folder / "made.pcap"
        words = "--packets", "9000", "--qps", "4", "--host-pairs", "1", "--seed", "7", "--gigabits", "1"
        subprocess.run([SYNTH, "-o", made, *words], check=True, capture_output=True)
        run = [packet.without_identification() for packet in packets.read(made)]
        for clocks in ((0, 0, 400), (-400, -400, 30)):
            for percent in (85, 89, 90, 91, 92):  # of what comes before it: 16 MiB of all are read ahead
                files = [[packet.changed(time=packet.time + (clock + 3 * tap) * views.MICROSECOND) for packet in run]
                         for tap, clock in enumerate(clocks)]
                files[1] = files[1][len(run) * percent // 100:]
                with self.subTest(clocks=clocks, percent=percent):
                    report = self.report_of(*files)
                    self.assertEqual(len(report["capture_points"]), len(files))
                    self.assertEqual([each["what"] for each in report["findings"] if each["severity"] != "note"], [])

    def test_one_of_them_has_cut_packets_late(self) -> None:
        """Behind more packets than are looked at ahead: for a while nobody knows which are the same, and nothing is lost."""
        for scenario, near, far in taps(MIXED[:2]):
            before = many_before(near)
            for clock in CLOCKS:
                cut = [packet.changed(data=packet.data[:96], time=packet.time + clock) for packet in before + far]
                with self.subTest(scenario.name, clock=clock):
                    self.assertEqual(self.losses_between(before + near, cut), {})

    def simulated(self, seed: int, messages: int, first_queue_pair: int = 0x100) -> list[list[packets.Packet]]:
        """What two taps see of hosts that lose nothing and count their packets."""
        run = simulation.Simulation(seed, (0, 0), 0, 4, messages, first_queue_pair=first_queue_pair)
        return [[packets.Packet(time=simulation.START + time, data=run.frame(what), length=len(run.frame(what))) for time, what in run.captured(tap)]
                for tap in (0, 1)]

    def certain(self, *files: list[packets.Packet]) -> list[str]:
        """What is reported to be more than a note or an estimate."""
        return [each["what"] for each in self.report_of(*files)["findings"]
                if each["severity"] != "note" and claims.strength_of(each) != claims.ESTIMATED]

    def test_copies_that_come_late_are_not_sent_again(self) -> None:
        """Both in one file: nobody knew of copies when the first ones came, so nothing is known for certain of these connections."""
        for messages in (200, 2_000):
            near, far = self.simulated(messages, messages)
            time = near[-1].time - near[0].time
            for behind in (0.1, 0.5, 1.5):
                late = [packet.changed(time=packet.time + int(time * behind)) for packet in far]
                # Another interface, from which on more is looked at ahead.
                other = packets.Packet(time=near[0].time + int(time * (behind + 0.005)), data=OTHER, length=len(OTHER), interface=1)
                for others in ([], [other]):
                    with self.subTest(messages=messages, behind=behind, others=len(others)):
                        self.assertEqual(self.certain(many_before(near) + views.by_time(near + late + others)), [])

    def test_rotated_files_are_one_capture(self) -> None:
        """Both taps in one capture that was cut into files: of copies that come behind an edge, another file has the first ones."""
        def without_files(report: dict) -> dict:
            for point in report["capture_points"]:
                del point["places"]
            return {name: value for name, value in report.items() if name not in ("captures", "protocols")}

        for scenario, near, far in taps(("rping", "nvme_io", "fault-rnr")):
            for delay in (5 * views.MICROSECOND, 500 * views.MICROSECOND):
                both = views.by_time(near + [packet.changed(time=packet.time + delay) for packet in far])
                whole = without_files(self.report_of(both))
                self.assertEqual(len(whole["capture_points"]), 2)
                randoms = random.Random(scenario.name)
                for files in (2, 5):
                    close = [i for i in range(1, len(both)) if both[i].time - both[i - 1].time < 50_000 * views.MICROSECOND]
                    edges = sorted(randoms.sample(close, files - 1))
                    parts = [both[begin:end] for begin, end in zip([0, *edges], [*edges, len(both)])]
                    with self.subTest(scenario.name, delay=delay, edges=edges):
                        rotated = [file.rename(self.folder / f"x.pcap{number}") for number, file in enumerate(self.write(*parts))]
                        report = json.loads(self.run_program("analyze", "--json", *rotated))
                        self.assertEqual(without_files(report), whole)

    def test_clocks_that_are_apart_by_more_than_the_capture(self) -> None:
        """The second one seems to begin where the first one ends."""
        made = self.folder / "made.pcap"
        subprocess.run([SYNTH, "-o", made, "--packets", "1500", "--qps", "2", "--host-pairs", "1", "--gigabits", "1"], check=True, capture_output=True)
        near = packets.read(made)
        time = near[-1].time - near[0].time
        far = [packet.changed(time=packet.time + time + 20_000 * views.MICROSECOND) for packet in near]
        randoms = random.Random(1)
        for part in (far, [packet for packet in far if randoms.randrange(100) >= 30]):
            report = self.report_of(near, part)
            self.assertEqual(len(report["capture_points"]), 2)
            self.assertEqual([each["what"] for each in report["findings"] if each["severity"] != "note" and claims.strength_of(each) != claims.ESTIMATED], [])

    def test_late_copies_of_regular_messages(self) -> None:
        """All messages have as many packets, so that the PSNs of all ACKs of a connection leave the same rest when divided by 64."""
        made = self.folder / "regular.pcap"
        for seed, size in (("1", "4K"), ("2", "8K"), ("3", "16K")):
            words = "--packets", "30000", "--qps", "4", "--host-pairs", "1", "--gigabits", "1", "--sizes", size, "--seed", seed
            subprocess.run([SYNTH, "-o", made, *words], check=True, capture_output=True)
            run = packets.read(made)
            for milliseconds in (40, 100):
                late = [packet.changed(time=packet.time + 1000 * milliseconds * views.MICROSECOND) for packet in run]
                with self.subTest(size=size, milliseconds=milliseconds):
                    self.assertEqual(self.certain(views.by_time(run + late)), [])

    def test_late_copies_cast_no_doubt_on_others(self) -> None:
        """Neither on hosts of which one tap sees all, nor on what another file has of the same hosts."""
        near, far = self.simulated(1, 2_000)
        late = [packet.changed(time=packet.time + (near[-1].time - near[0].time) // 2) for packet in far]
        one = [packet.with_bytes({packet.ip + 13: b"\x63", packet.ip + 17: b"\x63"}) for packet in self.simulated(2, 300, 0x500)[0]]
        hosts = {packet.source for packet in one}
        report = self.report(many_before(near) + views.by_time(near + late + one))
        doubts = {row["unsure"] for row in report["connections"] if {bytes(map(int, side["address"].split("."))) for side in row["sides"]} == hosts}
        self.assertEqual(doubts, {False})
        self.assertEqual({row["unsure"] for row in report["connections"]}, {False, True})
        clean = [packet.changed(time=packet.time + simulation.SECOND) for packet in near]
        report = self.report_of(many_before(near) + views.by_time(near + late), clean)
        last = max(row["capture_point"] for row in report["connections"])
        self.assertEqual({row["unsure"] for row in report["connections"] if row["capture_point"] == last}, {False})

    def verdict_of(self, shown: list[packets.Packet]) -> tuple[str, str]:
        """The headline of the page."""
        page = self.folder / "report.html"
        page.unlink(missing_ok=True)
        self.run_program("analyze", "--html", page, *self.write(shown))
        found = re.search(r'"verdict":\{"severity":"(\w+)","text":"([^"]*)"', page.read_text())
        assert found is not None
        return found[1], found[2]

    def test_the_page_says_what_late_copies_leave_unknown(self) -> None:
        if b"--html" not in self.run_program("analyze", "--help"):
            self.skipTest("this build has no pages")
        near, far = self.simulated(1, 2_000)
        late = [packet.changed(time=packet.time + (near[-1].time - near[0].time) // 2) for packet in far]
        one = [packet.with_bytes({packet.ip + 13: b"\x63", packet.ip + 17: b"\x63"}) for packet in self.simulated(2, 300, 0x500)[0]]
        both = views.by_time(near + late)
        self.assertEqual(self.verdict_of(many_before(near) + both), ("warning", "Nothing is known for certain"))
        self.assertEqual(self.verdict_of(many_before(near) + views.by_time(both + one)), ("good", "Nothing wrong was seen in the other connections"))
        self.assertEqual(self.verdict_of(near), ("good", "Nothing wrong was seen"))

    def losses_between(self, *files: list[packets.Packet]) -> dict[str, int]:
        """Not those that are estimated, by strength."""
        lost: dict[str, int] = {}
        for each in self.report_of(*files)["findings"]:
            strength = claims.strength_of(each)
            if each["id"] == "packet_loss_between" and strength != claims.ESTIMATED:
                lost[strength] = lost.get(strength, 0) + each["weight"]
        return lost


if __name__ == "__main__":
    unittest.main()
