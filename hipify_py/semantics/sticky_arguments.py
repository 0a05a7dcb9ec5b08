"""Arguments that CUDA remembers from an earlier call, and that HIP needs again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from hipify_py.frontend.unit import Unit, Use
from hipify_py.semantics.declarations import Declaration
from hipify_py.semantics.definitions import definitions_of
from hipify_py.semantics.expressions import NamedCall, name_in, named_call, strip_parentheses, text_of
from hipify_py.semantics.functions import functions_of
from hipify_py.semantics.symbols import names_of

if TYPE_CHECKING:
    from tree_sitter import Node


class StickyArgument(NamedTuple):
    """The text of a remembered argument, and the position where the call takes it."""

    position: int
    text: str


def find_sticky_argument(unit: Unit, use: Use, fields: Mapping[str, object]) -> StickyArgument | None:
    """The argument that the earlier call for the same object had.

    That call and this one must be in one function, and the object and the argument must be variables that keep their
    values in between; None where that does not hold.

    Args:
        unit: the source.
        use: the function that lacks the argument in CUDA.
        fields: `recall` of its row.
    """
    call = named_call(unit.tree, use.start, use.end)
    by, argument = int(str(fields["by"])), int(str(fields["argument"]))
    if call is None or len(call.arguments) <= by:
        return None
    function = functions_of(unit).at(use.start)
    earlier = [
        found
        for other in unit.uses
        if other.row.name == fields["call"]
        and other.start < use.start
        and functions_of(unit).at(other.start) is function
        if (found := named_call(unit.tree, other.start, other.end)) is not None
    ]
    same = [found for found in earlier if len(found.arguments) > argument and _is_same(unit, found, call, by)]
    if not same or not _keeps_value(unit, same[-1].arguments[argument], call):
        return None
    return StickyArgument(len(call.arguments), text_of(same[-1].arguments[argument]).decode(errors="replace"))


def _is_same(unit: Unit, earlier: NamedCall, call: NamedCall, position: int) -> bool:
    """Whether both calls have the same object at a position."""
    one, other = strip_parentheses(earlier.arguments[position]), strip_parentheses(call.arguments[position])
    return text_of(one) == text_of(other) and _keeps_value(unit, one, call, since=earlier)


def _keeps_value(unit: Unit, value: Node, call: NamedCall, since: NamedCall | None = None) -> bool:
    """Whether a variable or member means the same at the later call, and is not assigned between the two."""
    leaf = name_in(strip_parentheses(value))
    if leaf is None:
        return False
    start = value.end_byte if since is None else since.node.end_byte
    return all(
        _reaches(declaration, call)
        and not any(start < found.place < call.node.start_byte for found in definitions_of(unit).lookup(declaration))
        for declaration in names_of(unit).resolve(leaf)
    )


def _reaches(declaration: Declaration, call: NamedCall) -> bool:
    return declaration.kind == "field" or declaration.start <= call.node.start_byte < declaration.end
