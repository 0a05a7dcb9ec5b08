"""What the build files of a run say of each other."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib import import_module
from itertools import islice

from hipify_py.analysis.preprocessor.macros import OF_CUDA
from hipify_py.build_systems.dual import is_kept
from hipify_py.build_systems.facts import facts
from hipify_py.build_systems.kinds import CMAKE, COMMANDS, LIST_FILE, MAKE, is_copy_of_cmakes, kind_of, may_have_cuda
from hipify_py.core.options import Options
from hipify_py.core.project_context import BuildContext, ProjectContext
from hipify_py.core.source import suffix_of
from hipify_py.frontend.conditions import Expression, condition, sections
from hipify_py.frontend.lexer import Lexer
from hipify_py.project.contexts import ContextMap
from hipify_py.project.discovery import Discovery, Entry, Walk
from hipify_py.project.include_graph import IncludeGraph, Includes, Lines, include_lines, includes_from, includes_in
from hipify_py.project.sibling_headers import portable
from hipify_py.project.source_store import SourceStore

# The list files of the project that one belongs to which is given by itself.

_MOST_ABOVE = 16
_MOST_BETWEEN = 2
"""Folders above without a list file, after which there is none to be looked for."""
_MOST_FOLDERS = 5000
_MOST_FILES = 1000
_CACHE = "CMakeCache.txt"


def topmost_folder(path: str) -> str:
    """The topmost folder of a list file's project.

    The project begins at the topmost list file above, in the same repository; a folder or two may lie between.
    """
    return _top(os.path.dirname(os.path.abspath(path)))


def list_files_below(top: str) -> dict[str, str]:
    """The list files of the project in a folder: their paths by those within it."""
    found: dict[str, str] = {}
    walk = Walk(top)
    for folder in islice(walk, _MOST_FOLDERS):
        if len(found) >= _MOST_FILES:
            break
        if folder.is_output or _CACHE in folder.names:  # what hipify-py or CMake has made
            continue
        for child in folder.children:
            place = os.path.join(top, folder.name_of(child))
            if child.is_dir(follow_symlinks=False):
                if not child.name.startswith("."):
                    walk.enter(folder.name_of(child))
            elif kind_of(child.name) == CMAKE and not os.path.isdir(place) and not is_copy_of_cmakes(place):
                found[portable(folder.name_of(child))] = place
    return found


def _top(folder: str) -> str:
    top, between = folder, 0
    for _ in range(_MOST_ABOVE):
        if os.path.isfile(os.path.join(folder, LIST_FILE)):
            top, between = folder, 0
        elif (between := between + 1) > _MOST_BETWEEN:
            break
        if os.path.exists(os.path.join(folder, ".git")) or os.path.dirname(folder) == folder:
            break
        folder = os.path.dirname(folder)
    return top


# Which C++ sources of a run only HIP's compiler takes once they are converted.

_CPP_SOURCES = frozenset({".cc", ".cpp", ".cxx", ".c++"})
_COMPILERS = OF_CUDA | {b"__HIPCC__", b"__HIP__"}
"""Macros that the compiler of the host does not define."""


def hip_only_sources(found: Discovery, texts: SourceStore) -> frozenset[str]:
    """The paths of the C++ sources that include such headers, themselves or through headers of the project."""
    sources = [entry.path for entry in found.sources if suffix_of(entry.path) in _CPP_SOURCES]
    every = {entry.path: includes_in(entry.path, texts) for entry in found.sources} if sources else {}
    if not _including_them(sources, every, texts):
        return frozenset()  # then none does where the host's compiler reads less of them, either
    seen = {path: includes_from(texts.find(host_include_lines, path)) for path in every}
    return _including_them(sources, seen, texts)


def _including_them(sources: Iterable[str], includes: Mapping[str, Includes], texts: SourceStore) -> frozenset[str]:
    """Those of some sources that include such headers, where files have these `includes`."""
    marked = {path for path, given in includes.items() if _names_them(given)}
    if not marked:
        return frozenset()
    reach = IncludeGraph(includes, texts.commands).reach(marked)
    return frozenset(path for path in sources if reach.sight(path).included)


def _names_them(includes: Includes) -> bool:
    headers = facts().compiler_headers
    return any(include.name in headers or f"{include.name.partition('/')[0]}/" in headers for include in includes.files)


def host_include_lines(data: bytes) -> Lines:
    """What the compiler of the host includes: nothing that a source keeps for the compiler of the device."""
    if any(name in data for name in _COMPILERS):
        data = _seen_by_host(data)
    return include_lines(data)


def _seen_by_host(data: bytes) -> bytes:
    """A source without the branches that depend on the compiler of the device."""
    seen = bytearray(data)
    for section in sections(Lexer(frozenset()).scan(data)):
        is_decided = False
        for branch in section:
            holds = Expression(condition(data, branch)).value(_macro, _macro)
            if is_decided or holds == 0:
                seen[branch.body : branch.end] = b" " * (branch.end - branch.body)
            is_decided = is_decided or bool(holds)
    return bytes(seen)


def _macro(name: bytes) -> int | None:
    return 0 if name in _COMPILERS else None


_MAY_BE_OLD = re.compile(
    rb"(?:cuda_std_|cxx_std_|STANDARD[ \t]+|std=(?:c|gnu)\+\+)(?:98|03|0x|11|14|1y)", re.IGNORECASE
)
"""What a build file has that asks for a C++ before C++17; a gate, and no more."""

_ROCPRIM = re.compile(rb"^[ \t]*#[ \t]*include[ \t]*[<\"](?:thrust|cub)/", re.MULTILINE)
_TELLING = {CMAKE: "hipify_py.build_systems.cmake.load", MAKE: "hipify_py.build_systems.make.load"}
"""The modules that tell build files of each other; each has a function `tell`."""


def with_build_files(
    contexts: ContextMap,
    found: Discovery,
    options: Options,
    moved: Sequence[tuple[str, str]] = (),
    texts: SourceStore | None = None,
) -> ContextMap:
    """The contexts, with those of the build files that have to do with CUDA.

    A list file that is given by itself is told of those around it, other files of nothing but themselves. Compilation
    databases are told which folders `moved`. `texts` are those of the sources.
    """
    databases = [entry.path for entry in found.build_files if kind_of(entry.path) == COMMANDS]
    if databases and moved:
        build = BuildContext(moved=tuple(moved))
        known = {path: contexts.of(path)._replace(build=build) for path in databases}
        contexts = contexts._replace(by_path={**contexts.by_path, **known})
    for kind, module in _TELLING.items():
        contexts = _told(contexts, found, options, kind, module, texts or SourceStore())
    return contexts


def _told(
    contexts: ContextMap, found: Discovery, options: Options, kind: str, module: str, texts: SourceStore
) -> ContextMap:
    data: dict[Entry, bytes] = {}
    known: dict[str, bytes | None] = {}

    def read(path: str) -> bytes | None:
        place = os.path.abspath(path)
        if place not in known:
            known[place] = _read(path)
        return known[place]

    for entry in found.build_files:
        if kind_of(entry.path) == kind and not is_copy_of_cmakes(entry.path):
            text = read(entry.path)
            if text is not None and not is_kept(text):
                data[entry] = text
    if not any(map(may_have_cuda, data.values())):
        return contexts
    tell = import_module(module).tell
    hip_only = _hip_only(found, texts) if kind == CMAKE else {}
    needs_cpp17 = any(map(_MAY_BE_OLD.search, data.values())) and _stands_on_rocprim(found, texts)
    by_path = dict(contexts.by_path)
    groups: dict[int, dict[str, tuple[Entry, bytes]]] = {}
    for entry, text in data.items():
        groups.setdefault(entry.root, {})[entry.relative] = (entry, text)
    around: dict[str, dict[str, BuildContext]] = {}
    for root, group in groups.items():
        if kind == CMAKE and not found.roots[root].is_tree:
            for entry, _ in group.values():
                context = _alone(entry.path, options, contexts.common, around, read)
                if context is not None:
                    build = context._replace(needs_cpp17=needs_cpp17)
                    by_path[entry.path] = contexts.of(entry.path)._replace(build=build)
            continue
        files = {relative: text for relative, (_, text) in group.items()}
        if hip_only:
            said = tell(files, options, contexts.common, _new_names(hip_only.get(root, ()), contexts.common.renames))
        else:
            said = tell(files, options, contexts.common)
        for relative, context in said.items():
            path = group[relative][0].path
            by_path[path] = contexts.of(path)._replace(build=context._replace(needs_cpp17=needs_cpp17))
    return contexts._replace(by_path=by_path)


def _alone(
    path: str,
    options: Options,
    common: ProjectContext,
    around: dict[str, dict[str, BuildContext]],
    read: Callable[[str], bytes | None],
) -> BuildContext | None:
    """What a list file that is given by itself is told; `around` is what is known already, by topmost folders."""
    from hipify_py.build_systems.cmake.load import tell

    top = topmost_folder(path)
    told = around.get(top)
    if told is None:
        texts = {name: read(place) for name, place in list_files_below(top).items()}
        files = {name: text for name, text in texts.items() if text is not None and not is_kept(text)}
        told = around[top] = tell(files, options, common)
    return told.get(portable(os.path.relpath(path, top)))


def _hip_only(found: Discovery, texts: SourceStore) -> dict[int, list[Entry]]:
    """The C++ sources that only HIP's compiler takes, by the given folder that they are in."""

    paths = hip_only_sources(found, texts)
    by_root: dict[int, list[Entry]] = {}
    for entry in found.sources:
        if entry.path in paths:
            by_root.setdefault(entry.root, []).append(entry)
    return by_root


def _new_names(entries: Iterable[Entry], renames: Mapping[str, str]) -> list[str]:
    """The paths that sources have in the output, within their tree."""
    return [renames.get(portable(entry.path), entry.relative) for entry in entries]


def _stands_on_rocprim(found: Discovery, texts: SourceStore) -> bool:
    """One of the sources includes Thrust or CUB."""
    return any(texts.find(includes_rocprim, entry.path) for entry in found.sources)


def includes_rocprim(data: bytes) -> bool:
    """A source includes Thrust or CUB, whose counterparts stand on rocPRIM."""
    return (b"thrust/" in data or b"cub/" in data) and _ROCPRIM.search(data) is not None  # few sources need the search


def _read(path: str) -> bytes | None:
    """What a file holds; None where that cannot be read, which the run complains about."""
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError:
        return None
