#!/usr/bin/env python3
"""Verdicts against what really happened to each packet, which captures on both sides of an impaired network tell.

Two observers are imagined: one before the network, who sees all that was sent, and one behind it, who sees what is left. For both each
request has one right verdict (two_views.py). Precision and recall are 1.0 but where what was seen until then leaves the truth open:
each such frame must belong to a class that proves it (view_limits.py), and their numbers are known.
"""
import collections
import pathlib
import sys
import tempfile
import unittest

import two_views
import view_limits as limits

PROGRAM = sys.argv.pop(1)
CAPTURES = pathlib.Path(__file__).resolve().parents[2] / "captures"

# Of each view the verdicts that are wrong, by the class that explains them: kinds, and what became of the copy before.
WRONG_KINDS = {
    ("two_views-loss_heavy", "behind"): {limits.END_OF_BURST: 4},
    ("two_views-reorder", "behind"): {limits.END_OF_BURST: 1},
    ("two_views_responses-read", "behind"): {limits.END_OF_BURST: 3},
    ("two_views_responses-send", "behind"): {limits.END_OF_BURST: 3},
}
WRONG_LOSSES = {
    ("two_views-corrupt", "before"): {limits.NO_NAK: 81},
    ("two_views-corrupt", "behind"): {limits.HIDDEN_DAMAGE: 1},
    ("two_views-jitter", "before"): {limits.OVERTAKEN_BEHIND: 84},
    ("two_views-loss_heavy", "before"): {limits.NO_NAK: 145, limits.UNPAIRED: 1},
    ("two_views-loss_heavy", "behind"): {limits.START: 1, limits.END_OF_RECOVERY: 2},
    ("two_views-loss_light", "before"): {limits.NO_NAK: 2},
    ("two_views-reorder", "before"): {limits.OVERTAKEN_BEHIND: 43},
    ("two_views_responses-atomic", "before"): {limits.NO_NAK: 1},
    ("two_views_responses-atomic", "behind"): {limits.END_OF_RECOVERY: 1},
    ("two_views_responses-read", "before"): {limits.NO_NAK: 19},
    ("two_views_responses-read", "behind"): {limits.READ_AGAIN: 11, limits.END_OF_RECOVERY: 3},
    ("two_views_responses-send", "before"): {limits.NO_NAK: 79},
}


class View:
    """The findings of one observer, beside the truth."""

    def __init__(self, views: two_views.TwoViews, frames: list[two_views.Frame], file: pathlib.Path):
        views.label(frames)
        views.judge(PROGRAM, frames, file)
        view_limits = limits.Limits(views, frames)
        judged = [frame for frame in frames if frame.truth]
        self.kinds = collections.Counter((frame.truth, frame.verdict) for frame in judged)
        self.wrong_kinds: dict[str, list[int]] = {}
        self.wrong_losses: dict[str, list[int]] = {}
        for frame in judged:
            if frame.truth != frame.verdict:
                self.wrong_kinds.setdefault(view_limits.wrong_kind(frame), []).append(frame.number)
            # A damaged packet did not arrive whole: its copy shows that.
            elif frame.truth == "retransmission" and frame.lost != frame.said and (frame.lost, frame.said) != ("before", "corrupt"):
                self.wrong_losses.setdefault(view_limits.wrong_loss(frame), []).append(frame.number)
        for frame in judged:  # both views share the frames of responses, and the next one labels its own
            frame.truth = frame.lost = ""

    def tell(self, name: str) -> None:
        for label in sorted({label for pair in self.kinds for label in pair}):
            said = sum(count for (_, verdict), count in self.kinds.items() if verdict == label)
            true = sum(count for (truth, _), count in self.kinds.items() if truth == label)
            print(f"{name:34} {label:17} {true:5} true, {said:5} said, {self.kinds[label, label]:5} both", file=sys.stderr)
        for wrong in (self.wrong_kinds, self.wrong_losses):
            for reason, frames in wrong.items():
                print(f"{name:34} {len(frames):5} not known: {reason or 'NOBODY KNOWS WHY'}", file=sys.stderr)


class Recall(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.views: dict[tuple[str, str], View] = {}
        with tempfile.TemporaryDirectory() as folder:
            for path in sorted(CAPTURES.glob("two_views*.pcap.gz")):
                views = two_views.TwoViews(path)
                for side, frames in (("before", views.sent), ("behind", views.arrived)):
                    view = View(views, frames, pathlib.Path(folder) / "view.pcap")
                    cls.views[path.name.removesuffix(".pcap.gz"), side] = view
                    view.tell(f"{path.name.removesuffix('.pcap.gz')} {side}")

    def test_there_are_all_scenes(self):
        self.assertEqual(len(self.views), 2 * 9)

    def test_verdicts_are_right_but_where_nobody_can_know(self):
        for name, view in self.views.items():
            self.assertNotIn("", view.wrong_kinds, name)
            counts = {reason: len(frames) for reason, frames in view.wrong_kinds.items()}
            self.assertEqual(counts, WRONG_KINDS.get(name, {}), name)

    def test_losses_are_reported_but_where_nobody_can_know(self):
        for name, view in self.views.items():
            self.assertNotIn("", view.wrong_losses, name)
            counts = {reason: len(frames) for reason, frames in view.wrong_losses.items()}
            self.assertEqual(counts, WRONG_LOSSES.get(name, {}), name)

    def test_all_who_see_packets_as_they_were_sent_know_their_kinds(self):
        for (name, side), view in self.views.items():
            if side == "before":
                self.assertEqual(view.wrong_kinds, {}, name)


if __name__ == "__main__":
    unittest.main()
