"""What each file of a run is told of the others; nothing is looked for that none of them can have."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence, Set
from contextlib import closing
from typing import TYPE_CHECKING

from hipify_py.catalog import load_catalog
from hipify_py.core.options import DEFAULT_OPTIONS, Options
from hipify_py.core.project_context import NO_PROJECT, ProjectContext
from hipify_py.core.source import Source, is_header_name, is_readable
from hipify_py.core.translator import lexer
from hipify_py.core.unit import Unit
from hipify_py.project.content_facts import FileFacts
from hipify_py.project.contexts import ContextMap
from hipify_py.project.include_graph import graph_of
from hipify_py.project.query_cache import Query, QueryCache
from hipify_py.project.shared_types import types_in_shared_memory
from hipify_py.project.sibling_headers import included
from hipify_py.project.source_store import SourceStore
from hipify_py.project.warp_hints import has_warps
from hipify_py.semantics.constructors import constructors_of

if TYPE_CHECKING:
    from hipify_py.project.header_scopes import OwnScopes


# Tells the files of a project which classes of the headers that they include have a constructor that does something.

_KEY = re.compile(rb"\b(?:class|struct|union)\b")
_BASES = re.compile(rb"(?<!:):(?!:)")
_WORD = re.compile(rb"\w+")
# A word that only ends like this is taken along: a search that begins with letters is three times as fast.
_ALIAS = re.compile(rb"using\s+(\w+)\s*=")
_TYPEDEF = re.compile(rb"\btypedef\b")


class ConstructedClasses:
    """The classes of headers that are constructed, by the files that have them in shared memory.

    The headers are asked as soon as it is made, by other processes where there are any: the run is laid out meanwhile.
    """

    def __init__(self, sources: Sequence[str], around: Sequence[str], texts: SourceStore, answers: QueryCache) -> None:
        """Look through the files of a run, and the headers `around` that they include and that are no files of it.

        `texts` has their bytes; `answers` are those of the headers (`header_query_cache`).
        """
        self._answers = answers
        self._names = {
            path: frozenset(found) for path in sources if (found := texts.find(types_in_shared_memory, path))
        }
        self._seen: dict[str, list[str]] = {}
        paths = list(dict.fromkeys([*sources, *around]))
        headers = [path for path in paths if is_header_name(path)]
        wanted: dict[str, set[bytes]] = {}
        if self._names and headers:
            reach = graph_of(paths, texts).reach(headers)
            for path, names in self._names.items():
                self._seen[path] = [header for header in reach.sight(path).all if header != path]
                for header in self._seen[path]:
                    wanted.setdefault(header, set()).update(names)
        self._asked = [
            path for path in sorted(wanted) if _may_have(path, wanted[path], texts) and is_readable(texts.of(path))
        ]
        answers.prefetch(Query(_constructed, path, NO_PROJECT) for path in self._asked)

    def told(self, contexts: ContextMap) -> ContextMap:
        """The contexts, with the classes that are constructed where files have them in shared memory."""
        constructed = {path: self._answers.get(_constructed, path, NO_PROJECT) for path in self._asked}
        by_path = dict(contexts.by_path)
        for path, headers in self._seen.items():
            own = self._names[path].intersection(name for header in headers for name in constructed.get(header, ()))
            if own:
                by_path[path] = contexts.of(path)._replace(constructed=own)
        return contexts._replace(by_path=by_path)


def _may_have(header: str, names: Set[bytes], texts: SourceStore) -> bool:
    """A header may define one of some classes or aliases."""
    data = texts.of(header)
    return any(name in data for name in names) and not names.isdisjoint(texts.find(_classes, header))


def _classes(data: bytes) -> list[bytes]:
    """The names of classes and aliases that a content may define, and further words beside them.

    Each piece of the content is looked at once, so that one without an end costs no more than any other.
    """
    found = set(_ALIAS.findall(data))
    for piece in data.split(b"{")[:-1]:
        head = piece[_last(piece, b";}") + 1 :]  # parentheses may be those of `alignas(16)`
        key = _KEY.search(head)
        if key is not None:
            bases = _BASES.search(head, key.end())
            found.update(_WORD.findall(head, key.end(), bases.start() if bases is not None else len(head)))
    for piece in data.split(b";")[:-1]:
        statement = piece[_last(piece, b"{}()") + 1 :]
        if _TYPEDEF.search(statement) is not None:
            found.add(_WORD.findall(statement)[-1])
    return sorted(found)


def _last(data: bytes, marks: bytes) -> int:
    """Where the last of some marks stands; -1 where there is none."""
    return max(data.rfind(marks[at : at + 1]) for at in range(len(marks)))


def _constructed(unit: Unit) -> list[bytes]:
    return sorted(set(constructors_of(unit).types()))


# Answers of headers about their classes and namespaces, whatever they are asked: the same processes read them.


def header_query_cache(texts: SourceStore) -> QueryCache:
    """The answers of a run's headers, which go by no options; to be closed."""
    facts = texts.facts or FileFacts()
    return QueryCache(DEFAULT_OPTIONS, facts, texts.of, _unresolved, texts.jobs, are_asked_once=True)


def _unresolved(data: bytes, path: str, project: ProjectContext, _: Unit | None) -> Unit:
    """A header as a unit whose names are not resolved; it is read anew for each question."""
    catalog = load_catalog()
    return Unit(Source(data, path), lexer(catalog).scan(data), catalog, DEFAULT_OPTIONS, project)


_ASKS_SCOPES = re.compile(
    rb"(?m)::\s*cu[A-Za-z]"
    rb"|\bnamespace\s+\w[\w:\s]*\{"
    rb"|\b(?:class|struct)\s+\w+[^;{}()=]*:[^:]"
    rb"|^[A-Za-z_][^;=\n]*::~?\w+\s*\("
    rb"|::\s*(?:coalesced_|tiled_part|thread_block|this_|labeled_|binary_part|Warp|Block|Device)",
)


_HIP = re.compile(r"(?<![A-Za-z])(?:hip|HIP)(?![a-z])|(?<![A-Z])Hip(?![a-z])")
_CUDA_FOR = {"hip": "cuda", "HIP": "CUDA", "Hip": "Cuda"}


def _hip_ports(sources: Sequence[str]) -> list[str]:
    """The files that a project has for CUDA as well, by their paths.

    Met as `hip/execution.h` beside `cuda/execution.h` (stdgpu), and `settle_gpu_internal_hip.cpp` beside
    `settle_gpu_internal.cu` (GROMACS).
    """
    if len(sources) < 2:
        return []
    # `commonpath` refuses absolute paths beside relative ones.
    shared = os.path.commonprefix(sources).replace("\\", "/").rfind("/") + 1  # noqa: RUF071
    names = {path: path[shared:].replace("\\", "/").rpartition(".")[0] for path in sources}
    others = set(names.values())
    cudas = {name for path, name in names.items() if path.endswith((".cu", ".cuh"))}
    return [
        path
        for path, name in names.items()
        if _HIP.search(name) is not None
        and (
            _HIP.sub(lambda found: _CUDA_FOR[found[0]], name) in others
            or _HIP.sub("", name).replace("_.", ".").rstrip("_-") in cudas
        )
    ]


def build_contexts(
    common: ProjectContext,
    sources: Sequence[str],
    given: Sequence[str],
    options: Options,
    texts: SourceStore | None = None,
) -> ContextMap:
    """The contexts of `sources`: `common`, and what the headers that each is compiled with say.

    A file that is `given` by itself is converted with the headers that it includes in mind, which are no sources then.
    `texts` has files that are to be read otherwise than from the disk.
    """
    texts = texts or SourceStore()
    contexts = ContextMap(common)
    ports = {path: common._replace(is_hip_port=True) for path in _hip_ports(sources)}
    if ports:
        contexts = contexts._replace(by_path=ports)
    asks_warps = any(has_warps(texts.of(path)) for path in given)
    asks_scopes = asks_warps or any(_ASKS_SCOPES.search(texts.of(path)) for path in given)
    has_tree = len(sources) > len(given)
    if has_tree and texts.jobs > 1:
        from hipify_py.project.prefetch import prefetch_facts

        prefetch_facts(sources, texts)
    asks_classes = any(texts.find(types_in_shared_memory, path) for path in sources)
    around = included(given, texts) if has_tree or asks_warps or asks_scopes or asks_classes else []
    has_scopes = asks_scopes or any(is_header_name(path) for path in sources)
    if has_scopes or asks_classes:
        with closing(header_query_cache(texts)) as answers:
            by_headers: list[OwnScopes | ConstructedClasses] = []
            if has_scopes:
                from hipify_py.project.header_scopes import OwnScopes

                by_headers.append(OwnScopes(sources, around if asks_scopes else [], texts, answers))
            if asks_classes:
                by_headers.append(ConstructedClasses(sources, around, texts, answers))
            for facts in by_headers:
                contexts = facts.told(contexts)
    if has_tree or asks_warps:
        from hipify_py.project.warp_facts import with_warps

        contexts = with_warps(contexts, sources, around, options, texts, is_whole=has_tree)
    return contexts
