"""Bytes by which the files of a project are told apart that have anything to say of warps."""

NAMES_SIZES = (b"arp", b"ARP", b"LANES", b"anes")
"""One of these stands in every name that means the size of a warp."""

BUILT_INS = (
    *(b"__shfl", b"__ballot", b"__any", b"__all", b"__match_", b"__reduce_", b"__activemask", b"__syncwarp"),
    *(b"laneid", b"lanemask", b"__lane_id", b"cub::LaneId"),
)
"""One of these stands in every file that uses warps itself."""


def has_warps(data: bytes) -> bool:
    """A file may have something to say of warps."""
    return any(hint in data for hint in NAMES_SIZES + BUILT_INS)
