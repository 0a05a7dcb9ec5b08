"""Looks up the facts that a run will need about the contents of many files, with all processes at once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from hipify_py.catalog import load_catalog
from hipify_py.core.source import CUDA_SUFFIXES, is_header_name, suffix_of
from hipify_py.frontend.conditions import may_have_amd_branches
from hipify_py.project.header_scopes import may_have_scope_facts
from hipify_py.project.include_graph import include_lines, sure_include_lines
from hipify_py.project.runtime_headers import runtime_steps
from hipify_py.project.shared_types import types_in_shared_memory
from hipify_py.project.sibling_headers import named
from hipify_py.project.source_store import SourceStore
from hipify_py.project.warp_hints import warp_hints

if TYPE_CHECKING:
    from hipify_py.project.prefetch_pool import Search


def prefetch_facts(sources: Iterable[str], texts: SourceStore) -> None:
    """Look up the facts about a run's files that planning and the final steps will need."""
    load_catalog()  # for all processes
    texts.expect((path, _asked(path)) for path in sources)


def _asked(path: str) -> Sequence[Search]:
    of_scopes = (may_have_scope_facts,) if is_header_name(path) else ()
    of_runtime = (runtime_steps,) if suffix_of(path) in CUDA_SUFFIXES else ()
    of_programs = (include_lines, sure_include_lines, named, types_in_shared_memory, may_have_amd_branches)
    return list(dict.fromkeys([warp_hints, *of_scopes, *of_runtime, *of_programs]))
