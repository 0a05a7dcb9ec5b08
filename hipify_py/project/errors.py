"""What stops a run, and errors of the operating system in words."""

from __future__ import annotations


class PlanError(ValueError):
    """The run cannot be done as requested; nothing has been written."""


class RunLost(PlanError):
    """A run that had begun cannot continue; finished work is kept for the next run."""


def reason(error: OSError) -> str:
    """An operating system's error in words, without its number and path."""
    return error.strerror or str(error) or type(error).__name__
