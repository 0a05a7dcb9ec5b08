"""Recognises, by their bytes, the files of a project that may have anything to do with warps."""

from __future__ import annotations

from hipify_py.core.patterns import lazy_pattern
from hipify_py.frontend.conditions import may_have_amd_branches

_OPERATION = lazy_pattern(
    rb"__(?:shfl|ballot|any\b|any_sync|all\b|all_sync|match_a|reduce_|activemask|syncwarp)|(?<![.>\w])warpSize\b"
    rb"|laneid|lanemask|coalesced_threads|\bLane(?:Id|Mask)|\bWarpId\b|##"
)
_HINTS = (b"__", b"arpSize", b"lane", b"coalesced_", b"Lane", b"WarpId")
_NAMES_SIZE = (b"arp", b"ARP", b"LANES", b"ave")
_READS_SIZE = lazy_pattern(rb"(?:\.|->)warpSize\b|cudaDevAttrWarpSize|CU_DEVICE_ATTRIBUTE_WARP_SIZE|DeviceGetAttribute")
_COUNTS_32 = lazy_pattern(
    rb"\b(?:32|31|16|0x1[fF]|0x20)[uUlL]*\b|ballot|activemask|match_a|reduce_|lane(?:id|mask)|Lane(?:Id|Mask)"
    rb"|coalesced_|_partition|thread_block_tile"
)

_WAITS = lazy_pattern(rb"\batomic\w*\s*[(<]|\bvolatile\b|__ldc[gv]\b|\b(?:ld|atom)\.|acquire|test_and_set|mbarrier")
_GROUP_ALIAS = lazy_pattern(rb"(?:\busing\s+\w+\s*=|\btypedef\b)[^;{}]*\b(?:thread_block_tile|coalesced_group)\b")
_VOTE = lazy_pattern(rb"(?:\.|->)\s*(?:ballot|match_(?:any|all)|(any|all))\s*\(")
_GROUPS = (b"cooperative_groups", b"tiled_partition", b"thread_block_tile", b"coalesced_")

OPERATIONS, AMD_BRANCHES, HOST_READS, MAY_BE_NATIVE, GROUP_ALIASES, WAITS, VOTES = 1, 2, 4, 8, 16, 32, 64
"""Bits of `warp_hints`: a file may have warp operations; AMD branches that may be about warps; reads of the device's
warp size on the host; nothing that rules out counting in `warpSize`; other names for types of thread groups; device
functions that may wait for other threads, or be waited for; votes of groups."""


def warp_hints(data: bytes) -> int:
    """What a file may have to do with warps, as bits; 0 for nothing."""
    found = 0
    if any(hint in data for hint in _HINTS) and _OPERATION.search(data) is not None:
        found |= OPERATIONS
        if b"warpSize" in data and _COUNTS_32.search(data) is None:
            found |= MAY_BE_NATIVE
    if may_have_amd_branches(data) and (found or any(hint in data for hint in _NAMES_SIZE)):
        found |= AMD_BRANCHES
    if (b"arpSize" in data or b"WARP_SIZE" in data or b"DeviceGetAttribute" in data) and _READS_SIZE.search(data):
        found |= HOST_READS
    if (b"thread_block_tile" in data or b"coalesced_group" in data) and _GROUP_ALIAS.search(data):
        found |= GROUP_ALIASES
    if (b"__device__" in data or b"__global__" in data) and _WAITS.search(data) is not None:
        found |= WAITS
    if any(match[1] is None or any(group in data for group in _GROUPS) for match in _VOTE.finditer(data)):
        found |= VOTES
    return found


def has_warps(data: bytes) -> bool:
    """Whether a file may have something to do with warps."""
    return warp_hints(data) != 0
