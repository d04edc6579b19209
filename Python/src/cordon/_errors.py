"""Exceptions and warnings."""

from __future__ import annotations

from typing import Optional


class CordonError(Exception):
    """An error of Cordon: one sentence, its place, a stable code and an exit status.

    Attributes:
        message: one sentence without its place.
        code: a stable name, such as ``missing-column`` or ``not-found``; docs/reference/json.md lists no others.
        file: the file concerned, if any.
        place: the place in the file or frame, such as ``line 12`` or ``row 3``, if any.
        exit_status: the exit status of the executable: 2 for wrong use or input, 3 for an internal error, 130 when
            interrupted. Errors that the package itself finds have 2.
    """

    def __init__(
        self,
        message: str,
        *,
        code: str = "usage",
        file: Optional[str] = None,
        place: Optional[str] = None,
        exit_status: int = 2,
    ) -> None:
        self.message = message
        self.code = code
        self.file = file
        self.place = place
        self.exit_status = exit_status
        super().__init__((f"{file}: " if file else "") + message + (f" ({place})" if place else ""))


class InputError(CordonError, ValueError):
    """Input or arguments that cannot be used: a missing column, a wrong type, a value out of its range."""


class InternalError(CordonError, RuntimeError):
    """A fault of the executable itself: it ended with status 3, or by a signal."""


class ExecutableNotFoundError(CordonError, FileNotFoundError):
    """The executable is neither in the package nor where ``CORDON_EXECUTABLE`` says."""

    def __str__(self) -> str:
        return str(self.args[0])


class MissingDependencyError(CordonError, ImportError):
    """An optional package is not installed."""

    def __str__(self) -> str:
        return str(self.args[0])


class CordonWarning(UserWarning):
    """An assumption about the input, or rows that were left out."""
