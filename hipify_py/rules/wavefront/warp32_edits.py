"""The edits that keep every warp built-in of a source within 32 lanes, two warps in a 64-lane wavefront."""

from __future__ import annotations

from collections.abc import Iterator

from hipify_py.analysis.warp.context import WarpContext
from hipify_py.analysis.warp.drop_sync_mask import drop_sync_mask
from hipify_py.analysis.warp.emulate_warp32 import FAMILY, KEPT, SECTION, is_rewritten, is_vote, warp_sizes
from hipify_py.edits import CompositeEdit, Edit
from hipify_py.rules.base import Support
from hipify_py.translation import AppliedFix

_WHOLE = frozenset({"argument_list", "init_declarator", "return_statement", "parenthesized_expression"})
"""What an expression stands in that needs no parentheses there."""


def emulated(context: WarpContext) -> Iterator[Edit | CompositeEdit | AppliedFix | Support]:
    """The edits that keep every warp built-in of a source within 32 lanes."""
    unit = context.unit
    for start, end in warp_sizes(context):
        yield Edit(start, end, b"32")
        yield AppliedFix(start, FAMILY)
    for node in context.hardware_lanes.called_as_ptx:
        is_alone = node.parent is not None and node.parent.type in _WHOLE
        yield Edit(node.start_byte, node.start_byte, b"" if is_alone else b"(")
        yield Edit(node.end_byte, node.end_byte, b" & 31" if is_alone else b" & 31)")
        yield AppliedFix(node.start_byte, FAMILY)
    gone = 0  # the end of the last mask that goes, with all that computes it
    for call in context.calls:
        if call.call is None or call.use.start < gone:
            continue
        arguments = call.call.arguments
        if is_vote(call):
            start, end = call.use.start, call.use.start + len(call.name)
            yield Edit(start, end, KEPT + call.name.removeprefix("__").encode())
            yield Support(SECTION)
            yield AppliedFix(start, FAMILY)
        elif is_rewritten(unit, call) and arguments:
            yield from drop_sync_mask(call)
            yield AppliedFix(call.use.start, FAMILY)
            gone = arguments[0][1]
        if call.is_shuffle and call.is_whole and not call.has_width:
            yield Edit(arguments[-1][1], arguments[-1][1], b", 32")
            yield AppliedFix(call.use.start, FAMILY)
