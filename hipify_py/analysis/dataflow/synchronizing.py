"""The functions and macros of a unit that may synchronize with other threads or wait for them, judged by their words.

Most sources have none that wait. This module finds out without the modules that lower functions.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from hipify_py.core.patterns import lazy_pattern
from hipify_py.frontend.unit import Unit
from hipify_py.frontend.words import ASSEMBLY_KEYWORDS
from hipify_py.frontend.words import words as words_of
from hipify_py.semantics.expressions import operator_of, subexpressions, text_of
from hipify_py.semantics.functions import Function, functions_of
from hipify_py.semantics.macros import Macro, macros_of

if TYPE_CHECKING:
    from tree_sitter import Node

_SYNCHRONIZES = lazy_pattern(
    rb"atomic.*|volatile|.*__ldc[gv]|load|store|wait|__sync_.*"
    rb"|.*(?:acquire|release|test_and_set|exchange|[bB]arrier|__threadfence|[pP]ipeline).*"
)
"""Words of which every function has one that reads memory which other threads write, or writes such memory."""
_SYNCHRONIZING_PTX = lazy_pattern(rb"\b(?:ld|st|red|atom)\.|acquire|release|barrier")
_WAITS = lazy_pattern(rb"\bbra\b|[.>]\s*(?:wait|arrive_and_wait|wait_parity|consumer_wait|producer_acquire)\s*\(")
"""Matches in every function that waits other than in a loop or a callee."""
_ONCE = lazy_pattern(rb"while\s*\(\s*(?:0|false)\s*\)")
"""The end of `do { … } while (0)`."""
_COUNTED = lazy_pattern(
    rb"for\s*\([^;{}]{0,300};[^;{}]{0,300}?\b(\w{1,100})\b[^;{}]{0,300};\s*(?:(?:\+\+|--)\s*\1\b|\1\s*(?:\+\+|--|[-+*/|&^%]=|<<=|>>=))"
)
"""A loop that advances a variable of its condition: most loops of a source, found without its tree."""
_LOOP = lazy_pattern(rb"\b(?:while|do|for)\b")
_POLLS = lazy_pattern(
    rb"volatile|load|test|__ldc[gv]|\b(?:ld|st|red|atom)[._]|acquire|exchange|try_|fetch|fence|__sync_|wait"
)
"""Matches in all code that reads memory anew by other means than `_ATOMIC`."""
_ATOMIC = lazy_pattern(rb"([;{}]\s*)?\b(?:__hip_)?atomic")
"""An atomic operation; nothing waits for one that is a statement of its own, which has the group."""
_ASSIGNS = lazy_pattern(rb"(?<![=!<>\[])=(?!=)|<<=|>>=|\+\+|--")


def may_have_waits(unit: Unit) -> bool:
    """Whether any function may wait; False only where every loop ends by itself, and no wait is called by name."""
    lexemes = unit.lexemes
    return (
        not lexemes.words.isdisjoint(unit.project.waiting_functions)
        or any(_ONCE.match(lexemes.data, place) is None for place in lexemes.places(b"while"))
        or any(_COUNTED.match(lexemes.data, place) is None for place in lexemes.places(b"for"))
        or _WAITS.search(lexemes.data) is not None
    )


def synchronizing(unit: Unit, names: Collection[bytes]) -> dict[int, Function | Macro]:
    """The functions and macros, by start offset, that synchronize with other threads, and those that use them.

    Args:
        unit: the unit.
        names: further names whose users are among them.
    """
    data, words = unit.source.data, unit.lexemes.words
    found = _around(unit, filter(_SYNCHRONIZES.fullmatch, words))
    for place, one in _around(unit, words & ASSEMBLY_KEYWORDS).items():
        if _SYNCHRONIZING_PTX.search(data, place, one.end):
            found[place] = one
    return _with_users(unit, found, names)


def may_wait(
    unit: Unit, synchronizing: Mapping[int, Function | Macro], names: Collection[bytes]
) -> dict[int, Function | Macro]:
    """Those of some functions and macros, by start offset, that may wait for other threads by themselves.

    Args:
        unit: the unit.
        synchronizing: the functions and macros that synchronize with other threads.
        names: the names of variables and of other files' functions that read memory anew.
    """
    nodes = unit.tree.nodes("do_statement", "for_statement", "while_statement")
    loops = [node for node in nodes if node.type != "for_statement" or not _is_counted(node)]
    starts = [loop.start_byte for loop in loops]

    def loops_of(one: Function | Macro) -> list[Node]:
        return loops[bisect_left(starts, one.start) : bisect_left(starts, one.end)]

    code = unit.lexemes.code
    polls = {place: one for place, one in synchronizing.items() if _polls(code(one.start, one.end))}
    polling = {one.name for one in _with_users(unit, polls, names).values()}.union(names)
    return {place: one for place, one in synchronizing.items() if _may_wait(unit, one, loops_of(one), polling)}


def users_of(unit: Unit, names: Iterable[bytes]) -> dict[int, Function | Macro]:
    """The functions and macros, by start offset, that use one of some names in their bodies."""
    return _around(unit, names, in_heads=False)


def _around(unit: Unit, names: Iterable[bytes], *, in_heads: bool = True) -> dict[int, Function | Macro]:
    """The functions and macros, by start offset, around the places of some names."""
    lexemes, functions, macros = unit.lexemes, functions_of(unit), macros_of(unit)
    found: dict[int, Function | Macro] = {}
    for name in lexemes.words.intersection(names):
        for place in lexemes.places(name):
            around = macros.around(place) or functions.at(place)
            if around is not None and (around.start < place or in_heads):
                found[around.start] = around
    return found


def _with_users(
    unit: Unit, start: Mapping[int, Function | Macro], names: Iterable[bytes]
) -> dict[int, Function | Macro]:
    """Functions and macros, by start offset, with those that use them or one of some other names."""
    found, visited = dict(start), set(names)
    pending = {one.name for one in found.values() if not _is_launched(one)} | visited
    while pending:
        visited |= pending
        fresh = {place: one for place, one in users_of(unit, pending).items() if place not in found}
        found |= fresh
        pending = {one.name for one in fresh.values() if not _is_launched(one)} - visited
    return found


def _may_wait(unit: Unit, one: Function | Macro, loops: Sequence[Node], polling: Collection[bytes]) -> bool:
    """Whether a function or macro may wait itself, judged by its words and those of its loops.

    Args:
        unit: the unit.
        one: the function or macro.
        loops: its loops that are not counted; a macro's are not known.
        polling: the names of what reads memory anew, which the words of a loop do not tell.
    """
    data = unit.source.data
    if _WAITS.search(data, one.start, one.end):
        return True
    if isinstance(one, Macro) or one.node is None or one.node.has_error:
        return any(_COUNTED.match(data, loop.start()) is None for loop in _LOOP.finditer(data, one.start, one.end))
    is_volatile = b"volatile" in data[one.head : one.end]
    return bool(loops) and (is_volatile or any(_may_poll(unit, loop, polling) for loop in loops))


def _may_poll(unit: Unit, loop: Node, polling: Collection[bytes]) -> bool:
    text = unit.lexemes.code(loop.start_byte, loop.end_byte)
    return _polls(text) or _ASSIGNS.search(text) is None or not set(words_of(text)).isdisjoint(polling)


def _polls(text: bytes) -> bool:
    """Whether some code may read memory anew by itself."""
    return _POLLS.search(text) is not None or any(match[1] is None for match in _ATOMIC.finditer(text))


def _is_counted(loop: Node) -> bool:
    """Whether a `for` advances a variable of its condition in each iteration, so that it terminates by itself."""
    update, condition = loop.child_by_field_name("update"), loop.child_by_field_name("condition")
    if update is None or condition is None:
        return False
    is_count = update.type == "assignment_expression" and operator_of(update) != "="
    counter = update.child_by_field_name("left" if is_count else "argument")
    return counter is not None and any(text_of(leaf) == text_of(counter) for leaf in subexpressions(condition))


def _is_launched(one: Function | Macro) -> bool:
    """Whether this is a kernel, which nothing on the device calls."""
    return isinstance(one, Function) and one.is_kernel
