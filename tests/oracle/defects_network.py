"""Where tshark 4.0 is wrong about what carries RoCE, or shows a thing on purpose otherwise."""

import re

from packet_values import begins, number, value


def source_route(field, ours, theirs):
    """A source route: tshark calls its last address the destination. Ours is what the header says, and what the ICRC covers."""
    route = ours.get("ip.src_rt", [])
    if field == "ip.src_rt":
        return theirs.get(field, []) == route[:-1]
    return field == "ip.dst" and theirs.get(field) == route[-1:]


def source_port(field, ours, theirs):
    """A UDP source port that tshark knows, which it tries first when it is the lower one, and also where the destination has
    another: 4791 as a source makes RoCE of anything."""
    source, destination = value(ours, "udp.srcport"), value(ours, "udp.dstport")
    if source == "4791":
        return field.startswith("infiniband.") and field not in ours
    if destination != "4791" or int(source or "65535") > 4791 or any(name.startswith("infiniband.") for name in theirs):
        return False
    return begins(theirs, field, ours) or field.startswith("infiniband.")


def unknown_erspan(field, ours, theirs):
    """ERSPAN of a version that nobody knows: tshark shows the version, we leave it alone."""
    return field == "erspan.version" and field not in ours and theirs[field][0] not in ("1", "2")


def open_length(field, ours, theirs):
    """A length of 0 that the sender's stack leaves to its NIC: tshark shows the number of bytes that are there."""
    return field in ("ip.len", "ipv6.plen") and value(ours, field) == "0"


def open_udp_length(field, ours, theirs):
    """A UDP length of 0, which goes with an open IP length (RFC 2675, and Linux's packets beyond 64 KiB): tshark reads no
    further."""
    is_open = value(ours, "udp.length") == "0" and "0" in (value(ours, "ip.len"), value(ours, "ipv6.plen"))
    return is_open and (field.startswith("infiniband.") or field == "udp.checksum") and field not in theirs


def long_geneve_option(field, ours, theirs):
    """An option of GENEVE that is longer than all of them: tshark shows nothing of it, we show what is here."""
    return field.startswith("geneve.option") and begins(ours, field, theirs) and (
        len(theirs.get("geneve.option.class", [])) + 1 == len(ours["geneve.option.class"])
    )


def other_arp(field, ours, theirs):
    """ARP of other link layers than Ethernet: we show the addresses as bytes."""
    return field.startswith(("arp.src.", "arp.dst.")) and field not in ours and value(ours, "arp.hw.size") != "6"


def other_arista(field, ours, theirs):
    """A time stamp of Arista in a form that nobody knows: we leave it alone."""
    return field in ("avsp.sub_type", "avsp.ver") and value(theirs, "avsp.ver") not in ("0x0010", "0x0110", "0x0020", "0x0120")


def control_characters(field, ours, theirs):
    """Control characters in text: we show their numbers, lest they reach a terminal."""
    escaped = [re.sub(r"[\0-\x1f\x7f]", lambda c: f"\\x{ord(c[0]):02x}", text) for text in theirs.get(field, [])]
    return escaped == ours.get(field)


def pre_cee_feature(field, ours, theirs):
    """The DCBX from before CEE: tshark reads its features as those of CEE, past their ends, and gives up; also at those
    that it does not know."""
    if not field.startswith("lldp.") or "_ws.malformed" not in theirs:
        return False
    return begins(ours, field, theirs) or field == "lldp.dcbx.feature.pfc.numtcs"


TRAILERS = ("metamako.", "exablaze.", "vssmonitoring.", "ixiatrailer.")


def trailer(field, ours, theirs):
    """Trailers that tshark's heuristics do not accept: Metamako's without a valid checksum or with extensions, VSS' with a wide
    port. It also does not look for a frame check sequence behind a trailer."""
    protocol = field.split(".")[0]
    if field == "eth.fcs":
        return field not in theirs and any(name.startswith(TRAILERS) for name in ours)
    return protocol + "." in TRAILERS and not any(name.startswith(protocol + ".") for name in theirs)


def inner_packet(field, ours, theirs):
    """Tunnels that tshark does not look into: VXLAN-GPE without a next protocol, GRE with a VLAN tag, ERSPAN III with IP,
    the mirror of Spectrum switches, MACsec that is only authenticated."""
    tunnel = (
        value(ours, "vxlan.p_bit") == "0"
        or value(ours, "gre.proto") in ("0x8100", "0x8949")
        or value(ours, "erspan.ft") == "2"
        or value(ours, "macsec.TCI.E") == "0"
    )
    return tunnel and begins(ours, field, theirs)


def ethernet_in_mpls(field, ours, theirs):
    """Ethernet in MPLS without a control word: tshark does not look for it, and takes a MAC address that begins with 4 or 6
    for IP."""
    inner = ours.get("eth.dst", [])[1:]
    if "mpls.label" not in ours or not inner or "eth.dst" not in theirs or len(theirs["eth.dst"]) > 1:
        return False
    return inner[0][0] in "46" or begins(ours, field, theirs)


def samples(field, ours, theirs):
    """An sFlow datagram: we read the first packet in it, tshark every one."""
    return value(ours, "sflow_245.numsamples") not in ("", "0", "1") and begins(theirs, field, ours)


def depth(field, ours, theirs):
    """Tunnels in tunnels: we stop at the eighth."""
    return value(ours, "rocescope.stop.reason") == "limit" and begins(theirs, field, ours)


def erf_lengths(field, ours, theirs):
    """The frame's lengths in an ERF record: tshark takes those of the record, without the header of a channel, rocescope those
    of the file."""
    if "erf.wlen" not in ours or field not in ("frame.len", "frame.cap_len"):
        return False
    wire, multi_channel = number(ours, "erf.wlen"), number(ours, "erf.types.type") == 5
    captured = min(wire, number(ours, "frame.cap_len") - (4 if multi_channel else 0))
    return number(theirs, field) == (wire if field == "frame.len" else captured)


def capture_card_ports(field, ours, theirs):
    """An ERF record names a port of the capture card: tshark makes interfaces of a file of those, rocescope does not."""
    return field in ("frame.interface_id", "frame.interface_name") and "erf.types" in theirs


def interface_without_a_name(field, ours, theirs):
    """An interface that the file does not name: tshark calls it unknown."""
    return field == "frame.interface_name" and field not in ours and theirs.get(field) == ["unknown"]


def guessed_fcs(field, ours, theirs):
    """Bytes after the packet: where they could be padding and a frame check sequence, tshark shows the last four as one."""
    return field == "eth.fcs" and field not in ours


def empty_bytes(field, ours, theirs):
    """A field of no bytes: tshark writes <none> or <MISSING>."""
    shown = [text for text in theirs.get(field, []) if text not in ("<none>", "<MISSING>")]
    return len(shown) < len(theirs.get(field, [])) and shown == [text for text in ours.get(field, []) if text]
