"""Kernels in which HIP would check more than one mask."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from hipify_py.analysis.warp.context import WarpContext
from hipify_py.analysis.warp.warp_calls import WarpCall
from hipify_py.semantics.control_flow import control_flow_of
from hipify_py.semantics.expressions import operator_of

_DEEPEST = 20
"""Functions that ask for each other, one within the other, whose checks are added up."""


def several_checks(context: WarpContext, checked: Iterable[WarpCall]) -> frozenset[bytes]:
    """The functions and macros of which more than one checked built-in, their helpers' included, gets into a kernel.

    Clang's back end for gfx11 stops at a second trap in a kernel (seen in release 22), and each check is one. A mask
    that names every lane that takes part says nothing besides, so that the form without one does the same.
    """
    own: Counter[bytes] = Counter()
    for call in checked:
        name = context.owner(call)
        if name is not None:
            own[name] += 2 if _is_unrolled(context, call) else 1
    asks: dict[bytes, list[bytes]] = {}
    for name in context.callers.names:
        for _, function in context.callers.of(name):
            asks.setdefault(function.name, []).append(name)
    totals: dict[bytes, int] = {}
    for name in own.keys() | asks.keys():
        _add_up(name, own, asks, totals, 0)
    found = {name for name, total in totals.items() if total > 1}
    pending = list(found)
    while pending:
        more = {helper for helper in asks.get(pending.pop(), ()) if helper not in found}
        found |= more
        pending += more
    return frozenset(found)


def _is_unrolled(context: WarpContext, call: WarpCall) -> bool:
    """A loop that counts up one by one stands around the built-in; compilers write short ones out."""
    if call.function is None:
        return False
    updates = (
        loop.node.child_by_field_name("update")
        for loop in control_flow_of(context.unit, call.function).loops_around(call.use.start)
    )
    return any(update is not None and operator_of(update) == "++" for update in updates)


def _add_up(
    name: bytes, own: Counter[bytes], asks: dict[bytes, list[bytes]], totals: dict[bytes, int], depth: int
) -> int:
    """The checks of a function and of the helpers that it asks, each as often as it asks them."""
    if name not in totals:
        totals[name] = own[name]  # met again on the way, it asks for itself
        if depth < _DEEPEST:
            totals[name] += sum(_add_up(helper, own, asks, totals, depth + 1) for helper in asks.get(name, ()))
    return totals[name]
