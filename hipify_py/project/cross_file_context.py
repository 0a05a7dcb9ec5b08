"""The contexts of a run's files; nothing is searched for that none of the files can contain."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from contextlib import closing
from typing import TYPE_CHECKING

from hipify_py.core.options import Options
from hipify_py.core.patterns import lazy_pattern
from hipify_py.core.project_context import ProjectContext
from hipify_py.core.source import is_header_name
from hipify_py.project.attribute_macros import with_attribute_macros
from hipify_py.project.contexts import ContextMap
from hipify_py.project.handle_kinds import with_handle_kinds
from hipify_py.project.include_graph import graph_of
from hipify_py.project.runtime_headers import with_runtime_includes
from hipify_py.project.shared_textures import with_shared_textures
from hipify_py.project.shared_types import types_in_shared_memory
from hipify_py.project.sibling_headers import included
from hipify_py.project.source_store import SourceStore
from hipify_py.project.warp_hints import has_warps

if TYPE_CHECKING:
    from hipify_py.project.constructed_classes import ConstructedClasses
    from hipify_py.project.header_scopes import OwnScopes


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
    return b"CUdeviceptr" in data


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
        from hipify_py.project.header_queries import header_query_cache

        with closing(header_query_cache(texts)) as answers:
            by_headers: list[OwnScopes | ConstructedClasses] = []
            if has_scopes:
                from hipify_py.project.header_scopes import OwnScopes

                by_headers.append(OwnScopes(sources, around if asks_scopes else [], texts, answers))
            if asks_classes:
                from hipify_py.project.constructed_classes import ConstructedClasses

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
    naming = {path for path in dict.fromkeys([*sources, *around]) if texts.fact(_names_device_addresses, path)}
    if naming:
        from hipify_py.project.device_addresses import with_device_addresses

        contexts = with_device_addresses(contexts, sources, around, naming, texts)
    return with_runtime_includes(contexts, sources, around, texts) if options.implicit_runtime else contexts
