"""Integer literals that stand for lane masks, and what they are in 64 bits."""

import re

FULL = b"0xffffffffffffffffull"
"""All lanes of a wavefront; on 32-lane GPUs the upper half says nothing."""

_BARE = re.compile(rb"\(\s*(.*?)\s*\)", re.DOTALL)
_ALL_LANES = re.compile(
    rb"0x0*f{8}(?:u|l|ul|lu)?|4294967295(?:u|l|ul|lu)?|~\s*0(?:x0+)?(?:u|l|ul|lu)?|-\s*1|u?int32_max|uint_max"
    rb"|\(\s*(?:unsigned(?:\s+int)?|uint32_t)\s*\)\s*-\s*1|(?:unsigned|uint32_t)\s*\(\s*-\s*1\s*\)"
)
_SOME_LANES = re.compile(rb"(0x[0-9a-f]{1,8}|[0-9]{1,10})(?:u|l|ul|lu)?")


def widened(text: bytes) -> bytes | None:
    """A 32-bit mask in 64 bits: all lanes stay all lanes, any other number keeps its lanes; None for other text."""
    literal = _compact(text)
    if _ALL_LANES.fullmatch(literal):
        return FULL
    some = _SOME_LANES.fullmatch(literal)
    return None if some is None else some[1] + b"ull"


def is_all_lanes(text: bytes) -> bool:
    """The literal names all 32 lanes of a warp."""
    return _ALL_LANES.fullmatch(_compact(text)) is not None


def _compact(text: bytes) -> bytes:
    text = text.strip().lower().replace(b"'", b"")
    while (bare := _BARE.fullmatch(text)) is not None and _is_one(bare[1]):
        text = bare[1]
    return text


def _is_one(text: bytes) -> bool:
    """The text between the outermost brackets is one expression: `(a) | (b)` is not `a) | (b`."""
    depth = 0
    for byte in text:
        depth += (byte == 0x28) - (byte == 0x29)
        if depth < 0:
            return False
    return depth == 0
