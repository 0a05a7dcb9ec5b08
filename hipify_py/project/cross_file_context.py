"""What each file of a run is told of the others; nothing is looked for that none of them can have."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from contextlib import closing
from typing import TYPE_CHECKING

from hipify_py.core.options import Options
from hipify_py.core.project_context import ProjectContext
from hipify_py.core.source import is_header_name
from hipify_py.project.contexts import ProjectContexts
from hipify_py.project.shared_types import types_in_shared_memory
from hipify_py.project.sibling_headers import included
from hipify_py.project.texts import Texts
from hipify_py.project.warp_hints import has_warps

if TYPE_CHECKING:
    from hipify_py.project.constructed_classes import ConstructedClasses
    from hipify_py.project.header_scopes import OwnScopes

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


def contexts_of(
    common: ProjectContext,
    sources: Sequence[str],
    given: Sequence[str],
    options: Options,
    texts: Texts | None = None,
) -> ProjectContexts:
    """The contexts of `sources`: `common`, and what the headers that each is compiled with say.

    A file that is `given` by itself is converted with the headers that it includes in mind, which are no sources then.
    `texts` has files that are to be read otherwise than from the disk.
    """
    texts = texts or Texts()
    contexts = ProjectContexts(common)
    ports = {path: common._replace(is_hip_port=True) for path in _hip_ports(sources)}
    if ports:
        contexts = contexts._replace(by_path=ports)
    asks_warps = any(has_warps(texts.of(path)) for path in given)
    asks_scopes = asks_warps or any(_ASKS_SCOPES.search(texts.of(path)) for path in given)
    has_tree = len(sources) > len(given)
    if has_tree and texts.jobs > 1:
        from hipify_py.project.first_look import look_through

        look_through(sources, texts)
    asks_classes = any(texts.find(types_in_shared_memory, path) for path in sources)
    around = included(given, texts) if has_tree or asks_warps or asks_scopes or asks_classes else []
    has_scopes = asks_scopes or any(is_header_name(path) for path in sources)
    if has_scopes or asks_classes:
        from hipify_py.project.header_queries import header_answers

        with closing(header_answers(texts)) as answers:
            by_headers: list[OwnScopes | ConstructedClasses] = []
            if has_scopes:
                from hipify_py.project.header_scopes import OwnScopes

                by_headers.append(OwnScopes(sources, around if asks_scopes else [], texts, answers))
            if asks_classes:
                from hipify_py.project.constructed_classes import ConstructedClasses

                by_headers.append(ConstructedClasses(sources, around, texts, answers))
            for facts in by_headers:
                contexts = facts.told(contexts)
    if has_tree or asks_warps:
        from hipify_py.project.warp_facts import with_warps

        contexts = with_warps(contexts, sources, around, options, texts, is_whole=has_tree)
    return contexts
