"""Where tshark 4.0 is wrong about NVMe over RDMA, or shows other fields. Each function explains a difference of one field of one packet."""

SENT_AGAIN = "rocescope.verdict.retransmission"
WRONG_PARAMETER = "rocescope.nvme.connect.ipo"
QUEUE = "nvme-rdma.cmd.qid"  # tshark shows it of each packet that it takes for one of NVMe


def is_of_nvme(theirs):
    return QUEUE in theirs


def several_packets(field, ours, theirs):
    """tshark reads capsules of one packet only, so it knows neither longer ones nor the responses to them."""
    return field.startswith("nvme.") and field not in theirs and not any(name.startswith("nvme.") for name in theirs)


def sent_again(field, ours, theirs):
    """A message that is sent again: tshark reads it each time, rocescope once."""
    return field.startswith("nvme.") and SENT_AGAIN in ours and not any(name.startswith("nvme.") for name in ours)


def payload_as_nvme(field, ours, theirs):
    """tshark hands the data of READs and WRITEs to its NVMe dissector, of which we show those of Connect, of authentication and discovery log pages."""
    return field == "infiniband.payload" and field not in theirs and is_of_nvme(theirs)


def data_too_short(field, ours, theirs):
    """tshark calls a log page malformed of which the packet has only a part, and shows nothing behind it."""
    return field == "infiniband.invariant.crc" and field not in theirs and is_of_nvme(theirs) and "_ws.malformed" in theirs


def dwords_by_command(field, ours, theirs):
    """tshark has names of their own for some dwords of some commands and responses, of which we show the dword."""
    return field.startswith(("nvme.cmd.dword", "nvme.cqe.dword")) and (field in ours) != (field in theirs) and is_of_nvme(theirs)


def other_block_commands(field, ours, theirs):
    """tshark shows the blocks of Read and Write only."""
    return field.startswith("nvme.cmd.") and field not in theirs and ours.get("nvme.cmd.opc") == ["0x08"]


def result_of_failed_connect(field, ours, theirs):
    """tshark reads the controller's ID from responses that refuse a Connect, where the place of the invalid parameter stands."""
    return field in ("nvme.fabrics.cqe.connect.cntrlid", "nvme.fabrics.cqe.connect.authreq") and WRONG_PARAMETER in ours
