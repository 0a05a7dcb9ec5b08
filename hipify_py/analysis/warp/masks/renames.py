"""Gives the masks of a variable that holds other things, too, a variable of their own."""

from __future__ import annotations

from hipify_py.analysis.warp.masks.literals import WIDE
from hipify_py.analysis.warp.masks.parts import PartedNames
from hipify_py.edits import Edit
from hipify_py.frontend.syntax import ancestor
from hipify_py.semantics.declarations import Declaration
from hipify_py.semantics.expressions import is_same, operator_of, text_of
from hipify_py.unit import Unit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tree_sitter import Node

_MOST_NAMES = 1000


def renamed_parts(
    unit: Unit, names: PartedNames, whole: Declaration, widened: list[Declaration]
) -> tuple[list[Edit], bool]:
    """The edits that give one side of a variable another name, and whether the variable itself is widened then.

    The value that the variable is declared with keeps its name, and so does all that has its type.
    """
    parts = names.parts(whole)
    narrow = [part for part in parts if part not in widened and names.uses(part)]
    if not narrow:
        return [], True
    first = parts[0] if whole.kind == "parameter" or parts[0].value is not None else None
    is_widened = first in widened
    moved = narrow if is_widened else widened
    type = text_of(whole.type) if is_widened else WIDE
    name = _unused(names, whole.name + (b"_data" if is_widened else b"_mask"))
    leaves = sorted((leaf for part in moved for leaf in names.uses(part)), key=lambda leaf: leaf.start_byte)
    edits = [Edit(leaf.start_byte, leaf.end_byte, name) for leaf in leaves]
    if _is_declared_by(leaves):
        edits[0] = edits[0]._replace(text=type + b" " + name)
    else:
        place = _place(whole)
        edits.append(Edit(place, place, type + b" " + name + b";" + _behind(unit.source.data, place)))
    return edits, is_widened


def _unused(names: PartedNames, wanted: bytes) -> bytes:
    """A name that the source does not know."""
    choices = [wanted, *(wanted + b"%d" % at for at in range(2, _MOST_NAMES))]
    return next(name for name in choices if not names.is_declared(name) and not names.mentions(name))


def _is_declared_by(leaves: list[Node]) -> bool:
    """The first of these uses sets the variable in a block that holds all the others, and so can declare it."""
    assignment = leaves[0].parent
    if assignment is None or assignment.type != "assignment_expression" or operator_of(assignment) != "=":
        return False
    statement = assignment.parent
    block = statement.parent if statement is not None and statement.type == "expression_statement" else None
    if block is None or block.type != "compound_statement" or not is_same(assignment.named_children[0], leaves[0]):
        return False
    value = assignment.child_by_field_name("right")
    is_own = any(value is not None and value.start_byte <= leaf.start_byte < value.end_byte for leaf in leaves)
    return not is_own and all(block.start_byte <= leaf.start_byte < block.end_byte for leaf in leaves)


def _place(whole: Declaration) -> int:
    """Where a declaration in front of all uses of a variable may stand."""
    if whole.kind != "parameter":
        return whole.owner.start_byte
    function = ancestor(whole.owner, "function_definition", "lambda_expression")
    body = function.child_by_field_name("body") if function is not None else None
    assert body is not None, "only the parameter of a function with a body has parts"
    return next((node.start_byte for node in body.named_children if node.type != "comment"), body.end_byte - 1)


def _behind(data: bytes, place: int) -> bytes:
    """What sets a declaration apart from the statement behind it: a line's end, where the statement begins a line."""
    line = data.rfind(b"\n", 0, place) + 1
    indent = data[line:place]
    if indent.strip(b" \t") or not line:
        return b" "
    return (b"\r\n" if data[line - 2 : line] == b"\r\n" else b"\n") + indent
