"""Bytes by which the files of a project are told apart that have anything to say of warps."""

from hipify_py.patterns import lazy

NAMES_SIZES = (b"arp", b"ARP", b"LANES", b"anes")
"""One of these stands in every name that means the size of a warp."""

_BUILT_IN = lazy(rb"__(?:shfl|ballot|any|all|match_|reduce_|activemask|syncwarp|lane_id)")
_LANES = (b"laneid", b"lanemask", b"cub::LaneId")

_MASKS = (b"__ballot", b"__activemask", b"__match_", b"lanemask", b".ballot", b".match_a")
"""One of these stands in every file that makes a mask."""


def may_name_sizes(data: bytes) -> bool:
    """False only for a text that names no size of a warp."""
    return any(hint in data for hint in NAMES_SIZES)


def may_use_warps(data: bytes) -> bool:
    """False only for a text that uses no warps itself."""
    return any(hint in data for hint in _LANES) or _BUILT_IN.search(data) is not None


def has_warps(data: bytes) -> bool:
    """A file may have something to say of warps."""
    return may_name_sizes(data) or may_use_warps(data)


def may_make_masks(data: bytes) -> bool:
    """False only for a text that makes no lane masks."""
    return any(hint in data for hint in _MASKS)
