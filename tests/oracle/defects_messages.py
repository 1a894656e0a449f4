"""SMC-R and Lustre, which no capture of the comparison of all has: messages_test.py makes packets of them."""

CLC = """
    smc.clc_msg smc.length smc.proposal.flags smc.proposal.sender.client.peer.id smc.proposal.client.preferred.gid
    smc.proposal.client.preferred.mac smc.proposal.smcv1_subnet_ext_offset smc.accept.flags smc.accept.sender.server.peer.id
    smc.accept.server.preferred.gid smc.accept.server.preferred.mac smc.accept.server.qp.number smc.accept.server.rmb.rkey
    smc.accept.server.tcp.conn.index smc.accept.server.rmb.element.alert.token smc.accept.flags.2 smc.accept.rmb.buffer.size
    smc.accept.qp.mtu.value smc.accept.server.rmb.virtual.address smc.accept.initial.psn smc.confirm.flags smc.confirm.sender.client.peer.id
    smc.client.gid smc.confirm.client.mac smc.confirm.client.qp.number smc.confirm.client.rmb.rkey smc.confirm.client.tcp.conn.index
    smc.client.rmb.element.alert.token smc.confirm.flags.2 smc.confirm.rmb.buffer.size smc.confirm.qp.mtu.value smc.client.rmb.virtual.address
    smc.initial.psn smc.decline.flags smc.decline.osync smc.sender.peer.id smc.peer.diag.info
""".split()
SMC = """
    smc.llc_msg smc.sender.gid smc.confirm.link.flags smc.confirm.link.response smc.confirm.link.sender.mac smc.confirm.link.sender.qp.number
    smc.confirm.link.number smc.confirm.link.sender.link.userid smc.confirm.link.max.links smc.add.link.flags
    smc.add.link.response smc.add.link.response.rejected smc.add.link.sender.mac smc.add.link.sender.gid smc.add.link.sender.qp.number
    smc.add.link.link.number smc.add.link.qp.mtu.value smc.add.link.initial.psn smc.delete.link.flags smc.delete.link.response smc.delete.link.all
    smc.delete.link.orderly smc.delete.link.number smc.delete.link.reason.code smc.confirm.rkey.flags smc.confirm.rkey.response
    smc.confirm.rkey.negative.response smc.confirm.rkey.retry.rkey.set smc.confirm.rkey.number.qp smc.confirm.rkey.new.rkey
    smc.confirm.rkey.new.virt smc.test.link.flags smc.test.link.response smc.delete.rkey.flags smc.delete.rkey.response
    smc.delete.rkey.negative.response smc.delete.rkey.count smc.delete.rkey.error.mask smc.rmbe.ctrl.seqno smc.rmbe.ctrl.alert.token
    smc.rmbe.ctrl.prod.wrap.seq smc.rmbe.ctrl.peer.prod.curs smc.rmbe.ctrl.conn.rw.status.flags smc.rmbe.ctrl.write.blocked
    smc.rmbe.ctrl.urgent.pending smc.rmbe.ctrl.urgent.present smc.rmbe.ctrl.cons.update.requested smc.rmbe.ctrl.failover.validation
    smc.rmbe.ctrl.peer.conn.state.flags smc.rmbe.ctrl.peer.sending.done smc.rmbe.ctrl.peer.closed.conn smc.rmbe.ctrl.peer.abnormal.close
""".split()

LUSTRE = """
    lnet.ib.magic lnet.ib.version lnet.ib.type lnet.ib.credits lnet.ib.nob lnet.connparam.qdepth lnet.connparam.max_frags
    lnet.connparam.max_size lnet.msg_type lnet.payload_length lnet.msg_dst_match_bits lnet.msg_length lnet.msg_hdr_data lnet.ptl_index
    lnet.offset lnet.src_offset lnet.sink_length lnet.o2ib.cookie lnet.o2ib.src_cookie lnet.o2ib.dest_cookie lnet.rdma.key lnet.rdma.nfrags
    lnet.rdma_frag.size lnet.rdma_frag.addr
""".split()
