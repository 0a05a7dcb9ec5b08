"""What becomes of the warp operations of a run."""

from __future__ import annotations

from collections.abc import Iterable

from hipify_py.core.translation import NO_WARPS, WarpCounts
from hipify_py.project.result import FileResult

WARP_WORDS = {
    "kept": "kept at 32 lanes",
    "native": "native at any wavefront size",
    "author": "the author's own code for AMD",
    "reported": "reported",
}
"""What becomes of warp operations, in words, by the fields of `WarpCounts`."""


def warps_of(results: Iterable[FileResult]) -> WarpCounts:
    """What becomes of the warp operations of a run."""
    total = NO_WARPS
    for result in results:
        total = total.plus(result.warps)
    return total
