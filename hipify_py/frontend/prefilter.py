"""Decides in one pass over the bytes whether a file can have anything CUDA in it."""

from __future__ import annotations

import re
from functools import cache

from hipify_py.catalog import load_catalog
from hipify_py.core.options import Options
from hipify_py.core.patterns import lazy_pattern
from hipify_py.core.project_context import ProjectContext, renamed_endings
from hipify_py.frontend.prefilter_table import NAME_PREFIXES
from hipify_py.support_header import HEADER


def may_need_translation(data: bytes, options: Options, project: ProjectContext) -> bool:
    """False only for a file that a translation leaves unchanged.

    Raises:
        TableError: one of the user's own tables cannot be loaded.
    """
    return (
        may_have_cuda(data)
        or project.chooses_warps
        or HEADER.encode() in data
        or may_include_renamed(data, project)
        or any(name.alias in data for name in project.namespace_names)
        or (bool(options.targeting.tables) and _may_have_further(data, options))
    )


def _may_have_further(data: bytes, options: Options) -> bool:
    """Whether the file may have a name of the user's own tables, which may look like anything."""
    pattern = load_catalog(options.targeting).further
    return pattern is not None and pattern.search(data) is not None


def may_include_renamed(data: bytes, project: ProjectContext) -> bool:
    """Whether a file may include one of the renamed ones, which a plain C++ file can do as well."""
    return any(ending.encode() + quote in data for ending in renamed_endings(project) for quote in (b'"', b">"))


def may_have_cuda(data: bytes) -> bool:
    """False only for a file to which no mapping table can apply."""
    is_marked = any(mark in data for mark in _MARKS) and _MARKED.search(data) is not None
    return is_marked or _cuda().search(data) is not None


_MARKS = (b"__global__", b"__device__", b"<<<")
_MARKED = lazy_pattern(rb"<<<|\b__(?:global__\b|device__)")
"""Part of what the whole pattern matches, which takes longer to compile than most sources to translate."""


@cache
def _cuda() -> re.Pattern[bytes]:
    """Every launch, every CUDA keyword, and the prefixes of the tables' names; most runs over CUDA files need none."""
    return re.compile((r"<<[ \t]*<|\b" + NAME_PREFIXES).encode())
