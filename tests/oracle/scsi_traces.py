"""What the kernels of both machines traced of SCSI commands while a capture of iSER or SRP was made."""
import json
import pathlib
import re
from collections import Counter

from command_rows import served_by_target


def events(capture: pathlib.Path, *names: str) -> list[dict]:
    return [event for event in map(json.loads, capture.with_suffix(".ndjson").read_text().splitlines())
            if event["event"] == "trace" and event["name"] in names]


def on_the_wire(capture: pathlib.Path, tag: str) -> int:
    """Linux writes tags in the order of bytes of its processor: 4 bytes of iSER, 8 of SRP."""
    return int.from_bytes(int(tag, 0).to_bytes(4 if capture.stem.startswith("iser") else 8, "little"), "big")


def issued(capture: pathlib.Path) -> Counter:
    """SCSI commands that the target's kernel was given: tag as it is on the wire, length, and operation code."""
    found = Counter()
    for event in events(capture, "target_sequencer_start"):
        tag, length, cdb = re.search(r"tag (0x\w+|0) .*data_length +(\d+) +CDB ((?:\w\w )+)", event["text"]).groups()
        found[on_the_wire(capture, tag), int(length), int(cdb.split()[0], 16)] += 1
    return found


def served(capture: pathlib.Path) -> dict[int, list[int]]:
    return served_by_target(events(capture, "target_sequencer_start") + events(capture, "target_cmd_complete"), lambda tag: on_the_wire(capture, tag))


def answered(capture: pathlib.Path) -> Counter:
    """Tags and statuses of what it answered: SCSI status + additional sense code and qualifier x 256 + sense key x 2^24."""
    found = Counter()
    for event in events(capture, "target_cmd_complete"):
        tag, status = re.search(r"tag (0x\w+|0) status ([A-Z]+)", event["text"]).groups()
        sense = [int(byte, 16) for byte in re.search(r"\(sense len \d+(?: / ((?:\w\w ){14}))?", event["text"])[1].split()] if status == "CHECK" else []
        number = 2 + (sense[2] << 24) + (sense[12] << 16) + (sense[13] << 8) if sense else {"GOOD": 0}[status]
        found[on_the_wire(capture, tag), number] += 1
    return found


def blocks(capture: pathlib.Path) -> Counter:
    """Reads and writes of the initiator's kernel: operation, first block, number of blocks."""
    found = Counter()
    for event in events(capture, "scsi_dispatch_cmd_start"):
        command = re.search(r"cmnd=\((READ|WRITE)_(\d+) lba=(\d+) txlen=(\d+)", event["text"])
        if command:
            found[f"{command[1].capitalize()}({command[2]})", int(command[3]), int(command[4])] += 1
    return found


def of_scsi(rows: list[dict]) -> list[dict]:
    return [row for row in rows if int(row["opcode"], 0) < 0x8000]


def facts_of(rows: list[dict]) -> Counter:
    return Counter((row["operation"], row["id"], row["bytes"], row["status"], row["data_bytes"]) for row in rows)


def latencies(capture: pathlib.Path) -> dict[tuple[str, int], list[int]]:
    """Of reads and writes, in the initiator's kernel, in ns, by operation and first block."""
    waiting, found = {}, {}
    for event in sorted(events(capture, "scsi_dispatch_cmd_start", "scsi_dispatch_cmd_done"), key=lambda each: each["time_ns"]):
        command = re.search(r"cmnd=\((?:READ|WRITE)_(\d+) lba=(\d+)", event["text"])
        if not command:
            continue
        key = event["text"].split("cmnd=(")[1].split()[0], int(command[2])
        if event["name"].endswith("start"):
            waiting[key] = event["time_ns"]
        elif key in waiting:
            found.setdefault(key, []).append(event["time_ns"] - waiting.pop(key))
    return found


def dispatched_again(capture: pathlib.Path) -> int:
    """Reads and writes that the initiator's kernel dispatched again, under the tag that its scheduler gave them, before they were done."""
    again, under_way = 0, set()
    for event in sorted(events(capture, "scsi_dispatch_cmd_start", "scsi_dispatch_cmd_done"), key=lambda each: each["time_ns"]):
        request = re.search(r"scheduler_tag=\d+ cmnd=.(?:READ|WRITE)_\d.* raw=[\w ]+", event["text"])
        if request and event["name"].endswith("start"):
            again += request[0] in under_way
            under_way.add(request[0])
        elif request:
            under_way.discard(request[0])
    return again
