"""Where tshark 4.0 is wrong, or shows a thing on purpose otherwise. The test names a packet for each that it met."""

import dataclasses
from typing import Callable

import defects_infiniband as infiniband
import defects_iser as iser
import defects_messages as messages
import defects_network as network
import defects_nfs as nfs
import defects_nvme as nvme
import defects_rds as rds
import defects_smb as smb
from packet_values import Values, begins, ends_udp, is_cut, value

# Fields that the entries below look at besides those compared: tshark's and ours.
WITNESSES = ["data.data", "udp.payload", "_ws.malformed", nvme.QUEUE]
OUR_WITNESSES = ["rocescope.stop.reason", "rocescope.trailer", iser.SRP, rds.RDS, nvme.SENT_AGAIN, nvme.WRONG_PARAMETER]

# Fields of ours that tshark has and that nothing compares: name -> reason.
NEVER_COMPARED = {
    **dict.fromkeys(nfs.FIELDS, "nfs_commands_test.py compares it"),
    **dict.fromkeys(iser.FIELDS, "iser_commands_test.py compares it"),
    **dict.fromkeys(smb.FIELDS, "smb_commands_test.py compares it"),
    **dict.fromkeys(messages.SMC + messages.CLC + messages.LUSTRE, "messages_test.py compares it"),
    **dict.fromkeys(smb.NOT_COMPARED, "tshark has one name for several, or shows its bits only"),
    "infiniband.rdeth.eecnxt": "tshark reads it from the wrong bytes",
    **{f"nvme.fabrics.cmd.generic.{name}": "no capture has another command of the fabrics" for name in ("field", "rsvd1")},
    "lldp.dcbx.feature.llink.type": "a feature of the DCBX from before CEE",
    **{f"infiniband_link.{name}": "tshark calls every link packet malformed" for name in ("fccl", "fctbs", "lpcrc", "op", "vl")},
}


@dataclasses.dataclass(frozen=True)
class Defect:
    name: str
    explains: Callable[[str, Values, Values], bool]  # field name, our values, tshark's values of the packet
    compares: bool = False  # the explanation holds for one value only

    @property
    def reason(self) -> str:
        return " ".join((self.explains.__doc__ or "").split())


DEFECTS = [
    Defect("payload shown as data", infiniband.payload_as_data, compares=True),
    Defect("one field shown twice", infiniband.shown_twice, compares=True),
    Defect("RPC over RDMA", nfs.not_asked),
    Defect("iSER", iser.not_asked),
    Defect("SMB Direct", smb.not_asked),
    Defect("RDS", rds.not_asked),
    Defect("NVMe capsules of several packets", nvme.several_packets),
    Defect("NVMe capsules sent again", nvme.sent_again),
    Defect("data of NVMe commands", nvme.payload_as_nvme),
    Defect("log page in several packets", nvme.data_too_short),
    Defect("NVMe dwords by command", nvme.dwords_by_command),
    Defect("blocks of Write Zeroes", nvme.other_block_commands),
    Defect("result of a Connect that failed", nvme.result_of_failed_connect),
    Defect("Reliable Datagram and Dynamically Connected", infiniband.reliable_datagram),
    Defect("CM path flow label and packet rate", infiniband.path_word, compares=True),
    Defect("CM path GIDs", infiniband.path_gid, compares=True),
    Defect("CM reject's reserved bits", infiniband.reject_reserved, compares=True),
    Defect("RMPP response time", infiniband.response_time, compares=True),
    Defect("RMPP of an unknown type", infiniband.unknown_rmpp),
    Defect("direction of directed routes", infiniband.directed_route_direction),
    Defect("no ICRC behind some MADs", infiniband.no_icrc_after_mad),
    Defect("unknown opcode", infiniband.unknown_opcode),
    Defect("packet cut before the capture", infiniband.cut_before, compares=True),
    Defect("trailer of RoCEv1", infiniband.behind_roce_v1),
    Defect("length of InfiniBand frames", infiniband.infiniband_length),
    Defect("InfiniBand link packets", infiniband.link_packet),
    Defect("source route", network.source_route, compares=True),
    Defect("UDP source port", network.source_port),
    Defect("ERSPAN of an unknown version", network.unknown_erspan),
    Defect("open IP length", network.open_length),
    Defect("open UDP length", network.open_udp_length),
    Defect("GENEVE option that is too long", network.long_geneve_option),
    Defect("no bytes", network.empty_bytes, compares=True),
    Defect("ARP of other link layers", network.other_arp),
    Defect("Arista time stamp of an unknown form", network.other_arista),
    Defect("control characters", network.control_characters, compares=True),
    Defect("DCBX from before CEE", network.pre_cee_feature),
    Defect("trailers", network.trailer),
    Defect("tunnels", network.inner_packet),
    Defect("Ethernet in MPLS", network.ethernet_in_mpls),
    Defect("sFlow samples", network.samples),
    Defect("depth of tunnels", network.depth),
    Defect("ERF lengths", network.erf_lengths, compares=True),
    Defect("ports of capture cards", network.capture_card_ports),
    Defect("interface without a name", network.interface_without_a_name),
    Defect("guessed frame check sequence", network.guessed_fcs),
]


def cut_packet(field, ours, theirs, whole):
    """Of a packet that the capture cut tshark shows less: neither its payload, nor a MAD, nor what is here of the BTH and of
    other headers. What we show tshark shows of the packet when it is filled up; what is here of a MAD we show as payload."""
    our = ours.get(field, [])
    if not is_cut(ours) or not begins(ours, field, theirs):
        return False
    if our == whole.get(field, [])[: len(our)] or any(defect.explains(field, ours, whole) for defect in DEFECTS):
        return True
    if field == "ipv6.opt.padn" and our[:-1] == whole[field][: len(our) - 1]:  # an option of which not all is here
        return whole[field][len(our) - 1].startswith(our[-1])
    is_management = field == "infiniband.payload" and "infiniband.mad.mgmtclass" in whole
    return is_management and ends_udp(theirs, value(ours, field))


CUT = Defect("cut packet", cut_packet, compares=True)


def explain(field, ours, theirs, whole):
    """The defect that explains this difference, or None. `whole` is what tshark shows of the packet when nothing is cut."""
    for defect in DEFECTS:
        if defect.explains(field, ours, theirs):
            return defect
    return CUT if cut_packet(field, ours, theirs, whole) else None
