"""Arguments that CUDA remembers from an earlier call, and HIP has to be told again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from hipify_py.core.unit import Unit, Use
from hipify_py.semantics.declarations import Declaration
from hipify_py.semantics.definitions import definitions_of
from hipify_py.semantics.expressions import NamedCall, bare, name_in, named_call, text_of
from hipify_py.semantics.functions import functions_of
from hipify_py.semantics.symbols import names_of

if TYPE_CHECKING:
    from tree_sitter import Node


class Recalled(NamedTuple):
    """The text of a remembered argument, and the position where the call takes it."""

    position: int
    text: str


def recalled(unit: Unit, use: Use, fields: Mapping[str, object]) -> Recalled | None:
    """The argument that the earlier call was given for the same object.

    That call and this one have to stand in one function, where the object and the argument are variables that keep
    their values in between; None where that does not hold.

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
    return Recalled(len(call.arguments), text_of(same[-1].arguments[argument]).decode(errors="replace"))


def _is_same(unit: Unit, earlier: NamedCall, call: NamedCall, position: int) -> bool:
    """Both calls have the same object at a position."""
    one, other = bare(earlier.arguments[position]), bare(call.arguments[position])
    return text_of(one) == text_of(other) and _keeps_value(unit, one, call, since=earlier)


def _keeps_value(unit: Unit, value: Node, call: NamedCall, since: NamedCall | None = None) -> bool:
    """A variable or member that means the same at the later call, and is not set between the two."""
    leaf = name_in(bare(value))
    if leaf is None:
        return False
    start = value.end_byte if since is None else since.node.end_byte
    return all(
        _reaches(declaration, call)
        and not any(start < found.place < call.node.start_byte for found in definitions_of(unit).of(declaration))
        for declaration in names_of(unit).meant_by(leaf)
    )


def _reaches(declaration: Declaration, call: NamedCall) -> bool:
    return declaration.kind == "field" or declaration.start <= call.node.start_byte < declaration.end
