"""Reductions and scans over a warp that are written out, one shuffle for each distance."""

from __future__ import annotations

from collections.abc import Iterator

from hipify_py.analysis.warp.context import WarpContext
from hipify_py.analysis.warp.warp_calls import WarpCall
from hipify_py.edits import Edit
from hipify_py.records import NamedTuple
from hipify_py.semantics.constants import constants_of
from hipify_py.semantics.expressions import NAMES, arguments_of, bare, call_of, entries_of, name_in, text_of
from hipify_py.semantics.functions import Function
from hipify_py.semantics.macros import Macro, macros_of
from hipify_py.semantics.symbols import names_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tree_sitter import Node

_DISTANCES = frozenset({1, 2, 4, 8, 16})
_WITHIN_STATEMENT = frozenset(
    {"assignment_expression", "binary_expression", "call_expression", "argument_list", "parenthesized_expression"}
)
_PLAIN = frozenset({*NAMES, "field_expression", "subscript_expression", "subscript_argument_list", "number_literal"})


class Step(NamedTuple):
    """A shuffle over a fixed distance; `call` None where it is a macro's, whose use is `node`."""

    place: int
    owner: bytes
    distance: int
    call: WarpCall | None
    node: Node | None


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
    """The written-out reductions and scans of a unit."""
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


def wider_steps(context: WarpContext, chain: Chain, *, as_written: bool) -> list[Edit]:
    """What puts a step over 32 lanes, for wavefronts that have more, in front of those over 16.

    Empty where a step is no plain statement, or is not the first.

    Args:
        as_written: the step is made as the one over 16 is, in the language of the source; it is HIP otherwise.
    """
    if chain.steps[0].distance != 16:
        return []
    edits = []
    for step in chain.steps:
        if step.distance == 16:
            edit = _wider(context, step, as_written=as_written)
            if edit is None:
                return []
            edits.append(edit)
    return edits


def _wider(context: WarpContext, step: Step, *, as_written: bool) -> Edit | None:
    """The same statement over 32 lanes, where a step is one by itself: `v += __shfl_down(v, 16);` or `STEP(v, 16);`."""
    node = step.node
    statement = _statement_around(node) if node is not None else None
    if node is None or statement is None:
        return None
    start, end, data = statement.start_byte, statement.end_byte, context.data
    if step.call is not None:
        call, value = step.call, step.call.value
        if value is None or not _is_plain(value) or not call.name.startswith(("__shfl_down", "__shfl_xor")):
            return None
        name = call.name.removesuffix("_sync").encode()
        shuffle = name + b"(" + text_of(value) + b", 32)"
        if as_written and call.distance is not None:
            distance = call.distance.start_byte, call.distance.end_byte
            shuffle = data[node.start_byte : distance[0]] + b"32" + data[distance[1] : node.end_byte]
        text = data[start : node.start_byte] + shuffle + data[node.end_byte : end]
    else:
        macros = macros_of(context.unit).named(text_of(node.child_by_field_name("function")))
        if not all(_is_one_statement(context, macro) for macro in macros):
            return None
        text = data[start:end].replace(b"16", b"32")
    if text.count(b"32") != 1:
        return None
    if not text.endswith(b";"):
        if data[context.lexemes.after(end) : context.lexemes.after(end) + 1] != b";":
            return None
        text += b";"
    indent = data[data.rfind(b"\n", 0, start) + 1 : start]
    stands_alone = context.lexemes.define_around(start) is None and not indent.strip()
    behind = context.unit.source.newline + indent if stands_alone else b" "
    return Edit(start, start, b"if (warpSize > 32) " + text + behind)


def _statement_around(node: Node) -> Node | None:
    """The statement that a shuffle is the work of: it is assigned, and nothing else is called but the like of `max`."""
    found: Node | None = node
    parent = node.parent
    while parent is not None and parent.type in _WITHIN_STATEMENT:
        if parent.type == "assignment_expression" and not _is_plain(parent.child_by_field_name("left")):
            return None
        found, parent = parent, parent.parent
    if parent is not None and parent.type == "expression_statement":
        return parent
    is_body = parent is not None and parent.type in ("translation_unit", "ERROR")
    return (
        found if is_body and found is not None and found.type in ("assignment_expression", "call_expression") else None
    )


def _is_plain(node: Node | None) -> bool:
    """A variable, a member or an element: nothing that does something when it is written twice."""
    if node is None:
        return False
    node = bare(node)
    return node.type in _PLAIN and all(_is_plain(child) for child in node.named_children)


def _is_one_statement(context: WarpContext, macro: Macro) -> bool:
    """A macro that an `if` without braces can stand in front of."""
    body = context.data[macro.start : macro.end]
    return b";" not in body and b"{" not in body


def _steps(context: WarpContext) -> Iterator[Step]:
    parameters: dict[bytes, int] = {}
    constants = constants_of(context.unit)
    for call in context.calls:
        owner = context.owner(call)
        if not call.is_shuffle or call.is_indexed or owner is None or call.has_width or call.distance is None:
            continue
        leaf = context.unit.tree.leaf(call.use.start, call.use.end)
        node = call_of(leaf) if leaf is not None else None
        distance = constants.value(call.distance)
        if distance is not None:
            yield Step(call.use.start, owner, distance, call, node)
            continue
        macro = macros_of(context.unit).around(call.use.start)
        name = text_of(bare(call.distance))
        if macro is not None and macro.parameters is not None and name in macro.parameters:
            parameters[macro.name] = macro.parameters.index(name)
        elif macro is None:
            yield from (Step(call.use.start, owner, listed, call, None) for listed in _listed(context, call))
    for name, position in parameters.items():
        yield from _macro_steps(context, name, position)


def _listed(context: WarpContext, call: WarpCall) -> list[int]:
    """The distances of `for (int d : {16, 8, 4, 2, 1})` around a shuffle."""
    leaf = name_in(call.distance)
    for declared in names_of(context.unit).meant_by(leaf) if leaf is not None else ():
        if declared.owner.type != "for_range_loop":
            continue
        entries = declared.owner.child_by_field_name("right")
        if entries is None or entries.type != "initializer_list":
            continue
        values = [constants_of(context.unit).value(entry) for entry in entries_of(entries)]
        if 16 in values and 32 not in values:
            return sorted(_DISTANCES, reverse=True)
    return []


def _macro_steps(context: WarpContext, name: bytes, position: int) -> Iterator[Step]:
    """Uses of a macro that is given the distance of its shuffle."""
    for leaf in names_of(context.unit).mentions(name):
        call = call_of(leaf)
        arguments = arguments_of(call) if call is not None else []
        place = leaf.start_byte
        define, function = context.lexemes.define_around(place), context.functions.at(place)
        owner = define.text if define is not None else function.name if function is not None else None
        distance = constants_of(context.unit).value(arguments[position]) if position < len(arguments) else None
        if distance is not None and owner is not None and owner != name:
            yield Step(place, owner, distance, None, call)
