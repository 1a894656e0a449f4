"""The one exception that reaches the user: what went wrong and what to run next."""


class LabError(Exception):
    """A failure told to a person; its text says which side, why, and what to do."""
