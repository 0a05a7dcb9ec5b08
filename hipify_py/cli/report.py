"""`hipify-py report`: porting coverage."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from hipify_py.cli import cluster_option, compare_option, gates, options
from hipify_py.cli.by_configuration import (
    CommandOfPaths,
    Part,
    by_configuration,
    choices_of,
    paths,
    which_configuration,
    which_rocm,
    worst_exit_code,
)
from hipify_py.cli.exit_codes import settled
from hipify_py.cli.help_command import CACHE, COLOURS, LOOKS, ROCM
from hipify_py.cli.next_steps import is_told, tell_next_steps
from hipify_py.cli.outputs import Outputs, formats
from hipify_py.cli.progress import progress_bar
from hipify_py.cli.show_options import showing
from hipify_py.project.api import convert_groups, joined
from hipify_py.report.gates import Thresholds
from hipify_py.report.history import DATE_VARIABLE, origin_of
from hipify_py.report.run_report import REPORT, RunReport
from hipify_py.report.semantics import semantics_lines
from hipify_py.report.text import emit, files_line, show_failures, show_left_alone, summary

if TYPE_CHECKING:
    from hipify_py.cli.verification import Compiler


@click.command(
    "report",
    cls=CommandOfPaths,
    examples=[
        ("hipify-py report src/", "Show how much of a folder can be converted, by library and by file."),
        ("hipify-py report src/ --fail-under 95 --fail-under cublas=100", "Fail below these percentages."),
        ("hipify-py report src/ --compare origin/main", "Show what changed since a revision."),
        ("hipify-py report src/ --output-file html=coverage.html", "Write an HTML page."),
    ],
    statuses=LOOKS,
    variables={**CACHE, **COLOURS, **ROCM, DATE_VARIABLE: "the date of the report, in seconds since 1970"},
)
@paths
@options.selection
@options.translation
@options.fail_on("never")
@gates.gates
@compare_option.compare
@options.verify
@formats
@showing
@options.running
@cluster_option.address
@options.caching
@by_configuration
def command(
    *,
    parts: Sequence[Part],
    exit_zero: bool,
    asked: Thresholds,
    verify: bool,
    compare: str | None,
    outputs: Outputs,
    jobs: int | None,
    cluster: cluster_option.Chosen,
    verbose: bool,
    quiet: bool,
    no_cache: bool,
) -> int:
    """Show how much of PATH... can be converted, by library and by file, and what is left; write nothing."""
    gates.check_libraries(parts, asked)
    compiler: Compiler | None = None
    if verify:
        from hipify_py.cli.verification import compiler_of  # with all that compiles, which few runs need

        compiler = compiler_of(parts)
        parts = compiler.parts
    if not quiet:
        emit(sys.stderr, which_rocm(parts))
    with cluster_option.executor(cluster, quiet=quiet) as executor, progress_bar("reading", quiet=quiet) as progress:
        reports = convert_groups(
            [part.group for part in parts],
            jobs=jobs,
            changes=outputs.show_changes,
            progress=progress,
            cache=not no_cache,
            look_at_builds=is_told(parts, quiet=quiet),
            executor=executor,
        )
    trial = compiler.trial(jobs=jobs) if compiler else None
    if trial is not None:
        reports = trial.joined_with(reports)
    found = joined(reports)
    judged = gates.judged(parts, reports, asked)
    comparison = None
    if compare is not None:
        comparison = compare_option.comparison_with(compare, parts, found.results, jobs=jobs, quiet=quiet)
    outputs.write(
        RunReport(
            REPORT,
            found.results,
            choices_of(parts),
            gates=judged,
            comparison=comparison,
            origin=origin_of([path for part in parts for path in part.group.paths]),
            verified=trial and trial.verified,
        )
    )
    show_failures(found.results, sys.stderr)
    is_for_people = outputs.format in (None, "text")  # and has the figures of the summary already
    if verbose and not quiet:
        emit(sys.stderr, which_configuration(parts))
    if not quiet:
        show_left_alone(found.skipped, found.left_out, sys.stderr, verbose=verbose)
        lines = [files_line(found.results, written=False), *semantics_lines(found.results)]
        emit(sys.stderr, lines if is_for_people else summary(found.results, written=False))
    tell_next_steps(parts, found, quiet=quiet, verbose=verbose, has_verdict=is_for_people)
    return settled(max(worst_exit_code(parts, reports), gates.report_gates(judged)), exit_zero=exit_zero)
