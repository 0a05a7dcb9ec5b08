"""Translate, compile, and bring the messages home."""

from __future__ import annotations

import os
from collections.abc import Sequence
from itertools import chain
from typing import NamedTuple

from hipify_py.compile.diagnostics import Message, parse_messages, with_notes_of
from hipify_py.compile.driver import compile_units
from hipify_py.compile.origins import Origins
from hipify_py.compile.staging import Staged, stage_project
from hipify_py.project.groups import Group, discover_groups
from hipify_py.project.result import FileResult, Parsed


class CompileReport(NamedTuple):
    """The result of compiling a project.

    Attributes:
        compiled: how many sources were compiled or parsed.
        failed: how many of them did not compile.
        messages: the compiler's messages, each once, at the CUDA lines.
        unparsed: the lines without a location, for sources that failed.
        untranslated: results of files that could not be translated.
        dropped: how many errors inside foreign headers were left out.
        parsed: how each source was parsed; None where a compiler compiled them.
        suppressed: our own messages that are suppressed, and by what (`hipify_py.core.findings`).
        unanswered: how many more sources libclang could not parse; `untranslated` has the reasons.
    """

    compiled: int
    failed: int
    messages: list[Message]
    unparsed: list[str]
    untranslated: list[FileResult]
    dropped: int = 0
    parsed: Sequence[Parsed] | None = None
    suppressed: Sequence[tuple[Message, str]] = ()
    unanswered: int = 0


def compile_groups(
    hipcc: str,
    groups: Sequence[Group],
    folder: str,
    *,
    arch: Sequence[str] = (),
    std: str | None = None,
    flags: Sequence[str] = (),
    jobs: int | None = None,
    warnings: bool = False,
) -> CompileReport:
    """Translate the groups into `folder`, compile them to object code there, and collect hipcc's messages.

    Args:
        warnings: report warnings too, not only errors.
    """
    reports = []
    for index, (group, found) in enumerate(zip(groups, discover_groups(groups, output=folder), strict=True)):
        own = os.path.join(os.path.realpath(folder), str(index))
        tree, objects = os.path.join(own, "tree"), os.path.join(own, "objects")
        os.makedirs(tree)
        os.mkdir(objects)
        staged = stage_project(found, tree, options=group.options, flags=flags, jobs=jobs)
        reports.append(compile_staged(hipcc, staged, objects, arch=arch, std=std, jobs=jobs, warnings=warnings))
    return joined(reports)


def joined(reports: Sequence[CompileReport]) -> CompileReport:
    """The reports on the groups of a run as one."""
    return CompileReport(
        sum(report.compiled for report in reports),
        sum(report.failed for report in reports),
        [*dict.fromkeys(chain.from_iterable(report.messages for report in reports))],
        [*chain.from_iterable(report.unparsed for report in reports)],
        [*chain.from_iterable(report.untranslated for report in reports)],
        sum(report.dropped for report in reports),
        [*chain.from_iterable(report.parsed or () for report in reports)]
        if any(report.parsed is not None for report in reports)
        else None,
        [*chain.from_iterable(report.suppressed for report in reports)],
        sum(report.unanswered for report in reports),
    )


def compile_staged(
    hipcc: str,
    staged: Staged,
    objects: str,
    *,
    arch: Sequence[str] = (),
    std: str | None = None,
    jobs: int | None = None,
    warnings: bool = False,
) -> CompileReport:
    """Compile the staged files to object code in the folder `objects`, and collect hipcc's messages."""
    origins = Origins(staged.origin, staged.shown)
    severities = ("error", "warning") if warnings else ("error",)
    messages: dict[Message, None] = {}
    unparsed: list[str] = []
    failed = 0
    for done in compile_units(hipcc, staged.units, objects, arch=arch, std=std, flags=staged.flags, jobs=jobs):
        parsed = list(parse_messages(done.messages))
        failed += done.status != 0
        if done.status != 0 and not any(message.severity == "error" for message in parsed):
            unparsed.append(f"{staged.originals.get(done.unit.path, done.unit.path)}: hipcc failed:")
            unparsed += done.messages.rstrip().split("\n")
        for message in with_notes_of(parsed, severities):
            # Host and GPU passes, and several sources with one header, repeat the same messages.
            messages[origins.home(message)] = None
    return CompileReport(len(staged.units), failed, list(messages), unparsed, staged.failed)
