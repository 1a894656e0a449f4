"""The frames that tests/dissectors holds as text, for tshark to read as well."""

import pathlib
from typing import Iterator

from capture_file import Frame

DISSECTORS = pathlib.Path(__file__).parent.parent / "dissectors"
INFINIBAND = 247
ERF = 197


def parse(example: str) -> tuple[int, str, Frame]:
    """Link type, why dissection stops, frame."""
    values = {"link": "1", "time": "1700000000", "original": "0", "stop": "none", "frame": ""}
    for line in example.splitlines()[1:]:
        key, _, rest = line.partition(" ")
        if line.startswith(" "):
            values["frame"] += rest
        elif key in values:
            values[key] = rest
    data = bytes.fromhex(values["frame"])
    return int(values["link"]), values["stop"], Frame(data, int(values["original"]) or len(data), int(values["time"]))


def in_erf(frame: Frame) -> Frame:
    """A frame that starts at the LRH as an ERF record: tshark does not know the link type of such frames."""
    head = bytes(4) + frame.seconds.to_bytes(4, "little") + bytes([21, 4])
    head += (16 + len(frame.data)).to_bytes(2, "big") + bytes(2) + frame.length.to_bytes(2, "big")
    return Frame(head + frame.data, len(head) + frame.length, frame.seconds)


def example_frames() -> Iterator[tuple[int, Frame]]:
    """Link type and frame. Left out: frames that are broken, of which frames/*.txt says what tshark shows."""
    for path in sorted((DISSECTORS / "frames").glob("*.txt")):
        for example in path.read_text().split("\n== ")[1:]:
            link_type, stop, frame = parse(example)
            if stop.startswith("malformed"):
                continue
            yield (ERF, in_erf(frame)) if link_type == INFINIBAND else (link_type, frame)
    for line in (DISSECTORS / "tunnel" / "packets.txt").read_text().splitlines():
        data = bytes.fromhex(line.split()[1])
        yield 1, Frame(data, len(data))
