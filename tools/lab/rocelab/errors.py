"""The one exception that reaches the user: what went wrong and what to run next."""


class LabError(Exception):
    """A failure for the user; its text says which side, why, and what to do."""
