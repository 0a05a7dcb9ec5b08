"""Handles of textures that a file declares as surfaces, or the reverse: in CUDA both are the same number."""

from __future__ import annotations

from collections.abc import Sequence

from hipify_py.core.patterns import lazy_pattern
from hipify_py.project.contexts import ContextMap
from hipify_py.project.source_store import SourceStore

_MAKING = lazy_pattern(rb"\bcuda(?:Create|Destroy)(Texture|Surface)Object\s*\(\s*&?([^,();]*)[,)]")
_NAME = lazy_pattern(rb"(\w+)\s*(?:\[[^\]]*\]\s*)*\Z")
_ACCESS = lazy_pattern(rb"\bsurf(?:[123]D|Cubemap)\w*\s*(?:<[^<>;]*>)?\s*\(([^;]*);")
_DECLARED = lazy_pattern(rb"\bcuda(Texture|Surface)Object_t\s+(\w+)\s*(?:\[[^\]]*\]\s*)*(?:\{[^{}]*\}|=[^;,]*)?;")
_WORD = lazy_pattern(rb"[A-Za-z_]\w*")
_SURFACE = b"Surface"

_Kinds = list[tuple[bytes, bytes]]


def with_handle_kinds(contexts: ContextMap, sources: Sequence[str], texts: SourceStore) -> ContextMap:
    """The contexts, with the names of handles in each file that the program makes as the other kind only.

    A member that holds textures is declared in a header, and other files make them (popsift).
    """
    declared = {path: kinds for path in sources if (kinds := texts.fact(_declared, path))}
    if not declared:
        return contexts
    made = {(name, kind) for path in sources for kind, name in texts.fact(_made, path)}
    by_path = dict(contexts.by_path)
    for path, kinds in declared.items():
        names = {name for kind, name in kinds if (name, kind) not in made and (name, _other(kind)) in made}
        if names:
            by_path[path] = contexts.of(path)._replace(other_handles=frozenset(names))
    return contexts._replace(by_path=by_path)


def _other(kind: bytes) -> bytes:
    return b"Texture" if kind == _SURFACE else _SURFACE


def _declared(data: bytes) -> _Kinds:
    """The kinds and names of the handles that a content declares."""
    return _DECLARED.findall(data) if b"Object_t" in data else []


def _made(data: bytes) -> _Kinds:
    """The kinds as which a content makes, destroys and accesses handles, with their names."""
    found = [(match[1], name[1]) for match in _MAKING.finditer(data) if (name := _NAME.search(match[2])) is not None]
    found += [(_SURFACE, word) for match in _ACCESS.finditer(data) for word in _WORD.findall(match[1])]
    return sorted(set(found))
