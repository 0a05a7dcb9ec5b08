"""Decisions by the compute capability that a program asks for while it runs."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hipify_py.rules.base import Example, Once, Rule
from hipify_py.semantics.capability_tests import asks_nothing
from hipify_py.semantics.variables import Variables
from hipify_py.unit import Unit, Use

_BEHIND = re.compile(rb"\s*\)?\s*(?:[<>]=?|[=!]=|\*|<<)\s*(?![\w.>-]{0,60}(?:\.|->)m(?:ajor|inor)\b)[\w(]")
_BEFORE = re.compile(rb"(?:[\w)]\s*(?:[<>]=?|[=!]=|\*)|\bswitch\s*\()\s*\(?\s*\Z")
_OTHER_BEFORE = re.compile(rb"m(?:ajor|inor)\s*[=!]=\s*\Z")
_LONGEST_HEAD = 24  # bytes
_TARGET = re.compile(rb"&\s*([A-Za-z_]\w*)\s*,\s*\Z")
_REACH = 3000  # bytes behind the query in which its result is looked for
_ATTRIBUTES = frozenset({"cudaDevAttrComputeCapabilityMajor", "CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR"})


class CapabilityDecisions(Rule):
    """`prop.major` is the first part of the GPU's own version on AMD: 9 for gfx90a and gfx942, 11 for gfx1100.

    Compared with NVIDIA's numbers it says "new enough" nearly always, which is often right, but not by intent: a
    choice between tensor-core kernels or shared-memory sizes by capability needs a branch for AMD. A test that every
    GPU passes which CUDA still knows, or one that stops old GPUs and none of AMD's, decides nothing.
    """

    id = "HIP408"
    VALID = (
        Example('void f(hipDeviceProp_t prop) { printf("%d.%d", prop.major, prop.minor); }'),
        Example("bool f(hipDeviceProp_t prop) { return prop.gcnArchName[0] && prop.major > 0; }"),
        Example("bool f(hipDeviceProp_t a, hipDeviceProp_t b) { return a.major == b.major; }"),
        Example("int f(hipDeviceProp_t prop) { if (prop.major < 6) return 1; return 0; }"),
        Example("struct Mine { int major; }; bool f(Mine prop) { return prop.major >= 7; }"),
    )
    INVALID = (
        Example(
            "bool f(cudaDeviceProp prop) { return prop.major >= 7; }",
            "bool f(hipDeviceProp_t prop) { return prop.major >= 7; }",
            ("HIP408",),
        ),
    )

    def apply(self, unit: Unit) -> Iterator[Once]:
        for use in unit.uses:
            if use.row.name in _ATTRIBUTES and _is_compared_later(unit, use):
                yield Once(unit.finding("HIP408", use.start, name=use.row.name, library=use.row.library))
        known = Variables(unit, frozenset((b"cudaDeviceProp",)))
        if not known:
            return
        data = unit.source.data
        access = re.compile(
            rb"(?<![\w.>])(" + known.pattern + rb")(?:\[[^\]]{0,40}\])?\s*(?:\.|->)\s*(?:major|minor)\b"
        )
        for match in access.finditer(data):
            if unit.lexemes.non_code_at(match.start()) is not None or not known.type_at(match[1], match.start()):
                continue
            if _is_compared(data, match.start(), match.end()) and not _is_for_amd(data, match.start()):
                part = match.end() - len(b"major")
                if not asks_nothing(unit, part, match.end(), b"major"):
                    yield Once(unit.finding("HIP408", match.start(), name=match[0].decode(), library="runtime"))


def _is_compared(data: bytes, start: int, end: int) -> bool:
    """A comparison or a factor stands on either side, and is no comparison with another GPU's version."""
    head = max(start - _LONGEST_HEAD, 0)
    if _BEHIND.match(data, end):
        return True
    return bool(_BEFORE.search(data, head, start)) and not _OTHER_BEFORE.search(data, head, start)


def _is_for_amd(data: bytes, place: int) -> bool:
    """The code asks for AMD's name of the GPU first, so it knows whose version it looks at."""
    return b"gcnArchName" in data[max(place - _REACH, 0) : place]


def _is_compared_later(unit: Unit, use: Use) -> bool:
    """The variable that the attribute is written to is compared soon after."""
    data = unit.source.data
    target = _TARGET.search(data, max(use.start - 2 * _LONGEST_HEAD, 0), use.start)
    if target is None:
        return False
    name = re.compile(rb"(?<![\w.>])" + target[1] + rb"\b")
    return any(
        _is_compared(data, match.start(), match.end())
        and unit.lexemes.non_code_at(match.start()) is None
        and not asks_nothing(unit, *match.span(), target[1])
        for match in name.finditer(data, use.end, use.end + _REACH)
    )
