"""`hipify-py check`: what a conversion would meet."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import click

from hipify_py.cli import options
from hipify_py.cli.by_configuration import (
    CommandOfPaths,
    Part,
    by_configuration,
    choices_of,
    paths,
    which_configuration,
    worst_exit_code,
)
from hipify_py.cli.outputs import Outputs, formats
from hipify_py.cli.progress import progress_bar
from hipify_py.project.api import convert_groups, joined
from hipify_py.report.run_report import CHECK, RunReport
from hipify_py.report.text import emit, show_failures, show_left_alone, summary


@click.command("check", cls=CommandOfPaths)
@paths
@options.selection
@options.translation
@options.fail_on("error")
@formats
@options.running
@options.caching
@by_configuration
def command(
    *,
    parts: Sequence[Part],
    outputs: Outputs,
    jobs: int | None,
    verbose: bool,
    quiet: bool,
    no_cache: bool,
) -> int:
    """List what a conversion of PATH... would leave to do. Nothing is written.

    Findings go to standard output, under their files on a terminal, and elsewhere one a line:
    file:line:col: severity HIPnnn message.
    """
    with progress_bar("checking", quiet=quiet) as progress:
        reports = convert_groups([part.group for part in parts], jobs=jobs, progress=progress, cache=not no_cache)
    report = joined(reports)
    if verbose and not quiet:
        emit(sys.stderr, which_configuration(parts))
    if not quiet:
        show_left_alone(report.skipped, report.left_out, sys.stderr, verbose=verbose)
    outputs.write(RunReport(CHECK, report.results, choices_of(parts)))
    show_failures(report.results, sys.stderr)
    if not quiet:
        emit(sys.stderr, summary(report.results, written=False))
    return worst_exit_code(parts, reports)
