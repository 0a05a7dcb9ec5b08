"""`hipify-py report`: porting coverage."""

from __future__ import annotations

import sys

import click

from hipify_py.cli import options
from hipify_py.cli.exit_codes import exit_code
from hipify_py.cli.progress import progress_bar
from hipify_py.options import Options
from hipify_py.project.api import check
from hipify_py.report.model import coverage_of
from hipify_py.report.text import emit, emit_document, show_failures, show_left_alone, summary


@click.command("report")
@options.paths
@options.selection
@options.translation
@options.formats
@options.running
def command(
    *,
    paths: tuple[str, ...],
    include: tuple[str, ...],
    exclude: tuple[str, ...],
    no_gitignore: bool,
    translation: Options,
    format_: str,
    jobs: int | None,
    verbose: bool,
    quiet: bool,
) -> int:
    """Show how much of PATH... HIP takes: by library, by file, and what is left. Nothing is written."""
    with progress_bar("reading", quiet=quiet) as progress:
        found = check(
            paths,
            options=translation,
            jobs=jobs,
            include=include,
            exclude=exclude,
            gitignore=not no_gitignore,
            progress=progress,
        )
    coverage = coverage_of(found.results)
    if format_ == "json":
        from hipify_py.report.json_report import render, report_document

        emit_document(sys.stdout, render(report_document(coverage, translation.targeting)))
    else:
        from rich.console import Console

        from hipify_py.report.console import show_coverage

        show_coverage(coverage, translation.targeting, Console(width=None if sys.stdout.isatty() else 120))
    show_failures(found.results, sys.stderr)
    if not quiet:
        show_left_alone(found.skipped, found.left_out, sys.stderr, verbose=verbose)
        emit(sys.stderr, summary(found.results, written=False))
    return exit_code(found.results, "never")
