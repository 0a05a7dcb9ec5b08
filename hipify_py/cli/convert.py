"""`hipify-py convert`: CUDA in, HIP out."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import click

from hipify_py.cli import cluster_option, fixing, options, standard_input
from hipify_py.cli.by_configuration import (
    CommandOfPaths,
    Part,
    by_configuration,
    choices_of,
    for_compiler,
    paths,
    which_configuration,
    which_rocm,
    worst_exit_code,
)
from hipify_py.cli.exit_codes import settled
from hipify_py.cli.help_command import CACHE, COLOURS, HIPCC, LOOKS
from hipify_py.cli.next_steps import is_told, tell_next_steps
from hipify_py.cli.outputs import Outputs, formats
from hipify_py.cli.progress import progress_bar
from hipify_py.cli.show_options import showing
from hipify_py.compile.driver import find_hipcc
from hipify_py.core.findings import SEVERITIES
from hipify_py.core.terminal_escape import visible_lines
from hipify_py.project.api import ConversionReport, convert_groups, joined
from hipify_py.project.plan import DEFAULT_RENAMES
from hipify_py.project.support_header_writer import header_diff
from hipify_py.project.work import DIFF, NO_OUTPUT, OUTPUT
from hipify_py.report.run_report import CONVERT, RunReport
from hipify_py.report.text import emit, emit_bytes, show_failures, show_findings, show_left_alone, summary
from hipify_py.support_header import HEADER

if TYPE_CHECKING:
    from hipify_py.cli.verification import Compiler


@click.command(
    "convert",
    cls=CommandOfPaths,
    examples=[
        ("hipify-py convert src/ -o hip/", "Translate a folder into another; files without CUDA are copied."),
        ("hipify-py convert src/ --diff", "Show what would change."),
        ("hipify-py convert src/ --in-place --rename", "Replace the files and rename them to .hip and .hip.h."),
        ("hipify-py convert a.cu --stdout", "Print the translation of one file."),
        ("hipify-py convert src/ -o hip/ --output-file sarif=left.sarif", "Also write a report in SARIF."),
    ],
    statuses=LOOKS,
    variables={**CACHE, **COLOURS, **HIPCC},
)
@paths
@click.option("-o", "--output", type=click.Path(), metavar="DIR", help="Write to this folder (or file, for one file).")
@click.option("--in-place", is_flag=True, help="Replace the files.")
@click.option("--stdout", is_flag=True, help="Print the HIP source of one file.")
@click.option("--diff", is_flag=True, help="Print what would change, as a unified diff.")
@options.selection
@click.option("--rename", is_flag=True, help="Rename CUDA files: .cu to .hip, .cuh to .hip.h.")
@click.option(
    "--rename-map",
    multiple=True,
    metavar="OLD=NEW",
    help="Replace a file extension (.cu=.hip.cpp), or a word in the names of sources and of their folders (cuda=hip).",
)
@click.option("--backup", is_flag=True, help="With --in-place: keep each original as NAME.prehip.")
@click.option(
    "--force", is_flag=True, help="With --in-place: also replace files that version control could not restore."
)
@options.setting("annotate")
@options.setting("dual")
@options.verify
@click.option("--compile", "compile_", is_flag=True, help="Compile the result with hipcc.")
@fixing.interactive
@options.translation
@options.fail_on("error")
@standard_input.stdin_filename
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
    output: str | None,
    in_place: bool,
    stdout: bool,
    diff: bool,
    rename: bool,
    rename_map: tuple[str, ...],
    backup: bool,
    force: bool,
    verify: bool,
    compile_: bool,
    interactive: bool,
    outputs: Outputs,
    jobs: int | None,
    cluster: cluster_option.Chosen,
    verbose: bool,
    quiet: bool,
    no_cache: bool,
) -> int:
    """Translate the CUDA sources at and below PATH... to HIP.

    Choose where the result goes with -o, --in-place, --stdout or --diff. With -o, the whole folder is mirrored,
    including files that are not CUDA sources. - reads standard input and writes to standard output.
    """
    if standard_input.is_standard_input():
        if output is not None or in_place:
            raise click.UsageError("- reads standard input and writes to standard output.")
        stdout = stdout or not diff
    _one_destination(output, in_place, stdout, diff)
    given = [path for part in parts for path in part.group.paths]
    if stdout and (len(given) != 1 or os.path.isdir(given[0])):
        raise click.UsageError("--stdout takes exactly one file.")
    if (backup or force) and not in_place:
        raise click.UsageError("--backup and --force require --in-place.")
    if outputs.format and (stdout or diff):
        raise click.UsageError("--format, --stdout and --diff all write to standard output; use --output-file.")
    if compile_ and (stdout or diff):
        raise click.UsageError("--compile requires -o or --in-place.")
    if compile_:
        parts = for_compiler(parts, find_hipcc() or "")
    compiler: Compiler | None = None
    if verify:
        from hipify_py.cli.verification import compiler_of  # with all that compiles, which few runs need

        compiler = compiler_of(parts)
        parts = compiler.parts
    if not quiet:
        emit(sys.stderr, which_rocm(parts))
    if interactive:
        parts = _asked(parts, jobs=jobs, quiet=quiet, cache=not no_cache)
    trial = compiler.trial(jobs=jobs) if compiler else None  # while the sources are CUDA
    wanted = OUTPUT if stdout else DIFF if diff else NO_OUTPUT
    reports = standard_input.reports_on_input(parts, wanted=wanted, changes=outputs.show_changes)
    if reports is None:
        with (
            cluster_option.executor(cluster, quiet=quiet) as executor,
            progress_bar("converting", quiet=quiet) as progress,
        ):
            reports = convert_groups(
                [part.group for part in parts],
                output=output,
                in_place=in_place,
                jobs=jobs,
                rename=_renames(rename, rename_map),
                backup=backup,
                force=force,
                wanted=wanted,
                changes=outputs.show_changes,
                edits=compile_,
                progress=progress,
                cache=not no_cache,
                look_at_builds=is_told(parts, quiet=quiet or stdout or diff),
                executor=executor,
            )
    if trial is not None:
        reports = trial.joined_with(reports)
    report = joined(reports)
    shown = visible_lines if sys.stdout.isatty() else bytes  # a file or a pipe gets it exactly
    for result in report.results:
        emit_bytes(sys.stdout, shown(result.output))
    if diff:
        emit_bytes(sys.stdout, shown(header_diff(report.headers)))
    if report.headers and not quiet:
        emit(sys.stderr, _header_lines(report, stdout=stdout, written=not (diff or stdout)))
    outputs.write(
        RunReport(CONVERT, report.results, choices_of(parts), verified=trial and trial.verified),
        to_stdout=outputs.format is not None,
    )
    if verbose and not quiet:
        emit(sys.stderr, which_configuration(parts))
    _report(report, written=not diff, verbose=verbose, quiet=quiet)
    written = given if output is None else [output]
    is_quiet = quiet or stdout or diff
    tell_next_steps(parts, report, quiet=is_quiet, verbose=verbose, converted=written, is_compiled=compile_)
    code = settled(worst_exit_code(parts, reports), exit_zero=exit_zero)
    if compile_:
        from hipify_py.cli.compile import compile_written

        code = max(code, compile_written(reports, jobs=jobs, quiet=quiet))
    return code


def _asked(parts: Sequence[Part], *, jobs: int | None, quiet: bool, cache: bool) -> list[Part]:
    """The parts with the fixes that the user has accepted."""
    fixing.refuse_without_terminal()
    asked = fixing.parts_to_ask_for(parts)
    offers = fixing.offering(asked)
    with progress_bar("checking", quiet=quiet) as progress:
        reports = convert_groups([part.group for part in offers], jobs=jobs, progress=progress, cache=cache)
    wanted, _ = fixing.wanted_fixes(asked, reports, asks=True)
    return fixing.declining(asked, reports, wanted)


def _one_destination(output: str | None, in_place: bool, stdout: bool, diff: bool) -> None:
    chosen = sum((output is not None, in_place, stdout, diff))
    if chosen != 1:
        says = "Choose where the result goes:" if chosen == 0 else "Choose only one of these:"
        raise click.UsageError(
            f"{says}\n"
            "  -o DIR      write to DIR and leave the inputs as they are\n"
            "  --in-place  replace the files\n"
            "  --stdout    print the HIP source of one file\n"
            "  --diff      print what would change"
        )


_WORD = re.compile(r"[A-Za-z0-9_]+")


def _renames(rename: bool, rename_map: tuple[str, ...]) -> dict[str, str] | None:
    chosen: dict[str, str] = {}
    for pair in rename_map:
        old, equals, new = pair.partition("=")
        are_endings = old.startswith(".") and new.startswith(".") and os.sep not in new
        if not (equals and (are_endings or (_WORD.fullmatch(old) and _WORD.fullmatch(new)))):
            raise click.BadParameter(
                f"{pair!r} has neither the form .old=.new nor word=word", param_hint="--rename-map"
            )
        if chosen.setdefault(old, new) != new:
            raise click.BadParameter(
                f"{old!r} cannot become both {chosen[old]!r} and {new!r}", param_hint="--rename-map"
            )
    return {**(DEFAULT_RENAMES if rename else {}), **chosen} or None


def _report(report: ConversionReport, *, written: bool, verbose: bool, quiet: bool) -> None:
    """Everything for people goes to standard error: standard output may be the result itself."""
    if not quiet:
        show_findings(report.results, sys.stderr, SEVERITIES if verbose else SEVERITIES[1:])
    show_failures(report.results, sys.stderr)
    if quiet:
        return
    if verbose:
        emit(sys.stderr, (_file_line(result.path, result.status, result.target) for result in report.results))
    emit(sys.stderr, (f"{path}: {message}" for path, message in report.skipped))
    show_left_alone((), report.left_out, sys.stderr, verbose=verbose)
    emit(sys.stderr, summary(report.results, written=written))


def _header_lines(report: ConversionReport, *, stdout: bool, written: bool) -> Iterator[str]:
    """Where the support headers are, or how to come by them."""
    failed = {result.path for result in report.failed}
    for path, sections in sorted(report.headers.items()):
        names = " ".join(sorted(sections))
        if stdout:
            yield f"the output includes {HEADER}; print it with hipify-py header --support {names}"
        elif written and path not in failed:
            yield f"{path}: written, with replacements for what HIP lacks ({names})"


def _file_line(path: str, status: str, target: str | None) -> str:
    return f"{path}: {status}" if target is None or target == path else f"{path}: {status} -> {target}"
