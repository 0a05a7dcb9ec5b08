"""Texture references that are declared in one file and used in another: both files need one decision about them."""

from __future__ import annotations

from collections.abc import Sequence

from hipify_py.core.patterns import lazy_pattern
from hipify_py.project.contexts import ContextMap
from hipify_py.project.include_graph import graph_of
from hipify_py.project.source_store import SourceStore

_DECLARED = lazy_pattern(rb"\btexture\s*<[^;{}()]*>\s*(\w+)\s*[;,]")
_USES = lazy_pattern(
    rb"\bcuda(?:Unb|B)indTexture|\bcudaGetTexture|\btex\dD|\.\s*(?:filterMode|addressMode|normalized|channelDesc)\b"
)
_WORD = lazy_pattern(rb"\w+")


def with_shared_textures(
    contexts: ContextMap, sources: Sequence[str], around: Sequence[str], texts: SourceStore
) -> ContextMap:
    """The contexts, with the texture references of each file that others of the project use as well.

    A file is one of the others if it sees the declaration by its includes: old programs include one `.cu` in another
    (Rodinia).
    """
    declared = {path: names for path in sources if (names := texts.fact(_declared, path))}
    if not declared:
        return contexts
    paths = list(dict.fromkeys([*sources, *around]))
    reach = graph_of(paths, texts).reach(declared)
    shared: dict[str, set[bytes]] = {}
    for path in paths:
        seen = reach.sight(path).all - {path}
        words = set(texts.fact(_words_of_user, path)) if seen else set()
        for other in seen if words else ():
            shared.setdefault(other, set()).update(words.intersection(declared[other]))
    by_path = dict(contexts.by_path)
    for path, used in shared.items():
        if used:
            by_path[path] = contexts.of(path)._replace(shared_textures=frozenset(used))
    return contexts._replace(by_path=by_path)


def _declared(data: bytes) -> list[bytes]:
    """The names of texture references that a content may declare."""
    return _DECLARED.findall(data) if b"texture" in data else []


def _words_of_user(data: bytes) -> list[bytes]:
    """The words of a content that uses textures; none of any other."""
    return sorted(set(_WORD.findall(data))) if _USES.search(data) is not None else []
