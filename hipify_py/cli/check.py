"""`hipify-py check`: what a conversion would leave to do."""

from __future__ import annotations

import functools
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from hipify_py.cli import baseline_options, cluster_option, fixing, options, standard_input
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
from hipify_py.report.run_report import CHECK, RunReport
from hipify_py.report.statistics import statistics as counted
from hipify_py.report.text import emit, show_failures, show_left_alone, summary

if TYPE_CHECKING:
    from hipify_py.project.api import ConversionReport
    from hipify_py.project.result import FileResult
    from hipify_py.report.baseline.file import Entry


@click.command(
    "check",
    cls=CommandOfPaths,
    examples=[
        ("hipify-py check src/", "List what a conversion of a folder would leave to do."),
        ("hipify-py check src/ --rocm 6.4 --select HIP1,HIP3", "Report two families of findings, for an older ROCm."),
        ("hipify-py check src/ --baseline hipify-baseline.jsonl", "Fail only on new findings."),
        ("hipify-py check . --since origin/main --format github", "Annotate what a branch adds."),
        ("hipify-py check - --stdin-filename src/a.cu < src/a.cu", "Check standard input, for an editor."),
        ("hipify-py check src/ --show-settings", "Show the effective settings and where they come from."),
    ],
    statuses=LOOKS,
    variables={**CACHE, **COLOURS, **ROCM},
)
@paths
@options.selection
@options.translation
@options.fail_on("error")
@standard_input.stdin_filename
@baseline_options.baseline
@baseline_options.since
@options.statistics
@click.option("--diff", is_flag=True, help="Print what --fix (ALL by default) would change; write nothing.")
@fixing.interactive
@formats
@showing
@options.running
@cluster_option.address
@options.caching
@by_configuration
def command(
    *,
    parts: Sequence[Part],
    since: str | None,
    no_merge_base: bool,
    exit_zero: bool,
    statistics: bool,
    diff: bool,
    interactive: bool,
    outputs: Outputs,
    jobs: int | None,
    cluster: cluster_option.Chosen,
    verbose: bool,
    quiet: bool,
    no_cache: bool,
) -> int:
    """List what a conversion of PATH... would leave to do. - reads standard input.

    Findings go to standard output, grouped by file on a terminal, otherwise one per line:
    file:line:col: severity HIPnnn message.

    check changes no files unless --fix names findings on the command line (by id, HIP3 or ALL). It then applies their
    fixes to the files, and CUDA files stay CUDA. --diff shows the changes first; --interactive asks about each fix.
    """
    from hipify_py.project.api import joined  # with all that runs: --help needs none of it

    mending = fixing.parts_to_mend(parts, anything=diff or interactive)
    _refuse(mending, diff=diff, interactive=interactive, outputs=outputs)
    parts = fixing.offering(mending) or parts
    examine = functools.partial(
        _examined,
        parts,
        since=since,
        no_merge_base=no_merge_base,
        changes=outputs.show_changes,
        jobs=jobs,
        cluster=cluster,
        quiet=quiet,
        no_cache=no_cache,
    )
    if not quiet:
        emit(sys.stderr, which_rocm(parts))
    reports, gone = examine()
    failures: list[FileResult] = []
    if mending:
        wanted, overlapping = fixing.wanted_fixes(mending, reports, asks=interactive)
        if diff:
            failures = fixing.show_diff(reports, wanted)
        elif wanted:
            mended = fixing.mend(reports, wanted, overlapping)
            failures = mended.failures
            reports, gone = examine()
            if not quiet:
                fixing.print_fixes(mended)
        reports = [*reports[:-1], reports[-1]._replace(results=[*reports[-1].results, *failures])]
    report = joined(reports)
    if verbose and not quiet:
        emit(sys.stderr, which_configuration(parts))
    if not quiet:
        show_left_alone(report.skipped, report.left_out, sys.stderr, verbose=verbose)
    account = RunReport(CHECK, report.results, choices_of(parts), gone=gone)
    outputs.write(account, to_stdout=not diff and (not statistics or outputs.format is not None))
    if statistics and not diff:
        emit(sys.stdout if outputs.format is None else sys.stderr, counted(account))
    show_failures(report.results, sys.stderr)
    if not quiet:
        emit(sys.stderr, summary(report.results, written=False))
        emit(sys.stderr, baseline_options.gone_lines(gone, verbose=verbose))
    tell_next_steps(parts, report, quiet=quiet, verbose=verbose)
    return settled(worst_exit_code(parts, reports), exit_zero=exit_zero)


def _examined(
    parts: Sequence[Part],
    *,
    since: str | None,
    no_merge_base: bool,
    changes: bool,
    jobs: int | None,
    cluster: cluster_option.Chosen,
    quiet: bool,
    no_cache: bool,
) -> tuple[list[ConversionReport], list[Entry] | None]:
    """The reports on the parts with known findings separated, and the entries gone from their baselines."""
    reports = standard_input.reports_on_input(parts, changes=changes)
    if reports is None:
        from hipify_py.project.api import convert_groups

        with (
            cluster_option.executor(cluster, quiet=quiet) as executor,
            progress_bar("checking", quiet=quiet) as progress,
        ):
            reports = convert_groups(
                [part.group for part in parts],
                jobs=jobs,
                changes=changes,
                progress=progress,
                cache=not no_cache,
                look_at_builds=is_told(parts, quiet=quiet),
                executor=executor,
            )
    elif since is not None:
        raise click.UsageError("--since works on files, not on standard input.")
    reports, gone = baseline_options.without_known(parts, reports)
    return baseline_options.only_since(since, parts, reports, from_merge_base=not no_merge_base), gone


def _refuse(mending: Sequence[Part], *, diff: bool, interactive: bool, outputs: Outputs) -> None:
    if diff and interactive:
        raise click.UsageError("--diff and --interactive exclude each other.")
    if mending and standard_input.is_standard_input():
        raise click.UsageError("--fix works on files; for standard input, use convert - --fix.")
    if diff and outputs.format:
        raise click.UsageError("--format and --diff both write to standard output; use --output-file.")
    if interactive:
        fixing.refuse_without_terminal()
