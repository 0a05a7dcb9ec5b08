"""The contexts of a run's files; nothing is searched for that none of the files can contain."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence, Set
from contextlib import closing
from typing import TYPE_CHECKING

from hipify_py.catalog import load_catalog
from hipify_py.core.options import DEFAULT_OPTIONS, Options
from hipify_py.core.patterns import lazy_pattern
from hipify_py.core.project_context import NO_PROJECT, ProjectContext
from hipify_py.core.source import Source, is_header_name, is_readable
from hipify_py.frontend.unit import Unit
from hipify_py.project.attribute_macros import with_attribute_macros
from hipify_py.project.content_facts import FileFacts
from hipify_py.project.contexts import ContextMap
from hipify_py.project.handle_kinds import with_handle_kinds
from hipify_py.project.include_graph import graph_of
from hipify_py.project.query import Query
from hipify_py.project.query_cache import QueryCache
from hipify_py.project.runtime_headers import with_runtime_includes
from hipify_py.project.shared_textures import with_shared_textures
from hipify_py.project.shared_types import types_in_shared_memory
from hipify_py.project.sibling_headers import included
from hipify_py.project.source_store import SourceStore
from hipify_py.project.warp_hints import has_warps
from hipify_py.semantics.constructors import constructors_of
from hipify_py.semantics.device_addresses import DEVICE_ADDRESS, declared_with_addresses, merged
from hipify_py.translator.translate import lexer

if TYPE_CHECKING:
    from hipify_py.project.header_scopes import OwnScopes


# Finds the classes of included headers whose constructors do something.

_KEY = lazy_pattern(rb"\b(?:class|struct|union)\b")
_BASES = lazy_pattern(rb"(?<!:):(?!:)")
_WORD = lazy_pattern(rb"\w+")
# This also matches words that merely end in `using`: a search that begins with letters is three times as fast.
_ALIAS = lazy_pattern(rb"using\s+(\w+)\s*=")
_TYPEDEF = lazy_pattern(rb"\btypedef\b")


class ConstructedClasses:
    """The headers' classes that are constructed, by the files that have them in shared memory.

    The headers are queried on creation, by other processes if there are any, while the run is being planned.
    """

    def __init__(self, sources: Sequence[str], around: Sequence[str], texts: SourceStore, answers: QueryCache) -> None:
        """Examine the files of a run, and the headers `around` that they include and that are not files of the run.

        `texts` has their bytes; `answers` holds the headers' answers (`header_query_cache`).
        """
        self._answers = answers
        self._names = {
            path: frozenset(found) for path in sources if (found := texts.fact(types_in_shared_memory, path))
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
            path for path in sorted(wanted) if _may_have(path, wanted[path], texts) and is_readable(texts.read(path))
        ]
        answers.prefetch(Query(_constructed, path, NO_PROJECT) for path in self._asked)

    def with_facts(self, contexts: ContextMap) -> ContextMap:
        """The contexts, with the constructed classes that files have in shared memory."""
        constructed = {path: self._answers.get(_constructed, path, NO_PROJECT) for path in self._asked}
        by_path = dict(contexts.by_path)
        for path, headers in self._seen.items():
            own = self._names[path].intersection(name for header in headers for name in constructed.get(header, ()))
            if own:
                by_path[path] = contexts.of(path)._replace(constructed=own)
        return contexts._replace(by_path=by_path)


def _may_have(header: str, names: Set[bytes], texts: SourceStore) -> bool:
    """Whether a header may define one of some classes or aliases."""
    data = texts.read(header)
    return any(name in data for name in names) and not names.isdisjoint(texts.fact(_classes, header))


def _classes(data: bytes) -> list[bytes]:
    """The names of classes and aliases that a content may define, and some other words with them.

    Each piece of the content is examined once, so that an unterminated one costs no more than any other.
    """
    found = set(_ALIAS.findall(data))
    for piece in data.split(b"{")[:-1]:
        head = piece[_last(piece, b";}") + 1 :]  # the parentheses may be those of `alignas(16)`
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
    """The position of the last of some marks; -1 if there is none."""
    return max(data.rfind(marks[at : at + 1]) for at in range(len(marks)))


def _constructed(unit: Unit) -> list[bytes]:
    return sorted(set(constructors_of(unit).types()))


# Answers all questions about the classes and namespaces of headers, so that the same processes read them.


def header_query_cache(texts: SourceStore) -> QueryCache:
    """The cache of answers of a run's headers, which depend on no options; the caller closes it."""
    facts = texts.facts or FileFacts()
    return QueryCache(
        DEFAULT_OPTIONS, facts, texts.read, _unresolved, texts.jobs, faults=texts.faults, are_asked_once=True
    )


def _unresolved(data: bytes, path: str, project: ProjectContext, _: Unit | None) -> Unit:
    """A header as a unit without resolved names; it is read again for each question."""
    catalog = load_catalog()
    return Unit(Source(data, path), lexer(catalog).scan(data), catalog, DEFAULT_OPTIONS, project)


_ASKS_SCOPES = lazy_pattern(
    rb"(?m)::\s*cu[A-Za-z]"
    rb"|\bnamespace\s+\w[\w:\s]*\{|\bcuda\s*::\s*[a-z]"
    rb"|\b(?:class|struct)\s+\w+[^;{}()=]*:[^:]"
    rb"|^[A-Za-z_][^;=\n]*::~?\w+\s*\("
    rb"|::\s*(?:coalesced_|tiled_part|thread_block|this_|labeled_|binary_part|Warp|Block|Device)",
)


def _asks_scopes(data: bytes) -> bool:
    """Whether what names mean in the scopes of headers may matter to a source."""
    return _ASKS_SCOPES.search(data) is not None


_OPENS_STD = lazy_pattern(rb"^[ \t]*using\s+namespace\s+std\s*;", re.M)


def _opens_std(data: bytes) -> bool:
    return _OPENS_STD.search(data) is not None


def _with_open_std(
    contexts: ContextMap, sources: Sequence[str], around: Sequence[str], texts: SourceStore
) -> ContextMap:
    """The contexts, with the files that see a header that opens namespace `std`."""
    paths = list(dict.fromkeys([*sources, *around]))
    opening = [path for path in paths if is_header_name(path) and texts.fact(_opens_std, path)]
    if not opening:
        return contexts
    reach = graph_of(paths, texts).reach(opening)
    seeing = [path for path in sources if reach.sight(path).all - {path}]
    return contexts._replace(
        by_path={**contexts.by_path, **{path: contexts.of(path)._replace(opens_std=True) for path in seeing}}
    )


def _names_device_addresses(data: bytes) -> bool:
    return DEVICE_ADDRESS in data


def _with_device_addresses(
    contexts: ContextMap, sources: Sequence[str], around: Sequence[str], texts: SourceStore
) -> ContextMap:
    """The contexts, with what headers declare with `CUdeviceptr`, and where they take numbers.

    The files that use the type need them, or see a header that does.
    """
    paths = list(dict.fromkeys([*sources, *around]))
    naming = {path for path in paths if texts.fact(_names_device_addresses, path)}
    headers = [path for path in paths if is_header_name(path) and is_readable(texts.read(path))] if naming else []
    if not headers:
        return contexts
    reach = graph_of(paths, texts).reach(headers)
    sights = {path: reach.sight(path).all - {path} for path in sources}
    seen = {path: sight for path, sight in sights.items() if path in naming or not naming.isdisjoint(sight)}
    asked = sorted(frozenset().union(*seen.values()))
    with closing(header_query_cache(texts)) as answers:
        answers.prefetch(Query(declared_with_addresses, path, NO_PROJECT) for path in asked)
        declared = {path: answers.get(declared_with_addresses, path, NO_PROJECT) for path in asked}
    by_sight = {sight: merged(declared[path] for path in sorted(sight)) for sight in set(seen.values())}
    by_path = {path: contexts.of(path)._replace(addresses=by_sight[sight]) for path, sight in seen.items()}
    return contexts._replace(by_path={**contexts.by_path, **by_path})


_HIP = lazy_pattern(r"(?<![A-Za-z])(?:hip|HIP)(?![a-z])|(?<![A-Z])Hip(?![a-z])")
_CUDA_FOR = {"hip": "cuda", "HIP": "CUDA", "Hip": "Cuda"}


def _hip_ports(sources: Sequence[str]) -> list[str]:
    """The files, judging by their paths, that the project also has for CUDA.

    Examples: `hip/execution.h` beside `cuda/execution.h` (stdgpu), `settle_gpu_internal_hip.cpp` beside
    `settle_gpu_internal.cu` (GROMACS).
    """
    if len(sources) < 2:
        return []
    # `commonpath` rejects a mix of absolute and relative paths.
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


def _have_own_macros(paths: Sequence[str], texts: SourceStore) -> bool:
    """Whether one of some headers may define a macro with an API name."""
    if not paths:
        return False
    from hipify_py.project.header_scopes import may_have_own_macros

    return any(texts.fact(may_have_own_macros, path) for path in paths)


def build_contexts(
    common: ProjectContext,
    sources: Sequence[str],
    given: Sequence[str],
    options: Options,
    texts: SourceStore | None = None,
) -> ContextMap:
    """The contexts of `sources`: `common`, and the facts from the headers that each is compiled with.

    The headers that a file `given` by itself includes are taken into account, although they are not sources then.
    `texts` has files whose content does not come from the disk.
    """
    texts = texts or SourceStore()
    contexts = ContextMap(common)
    ports = {path: common._replace(is_hip_port=True) for path in _hip_ports(sources)}
    if ports:
        contexts = contexts._replace(by_path=ports)
    asks_warps = any(texts.fact(has_warps, path) for path in given)
    asks_scopes = asks_warps or any(texts.fact(_asks_scopes, path) for path in given)
    has_tree = len(sources) > len(given)
    if has_tree and texts.jobs > 1:
        from hipify_py.project.prefetch import prefetch_facts

        prefetch_facts(sources, texts)
    asks_classes = any(texts.fact(types_in_shared_memory, path) for path in sources)
    around = included(given, texts)
    asks_scopes = asks_scopes or _have_own_macros(around, texts)
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
                contexts = facts.with_facts(contexts)
    if has_tree or asks_warps:
        from hipify_py.project.warp_facts import with_warps

        contexts = with_warps(contexts, sources, around, options, texts, is_whole=has_tree)
    contexts = with_shared_textures(contexts, sources, around, texts)
    contexts = with_handle_kinds(contexts, sources, texts)
    contexts = _with_open_std(contexts, sources, around, texts)
    contexts = with_attribute_macros(contexts, sources, around, texts)
    contexts = _with_device_addresses(contexts, sources, around, texts)
    return with_runtime_includes(contexts, sources, around, texts) if options.implicit_runtime else contexts
