"""A compiler's view of a project's sources: libclang answers the doubts that translations leave, where it is there."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from hipify_py import witness
from hipify_py.build_systems.compile_commands.database import NVCCS_MACROS, TOOLKIT_HEADER, Settings
from hipify_py.clang.parts import Parts, include_folders
from hipify_py.evidence import Doubt, evidence_in
from hipify_py.project.results_cache.keys import content_digest
from hipify_py.project.seen import Seen
from hipify_py.project.texts import Texts
from hipify_py.project_context import ARGUMENTS, CONTENT, Question
from hipify_py.source import CPP_SUFFIXES, CUDA_SUFFIXES, HEADER_SUFFIXES, suffix_of

if TYPE_CHECKING:
    from hipify_py.project.include_graph import Include

_MOST_FOLDERS = 64
_STANDARD = "-std=c++17"


class View:
    """libclang's view of a project.

    Args:
        parts: what there is to parse with; `is_complete` says whether that is enough.
        sources: the project's files, headers among them.
        given: those of them that are no part of a tree; headers around them are the project's as well.
        texts: what the files hold, and how they are compiled.
    """

    def __init__(self, parts: Parts, sources: Sequence[str], given: Sequence[str], texts: Texts) -> None:
        self._parts = parts
        self._sources = sources
        self._given = given
        self._texts: Texts | None = texts
        self._commands = texts.commands
        self._folders: Mapping[str, tuple[str, ...]] = {}
        self._through: Mapping[str, str] = {}
        self._contents: dict[str, bytes] = {}

    def prepare(self) -> None:
        """Work out which files include which. Workers are given the result; asked again, nothing is done."""
        if self._texts is None:
            return
        from hipify_py.project.include_graph import IncludeGraph, includes_in
        from hipify_py.project.neighbours import included

        texts = self._texts
        paths = dict.fromkeys([*self._sources, *(included(self._given, texts) if self._given else ())])
        includes = {path: includes_in(path, texts) for path in paths}
        graph = IncludeGraph(includes, self._commands).included
        named = {path: _named_folders(found.files, graph[path]) for path, found in includes.items()}
        self._folders = {path: _reached(path, graph, named) for path in paths if _is_source(path)}
        self._through = _includers(graph)
        self._texts = None  # which the workers need not be handed

    def arguments(self, path: str) -> tuple[str, ...]:
        """The file that a file is parsed through, and libclang's arguments for that."""
        from hipify_py.clang.dialects import cuda_options

        self.prepare()
        main = self._through.get(path, path)
        settings = self._commands.of(main)
        if settings is None:
            given = [_STANDARD, *(f"-I{folder}" for folder in self._folders.get(main, ()))]
        else:
            given = [*_given(settings)]
        is_for_gpu = suffix_of(main) in CUDA_SUFFIXES
        return (os.path.abspath(main), *cuda_options(self._parts, device=is_for_gpu), *given)

    def _hangs_on(self, path: str, files: Iterable[str]) -> dict[Question, Any]:
        questions = [(ARGUMENTS, path, ""), *((CONTENT, file, "") for file in files)]
        return {question: self.answer(question) for question in questions}

    def answer(self, question: Question) -> Any:
        """The answer to a question of one of the kinds `project_context.SEEN`."""
        kind, path, _ = question
        if kind == ARGUMENTS:
            return content_digest("\0".join(self.arguments(path)).encode("utf-8", "surrogatepass"))
        if path not in self._contents:
            witness.saw(path)
            try:
                with open(path, "rb") as file:
                    self._contents[path] = content_digest(file.read())
            except OSError:
                self._contents[path] = b""
        return self._contents[path]

    def ask(self, path: str, data: bytes, doubts: Sequence[Doubt]) -> Seen:
        """The answers to the doubts about a file with its content."""
        from hipify_py.clang.asking import Asker
        from hipify_py.clang.doubts import RECORD
        from hipify_py.clang.job import DONE, Job

        assert self._parts.library is not None, "there is no view without it"
        began = time.monotonic()
        main, *arguments = self.arguments(path)
        place = os.path.abspath(path)
        details = {
            "path": place,
            "text": data.decode("latin-1"),
            "doubts": [list(doubt) for doubt in doubts],
            "cuda": include_folders(self._parts.cuda),
        }
        job = Job("doubts", main, [arguments], {place: data}, self._parts.library.path, details, RECORD)
        answer = Asker(1).ask(job)  # within its limits; a file that takes more keeps its doubts
        seconds = time.monotonic() - began
        if answer.status != DONE:
            problem = f"{answer.status}: {answer.detail}" if answer.detail else answer.status
            return Seen(problem=problem, seconds=seconds)
        (value,) = answer.values
        read = (file for file in value["files"] if file != os.path.realpath(path))
        hangs_on = self._hangs_on(path, [*read, *_may_come(value["missing"], arguments)])
        return Seen(evidence_in((value["names"], value["types"])), hangs_on, "", seconds)


def identity(parts: Parts) -> bytes:
    """What tells a view by these parts from others, for the keys of results."""
    return repr((parts.library, parts.resources, parts.cuda)).encode("utf-8", "surrogatepass")


def is_complete(parts: Parts) -> bool:
    """There is all that a view takes: of CUDA's headers, a folder that tells them from everybody else's."""
    return parts.library is not None and parts.resources is not None and bool(include_folders(parts.cuda))


def missing(parts: Parts) -> list[str]:
    """What a view lacks, in words."""
    named = (
        (parts.library, "libclang"),
        (parts.resources, "the headers of its release"),
        (include_folders(parts.cuda), "CUDA's headers in a folder of their own"),
    )
    return [words for part, words in named if not part]


def _is_source(path: str) -> bool:
    """A file is compiled by itself."""
    suffix = suffix_of(path)
    return suffix in CUDA_SUFFIXES | CPP_SUFFIXES and suffix not in HEADER_SUFFIXES


def _may_come(missing: Iterable[tuple[str, str]], arguments: Sequence[str]) -> Iterator[str]:
    """The places where headers that are not there would be found if they were."""
    searched = [
        argument.removeprefix(option)
        for argument in arguments
        for option in ("-I", "-iquote", "-isystem")
        if argument.startswith(option) and argument != option
    ]
    for beside, name in missing:
        yield from (os.path.join(folder, name) for folder in (beside, *searched))


def _named_folders(includes: Iterable[Include], targets: Iterable[str]) -> tuple[str, ...]:
    """The folders from which includes lead to files by their paths as written."""
    places = [os.path.abspath(target).replace(os.sep, "/") for target in targets]
    found: dict[str, None] = {}
    for include in includes:
        ending = "/" + include.name
        found.update({place[: -len(ending)]: None for place in places if place.endswith(ending)})
    return tuple(found)


def _reached(path: str, graph: Mapping[str, Sequence[str]], named: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    """The folders that a source and all that it includes need, the nearest first."""
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


def _includers(graph: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """By header, the source that takes it in by the fewest steps; CUDA's before others."""
    through: dict[str, str] = {}
    sources = sorted(filter(_is_source, graph), key=lambda path: (suffix_of(path) not in CUDA_SUFFIXES, path))
    front = [(source, source) for source in sources]
    while front:
        further = []
        for path, source in front:
            for target in graph[path]:
                if target not in through and not _is_source(target):
                    through[target] = source
                    further.append((target, source))
        front = further
    return through


def _given(settings: Settings) -> Iterator[str]:
    """A source's own options, made anew of what a database says."""
    for option, folders in (("-iquote", settings.quoted), ("-I", settings.folders), ("-isystem", settings.system)):
        yield from (f"{option}{folder}" for folder in folders if not _is_toolkit(folder))
    for name, value in settings.macros:
        if not name.startswith(NVCCS_MACROS):
            yield f"-U{name}" if value is None else f"-D{name}={value}"
    for _, place in settings.included:
        yield from ("-include", place)
    yield f"-std={settings.standard}" if settings.standard else _STANDARD


def _is_toolkit(folder: str) -> bool:
    """A folder of CUDA's own headers, which are among the parts."""
    return witness.exists(os.path.join(folder, TOOLKIT_HEADER))
