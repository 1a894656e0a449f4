"""Where tshark 4.0 is wrong, or shows a thing on purpose otherwise. The test names a packet for each that it met."""

import dataclasses
from typing import Callable

# Fields with tshark's name and another meaning there, or computed there from more than the packet: name -> reason.
NOT_COMPARED = {}

# Fields that only tshark has, which the entries below look at.
WITNESSES = ["data.data", "erf.types"]


@dataclasses.dataclass(frozen=True)
class Defect:
    name: str
    reason: str
    explains: Callable[[str, dict, dict], bool]  # field name, our values, tshark's values of the packet


def value(packet, field):
    """The only value of a field, or an empty string."""
    values = packet.get(field, [])
    return values[0] if len(values) == 1 else ""


def opcode(packet):
    return int(packet.get("infiniband.bth.opcode", ["-1"])[-1])


def payload_as_data(field, ours, theirs):
    """tshark hands the payload to its `data` dissector, pad included."""
    with_pad = value(ours, "infiniband.payload") + value(ours, "infiniband.pad")
    return field == "infiniband.payload" and field not in theirs and value(theirs, "data.data").startswith(with_pad)


def shown_twice(field, ours, theirs):
    """A header of one field: tshark has one name for both, and shows both."""
    if field not in ("infiniband.immdt", "infiniband.ieth"):
        return False
    return theirs.get(field) == [v for v in ours.get(field, []) for _ in range(2)]


def path_word(field, ours, theirs):
    """The word that holds a path's flow label and packet rate: tshark shifts the flow label by 12 bits twice."""
    return field in {
        f"infiniband.cm.req.{path}_{part}" for path in ("prim", "alt") for part in ("flowlabel", "reserved0", "pktrate")
    }


def dynamically_connected(field, ours, theirs):
    """Opcodes 0x40-0x5F: tshark reads the headers of Reliable Datagram, which nobody ever built, into those of DC."""
    return 0x40 <= opcode(ours) <= 0x5F and field.startswith(("infiniband.", "data."))


def unknown_opcode(field, ours, theirs):
    """tshark knows neither XRC, nor the CNP of RoCEv2, nor FLUSH, ATOMIC WRITE, or the manufacturers' opcodes: it shows
    no more than the BTH."""
    code = opcode(ours)
    known = (code < 0x60 and code & 0x1F not in (0x15, 0x18, 0x19, 0x1A, 0x1B, 0x1C, 0x1D, 0x1E, 0x1F)) or code in (0x64, 0x65)
    return not known and field.startswith("infiniband.") and not field.startswith("infiniband.bth.") and field not in theirs


def cut_packet(field, ours, theirs):
    """Of a packet that the capture cut tshark shows less: neither its payload, nor a MAD, nor what is here of the BTH and of
    other headers."""
    cut = int(value(ours, "frame.cap_len") or 0) < int(value(ours, "frame.len") or 0)
    our, their = ours.get(field, []), theirs.get(field, [])
    return cut and len(our) > len(their) and our[: len(their)] == their


def capture_card_ports(field, ours, theirs):
    """An ERF record names a port of the capture card: tshark makes interfaces of a file of those, rocescope does not."""
    return field in ("frame.interface_id", "frame.interface_name") and "erf.types" in theirs


def interface_without_a_name(field, ours, theirs):
    """An interface that the file does not name: tshark calls it unknown."""
    return field == "frame.interface_name" and field not in ours and theirs.get(field) == ["unknown"]


def directed_route_direction(field, ours, theirs):
    """The D bit of a directed-route SMP's status: tshark looks for it in the wrong bytes."""
    return field == "infiniband.smpdirected.d"


def guessed_fcs(field, ours, theirs):
    """Bytes after the packet: where they could be padding and a frame check sequence, tshark shows the last four as one."""
    return field == "eth.fcs" and field not in ours


def empty_bytes(field, ours, theirs):
    """A field of no bytes: tshark writes <none>."""
    return field not in ours and theirs.get(field) == ["<none>"]


DEFECTS = [
    Defect("payload shown as data", payload_as_data.__doc__, payload_as_data),
    Defect("immediate data shown twice", shown_twice.__doc__, shown_twice),
    Defect("CM path flow label and packet rate", path_word.__doc__, path_word),
    Defect("Dynamically Connected read as Reliable Datagram", dynamically_connected.__doc__, dynamically_connected),
    Defect("unknown opcode", unknown_opcode.__doc__, unknown_opcode),
    Defect("cut packet", cut_packet.__doc__, cut_packet),
    Defect("ports of capture cards", capture_card_ports.__doc__, capture_card_ports),
    Defect("interface without a name", interface_without_a_name.__doc__, interface_without_a_name),
    Defect("direction of directed routes", directed_route_direction.__doc__, directed_route_direction),
    Defect("guessed frame check sequence", guessed_fcs.__doc__, guessed_fcs),
    Defect("no bytes", empty_bytes.__doc__, empty_bytes),
]


def explain(field, ours, theirs):
    """The name of the defect that explains this difference, or None."""
    for defect in DEFECTS:
        if defect.explains(field, ours, theirs):
            return defect.name
    return None
