"""Which C++ sources of a run only HIP's compiler takes once they are converted.

The compiler of the host takes Thrust's headers in CUDA's version. Those of rocThrust, hipCUB and a few others of HIP's
want clang in its HIP mode, so that a build has to be told that such a source is HIP.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from hipify_py.analysis.preprocessor.macros import OF_CUDA
from hipify_py.build_systems.facts import facts
from hipify_py.core.source import suffix_of
from hipify_py.frontend.conditions import Expression, condition, sections
from hipify_py.frontend.lexer import Lexer
from hipify_py.project.discovery import Discovery
from hipify_py.project.include_graph import IncludeGraph, Includes, Lines, include_lines, includes_from, includes_in
from hipify_py.project.texts import Texts

_CPP_SOURCES = frozenset({".cc", ".cpp", ".cxx", ".c++"})
_COMPILERS = OF_CUDA | {b"__HIPCC__", b"__HIP__"}
"""Macros that the compiler of the host does not define."""


def hip_only_sources(found: Discovery, texts: Texts) -> frozenset[str]:
    """The paths of the C++ sources that include such headers, themselves or through headers of the project."""
    sources = [entry.path for entry in found.sources if suffix_of(entry.path) in _CPP_SOURCES]
    every = {entry.path: includes_in(entry.path, texts) for entry in found.sources} if sources else {}
    if not _including_them(sources, every, texts):
        return frozenset()  # then none does where the host's compiler reads less of them, either
    seen = {path: includes_from(texts.find(host_include_lines, path)) for path in every}
    return _including_them(sources, seen, texts)


def _including_them(sources: Iterable[str], includes: Mapping[str, Includes], texts: Texts) -> frozenset[str]:
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
