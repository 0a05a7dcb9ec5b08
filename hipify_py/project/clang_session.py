"""A compiler's view of a project's sources: libclang, if available, settles the doubts that translations leave."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, NamedTuple

from hipify_py.build_systems.compile_commands.options import SourceOptions, options_of
from hipify_py.clang.answer_queries import RECORD
from hipify_py.clang.dialects import cuda_options
from hipify_py.clang.include_prefix import FOREIGN, opening
from hipify_py.clang.protocol import DONE, Job
from hipify_py.clang.search_paths import folders_in
from hipify_py.clang.toolchain import Toolchain, include_folders
from hipify_py.core.clang_facts import Evidence, evidence_in, merge_evidence
from hipify_py.core.project_context import ARGUMENTS, CONTENT, LISTED, Question
from hipify_py.core.source import CUDA_SUFFIXES, HIP_SUFFIXES, SOURCE_SUFFIXES, UNIT_SUFFIXES, suffix_of
from hipify_py.project.clang_evidence import LEFT_OUT, FileEvidence
from hipify_py.project.include_graph import IncludeGraph, Includers, includes_in
from hipify_py.project.result import LeftOpen
from hipify_py.project.results_cache.keys import content_digest
from hipify_py.project.sibling_headers import included
from hipify_py.project.source_store import SourceStore

if TYPE_CHECKING:
    from hipify_py.clang.pch_jobs import Pass
    from hipify_py.clang.protocol import Answer, Job
    from hipify_py.project.include_graph import Include, Includers

# Records the folders searched for headers, and the names in them that can change which header is found.


def searched_folders(options: Sequence[str], beside: Iterable[str], below: Iterable[str]) -> Iterator[str]:
    """The folders in which a header added later would take precedence over the one that was found, if any.

    Args:
        options: the options of a source.
        beside: the folders of files whose includes led elsewhere.
        below: the folders that includes name, relative to the searched folders.
    """
    within, named = {""}, set()
    for folder in below:
        if os.path.isabs(folder):  # nothing is searched relative to it: only there can a header appear or disappear
            named.add(_nearest(folder))
        while folder and folder not in within and not os.path.isabs(folder):
            within.add(folder)
            folder = os.path.dirname(folder)
    yield from sorted(named)
    for top in dict.fromkeys((*beside, *folders_in(options))):
        for folder in sorted(within):
            place = os.path.normpath(os.path.join(top, folder))
            if not folder or os.path.isdir(place):  # if it is missing, its parent folder shows when it appears
                yield place


def _nearest(folder: str) -> str:
    """A folder; if it does not exist, the nearest parent that shows when it appears."""
    above = os.path.dirname(folder)
    return folder if above == folder or os.path.isdir(folder) else _nearest(above)


def headers_in(folder: str) -> bytes:
    """A digest of the names in a folder that an include can lead to; it changes when one is added or removed."""
    try:
        with os.scandir(folder) as entries:
            names = sorted(entry.name for entry in entries if _may_be_included(entry))
    except OSError:
        return b""
    return content_digest("\0".join(names).encode("utf-8", "surrogatepass"))


def _may_be_included(entry: os.DirEntry[str]) -> bool:
    suffix = suffix_of(entry.name)
    return not suffix or suffix in SOURCE_SUFFIXES or suffix in (".inc", ".def") or entry.is_dir()


# Decides where the includes of a project's sources lead, if that is certain: then their first lines can be precompiled.


class Places:
    """The places of a project's files."""

    def __init__(self, paths: Iterable[str]) -> None:
        self._by_name: dict[str, list[str]] = {}
        self._paths = {*map(os.path.abspath, paths)}
        for path in self._paths:
            self._by_name.setdefault(os.path.basename(path), []).append(path)

    def leads(self, path: str, name: str, is_quoted: bool) -> str | None:
        """Where an include in a file leads: to a project file, out of the project, or None if unknown."""
        if is_quoted and os.path.exists(beside := os.path.join(os.path.dirname(path), name)):
            return place if (place := os.path.normpath(beside)) in self._paths else None
        ending = os.sep + os.path.normpath(name)
        ends = [path for path in self._by_name.get(os.path.basename(name), ()) if path.endswith(ending)]
        if not ends:
            return FOREIGN
        return ends[0] if len(ends) == 1 else None


# Chooses the sources to parse for the doubts about files: parsing one source also settles doubts about its headers.


class Units(NamedTuple):
    """What is parsed.

    Attributes:
        files: by source, the files about which its parse is asked.
        left_out: the files that none of these sources includes.
    """

    files: Mapping[str, Sequence[str]]
    left_out: Sequence[str]


def units_to_parse(mains: Mapping[str, Sequence[str]], doubts: Mapping[str, int], most: int | None = None) -> Units:
    """The sources to parse, at most `most`: the sources that settle the most doubts first, second includers last.

    Args:
        mains: by file, the sources through which it may be parsed, best first; at least one.
        doubts: by file, how many it leaves.
    """
    covered: dict[str, list[str]] = {}
    for path, sources in mains.items():
        covered.setdefault(sources[0], []).append(path)
    order = sorted(covered, key=lambda main: (-sum(doubts[path] for path in covered[main]), main))
    further: dict[str, list[str]] = {}
    for path, sources in mains.items():
        for main in sources[1:]:
            (covered if main in covered else further).setdefault(main, []).append(path)
    chosen = [*order, *sorted(further)][:most]
    files = {main: covered.get(main) or further[main] for main in chosen}
    asked = {path for paths in files.values() for path in paths}
    return Units(files, [path for path in mains if path not in asked])


_MOST_FOLDERS = 64
_STANDARD = "c++17"

MOST_INCLUDERS = 2
"""How many sources a header's doubts are settled through; further includers are not parsed for it."""

_CANDIDATES = 16
"""How many includers are considered for that, CUDA sources first."""


class ClangSession:
    """libclang's view of a project.

    Args:
        parts: the parts available for parsing; `is_complete` reports whether they are enough.
        sources: the project's files, headers among them.
        alone: those of them that do not belong to a tree; headers around them also count as project files.
        texts: what the files hold, and how they are compiled.
        most: how many sources a run may parse; None for no limit.
    """

    def __init__(
        self,
        parts: Toolchain,
        sources: Sequence[str],
        alone: Sequence[str],
        texts: SourceStore,
        most: int | None = None,
    ) -> None:
        self._parts = parts
        self._sources = sources
        self._alone = alone
        self._texts = texts
        self._most = most
        self._commands = texts.commands
        self._folders: Mapping[str, tuple[str, ...]] = {}
        self._includers: Includers | None = None
        self._places = Places(())
        self._known: dict[Question, bytes] = {}

    def settle(self, left: Mapping[str, LeftOpen], jobs: int | None = None) -> Mapping[str, FileEvidence]:
        """The answers to the doubts about files with their content, by path."""
        mains = {path: self._mains(path) for path in left}
        units = units_to_parse(mains, {path: len(open.doubts) for path, open in left.items()}, self._most)
        ask = self._texts.faults.ask
        questions: dict[str, list[tuple[Pass, Job]]] = {
            main: ask(main, partial(self._question, main, {path: left[path] for path in paths}), list)
            for main, paths in units.files.items()
        }
        asked = {main: paths for main, paths in units.files.items() if questions[main]}
        by_path: dict[str, list[FileEvidence]] = {path: [] for path in left}
        answers = self._answers([*chain(*questions.values())], jobs)
        for (main, paths), answer in zip(asked.items(), answers, strict=True):
            if answer.status != DONE:
                problem = f"{answer.status}: {answer.detail}" if answer.detail else answer.status
                for path in paths:
                    by_path[path].append(FileEvidence(problem=problem))
                continue
            (value,) = answer.values
            for path, found in zip(paths, value["found"], strict=True):
                evidence = evidence_in((found["names"], found["types"]))
                by_path[path].append(
                    FileEvidence(evidence, self._dependencies(path, main, value), "", value["seconds"] / len(paths))
                )
        return {path: _together(seen) for path, seen in by_path.items()}

    def answer(self, question: Question) -> Any:
        """The answer to a question of one of the kinds in `project_context.SEEN`."""
        known = self._known.get(question)
        if known is None:
            known = self._known[question] = self._found(question)
        return known

    def _found(self, question: Question) -> bytes:
        kind, path, _ = question
        if kind == ARGUMENTS:
            words = (
                word for main in self._mains(path) for word in ("", os.path.abspath(main), *chain(*self._options(main)))
            )
            return content_digest("\0".join(words).encode("utf-8", "surrogatepass"))
        if kind == LISTED:
            return headers_in(path)
        try:
            with open(path, "rb") as file:
                return content_digest(file.read())
        except OSError:
            return b""

    def _dependencies(self, path: str, main: str, value: Mapping[str, Any]) -> dict[Question, Any]:
        """What an answer depends on, in its current state."""
        options = (*self._own_options(main).flags, *(f"-I{folder}" for folder in self._folders.get(main, ())))
        folders = searched_folders(options, value["beside"], value["below"])
        own = os.path.realpath(path)
        questions = [
            (ARGUMENTS, path, ""),
            *((CONTENT, file, "") for file in value["files"] if file != own),
            *((LISTED, folder, "") for folder in folders),
        ]
        return {question: self.answer(question) for question in questions}

    # -- what is parsed, and how

    def _look_around(self) -> Includers:
        """Find out which files include which; done once."""
        if self._includers is not None:
            return self._includers
        texts = self._texts
        paths = dict.fromkeys([*self._sources, *(included(self._alone, texts) if self._alone else ())])
        includes = {path: includes_in(path, texts) for path in paths}
        graph = IncludeGraph(includes, self._commands).included
        named = {path: _named_folders(found.files, graph[path]) for path, found in includes.items()}
        self._folders = {path: _reached(path, graph, named) for path in paths if _is_source(path)}
        self._includers = Includers(graph)
        self._places = Places(paths)
        return self._includers

    def _mains(self, path: str) -> list[str]:
        """The sources through which a file is parsed: itself, or for a header its best includers, if any."""
        includers = self._look_around()
        if _is_source(path):
            return [path]
        nearest = islice(includers.of(path, _is_source), _CANDIDATES)
        return sorted(nearest, key=lambda main: suffix_of(main) not in CUDA_SUFFIXES)[:MOST_INCLUDERS] or [path]

    def _own_options(self, main: str) -> SourceOptions:
        return options_of(self._commands.of(main))

    def _options(self, main: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """libclang's options for a source: those that affect its first lines, and the source's other options."""
        self._look_around()
        own = self._own_options(main)
        flags = own.with_definitions(os.path.abspath(main))
        macros = [flag for flag in own.flags if flag.startswith(("-D", "-U"))]
        folders = () if self._commands.of(main) else (f"-I{folder}" for folder in self._folders.get(main, ()))
        is_for_gpu = suffix_of(main) in CUDA_SUFFIXES
        return (
            (*cuda_options(self._parts, device=is_for_gpu), f"-std={own.standard or _STANDARD}", *macros),
            (*(flag for flag in flags if flag not in macros), *folders),
        )

    def _question(self, main: str, left: Mapping[str, LeftOpen]) -> list[tuple[Pass, Job]]:
        return [(self._pass(main), self._job(main, left))]

    def _pass(self, main: str) -> Pass:
        """How a source is parsed, together with its first lines, which can be precompiled."""
        from hipify_py.clang.pch_jobs import Pass

        common, own = self._options(main)
        if "-include" in own:
            return Pass(common, (), own)
        return Pass(common, opening(os.path.abspath(main), self._texts.read, self._places.leads), own)

    def _job(self, main: str, left: Mapping[str, LeftOpen]) -> Job:
        assert self._parts.library is not None, "there is no view without it"
        files = [
            {
                "path": os.path.abspath(path),
                "text": open.data.decode("latin-1"),
                "doubts": [list(doubt) for doubt in open.doubts],
            }
            for path, open in left.items()
        ]
        place = os.path.abspath(main)
        unsaved = {os.path.abspath(path): open.data for path, open in left.items()}
        unsaved.update(self._own_options(main).files(place))
        details = {"files": files, "cuda": include_folders(self._parts.cuda)}
        return Job("doubts", place, (), unsaved, self._parts.library.path, details, RECORD)

    def _answers(self, questions: Sequence[tuple[Pass, Job]], jobs: int | None) -> Iterator[Answer]:
        """The answers, each within its limits; a file that exceeds them keeps its doubts."""
        from hipify_py.clang.pch_jobs import Beginnings
        from hipify_py.clang.precompiled import PrecompiledHeaders, has_failed
        from hipify_py.clang.worker_pool import Asker

        assert self._parts.library is not None
        asker = Asker(jobs)
        beginnings = Beginnings(PrecompiledHeaders(asker, self._parts.library.path, RECORD), jobs)
        beginnings.prepare([each for each, _ in questions])
        asked = [job._replace(passes=[beginnings.arguments(each)]) for each, job in questions]
        for (each, job), begun, answer in zip(questions, asked, asker.ask_all(asked), strict=True):
            if has_failed(begun, answer):
                beginnings.discard(each)
                yield asker.ask(job._replace(passes=[each.arguments]))
            else:
                yield answer


def _together(seen: Sequence[FileEvidence]) -> FileEvidence:
    """The combined answer about a file that was parsed through several sources, or through none."""
    if not seen:
        return LEFT_OUT
    heard = [one for one in seen if not one.problem]
    if not heard:
        return seen[0]
    evidence: Evidence = merge_evidence([one.evidence for one in heard])
    dependencies = {question: answer for one in heard for question, answer in one.dependencies.items()}
    return FileEvidence(evidence, dependencies, "", sum(one.seconds for one in heard))


def identity(parts: Toolchain) -> bytes:
    """Identifies a view with these parts in the keys of results."""
    return repr((parts.library, parts.resources, parts.cuda)).encode("utf-8", "surrogatepass")


def is_complete(parts: Toolchain) -> bool:
    """Whether all parts of a view are there; CUDA's headers need a folder that identifies them."""
    return parts.library is not None and parts.resources is not None and bool(include_folders(parts.cuda))


def missing(parts: Toolchain) -> list[str]:
    """What a view lacks, in words."""
    named = (
        (parts.library, "libclang"),
        (parts.resources, "the headers of its release"),
        (include_folders(parts.cuda), "CUDA's headers in a folder of their own"),
    )
    return [words for part, words in named if not part]


def _is_source(path: str) -> bool:
    """Whether a file is compiled by itself."""
    return suffix_of(path) in UNIT_SUFFIXES - HIP_SUFFIXES


def _named_folders(includes: Iterable[Include], targets: Iterable[str]) -> tuple[str, ...]:
    """The folders from which includes lead to files by their paths as written."""
    places = [os.path.abspath(target).replace(os.sep, "/") for target in targets]
    found: dict[str, None] = {}
    for include in includes:
        ending = "/" + include.name
        found.update({place[: -len(ending)]: None for place in places if place.endswith(ending)})
    return tuple(found)


def _reached(path: str, graph: Mapping[str, Sequence[str]], named: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    """The folders that a source and everything it includes need, nearest first."""
    seen, waiting = {path}, [path]
    folders: dict[str, None] = {}
    while waiting and len(folders) < _MOST_FOLDERS:
        here = waiting.pop(0)
        folders.update(dict.fromkeys(named[here]))
        for target in graph[here]:
            if target not in seen:
                seen.add(target)
                waiting.append(target)
    return tuple(folders)
