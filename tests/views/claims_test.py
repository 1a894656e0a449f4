#!/usr/bin/env python3
"""Of what the test of the views takes for false, and of how it makes them: on claims and packets that are known by heart."""
import pathlib
import struct
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import claims
import packets
import scenarios
import views

LOST = "packet_loss_before"


def scenario(**truth) -> scenarios.Scenario:
    truth = scenarios.Truth(**{name: scenarios.Range(*value) for name, value in truth.items()})
    return scenarios.Scenario("made", [], truth, None)


def report(*findings: dict) -> dict:
    return {"findings": list(findings), "connections": []}


def finding(name: str, weight: int, **more) -> dict:
    return {"id": name, "severity": "error", "what": "", "count": weight, "weight": weight, **more}


def false_claims(truth: scenarios.Scenario, *findings: dict, **view) -> list[str]:
    return [each.finding for each in claims.false_claims(truth, views.View("made", [], **view), report(*findings))]


class Claims(unittest.TestCase):
    def test_without_a_strength_a_quantity_is_exact(self):
        self.assertEqual(false_claims(scenario(lost_before=(5, 5)), finding(LOST, 5)), [])
        self.assertEqual(false_claims(scenario(lost_before=(5, 5)), finding(LOST, 4)), [LOST])
        self.assertEqual(false_claims(scenario(lost_before=(5, 5)), finding(LOST, 2), finding(LOST, 3)), [])

    def test_at_least_is_false_only_above_the_truth(self):
        for strength in ("at least", "at_least", {"weight": "at_least", "count": "exact"}):
            self.assertEqual(false_claims(scenario(lost_before=(5, 5)), finding(LOST, 4, strength=strength)), [])
            self.assertEqual(false_claims(scenario(lost_before=(5, 5)), finding(LOST, 6, strength=strength)), [LOST])

    def test_what_did_not_happen_is_false_whatever_its_strength(self):
        for strength in ("exact", "at least", "estimated"):
            self.assertEqual(false_claims(scenario(), finding(LOST, 1, strength=strength)), [LOST])
        self.assertEqual(false_claims(scenario(), finding("foreign_requester", 1)), ["foreign_requester"])
        self.assertEqual(false_claims(scenario(), finding("small_messages", 1)), [])

    def test_what_is_estimated_excuses_nothing_beside_it(self):
        about = finding(LOST, 2, strength="estimated")
        self.assertEqual(false_claims(scenario(lost_before=(5, 5)), finding(LOST, 5), about), [])
        self.assertEqual(false_claims(scenario(lost_before=(5, 5)), finding(LOST, 6, strength="at_least"), about), [LOST])

    def test_a_part_of_the_time_may_show_less(self):
        self.assertEqual(false_claims(scenario(lost_before=(5, 5)), finding(LOST, 2), is_part=True), [])
        self.assertEqual(false_claims(scenario(lost_before=(5, 5)), finding(LOST, 6), is_part=True), [LOST])

    def test_each_run_has_its_losses(self):
        self.assertEqual(false_claims(scenario(lost_before=(5, 5)), finding(LOST, 10), runs=2), [])
        self.assertEqual(false_claims(scenario(lost_before=(5, 5)), finding(LOST, 5), runs=2), [LOST])

    def test_capture_points_are_counted_apart(self):
        points = [finding(LOST, 5, capture_point=point) for point in (1, 2)]
        self.assertEqual(false_claims(scenario(lost_before=(5, 5)), *points), [])

    def test_a_finding_that_nobody_knows_is_an_error(self):
        with self.assertRaises(ValueError):
            false_claims(scenario(), finding("new", 1))


class Packets(unittest.TestCase):
    """A SEND Only of Linux' rxe, from captures/fault-rnr.pcapng."""

    def setUp(self):
        file = scenarios.CAPTURES / "fault-rnr.pcapng"
        self.send = next(packet for packet in packets.read(file) if packet.is_request)

    def test_the_icrc_is_that_of_the_kernel(self):
        self.assertFalse(self.send.is_damaged())
        data = bytearray(self.send.data)
        data[-9] ^= 1
        self.assertTrue(self.send.changed(data=bytes(data)).is_damaged())

    def test_another_run_has_other_psns_and_right_icrcs(self):
        later = self.send.of_other_run(2, 100)
        self.assertEqual(later.psn, (self.send.psn + 200) % (1 << 24))
        self.assertFalse(later.is_damaged())

    def test_a_tunnel_carries_the_whole_frame(self):
        self.assertTrue(views.vxlan(self.send.data).endswith(self.send.data))
        outer = views.erspan(self.send.data, 7)
        self.assertEqual(struct.unpack_from(">H", outer, 16)[0], len(outer) - 14)


if __name__ == "__main__":
    unittest.main()
