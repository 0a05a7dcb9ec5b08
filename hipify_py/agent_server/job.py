"""Does one run in a process of its own: `python -m hipify_py.agent_server.job` reads a request and prints the answer.

A run may take long, much memory, or fall over; the server goes on. It is the run that `check`, `convert` or
`report --verify` do with the same paths, configurations included: their command lines are read, and what they then do
is called with progress that the server can pass on.
"""

from __future__ import annotations

import os
import sys
import time
import traceback
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import chain
from typing import IO, TYPE_CHECKING, Any

import click

from hipify_py.agent_server import limits, request
from hipify_py.agent_server.account import account_of, findings_page, short_cause
from hipify_py.agent_server.limits import page_of, shortened
from hipify_py.agent_server.request import Request
from hipify_py.agent_server.roots import Refused, Roots
from hipify_py.catalog import TableError, load_catalog
from hipify_py.cli.baseline_options import without_known
from hipify_py.cli.by_configuration import INSTEAD, Part, choices_of
from hipify_py.cli.configuration import remember
from hipify_py.cli.main import cli
from hipify_py.core.findings import SEVERITIES, occurrences
from hipify_py.project.api import ConversionReport, convert_groups, joined
from hipify_py.project.errors import PlanError
from hipify_py.project.paths import is_within
from hipify_py.project.progress import DOING, Progress
from hipify_py.project.result import CHANGED, FileResult
from hipify_py.project.support_header_writer import header_diff
from hipify_py.project.toml import ConfigError
from hipify_py.project.work import DIFF, NO_OUTPUT
from hipify_py.report.causes import findings_by_cause
from hipify_py.report.document import cause_document, head_document
from hipify_py.report.explain import why
from hipify_py.report.next_steps import Run, next_steps
from hipify_py.report.places import shown_path
from hipify_py.report.run_report import CHECK, CONVERT, REPORT, RunReport

if TYPE_CHECKING:
    from hipify_py.cli.verification import Compiler

Send = Callable[[str, object], None]
"""Sends a line of the answer: its kind and its value."""

_PAUSE = 0.2
"""Seconds between two lines of progress."""

_OF_A_COMPILER = "HIP920"


class _Told(Progress):
    """Tells the server how far the run is."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._phase = ""
        self._files = self._done = 0
        self._told = 0.0

    def enter(self, phase: str, files: int = 0, size: int = 0) -> None:
        self._phase, self._files, self._done = phase, files, 0
        self._tell()

    def done(self, size: int, *, anew: bool) -> None:
        self._done += 1
        if time.monotonic() - self._told >= _PAUSE or self._done == self._files:
            self._tell()

    def _tell(self) -> None:
        self._told = time.monotonic()
        phase = "translating" if self._phase == DOING else self._phase
        self._send(request.PROGRESS, {"phase": phase, "done": self._done, "files": self._files})


def main() -> None:
    """Do the run of the request on standard input."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8", errors="replace")  # names of files may be any bytes
    os.dup2(2, 1)  # whatever prints to standard output does not end up among the answers
    try:
        answer(request.request_in(sys.stdin.readline()), partial(_send, answers))
    except (KeyboardInterrupt, BrokenPipeError):  # cancelled, or the server is gone; temporary files are removed
        os._exit(130)


def _send(answers: IO[str], kind: str, value: object) -> None:
    answers.write(request.answer_line(kind, value))
    answers.flush()


def answer(asked: Request, send: Send) -> None:
    """Do a run, and send its progress and how it has ended."""
    try:
        roots = Roots(asked.roots)
        os.chdir(roots.first)
        send(request.RESULT, _ACTIONS[asked.action](asked, roots, _Told(send)))
    except (Refused, ConfigError, PlanError, TableError) as error:
        send(request.REFUSED, shortened(str(error)))
    except click.ClickException as error:
        send(request.REFUSED, shortened(error.format_message()))
    except Exception as error:
        traceback.print_exc()
        send(request.FAILED, shortened(f"internal error: {type(error).__name__}: {error}"))


def _check(asked: Request, roots: Roots, progress: Progress) -> dict[str, Any]:
    report, reports, _ = _examined(asked, roots, progress)
    listed = [
        finding
        for result in report.results
        for finding in result.findings
        if SEVERITIES.index(finding.severity) >= SEVERITIES.index(asked.severity)
        and (not asked.ids or finding.id in asked.ids)
    ]
    return {**account_of(report, reports), **findings_page(listed, asked.offset, asked.limit)}


def _next(asked: Request, roots: Roots, progress: Progress) -> dict[str, Any]:
    report, reports, parts = _examined(asked, roots, progress, look_at_builds=True)
    causes = findings_by_cause(report.results)
    found = joined(reports)
    steps = next_steps(
        Run(asked.paths, [part.group.options for part in parts], found.results, found.build_files, has_verdict=True)
    )
    left = causes[asked.skip :]
    head = account_of(report, reports)
    document = {
        "verdict": head["verdict"],
        "causes_left": len(left),
        "skip": asked.skip,
        "steps": [shortened(step.strip()) for step in steps if step != "next:"],
        "failures": head["failures"],
        "failures_left_out": head["failures_left_out"],
    }
    if not left:
        return {
            **document,
            "cause": None,
            "why": "",
            "advice": "",
            "fix": "",
            **findings_page([], asked.offset, asked.limit),
        }
    cause, findings = left[0]
    entry = load_catalog().diagnostic(cause.id)
    return {
        **document,
        "cause": short_cause(cause_document(cause)),
        "why": shortened(why(cause.id)),
        "advice": shortened(entry.advice),
        "fix": shortened(entry.fix),
        **findings_page(list(chain.from_iterable(map(occurrences, findings))), asked.offset, asked.limit),
    }


def _convert(asked: Request, roots: Roots, progress: Progress) -> dict[str, Any]:
    roots.inputs(asked.paths)
    more = ["--in-place"] if asked.in_place else ["-o", roots.output(asked.output)] if asked.output else ["--diff"]
    parts = _parts("convert", asked, roots, *more)
    writes = bool(asked.output or asked.in_place)
    reports = convert_groups(
        [part.group for part in parts],
        output=roots.output(asked.output) if asked.output else None,
        in_place=asked.in_place,
        wanted=NO_OUTPUT if writes else DIFF,
        progress=progress,
        cache=True,
    )
    report = RunReport(CONVERT, joined(reports).results, choices_of(parts))
    roots.refuse_strangers(_paths_of(report.results))
    changed = [result for result in report.results if result.status == CHANGED]
    targets = page_of([shown_path(result.target) for result in changed if result.target], 0, limits.MOST_TARGETS)
    headers = joined(reports).headers
    whole = b"" if writes else b"".join([*(result.output for result in report.results), header_diff(headers)])
    diff = whole.decode("utf-8", "replace")
    shown = diff[asked.offset : asked.offset + limits.LONGEST_DIFF]
    left = max(len(diff) - asked.offset - len(shown), 0)
    return {
        **account_of(report, reports),
        "written": writes,
        "changed_files": len(changed),
        "targets": targets.items,
        "targets_left_out": targets.left_out,
        "headers": [shown_path(path) for path in sorted(headers)],
        "diff": shown,
        "diff_left_out": left,
        "next_offset": asked.offset + len(shown) if left else None,
    }


def _verify(asked: Request, roots: Roots, progress: Progress) -> dict[str, Any]:
    from hipify_py.cli.verification import compiler_of  # with all that compiles

    roots.inputs(asked.paths)
    parts = _parts("report", asked, roots)
    problem, compiler = "", None
    try:
        compiler = compiler_of(parts)
        parts = compiler.parts
    except PlanError as error:
        problem = str(error)
    reports = convert_groups([part.group for part in parts], progress=progress, cache=True)
    roots.refuse_strangers(_paths_of(joined(reports).results))
    trial, elsewhere = None, 0
    if compiler is not None:
        progress.enter("compiling")
        trial = compiler.trial(jobs=None)
        shown = [result if _may_show(result.path, roots, compiler) else _hidden(result) for result in trial.errors]
        elsewhere = sum(mine is not theirs for mine, theirs in zip(shown, trial.errors, strict=True))
        reports = trial._replace(errors=shown).joined_with(reports)
    report = RunReport(REPORT, joined(reports).results, choices_of(parts), verified=trial and trial.verified)
    errors = [finding for finding in report.findings if finding.id == _OF_A_COMPILER]
    verified = head_document(report)["verified"] or {"tool": "", "did": "", "sources": 0, "failed": 0, "missing": []}
    return {
        **account_of(report, reports),
        "tried": trial is not None,
        "problem": shortened(problem),
        **verified,
        "tool": shortened(verified["tool"]),
        "files_elsewhere": elsewhere,
        **findings_page(errors, asked.offset, asked.limit),
    }


def _may_show(path: str, roots: Roots, compiler: Compiler) -> bool:
    """Whether errors in a file are for the agent: it is in the server's folders, or a header of the compiler's.

    A source can include any file, and an error in it would quote it.
    """
    parts = [part.path for found in compiler.toolchains for part in found[:4] if part is not None]
    prefix = [os.path.dirname(os.path.dirname(os.path.realpath(compiler.hipcc)))] if compiler.hipcc else []
    real = os.path.realpath(os.path.join(roots.first, path))
    headers = map(os.path.realpath, [*parts, *prefix, *_HEADERS])
    return roots.hold(real) or any(is_within(real, folder) for folder in headers)


def _hidden(result: FileResult) -> FileResult:
    """Errors in a file that is not for the agent, as one that quotes nothing of it."""
    first = result.findings[0]
    return FileResult(
        result.path, result.status, findings=(first._replace(message=_ELSEWHERE, name="", source_line=""),)
    )


_ELSEWHERE = "errors in a file outside of the server's folders, which are not shown"
_HEADERS = ("/usr/include", "/usr/lib", "/usr/local/include")
"""Folders of headers that compilers search."""

_ACTIONS: dict[str, Callable[[Request, Roots, Progress], dict[str, Any]]] = {
    request.CHECK: _check,
    request.CONVERT: _convert,
    request.VERIFY: _verify,
    request.NEXT: _next,
}


def _examined(
    asked: Request, roots: Roots, progress: Progress, *, look_at_builds: bool = False
) -> tuple[RunReport, list[ConversionReport], Sequence[Part]]:
    """What `check` reports, the reports on its parts, and these."""
    roots.inputs(asked.paths)
    parts = _parts("check", asked, roots)
    reports = convert_groups(
        [part.group for part in parts], progress=progress, cache=True, look_at_builds=look_at_builds
    )
    reports, gone = without_known(parts, reports)
    report = RunReport(CHECK, joined(reports).results, choices_of(parts), gone=gone)
    roots.refuse_strangers(_paths_of(report.results))
    return report, reports, parts


def _parts(name: str, asked: Request, roots: Roots, *more: str) -> Sequence[Part]:
    """The paths of a run with their configurations, as a command reads them."""
    chosen = [f"--{key}={value}" for key in ("cuda", "rocm", "target") if (value := getattr(asked, key))]
    root = click.Context(cli, info_name="hipify-py", **cli.context_settings)
    remember(root, None, none=False)
    command = cli.get_command(root, name)
    assert command is not None
    with root, command.make_context(name, [*chosen, *more, "--", *roots.inputs(asked.paths)], parent=root) as context:
        context.meta[INSTEAD] = ("request", lambda contexts, parts: parts)
        parts: Sequence[Part] = command.invoke(context)
        return parts


def _paths_of(results: Iterable[FileResult]) -> Iterable[str]:
    """The files that a run has read, and those that it has written."""
    for result in results:
        yield result.path
        if result.target:
            yield result.target


if __name__ == "__main__":
    main()
