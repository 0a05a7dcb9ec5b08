"""Warp built-ins in the form without a mask, which all lanes that are there take part in."""

from __future__ import annotations

from collections.abc import Iterator

from hipify_py.analysis.warp.warp_calls import WarpCall
from hipify_py.edits import CompositeEdit, Edit, replaced
from hipify_py.semantics.effective_rows import effective_row
from hipify_py.unit import Unit

LANES_HERE = b"__activemask()"
_VOTES = frozenset({"__ballot_sync", "__any_sync", "__all_sync"})


def drops_its_mask(unit: Unit, call: WarpCall) -> bool:
    """The built-in has a mask that may go; below ROCm 6.2 its row takes it away by itself.

    Where the source overloads it for a type of its own, the call may mean that, and there is none without a mask.
    """
    return call.masked and call.is_whole and call.name not in unit.overloads and keeps_its_name(unit, call)


def keeps_its_name(unit: Unit, call: WarpCall) -> bool:
    """ROCm has the built-in under CUDA's name; no other rule edits the call."""
    return effective_row(unit, call.use).hip == call.name


def has_maskless_form(call: WarpCall) -> bool:
    """HIP has a form of the built-in that is given no mask, and checks none."""
    return call.is_shuffle or call.name in _VOTES or call.name == "__syncwarp"


def drop_sync_mask(call: WarpCall) -> Iterator[Edit | CompositeEdit]:
    """`__shfl_sync(m, v, 0)` as `__shfl(v, 0)`. What has no such form is given the lanes that are there.

    HIP's forms with a mask call those without one, and assert before that the mask names just the lanes that are
    there (amd_warp_sync_functions.h).
    """
    arguments = call.call.arguments if call.call is not None else []
    if not arguments:
        return
    if call.name == "__syncwarp":
        yield replaced(*arguments[0])
    elif (call.is_shuffle or call.name in _VOTES) and len(arguments) > 1:
        end = call.use.start + len(call.name)
        yield Edit(end - len("_sync"), end, b"")
        yield replaced(arguments[0][0], arguments[1][0])
    else:
        yield replaced(*arguments[0], LANES_HERE)
