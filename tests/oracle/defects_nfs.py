"""RPC over RDMA, which tshark is not asked about here: it takes other payload for it as well. nfs_commands_test.py compares these fields."""

FIELDS = """
    nfs.cb.operation nfs.count3 nfs.count4 nfs.fh.length nfs.fhandle nfs.high_slotid nfs.minorversion nfs.offset3 nfs.offset4
    nfs.opcode nfs.seqid nfs.session_id4 nfs.slotid nfs.stable_how4 nfs.stateid nfs.status nfs.status3 nfs.write.data_length
    rpc.auth.flavor rpc.auth.length rpc.msgtyp rpc.procedure rpc.program rpc.programversion rpc.replystat rpc.state_accept rpc.version
    rpc.xid rpcordma.errcode rpcordma.flow_control rpcordma.msg_type rpcordma.position rpcordma.rdma_handle rpcordma.rdma_length
    rpcordma.rdma_offset rpcordma.segment_count rpcordma.version rpcordma.xid
""".split()


def not_asked(field, ours, theirs):
    """RPC over RDMA: tshark is not asked about it here, and shows payload."""
    if field in FIELDS:
        return field not in theirs
    return field in ("infiniband.payload", "data.data") and ("rpcordma.xid" in ours or "rpc.xid" in ours)
