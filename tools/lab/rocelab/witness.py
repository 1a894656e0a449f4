"""Holds a loss-free capture against rdmagen's truth: each posted work request is on the wire, and nothing else is.

Of each work request the opcode, bytes, remote address, key, immediate and operands; of each queue pair its number, its first
PSN, that PSNs go on without a hole, and that it went through INIT, RTR and RTS; of each key that the peer registered it.
"""

import json
import subprocess
from pathlib import Path

from . import messages
from .errors import LabError
from .messages import Message

PSNS = 1 << 24
NOT_ON_THE_WIRE = ("RECV", "BIND_MW", "LOCAL_INV")


def icrc_problems(rocescope: Path, capture: Path, cut: bool = False) -> list[str]:
    """The ICRC errors that `rocescope analyze` reports; packets `cut` on purpose have no ICRC to check."""
    done = subprocess.run([rocescope, "analyze", "--json", capture], capture_output=True, text=True, timeout=messages.TIMEOUT)
    if done.returncode != 0:
        raise LabError(f"rocescope cannot analyze {capture}: {done.stderr.strip()}")
    report = json.loads(done.stdout)
    icrc, roce = report["icrc"], report["totals"]["roce_packets"]
    verifiable = roce - (icrc["unverifiable"].get("truncated", 0) if cut else 0)
    return [] if icrc["good"] == verifiable else [f"{icrc['good']} of {verifiable} ICRCs are good: {icrc}"]


class Side:
    """The queue pairs, posts and memory of one side's truth."""

    def __init__(self, address: str, events: list[dict]) -> None:
        self.address = address
        self.posts: dict[int, list[dict]] = {}
        self.states: dict[int, list[dict]] = {}
        self.types: dict[int, str] = {}
        self.regions: list[tuple[int, int, int]] = []  # rkey, first address, address behind the last
        for event in events:
            match event["event"]:
                case "post" if event["opcode"] not in NOT_ON_THE_WIRE:
                    self.posts.setdefault(event["qpn"], []).append(event)
                case "qp_state":
                    self.states.setdefault(event["qpn"], []).append(event)
                case "qp":
                    self.types[event["qpn"]] = event["type"].removesuffix("_SEND")  # with XRC, only initiators post
                case "mr":
                    self._add_region(event["rkey"], event["address"], event["length"])
                case "post" if event["opcode"] == "BIND_MW":
                    self._add_region(event["rkey"], event["local_address"], event["bytes"])

    def attribute(self, qpn: int, name: str) -> int | None:
        """Of the queue pair, from the first state change that has it."""
        return next((event[name] for event in self.states.get(qpn, []) if name in event), None)

    def registered(self, rkey: int, address: int, length: int) -> bool:
        return any(rkey == key and begin <= address and address + length <= end for key, begin, end in self.regions)

    def _add_region(self, rkey: int, address: int, length: int) -> None:
        self.regions.append((rkey, address, address + length))


def compare(rocescope: Path, capture: Path, sides: list[Side]) -> tuple[int, list[str]]:
    """How many messages agreed, and what did not. Two sides, each the other's peer."""
    found, wrong = messages.read_messages(rocescope, capture)
    agreed = 0
    for side, peer in (sides, sides[::-1]):
        wanted: dict[tuple[str, int], list[tuple[int, dict]]] = {}
        for qpn, posts in side.posts.items():
            for post in posts:
                dest = post.get("dest_qpn", side.attribute(qpn, "dest_qpn"))
                wanted.setdefault((side.types[qpn], dest), []).append((qpn, post))
        seen: dict[tuple[str, int], list[Message]] = {}
        for message in found:
            if message.source == side.address:
                seen.setdefault((message.transport, message.dest_qp), []).append(message)
        for key in sorted(wanted.keys() | seen.keys(), key=str):
            posts, there = wanted.get(key, []), seen.get(key, [])
            if len(posts) != len(there):
                wrong.append(f"from {side.address} to {key[0]} QP {key[1]}: {len(posts)} posted, {len(there)} on the wire")
            for (qpn, post), message in zip(posts, there):
                problems = _differences(post, message, peer)
                wrong += [f"frame {message.frame}, work request {post['wr_id']} of QP {qpn}: {problem}" for problem in problems]
                agreed += not problems
            if posts and key[0] in ("RC", "UC", "XRC"):
                wrong += _psn_problems(side, posts[0][0], there)
        wrong += _state_problems(side)
    return agreed, wrong


def _differences(post: dict, message: Message, peer: Side) -> list[str]:
    pairs = [("opcode", post["opcode"], message.verb), ("bytes", post["bytes"], message.bytes),
             ("remote address", post.get("remote_address"), message.address), ("rkey", post.get("rkey"), message.rkey),
             ("immediate", post.get("immediate"), message.immediate),
             ("invalidated rkey", post.get("invalidate_rkey"), message.invalidated),
             ("XRC SRQ", post.get("xrc_srqn"), message.xrc_srqn),
             ("compare", post.get("compare"), message.compare if message.verb == "ATOMIC_CMP_AND_SWP" else None),
             ("swap or add", post.get("swap", post.get("add")), message.swap_or_add)]
    problems = [f"{name} {posted} was posted, {wired} is on the wire" for name, posted, wired in pairs if posted != wired]
    if message.rkey is not None and not peer.registered(message.rkey, message.address or 0, message.bytes):
        problems.append(f"the peer registered no region with rkey {message.rkey} there")
    return problems


def _psn_problems(side: Side, qpn: int, there: list[Message]) -> list[str]:
    """PSNs start with the queue pair's sq_psn; a READ takes as many as its response has packets."""
    expected, mtu = side.attribute(qpn, "sq_psn"), side.attribute(qpn, "path_mtu")
    problems = []
    for message in there:
        if expected is not None and message.psn != expected:
            problems.append(f"frame {message.frame}: PSN {message.psn} where QP {qpn} should be at {expected}")
        packets = message.packets
        if message.verb == messages.READ and mtu:
            packets = max(1, -(-message.bytes // mtu))
        expected = (message.psn + packets) % PSNS
    return problems


def _state_problems(side: Side) -> list[str]:
    """A queue pair that posted went through INIT, RTR and RTS in this order; of those that librdmacm moves, rdmagen is sure
    to see RTS only."""
    problems = []
    for qpn in side.posts:
        events = side.states.get(qpn, [])
        states = [event["state"] for event in events]
        wanted = ["INIT", "RTR", "RTS"] if all(event.get("by") == "rdmagen" for event in events) else ["RTS"]
        if [state for state in states if state in wanted][:len(wanted)] != wanted:
            problems.append(f"QP {qpn} of {side.address} went through {', '.join(states) or 'no states'}")
    return problems
