"""Tells the files of a project which classes of the headers that they include have a constructor that does something.

Asked are the headers that define a class by the name of a type of `__shared__` memory alone.
"""

from __future__ import annotations

from collections.abc import Sequence

from hipify_py.options import DEFAULT_OPTIONS
from hipify_py.patterns import lazy
from hipify_py.project.answers import Answers
from hipify_py.project.contexts import ProjectContexts
from hipify_py.project.file_facts import FileFacts
from hipify_py.project.own_scopes import unresolved
from hipify_py.project.shared_types import types_in_shared_memory
from hipify_py.project.texts import Texts
from hipify_py.project_context import NO_PROJECT
from hipify_py.source import is_header_name, is_readable
from hipify_py.unit import Unit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_CLASS = lazy(rb"\b(?:class|struct|union)\b[^;{}()<>=]*?(\w+)\s*(?:final\s*)?(?::[^:;{}()][^;{}()]*)?\{")
_ALIAS = lazy(rb"\busing\s+(\w+)\s*=|\btypedef\b[^;{}()]*?(\w+)\s*;")


def with_constructed(
    contexts: ProjectContexts, sources: Sequence[str], around: Sequence[str], texts: Texts
) -> ProjectContexts:
    """The contexts, with the classes of the headers that are constructed, where files have them in shared memory.

    Args:
        contexts: what is known so far.
        sources: the files of the run.
        around: headers that its files include and that are no files of it; they are looked at as well.
        texts: their bytes.
    """
    asking = {path: found for path in sources if (found := texts.find(types_in_shared_memory, path))}
    wanted = {name for names in asking.values() for name in names}
    headers = [path for path in dict.fromkeys([*sources, *around]) if is_header_name(path)]
    marked = dict(_marked(headers, wanted, texts))
    if not marked:
        return contexts
    from hipify_py.project.include_graph import IncludeGraph, includes_in

    paths = list(dict.fromkeys([*sources, *around]))
    reach = IncludeGraph({path: includes_in(path, texts) for path in paths}, texts.commands).reach(marked.keys())
    by_path = dict(contexts.by_path)
    for path, names in asking.items():
        seen = frozenset[bytes]().union(*(marked[header] for header in reach.sight(path).all if header != path))
        if not seen.isdisjoint(names):
            by_path[path] = contexts.of(path)._replace(constructed=seen & frozenset(names))
    return contexts._replace(by_path=by_path)


def _marked(headers: Sequence[str], wanted: set[bytes], texts: Texts) -> Iterator[tuple[str, frozenset[bytes]]]:
    """The headers with classes of the names that are constructed."""
    answers = Answers(DEFAULT_OPTIONS, texts.facts or FileFacts(), texts.of, unresolved, are_asked_once=True)
    for path in headers if wanted else ():
        if wanted.isdisjoint(texts.find(_classes, path)) or not is_readable(texts.of(path)):
            continue
        found = wanted.intersection(answers.ask(_constructed, path, NO_PROJECT))
        if found:
            yield path, frozenset(found)


def _classes(data: bytes) -> list[bytes]:
    """The names of classes and aliases that a content may define."""
    found = {match[1] for match in _CLASS.finditer(data)}
    return sorted(found | {match[1] or match[2] for match in _ALIAS.finditer(data)})


def _constructed(unit: Unit) -> list[bytes]:
    from hipify_py.semantics.constructors import constructors_of

    return sorted(set(constructors_of(unit).types()))
