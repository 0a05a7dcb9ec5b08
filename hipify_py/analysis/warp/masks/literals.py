"""Integer literals that stand for lane masks, and what they are in 64 bits."""

import re

from hipify_py.semantics.integer_types import Width, spelling

WIDE = b"unsigned long long"
"""HIP's own type of lane masks: a bit for each lane of a wavefront of 64."""

FULL = b"0xffffffffffffffffull"
"""All lanes of a wavefront; on 32-lane GPUs the upper half says nothing."""

LOWER = b"0xffffffffull"
"""The lower 32 lanes, and no others."""

WHOLE = b"(0xffffffffffffffffull >> (64 - warpSize))"
"""As a number: what a ballot of all lanes gives, on 32-lane GPUs too."""

LONGEST = 80
"""Bytes; no spelling of a literal mask is longer."""

_UNSIGNED = rb"(?:unsigned|unsignedint|int|(?:std::)?u?int32_t|uint|u32)"
_SUFFIX = rb"(?:u|l|ul|lu)?"
_ALL_LANES = re.compile(
    rb"0x0*f{8}" + _SUFFIX + rb"|4294967295" + _SUFFIX + rb"|-1|u?int32_max|uint_max|0b1{32}u?"
    rb"|\(?(?:0x)?1u?l{0,2}u?<<32u?\)?-1u?l{0,2}|std::numeric_limits<" + _UNSIGNED + rb">::max\(\)"
)
_ZERO = re.compile(rb"0(?:x0+)?" + _SUFFIX)
_CAST = re.compile(
    rb"\("
    + _UNSIGNED
    + rb"\)(?P<prefix>.+)|(?:static_cast<"
    + _UNSIGNED
    + rb">|"
    + _UNSIGNED
    + rb")(?:\((?P<call>.+)\)|\{(?P<brace>.+)\})",
    re.DOTALL,
)
_SOME_LANES = re.compile(rb"(0[xb]?[0-9a-f]{1,32}|[0-9]{1,10})" + _SUFFIX)
_CALLED_FULL = re.compile(
    rb"(?:\w+::)*(?:\w*(?:full|all)\w*mask\w*|\w*mask\w*(?:full|all)\w*)(?:\s*\(\s*\))?", re.IGNORECASE
)
_REPEATED = re.compile(rb"0x([0-9a-f]{4})\1" + _SUFFIX)
_ALL_BUT_FIRST = re.compile(rb"0xf{7}[ec80]" + _SUFFIX)
_WIDE = re.compile(rb"-?[0-9][0-9a-fx]*u?llu?|0x0*[1-9a-f][0-9a-f]{8,}[ul]*|~0[x0]*u?llu?")


_WIDE_CAST = re.compile(
    rb"static_cast\s*<(?P<named>[\w\s:]+)>\s*\((?P<inner>.*)\)|\((?P<plain>[\w\s:]+)\)\s*\w+", re.DOTALL
)


def widened(text: bytes) -> bytes | None:
    """A 32-bit mask in 64 bits: all lanes stay all lanes, any other number keeps its lanes; None for other text."""
    if is_all_lanes(text):
        return FULL
    some = _SOME_LANES.fullmatch(_compact(text))
    if some is None or is_wide(text):
        return None
    if is_repeated(text):
        return some[1] + some[1][2:] + b"ull"
    return (b"0xffffffff" + some[1][2:] if is_all_but_first(text) else some[1]) + b"ull"


def is_all_but_first(text: bytes) -> bool:
    """The literal names all lanes but the first few (`0xfffffffe`), however many there are."""
    return _ALL_BUT_FIRST.fullmatch(_compact(text)) is not None


def is_repeated(text: bytes) -> bool:
    """The literal names the same lanes of both halves of a warp (`0x55555555`): of every 16 lanes, however many."""
    repeated = _REPEATED.fullmatch(_compact(text))
    return repeated is not None and repeated[1].strip(b"0") != b""


def is_all_lanes(text: bytes) -> bool:
    """The literal names all 32 lanes of a warp."""
    literal = _compact(text)
    return _ALL_LANES.fullmatch(literal) is not None or (
        literal[:1] == b"~" and _ZERO.fullmatch(_bare(literal[1:])) is not None
    )


def is_called_full(name: bytes) -> bool:
    """A name, with or without a scope, or a call without arguments, that says that it stands for all lanes."""
    return _CALLED_FULL.fullmatch(name) is not None


def is_wide(text: bytes) -> bool:
    """The literal has 64 bits as it is written."""
    return _WIDE.fullmatch(_compact(text)) is not None


def is_cast_to_wide(text: bytes) -> bool:
    """The text is a cast to an integer of 64 bits, whatever of."""
    cast = _WIDE_CAST.fullmatch(text)
    if cast is None:
        return False
    type, inner = cast["named"] or cast["plain"], cast["inner"] or b""
    return spelling(type.strip()).width is Width.WIDE and _is_one(inner)


def _compact(text: bytes) -> bytes:
    """The literal without blanks, brackets, digit separators, and casts to the types that masks have in CUDA."""
    if len(text) > LONGEST:
        return b""
    return _bare(b"".join(text.lower().replace(b"'", b"").split()))


def _bare(text: bytes) -> bytes:
    while True:
        cast = _CAST.fullmatch(text)
        inner = text[1:-1] if text[:1] == b"(" and text[-1:] == b")" else b""
        if cast is not None:
            inner = cast["prefix"] or cast["call"] or cast["brace"]
        if not inner or not _is_one(inner):
            return text
        text = inner


def _is_one(text: bytes) -> bool:
    """The text between the outermost brackets is one expression: `(a) | (b)` is not `a) | (b`."""
    depth = 0
    for byte in text:
        depth += (byte == 0x28) - (byte == 0x29)
        if depth < 0:
            return False
    return depth == 0
