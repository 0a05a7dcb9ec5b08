"""What `--syntax` parses: the translated files in memory, at the places of their sources, and the units among them.

Nothing is written: a source's includes are found from where it lies, and libclang is handed the HIP text in its place.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from hipify_py.build_systems.compile_commands.options import SourceOptions, options_of
from hipify_py.clang.include_prefix import FOREIGN, Leads
from hipify_py.compile.diagnostics import Origin
from hipify_py.compile.includes import include_folders
from hipify_py.compile.origins import origin_of
from hipify_py.compile.staging import is_unit, with_included_files
from hipify_py.core.edits import Edit
from hipify_py.core.options import Options
from hipify_py.embedded.host_files import kind_of_host
from hipify_py.project.clang_session import Places
from hipify_py.project.compile_commands import CompileCommands, compile_commands
from hipify_py.project.discovery import Discovery, discover
from hipify_py.project.errors import reason
from hipify_py.project.groups import Group, discover_groups
from hipify_py.project.include_graph import IncludeGraph, Includers, includes_of
from hipify_py.project.plan import make_plan
from hipify_py.project.result import CHANGED, FAILED, FileResult, failure
from hipify_py.project.run import run
from hipify_py.project.source_store import SourceStore, bytes_of
from hipify_py.project.support_header_writer import SupportHeaderWriter, header_text
from hipify_py.project.work import COPY, OUTPUT, Task

# A file that cannot be parsed alone is parsed through one that includes it, searched for in the folders above.

_MOST_ABOVE = 3
"""Folders above a file's own in which an including file is looked for, where no repository ends before."""

_REPOSITORIES = (".git", ".hg", ".svn")

IsUnit = Callable[[str, bool], bool]


def with_includers(found: Discovery, is_unit: IsUnit) -> tuple[Discovery, frozenset[str] | None]:
    """Add to given files that are no sources by themselves those that include them.

    Returns what was found then, and the absolute paths of the files that are asked about, where others were added.
    """
    given = [entry for entry in found.sources if not found.roots[entry.root].is_tree]
    fragments = [entry.path for entry in given if not is_unit(entry.path, True)]
    if not fragments:
        return found, None
    about = frozenset(os.path.abspath(entry.path) for entry in found.sources)
    further = dict.fromkeys(path for fragment in fragments for path in _includer(fragment, is_unit))
    paths = [path for path in further if os.path.abspath(path) not in about]
    if not paths:
        return found, about
    more = discover(paths)
    moved = [entry._replace(root=entry.root + len(found.roots)) for entry in more.entries]
    return found._replace(
        roots=[*found.roots, *more.roots], entries=[*found.entries, *moved], given=found.given + more.given
    ), about


def _includer(fragment: str, is_unit: IsUnit) -> Sequence[str]:
    """The source that takes a file in by the fewest steps, from the nearest folder that has one."""
    place = os.path.abspath(fragment)
    folder = os.path.dirname(place)
    for _ in range(_MOST_ABOVE + 1):
        if _is_above_projects(folder):
            break
        path = _first(place, [entry.path for entry in discover_groups([Group([folder])])[0].sources], is_unit)
        above = os.path.dirname(folder)
        if path:
            return [os.path.relpath(path)]
        if above == folder or any(os.path.exists(os.path.join(folder, name)) for name in _REPOSITORIES):
            break
        folder = above
    return []


def _is_above_projects(folder: str) -> bool:
    """The user's own folder or one above it, which holds everything: looking through that would take too long."""
    home = os.path.join(os.path.abspath(os.path.expanduser("~")), "")
    return home.startswith(os.path.join(folder, ""))


def _first(place: str, paths: Sequence[str], is_unit: IsUnit) -> str:
    includes = {path: includes_of(bytes_of(path)) for path in map(os.path.abspath, paths)}
    includers = Includers(IncludeGraph(includes).included)
    return next(includers.of(place, lambda path: is_unit(path, True)), "")


_MOST_NAMES = 8
"""Ways over other folders (`a/../b.h`) to one file."""


class Unit(NamedTuple):
    """A source that is parsed by itself.

    Attributes:
        path: its absolute path.
        seen: the project's files that it takes in, itself among them, by their absolute paths, with the names that
            clang comes upon them by: a file that is in memory alone is found by no other name.
        folders: the folders that its includes are found in, where no database says.
        options: what a compilation database says.
    """

    path: str
    seen: Mapping[str, tuple[str, ...]]
    folders: tuple[str, ...]
    options: SourceOptions


class Translated(NamedTuple):
    """A project in memory. All paths are absolute.

    Attributes:
        units: what is to be parsed.
        outputs: the HIP text of each file that the translation changes or adds.
        files: the project's files, with what messages call them.
        about: the files that messages are wanted of; None for all.
        failed: results of files that could not be translated.
        edits: the files that are translated, with what the translation has changed.
        leads: where an include of the project leads (`hipify_py.clang.include_prefix.Leads`).
    """

    units: list[Unit]
    outputs: dict[str, bytes]
    files: dict[str, str]
    about: frozenset[str] | None
    failed: list[FileResult]
    edits: dict[str, tuple[Edit, ...]]
    leads: Leads

    def origin(self, path: str) -> Origin | None:
        """How a file came about; None for one that is no translation, or whose source has changed since."""
        if path not in self.edits or path not in self.outputs:
            return None
        try:
            return origin_of(self.outputs[path], self.files[path], self.files[path], self.edits[path])
        except OSError:
            return None


def translate_in_memory(
    found: Discovery, options: Options, *, flags: Sequence[str] = (), jobs: int | None = None
) -> Translated:
    """Translate what was found; given files together with what they include, and with a file that includes them."""
    commands = compile_commands([root.path for root in found.roots if root.is_tree], options.compile_commands)
    found, about = with_includers(found, is_unit)
    found, compiled, _ = with_included_files(found, include_folders(flags), commands)
    texts = SourceStore()
    plan = make_plan(found, options, texts=texts)
    tasks = [
        task for task in plan.tasks if task.kind != COPY and not task.is_build_file and not kind_of_host(task.path)
    ]
    tasks = [task._replace(keeps_edits=True) for task in tasks]
    results = run(tasks, plan.options, plan.project, wanted=OUTPUT, jobs=jobs)
    failed = [result for result in results if result.status == FAILED]
    failed += [failure(path, "HIP901", message) for path, message in found.problems]
    bad = {result.path for result in failed}
    failed += texts.faults.results({os.path.abspath(path) for path in bad})
    outputs, headers = {}, SupportHeaderWriter(written=False)
    for task, result in zip(tasks, results, strict=True):
        headers.take(task, result)
        if result.status == CHANGED:
            outputs[os.path.abspath(task.path)] = result.output
    for place, sections in headers.needed.items():
        try:
            header = header_text(place, sections)
        except OSError as error:
            failed.append(failure(place, "HIP901", f"cannot read the support header: {reason(error)}"))
            continue
        if header is not None:
            outputs[os.path.abspath(place)] = header
    outputs.update(_generated_headers([entry.path for entry in found.entries], outputs))
    graph = _Graph(tasks, outputs, plan.commands)
    given = {os.path.abspath(path): path for path in compiled if path not in bad}
    units = [
        graph.unit(path)
        for path, shown in given.items()
        if is_unit(shown, path in outputs) or (about is not None and path in about)
    ]
    units = [unit for unit in units if plan.commands.of(unit.path) is not None or not graph.is_part(unit.path, units)]
    return Translated(
        units,
        outputs,
        {os.path.abspath(task.path): task.path for task in tasks},
        about,
        failed,
        {os.path.abspath(task.path): result.edits for task, result in zip(tasks, results, strict=True)},
        graph.leads,
    )


_TEMPLATE = re.compile(r"(?P<header>.+\.(?:h|hh|hpp|hxx|cuh|inc))\.(?:in|cmake|cmakein)")
_PLACEHOLDER = rb"(?:@\w+@|\$\{\w+\})"
_OF_CONFIGURE = re.compile(rb"^[ \t]*#[ \t]*(?:cmakedefine\b.*|mesondefine\b.*|undef[ \t]+\w+[ \t]*|)$", re.M)
_ZERO_OR_ONE = re.compile(rb"^([ \t]*#[ \t]*)cmakedefine01([ \t]+\w+).*$", re.M)
_ALONE = re.compile(rb"^[ \t]*" + _PLACEHOLDER + rb"[ \t]*;?[ \t\r]*$", re.M)


def _generated_headers(paths: Iterable[str], outputs: Mapping[str, bytes]) -> dict[str, bytes]:
    """Headers that the build makes from templates of the project, by the absolute paths that they would have there.

    Nothing is defined that configure decides, and each value that it fills in is 0.
    """
    places = set(map(os.path.abspath, paths))
    made = {}
    for path in places:
        match = _TEMPLATE.fullmatch(path)
        if match is not None and match["header"] not in places:
            text = outputs[path] if path in outputs else bytes_of(path)
            text = _OF_CONFIGURE.sub(b"", _ZERO_OR_ONE.sub(rb"\1define\2 0", text))
            made[match["header"]] = re.sub(_PLACEHOLDER, b"0", _ALONE.sub(b"", text))
    return made


class _Link(NamedTuple):
    """An include of the project's: where it leads, and the folder that it leads from; empty for the file's own."""

    target: str
    name: str
    folder: str


class _Graph:
    """What the project's files include, as they are after the translation."""

    def __init__(self, tasks: Sequence[Task], outputs: Mapping[str, bytes], commands: CompileCommands) -> None:
        self._commands = commands
        paths = dict.fromkeys([*(os.path.abspath(task.path) for task in tasks), *outputs])
        self._includes = {path: includes_of(outputs[path] if path in outputs else bytes_of(path)) for path in paths}
        self._targets = IncludeGraph(self._includes, commands).included
        self._includers = Includers(self._targets)
        self._links = {path: [*self._linked(path)] for path in paths}
        self._places = Places(paths)

    def unit(self, path: str) -> Unit:
        own = options_of(self._commands.of(path))
        first = [place for option, place in pairwise(own.flags) if option == "-include"]
        seen = self._seen(path, *(place for place in first if place in self._links))
        folders = dict.fromkeys(link.folder for each in seen for link in self._links[each] if link.folder)
        return Unit(path, {each: tuple(names) for each, names in seen.items()}, tuple(folders), own)

    def is_part(self, path: str, units: Sequence[Unit]) -> bool:
        """Another unit takes a file in, by its includes or before them."""
        others = {unit.path for unit in units if unit.path != path}
        return any(self._includers.of(path, others.__contains__)) or any(
            path in unit.seen for unit in units if unit.path != path and "-include" in unit.options.flags
        )

    def leads(self, path: str, name: str, is_quoted: bool) -> str | None:
        """Where an include leads: to a file that the graph has there too, out of the project, or None if unknown."""
        target = self._places.leads(path, name, is_quoted)
        if target is None or target == FOREIGN:
            return target
        return target if any(link.target == target for link in self._links.get(path, ())) else None

    def _seen(self, *paths: str) -> dict[str, list[str]]:
        """The files that a unit begins with and takes in, with the names that clang comes upon them by."""
        seen: dict[str, list[str]] = {}
        waiting = [(path, path) for path in paths]
        while waiting:
            here, name = waiting.pop()
            names = seen.setdefault(here, [])
            if name in names or len(names) >= _MOST_NAMES:
                continue
            names.append(name)
            folder = os.path.dirname(name)
            waiting += [
                (link.target, os.path.join(link.folder or folder, link.name)) for link in reversed(self._links[here])
            ]
        return seen

    def _linked(self, path: str) -> Iterator[_Link]:
        """The includes of a file that lead to files of the project."""
        targets = dict.fromkeys(self._targets.get(path, ()))
        for include in self._includes[path].files:
            if include.is_macro:
                continue
            beside = os.path.normpath(os.path.join(os.path.dirname(path), include.name))
            ending = "/" + os.path.normpath(include.name).replace(os.sep, "/")
            ends = [to for to in targets if _slashed(to).endswith(ending)]
            if include.is_quoted and beside in targets:
                yield _Link(beside, include.name, "")
            elif ends:
                nearest = max(ends, key=lambda to: len(os.path.commonpath([to, path])))
                yield _Link(nearest, include.name, nearest[: -len(ending)] or os.sep)
        for target in targets:  # by macros, too
            yield _Link(target, target, "")


def _slashed(path: str) -> str:
    return path.replace(os.sep, "/")
