"""Tells the files of a project which classes of the headers that they include have a constructor that does something.

Asked are the headers that define a class by the name of a type of `__shared__` memory alone, where a file that has one
of that name there sees them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set

from hipify_py.patterns import lazy
from hipify_py.project.answering import Asking
from hipify_py.project.answers import Answers
from hipify_py.project.contexts import ProjectContexts
from hipify_py.project.include_graph import graph_of
from hipify_py.project.shared_types import types_in_shared_memory
from hipify_py.project.texts import Texts
from hipify_py.project_context import NO_PROJECT
from hipify_py.source import is_header_name, is_readable
from hipify_py.unit import Unit

_KEY = lazy(rb"\b(?:class|struct|union)\b")
_BASES = lazy(rb"(?<!:):(?!:)")
_WORD = lazy(rb"\w+")
# A word that only ends like this is taken along: a search that begins with letters is three times as fast.
_ALIAS = lazy(rb"using\s+(\w+)\s*=")
_TYPEDEF = lazy(rb"\btypedef\b")


def with_constructed(
    contexts: ProjectContexts, sources: Sequence[str], around: Sequence[str], texts: Texts, answers: Answers
) -> ProjectContexts:
    """The contexts, with the classes of the headers that are constructed, where files have them in shared memory.

    Args:
        contexts: what is known so far.
        sources: the files of the run.
        around: headers that its files include and that are no files of it; they are looked at as well.
        texts: their bytes.
        answers: of the headers (`header_answers`).
    """
    asking = {path: frozenset(found) for path in sources if (found := texts.find(types_in_shared_memory, path))}
    paths = list(dict.fromkeys([*sources, *around]))
    headers = [path for path in paths if is_header_name(path)]
    if not asking or not headers:
        return contexts
    reach = graph_of(paths, texts).reach(headers)
    seen = {path: [header for header in reach.sight(path).all if header != path] for path in asking}
    wanted: dict[str, set[bytes]] = {}
    for path, names in asking.items():
        for header in seen[path]:
            wanted.setdefault(header, set()).update(names)
    constructed = _constructed_in(wanted, texts, answers)
    by_path = dict(contexts.by_path)
    for path, names in asking.items():
        own = names.intersection(name for header in seen[path] for name in constructed.get(header, ()))
        if own:
            by_path[path] = contexts.of(path)._replace(constructed=own)
    return contexts._replace(by_path=by_path)


def _constructed_in(wanted: Mapping[str, set[bytes]], texts: Texts, answers: Answers) -> dict[str, list[bytes]]:
    """By header, its classes and aliases that are constructed; of those alone that may have one of the `wanted`."""
    asked = [path for path in sorted(wanted) if _may_have(path, wanted[path], texts) and is_readable(texts.of(path))]
    answers.expect(Asking(_constructed, path, NO_PROJECT) for path in asked)
    return {path: answers.ask(_constructed, path, NO_PROJECT) for path in asked}


def _may_have(header: str, names: Set[bytes], texts: Texts) -> bool:
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
    from hipify_py.semantics.constructors import constructors_of

    return sorted(set(constructors_of(unit).types()))
