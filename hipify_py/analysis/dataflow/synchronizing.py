"""The functions and macros of a unit that may synchronize with other threads or wait for them, judged by their words.

Most sources have none that wait. This module finds out without the modules that lower functions.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from hipify_py.core.patterns import lazy_pattern
from hipify_py.frontend.unit import Unit
from hipify_py.semantics.expressions import operator_of, subexpressions, text_of
from hipify_py.semantics.functions import Function, functions_of
from hipify_py.semantics.macros import Macro, macros_of

if TYPE_CHECKING:
    from tree_sitter import Node

_SYNCHRONIZES = lazy_pattern(
    rb"\batomic|\bvolatile\b|__ldc[gv]\b|\b(?:ld|st|red|atom)\.|acquire|release|test_and_set|exchange|[bB]arrier"
    rb"|\bload\b|\bstore\b|__threadfence|[pP]ipeline|\b__sync_|\bwait\b"
)
"""Matches in every function that reads memory which other threads write, or writes such memory."""
_MAY_WAIT = lazy_pattern(
    rb"\b(?:while|do|bra)\b|[.>]\s*(?:wait|arrive_and_wait|wait_parity|consumer_wait|producer_acquire)\s*\("
)
"""Matches in those of them that wait for it, except for `for` loops and for waits in callees."""
_FOR = lazy_pattern(rb"\bfor\b")


def has_waits(unit: Unit) -> bool:
    """Whether `Summaries.collect_waiting` may find anything in a unit."""
    if unit.project.waiting_functions or b"volatile" in unit.lexemes.words:
        return True
    return bool(may_wait(unit, synchronizing(unit, ())))


def synchronizing(unit: Unit, names: Iterable[bytes]) -> dict[int, Function | Macro]:
    """The functions and macros, by start offset, that synchronize with other threads, and those that use them.

    Args:
        unit: the unit.
        names: further names whose users are among them.
    """
    data = unit.source.data
    result: dict[int, Function | Macro] = {
        one.start: one for one in functions_of(unit) if _SYNCHRONIZES.search(data, one.head, one.end)
    }
    result |= {one.start: one for one in macros_of(unit).all() if _SYNCHRONIZES.search(data, one.start, one.end)}
    visited = set(names)
    pending = {one.name for one in result.values() if not _is_launched(one)} | visited
    while pending:
        visited |= pending
        fresh = {place: one for place, one in users_of(unit, pending).items() if place not in result}
        result |= fresh
        pending = {one.name for one in fresh.values() if not _is_launched(one)} - visited
    return result


def may_wait(unit: Unit, synchronizing: Mapping[int, Function | Macro]) -> dict[int, Function | Macro]:
    """Those of some functions and macros, by start offset, that may wait for other threads by themselves."""
    data = unit.source.data
    loops = [node.start_byte for node in unit.tree.nodes("for_statement") if not _is_counted(node)]
    return {
        place: one
        for place, one in synchronizing.items()
        if _MAY_WAIT.search(data, place, one.end)
        or bisect_left(loops, place) < bisect_left(loops, one.end)
        or (isinstance(one, Macro) and _FOR.search(data, place, one.end))
    }


def users_of(unit: Unit, names: Iterable[bytes]) -> dict[int, Function | Macro]:
    """The functions and macros, by start offset, that use one of some names."""
    lexemes, functions, macros = unit.lexemes, functions_of(unit), macros_of(unit)
    result: dict[int, Function | Macro] = {}
    for name in lexemes.words.intersection(names):
        for place in lexemes.places(name):
            around = macros.around(place) or functions.at(place)
            if around is not None and around.start < place:
                result[around.start] = around
    return result


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
