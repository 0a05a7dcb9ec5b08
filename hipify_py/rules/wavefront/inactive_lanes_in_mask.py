"""Finds masks that name lanes which are not there on 64-lane wavefronts."""

from __future__ import annotations

from collections.abc import Iterator

from hipify_py.analysis.warp.drop_sync_mask import drop_sync_mask
from hipify_py.analysis.warp.inactive_lanes import inactive_lanes_of
from hipify_py.analysis.warp.warp_calls import WarpCall
from hipify_py.edits import CompositeEdit, Edit
from hipify_py.findings import Finding
from hipify_py.rules.base import NO_FIXES, Example, Rule
from hipify_py.rules.triggers import Fact, facts
from hipify_py.unit import Unit


class InactiveLanesInMask(Rule):
    """A mask for all lanes is wrong where only a part of a wavefront gets.

    HIP compares the mask with the lanes that are there and traps where they differ, unless `NDEBUG` is defined. In
    CUDA a full mask says that the whole warp has come, but for the lanes that have returned; a wavefront of 64 may
    be half elsewhere all the same: in the last step of a block's reduction (`if (wid == 0)`), behind `if (i >= n)
    return;`, in a warp's own loop over its rows, in a block of 32 threads. The lanes that are there are meant, which
    the form without a mask takes. A header's functions get that form, too: who asks them is not seen.
    """

    id = "HIP308"
    triggers = facts(Fact.SYNC_WORDS)
    fixes = NO_FIXES
    VALID = (
        Example(
            "__global__ void k(int *o) { int v = o[0]; if (threadIdx.x < 32)"
            " v = __shfl_xor_sync(__activemask(), v, 1); o[1] = v; }"
        ),
        Example("__global__ void k(int *o) { o[1] = __shfl_xor_sync(0xffffffffffffffffull, o[0], 1); }"),
    )
    INVALID = (
        Example(
            "__global__ void k(int *o) { int v = o[0]; if (threadIdx.x < 32)"
            " v = __shfl_xor_sync(0xffffffff, v, 1); o[1] = v; }",
            "__global__ void k(int *o) { int v = o[0]; if (threadIdx.x < 32) v = __shfl_xor(v, 1); o[1] = v; }",
        ),
        Example(
            "__device__ int sum(int v) { return v + __shfl_xor_sync(0xffffffff, v, 1); }\n"
            "__global__ void k(int *o) { int v = o[0]; if (threadIdx.x / 32 == 0) v = sum(v); o[1] = v; }",
            "__device__ int sum(int v) { return v + __shfl_xor(v, 1); }\n"
            "__global__ void k(int *o) { int v = o[0]; if (threadIdx.x / 32 == 0) v = sum(v); o[1] = v; }",
        ),
        Example(
            "__global__ void k(int *o, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= n) return;"
            " o[i] = __shfl_xor_sync(0xffffffff, o[i], 1); }",
            "__global__ void k(int *o, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= n) return;"
            " o[i] = __shfl_xor(o[i], 1); }",
        ),
        Example(
            "#include <hip/hip_runtime.h>\n__global__ void k(int *o) { int v = o[0]; if (threadIdx.x < 32)"
            " v = __shfl_xor_sync(0xffffffffffffffffull, v, 1); o[1] = v; }",
            None,
            ("HIP308",),
        ),
    )

    def apply(self, unit: Unit) -> Iterator[Edit | CompositeEdit | Finding]:
        for call in inactive_lanes_of(unit).calls:
            if unit.is_hip:
                yield unit.finding("HIP308", call.use.start, name=call.name, library="device", fix=_plain(call))
            else:
                yield from drop_sync_mask(call)


def _plain(call: WarpCall) -> Iterator[Edit]:
    """The form without a mask, in plain edits: HIP needs no others in its arguments."""
    for edit in drop_sync_mask(call):
        if isinstance(edit, Edit):
            yield edit
        else:
            for start, end, pieces in edit.moves:
                yield Edit(start, end, b"".join(piece for piece in pieces if isinstance(piece, bytes)))
