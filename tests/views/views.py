"""The captures that people have of what happened: one side only, cut, thinned, twice, merged, wrapped, ...

Each view is made of the bytes of a whole capture. What is cut away, moved or copied is known, and so is what is left of the truth.
"""
from __future__ import annotations

import collections
import dataclasses
import random
import struct
from collections.abc import Callable, Iterator

from packets import Packet
from scenarios import Scenario

MICROSECOND, MILLISECOND, SECOND = 1_000, 1_000_000, 1_000_000_000
SNAP_LENGTHS = (64, 96, 128, 256)
THINNED = (1, 10, 30)  # per cent that are missing
# By name and per cent: other seeds, of which what is left looked like something that did not happen.
THINNED_AGAIN = {
    ("fault-rnr", 1): (6,), ("fault-rnr", 10): (5, 400), ("fault-rnr", 30): (1, 2, 400, 402, 701, 1000),
    ("ipv6_lost-read", 3): (12,), ("ipv6_lost-read", 10): (20,),
    ("impaired_out-duplicate_heavy", 30): (6,), ("impaired_out-loss_light", 1): (1, 4),
    ("rdmagen-cm-param-server", 30): (3,), ("rdmagen-cm-pingpong", 3): (2,), ("rdmagen-cm-pingpong", 10): (4, 5),
    ("nvme_refused", 30): (402,), ("rping", 30): (309,), ("two_views-corrupt@sent", 1): (400,),
    ("two_views-duplicate@arrived", 30): (5,), ("two_views-jitter@arrived", 30): (4,),
    ("two_views-loss_heavy@arrived", 3): (4,), ("two_views-loss_heavy@arrived", 30): (4,),
    ("two_views-loss_light@arrived", 10): (1,), ("two_views-reorder@arrived", 30): (2, 6),
    ("several", 30): (200, 205, 500),
    ("two_views-reorder@sent", 3): (205,), ("two_views-reorder@sent", 10): (1, 401), ("two_views-reorder@sent", 30): (1,)}
SOME_TWICE = 30  # percent
COPY_DELAYS = (1, 20, 200)  # microseconds
WIRE_DELAY = 30 * MICROSECOND  # from one end to the other
SKEW = 50 * MICROSECOND
BETWEEN_RUNS = 5 * SECOND
WITHOUT_IDENTIFICATION = "identification 0, "
UNCOUNTED = ("one direction: from the requester", "begins in the middle", "twice: 20 us apart", "some twice", "both ends: two interfaces",
             "both ends: one interface", "both ends: clocks 3 ms apart, one interface", "both ends: clocks 2 s apart, one interface")
OTHER_PSNS = 5_000_000  # from those of one run to those of the next
# By name: a view of both ends, without identification.
MERGED_AGAIN = {"ucmatose": "both ends: clocks 3 ms apart, one interface",
                "two_views-corrupt@sent": "both ends: clocks 2 s apart, one interface"}
# The same with identification.
COUNTED_AGAIN = {"two_views-reorder@sent": "both ends: clocks 2 s apart, one interface"}


@dataclasses.dataclass
class View:
    name: str
    packets: list[Packet]
    runs: int = 1
    copies: int = 0              # packets that are in it twice
    has_some_twice: bool = False  # and not all
    digits: int = 9              # of its time stamps
    missing_requests: int = 0    # that are not in it, though requests before and behind them are
    missing: int = 0             # these, and responses
    is_part: bool = False        # it lacks a part of the time, or a whole queue pair, so of a quantity only a part may be stated
    has_all_requests: bool = True
    cut: int = 0                 # bytes of each packet; 0: whole
    is_one_sided: bool = False
    lacks_setup: bool = False
    is_of_both_ends: bool = False
    lost_between: int = 0        # requests that one end has and the other has not, at the most
    whole: list[Packet] = dataclasses.field(default_factory=list)  # of a thinned one, one direction or queue pair: what it was made of


def by_time(packets: list[Packet]) -> list[Packet]:
    return sorted(packets, key=lambda packet: packet.time)


def requester_of(scenario: Scenario) -> bytes:
    """The host that sends the most requests; without requests of RC the one that sends the most."""
    sources = collections.Counter(packet.source for packet in scenario.roce if packet.is_request)
    return (sources or collections.Counter(packet.source for packet in scenario.roce)).most_common(1)[0][0]


def sides(scenario: Scenario) -> Iterator[View]:
    requester = requester_of(scenario)
    yield View("one direction: from the requester", [packet for packet in scenario.packets if packet.source == requester],
               whole=scenario.packets, is_one_sided=True, has_all_requests=False)
    yield View("one direction: to the requester", [packet for packet in scenario.packets if packet.source != requester],
               whole=scenario.packets, is_one_sided=True, has_all_requests=False)
    yield View("only responses", [packet for packet in scenario.roce if packet.is_response], is_one_sided=True,
               has_all_requests=False)


def parts(scenario: Scenario) -> Iterator[View]:
    whole = scenario.packets
    yield View("without set-up", scenario.roce, lacks_setup=True)
    middle = scenario.roce[len(scenario.roce) // 2].time
    yield View("begins in the middle", [packet for packet in whole if packet.time >= middle], is_part=True, has_all_requests=False)
    yield View("ends in the middle", [packet for packet in whole if packet.time < middle], is_part=True, has_all_requests=False)
    pairs = collections.Counter(packet.queue_pair for packet in scenario.roce)
    if len(pairs) > 2:
        chosen = pairs.most_common(1)[0][0]
        its = [packet for packet in scenario.roce if packet.queue_pair == chosen]
        ways = collections.Counter(packet.source for packet in its)  # its peer has the same number as a rule, but not always
        yield View("one queue pair", its, whole=whole, is_part=True, has_all_requests=False, lacks_setup=True,
                   is_one_sided=len(ways) < 2 or 8 * min(ways.values()) < max(ways.values()))


def cut(scenario: Scenario) -> Iterator[View]:
    for length in SNAP_LENGTHS:
        yield View(f"cut to {length}", [packet.changed(data=packet.data[:length]) for packet in scenario.packets], cut=length)


def without_some(scenario: Scenario, percent: int, seed: str, name: str) -> View:
    randoms = random.Random(f"{scenario.name} {percent}{seed}")
    left = [packet for packet in scenario.packets if randoms.randrange(100) >= percent]
    kept = set(left)
    missing = [packet for packet in scenario.roce if packet not in kept]
    return View(name, left, whole=scenario.packets, has_all_requests=False, missing=len(missing),
                missing_requests=sum(packet.is_request for packet in missing))


def thinned(scenario: Scenario) -> Iterator[View]:
    for percent in THINNED:
        yield without_some(scenario, percent, "", f"{percent} % missing")


def thinned_again(scenario: Scenario) -> Iterator[View]:
    for (name, percent), seeds in THINNED_AGAIN.items():
        for seed in seeds if name == scenario.name else ():
            yield without_some(scenario, percent, f" hunt {seed}", f"again: {percent} % missing")


def vlan(packet: Packet) -> bytes:
    return packet.data[:12] + b"\x81\x00\x00\x65" + packet.data[12:]


def copied(scenario: Scenario) -> Iterator[View]:
    def twice(name: str, delay: int, copy: Callable[[Packet], Packet]) -> View:
        copies = [copy(packet.changed(time=packet.time + delay)) for packet in scenario.packets]
        return View(name, by_time(scenario.packets + copies), copies=len(scenario.roce))

    for delay in COPY_DELAYS:
        yield twice(f"twice: {delay} us apart", delay * MICROSECOND, lambda packet: packet)
    # A mirror that has some packets twice, as where it copies both ports of a switch that some of them pass.
    randoms = random.Random(f"{scenario.name} twice")
    some = [packet for packet in scenario.packets if randoms.randrange(100) < SOME_TWICE]
    yield View("some twice", by_time(scenario.packets + [packet.changed(time=packet.time + 3 * MICROSECOND) for packet in some]),
               copies=sum(packet.bth > 0 for packet in some), has_some_twice=True)
    yield twice("twice: second interface", 20 * MICROSECOND, lambda packet: packet.changed(interface=1))
    yield twice("twice: copy with VLAN", 20 * MICROSECOND,
                lambda packet: packet.changed(data=vlan(packet), length=packet.length + 4))
    yield twice("twice: second interface, VLAN", 20 * MICROSECOND,
                lambda packet: packet.changed(data=vlan(packet), length=packet.length + 4, interface=1))


def merged(scenario: Scenario) -> Iterator[View]:
    """The captures of both ends. Without a capture of the other end it saw the same packets: those to it later, its own sooner."""
    requester = requester_of(scenario)
    if scenario.ends:
        first, second = scenario.ends
        second = [packet.changed() for packet in second]
    else:
        first = scenario.packets
        second = [packet.changed(time=packet.time + (WIRE_DELAY if packet.source == requester else -WIRE_DELAY))
                  for packet in first]

    sent, arrived = (collections.Counter(packet.data for packet in end if packet.bth > 0 and packet.source == requester)
                     for end in (first, second))
    lost = (sent - arrived).total()

    def view(name: str, interface: int, clock: int) -> View:
        other = [packet.changed(interface=interface, time=packet.time + clock) for packet in second]
        return View(name, by_time(first + other), copies=sum(packet.bth > 0 for packet in other),
                    is_of_both_ends=True, lost_between=lost)

    yield view("both ends: two interfaces", 1, 0)
    yield view("both ends: one interface", 0, 0)
    yield view("both ends: clocks 3 ms apart", 1, 3 * MILLISECOND)
    yield view("both ends: clocks 3 ms apart, one interface", 0, 3 * MILLISECOND)
    yield view("both ends: clocks 2 s apart", 1, 2 * SECOND)
    yield view("both ends: clocks 2 s apart, one interface", 0, 2 * SECOND)


def timed(scenario: Scenario) -> Iterator[View]:
    requester = requester_of(scenario)
    skewed = [packet if packet.source == requester else packet.changed(time=packet.time - SKEW) for packet in scenario.packets]
    yield View("answers 50 us early", by_time(skewed))
    skewed = [packet if packet.source != requester else packet.changed(time=packet.time - SKEW) for packet in scenario.packets]
    yield View("requests 50 us early", by_time(skewed))
    yield View("microseconds", scenario.packets, digits=6)


def repeated(scenario: Scenario) -> Iterator[View]:
    """Runs behind each other, each with PSNs of its own."""
    apart = scenario.packets[-1].time - scenario.packets[0].time + BETWEEN_RUNS
    for runs in (2, 3):
        for name, packets in (("", scenario.packets), (" without set-up", scenario.roce)):
            yield View(f"{runs} runs{name}", [packet.of_other_run(run, OTHER_PSNS).changed(time=packet.time + run * apart)
                                              for run in range(runs) for packet in packets], runs=runs,
                       lacks_setup=packets is scenario.roce)


def _outer(protocol: int, payload: bytes) -> bytes:
    addresses = bytes((10, 9, 9, 1, 10, 9, 9, 2))
    ip = struct.pack(">BBHHHBBH8s", 0x45, 0, 20 + len(payload), 0, 0x4000, 64, protocol, 0, addresses)
    return b"\x02\x00\x00\x00\x00\x02\x02\x00\x00\x00\x00\x01\x08\x00" + ip + payload


def vxlan(data: bytes) -> bytes:
    inner = b"\x08\x00\x00\x00\x00\x00\x07\x00" + data
    return _outer(17, struct.pack(">HHHH", 49152, 4789, 8 + len(inner), 0) + inner)


def erspan(data: bytes, number: int) -> bytes:
    return _outer(47, struct.pack(">HHIHHI", 0x1000, 0x88BE, number, 0x1000, 0x0001, 0) + data)


def wrapped(scenario: Scenario) -> Iterator[View]:
    """A mirror sends each packet in a tunnel past the same capture."""
    for name, wrap in (("VXLAN", lambda data, number: vxlan(data)), ("ERSPAN", erspan)):
        packets = []
        for number, packet in enumerate(scenario.packets):
            data = wrap(packet.data, number)
            packets += [packet, packet.changed(data=data, length=packet.length + len(data) - len(packet.data),
                                               time=packet.time + 5 * MICROSECOND)]
        yield View(f"beside {name}", by_time(packets), copies=len(scenario.roce))


def uncounted(scenario: Scenario) -> Iterator[View]:
    """Only its time distinguishes a retransmission from the first copy of the packet."""
    if not scenario.roce:
        return
    other = scenario.without_identification()
    yield View("identification 0", other.packets)
    for maker in (sides, parts, copied, merged):
        for view in maker(other):
            if view.name in UNCOUNTED:
                yield dataclasses.replace(view, name=WITHOUT_IDENTIFICATION + view.name)


def judged_again(scenario: Scenario) -> Iterator[View]:
    """What was once judged falsely, of scenarios that are not common."""
    yield from thinned_again(scenario)
    for view in merged(scenario) if scenario.name in COUNTED_AGAIN else ():
        if view.name == COUNTED_AGAIN[scenario.name]:
            yield dataclasses.replace(view, name=f"again: {view.name}")
    for view in uncounted(scenario) if scenario.name in MERGED_AGAIN else ():
        if view.name == WITHOUT_IDENTIFICATION + MERGED_AGAIN[scenario.name]:
            yield dataclasses.replace(view, name=f"again: {view.name}")


def views_of(scenario: Scenario) -> Iterator[View]:
    yield View("whole", scenario.packets)
    if not scenario.roce:
        return
    for maker in (sides, parts, cut, thinned, thinned_again, copied, timed, repeated, wrapped, uncounted):
        yield from (view for view in maker(scenario) if any(packet.bth and not packet.is_setup for packet in view.packets))
    if not scenario.name.endswith("@arrived"):
        yield from merged(scenario)
