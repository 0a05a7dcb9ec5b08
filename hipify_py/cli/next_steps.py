"""The final lines of a run over folders: what to do next."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from hipify_py.report.text import emit

if TYPE_CHECKING:
    from hipify_py.cli.by_configuration import Part
    from hipify_py.project.api import ConversionReport


def is_told(parts: Sequence[Part], *, quiet: bool) -> bool:
    """Only runs over folders print it; hooks and editors pass files, and the findings are enough for them."""
    return not quiet and any(os.path.isdir(path) for part in parts for path in part.group.paths)


def tell_next_steps(
    parts: Sequence[Part],
    report: ConversionReport,
    *,
    quiet: bool,
    verbose: bool,
    converted: Sequence[str] = (),
    is_compiled: bool = False,
    has_verdict: bool = False,
) -> None:
    """Print to standard error what to do next, if anything is left that the command does not do itself."""
    if not is_told(parts, quiet=quiet):
        return
    from hipify_py.report.next_steps import Run, next_steps

    paths = [path for part in parts for path in part.group.paths]
    options = [part.group.options for part in parts]
    run = Run(paths, options, report.results, report.build_files, converted, is_compiled, has_verdict)
    emit(sys.stderr, next_steps(run, verbose=verbose))
