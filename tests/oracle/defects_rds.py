RDS = "rocescope.rds.sequence"


def not_asked(field, ours, theirs):
    """RDS: tshark has no dissector of it, and shows payload."""
    return field in ("infiniband.payload", "data.data") and RDS in ours
