"""What a report says besides its findings: what was chosen, what was processed, and who tried the result."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from hipify_py.core.targeting import Targeting

if TYPE_CHECKING:
    from hipify_py.project.result import Parsed


class Choice(NamedTuple):
    """What was chosen for some of a run's paths.

    Attributes:
        config: the configuration's file; empty where there is none.
        paths: the paths, as given.
        targeting: the versions and the target.
    """

    config: str
    paths: tuple[str, ...]
    targeting: Targeting


class Compiled(NamedTuple):
    """The result of compiling a project, or of parsing it instead.

    Attributes:
        sources: how many sources were compiled or parsed.
        failed: how many of them have errors.
        dropped: how many errors inside foreign headers were left out.
        parsed: how each source was parsed; None where a compiler compiled them.
    """

    sources: int
    failed: int
    dropped: int = 0
    parsed: Sequence[Parsed] | None = None


class Origin(NamedTuple):
    """What a report is about.

    Attributes:
        project: the name of the folder.
        commit: the digest of the commit that is checked out; empty outside of git.
        date: the day of the run, in UTC, as `2026-01-31`.
    """

    project: str
    commit: str
    date: str


class Verified(NamedTuple):
    """Who tried a translation, and with what result; the errors are findings.

    Attributes:
        tool: the compiler or parser, and the headers that it used, in words.
        did: what it did with sources: `compiled` or `parsed`.
        sources: how many sources it tried.
        failed: how many files have errors.
        missing: the headers that it did not find, so that what follows from them was not tried.
    """

    tool: str
    did: str
    sources: int
    failed: int
    missing: tuple[str, ...] = ()
