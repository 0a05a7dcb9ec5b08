"""What stands for the size of a warp in a source: constants of its own, `warpSize`, names of other files."""

from __future__ import annotations

import re
from functools import cached_property, lru_cache

from hipify_py.analysis.warp.constant_uses import is_constant_use
from hipify_py.semantics.headers import branches_at
from hipify_py.unit import Unit

THIRTY_TWO, FOLLOWS, ELSEWHERE = "32", "warpSize", "elsewhere"
"""What lanes are counted in: 32, `warpSize`, or a constant that another file defines."""

_CALLED_WARP_SIZE = re.compile(
    rb"(?i:\w*(?<![a-z])warp_?(?:size|sz|threads|lanes|width)|\w*threads_?per_?warp|\w*lanes_?per_?warp|\w*wavefront_?size)"
    rb"|warpSize|LANES|k\w*Warp(?:Size|Threads|Lanes)"
)
_DEFINED = re.compile(rb"[ \t]+\(?\s*(?:32|0x20)[uU]?\s*\)?[ \t]*(?=\r?\n|//|/\*|\Z)")
_CONSTANT = re.compile(
    rb"\b(?:constexpr|const|enum|template|typename|class|int|unsigned|uint32_t|size_t|auto)\b[^;(){}<>=]*?[\s<,{&]"
    rb"([A-Za-z_]\w*)\s*(?:=\s*|\{\s*)(?:32|0x20)[uU]?\s*(?=[;,}>)])"
)
_FIXED = re.compile(
    rb"\bconst(?:expr)?\b[^;(){}<>=]*?\b([A-Za-z_]\w*)\s*[={]\s*(0[xX][0-9a-fA-F]{1,2}|\d{1,2}|[A-Za-z_]\w*\s*-\s*1)[uU]?\s*[;}]"
)
_BODY = re.compile(
    rb"[ \t]+\(?\s*(0[xX][0-9a-fA-F]{1,2}|\d{1,2}|[A-Za-z_]\w*\s*-\s*1)[uU]?\s*\)?[ \t]*(?=\r?\n|//|/\*|\Z)"
)
_ENUMERATOR = re.compile(rb"\benum\b[^;{}()]*\{[^{}]*?\b([A-Za-z_]\w*)\s*=\s*32[uU]?\s*(?=[,}])")
_NUMBER = re.compile(rb"0[xX][0-9a-fA-F]+|[1-9]\d*|0")
_PORTED = re.compile(
    rb"\b(?:USE_ROCM|__HIP_PLATFORM_(?:AMD|HCC)__|__HIP_DEVICE_COMPILE__|__AMDGCN__|__AMDGCN_WAVEFRONT_SIZE\w*|__HIPCC__"
    rb"|__HIP__|__gfx\w+__|\w*USE_HIP\w*|HIP_VERSION|WITH_ROCM|ROCM_VERSION)\b"
    rb"|\b__builtin_amdgcn_"
)


@lru_cache(maxsize=4)
def is_ported(data: bytes) -> bool:
    """A source names AMD GPUs or their compiler."""
    return _PORTED.search(data) is not None


def means_a_warp(name: bytes) -> bool:
    """A constant of this name is a warp's size, whatever its value."""
    return _CALLED_WARP_SIZE.fullmatch(name) is not None


class WarpConstants:
    """The names that a source gives a warp's size. Found once, when first asked for."""

    def __init__(self, unit: Unit) -> None:
        self.unit = unit
        self.data = unit.source.data
        self.lexemes = unit.lexemes

    @cached_property
    def is_ported(self) -> bool:
        """The source has branches for AMD GPUs already: its author has thought of their lanes."""
        return is_ported(self.data)

    @cached_property
    def places(self) -> dict[bytes, int]:
        """The names that this source gives the value 32 and by which they mean a warp's size, with their places."""
        found: dict[bytes, int] = {}
        for define in self.lexemes.defines:
            if _CALLED_WARP_SIZE.fullmatch(define.text) and _DEFINED.match(self.data, define.end):
                found.setdefault(define.text, define.start)
        for pattern in (_CONSTANT, _ENUMERATOR):
            for match in pattern.finditer(self.data):
                if _CALLED_WARP_SIZE.fullmatch(match[1]) and self.lexemes.non_code_at(match.start(1)) is None:
                    found.setdefault(match[1], match.start(1))
        return found

    @cached_property
    def used(self) -> frozenset[bytes]:
        """The sizes of warps of the project's headers that this source names, and does not define itself."""
        words = (match for name in self.unit.project.warp_sizes for match in re.finditer(rb"\b%s\b" % name, self.data))
        return (
            frozenset(word[0] for word in words if self.lexemes.non_code_at(word.start()) is None) - self.places.keys()
        )

    @cached_property
    def _chosen(self) -> frozenset[bytes]:
        """Constants that other definitions in this source give another value, or that stand in a branch of an `#if`
        that names AMD: what they are on AMD GPUs is somebody's decision already."""
        if not self.is_ported:
            return frozenset()
        ordered = sorted(self.places.items(), key=lambda item: item[1])
        branches = branches_at(self.unit, [place for _, place in ordered])
        return frozenset(name for (name, _), branch in zip(ordered, branches, strict=True) if branch)

    @cached_property
    def values(self) -> dict[bytes, int]:
        """The small numbers that this source gives names to, whatever they are called; one value each."""
        texts: dict[bytes, set[bytes]] = {}
        for define in self.lexemes.defines:
            match = _BODY.match(self.data, define.end)
            texts.setdefault(define.text, set()).add(match[1] if match is not None else b"")
        for match in _FIXED.finditer(self.data):
            if self.lexemes.non_code_at(match.start(1)) is None:
                texts.setdefault(match[1], set()).add(match[2])
        fixed = {name: found.pop() for name, found in texts.items() if len(found) == 1}
        values = {name: int(text, 0) for name, text in fixed.items() if _NUMBER.fullmatch(text)}
        values.update(dict.fromkeys(self.places, 32))
        for name, text in fixed.items():
            less = values.get(text.removesuffix(b"1").rstrip(b" \t-")) if text.endswith(b"1") else None
            if name not in values and less is not None:
                values[name] = less - 1
        return values

    def counted_in(self, name: bytes) -> str | None:
        """What a divisor's name stands for; None for a name that says nothing of warps."""
        last = name.rsplit(b":", 1)[-1]
        if last in self.places:
            return ELSEWHERE if last in self._chosen else THIRTY_TWO
        if self.values.get(last) == 32 or last in self.unit.project.warp_sizes:
            return THIRTY_TWO
        if last == b"warpSize":
            return ELSEWHERE if self._has_own_warp_size else FOLLOWS
        return ELSEWHERE if _CALLED_WARP_SIZE.fullmatch(last) else None

    @cached_property
    def _has_own_warp_size(self) -> bool:
        """`warpSize` is a constant of the project's, of a value that another file knows."""
        uses = (match for match in re.finditer(rb"\bwarpSize\b", self.data))
        return any(is_constant_use(self.data, use.start(), use.end()) for use in uses)
