"""The captures with a truth, and what truly happened in each.

The truth comes from netem's and the devices' counters before and after, from what rdmagen posted and got, and from the captures on
both sides of an impaired network: never from rocescope. SoftRoCE counts its IPv4 packets, so the order of sending, and whether two
packets are copies of one, is known from the bytes of the capture.
"""
from __future__ import annotations

import bisect
import collections
import dataclasses
import ipaddress
import json
import pathlib
import re

import packets as bytes_of
from packets import ATOMICS, CNP, READ_REQUEST, Packet

CAPTURES = pathlib.Path(__file__).resolve().parents[2] / "captures"
LONG_SILENCE = 50_000_000  # ns; the ACK timers of the scenarios last 67 ms and longer
SEQUENCE_NAK, RNR_NAK = 0x60, 0x20  # syndromes; the lower bits of RNR_NAK are its timer
ENDS_OF_MESSAGES = frozenset((0x02, 0x03, 0x04, 0x05, 0x08, 0x09, 0x0A, 0x0B, READ_REQUEST, *ATOMICS, 0x16, 0x17, 0x1C, 0x1D))


@dataclasses.dataclass(frozen=True)
class Range:
    """A quantity, as far as it is known."""
    low: int = 0
    high: int = 0

    def __mul__(self, times: int) -> Range:
        return Range(self.low * times, self.high * times)


@dataclasses.dataclass
class Truth:
    """What happened, in the whole capture."""
    lost_before: Range = Range()     # requests, before the capture point
    lost_after: Range = Range()
    responses_lost: Range = Range()  # of READs, before the capture point
    responses_lost_after: Range = Range()
    acks_lost: Range = Range()       # before the capture point; NAKs as well
    acks_lost_after: Range = Range()
    damaged: Range = Range()
    duplicated: Range = Range()      # by the network
    overtaken: Range = Range()       # packets that came behind one that was sent later
    resent: Range = Range()          # requests, those included that the capture point did not see
    timeouts: Range = Range()        # recoveries
    needless: Range = Range()        # requests that the responder had carried out before
    sequence_naks: Range = Range()
    rnr_naks: Range = Range()
    refused_invalid: Range = Range()
    refused_access: Range = Range()
    refused_operational: Range = Range()
    gave_up: Range = Range()
    rejected: Range = Range()
    failed_io: Range = Range()       # commands of NVMe's I/O queues, READs and WRITEs of NFS
    refused_queues: Range = Range()  # Connects of NVMe, and authentication
    aborted: Range = Range()         # requests of SCSI to abort a command, or to reset a unit
    issued_again: Range = Range()    # READs and WRITEs of SCSI after one alike that failed or did not end
    failed_admin: Range = Range()    # other commands of NVMe's admin queues
    cm_repeated: Range = Range()
    left_outstanding: Range = Range()
    marked: Range = Range()
    cnps: Range = Range()
    messages: Range = Range()        # of RC
    queue_pairs: frozenset[tuple[bytes, int]] = frozenset()


def of_smb(event: dict) -> tuple[int, int]:
    """Whether the command failed that the client's kernel traced: as one that moves data, as one that asks to be let in."""
    match = re.search(r"\bcmd=(\d+) .*status=(0x\w+)", event["text"]) if event["name"] == "smb3_cmd_err" else None
    if not match:
        return 0, 0
    command, status = int(match[1]), int(match[2], 16)
    end_of_file, more_processing = 0xC0000011, 0xC0000016
    return command in (7, 8, 9) and status != end_of_file, command in (0, 1, 3) and status != more_processing


def issued_again(events: list[dict]) -> int:
    """READs and WRITEs that the kernel's SCSI layer dispatched while the same one before had not succeeded."""
    again, failed = 0, {}  # by the command's bytes; failed until it succeeds
    for event in events:
        match = re.search(r"cmnd=\((?:READ|WRITE)_\d.* raw=([\w ]+)\)", event["text"])
        if match and event["name"] == "scsi_dispatch_cmd_start":
            again += failed.get(match[1], False)
            failed[match[1]] = True
        elif match and event["name"] == "scsi_dispatch_cmd_done":
            failed[match[1]] = "status=SAM_STAT_GOOD" not in event["text"]
    return again


def read_traces(truth: Truth, all_events: list[dict]) -> None:
    """Commands of NVMe, SCSI and SMB, requests of RNBD and calls of NFS that the client's kernel saw fail, and logins that its programs saw
    refused."""
    events = [event for event in all_events if event["on"] == "client"]
    connects: dict[str, bool] = {}  # by controller and queue, and Command ID
    io, queues, admin = 0, 0, 0
    for event in events:
        if event["name"].endswith("xdr_status"):  # NFS: for operations that neither read nor write, the error is an answer: the file does not exist
            io += re.search(r" (READ|WRITE|COMMIT) error=| operation=(5|25|38)$", event["text"]) is not None
        if event["name"] == "scsi_dispatch_cmd_done" and "status=SAM_STAT_GOOD" not in event["text"]:
            is_io = re.search(r"cmnd=\((READ|WRITE|VERIFY|SYNCHRONIZE_CACHE|UNMAP|COMPARE)[_0-9]", event["text"]) and "CAPACITY" not in event["text"]
            io, admin = io + bool(is_io), admin + (not is_io)
        io += re.search(r"\[-\d+\]$", event["text"]) is not None if event["name"] == "block_rq_complete" else 0
        io, queues = (before + more for before, more in zip((io, queues), of_smb(event)))
        queues += event["text"].startswith("iscsi login refused")
        match = re.match(r"(\w+:) (?:disk=\w+, )?(qid=\d+, cmdid=\d+)", event["text"])
        if not match:
            continue
        if event["name"] == "nvme_setup_cmd":
            connects[match[0]] = "_connect" in event["text"] or "_auth_" in event["text"]
        elif not re.search(r" status=0x(0|\w?37[01])\b", event["text"]):  # 0x370, 0x371: the host gave up, no response has them
            connect, is_admin = connects.get(match[0], False), "qid=0," in match[2]
            io, queues, admin = io + (not connect and not is_admin), queues + connect, admin + (is_admin and not connect)
    # A host that authenticated enables the controller. If not, one side refused the other, in a command that succeeds.
    texts = [event["text"] for event in events]
    if any("_auth_" in text for text in texts) and not any("_property_set" in text for text in texts):
        queues = max(queues, 1)
    # What a server of RTRS refuses is I/O, or a device that it does not open.
    queues += max(0, sum(re.search(r" err='-\d+'", event["text"]) is not None for event in all_events if event["name"] == "send_io_resp_imm") - io)
    truth.failed_io, truth.refused_queues, truth.failed_admin = exactly(io), exactly(queues), exactly(admin)
    # The initiator's kernel aborts what has no end, and resets the unit if that does not help.
    endless = sum(event["name"] == "scsi_dispatch_cmd_start" for event in events) - sum(event["name"] == "scsi_dispatch_cmd_done" for event in events)
    truth.aborted = Range(endless, 2 * endless)
    truth.issued_again = exactly(issued_again(events))


def seen_at_both(first: Truth, second: Truth) -> Truth:
    """Of each quantity what was seen at either of two points."""
    def either(name: str) -> Range | frozenset:
        one, other = getattr(first, name), getattr(second, name)
        return Range(min(one.low, other.low), max(one.high, other.high)) if isinstance(one, Range) else one | other
    return Truth(**{field.name: either(field.name) for field in dataclasses.fields(Truth)})


def psn_distance(a: int, b: int) -> int:
    ahead = (b - a) % (1 << 24)
    return ahead if ahead < 1 << 23 else ahead - (1 << 24)


def exactly(value: int) -> Range:
    return Range(value, value)


def duplicates_at_responder(packets: list[Packet]) -> int:
    """Requests that a responder had carried out before, of those that arrived in this order: it takes only the next PSN."""
    awaited: dict[tuple, int] = {}
    count = 0
    mtu = path_mtu_of(packets)
    for packet in packets:
        if not packet.is_request or packet.is_damaged():
            continue
        behind = psn_distance(awaited.setdefault(packet.flow, packet.psn), packet.psn)
        if behind == 0:
            span = max(1, -(-packet.read_length // mtu)) if packet.opcode == READ_REQUEST else 1
            awaited[packet.flow] = (packet.psn + span) % (1 << 24)
        count += behind < 0
    return count


class Answers:
    """What came back to the requests of a queue pair."""

    def __init__(self, flow: list[Packet], responses: list[Packet]):
        self.both = sorted([*flow, *responses], key=lambda packet: packet.time)
        self.times = [packet.time for packet in self.both]
        self.not_ready: list[bool] = []  # whether the last response up to each of both is an RNR NAK
        is_not_ready = False
        for packet in self.both:
            if packet.is_response and not (packet.opcode == bytes_of.ACKNOWLEDGE and packet.syndrome == SEQUENCE_NAK):
                is_not_ready = packet.opcode == bytes_of.ACKNOWLEDGE and packet.syndrome & 0xE0 == RNR_NAK
            self.not_ready.append(is_not_ready)
        self.response_times = sorted(packet.time for packet in responses)
        self.ack_times, self.acknowledged = [], []
        for packet in responses:
            has_error = packet.opcode == bytes_of.ACKNOWLEDGE and packet.syndrome & 0x60
            psn = (packet.psn - 1) % (1 << 24) if has_error else packet.psn
            if not self.acknowledged or psn_distance(self.acknowledged[-1], psn) > 0:
                self.ack_times.append(packet.time)
                self.acknowledged.append(psn)

    def silence_before(self, request: Packet) -> int:
        """Nanoseconds; 0 where an RNR NAK explains it."""
        at = bisect.bisect_left(self.times, request.time) - 1
        return 0 if at < 0 or self.not_ready[at] else request.time - self.times[at]

    def without_response(self, request: Packet) -> int:
        """Nanoseconds: how long the responder had said nothing."""
        at = bisect.bisect_left(self.response_times, request.time) - 1
        return request.time - self.response_times[at] if at >= 0 else 0

    def had_acknowledged(self, request: Packet) -> bool:
        at = bisect.bisect_left(self.ack_times, request.time) - 1
        return at >= 0 and psn_distance(request.psn, self.acknowledged[at]) >= 0


class Requests:
    """The requests of a capture in the order in which they were sent."""

    def __init__(self, packets: list[Packet], path_mtu: int):
        self.path_mtu = path_mtu
        self.duplicates: set[Packet] = set()  # second copies of one packet
        self.late: set[Packet] = set()
        self.resent: set[Packet] = set()
        self.silent: list[Packet] = []        # resent first after a long silence of both hosts, without an RNR NAK before it
        self.acknowledged: list[Packet] = []  # resent although an ACK had passed
        self.waiting = 0  # runs of resent packets that began a long time after the last response
        self.messages = self.distinct = self.seen = 0
        flows, answers = collections.defaultdict(list), collections.defaultdict(list)
        for packet in packets:
            if packet.is_request:
                flows[packet.flow].append(packet)
            elif packet.is_response:
                answers[packet.source, packet.destination].append(packet)
        for (source, destination, _), flow in flows.items():
            psns = {packet.psn for packet in flow}
            coming = collections.defaultdict(list)
            for packet in answers[destination, source]:
                coming[packet.queue_pair].append(packet)
            # The queue pair that answers is the one whose PSNs are those of the requests.
            responses = max(coming.values(), key=lambda each: sum(packet.psn in psns for packet in each), default=[])
            self._judge(self._in_order_of_sending(flow), Answers(flow, responses))

    def _in_order_of_sending(self, flow: list[Packet]) -> list[Packet]:
        if len(flow[0].source) != 4:
            return flow
        place = {flow[0]: 0}
        at, last, highest = 0, flow[0].identification, 0
        known = {flow[0].identification: flow[0].data}
        for packet in flow[1:]:
            step = (packet.identification - last) % 65536
            at += step - 65536 if step > 32768 else step
            last = packet.identification
            if known.get(packet.identification, b"")[packet.bth:] == packet.data[packet.bth:]:
                self.duplicates.add(packet)
                continue
            known[packet.identification] = packet.data
            place[packet] = at
            if at < highest:
                self.late.add(packet)
            highest = max(highest, at)
        return sorted(place, key=place.get)

    def _judge(self, flow: list[Packet], answers: Answers) -> None:
        top, ends, starts, reads, going_back = None, set(), set(), [], None
        for packet in flow:
            span = max(1, -(-packet.read_length // self.path_mtu)) if packet.opcode == READ_REQUEST else 1
            self.seen += 1
            again = top is not None and psn_distance(top, packet.psn) <= 0
            is_rest = any(0 < psn_distance(psn, packet.psn) < length for psn, length in reads)
            if packet.opcode == READ_REQUEST and not is_rest:
                reads.append((packet.psn, span))
            if not is_rest:
                starts.add(packet.psn)
                if packet.opcode in ENDS_OF_MESSAGES:
                    ends.add(packet.psn)
            if again:
                self.resent.add(packet)
                if answers.silence_before(packet) > LONG_SILENCE:
                    self.silent.append(packet)
                if answers.had_acknowledged(packet):
                    self.acknowledged.append(packet)
                self.waiting += packet.psn != going_back and answers.without_response(packet) > LONG_SILENCE
            last = (packet.psn + span - 1) % (1 << 24)
            going_back = (last + 1) % (1 << 24) if again else None
            top = last if top is None or psn_distance(top, last) > 0 else top
        self.messages += len(ends)
        self.distinct += len(starts)


def path_mtu_of(packets: list[Packet]) -> int:
    """Of RC: the payload of a First or Middle."""
    for packet in packets:
        if packet.is_request and packet.opcode in (0x01, 0x07) or packet.is_response and packet.opcode == 0x0E:
            return len(packet.data) - packet.bth - 16
    return 1024


def of_bytes(packets: list[Packet]) -> tuple[Truth, Requests]:
    """What the bytes of a capture prove by themselves."""
    good = [packet for packet in packets if packet.bth and not packet.is_damaged()]
    requests = Requests(good, path_mtu_of(good))
    acknowledges = [packet for packet in good if packet.opcode == bytes_of.ACKNOWLEDGE]
    setups = collections.Counter(packet.data[packet.bth + 20:packet.bth + 20 + 24] for packet in good if packet.is_setup)
    truth = Truth(
        damaged=exactly(sum(packet.bth > 0 for packet in packets) - len(good)),
        duplicated=exactly(len(requests.duplicates)),
        overtaken=Range(len(requests.late - requests.resent), len(requests.late)),
        resent=exactly(len(requests.resent)),
        timeouts=exactly(len(requests.silent)),
        sequence_naks=exactly(sum(packet.syndrome == SEQUENCE_NAK for packet in acknowledges)),
        rnr_naks=exactly(sum(packet.syndrome & 0xE0 == RNR_NAK for packet in acknowledges)),
        cm_repeated=exactly(sum(setups.values()) - len(setups)),
        marked=exactly(sum(packet.is_marked for packet in good)),
        cnps=exactly(sum(packet.opcode == CNP for packet in good)),
        messages=exactly(requests.messages),
        queue_pairs=frozenset((packet.destination, packet.queue_pair) for packet in good))
    return truth, requests


def needless(duplicates: int, requests: Requests) -> Range:
    """Requests that were sent again although an ACK had passed. Some were lost on their way to the responder, which counts others."""
    return Range(0, max(len(requests.acknowledged), duplicates))


def of_others(lost: int, packets: list[Packet]) -> Range:
    """How many of them were ACKs."""
    reads = of_reads(lost, packets)
    return Range(lost - reads.high, lost - reads.low)


def of_reads(lost: int, packets: list[Packet]) -> Range:
    """How many of the responses that were lost belonged to READs: all where all requests are READs."""
    asked = {packet.opcode == READ_REQUEST for packet in packets if packet.is_request}
    return Range(lost if asked == {True} else 0, lost if True in asked else 0)


class Scenario:
    """A capture with what happened in it."""

    def __init__(self, name: str, packets: list[Packet], truth: Truth, requests: Requests, ends: list[list[Packet]] | None = None):
        self.name, self.packets, self.truth, self.requests = name, packets, truth, requests
        self.ends = ends  # what was seen at each of two points; None: both saw the same
        self.both_ends = truth  # where the captures of both ends are merged
        self.roce = [packet for packet in packets if packet.bth and not packet.is_setup]

    def without_identification(self) -> Scenario:
        """The same, of senders that do not count their IPv4 packets."""
        ends = [[packet.without_identification() for packet in end] for end in self.ends] if self.ends else self.ends
        other = Scenario(self.name, [packet.without_identification() for packet in self.packets], self.truth, self.requests, ends)
        other.both_ends = self.both_ends
        return other


class Counters:
    """What the lab measured: differences of counters, of both hosts."""

    def __init__(self, facts: list[dict]):
        self.facts = facts
        self.hosts = {fact["name"]: fact["address"] for fact in self.of("host")}

    def of(self, event: str) -> list[dict]:
        return [fact for fact in self.facts if fact["event"] == event]

    def device(self, counter: str, host: str = "") -> int:
        return sum((1 if fact["when"] == "after" else -1) * fact["hw_counters"].get(counter, 0)
                   for fact in self.of("counters") if fact.get("on") and host in ("", fact["on"]))

    def dropped(self, way: str, host: str = "") -> int:
        return sum(fact["dropped"] for fact in self.of("queue")
                   if fact["way"] == way and host in ("", fact["on"]) and "ecn" not in self.netem(fact["on"], way))

    def netem(self, host: str, way: str) -> str:
        return " ".join(fact["netem"] for fact in self.of("impairment") if (fact["on"], fact["way"]) == (host, way))

    def completions(self, *statuses: str) -> Range:
        return exactly(sum(fact["status"] in statuses for fact in self.of("completion")))


def of_lab(path: pathlib.Path) -> Scenario:
    packets = bytes_of.read(path)
    counters = Counters([json.loads(line) for line in path.with_suffix(".ndjson").open()])
    truth, requests = of_bytes(packets)
    # netem on the way out of a host is before the captures of the wire, netem on the way in is behind them. Mostly one host sends all
    # requests, where the network loses packets.
    requester = "client"
    answering = {"client": "server", "server": "client"}
    truth.lost_before = exactly(counters.dropped("out", requester))
    truth.lost_after = exactly(counters.dropped("in", answering[requester]))
    truth.responses_lost = of_reads(counters.dropped("out", answering[requester]), packets)
    truth.responses_lost_after = of_reads(counters.dropped("in", requester), packets)
    truth.acks_lost = of_others(counters.dropped("out", answering[requester]), packets)
    truth.acks_lost_after = of_others(counters.dropped("in", requester), packets)
    before, after = counters.dropped("out"), counters.dropped("in")
    if (before or after) and {fact.source for fact in packets if fact.is_request and not fact.is_damaged()} != {
            ipaddress.ip_address(counters.hosts[requester]).packed}:
        # Both hosts send requests: whose were lost is not known.
        truth.lost_before = truth.responses_lost = truth.acks_lost = Range(0, before)
        truth.lost_after = truth.responses_lost_after = truth.acks_lost_after = Range(0, after)
    sent = requests.seen + truth.lost_before.high + truth.damaged.high
    truth.resent = Range(len(requests.resent), max(len(requests.resent), sent - requests.distinct))
    # SoftRoCE counts all recoveries but those by RNR NAKs, and apart from them the NAKs that it followed.
    counted = counters.device("completer_retry_err") - counters.device("rcvd_seq_err")
    if truth.rnr_naks.high == 0 and counted > 0:
        truth.timeouts = Range(min(truth.timeouts.low, counted), max(truth.timeouts.high, counted))
    truth.needless = needless(counters.device("duplicate_request") - truth.duplicated.high, requests)
    truth.refused_invalid = counters.completions("REM_INV_REQ_ERR")
    truth.refused_access = counters.completions("REM_ACCESS_ERR")
    truth.refused_operational = counters.completions("REM_OP_ERR")
    truth.gave_up = counters.completions("RETRY_EXC_ERR", "RNR_RETRY_EXC_ERR")
    truth.rejected = exactly(sum(fact["type"] == "REJECTED" for fact in counters.of("cm_event")))
    read_traces(truth, counters.of("trace"))
    for fact in counters.of("expectation"):
        if fact["what"] == "^refused$":  # attempts to connect, which the CM rejected where the target saw no Connect
            truth.rejected = exactly(fact["found"] - truth.refused_queues.high)
    # A client of SMB Direct tries the port 5445 before each connection to 445. Nobody listens there.
    probes = sum("cmd=0 mid=0" in fact["text"] for fact in counters.of("trace") if fact["name"] == "smb3_cmd_enter")
    truth.rejected = Range(truth.rejected.low, truth.rejected.high + probes)
    failed = [fact for fact in counters.of("completion") if fact["status"] != "SUCCESS"]
    truth.left_outstanding = Range(0, len(packets) if counters.of("kill") else len(failed))
    return Scenario(path.stem, packets, truth, requests)


def of_two_views(path: pathlib.Path) -> list[Scenario]:
    """What was seen before and behind the impaired network. Responses are seen once, by both."""
    packets = bytes_of.read(path)
    wire = next(packet.way[0] for packet in packets if not packet.way[1])
    sent = [packet for packet in packets if packet.way[0] == wire]
    arrived = [packet for packet in packets if packet.way[0] != wire or packet.way[1]]
    true, requests = of_bytes(sent)
    whole = {(packet.identification, packet.data) for packet in arrived}
    lost = [packet for packet in sent if packet.is_request and (packet.identification, packet.data) not in whole]
    seen, arrivals = of_bytes(arrived)
    damaged = seen.damaged.high
    resent = Range(len(requests.resent - set(lost)), len(requests.resent))
    name = path.name.removesuffix(".pcap.gz")
    responses_lost = Range(0, len(sent) if "responses" in name else 0)
    duplicates = duplicates_at_responder(arrived) - seen.duplicated.high
    common = dict(timeouts=Range(0, max(true.timeouts.high, requests.waiting)), responses_lost=responses_lost, acks_lost=responses_lost,
                  acks_lost_after=responses_lost)
    before = dataclasses.replace(true, lost_after=exactly(len(lost)), needless=needless(duplicates, requests), **common)
    behind = dataclasses.replace(seen, needless=needless(duplicates, arrivals), lost_before=Range(len(lost) - damaged, len(lost)), resent=resent, messages=true.messages,
                                 queue_pairs=true.queue_pairs, overtaken=seen.overtaken, **common)
    first = Scenario(f"{name}@sent", sent, before, requests, [sent, arrived])
    first.both_ends = seen_at_both(before, behind)
    return [first, Scenario(f"{name}@arrived", arrived, behind, arrivals)]


def read_all(chosen=lambda name: True) -> list[Scenario]:
    scenarios = [of_lab(path.with_suffix(".pcapng")) for path in sorted(CAPTURES.glob("*.ndjson")) if chosen(path.stem)]
    for path in sorted(CAPTURES.glob("two_views*.pcap.gz")):
        if chosen(path.name.removesuffix(".pcap.gz")):
            scenarios += of_two_views(path)
    return scenarios
