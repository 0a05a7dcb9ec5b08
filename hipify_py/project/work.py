"""Processes one file of a run, from its bytes to its result; runs in the worker processes."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from hipify_py.catalog import TableError, load_catalog
from hipify_py.core.findings import Finding
from hipify_py.core.options import Options
from hipify_py.core.patterns import lazy_pattern
from hipify_py.core.project_context import ProjectContext, Question
from hipify_py.core.source import CUDA_SUFFIXES, Source, UnreadableSource, reject_unreadable
from hipify_py.core.translation import OUTCOMES, UNKNOWN, UNSUPPORTED, Counts, Reference, Translation
from hipify_py.embedded.host_files import kind_of_host
from hipify_py.frontend.prefilter import may_have_cuda, may_need_translation
from hipify_py.project.contexts import NO_CONTEXTS, ContextMap
from hipify_py.project.errors import reason
from hipify_py.project.faults import FAULT, in_words
from hipify_py.project.file_stamp import file_stamp
from hipify_py.project.outcome import Outcome
from hipify_py.project.result import CHANGED, COPIED, UNCHANGED, Asked, FileResult, LeftOpen, failure
from hipify_py.project.vendored import left_alone
from hipify_py.support_header import HEADER

if TYPE_CHECKING:
    from hipify_py.project.clang_evidence import EvidenceSource, FileEvidence
    from hipify_py.project.precomputed import Precomputed
    from hipify_py.project.results_cache.cache import ResultsCache
    from hipify_py.project.results_cache.keys import Keys

# Handles sources whose included support header is missing, as after a copy or a killed run.

# Finds out what a converted source uses from a missing support header.

_QUALIFIED = lazy_pattern(r"\bhipify\s*::\s*((?:\w+\s*::\s*)*\w+)")
_MACRO = lazy_pattern(r"\bHIPIFY_\w+")
_WORD = lazy_pattern(r"\b[A-Za-z_]\w*\b")
_DEFINED = lazy_pattern(r"\b([A-Za-z_]\w*)\s*\(|\b(?:struct|class|enum|define|using)\s+(?:::)?(?:\w+::)*(\w+)")
_MADE_BY_MACRO = lazy_pattern(r"^HIPIFY_\w+\((.*)\)$", re.MULTILINE)


def used_sections(source: str) -> frozenset[str]:
    """The sections that define a name that the source takes from the support header.

    There may be more than the source needs, as some names are defined in several; without the header it does not
    compile.
    """
    from hipify_py.support_header.header import section_names

    qualified = {word for match in _QUALIFIED.finditer(source) for word in _WORD.findall(match[1])}
    own, words = qualified | set(_MACRO.findall(source)), set(_WORD.findall(source))
    return frozenset(
        name for name in section_names() if _defined_names(name) & (own if _is_in_namespace(name) else words)
    )


def _is_in_namespace(section: str) -> bool:
    from hipify_py.support_header.header import section_text

    return "namespace hipify" in section_text(section)


@cache
def _defined_names(section: str) -> frozenset[str]:
    from hipify_py.support_header.header import section_text

    text = section_text(section)
    by_macro = {word for arguments in _MADE_BY_MACRO.findall(text) for word in _WORD.findall(arguments)}
    return frozenset(function or other for function, other in _DEFINED.findall(text)) | by_macro


def with_support(result: FileResult, data: bytes, project: ProjectContext, *, written: bool) -> FileResult:
    """The result of a file that includes a support header; if the header is missing, a run that writes creates it.

    A run that does not write reports it (HIP910).
    """
    path = result.support_header
    place = os.path.join(os.path.dirname(result.path), path)
    if os.path.exists(place) or path in project.local_headers:
        return result

    if written:
        return result._replace(support=used_sections(data.decode("utf-8", "replace")))
    entry = load_catalog().diagnostic("HIP910")
    offset = data.find(HEADER.encode())
    line, column = Source(data).position(offset)
    message = entry.message.format(path=path)
    finding = Finding(entry.id, entry.severity, entry.effort, message, result.path, offset, line, column, "", "")
    return result._replace(findings=tuple(sorted((*result.findings, finding), key=lambda each: each.offset)))


TRANSLATE, COPY, VENDORED = "translate", "copy", "vendored"
NO_OUTPUT, OUTPUT, DIFF = "", "output", "diff"
"""What a result carries besides its report."""


class Task(NamedTuple):
    """One file to process.

    Attributes:
        path: the file to read.
        kind: `TRANSLATE`, `COPY`, or `VENDORED` for a copy of one of CUDA's headers.
        target: where the result goes; None if nothing is to be written.
        staged: the temporary name next to the target, fixed beforehand so that the parent process can clean up after a
            killed worker.
        size: in bytes, for spreading the work.
        in_place: whether the result replaces the file; an unchanged one need not be written.
        support_header: the path by which the result includes the project's support header.
        header: the CUDA header that the file is a copy of.
        tells_changes: whether the result includes the changes.
        keeps_edits: whether the result includes the edits, which say where its text comes from.
        keeps_references: whether the result includes each reference; a result that an earlier run has kept has none.
        unsaved: the file's content, if it is not read from the disk.
        is_build_file: whether it is a build file, not a source.
        has_line_directives: whether the result has directives that name the lines of the file.
    """

    path: str
    kind: str = TRANSLATE
    target: str | None = None
    staged: str = ""
    size: int = 0
    in_place: bool = False
    support_header: str = HEADER
    header: str = ""
    unsaved: bytes | None = None
    tells_changes: bool = False
    keeps_edits: bool = False
    keeps_references: bool = False
    is_build_file: bool = False
    has_line_directives: bool = False

    @property
    def folders(self) -> set[str]:
        """The folders that the task may write to: the target's, and the support header's."""
        if self.target is None:
            return set()
        folder = os.path.dirname(self.target)
        return {folder, os.path.dirname(os.path.normpath(os.path.join(folder, self.support_header)))}

    def options(self, options: Options) -> Options:
        """The run's options as they apply to this file."""
        return options._replace(support_header=self.support_header)


def process(
    task: Task,
    options: Options,
    project: ContextMap = NO_CONTEXTS,
    wanted: str = NO_OUTPUT,
    keys: Keys | None = None,
    found: Precomputed | None = None,
    settled: Mapping[str, FileEvidence] | None = None,
) -> FileResult:
    """Do one task. It never raises for a bad file: the result reports what is wrong.

    With `keys`, the result holds what to keep for the next run. Outcomes already `found` elsewhere are reused.
    `settled` holds libclang's answers by path; a source that leaves doubts and is not among them is left open.

    Raises:
        TableError: if the mapping tables are missing or wrong, which is not a file's fault.
    """
    try:
        if task.kind == COPY:
            return _copy(task)
        try:
            mark: tuple[int, ...] | None = None
            if found is not None:
                mark, data = found.mark, found.data
            elif task.unsaved is not None:
                data = task.unsaved
            else:
                mark, data = read(task.path)
        except OSError as error:
            return failure(task.path, "HIP901", f"cannot read the file: {reason(error)}")
        if task.kind == VENDORED:
            return _deliver(task, data, left_alone(task.path, task.header), data if wanted == OUTPUT else b"")
        try:
            context = project.of(task.path)
            result = _translate(task, data, options, context, wanted, keys, found, settled)
            left = result.left_open
            return result._replace(read_as=mark, left_open=None if left is None else left._replace(mark=mark))
        except Exception as error:
            if task.in_place or isinstance(error, (OSError, UnreadableSource)) or _is_of_tables(error):
                raise
            # An output folder gets the file as it was: without it, nothing that needs it could be built.
            return _deliver(task, data, _fault(task, error), b"")
    except UnreadableSource as error:
        return failure(task.path, error.diagnostic, str(error))
    except OSError as error:
        return failure(task.path, "HIP901", f"cannot write {task.target}: {reason(error)}")
    except Exception as error:  # a bug in hipify-py must fail this file, not the run
        if _is_of_tables(error):
            raise
        return _fault(task, error)


def read(path: str) -> tuple[tuple[int, ...], bytes]:
    """A file's content, and the stamp that distinguishes it from later content."""
    with open(path, "rb") as file:
        return file_stamp(os.fstat(file.fileno())), file.read()


def _is_of_tables(error: Exception) -> bool:
    return isinstance(error, TableError)


def _fault(task: Task, error: Exception) -> FileResult:
    return failure(task.path, FAULT, in_words(error))


def recall(
    task: Task, project: ContextMap, wanted: str, cache: ResultsCache, view: EvidenceSource | None = None
) -> FileResult | None:
    """Do a task with what an earlier run has kept; None if it has to be redone."""
    if task.kind != TRANSLATE:
        return None
    try:
        mark, data = read(task.path)
    except (OSError, MemoryError):
        return None
    context = project.of(task.path)
    key = cache.keys.key(task.path, task.support_header, data, context)
    kept = cache.find(key, context, None if view is None else view.answer)
    if kept is None:
        return None
    from hipify_py.project.results_cache.entries import unpacked

    try:
        return _finish(task, data, unpacked(kept, task.path), context, wanted)._replace(read_as=mark)
    except OSError as error:
        return failure(task.path, "HIP901", f"cannot write {task.target}: {reason(error)}")


def _translate(
    task: Task,
    data: bytes,
    options: Options,
    project: ProjectContext,
    wanted: str,
    keys: Keys | None,
    found: Precomputed | None,
    settled: Mapping[str, FileEvidence] | None,
) -> FileResult:
    asked: dict[Question, Any] = {}
    noting = project if keys is None else project._replace(asked=asked)
    outcome = found.outcome(task.path, asked) if found is not None else outcome_of(task, data, options, noting)
    if settled is not None and outcome.doubts:
        if task.path not in settled:
            from hipify_py.project.results_cache.entries import packed

            left = LeftOpen(None, data, tuple(asked.items()), packed(outcome), tuple(outcome.doubts))
            return FileResult(task.path, UNCHANGED, left_open=left)
        outcome = _with_evidence(task, data, options, noting, outcome, settled[task.path])
    answers = outcome.result.asked
    if keys is None or (answers is not None and (answers.problem or answers.left_out)):
        return _finish(task, data, outcome, project, wanted)
    from hipify_py.project.results_cache.entries import packed

    key = keys.key(task.path, task.support_header, data, project)
    result = _finish(task, data, outcome, project, wanted)
    return result._replace(kept=(key, tuple(asked.items()), packed(outcome)))


def _with_evidence(
    task: Task, data: bytes, options: Options, project: ProjectContext, outcome: Outcome, seen: FileEvidence
) -> Outcome:
    """The outcome with libclang's answers to the doubts that the content leaves, and the files it depends on."""
    doubts = len(outcome.doubts)
    if seen.evidence:
        outcome = outcome_of(task, data, options, project._replace(evidence=seen.evidence))
    if project.asked is not None and not seen.problem:
        project.asked.update(seen.dependencies)
    asked = Asked(doubts, seen.evidence.size, seen.seconds, seen.problem, seen.is_left_out)
    return outcome._replace(result=outcome.result._replace(asked=asked))


def translation_of(task: Task, data: bytes, options: Options, project: ProjectContext) -> Translation:
    """The translation of a file's content, for a source or a build file.

    Raises:
        UnreadableSource: for content that is not text.
    """
    from hipify_py.translator.translate import translate, translate_program

    if task.is_build_file:
        from hipify_py.build_systems.translate import translate_build_file

        return translate_build_file(data, task.path, task.options(options), project, translate_program)
    if kind_of_host(task.path):
        from hipify_py.embedded.translate import translate_host

        return translate_host(data, task.path, task.options(options), project)
    if project.is_run_time_source:
        from hipify_py.translator.run_time_source import translate_run_time_file

        return translate_run_time_file(data, task.path, task.options(options), project)
    return translate(data, path=task.path, options=task.options(options), project=project)


def outcome_of(task: Task, data: bytes, options: Options, project: ProjectContext) -> Outcome:
    """The outcome of a file's content, wherever it goes; the file system does not affect it.

    Raises:
        UnreadableSource: if it is not text.
    """
    if not task.is_build_file and not kind_of_host(task.path) and has_no_cuda(data, task.path, options, project):
        return Outcome(FileResult(task.path, UNCHANGED))
    translation = translation_of(task, data, options, project)
    result = FileResult(
        task.path,
        CHANGED if translation.output != data else UNCHANGED,
        libraries=_by_library(translation.references),
        findings=tuple(translation.findings),
        suppressed=tuple(translation.suppressed),
        declared=translation.declared,
        flags=translation.flags,
        left=_left(translation.references),
        support=translation.support,
        support_header=translation.support_header,
        fixes=Counter(fix.name for fix in translation.fixes),
        warps=translation.warps,
        references=tuple(translation.references) if task.keeps_references else (),
    )
    return Outcome(result, translation.edits, translation.doubts)


def _finish(task: Task, data: bytes, outcome: Outcome, project: ProjectContext, wanted: str) -> FileResult:
    """Put an outcome where the task requires."""
    result = outcome.result
    if result.asked is None:
        result = result._replace(doubts=len(outcome.doubts))
    if result.support_header and not result.support:
        result = with_support(result, data, project, written=task.target is not None)
    if task.tells_changes and outcome.edits:
        from hipify_py.project.result import changes_of

        result = result._replace(changes=changes_of(data, outcome.edits))
    if task.keeps_edits:
        result = result._replace(edits=tuple(outcome.edits))
    output = _output(task, data, outcome) if wanted == OUTPUT or task.target is not None else b""
    payload = b""
    if wanted == OUTPUT:
        payload = output
    elif wanted == DIFF and outcome.edits:
        from hipify_py.core.diff import unified_diff

        payload = unified_diff(data, outcome.edits, task.path, task.target or task.path)
    return _deliver(task, output, result, payload)


def _output(task: Task, data: bytes, outcome: Outcome) -> bytes:
    if not task.has_line_directives:
        return outcome.output(data)
    from hipify_py.translator.line_directives import with_line_directives

    return with_line_directives(data, outcome.edits, os.path.abspath(task.path))


def _deliver(task: Task, output: bytes, result: FileResult, payload: bytes) -> FileResult:
    result = result._replace(output=payload)
    if task.target is None or not task.staged:
        return result
    if task.in_place and result.status == UNCHANGED and os.path.realpath(task.path) == task.target:
        return result
    from hipify_py.project.write import stage

    staged = stage(output, task.target, task.staged, like=task.path, durable=False)
    return result._replace(target=task.target, staged=task.staged if staged else "")


def _copy(task: Task) -> FileResult:
    from hipify_py.project.write import stage_copy

    assert task.target is not None
    try:
        mark = file_stamp(os.stat(task.path)) if task.in_place else None
        stage_copy(task.path, task.target, task.staged)
    except OSError as error:
        if error.filename == task.path:
            return failure(task.path, "HIP901", f"cannot read the file: {reason(error)}")
        raise
    return FileResult(task.path, COPIED, target=task.target, staged=task.staged, read_as=mark)


def has_no_cuda(data: bytes, path: str, options: Options, project: ProjectContext) -> bool:
    """Whether the file can contain neither CUDA nor the name of a renamed file.

    Raises:
        UnreadableSource: for UTF-16 and binary files, unless they are not CUDA sources and mention nothing of CUDA: a
            Windows `resource.h` in UTF-16 must not fail a whole project.
    """
    if Source(b"", path).suffix in CUDA_SUFFIXES:
        reject_unreadable(data)
        return False
    try:
        reject_unreadable(data)
    except UnreadableSource:
        if may_have_cuda(data.replace(b"\0", b"")):
            raise
        return True
    return not may_need_translation(data, options, project)


def _by_library(references: list[Reference]) -> dict[str, Counts]:
    tallies: dict[str, list[int]] = {}
    for reference in references:
        tally = tallies.get(reference.library)
        if tally is None:
            tally = tallies[reference.library] = [0] * len(OUTCOMES)
        tally[OUTCOMES.index(reference.outcome)] += 1
    return {library: Counts(*tally) for library, tally in tallies.items()}


def _left(references: list[Reference]) -> dict[tuple[str, str, str], int]:
    left: dict[tuple[str, str, str], int] = {}
    for reference in references:
        if reference.outcome in (UNSUPPORTED, UNKNOWN):
            key = (reference.name, reference.library, reference.outcome)
            left[key] = left.get(key, 0) + 1
    return left
