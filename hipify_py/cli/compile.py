"""`hipify-py compile`: does it compile for AMD GPUs?"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterable, Sequence
from itertools import dropwhile, takewhile

import click

from hipify_py.clang.toolchain import Toolchain, find_toolchain
from hipify_py.cli import options as shared
from hipify_py.cli.by_configuration import (
    CommandOfPaths,
    Part,
    by_configuration,
    choices_of,
    for_compiler,
    paths,
    which_configuration,
    which_rocm,
)
from hipify_py.cli.exit_codes import DONE, FAILURE, FINDINGS, USAGE, exit_code
from hipify_py.cli.help_command import CACHE, HIPCC, PARTS
from hipify_py.cli.outputs import Outputs, formats
from hipify_py.compile.check import CompileReport, compile_groups, compile_staged
from hipify_py.compile.check import joined as joined_reports
from hipify_py.compile.diagnostics import message_lines
from hipify_py.compile.driver import NO_HIPCC, find_hipcc
from hipify_py.compile.findings import results_of
from hipify_py.compile.staging import stage_converted
from hipify_py.compile.syntax.check import check_groups, missing_parts
from hipify_py.project.api import ConversionReport
from hipify_py.project.groups import Group
from hipify_py.project.result import Parsed
from hipify_py.report.model import Choice, Compiled
from hipify_py.report.run_report import COMPILE, RunReport
from hipify_py.report.text import emit, plural, show_failures

DOCTOR = "hipify-py doctor shows what is installed and how to get the rest."
INSTEAD = "Without hipcc, hipify-py compile --syntax finds most errors: it parses with libclang."


@click.command(
    "compile",
    cls=CommandOfPaths,
    context_settings={"ignore_unknown_options": False},
    examples=[
        ("hipify-py compile src/ --arch gfx90a", "Compile a folder for MI200."),
        ("hipify-py compile src/ --syntax", "Find most errors without hipcc."),
        ("hipify-py compile a.cu --std c++17 -- -DUSE_HIP -Iinclude", "Pass flags to hipcc."),
    ],
    statuses={
        DONE: "everything compiles",
        FINDINGS: "some files do not compile",
        USAGE: "invalid usage or configuration, or hipcc or libclang is missing",
        FAILURE: "some files could not be processed",
    },
    variables={**PARTS, **HIPCC, **CACHE},
)
@paths
@shared.arch("A GPU to compile for (gfx90a); may be repeated.")
@click.option("--std", metavar="STD", help="The language standard (c++17).")
@click.option("--syntax", is_flag=True, help="Parse with libclang instead of compiling; needs no hipcc.")
@formats
@shared.translation
@shared.running
@shared.caching
@by_configuration
def command(
    *,
    parts: Sequence[Part],
    arch: tuple[str, ...],
    std: str | None,
    syntax: bool,
    outputs: Outputs,
    jobs: int | None,
    verbose: bool,
    quiet: bool,
    no_cache: bool,
) -> int:
    """Compile PATH... with hipcc; CUDA sources are translated first. Put flags for hipcc after --.

    Errors are shown at the CUDA lines that they come from. The results are not kept.

    --syntax needs no hipcc: libclang parses the translation with HIP's headers, for the host and for a GPU.
    """
    hipcc = None if syntax else find_hipcc()
    parts = for_compiler(parts, hipcc or "")
    groups, flags = _split([part.group for part in parts])
    choices = choices_of(part._replace(group=group) for part, group in zip(parts, groups, strict=True))
    reporter = _Reporter(outputs, choices, verbose=verbose, quiet=quiet)
    if syntax:
        found = _found_parts(groups)
        if found is None:
            return USAGE
        reports = check_groups(found, groups, arch=arch, std=std, flags=flags, jobs=jobs, cache=not no_cache)
        return reporter.print_report(joined_reports(reports), "parsed", dict.fromkeys(map(_with_what, found)))
    if hipcc is None:
        emit(sys.stderr, [*NO_HIPCC.splitlines(), INSTEAD])
        return USAGE
    if not quiet:
        emit(sys.stderr, which_rocm(parts))
    with tempfile.TemporaryDirectory(prefix="hipify-py-") as folder:
        report = compile_groups(
            hipcc,
            groups,
            folder,
            arch=arch,
            std=std,
            flags=flags,
            jobs=jobs,
            warnings=verbose,
        )
    if verbose and not quiet:
        emit(sys.stderr, which_configuration([part._replace(group=g) for part, g in zip(parts, groups, strict=True)]))
    return reporter.print_report(report)


def _found_parts(groups: Sequence[Group]) -> list[Toolchain] | None:
    """What there is to parse each group with; None, with words about it, where something is missing."""
    targets = [group.options.targeting for group in groups]
    parts = [find_toolchain(cuda=target.cuda or None, rocm=target.rocm) for target in targets]
    missing = dict.fromkeys(name for found in parts for name in missing_parts(found))
    if not missing:
        return parts
    problems = dict.fromkeys(problem for found in parts for problem in found.problems)
    emit(sys.stderr, [f"--syntax needs {' and '.join(missing)}, which hipify-py could not find.", *problems, DOCTOR])
    return None


def _with_what(parts: Toolchain) -> str:
    """What a source was parsed with, in words."""
    assert parts.library is not None
    assert parts.hip is not None
    return f"with libclang {parts.library.version} and the headers of HIP {parts.hip.version} in {parts.hip.path}"


def compile_written(converted: Sequence[ConversionReport], *, jobs: int | None = None, quiet: bool = False) -> int:
    """Compile the files that a conversion has written, print the compiler's messages, and return the exit status."""
    hipcc = find_hipcc()
    if hipcc is None:
        emit(sys.stderr, NO_HIPCC.splitlines())
        return USAGE
    reports = []
    for report in converted:
        with tempfile.TemporaryDirectory(prefix="hipify-py-") as objects:
            reports.append(compile_staged(hipcc, stage_converted(report), objects, jobs=jobs))
    return _Reporter(quiet=quiet).print_report(joined_reports(reports))


class _Reporter:
    """Reports the result of compiling.

    Args:
        outputs: the formats that were asked for.
        choices: what was chosen, for the reports.
    """

    def __init__(
        self, outputs: Outputs | None = None, choices: Sequence[Choice] = (), *, verbose: bool = False, quiet: bool
    ) -> None:
        self._outputs = outputs
        self._choices = choices
        self._is_verbose = verbose and not quiet
        self._is_quiet = quiet

    def print_report(self, report: CompileReport, did: str = "compiled", more: Iterable[str] = ()) -> int:
        """Print the report; returns the exit status."""
        outputs = self._outputs
        if outputs is None or outputs.format is None:
            emit(sys.stdout, (line for message in report.messages for line in message_lines(message)))
        if outputs is not None:
            results = [*results_of(report.messages, report.suppressed), *report.untranslated]
            compiled = Compiled(report.compiled, report.failed, report.dropped, report.parsed)
            outputs.write(
                RunReport(COMPILE, results, self._choices, compiled=compiled), to_stdout=outputs.format is not None
            )
        emit(sys.stderr, report.unparsed)
        show_failures(report.untranslated, sys.stderr)
        if self._is_verbose:
            emit(sys.stderr, map(_account, report.parsed or ()))
        if not self._is_quiet:
            emit(sys.stderr, [_summary(report, did), *more])
        if report.untranslated:
            return exit_code(report.untranslated)
        return FINDINGS if report.failed or any(message.severity == "error" for message in report.messages) else DONE


def _account(parsed: Parsed) -> str:
    """How a source was parsed, in words."""
    notes = [f"parsed {'once' if parsed.passes == 1 else f'{parsed.passes} times'}"]
    notes.append("kept from an earlier run" if parsed.is_kept else f"{parsed.seconds:.2f} s of processor time")
    if parsed.precompiled:
        notes.append(f"{plural(parsed.precompiled, 'include')} precompiled")
    if parsed.missing:
        notes.append(f"not found: {', '.join(parsed.missing)}")
    if parsed.dropped:
        notes.append(f"{plural(parsed.dropped, 'error')} inside other headers left out")
    return f"{parsed.path}: {'; '.join(notes)}"


def _summary(report: CompileReport, did: str) -> str:
    if not report.compiled and not report.unanswered:
        return "nothing to compile: no GPU sources found"
    dropped = f"; {plural(report.dropped, 'error')} inside other headers left out" if report.dropped else ""
    unanswered = f"; {plural(report.unanswered, 'file')} could not be {did}" if report.unanswered else ""
    return f"{plural(report.compiled, 'file')} {did}, {report.failed} with errors{unanswered}{dropped}"


def _split(groups: Sequence[Group]) -> tuple[list[Group], list[str]]:
    """The groups with only their paths, and the flags: click passes both as one list after `--`."""
    given = [group._replace(paths=[*takewhile(_is_no_flag, group.paths)]) for group in groups]
    if not any(group.paths for group in given):
        raise click.UsageError("Give a path before the compiler's flags.")
    return given, [*dropwhile(_is_no_flag, groups[0].paths)]


def _is_no_flag(value: str) -> bool:
    return not value.startswith("-")
