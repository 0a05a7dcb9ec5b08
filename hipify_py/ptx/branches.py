"""Structures the labels and branches of a template into loops and conditions, where that is possible."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from hipify_py.ptx.operands import Atom
from hipify_py.ptx.statement import Unreadable

_MOST = 64  # labels and branches of one template


class Label(NamedTuple):
    """A branch target."""

    name: str


class Jump(NamedTuple):
    """A branch to a label, under a predicate or none; `inverted` for `@!p`."""

    target: str
    guard: Atom | None
    inverted: bool


class Loop(NamedTuple):
    """A body that is repeated: while the predicate holds, or until a break in it."""

    body: tuple[Step, ...]
    guard: Atom | None
    inverted: bool


class If(NamedTuple):
    """A body that is skipped where the predicate holds (with `inverted`, where it does not)."""

    body: tuple[Step, ...]
    guard: Atom
    inverted: bool


class Break(NamedTuple):
    """The end of the loop around it, under a predicate or none."""

    guard: Atom | None
    inverted: bool


Step = int | Loop | If | Break
"""A number is that of an instruction."""


def structure_steps(items: Sequence[int | Label | Jump]) -> tuple[Step, ...]:
    """The steps of a sequence of instructions, labels and branches.

    Raises:
        Unreadable: a branch is not the end of a loop, not an exit of one, and not forward over what follows it.
    """
    if sum(not isinstance(item, int) for item in items) > _MOST:
        raise Unreadable("it has too many branches")
    labels = [item.name for item in items if isinstance(item, Label)]
    if len(set(labels)) != len(labels):
        raise Unreadable("a label is defined twice")
    return _steps(items, frozenset())


def _steps(items: Sequence[int | Label | Jump], ends: frozenset[str]) -> tuple[Step, ...]:
    """The steps of a part; `ends` are the labels after the loop around it."""
    steps: list[Step] = []
    at = 0
    while at < len(items):
        item = items[at]
        if isinstance(item, Label):
            back = max((n for n in range(at + 1, len(items)) if _goes_to(items[n], item.name)), default=0)
            if back:
                steps.append(_loop(items, at, back))
                at = back
        elif isinstance(item, Jump) and item.target in ends:
            steps.append(Break(item.guard, item.inverted))
        elif isinstance(item, Jump):
            target = next((n for n in range(at + 1, len(items)) if items[n] == Label(item.target)), 0)
            if not target or item.guard is None:
                raise Unreadable("a branch forms neither a loop nor a condition")
            steps.append(If(_steps(items[at + 1 : target], ends), item.guard, item.inverted))
            at = target - 1
        else:
            steps.append(item)
        at += 1
    return tuple(steps)


def _loop(items: Sequence[int | Label | Jump], start: int, end: int) -> Loop:
    closing = items[end]
    assert isinstance(closing, Jump)
    labels_after: list[str] = []
    for item in items[end + 1 :]:
        if not isinstance(item, Label):
            break
        labels_after.append(item.name)
    body = _steps(items[start + 1 : end], frozenset(labels_after))
    if not body:
        raise Unreadable("a loop is empty")
    return Loop(body, closing.guard, closing.inverted)


def _goes_to(item: int | Label | Jump, name: str) -> bool:
    return isinstance(item, Jump) and item.target == name
