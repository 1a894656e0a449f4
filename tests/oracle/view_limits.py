"""Why somebody who sees one of two views cannot know at a frame what two_views.py knows: each wrong verdict has its class.

A class is a predicate over what both views have of the frame and of the copy before it. It holds only where the past of the
view, up to the frame, leaves open what is true.
"""
import two_views
from two_views import READ_REQUEST, Frame, distance

SEQUENCE_NAK = 0x60

# Kinds of verdicts
END_OF_BURST = "the last packet of a message was lost, with nothing behind it: when it comes it is the next PSN"
# What became of the copy before a retransmission
START = "nothing before it was seen: it may as well have been sent before the capture began"
END_OF_RECOVERY = "the recovery's last packets were lost, or all of it: nothing that was seen shows that it had come so far"
READ_AGAIN = "a READ is requested again where responses were dropped: no NAK reports the lost one"
HIDDEN_DAMAGE = "damaged where no ICRC shows it, it passed, and the NAK shows that it was dropped behind the capture"
OVERTAKEN_BEHIND = "behind the capture it was overtaken, and dropped or asked for before it arrived"
UNPAIRED = "the NAK was the first response: whose requests it answers was not known yet"
NO_NAK = "no NAK names it: of several that are lost behind each other only the first is asked for, of the last ones none"


class Limits:
    """Of one view, whose frames are labelled and judged."""

    def __init__(self, views: two_views.TwoViews, view: list[Frame]):
        self.views = views
        self.sent = [frame for frame in views.sent if frame.is_request]
        self.sent_at = {frame.identification: at for at, frame in enumerate(self.sent)}
        self.requests = [frame for frame in view if frame.is_request and views.is_whole(frame)]
        self.visible = {frame.identification: frame for frame in reversed(self.requests)}
        self.responses = [frame for frame in view if not frame.is_request]
        self.naks = [frame for frame in self.responses if frame.syndrome & 0xE0 == SEQUENCE_NAK]

    def wrong_kind(self, frame: Frame) -> str:
        """The class of a frame whose kind of verdict is not the right one; empty: none."""
        before = self._before(frame, self.requests)
        if (frame.truth, frame.verdict) == ("retransmission", "in_order"):
            return END_OF_BURST if all(distance(each.psn, frame.psn) > 0 for each in before) else ""
        return ""

    def wrong_loss(self, frame: Frame) -> str:
        """The class of a packet that is rightly a retransmission, with a wrong verdict on the copy before it."""
        copy = self._copy_before(frame)
        naks = [nak for nak in self._before(frame, self.naks) if nak.psn == frame.psn]
        if (frame.lost, frame.said) == ("before", ""):
            if all(distance(each.psn, frame.psn) <= 0 for each in self._before(frame, self.requests)):
                return START
            if not self._run_goes_on(copy):
                return END_OF_RECOVERY
            return READ_AGAIN if frame.opcode == READ_REQUEST and not self._between(copy, naks, frame) else ""
        if (frame.lost, frame.said) == ("before", "after"):
            came = [each for each in self.views.arrived if each.identification == copy.identification]
            return HIDDEN_DAMAGE if any(each.verdict for each in came) and self._between(copy, naks, frame) else ""
        if (frame.lost, frame.said) == ("", "after"):
            return OVERTAKEN_BEHIND if naks and self._overtaken(copy, naks[-1]) else ""
        if (frame.lost, frame.said) == ("after", ""):
            between = self._between(copy, naks, frame)
            return NO_NAK if not between else "" if self._before(between[0], self.responses) else UNPAIRED
        return ""

    @staticmethod
    def _before(frame: Frame, frames: list[Frame]) -> list[Frame]:
        return [each for each in frames if each.number < frame.number and each.queue_pair == frame.queue_pair]

    def _copy_before(self, frame: Frame) -> Frame:
        copies = self.views.copies_of(frame)
        return self.sent[self.sent_at[copies[copies.index(frame.identification) - 1]]]

    def _between(self, copy: Frame, naks: list[Frame], frame: Frame) -> list[Frame]:
        """Those NAKs that came by after a copy was sent."""
        place = self.views.place
        return [nak for nak in naks if place[copy] < place[nak] < place[frame]]

    def _run_goes_on(self, copy: Frame) -> bool:
        """Whether of what was sent behind a packet, before its sender began anew, anything was seen."""
        last = copy
        for each in self.sent[self.sent_at[copy.identification] + 1:]:
            if each.queue_pair != copy.queue_pair:
                continue
            if distance(last.psn, each.psn) <= 0:
                return False
            if each.identification in self.visible:
                return True
            last = each
        return False

    def _overtaken(self, copy: Frame, nak: Frame) -> bool:
        """Whether a packet arrived after the NAK for it, or before one that was sent before it."""
        arrival = self.views.arrival
        at = arrival[copy.identification]
        earlier = self.sent[:self.sent_at[copy.identification]]
        return at > self.views.place[nak] or any(
            arrival.get(each.identification, 0) > at for each in earlier
            if each.queue_pair == copy.queue_pair and distance(each.psn, copy.psn) > 0)
