"""Translate, parse, and bring the messages home: `compile` without a compiler."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from hipify_py.catalog import load_catalog
from hipify_py.clang import precompiled
from hipify_py.clang.flags import c_passes, cuda_passes, hip_passes
from hipify_py.clang.include_prefix import opening
from hipify_py.clang.late_includes import HeadersBehind, Item
from hipify_py.clang.messages import BUILTIN, SHORTENED, missing_header
from hipify_py.clang.pch_jobs import Beginnings, Pass
from hipify_py.clang.protocol import DONE, LIMITS, SKIP_BODIES, Answer, Job, Limits
from hipify_py.clang.toolchain import Toolchain
from hipify_py.clang.worker_pool import Asker
from hipify_py.compile.check import CompileReport
from hipify_py.compile.diagnostics import Message
from hipify_py.compile.findings import reported
from hipify_py.compile.origins import Origins
from hipify_py.compile.syntax.narrowings import ID as NARROWED
from hipify_py.compile.syntax.narrowings import new_narrowings
from hipify_py.compile.syntax.syntax_cache import KeptAnswers, name_of
from hipify_py.compile.syntax.units import Translated, Unit, translate_in_memory
from hipify_py.project.groups import Group, discover_groups
from hipify_py.project.result import Parsed, failure
from hipify_py.project.results_cache.store import Store
from hipify_py.project.source_store import bytes_of

# libclang's messages for a unit, mapped to the files of the project, without consequences of other errors.

_INCLUDED = "in file included from"
_LEADS_IN = ("in instantiation of", "while ", "called by ", "in evaluation of", "requested here", "expanded from")

Said = Mapping[str, Any]
"""A message as `hipify_py.clang.messages` has it."""


class Told(NamedTuple):
    """The messages for one unit.

    Attributes:
        messages: the errors, each followed by its notes.
        missing: the missing headers, each with its message.
        narrowed: the warnings of `-Wshorten-64-to-32`.
        dropped: how many errors inside foreign headers were left out.
    """

    messages: Sequence[Message] = ()
    missing: Mapping[str, Message] = {}
    narrowed: Sequence[Message] = ()
    dropped: int = 0


def told(passes: Iterable[Sequence[Said]], files: Mapping[str, str]) -> Told:
    """Put the messages of a unit's passes together; `files` are those of the project, by their absolute paths."""
    messages: dict[Message, None] = {}
    missing: dict[str, Message] = {}
    narrowed: dict[Message, None] = {}
    dropped: dict[tuple[object, ...], None] = {}
    for said in passes:
        is_behind = False
        for each in said:
            placed = _placed(each, files)
            header = missing_header(each)
            if each["option"] == SHORTENED:
                if placed is not None:
                    narrowed[placed] = None
            elif each["severity"] != "error":
                continue
            elif header:
                is_behind = True
                missing.setdefault(header, placed or _message(each))
            elif is_behind:
                continue
            elif placed is None or BUILTIN.match(each["text"]):
                dropped[each["path"], each["line"], each["column"], each["text"]] = None
            elif placed not in messages:
                messages[placed] = None
                for note in _notes(each, placed, files):
                    messages[note] = None
    return Told([*messages], missing, [*narrowed], len(dropped))


def _message(said: Said) -> Message:
    return Message(os.path.normpath(said["path"]), said["line"], said["column"], said["severity"], said["text"])


def _placed(said: Said, files: Mapping[str, str]) -> Message | None:
    """A message in the project: at its own place, or at the line that led to it; None where there is neither."""
    message = _message(said)
    if message.path in files:
        return message
    for note in said["notes"]:
        place = _message(note)
        if place.path in files and any(sign in place.text for sign in _LEADS_IN):
            where = f" (in {os.path.basename(message.path)})" if message.path != "." else ""
            return place._replace(severity=message.severity, text=message.text + where)
    return None


def _notes(said: Said, placed: Message, files: Mapping[str, str]) -> Iterator[Message]:
    for note in said["notes"]:
        message = _message(note)
        if message.path in files and message[:3] != placed[:3] and not message.text.startswith(_INCLUDED):
            yield message


_UNREADABLE = "HIP901"


def check_groups(
    parts: Sequence[Toolchain],
    groups: Sequence[Group],
    *,
    arch: Sequence[str] = (),
    std: str | None = None,
    flags: Sequence[str] = (),
    jobs: int | None = None,
    limits: Limits = LIMITS,
    cache: bool = True,
) -> list[CompileReport]:
    """Translate the groups in memory, parse them with libclang, and collect its messages.

    Args:
        parts: the parts to parse each group with, including libclang and HIP's headers (`missing_parts`).
    """
    reports = []
    store = Store() if cache else None
    for own, group, found in zip(parts, groups, discover_groups(groups), strict=True):
        translated = translate_in_memory(found, group.options, flags=flags, jobs=jobs)
        asking = _Asking(own, translated, arch, std, flags, Asker(jobs, limits), store, jobs)
        report = asking.report()
        messages, suppressed = reported(report.messages, group.options)
        reports.append(report._replace(messages=messages, suppressed=suppressed))
    if store is not None:
        store.close()
    return reports


def missing_parts(parts: Toolchain) -> list[str]:
    """What is missing to parse HIP with, in words."""
    needed = (
        (parts.library, "libclang"),
        (parts.resources, "clang's own headers"),
        (parts.hip, "HIP's headers"),
    )
    return [name for part, name in needed if part is None]


class _Asking:
    """The questions on one project."""

    def __init__(
        self,
        parts: Toolchain,
        translated: Translated,
        arch: Sequence[str],
        std: str | None,
        flags: Sequence[str],
        asker: Asker,
        store: Store | None,
        jobs: int | None,
    ) -> None:
        assert parts.library is not None
        self._parts = parts
        self._library = parts.library.path
        self._project = translated
        self._arch = tuple(arch)
        self._std = std
        self._flags = flags
        self._asker = asker
        about = [repr(parts), *sorted(translated.files)]
        self._files = {path: os.path.relpath(path) for path in translated.outputs} | translated.files
        self._kept = {
            language: KeptAnswers(store, self._outputs(language), [language, name_of(about)])
            for language in ("hip", "cuda")
            if store is not None
        }
        self._jobs = jobs
        self._behind = {
            language: HeadersBehind(self._text_of(language), translated.leads) for language in ("hip", "cuda")
        }

    def report(self) -> CompileReport:
        """Parse all units, and those again as CUDA that narrow anything."""
        units, files = self._project.units, self._files
        parsed = self._parse(units, "hip")
        said = {
            unit.path: self._wanted(told((value["messages"] for value in each.answer.values), files))
            for unit, each in zip(units, parsed, strict=True)
            if each.answer.status == DONE
        }
        narrowing = [unit for unit in units if unit.path in said and said[unit.path].narrowed and not _is_c(unit)]
        before = self._before(narrowing, said)
        return self._collected(units, parsed, said, before)

    def _before(self, units: Sequence[Unit], after: Mapping[str, Told]) -> dict[str, Iterable[Message]]:
        """The narrowings of units' CUDA text, of those that could be parsed; none without CUDA's headers.

        Behind a header that the CUDA text alone lacks, such as CUB's, nobody knows what narrows.
        """
        if self._parts.cuda is None:
            return {}
        found: dict[str, Iterable[Message]] = {}
        for unit, each in zip(units, self._parse(units, "cuda"), strict=True):
            if each.answer.status != DONE:
                continue
            said = told((value["messages"] for value in each.answer.values), self._files)
            if len(said.missing) <= len(after[unit.path].missing):
                found[unit.path] = [message._replace(path=self._files[message.path]) for message in said.narrowed]
        return found

    def _parse(self, units: Sequence[Unit], language: str) -> list[_Parsed]:
        """The messages for units in the language of their sources, `"cuda"`, or of the translation, `"hip"`."""
        plain = [self._passes(unit, language) for unit in units]
        answers = {i: kept for i, unit in enumerate(units) if (kept := self._kept_answer(unit, plain[i], language))}
        left = [i for i in range(len(units)) if i not in answers]
        beginnings = Beginnings(precompiled.PrecompiledHeaders(self._asker, self._library), self._jobs)
        beginnings.prepare([each for i in left if not _is_c(units[i]) for each in plain[i]])

        def whole(i: int) -> Job:
            return self._job(units[i], [beginnings.arguments(each) for each in plain[i]], language)._replace(stops=True)

        def listing(i: int) -> Job:
            return self._job(units[i], [beginnings.arguments(plain[i][0])], language)._replace(parse=SKIP_BODIES)

        def without(i: int) -> None:
            for each in plain[i]:
                beginnings.discard(each)

        # A source that begins with a missing header gives no other message; the header may have appeared since.
        begun = [i for i in left if all(beginnings.header(each).missing for each in plain[i])]
        listed = self._ask(begun, listing, without)
        come = [i for i in begun if not _lacks(listed[i])]
        for i in come:
            without(i)
        answers |= self._ask([i for i in left if i not in begun or i in come], whole, without)
        listed |= self._ask([i for i in left if i in answers and _lacks(answers[i])], listing, without)
        for i in left:
            if i in answers and answers[i].status == DONE:
                self._keep(units[i], plain[i], language, answers[i], beginnings)
            if i in listed and _lacks(listed[i]):
                answers[i] = _with_listing(answers.get(i), listed[i])
        return [
            _Parsed(answers[i], len(answers[i].values), beginnings.header(passes[0]).lines, i not in left)
            for i, passes in enumerate(plain)
        ]

    def _ask(
        self, which: Sequence[int], job_of: Callable[[int], Job], without: Callable[[int], None]
    ) -> dict[int, Answer]:
        """The answers for some units, by their numbers.

        Args:
            without: called for a unit whose precompiled header is stale; it is asked about once more.
        """
        answers: dict[int, Answer] = {}
        while which:
            jobs = [job_of(i) for i in which]
            stale = []
            for i, job, answer in zip(which, jobs, self._asker.ask_all(jobs), strict=True):
                is_first = i not in answers
                answers[i] = answer
                if is_first and precompiled.has_failed(job, answer):
                    stale.append(i)
            for i in stale:
                without(i)
            which = stale
        return answers

    def _passes(self, unit: Unit, language: str) -> list[Pass]:
        """The passes of a unit."""
        # None of these comes before the system's: a project's own strings.h is not a system header.
        folders = [word for folder in unit.folders for word in ("-iquote", folder, "-idirafter", folder)]
        included, given = _included(unit.options.with_definitions(unit.path))
        standard = self._std or unit.options.standard
        standards = (f"-std={standard}",) if standard else ()
        if _is_c(unit):
            passes = c_passes(self._parts)
        else:
            passes = cuda_passes(self._parts) if language == "cuda" else hip_passes(self._parts, self._arch)
        begun: tuple[bytes, ...] = ()
        behind: tuple[Item, ...] = ()
        if not included and not _included(self._flags)[0] and not _is_c(unit):
            begun = opening(unit.path, self._text_of(language), self._project.leads)
            behind = self._behind[language].of(unit.path, begun)
        own = (*folders, *included)
        return [Pass((*arguments, *standards, *given, *self._flags), begun, own, behind) for arguments in passes]

    def _text_of(self, language: str) -> Callable[[str], bytes]:
        outputs = self._outputs(language)
        return lambda path: outputs[path] if path in outputs else bytes_of(path)

    def _outputs(self, language: str) -> Mapping[str, bytes]:
        """The texts that stand for files on disk: translated files, or none where their sources are parsed."""
        return self._project.outputs if language == "hip" else {}

    def _kept_answer(self, unit: Unit, passes: Sequence[Pass], language: str) -> Answer | None:
        kept = self._kept.get(language)
        values = None if kept is None else kept.find(unit.path, [each.arguments for each in passes])
        return None if values is None else Answer(DONE, values)

    def _keep(self, unit: Unit, passes: Sequence[Pass], language: str, answer: Answer, beginnings: Beginnings) -> None:
        kept = self._kept.get(language)
        if kept is not None:
            begun = (file for each in passes for file in beginnings.header(each).files)
            kept.keep(unit.path, [each.arguments for each in passes], answer.values, begun)

    def _job(self, unit: Unit, passes: Sequence[Sequence[str]], language: str) -> Job:
        outputs = self._outputs(language)
        unsaved = {path: outputs[path] for path in unit.seen if path in outputs}
        for path, names in unit.seen.items():
            if path in outputs and path not in self._project.edits:
                unsaved.update(dict.fromkeys(names, outputs[path]))
        unsaved.update(unit.options.files(unit.path))
        return Job("messages", unit.path, passes, unsaved, self._library)

    def _collected(
        self,
        units: Sequence[Unit],
        parsed: Sequence[_Parsed],
        all_said: Mapping[str, Told],
        before: Mapping[str, Iterable[Message]],
    ) -> CompileReport:
        origins = Origins(self._project.origin, self._files)
        entry = load_catalog().diagnostic(NARROWED)
        failed = [*self._project.failed]
        messages: dict[Message, None] = {}
        narrowed: dict[Message, None] = {}
        missing: dict[str, _Missing] = {}
        bad = dropped = 0
        accounts = []
        for unit, each in zip(units, parsed, strict=True):
            said, answer = all_said.get(unit.path), each.answer
            if said is None:
                why = f"libclang could not parse it: {answer.status}" + (f" ({answer.detail})" if answer.detail else "")
                failed.append(failure(self._files.get(unit.path, unit.path), _UNREADABLE, why))
                continue
            dropped += said.dropped
            bad += bool(said.messages or said.missing)
            for message in said.messages:
                messages[origins.home(message)] = None
            for name, message in said.missing.items():
                if _library(name) not in missing:
                    missing[_library(name)] = _Missing(origins.home(message))
                missing[_library(name)].add(unit.path, name)
            accounts.append(
                Parsed(
                    self._files.get(unit.path, unit.path),
                    each.passes,
                    answer.seconds,
                    each.is_kept,
                    each.precompiled,
                    tuple(said.missing),
                    said.dropped,
                )
            )
            if unit.path in before:
                for message in new_narrowings(said.narrowed, before[unit.path], origins, entry.message):
                    narrowed[message] = None
        everything = [*messages, *(known.message() for known in missing.values()), *narrowed]
        unanswered = len(units) - len(accounts)
        return CompileReport(len(accounts), bad, everything, [], failed, dropped, accounts, unanswered=unanswered)

    def _wanted(self, said: Told) -> Told:
        about = self._project.about
        if about is None:
            return said
        return said._replace(
            messages=[message for message in said.messages if message.path in about],
            missing={name: message for name, message in said.missing.items() if message.path in about},
            narrowed=[message for message in said.narrowed if message.path in about],
        )


class _Parsed(NamedTuple):
    """What came of parsing a unit.

    Attributes:
        passes: how many times it was parsed.
        precompiled: how many lines of its beginning were precompiled.
        is_kept: it is the answer of an earlier run.
    """

    answer: Answer
    passes: int
    precompiled: int
    is_kept: bool


class _Missing:
    """Missing headers of one folder, and their consequences."""

    def __init__(self, first: Message) -> None:
        self._first = first
        self._names: dict[str, None] = {}
        self._units: set[str] = set()

    def add(self, unit: str, name: str) -> None:
        self._names[name] = None
        self._units.add(unit)

    def message(self) -> Message:
        name, *others = self._names
        more = []
        if others:
            more.append(f"nor {len(others)} {'other' if len(others) == 1 else 'others'} of {_library(name)}")
        if len(self._units) > 1:
            more.append(f"in {len(self._units)} sources")
        text = f"'{name}' file not found" + (f" ({'; '.join(more)})" if more else "")
        return self._first._replace(text=text)


def _library(name: str) -> str:
    """The headers that are reported together: those of one folder, such as Thrust's."""
    folder, slash, _ = name.partition("/")
    return folder + slash if folder not in (".", "..") else name


def _is_c(unit: Unit) -> bool:
    return unit.path.endswith(".c")


def _included(flags: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Flags parted into those for files that are included first, and the others."""
    first: list[str] = []
    others: list[str] = []
    rest = iter(flags)
    for flag in rest:
        if flag in ("-include", "-imacros", "-include-pch"):
            first += [flag, next(rest, "")]
        else:
            (first if flag.startswith(("-include", "-imacros")) else others).append(flag)
    return tuple(first), tuple(others)


def _lacks(answer: Answer) -> bool:
    """A header is not there."""
    return any(missing_header(message) for value in answer.values for message in value["messages"])


def _with_listing(answer: Answer | None, listed: Answer) -> Answer:
    """An answer with all headers that are missing after the first missing one; that one ends the ordinary parse."""
    more = [{**value, "messages": [*filter(missing_header, value["messages"])]} for value in listed.values]
    if answer is None:
        return listed._replace(values=more)
    return answer._replace(values=[*answer.values, *more], seconds=answer.seconds + listed.seconds)
