"""Templates whose HIP counterparts take their arguments in another order, or take none."""

from __future__ import annotations

from collections.abc import Iterator

from hipify_py.core.edits import CompositeEdit, replaced
from hipify_py.core.findings import Finding
from hipify_py.frontend.brackets import pieces, trim
from hipify_py.frontend.syntax import ancestor
from hipify_py.frontend.unit import Unit, Use
from hipify_py.rules.base import Example, Rule
from hipify_py.rules.triggers import Fact, facts


class TemplateArguments(Rule):
    """Some CUB class templates exist in rocPRIM with their parameters in another order.

    The mapping tables list them. If the argument list is not visible (for example, the template itself is an
    argument) or is shorter than the order needs, hipify-py renames the template and reports it.
    """

    id = "HIP104"
    triggers = facts(Fact.TEMPLATE_ORDERS)
    VALID = (Example("my::TransformInputIterator<A, B, C> it;"),)
    INVALID = (
        Example(
            "cub::TransformInputIterator<float, Op, int *> it(p, op);",
            "rocprim::transform_iterator<int *, Op, float> it(p, op);",
        ),
        Example("cub::DiscardOutputIterator<> out;", "rocprim::discard_iterator out;"),
    )

    def apply(self, unit: Unit) -> Iterator[CompositeEdit | Finding]:
        for use in unit.uses:
            order = use.row.details.get("template_order")
            if order is None or use.row.hip is None:
                continue
            found = _argument_list(unit, use)
            if found is None or max(order, default=-1) >= len(found[2]):
                detail = (
                    "its template arguments are not visible here" if found is None else "template arguments are missing"
                )
                yield unit.finding(
                    "HIP104",
                    use.start,
                    name=use.row.name,
                    library=use.row.library,
                    target=use.row.becomes,
                    detail=detail,
                )
                continue
            opening, closing, arguments = found
            texts: list[bytes | tuple[int, int]] = []
            for origin in order:
                texts += [b", ", arguments[origin]] if texts else [b"<", arguments[origin]]
            yield replaced(opening, closing, *((*texts, b">") if order else ()))


def _argument_list(unit: Unit, use: Use) -> tuple[int, int, list[tuple[int, int]]] | None:
    """Start and end of the template argument list after a name, and the ranges of its arguments."""
    opening = unit.lexemes.after(use.end)
    if unit.source.data[opening : opening + 1] != b"<":
        return None
    node = ancestor(unit.tree.leaf(opening, opening + 1), "template_argument_list")
    if node is None or node.start_byte != opening or node.has_error:
        return None
    commas = [child.start_byte for child in node.children if child.type == ","]
    ranges = [trim(unit.lexemes, start, end) for start, end in pieces(opening, node.end_byte - 1, commas)]
    return opening, node.end_byte, [(start, end) for start, end in ranges if start < end]
