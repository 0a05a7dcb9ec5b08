"""Masks that begin with all lanes and lose them one after the other."""

from __future__ import annotations

from hipify_py.semantics.expressions import is_same, names_in, operator_of, whole_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tree_sitter import Node

    from hipify_py.analysis.warp.masks.following import Following
    from hipify_py.semantics.declarations import Declaration

_CHANGES = frozenset({"&=", "^=", "-=", "|=", "<<=", ">>="})


def loses_lanes(flow: Following, declaration: Declaration) -> bool:
    """A variable begins with all lanes and has fewer later: what is left in it is looked at."""
    if declaration.kind not in ("variable", "parameter") or declaration.shape != "value" or not declaration.start:
        return False
    return any(_changes(whole_name(leaf), declaration.name) for leaf in flow.names.uses(declaration))


def _changes(node: Node, name: bytes) -> bool:
    """A variable is set to what is made of its old value."""
    parent = node.parent
    if parent is None or not is_same(parent.child_by_field_name("left"), node):
        return False
    operator, value = operator_of(parent), parent.child_by_field_name("right")
    return operator in _CHANGES or (operator == "=" and value is not None and name in names_in(value))
