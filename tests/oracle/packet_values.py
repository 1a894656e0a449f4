"""What tshark, or rocescope, shows of one packet: field name -> values."""

Values = dict[str, list[str]]


def value(packet, field):
    """The only value of a field, or an empty string."""
    values = packet.get(field, [])
    return values[0] if len(values) == 1 else ""


def number(packet, field):
    """The only value of a field, or -1."""
    return int(value(packet, field) or "-1", 0)


def ends_udp(packet, text):
    """Whether a UDP payload in the packet ends with these bytes."""
    return any(payload.endswith(text) for payload in packet.get("udp.payload", []))


def opcode(packet):
    return int(packet.get("infiniband.bth.opcode", ["-1"])[-1])


def begins(values, field, other):
    """Whether `other` has the first of these values of the field, and no others."""
    return values.get(field, [])[: len(other.get(field, []))] == other.get(field, [])


def is_cut(ours):
    return int(value(ours, "frame.cap_len") or 0) < int(value(ours, "frame.len") or 0)
