"""Where tshark 4.0 is wrong, or shows a thing on purpose otherwise. Each entry is used by at least one packet of the test."""

import dataclasses
from typing import Callable


@dataclasses.dataclass(frozen=True)
class Defect:
    name: str
    reason: str
    explains: Callable[[str, dict, dict], bool]  # field name, our values, tshark's values of the packet


# Fields with tshark's name and another meaning there, or computed there from more than the packet: name -> reason.
NOT_COMPARED = {}

DEFECTS = []


def explain(field, ours, theirs):
    """The name of the defect that explains this difference, or None."""
    for defect in DEFECTS:
        if defect.explains(field, ours, theirs):
            return defect.name
    return None
