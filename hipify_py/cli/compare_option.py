"""`--compare`: an earlier run, from its account or from a git revision."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import click

from hipify_py.cli.by_configuration import Part
from hipify_py.cli.progress import progress_bar
from hipify_py.project.errors import PlanError, reason
from hipify_py.project.read_limited import read_bounded
from hipify_py.project.result import FileResult
from hipify_py.report.comparison import Comparison, compared
from hipify_py.report.document import DocumentError, report_of

Command = TypeVar("Command", bound=Callable[..., Any])

_LARGEST = 512 << 20


def compare(command: Command) -> Command:
    """What the run is compared with."""
    return click.option(
        "--compare",
        metavar="FILE|REV",
        help="Show what changed since an earlier run: its report (--format json), or a git revision of PATH...",
    )(command)


def comparison_with(
    against: str, parts: Sequence[Part], results: Sequence[FileResult], *, jobs: int | None, quiet: bool
) -> Comparison:
    """Compare results with an earlier run; an existing file of that name takes precedence over a revision.

    Raises:
        PlanError: when the file is not a report, or the revision cannot be read.
    """
    if os.path.exists(against):
        return compared(against, _results_in(against), results)
    from hipify_py.project.at_revision import results_at

    with progress_bar(f"reading {against}", quiet=quiet) as progress:
        before = results_at(against, [part.group for part in parts], jobs=jobs, progress=progress)
    return compared(against, before, results)


def _results_in(path: str) -> Sequence[FileResult]:
    try:
        document = json.loads(read_bounded(path, _LARGEST))
    except OSError as error:
        raise PlanError(f"{path}: {reason(error)}") from error
    except (ValueError, RecursionError) as error:
        raise PlanError(f"{path}: no JSON ({type(error).__name__})") from error
    if not isinstance(document, dict):
        raise PlanError(f"{path} is not a report of a run")
    try:
        return report_of(document).results
    except DocumentError as error:
        raise PlanError(f"{path}: {error}") from error
