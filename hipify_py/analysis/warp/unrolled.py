"""Reductions and scans over a warp that are written out, one shuffle for each distance."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from hipify_py.analysis.warp.context import WarpCall, WarpContext
from hipify_py.edits import Edit
from hipify_py.semantics.functions import Function

_DISTANCES = frozenset({1, 2, 4, 8, 16})
_NUMBER = re.compile(rb"(\d{1,3})[uU]?")
_PARAMETERS = re.compile(rb"\(([^()]*)\)")
_LIST = rb"\bfor\s*\([^;:{}()]*\b%s\s*:\s*\{\s*(?=[^{}]*\b16\b)(?![^{}]*\b32\b)[^{}]*\}\s*\)"
_ASSIGNMENT = re.compile(
    rb"[A-Za-z_][\w.\[\]]*\s*[-+*&|^]?=\s*(?:f?(?:max|min)f?\(\s*)?(?:[A-Za-z_][\w.\[\]]*\s*[-+*&|^,]\s*)?"
)
_REST = re.compile(rb"\s*\)?\s*(?=;)")
_USED = re.compile(rb"([A-Za-z_]\w*)\s*\([\w\s.,\[\]]*\)")
_SIMPLE = re.compile(rb"[A-Za-z_][\w.\[\]]*")
_LONGEST_LOOP = 1000
_LONGEST_STATEMENT = 300


class Step(NamedTuple):
    """A shuffle over a distance that is written as a number; `call` None where it is a macro's."""

    place: int
    owner: bytes
    distance: int
    call: WarpCall | None


class Chain(NamedTuple):
    """The steps over 16, 8, 4, 2 and 1 lanes in a function or macro called `owner`, and none over 32."""

    owner: bytes
    function: Function | None
    steps: tuple[Step, ...]

    @property
    def widest(self) -> Step:
        """The step over 16 lanes."""
        return next(step for step in self.steps if step.distance == 16)


def chains(context: WarpContext) -> list[Chain]:
    """The written-out reductions and scans of a source."""
    by_owner: dict[bytes, list[Step]] = {}
    for step in sorted(_steps(context), key=lambda step: step.place):
        by_owner.setdefault(step.owner, []).append(step)
    found = []
    for owner, steps in by_owner.items():
        distances = {step.distance for step in steps}
        if distances >= _DISTANCES and 32 not in distances:
            define = context.lexemes.define_around(steps[0].place)
            function = None if define is not None else context.functions.at(steps[0].place)
            found.append(Chain(owner, function, tuple(steps)))
    return found


def wider_steps(context: WarpContext, chain: Chain) -> list[Edit]:
    """What puts a step over 32 lanes, for wavefronts that have more, in front of those over 16; empty where a step is
    no plain statement, or is not the first."""
    if chain.steps[0].distance != 16:
        return []
    edits = []
    for step in chain.steps:
        if step.distance == 16:
            edit = _wider(context, step)
            if edit is None:
                return []
            edits.append(edit)
    return edits


def _wider(context: WarpContext, step: Step) -> Edit | None:
    """The same statement over 32 lanes, where a step is one by itself: `v += __shfl_down(v, 16);` or `STEP(v, 16);`."""
    data = context.data
    start = _statement_start(context, step.place)
    target = _ASSIGNMENT.fullmatch(data, start, step.place)
    if step.call is not None:
        call = step.call.call
        value = context.argument(step.call, step.call.first)
        if call is None or target is None or not step.call.name.startswith(("__shfl_down", "__shfl_xor")):
            return None
        if _SIMPLE.fullmatch(value) is None:
            return None
        end = call.closing + 1
        rest = _REST.match(data, end)
        if rest is None:
            return None
        end = rest.end()
        text = target[0] + step.call.name.removesuffix("_sync").encode() + b"(" + value + b", 32)" + rest[0]
    else:
        used = _USED.match(data, step.place)
        if used is None or (start != step.place and target is None) or not _is_one_statement(context, used[1]):
            return None
        end = used.end()
        text = data[start:end].replace(b"16", b"32")
    if text.count(b"32") != 1 or data[context.lexemes.after(end) : context.lexemes.after(end) + 1] != b";":
        return None
    indent = data[data.rfind(b"\n", 0, start) + 1 : start]
    stands_alone = context.lexemes.define_around(start) is None and not indent.strip()
    behind = context.unit.source.newline + indent if stands_alone else b" "
    return Edit(start, start, b"if (warpSize > 32) " + text + b";" + behind)


def _statement_start(context: WarpContext, place: int) -> int:
    """Where the statement around a place begins."""
    data, define, function = context.data, context.lexemes.define_around(place), context.functions.at(place)
    floor = max(place - _LONGEST_STATEMENT, 0)
    if define is not None:
        body = _PARAMETERS.match(data, define.end)
        floor = max(floor, define.end if body is None else body.end())
    elif function is not None:
        floor = max(floor, function.start)
    return context.lexemes.after(floor + max(data.rfind(mark, floor, place) - floor for mark in (b";", b"{", b"}")) + 1)


def _is_one_statement(context: WarpContext, macro: bytes) -> bool:
    """A macro that an `if` without braces can stand in front of."""
    bodies = [
        context.data[define.end : context.lexemes.body_end(define)]
        for define in context.lexemes.defines
        if define.text == macro
    ]
    return all(b";" not in body and b"{" not in body for body in bodies)


def _steps(context: WarpContext) -> Iterator[Step]:
    parameters: dict[bytes, int] = {}
    for call in context.calls:
        owner = context.owner(call)
        if not call.is_shuffle or call.name in ("__shfl", "__shfl_sync") or owner is None or call.has_width:
            continue
        offset = context.argument(call, call.first + 1)
        number = _NUMBER.fullmatch(offset)
        if number is not None:
            yield Step(call.use.start, owner, int(number[1]), call)
            continue
        define = context.lexemes.define_around(call.use.start)
        position = None if define is None else _position(context.data, define.end, offset.strip(b"() "))
        if define is not None and position is not None:
            parameters[define.text] = position
        elif define is None and call.function is not None:
            start = max(call.function.start, call.use.start - _LONGEST_LOOP)
            if re.search(_LIST % re.escape(offset), context.data[start : call.use.start]):
                yield from (Step(call.use.start, owner, distance, call) for distance in _DISTANCES)
    for name, position in parameters.items():
        yield from _macro_steps(context, name, position)


def _position(data: bytes, name_end: int, parameter: bytes) -> int | None:
    """Which of a macro's parameters a name is."""
    match = _PARAMETERS.match(data, name_end)
    names = [] if match is None else [part.strip() for part in match[1].split(b",")]
    return names.index(parameter) if parameter in names else None


def _macro_steps(context: WarpContext, name: bytes, position: int) -> Iterator[Step]:
    """Uses of a macro that is given the distance of its shuffle."""
    for match in re.finditer(rb"(?<![\w.>])" + re.escape(name) + rb"\s*\(([^();{}]*)\)", context.data):
        define, function = context.lexemes.define_around(match.start()), context.functions.at(match.start())
        arguments = match[1].split(b",")
        number = _NUMBER.fullmatch(arguments[position].strip()) if position < len(arguments) else None
        owner = define.text if define is not None else function.name if function is not None else None
        if (
            number is not None
            and owner is not None
            and owner != name
            and context.lexemes.non_code_at(match.start()) is None
        ):
            yield Step(match.start(), owner, int(number[1]), None)
