"""SMB Direct and SMB, which tshark is not asked about in the comparison of all captures: smb_commands_test.py makes packets of them."""

FIELDS = """
    smb2.aid smb2.buffer_descriptor.length smb2.buffer_descriptor.offset smb2.buffer_descriptor.token
    smb2.chain_offset smb2.channel smb2.cmd smb2.credit.charge smb2.credits.granted smb2.credits.requested
    smb2.file_offset smb2.flags.async smb2.flags.chained smb2.flags.response smb2.flags.signature
    smb2.header.transform.msg_size smb2.min_count smb2.msg_id smb2.nt_status smb2.pid smb2.protocol_id
    smb2.read_length smb2.read_remaining smb2.remaining_bytes smb2.sesid smb2.tid smb2.write.count smb2.write_length
    smb_direct.credits.granted smb_direct.credits.requested smb_direct.data_length smb_direct.data_offset
    smb_direct.flags.response_requested smb_direct.max_fragmented_size smb_direct.max_read_write_size
    smb_direct.max_receive_size smb_direct.preferred_send_size smb_direct.remaining_length smb_direct.status
    smb_direct.version.max smb_direct.version.min smb_direct.version.negotiated
""".split()

# What tshark names alike in other places, or shows as its bits; and what few ask for.
NOT_COMPARED = """
    smb2.buffer_code smb2.channel_info_length smb2.channel_info_offset smb2.channel_sequence smb2.data_offset
    smb2.flags smb2.flags.dfs smb2.flags.replay smb2.header.comp_transform.comp_alg smb2.header.comp_transform.flags
    smb2.header.comp_transform.offset smb2.header.comp_transform.original_size smb2.header.transform.flags
    smb2.header.transform.nonce smb2.header.transform.reserved smb2.header.transform.signature smb2.header_len
    smb2.read_flags smb2.read_padding smb2.reserved smb2.signature smb2.write.flags smb2.write.remaining
    smb_direct.flags
""".split()


def not_asked(field, ours, theirs):
    """SMB Direct: tshark is not asked about it here, and shows payload."""
    if field in FIELDS or field in NOT_COMPARED:
        return field not in theirs
    return field in ("infiniband.payload", "data.data") and ("smb_direct.data_length" in ours or "smb_direct.version.min" in ours or
                                                             "smb_direct.version.negotiated" in ours or "smb2.protocol_id" in ours)
