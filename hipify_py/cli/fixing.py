"""Mending findings on the command line: in the files themselves, as a diff, or one by one in a dialogue."""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple, TextIO, TypeVar

import click
from click.core import ParameterSource

from hipify_py.cli.by_configuration import Part, is_standard_input
from hipify_py.cli.chosen_fixes import all_exact
from hipify_py.core.edits import apply
from hipify_py.core.options import GROUPS, Options
from hipify_py.core.terminal_escape import visible_lines
from hipify_py.project.errors import reason
from hipify_py.project.file_stamp import file_stamp
from hipify_py.project.result import FAILED, FileResult, failure
from hipify_py.project.write import write_atomically
from hipify_py.report.fix_lines import REVIEWED, fix_lines
from hipify_py.report.paint import painter
from hipify_py.report.text import emit, emit_bytes, finding_line, plural

if TYPE_CHECKING:
    from hipify_py.core.findings import Finding
    from hipify_py.project.api import ConversionReport

# Applying the fixes of findings to the files that have them, which stay in the language that they are in.


class ChangedMeanwhile(OSError):
    """A file is not any more what was checked, so that its findings say nothing of it."""

    def __init__(self) -> None:
        super().__init__("the file has changed since it was checked")


def mend_file(result: FileResult, findings: Sequence[Finding]) -> FileResult | None:
    """Apply fixes that do not overlap to a file.

    Args:
        result: the account of the file, from a run just before.
        findings: those to mend.

    Returns:
        A result that says why it could not be done; the file is as it was then.
    """
    from hipify_py.findings.fingerprints import edits_of

    try:
        # What a link leads to is written, not the link.
        write_atomically(os.path.realpath(result.path), apply(_checked(result), edits_of(findings)))
    except OSError as error:
        return failure(result.path, "HIP901", f"cannot fix the file: {reason(error)}")
    return None


def mending_diff(result: FileResult, findings: Sequence[Finding]) -> bytes | FileResult:
    """What `mend_file` would change, as a unified diff, or a result that says why the file cannot be read."""
    from hipify_py.core.diff import unified_diff
    from hipify_py.findings.fingerprints import edits_of

    try:
        return unified_diff(_checked(result), edits_of(findings), result.path, result.path)
    except OSError as error:
        return failure(result.path, "HIP901", f"cannot read the file: {reason(error)}")


def _checked(result: FileResult) -> bytes:
    with open(result.path, "rb") as file:
        if file_stamp(os.fstat(file.fileno())) != result.read_as:
            raise ChangedMeanwhile
        return file.read()


# The dialogue of `--interactive`: each fix with its finding, and whether to apply it.

_HELP = (
    "y - apply this fix",
    "n - skip this fix",
    "a - apply this and all later fixes",
    "q - skip this and all later fixes",
)


def accepted(findings: Sequence[Finding], answers: TextIO, stream: TextIO) -> list[Finding]:
    """The findings whose fixes the user accepts; if the answers end, the rest stays."""
    taken: list[Finding] = []
    for index, finding in enumerate(findings):
        _show(finding, stream)
        answer = _answer(f"({index + 1}/{len(findings)}) Apply this fix [y,n,a,q,?]? ", answers, stream)
        if answer == "a":
            return [*taken, *findings[index:]]
        if answer == "q":
            return taken
        if answer == "y":
            taken.append(finding)
    return taken


def _show(finding: Finding, stream: TextIO) -> None:
    if finding.fix is None:
        return
    emit(stream, ["", finding_line(finding), f"{finding.fix.title}{REVIEWED[finding.fix.applicability]}:"])
    emit(stream, [f"  {line}" for line in fix_lines(finding.fix, painter(False))])


def _answer(question: str, answers: TextIO, stream: TextIO) -> str:
    while True:
        stream.write(question)
        stream.flush()
        line = answers.readline()
        answer = line.strip().lower()
        if not line:
            stream.write("\n")
            return "q"
        if answer in ("y", "n", "a", "q"):
            return answer
        emit(stream, _HELP)


Command = TypeVar("Command", bound=Callable[..., Any])

_GROUPS = frozenset(GROUPS)


class Mended(NamedTuple):
    """The outcome for the findings that were to be fixed.

    Attributes:
        fixed: those whose fixes were applied.
        overlapping: how many fixes were left because they overlap another one.
        failures: results for files that could not be written.
    """

    fixed: list[Finding]
    overlapping: int
    failures: list[FileResult]


def interactive(command: Command) -> Command:
    """Asks for each fix."""
    return click.option(
        "--interactive", is_flag=True, help="Show each fix of --fix (ALL by default) and ask whether to apply it."
    )(command)


def refuse_without_terminal() -> None:
    """Refuse to ask without a terminal.

    Raises:
        click.UsageError: where input or messages go elsewhere.
    """
    if is_standard_input() or not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise click.UsageError("--interactive needs a terminal; --diff shows what --fix would change.")


def parts_to_mend(parts: Sequence[Part], *, anything: bool) -> list[Part]:
    """The parts of a check that fixes files, with the ids of the findings that it fixes.

    The command line names them; a configuration's fixes apply only to conversions. No parts if there is nothing to
    fix.

    Args:
        parts: the settings of the command line and the configurations.
        anything: use every exact fix if the command line names none.
    """
    is_given = click.get_current_context().get_parameter_source("fix") == ParameterSource.COMMANDLINE
    if not (is_given and any(ids_of(part) for part in parts)) and not anything:
        return []
    return [_with_ids(part, ids_of(part) if is_given else frozenset()) for part in parts]


def parts_to_ask_for(parts: Sequence[Part]) -> list[Part]:
    """The parts of a conversion, each with the ids of the findings that it asks about."""
    return [_with_ids(part, ids_of(part)) for part in parts]


def ids_of(part: Part) -> frozenset[str]:
    """The ids of the findings that a part fixes one by one."""
    return part.group.options.fixes - _GROUPS


def _with_ids(part: Part, ids: frozenset[str]) -> Part:
    options = part.group.options
    ids = ids or all_exact(options.targeting) - options.offered
    return _with(part, options._replace(fixes=(options.fixes & _GROUPS) | ids))


def offering(parts: Iterable[Part]) -> list[Part]:
    """The parts, with findings of their ids reported with their fixes, and none of them applied."""
    return [
        _with(
            part,
            part.group.options._replace(
                fixes=part.group.options.fixes & _GROUPS, offered=part.group.options.offered | ids_of(part)
            ),
        )
        for part in parts
    ]


def _with(part: Part, options: Options) -> Part:
    return part._replace(group=part.group._replace(options=options))


def wanted_fixes(
    parts: Sequence[Part], reports: Sequence[ConversionReport], *, asks: bool
) -> tuple[list[Finding], int]:
    """The findings of a run to fix, without overlaps, and how many others overlap; asks about each one if wanted."""
    wanted: list[Finding] = []
    overlapping = 0
    for part, report in zip(parts, reports, strict=True):
        for result in report.results:
            from hipify_py.findings.fingerprints import apart

            together, left = apart(finding for finding in result.findings if finding.id in ids_of(part))
            wanted += together
            overlapping += len(left)
    if asks:
        wanted = accepted(wanted, sys.stdin, sys.stderr)
    return wanted, overlapping


def declining(parts: Sequence[Part], reports: Sequence[ConversionReport], wanted: Iterable[Finding]) -> list[Part]:
    """The parts of a conversion that applies these fixes and no others."""
    taken = {_place(finding) for finding in wanted}
    found = chain.from_iterable(result.findings for report in reports for result in report.results)
    declined = frozenset(_place(finding) for finding in found if finding.fix is not None) - taken
    return [_with(part, part.group.options._replace(declined=declined)) for part in parts]


def _place(finding: Finding) -> tuple[str, str, int]:
    return finding.path, finding.id, finding.offset


def mend(reports: Sequence[ConversionReport], wanted: Sequence[Finding], overlapping: int) -> Mended:
    """Apply the fixes of findings to their files."""
    fixed: list[Finding] = []
    failures: list[FileResult] = []
    for result, findings in _by_file(reports, wanted):
        failed = mend_file(result, findings)
        if failed is None:
            fixed += findings
        else:
            failures.append(failed)
    return Mended(fixed, overlapping, failures)


def show_diff(reports: Sequence[ConversionReport], wanted: Sequence[Finding]) -> list[FileResult]:
    """Print what the fixes of findings would change; returns results for files that could not be read."""
    shown = visible_lines if sys.stdout.isatty() else bytes  # a file or a pipe gets it exactly
    failures = []
    for result, findings in _by_file(reports, wanted):
        diff = mending_diff(result, findings)
        if isinstance(diff, bytes):
            emit_bytes(sys.stdout, shown(diff))
        else:
            failures.append(diff)
    return failures


def _by_file(
    reports: Sequence[ConversionReport], wanted: Sequence[Finding]
) -> Iterable[tuple[FileResult, list[Finding]]]:
    chosen = {_place(finding) for finding in wanted}
    for result in chain.from_iterable(report.results for report in reports):
        findings = [finding for finding in result.findings if finding.fix is not None and _place(finding) in chosen]
        if findings and result.status != FAILED:
            yield result, findings


def mended_lines(mended: Mended) -> list[str]:
    """Lines about what was fixed."""
    counts = Counter(finding.id for finding in mended.fixed)
    files = len({finding.path for finding in mended.fixed})
    ids = ", ".join(f"{counts[id]} {id}" for id in sorted(counts))
    lines = [f"{plural(len(mended.fixed), 'finding')} fixed in {plural(files, 'file')}" + (f": {ids}" if ids else "")]
    if mended.overlapping:
        lines.append(f"{plural(mended.overlapping, 'finding')} left because fixes overlap; run again")
    return lines


def print_fixes(mended: Mended) -> None:
    """Print to standard error what was fixed."""
    emit(sys.stderr, mended_lines(mended))
