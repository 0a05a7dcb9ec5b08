"""What the build files of a run say of each other."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib import import_module

from hipify_py.build_systems.dual import is_kept
from hipify_py.build_systems.kinds import CMAKE, COMMANDS, MAKE, is_copy_of_cmakes, kind_of, may_have_cuda
from hipify_py.core.options import Options
from hipify_py.core.project_context import BuildContext, ProjectContext
from hipify_py.project.contexts import ProjectContexts
from hipify_py.project.discovery import Discovery, Entry
from hipify_py.project.list_files_around import list_files_below, topmost_folder
from hipify_py.project.sibling_headers import portable
from hipify_py.project.texts import Texts

_MAY_BE_OLD = re.compile(
    rb"(?:cuda_std_|cxx_std_|STANDARD[ \t]+|std=(?:c|gnu)\+\+)(?:98|03|0x|11|14|1y)", re.IGNORECASE
)
"""What a build file has that asks for a C++ before C++17; a gate, and no more."""

_ROCPRIM = re.compile(rb"^[ \t]*#[ \t]*include[ \t]*[<\"](?:thrust|cub)/", re.MULTILINE)
_TELLING = {CMAKE: "hipify_py.build_systems.cmake.load", MAKE: "hipify_py.build_systems.make.load"}
"""The modules that tell build files of each other; each has a function `tell`."""


def with_build_files(
    contexts: ProjectContexts,
    found: Discovery,
    options: Options,
    moved: Sequence[tuple[str, str]] = (),
    texts: Texts | None = None,
) -> ProjectContexts:
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
        contexts = _told(contexts, found, options, kind, module, texts or Texts())
    return contexts


def _told(
    contexts: ProjectContexts, found: Discovery, options: Options, kind: str, module: str, texts: Texts
) -> ProjectContexts:
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


def _hip_only(found: Discovery, texts: Texts) -> dict[int, list[Entry]]:
    """The C++ sources that only HIP's compiler takes, by the given folder that they are in."""
    from hipify_py.project.hip_only_sources import hip_only_sources

    paths = hip_only_sources(found, texts)
    by_root: dict[int, list[Entry]] = {}
    for entry in found.sources:
        if entry.path in paths:
            by_root.setdefault(entry.root, []).append(entry)
    return by_root


def _new_names(entries: Iterable[Entry], renames: Mapping[str, str]) -> list[str]:
    """The paths that sources have in the output, within their tree."""
    return [renames.get(portable(entry.path), entry.relative) for entry in entries]


def _stands_on_rocprim(found: Discovery, texts: Texts) -> bool:
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
