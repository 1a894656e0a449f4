"""The exceptions whose texts users read."""


class UsageError(Exception):
    """What was asked for cannot be done, or Slurm refuses it: exit code 2."""


class TaskError(Exception):
    """Why a task has no result. `final`: another try would end the same way."""

    def __init__(self, reason: str, final: bool = False) -> None:
        super().__init__(reason)
        self.final = final
