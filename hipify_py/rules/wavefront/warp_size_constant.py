"""`warpSize` where a constant is needed, and sources that define a `warpSize` of their own."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hipify_py.analysis.warp.constant_uses import is_constant_use
from hipify_py.edits import Edit
from hipify_py.findings import Finding
from hipify_py.rules.base import Example, Rule, Support
from hipify_py.rules.triggers import words
from hipify_py.translation import Fix
from hipify_py.unit import Unit

SECTION = "lanes"
"""The section of the support header with the wavefront's width as a constant."""

_WORD = re.compile(rb"(?<![\w.>:])warpSize\b")
_DEFINED = re.compile(
    rb"^[ \t]*(?:#[ \t]*define[ \t]+(?P<macro>warpSize)[ \t]"
    rb"|(?:(?:static|inline|__device__|__constant__)[ \t]+)*const(?:expr)?[ \t][\w \t]*?"
    rb"\b(?P<constant>warpSize)[ \t]*(?==|\{))|(?P<brace>[{}])",
    re.MULTILINE,
)
_OWN_NAMES = (b"kWarpSize", b"kWarpSize32", b"hipifyWarpSize")


class WarpSizeConstants(Rule):
    """HIP's `warpSize` is an object that asks the GPU: no array bound, template argument or case label is made of it.

    Since ROCm 7 such code does not compile; the support header has the width of the target as a constant. nvcc makes
    no constant of its own `warpSize` either: a CUDA source that has one there means a constant of the project's own,
    which redefines HIP's object where it is not in a namespace. One in the same source gets another name. Asked for,
    the fix is the same for both, and in a CUDA source the finding stays: the constant in the other file does, too.
    """

    id = "HIP303"
    triggers = words("warpSize")
    VALID = (
        Example(
            "__global__ void k(int *o) { for (int i = warpSize / 2; i > threadIdx.x % warpSize; i /= 2) o[i] = 0; }"
        ),
        Example("namespace n { constexpr int warpSize = 32; __shared__ int s[warpSize]; }"),
        Example("void f(const hipDeviceProp_t &p, int *s) { s[p.warpSize] = 1; }"),
    )
    INVALID = (
        Example(
            "const int warpSize = 32;\n__device__ int f() { return warpSize; }",
            "const int kWarpSize = 32;\n__device__ int f() { return kWarpSize; }",
        ),
        Example("#include <hip/hip_runtime.h>\n__global__ void k() { __shared__ int s[warpSize]; }", None, ("HIP303",)),
        Example("__global__ void k() { __shared__ int s[warpSize]; }", None, ("HIP312",)),
    )

    def apply(self, unit: Unit) -> Iterator[Edit | Finding | Fix | Support]:
        own = _definition(unit)
        if own is not None:
            yield from _renamed(unit, own)
            return
        if b"warpSize" in unit.project.warp_sizes:
            return  # an included header says what it is
        for use in unit.uses:
            leaf = unit.tree.leaf(use.start, use.end) if use.row.name == "warpSize" else None
            if leaf is None or not is_constant_use(unit, leaf):
                continue
            is_fixed = "warp-size" in unit.options.fixes and unit.options.support
            if is_fixed:
                yield Edit(use.start, use.end, b"hipify::warp_size")
                yield Support(SECTION)
                yield Fix(use.start, "warp-size")
            if not (is_fixed and unit.is_hip):
                id = "HIP303" if unit.is_hip else "HIP312"
                detail = "warpSize stands where a constant is needed"
                yield unit.finding(id, use.start, name="warpSize", library="device", detail=detail)


def _definition(unit: Unit) -> re.Match[bytes] | None:
    """The definition at file level of a constant of that name; one in a namespace or a function hides HIP's object."""
    depth = 0
    for match in _DEFINED.finditer(unit.source.data):
        if unit.lexemes.non_code_at(match.start()) is not None:
            continue
        if match["brace"]:
            depth += 1 if match["brace"] == b"{" else -1
        elif match["macro"] or depth <= 0:
            return match
    return None


def _renamed(unit: Unit, definition: re.Match[bytes]) -> Iterator[Edit | Finding]:
    """Another name for the source's own constant; a header's is known to others, so that its author has to choose."""
    data = unit.source.data
    name = next((name for name in _OWN_NAMES if re.search(rb"\b" + name + rb"\b", data) is None), None)
    if name is None or unit.source.is_header:
        place = definition.start("macro") if definition["macro"] else definition.start("constant")
        detail = "this source defines a warpSize of its own, which redefines HIP's"
        yield unit.finding("HIP303", place, name="warpSize", library="device", detail=detail)
        return
    for match in _WORD.finditer(data):
        if unit.lexemes.non_code_at(match.start()) is None:
            yield Edit(match.start(), match.end(), name)
