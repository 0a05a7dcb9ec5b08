"""The names by which a file gives a warp its size."""

from __future__ import annotations

import re
from typing import NamedTuple

from hipify_py.analysis.warp.warp_constants import is_ported, means_a_warp
from hipify_py.project.warp_hints import NAMES_SIZES

_HINT = re.compile(b"|".join(NAMES_SIZES))
_DEFINITION = re.compile(
    rb"\#[ \t]*define[ \t]+(?P<macro>\w+)[ \t]+(?P<body>[^\r\n]*)"
    rb"|\b(?P<name>[A-Za-z_]\w*)\s*(?:=(?!=)|\{)(?=\s*(?P<value>[^;,{}\r\n]*)[;,}])"
)
_THIRTY_TWO = re.compile(rb"\(?\s*(?:32|0x20)[uUlL]*\s*\)?\s*(?://.*|/\*.*)?", re.DOTALL)
_LONGEST_VALUE = 100


class Sizes(NamedTuple):
    """The names that mean a warp's size: those that are 32 wherever a file defines them, and those that are not."""

    are_32: frozenset[bytes] = frozenset()
    others: frozenset[bytes] = frozenset()

    @property
    def agreed(self) -> frozenset[bytes]:
        """The names on which all definitions agree."""
        return self.are_32 - self.others


def sizes_in(data: bytes) -> Sizes:
    """What a file defines; one with branches for AMD GPUs is believed to know what it does, and no name of it is 32."""
    are_32: set[bytes] = set()
    others: set[bytes] = set()
    end = 0
    for hint in _HINT.finditer(data):
        if hint.start() < end:
            continue
        start = data.rfind(b"\n", 0, hint.start()) + 1
        end = data.find(b"\n", hint.start()) + 1 or len(data)
        for match in _DEFINITION.finditer(data, start, end + _LONGEST_VALUE):
            name = match["macro"] or match["name"]
            if match.start() < end and name != b"warpSize" and means_a_warp(name):
                is_32 = _THIRTY_TWO.fullmatch((match["body"] or match["value"] or b"").strip()) is not None
                (are_32 if is_32 and not is_ported(data) else others).add(name)
    return Sizes(frozenset(are_32), frozenset(others))
