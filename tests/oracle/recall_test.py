#!/usr/bin/env python3
"""Verdicts against what really happened to each packet, which captures on both sides of an impaired network tell.

Two observers are imagined: one before the network, who sees all that was sent, and one behind it, who sees what is left. For both each
request has one right verdict (two_views.py). Where only one packet overtakes no other (loss, damage, copies) precision and recall
are 1.0 but for the frames below; where packets are delayed by milliseconds, much cannot be told, and what comes out is counted.
"""
import collections
import pathlib
import sys
import tempfile
import unittest

import two_views

PROGRAM = sys.argv.pop(1)
CAPTURES = pathlib.Path(__file__).resolve().parents[2] / "captures"

# Frames of the view behind the network whose verdict is not the right one, and why.
END_OF_BURST = ("in_order", "the last packet of a message was lost, and nothing was sent behind it: when it comes with the recovery "
                            "of those before it, it is the next PSN, and nothing on the wire tells that it had been sent")
LATE_COPY = ("retransmission", "netem's copy comes 0.55 ms after the original, and after its ACK: later than a copy of a capture can")
EXCEPTIONS = {
    "two_views-loss_heavy": {97: END_OF_BURST, 266: END_OF_BURST, 598: END_OF_BURST, 965: END_OF_BURST},
    "two_views-duplicate": {491: LATE_COPY},
    "two_views-corrupt": {684: END_OF_BURST, 825: END_OF_BURST},
    "two_views_responses-send": {174: END_OF_BURST, 319: END_OF_BURST, 452: END_OF_BURST},
    "two_views_responses-read": {299: END_OF_BURST, 382: END_OF_BURST, 808: END_OF_BURST},
}
# The same for where the copy before a retransmission was lost.
NO_MORE_OF_IT = "the recovery's last packets were lost, or all of it: nothing that was seen shows that it had come so far"
START = "the first packet of the stream: it may as well have been sent before the capture began"
OTHER_PSN = "damaged in its PSN: a packet with a wrong ICRC and a PSN that is not its own was seen, and it itself was not"
ANSWERED = "a READ whose responses the requester dropped was asked for again, and the next time it was lost: no NAK, no hole"
RESEND_SKIPPED = "a NAK for what had come with the last recovery, whose responder had dropped it behind a hole"
LOST_EXCEPTIONS = {
    "two_views-loss_heavy": {59: START, 1098: NO_MORE_OF_IT, 1276: NO_MORE_OF_IT},
    "two_views-corrupt": {652: NO_MORE_OF_IT, 826: OTHER_PSN, 919: NO_MORE_OF_IT, 1413: NO_MORE_OF_IT},
    "two_views_responses-read": {frame: ANSWERED for frame in
                                 (123, 124, 278, 369, 423, 448, 799, 853, 930, 992, 1140, 1148, 1159, 1198)} |
                                {1089: RESEND_SKIPPED},
    "two_views_responses-atomic": {101: NO_MORE_OF_IT},
}


class Scene:
    def __init__(self, path: pathlib.Path, folder: pathlib.Path):
        self.name = path.name.removesuffix(".pcap.gz")
        views = two_views.TwoViews(path)
        self.views = {}
        for name, frames in (("before", views.sent), ("behind", views.arrived)):
            views.label(frames)
            views.judge(PROGRAM, frames, folder / "view.pcap")
            # Both views share the frames of responses, and those before the network are labelled first.
            self.views[name] = [(frame.number, frame.truth, frame.lost, frame.verdict, frame.said)
                                for frame in frames if frame.truth]
            for frame in frames:
                frame.truth = frame.lost = ""

    def kinds(self, view: str) -> collections.Counter:
        return collections.Counter((truth, verdict) for _, truth, _, verdict, _ in self.views[view])


class Recall(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        with tempfile.TemporaryDirectory() as folder:
            cls.scenes = [Scene(path, pathlib.Path(folder)) for path in sorted(CAPTURES.glob("two_views*.pcap.gz"))]
        for scene in cls.scenes:
            for view in scene.views:
                cls.tell(scene.name, view, scene.kinds(view))

    @staticmethod
    def tell(name: str, view: str, kinds: collections.Counter) -> None:
        for label in sorted({truth for truth, _ in kinds} | {verdict for _, verdict in kinds}):
            right = kinds[label, label]
            said = sum(count for (_, verdict), count in kinds.items() if verdict == label)
            true = sum(count for (truth, _), count in kinds.items() if truth == label)
            print(f"{name:27} {view:6} {label:17} {true:5} true, {said:5} said, {right:5} both", file=sys.stderr)

    def in_order(self) -> list[Scene]:
        """Where no packet overtakes another."""
        scenes = [scene for scene in self.scenes if not scene.name.endswith(("jitter", "reorder"))]
        self.assertEqual(len(scenes), 7)
        return scenes

    def test_verdicts_are_right_but_for_known_frames(self):
        for scene in self.in_order():
            for number, truth, _, verdict, _ in scene.views["before"]:
                self.assertEqual(verdict, truth, f"{scene.name} before, frame {number}")
            wrong = {number: verdict for number, truth, _, verdict, _ in scene.views["behind"] if verdict != truth}
            known = EXCEPTIONS.get(scene.name, {})
            self.assertEqual(wrong, {number: verdict for number, (verdict, _) in known.items()}, scene.name)

    def test_losses_before_the_capture_are_told_but_for_known_frames(self):
        for scene in self.in_order():
            wrong = set()
            for number, truth, lost, verdict, said in scene.views["behind"]:
                # A packet that was damaged did not come whole: its copy tells so.
                if truth == verdict == "retransmission" and lost != said and (lost, said) != ("before", "corrupt"):
                    wrong.add(number)
            self.assertEqual(wrong, LOST_EXCEPTIONS.get(scene.name, {}).keys() - EXCEPTIONS.get(scene.name, {}).keys()
                             if not scene.name.endswith("corrupt") else LOST_EXCEPTIONS[scene.name].keys(), scene.name)

    def test_losses_behind_the_capture_are_real_and_every_nak_tells_one(self):
        """Of several that are lost behind each other a NAK names the first: of the others nothing tells."""
        for scene in self.in_order():
            said = [lost for _, _, lost, _, said in scene.views["before"] if said == "after"]
            self.assertEqual(set(said) - {"after"}, set(), scene.name)
            self.assertNotIn("before", [said for *_, said in scene.views["before"]], scene.name)

    def test_overtaken_packets_are_no_loss_where_all_were_seen_in_order(self):
        for name, after, before in (("two_views-jitter", 84, 2), ("two_views-reorder", 41, 0)):
            frames = next(scene for scene in self.scenes if scene.name == name).views["before"]
            self.assertEqual({verdict for _, _, _, verdict, _ in frames}, {"in_order", "retransmission"}, name)
            self.assertTrue(all(truth == verdict for _, truth, _, verdict, _ in frames), name)
            # Behind the capture a packet was overtaken, so the responder says NAK, and its copy came by before it arrived.
            self.assertEqual(sum(said == "after" for *_, said in frames), after, name)
            self.assertEqual(sum(said == "before" for *_, said in frames), before, name)

    def test_what_comes_milliseconds_late_is_told_as_far_as_it_can_be(self):
        """A late packet that comes after the NAK for it looks as its retransmission does. None of 320 that came in another
        order was lost, and what is called lost falls with each that comes after all."""
        for name, wrong_kind, called_lost in (("two_views-jitter", 177, 3), ("two_views-reorder", 134, 82)):
            frames = next(scene for scene in self.scenes if scene.name == name).views["behind"]
            self.assertEqual(sum(truth != verdict for _, truth, _, verdict, _ in frames), wrong_kind, name)
            self.assertEqual(sum(said == "before" for *_, said in frames), called_lost, name)


if __name__ == "__main__":
    unittest.main()
