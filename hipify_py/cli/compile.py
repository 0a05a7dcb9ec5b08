"""`hipify-py compile`: does it compile for AMD GPUs?"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Sequence

import click

from hipify_py.cli import options as shared
from hipify_py.cli.exit_codes import DONE, FAILURE, FINDINGS, USAGE
from hipify_py.compile.check import CompileReport, compile_project, compile_staged
from hipify_py.compile.diagnostics import message_lines
from hipify_py.compile.driver import NO_HIPCC, find_hipcc
from hipify_py.compile.staging import stage_converted
from hipify_py.options import DEFAULT_OPTIONS, Options
from hipify_py.project.api import ConversionReport
from hipify_py.project.discovery import EVERYTHING, Selection
from hipify_py.report.text import emit, plural, show_failures


@click.command("compile", context_settings={"ignore_unknown_options": False})
@shared.paths
@click.option("--arch", multiple=True, metavar="GFX", help="A GPU to compile for (gfx90a); may be given again.")
@click.option("--std", metavar="STD", help="The language standard (c++17).")
@shared.translation
@shared.running
def command(
    *,
    paths: tuple[str, ...],
    arch: tuple[str, ...],
    std: str | None,
    translation: Options,
    jobs: int | None,
    verbose: bool,
    quiet: bool,
) -> int:
    """Compile PATH... with hipcc, translated first where it is CUDA. Flags for hipcc follow after --.

    Errors are shown at the CUDA lines that they come from. Nothing is kept.
    """
    given, flags = _split(paths)
    return compile_paths(
        given, options=translation, arch=arch, std=std, flags=flags, jobs=jobs, verbose=verbose, quiet=quiet
    )


def compile_paths(
    paths: Sequence[str],
    *,
    options: Options = DEFAULT_OPTIONS,
    selection: Selection = EVERYTHING,
    arch: Sequence[str] = (),
    std: str | None = None,
    flags: Sequence[str] = (),
    jobs: int | None = None,
    verbose: bool = False,
    quiet: bool = False,
) -> int:
    """Compile, print what the compiler said, and return the exit status."""
    hipcc = find_hipcc()
    if hipcc is None:
        emit(sys.stderr, NO_HIPCC.splitlines())
        return USAGE
    with tempfile.TemporaryDirectory(prefix="hipify-py-") as folder:
        report = compile_project(
            hipcc,
            paths,
            folder,
            options=options,
            selection=selection,
            arch=arch,
            std=std,
            flags=flags,
            jobs=jobs,
            warnings=verbose,
        )
    return _tell(report, quiet=quiet)


def compile_written(converted: ConversionReport, *, jobs: int | None = None, quiet: bool = False) -> int:
    """Compile what a conversion has written, print what the compiler said, and return the exit status."""
    hipcc = find_hipcc()
    if hipcc is None:
        emit(sys.stderr, NO_HIPCC.splitlines())
        return USAGE
    with tempfile.TemporaryDirectory(prefix="hipify-py-") as objects:
        return _tell(compile_staged(hipcc, stage_converted(converted), objects, jobs=jobs), quiet=quiet)


def _tell(report: CompileReport, *, quiet: bool) -> int:
    """Print the report; returns the exit status."""
    emit(sys.stdout, (line for message in report.messages for line in message_lines(message)))
    emit(sys.stderr, report.unparsed)
    show_failures(report.untranslated, sys.stderr)
    if not quiet:
        emit(sys.stderr, [_summary(report)])
    if report.untranslated:
        return FAILURE
    return FINDINGS if report.failed else DONE


def _summary(report: CompileReport) -> str:
    if not report.compiled:
        return "nothing to compile: no GPU sources found"
    return f"{plural(report.compiled, 'file')} compiled, {report.failed} with errors"


def _split(paths: tuple[str, ...]) -> tuple[list[str], list[str]]:
    """The paths before the first flag, and the flags: click hands both over as one list after `--`."""
    first = next((index for index, value in enumerate(paths) if value.startswith("-")), len(paths))
    if first == 0:
        raise click.UsageError("No path was given before the compiler's flags.")
    return list(paths[:first]), list(paths[first:])
