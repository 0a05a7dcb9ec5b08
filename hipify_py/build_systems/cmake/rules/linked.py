"""Variables that hold libraries: what `target_link_libraries(… ${LIBRARIES})` links, through other variables too."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from hipify_py.build_systems.cmake.lexer import Command
from hipify_py.build_systems.cmake.rules.variables import references, sets

LINKING = frozenset({"target_link_libraries", "link_libraries", "cuda_link_libraries"})
_ENDS = frozenset({"CACHE", "PARENT_SCOPE"})
_LOOP_WORDS = frozenset({"IN", "LISTS", "ITEMS"})
_BETWEEN = frozenset({"", " ", ";", ":", ">", ","})
"""What may be next to an element of a list: nothing, a separator, or the edge of an expression."""
_SCOPE = "::"
"""Separates the names that make up the name of a target (`CUDA::${name}`)."""


class Flows(NamedTuple):
    """Where the values of variables go in one list file.

    Attributes:
        linked: the variables that its commands link.
        sought: the variables whose values are names that it looks for.
        pairs: a variable, and one that its value goes into.
    """

    linked: frozenset[str]
    sought: frozenset[str]
    pairs: frozenset[tuple[str, str]]


def flows_of(commands: Iterable[Command]) -> Flows:
    """Read off which variables are linked, and which are parts of others."""
    linked: set[str] = set()
    sought: set[str] = set()
    pairs: set[tuple[str, str]] = set()
    for command in commands:
        if command.name in LINKING:
            values = command.words[first_linked(command) :]
            linked.update(name for text in values for name in _named(text))
        elif command.name.startswith("find_"):
            sought.update(name for text in command.words for name in _named(text))
        target = filled(command)
        if target:
            pairs.update((name, target) for name in _sources(command))
    return Flows(frozenset(linked), frozenset(sought), frozenset(pairs))


def linked_variables(flows: Iterable[Flows]) -> frozenset[str]:
    """The variables of a project whose values are linked, directly or through other variables."""
    flows = list(flows)
    begun = frozenset[str]().union(*(one.linked for one in flows))
    found = reached(begun, ((target, source) for one in flows for source, target in one.pairs))
    return found.difference(*(one.sought for one in flows))


def reached(begun: Iterable[str], pairs: Iterable[tuple[str, str]]) -> frozenset[str]:
    """The names that `begun` leads to along pairs of names, with `begun` itself."""
    found = set(begun)
    following: dict[str, set[str]] = {}
    for first, second in pairs:
        following.setdefault(first, set()).add(second)
    waiting = list(found)
    while waiting:
        for name in following.get(waiting.pop(), set()) - found:
            found.add(name)
            waiting.append(name)
    return frozenset(found)


def first_linked(command: Command) -> int:
    """Which argument of a linking command is the first library."""
    return 0 if command.name == "link_libraries" else 1


def filled(command: Command) -> str:
    """The variable that a command gives a value; empty for others."""
    if command.name == "foreach":
        return command.words[0] if command.words else ""
    return sets(command) if command.name in {"set", "list"} else ""


def held(command: Command) -> range:
    """The arguments of a command that are the value of its variable."""
    words = command.words
    first = 2 if command.name == "list" else 1
    last = next((index for index in range(first, len(words)) if words[index] in _ENDS), len(words))
    return range(first, last if command.name == "set" else len(words))


def _sources(command: Command) -> Iterator[str]:
    """The variables whose values a command uses."""
    lists = False
    for index in held(command):
        text = command.arguments[index].text
        if command.name == "foreach" and text in _LOOP_WORDS:
            lists = text == "LISTS"
        elif lists:
            yield text
        else:
            yield from _named(text)


def _named(text: str) -> Iterator[str]:
    """The variables that are whole elements of a list; one that is only part of an element does not count."""
    for start, end, name, kind in references(text):
        first, last = start - 2, end + 1  # of the reference, where it has no kind
        if text.endswith(_SCOPE, 0, first) or text.startswith(_SCOPE, last):
            continue
        if not kind and text[max(first - 1, 0) : first] in _BETWEEN and text[last : last + 1] in _BETWEEN:
            yield name
