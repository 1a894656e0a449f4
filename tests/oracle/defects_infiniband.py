"""Where tshark 4.0 is wrong about InfiniBand and RoCE. Each function explains a difference of one field of one packet."""

import ipaddress
import re

from packet_values import begins, ends_udp, number, opcode, value


def payload_as_data(field, ours, theirs):
    """tshark hands the payload to its `data` dissector, pad included."""
    with_pad = value(ours, "infiniband.payload") + value(ours, "infiniband.pad")
    return field == "infiniband.payload" and field not in theirs and value(theirs, "data.data").startswith(with_pad)


def shown_twice(field, ours, theirs):
    """A header of one field: tshark has one name for both, and shows both."""
    if field not in ("infiniband.immdt", "infiniband.ieth", "infiniband.variant.crc"):
        return False
    return theirs.get(field) == [v for v in ours.get(field, []) for _ in range(2)]


def path_word(field, ours, theirs):
    """The word of a REQ that holds a path's flow label and packet rate: tshark reads the label from its first three bytes, the
    rest from its first one."""
    match = re.fullmatch(r"infiniband\.cm\.req\.(prim|alt)_(flowlabel|reserved0|pktrate)", field)
    if not match:
        return False
    label = number(ours, f"infiniband.cm.req.{match[1]}_flowlabel")
    wrong = {"flowlabel": label >> 8, "reserved0": label >> 18, "pktrate": label >> 12 & 0x3F}
    return number(theirs, field) == wrong[match[2]]


def path_gid(field, ours, theirs):
    """The GIDs of a REQ's primary path: over IPv4 tshark takes them all for IPv4 addresses, over IPv6 none. We look at the GID."""
    match = re.fullmatch(r"infiniband\.cm\.req\.prim_(local|remote)gid(_ipv4)?", field)
    if not match:
        return False
    gid = f"infiniband.cm.req.prim_{match[1]}gid"
    our, their = (value(values, gid) or value(values, gid + "_ipv4") for values in (ours, theirs))
    if not our or not their:
        return False
    sixteen = ipaddress.ip_address(our if ":" in our else "::ffff:" + our).packed
    shown = ipaddress.ip_address(their).packed
    return sixteen[-len(shown) :] == shown


def reject_reserved(field, ours, theirs):
    """The six reserved bits of a REJ: tshark keeps two."""
    return field == "infiniband.cm.rej.reserved0" and number(theirs, field) == number(ours, field) & 3


def response_time(field, ours, theirs):
    """The response time of RMPP has five bits, its flags three: tshark takes four and four."""
    time, flags = number(ours, "infiniband.rmpp.rresptime"), number(ours, "infiniband.rmpp.rmppflags")
    wrong = {"infiniband.rmpp.rresptime": time >> 1, "infiniband.rmpp.rmppflags": (time & 1) << 3 | flags}
    return field in wrong and number(theirs, field) == wrong[field]


def unknown_rmpp(field, ours, theirs):
    """RMPP of a type that nobody knows: tshark takes its last eight bytes for the header of SA behind it."""
    return field.startswith("infiniband.sa.") and number(ours, "infiniband.rmpp.rmpptype") > 4


MADS_WITH_ICRC = (0x01, 0x05, 0x06, 0x07, 0x08, 0x81)


def no_icrc_after_mad(field, ours, theirs):
    """Behind the MADs of most classes tshark shows no ICRC."""
    management_class = number(theirs, "infiniband.mad.mgmtclass")
    return field == "infiniband.invariant.crc" and field not in theirs and (
        management_class >= 0 and management_class not in MADS_WITH_ICRC
    )


def directed_route_direction(field, ours, theirs):
    """The D bit of a directed-route SMP's status: tshark looks for it in the wrong bytes."""
    return field == "infiniband.smpdirected.d"


DATAGRAM_HEADERS = (
    "infiniband.rdeth.", "infiniband.deth.", "infiniband.reth.", "infiniband.aeth.", "infiniband.atomiceth.",
    "infiniband.atomicacketh.", "infiniband.immdt", "infiniband.ieth", "infiniband.payload",
)  # fmt: skip


def reliable_datagram(field, ours, theirs):
    """Opcodes 0x40-0x5F are those of Reliable Datagram, which nobody ever built: tshark reads its headers from wrong offsets.
    On the wire they are NVIDIA's DC, whose headers tshark does not know, and in whose payloads it sees MADs."""
    if not 0x40 <= opcode(ours) <= 0x5F:
        return False
    if field == "infiniband.invariant.crc":
        return field not in theirs
    return field.startswith(DATAGRAM_HEADERS) or field not in ours and field.startswith("infiniband.mad.")


def unknown_opcode(field, ours, theirs):
    """tshark knows neither XRC, nor the CNP of RoCEv2, nor FLUSH, ATOMIC WRITE, or the manufacturers' opcodes: it shows
    no more than the BTH."""
    code = opcode(ours)
    known = (code < 0x60 and code & 0x1F not in (0x15, 0x18, 0x19, 0x1A, 0x1B, 0x1C, 0x1D, 0x1E, 0x1F)) or code in (0x64, 0x65)
    return not known and field.startswith("infiniband.") and not field.startswith("infiniband.bth.") and field not in theirs


def cut_before(field, ours, theirs):
    """A packet that a mirror cut before the capture, or a first fragment: tshark takes the last four bytes that are here for the
    ICRC, or shows nothing of the payload; it also shows less of an IPv6 header that was cut."""
    if value(ours, "rocescope.stop.reason") not in ("truncated", "fragment"):
        return False
    wrong_icrc = value(theirs, "infiniband.invariant.crc").removeprefix("0x")
    if field == "infiniband.payload":
        shown = value(theirs, "data.data") + wrong_icrc
        return value(ours, field) == shown or not shown and ends_udp(theirs, value(ours, field))
    if field == "ipv6.plen":
        return begins(ours, field, theirs)
    return field == "infiniband.invariant.crc" and field not in ours and value(ours, "infiniband.payload").endswith(wrong_icrc)


def behind_roce_v1(field, ours, theirs):
    """Bytes behind a RoCEv1 packet, by the length in its GRH: tshark takes the ICRC from the end of the frame."""
    return field == "infiniband.invariant.crc" and "rocescope.trailer" in ours and "0x8915" in ours.get("eth.type", [])


def infiniband_length(field, ours, theirs):
    """A frame of InfiniBand that is longer or shorter than its LRH says, as where a capture leaves the VCRC out: tshark takes the
    CRCs from the end of the frame."""
    if "infiniband.lrh.pktlen" not in ours or 4 * number(ours, "infiniband.lrh.pktlen") + 2 == number(theirs, "frame.len"):
        return False
    return field in ("infiniband.payload", "infiniband.invariant.crc", "infiniband.variant.crc")


def link_packet(field, ours, theirs):
    """InfiniBand's link packets: tshark calls each of them malformed."""
    return field.startswith("infiniband_link.") and field not in theirs and "_ws.malformed" in theirs
