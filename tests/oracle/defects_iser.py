"""iSER and iSCSI, which tshark is not asked about in the comparison of all captures: iser_commands_test.py compares these fields."""

FIELDS = """
    iscsi.I iscsi.X iscsi.asyncevent iscsi.bufferOffset iscsi.cid iscsi.cmdsn iscsi.datasegmentlength iscsi.datasn iscsi.eventvendorcode
    iscsi.expcmdsn iscsi.expdatasn iscsi.expstatsn iscsi.initiatortasktag iscsi.isid iscsi.keyvalue iscsi.login.C iscsi.login.T
    iscsi.login.csg iscsi.login.nsg iscsi.login.status iscsi.logout.reason iscsi.logout.response iscsi.maxcmdsn iscsi.opcode
    iscsi.parameter1 iscsi.parameter2 iscsi.parameter3 iscsi.refcmdsn iscsi.reject.reason iscsi.scsicommand.F iscsi.scsicommand.R
    iscsi.scsicommand.W iscsi.scsicommand.attr iscsi.scsicommand.expecteddatatransferlength iscsi.scsidata.F
    iscsi.scsiresponse.O iscsi.scsiresponse.U iscsi.scsiresponse.bidireadresidualcount iscsi.scsiresponse.o
    iscsi.scsiresponse.residualcount iscsi.scsiresponse.response iscsi.scsiresponse.senselength iscsi.scsiresponse.status
    iscsi.scsiresponse.u iscsi.statsn iscsi.targettransfertag iscsi.taskmanfun.function iscsi.taskmanfun.referencedtasktag
    iscsi.taskmanfun.response iscsi.text.C iscsi.text.F iscsi.time2retain iscsi.time2wait iscsi.totalahslength iscsi.tsih
    iscsi.versionactive iscsi.versionmax iscsi.versionmin iser.flags.opcode iser.flags.rej iser.flags.rsv iser.flags.wsv iser.ird
    iser.ord iser.read_base_offset iser.read_stag iser.write_base_offset iser.write_stag scsi.sns.addlen scsi.sns.ascascq
    scsi.sns.command_specific_information scsi.sns.eom scsi.sns.errtype scsi.sns.filemark scsi.sns.ili scsi.sns.info scsi.sns.key
    scsi.sns.valid scsi_sbc.opcode
""".split()


SRP = "rocescope.srp.opcode"  # tshark has no dissector of SRP


def not_asked(field, ours, theirs):
    """iSER, and SCSI in SRP: tshark is not asked about it here, and shows payload."""
    if field in FIELDS:
        return field not in theirs
    return field in ("infiniband.payload", "data.data") and ("iscsi.opcode" in ours or SRP in ours)
