"""Programs of other languages among the files of a tree: those with GPU code are translated with the sources.

The walk knows them by their endings. Of the thousands of Python files that a tree may have, only those are taken whose
text names a kernel, a compiler or a package for CUDA.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Sequence

from hipify_py.embedded.host_files import CYTHON, LARGEST, PYTHON, kind_of_host, may_embed
from hipify_py.project.contexts import ContextMap
from hipify_py.project.discovery import HOST, OTHER, Discovery, Entry, Selection
from hipify_py.project.source_store import SourceStore

_INCLUDE = re.compile(rb"^[ \t]*#[ \t]*include[ \t]*[<\"]([^<>\"\n]+)[>\"]", re.MULTILINE)
_COMPUTED = re.compile(r"[{}%$]")
"""What stands for a value in the name of a file."""


def with_host_programs(
    found: Sequence[Discovery], selections: Sequence[Selection], texts: SourceStore
) -> list[Discovery]:
    """What was found, with the programs that have GPU code among the files to translate.

    If the user has selected the files by globs, nothing is added.
    """
    return [
        discovery if selection.include or selection.files else _with_programs(discovery, texts)
        for discovery, selection in zip(found, selections, strict=True)
    ]


def with_run_time_sources(contexts: ContextMap, found: Discovery, texts: SourceStore) -> ContextMap:
    """The contexts, with the sources of a tree that its programs have compiled at run time.

    These are files that a program reads, and texts in other programs, which it imports.
    """
    programs = [entry for entry in found.entries if entry.kind == HOST and kind_of_host(entry.path) == PYTHON]
    asked = {entry: texts.fact(outer_sources, entry.path) for entry in programs}
    if not any(asked.values()):
        return contexts
    sources = [entry for entry in found.sources if found.roots[entry.root].is_tree]
    names: dict[str, set[str]] = {}
    files: set[str] = set()
    for entry, wanted in asked.items():
        for what, name in wanted:
            if name:
                for module in _modules(what, entry, programs):
                    names.setdefault(module, set()).add(name)
            else:
                files.update(_named(what, entry.relative, [each for each in sources if each.root == entry.root]))
    files = _with_includes(files, sources, texts)
    by_path = {path: contexts.of(path)._replace(is_run_time_source=True) for path in files}
    by_path |= {path: contexts.of(path)._replace(run_time_names=frozenset(own)) for path, own in names.items()}
    return contexts._replace(by_path={**contexts.by_path, **by_path})


def _with_includes(files: set[str], sources: Sequence[Entry], texts: SourceStore) -> set[str]:
    """The files of a tree with those that they include, directly or through others."""
    entries = {entry.path: entry for entry in sources}
    waiting, taken = [*files], set(files)
    while waiting:
        including = entries[waiting.pop()]
        beside = [entry for entry in sources if entry.root == including.root]
        for name in texts.fact(included_paths, including.path):
            new = {path for path in _named(name, including.relative, beside) if path not in taken}
            taken |= new
            waiting += new
    return taken


def included_paths(data: bytes) -> tuple[str, ...]:
    """The paths that a source includes, as it writes them."""
    return tuple(path.decode("utf-8", "replace") for path in _INCLUDE.findall(data))


def with_cython_names(contexts: ContextMap, found: Discovery, texts: SourceStore) -> ContextMap:
    """The contexts, with the names that the files of Cython declare for each other."""
    files = [entry.path for entry in found.entries if entry.kind == HOST and kind_of_host(entry.path) == CYTHON]
    if not files:
        return contexts
    declared = [texts.fact(declared_names, path) for path in files]
    of_cuda = {name for names, _ in declared for name in names}
    of_others = {name for _, names in declared for name in names}
    names = frozenset(of_cuda - of_others)
    by_path = {path: contexts.of(path)._replace(cython_names=names) for path in files}
    return contexts._replace(by_path={**contexts.by_path, **by_path})


def declared_names(data: bytes) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The API names that a file of Cython declares, from CUDA's headers and from others (see `cython`)."""
    from hipify_py.embedded.cython import declared_names

    found = declared_names(data)
    return found.of_cuda, found.of_others


def outer_sources(data: bytes) -> tuple[tuple[str, str], ...]:
    """The sources of other files that a Python program has compiled at run time (see `python_program`)."""
    from hipify_py.embedded.python_program import outer_sources

    return outer_sources(data) if may_embed(data, PYTHON) else ()


def has_gpu_code(data: bytes) -> bool:
    """Whether a Python program may have GPU code."""
    return may_embed(data, PYTHON)


def _with_programs(found: Discovery, texts: SourceStore) -> Discovery:
    taken = {entry for entry in found.entries if _is_program(entry, texts)}
    if not taken:
        return found
    return found._replace(entries=[one._replace(kind=HOST) if one in taken else one for one in found.entries])


def _is_program(entry: Entry, texts: SourceStore) -> bool:
    if entry.kind != OTHER or not 0 < entry.size <= LARGEST:
        return False
    kind = kind_of_host(entry.relative)
    if not kind:
        return False
    if kind == PYTHON:
        return texts.fact(has_gpu_code, entry.path)
    return may_embed(texts.read(entry.path), kind)


def _named(name: str, program: str, sources: Iterable[Entry]) -> list[str]:
    """The sources that a name means: the one beside the program, else all of that name.

    An ending alone, as in `name + ".cu"`, means all of the program's folder that have it (httomolibgpu).
    """
    folder = posixpath.dirname(program)
    if _COMPUTED.search(name):  # "%s/%s.cu", or an f-string
        name = posixpath.splitext(name)[1]
    if name.startswith(".") and "/" not in name:
        return [
            entry.path
            for entry in sources
            if posixpath.dirname(entry.relative) == folder and entry.relative.endswith(name)
        ]
    wanted = posixpath.normpath(name.replace("\\", "/")).lstrip("./")
    beside = posixpath.normpath(posixpath.join(folder, wanted))
    ending = f"/{wanted}"
    same = {entry.relative: entry.path for entry in sources if f"/{entry.relative}".endswith(ending)}
    return [same[beside]] if beside in same else [*same.values()]


def _modules(module: str, program: Entry, programs: Iterable[Entry]) -> list[str]:
    """The programs that a module means: one beside the importing program, or at the place that the dots say."""
    name = module.lstrip(".")
    dots = len(module) - len(name)
    path = name.replace(".", "/")
    folder = posixpath.dirname(program.relative)
    for _ in range(dots - 1):
        folder = posixpath.dirname(folder)
    endings = (f"{path}.py", f"{path}/__init__.py")
    places = {posixpath.normpath(posixpath.join(folder, ending)) for ending in endings}
    same = [each for each in programs if each.root == program.root]
    beside = [each.path for each in same if each.relative in places]
    if beside or dots:
        return beside
    return [each.path for each in same if f"/{each.relative}".endswith(tuple(f"/{ending}" for ending in endings))]
