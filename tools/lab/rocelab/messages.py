"""The messages of a loss-free capture, put together from packets.

Opcodes are read from the InfiniBand specification's table (IBTA 9.2.1), not from rocescope's, so that the two check each other;
only the packets' fields come from `rocescope dissect -T fields`.
"""

import subprocess
from dataclasses import dataclass
from pathlib import Path

from .errors import LabError

TIMEOUT = 120  # seconds
COLUMNS = ["rocescope.src", "infiniband.bth.opcode", "infiniband.bth.destqp", "infiniband.bth.psn", "rocescope.payload_length",
           "infiniband.reth.va", "infiniband.reth.r_key", "infiniband.reth.dmalen", "infiniband.immdt", "infiniband.ieth",
           "infiniband.atomiceth.swapdt", "infiniband.atomiceth.cmpdt", "infiniband.xrceth.xrcsrq", "frame.number"]

# Low five bits of the opcode: (verb, or None if the first packet has it; does it begin a message; does it end one).
REQUESTS = {
    0: ("SEND", True, False), 1: (None, False, False), 2: (None, False, True), 3: ("SEND_WITH_IMM", False, True),
    4: ("SEND", True, True), 5: ("SEND_WITH_IMM", True, True),
    6: ("RDMA_WRITE", True, False), 7: (None, False, False), 8: (None, False, True),
    9: ("RDMA_WRITE_WITH_IMM", False, True), 10: ("RDMA_WRITE", True, True), 11: ("RDMA_WRITE_WITH_IMM", True, True),
    12: ("RDMA_READ", True, True), 19: ("ATOMIC_CMP_AND_SWP", True, True), 20: ("ATOMIC_FETCH_AND_ADD", True, True),
    22: ("SEND_WITH_INV", False, True), 23: ("SEND_WITH_INV", True, True), 28: ("FLUSH", True, True),
    29: ("ATOMIC_WRITE", True, True),
}
TRANSPORTS = {0: "RC", 1: "UC", 3: "UD", 5: "XRC"}  # high three bits
READ, FLUSH, ATOMICS = "RDMA_READ", "FLUSH", ("ATOMIC_CMP_AND_SWP", "ATOMIC_FETCH_AND_ADD")


@dataclass
class Message:
    """A request message on the wire."""

    frame: int  # of its first packet
    source: str
    dest_qp: int
    transport: str
    verb: str
    psn: int
    packets: int = 0
    bytes: int = 0
    address: int | None = None
    rkey: int | None = None
    dma_length: int | None = None
    immediate: int | None = None
    invalidated: int | None = None
    swap_or_add: int | None = None
    compare: int | None = None
    xrc_srqn: int | None = None


def _number(text: str, base: int = 0) -> int | None:
    return int(text, base) if text else None


def read_columns(rocescope: Path, capture: Path, columns: list[str], display_filter: str) -> list[list[str]]:
    """Values of fields, packet by packet."""
    command = [rocescope, "dissect", "-q", "-r", capture, "-Y", display_filter, "-T", "fields"]
    for column in columns:
        command += ["-e", column]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT)
    except subprocess.TimeoutExpired:
        raise LabError(f"rocescope did not read {capture} in {TIMEOUT} s") from None
    if done.returncode != 0:
        raise LabError(f"rocescope cannot read {capture}: {done.stderr.strip()}")
    return [line.split("\t") for line in done.stdout.splitlines()]


def read_messages(rocescope: Path, capture: Path) -> tuple[list[Message], list[str]]:
    """All request messages in the order in which they began, but for those of the CM, and what is wrong with their packets."""
    messages: list[Message] = []
    open_messages: dict[tuple[str, int, str], Message] = {}
    wrong: list[str] = []
    for row in read_columns(rocescope, capture, COLUMNS, "infiniband.bth and infiniband.bth.destqp != 1"):
        source, opcode, dest_qp, psn, payload, frame = row[0], int(row[1]), int(row[2], 0), int(row[3]), int(row[4] or 0), row[-1]
        if opcode & 0x1F not in REQUESTS or opcode >> 5 not in TRANSPORTS:
            continue
        verb, begins, ends = REQUESTS[opcode & 0x1F]
        key = (source, dest_qp, TRANSPORTS[opcode >> 5])
        if begins == (key in open_messages):
            wrong.append(f"frame {frame}: opcode {opcode} {'before the message before has ended' if begins else 'without a first'}")
        if begins or key not in open_messages:
            open_messages[key] = Message(int(frame), *key, verb or "SEND", psn)
            messages.append(open_messages[key])
        message = open_messages[key]
        if psn != (message.psn + message.packets) % (1 << 24):
            wrong.append(f"frame {frame}: PSN {psn} in the message that began with {message.psn}")
        _add_packet(message, verb, payload, row)
        if ends:
            del open_messages[key]
    wrong += [f"the message of frame {message.frame} has no end" for message in open_messages.values()]
    return messages, wrong


def _add_packet(message: Message, verb: str | None, payload: int, row: list[str]) -> None:
    message.verb = verb or message.verb
    message.packets += 1
    message.bytes += payload
    for name, column, base in (("address", 5, 0), ("rkey", 6, 0), ("dma_length", 7, 0), ("immediate", 8, 16),
                               ("invalidated", 9, 16), ("swap_or_add", 10, 0), ("compare", 11, 0), ("xrc_srqn", 12, 0)):
        value = _number(row[column], base)
        if value is not None:
            setattr(message, name, value)
    if message.verb in (READ, FLUSH):  # no payload; the RETH has the number of bytes
        message.bytes = message.dma_length or 0
    if message.verb in ATOMICS:
        message.bytes = 8
