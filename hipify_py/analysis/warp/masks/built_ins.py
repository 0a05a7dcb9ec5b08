"""The built-ins that are about lane masks."""

import re

TAKES_MASK = re.compile(rb"__(?:shfl(?:_up|_down|_xor)?|ballot|any|all|match_any|match_all|reduce_\w+)_sync|__syncwarp")
"""The built-ins whose first argument is a mask."""

GIVES_MASK = re.compile(rb"__(?:ballot|match_any|match_all)_sync|__ballot|__activemask|__lanemask_\w\w")
"""The built-ins that return a mask."""

COUNTED_IN_LL = {
    b"__popc": b"__popcll",
    b"__ffs": b"__ffsll",
    b"__clz": b"__clzll",
    b"__brev": b"__brevll",
    b"__fns": b"__fns64",
    b"__builtin_popcount": b"__builtin_popcountll",
    b"__builtin_ffs": b"__builtin_ffsll",
    b"__builtin_ctz": b"__builtin_ctzll",
    b"__builtin_clz": b"__builtin_clzll",
}
"""What counts the bits of 32-bit integers, and what counts those of 64."""
