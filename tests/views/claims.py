"""The claims of a report, each held against what happened.

A finding without a strength states its quantity exactly. What a capture of a part of the time says may lie anywhere between nothing
and the whole truth; whatever else is exact is the truth itself.
"""
from __future__ import annotations

import dataclasses
from collections import defaultdict
from collections.abc import Iterator

from scenarios import Range, Scenario, Truth
from views import WITHOUT_IDENTIFICATION, View

EXACT, AT_LEAST, ESTIMATED = "exact", "at least", "estimated"
NEVER = Range()
ANY = None

# What each finding counts, and what of that happened. `count` and `weight` are keys of the finding.
QUANTITIES = {
    "packet_loss_before": ("weight", lambda truth: truth.lost_before),
    "packet_loss_after": ("weight", lambda truth: truth.lost_after),
    "read_response_loss_before": ("weight", lambda truth: truth.responses_lost),
    "read_response_loss_after": ("weight", lambda truth: truth.responses_lost_after),
    "ack_loss_before": ("weight", lambda truth: truth.acks_lost),
    "ack_loss_after": ("weight", lambda truth: truth.acks_lost_after),
    "network_duplicates": ("weight", lambda truth: truth.duplicated),
    "reordering": ("count", lambda truth: truth.overtaken),
    "retransmissions": ("count", lambda truth: truth.resent),
    "go_back_n_waste": ("count", lambda truth: truth.resent),
    "timeout_recovery": ("timeouts", lambda truth: truth.timeouts),
    "spurious_retransmission": ("count", lambda truth: truth.needless),
    "nak_sequence": ("count", lambda truth: truth.sequence_naks),
    "rnr": ("count", lambda truth: truth.rnr_naks),
    "nak_invalid_request": ("count", lambda truth: truth.refused_invalid),
    "nak_remote_access": ("count", lambda truth: truth.refused_access),
    "nak_remote_operational": ("count", lambda truth: truth.refused_operational),
    "retry_exhausted": ("", lambda truth: truth.gave_up),
    "cm_reject": ("", lambda truth: truth.rejected),
    "cm_retries": ("count", lambda truth: truth.cm_repeated),
    "torn_down_outstanding": ("", lambda truth: truth.left_outstanding),
    "icrc_bad": ("weight", lambda truth: truth.damaged),
    "ecn_marked": ("weight", lambda truth: truth.marked),
    "capture_loss": ("weight", lambda truth: NEVER),
    "io_failed": ("count", lambda truth: truth.failed_io),
    "queue_refused": ("count", lambda truth: truth.refused_queues),
    "commands_aborted": ("count", lambda truth: truth.aborted),
    "commands_retried": ("count", lambda truth: truth.issued_again),
    "command_refused": ("count", lambda truth: truth.failed_admin),
    # Nothing that is marked is answered where there are no CNPs at all.
    "ce_without_cnp": ("", lambda truth: NEVER if truth.cnps.high else truth.marked),
}
# Of no scenario: SoftRoCE sends no CNPs and no credits, all packets keep the rules, nobody attacks.
NEVER_TRUE = frozenset((
    "icrc_bad_all_tx", "rnr_timer_not_honoured", "credit_stall", "cnp_storm", "cnp_without_reaction", "pfc_pause", "pfc_storm",
    "cnp_class", "cm_timeout", "stale_connection", "opcode_order", "length_mtu", "pad", "transport_operation", "tver",
    "reserved_bits", "pkey_mismatch", "read_depth_exceeded", "rkey_scan", "foreign_requester", "payload_conflict", "used_psn",
    "in_capsule_refused"))
# What is advice, or says what the capture has: true or not, it accuses nobody.
NOTES = frozenset((
    "slow_target", "slow_network", "commands_resent", "commands_unanswered", "credit_starvation", "queue_full", "keep_alive_late", "keep_alive_missing",
    "small_io", "unaligned_io", "in_capsule_unused", "one_busy_queue", "cm_incomplete", "cm_probe", "not_ect",
    "small_messages", "small_mtu", "ack_every_packet", "one_port_entropy", "rkey_predictable", "rkey_reused",
    "qpn_sequential", "psn_start_predictable", "rkey_in_clear"))

# What a view can know of what the whole one knows.
IN_REQUESTS = frozenset(("retransmissions", "go_back_n_waste", "reordering", "icrc_bad", "cm_reject", "cm_retries"))
IN_RESPONSES = frozenset(("nak_sequence", "rnr", "nak_invalid_request", "nak_remote_access", "nak_remote_operational"))
# The number of retries; what a connection carries, which one refused command alone does not show.
IN_SETUP = frozenset(("cm_reject", "cm_retries", "retry_exhausted", "queue_refused"))
# What commands and their responses say, behind the headers of RoCE.
IN_COMMANDS = frozenset(("io_failed", "commands_aborted", "queue_refused"))
SHORTEST_COMMAND = 70  # bytes of a frame, up to a status: 54 to the end of the BTH, 16 of a completion of NVMe
# An ACK that is not there may be one that the capture missed.
OF_WHOLE_CAPTURES = frozenset(("ack_loss_before", "torn_down_outstanding"))
LONGEST_CM_MESSAGE = 342  # bytes of a frame


@dataclasses.dataclass(frozen=True)
class Claim:
    finding: str
    stated: int
    strength: str
    count: int = 1  # findings that it sums up


@dataclasses.dataclass(frozen=True)
class FalseClaim:
    finding: str
    stated: int
    truth: Range
    strength: str

    def __str__(self) -> str:
        true = f"{self.truth.low}" if self.truth.low == self.truth.high else f"{self.truth.low} to {self.truth.high}"
        strength = "" if self.strength == EXACT else f"{self.strength} "
        return f"{self.finding} says {strength}{self.stated}, the truth is {true}"


def strength_of(finding: dict) -> str:
    """The weakest of its quantities."""
    given = finding.get("strength", EXACT)
    strengths = {each.replace("_", " ") for each in (given.values() if isinstance(given, dict) else [given])}
    return next(each for each in (ESTIMATED, AT_LEAST, EXACT) if each in strengths)


def point_of(row: dict) -> int:
    return row.get("capture_point") or 0


def claims_of(report: dict) -> Iterator[Claim]:
    """All findings of one kind that were seen at one capture point, summed up: the weakest says how sure the sum is."""
    of_kind = defaultdict(list)
    points = {connection["number"]: point_of(connection) for connection in report["connections"]}
    timeouts = defaultdict(int)
    for connection in report["connections"]:
        timeouts[point_of(connection)] += sum(side["requests"]["recovery_causes"].get("timeout", 0) for side in connection["sides"])
    only_point = next(iter(points.values())) if len(set(points.values())) == 1 else 0
    for finding in report["findings"]:
        of_kind[finding["id"], point_of(finding) or points.get(finding.get("connection"), only_point)].append(finding)
    for (name, point), findings in of_kind.items():
        key = QUANTITIES.get(name, ("count", None))[0]
        stated = timeouts[point] if key == "timeouts" else sum(finding[key] for finding in findings) if key else len(findings)
        strengths = [strength_of(finding) for finding in findings]
        yield Claim(name, stated, next(each for each in (ESTIMATED, AT_LEAST, EXACT) if each in strengths), len(findings))
        sure = [finding for finding, strength in zip(findings, strengths) if strength != ESTIMATED]
        if key in ("count", "weight") and 0 < len(sure) < len(findings):  # what is estimated beside them excuses none of these
            yield Claim(name, sum(finding[key] for finding in sure), AT_LEAST, len(sure))


def true_quantity(claim: Claim, truth: Truth, view: View) -> Range | None:
    """How much of what a finding states happened. None: it accuses nobody."""
    name = claim.finding
    if name == "packet_loss_between":
        return Range(0, view.lost_between)  # tests/oracle/points_test.py says which packets
    if name == "packet_loss_after" and truth.damaged.high:  # it says "or damaged"
        lost, damaged = truth.lost_after * view.runs, truth.damaged * view.runs
        return Range(lost.low, lost.high + damaged.high)
    if name == "capture_loss":
        # Where it estimates, it says "lost before the capture point or missed by the capture".
        lost = (truth.lost_before.high + truth.responses_lost.high) * view.runs if claim.strength == ESTIMATED else 0
        return Range(view.missing_requests, view.missing + lost)
    if name in QUANTITIES:
        return QUANTITIES[name][1](truth) * view.runs
    if name in NEVER_TRUE:
        return NEVER
    if name == "capture_duplicates":
        # Without the answers, or where few packets came twice, it says "or duplicated by the network".
        is_either = view.is_one_sided or view.has_some_twice
        either = (truth.duplicated * view.runs).high if is_either else 0
        again = (truth.resent * view.runs).high if view.is_one_sided and claim.strength == ESTIMATED else 0  # and "or sent again"
        return Range(0, view.copies + either + again)
    if name == "one_sided":
        return Range(0, 2 * len(view.packets) if view.is_one_sided or view.missing else 0)  # those left may all go one way
    if name == "truncated_capture":
        cut = [packet for packet in view.packets if len(packet.data) < packet.length]
        return Range(sum(packet.port > 0 for packet in cut), len(cut))
    if name in NOTES:
        return ANY
    raise ValueError(f"say in claims.py when the finding {name} is true")


def is_false(claim: Claim, true: Range, view: View) -> bool:
    if true.high == 0:
        return True
    if not QUANTITIES.get(claim.finding, ("count",))[0] or claim.strength == ESTIMATED:
        return False
    if claim.strength == AT_LEAST or view.is_part:
        return claim.stated > true.high
    return not true.low <= claim.stated <= true.high


def false_claims(scenario: Scenario, view: View, report: dict) -> Iterator[FalseClaim]:
    truth = scenario.both_ends if view.is_of_both_ends else scenario.truth
    for claim in claims_of(report):
        true = true_quantity(claim, truth, view)
        if true is not ANY and is_false(claim, true, view):
            yield FalseClaim(claim.finding, claim.stated, true, claim.strength)
    yield from false_rows(scenario, view, report)
    yield from false_comparisons(scenario, view, report)


def false_rows(scenario: Scenario, view: View, report: dict) -> Iterator[FalseClaim]:
    """Queue pairs that are none, and messages that nobody sent or that are counted twice."""
    strangers, messages = 0, defaultdict(int)
    known = {queue_pair for _, queue_pair in scenario.truth.queue_pairs}
    unsure = {finding.get("connection") for finding in report["findings"] if "How many messages there were" in finding["what"]}
    for connection in report["connections"]:
        strangers += any(side.get("qpn") not in (*known, None) for side in connection["sides"])
        if connection["transport"] == "RC" and connection.get("number") not in unsure:
            messages[point_of(connection)] += sum(side["requests"]["messages"] for side in connection["sides"])
    if strangers:
        yield FalseClaim("(a queue pair that is none)", strangers, NEVER, EXACT)
    true = scenario.truth.messages * view.runs
    for stated in messages.values():
        if stated > true.high or view.has_all_requests and view.missing == 0 and stated < true.low:
            yield FalseClaim("(messages)", stated, true, EXACT)


def false_comparisons(scenario: Scenario, view: View, report: dict) -> Iterator[FalseClaim]:
    """Between the two ends of a scenario that captured both, by clocks that do not differ."""
    if not view.is_of_both_ends or not scenario.ends or "clocks" in view.name:
        return
    first, second = ({packet.whole.data[packet.whole.ip:]: packet.time for packet in end if packet.bth} for end in scenario.ends)
    longest = max(abs(second[name] - time) for name, time in first.items() if name in second)
    for row in report["point_comparisons"]:
        if abs(row.get("delay_max", 0)) > longest:
            yield FalseClaim("(delay between two points)", row["delay_max"], Range(0, longest), EXACT)
        if row["reordered_packets"] > 0 and scenario.both_ends.overtaken.high == 0:
            yield FalseClaim("(reordered between two points)", row["reordered_packets"], NEVER, EXACT)


def known_to_whole(scenario: Scenario, report: dict) -> set[str]:
    """The true errors and warnings of the whole view, by finding."""
    severe = {finding["id"] for finding in report["findings"] if finding["severity"] != "note"}
    return {name for name in severe if name in QUANTITIES and QUANTITIES[name][1](scenario.truth).high > 0}


def has_evidence(name: str, whole: dict, view: View) -> bool:
    """Whether a thinned view has any packet that shows it, as far as the whole one lists all of them."""
    left = {packet.original or packet for packet in view.packets}
    findings = [finding for finding in whole["findings"] if finding["id"] == name]
    return any(finding["count"] > len(finding["packets"]) or any(view.whole[number - 1] in left for number in finding["packets"])
               for finding in findings)


def could_be_known(names: set[str], whole: dict, view: View) -> set[str]:
    """Of what the whole view says: what this one could say as well."""
    name = view.name.removeprefix(WITHOUT_IDENTIFICATION)
    if name == "one direction: from the requester":
        # Nothing distinguishes packets lost before it from packets that it missed, and it says so.
        unseen = {"capture_loss"} if "packet_loss_before" in names else set()
        names = names & IN_REQUESTS | unseen
        # If hosts do not number their packets either, nothing distinguishes overtaken packets from retransmissions.
        if name != view.name:
            names = names - {"capture_loss", "reordering"}
    elif name == "one direction: to the requester":
        names = names & (IN_RESPONSES | {"cm_reject"})
    elif name == "only responses":
        names = names & IN_RESPONSES
    if view.lacks_setup or name == "begins in the middle" or 0 < view.cut < LONGEST_CM_MESSAGE:
        names = names - IN_SETUP
    if view.missing:
        names = {name for name in names - OF_WHOLE_CAPTURES if has_evidence(name, whole, view)}
    elif view.whole:
        names = {name for name in names if name not in IN_SETUP | IN_COMMANDS or has_evidence(name, whole, view)}
    if 0 < view.cut < SHORTEST_COMMAND:
        names = names - IN_COMMANDS
    if view.cut:
        names = names - {"icrc_bad"}
    if f"{view.name}, ".startswith(WITHOUT_IDENTIFICATION):
        # Where hosts do not number their packets, an answer to the copy of a request looks like a copy of the answer.
        needless = [finding["what"] for finding in whole["findings"] if finding["id"] == "spurious_retransmission"]
        if all("the receiver answered both copies" in what for what in needless):
            names = names - {"spurious_retransmission"}
    if view.is_part:
        first, last = view.packets[0].time, view.packets[-1].time
        names = names & {finding["id"] for finding in whole["findings"]
                         if first < finding.get("first_time", 0) and finding["last_time"] <= last}
    return names
