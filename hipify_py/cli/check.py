"""`hipify-py check`: what a conversion would meet."""

from __future__ import annotations

import sys

import click

from hipify_py.cli import options
from hipify_py.cli.exit_codes import exit_code
from hipify_py.cli.progress import progress_bar
from hipify_py.options import Options
from hipify_py.project.api import check
from hipify_py.report.text import emit_document, show_check, show_failures, show_left_alone


@click.command("check")
@options.paths
@options.selection
@options.translation
@options.fail_on
@options.formats
@options.running
def command(
    *,
    paths: tuple[str, ...],
    include: tuple[str, ...],
    exclude: tuple[str, ...],
    no_gitignore: bool,
    translation: Options,
    fail_on: str,
    format_: str,
    jobs: int | None,
    verbose: bool,
    quiet: bool,
) -> int:
    """List what a conversion of PATH... would leave to do. Nothing is written.

    Findings go to standard output, one a line: file:line:col: severity HIPnnn message.
    """
    with progress_bar("checking", quiet=quiet) as progress:
        report = check(
            paths,
            options=translation,
            jobs=jobs,
            include=include,
            exclude=exclude,
            gitignore=not no_gitignore,
            progress=progress,
        )
    if not quiet:
        show_left_alone(report.skipped, report.left_out, sys.stderr, verbose=verbose)
    if format_ == "json":
        from hipify_py.report.json_report import check_document, render

        emit_document(sys.stdout, render(check_document(report.results, translation.targeting)))
        show_failures(report.results, sys.stderr)
    else:
        show_check(report.results, quiet=quiet)
    return exit_code(report.results, fail_on)
