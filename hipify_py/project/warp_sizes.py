"""Constants by which a project's headers give a warp 32 lanes: a file that uses one does not say what it is."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable

from hipify_py.project.neighbours import bytes_of
from hipify_py.rules.wavefront.warp_constants import is_ported, means_a_warp

_SOURCES = frozenset({".cu", ".c", ".cc", ".cpp", ".cxx", ".hip"})  # what they define is their own
_HINTS = (b"arp", b"ARP", b"LANES", b"anes")
_DEFINITION = re.compile(
    rb"\#[ \t]*define[ \t]+(?P<macro>\w+)[ \t]+(?P<body>[^\r\n]*)"
    rb"|\b(?P<name>[A-Za-z_]\w*)\s*(?:=(?!=)|\{)(?=\s*(?P<value>[^;,{}\r\n]*)[;,}])"
)
_THIRTY_TWO = re.compile(rb"\(?\s*(?:32|0x20)[uUlL]*\s*\)?\s*(?://.*|/\*.*)?", re.DOTALL)


def warp_sizes(paths: Iterable[str]) -> frozenset[bytes]:
    """The names that mean a warp's size and are 32 wherever the headers among these files define them.

    A header with branches for AMD GPUs is believed to know what it does: its constants are none of these.
    """
    agreed: set[bytes] = set()
    others: set[bytes] = set()
    for path in paths:
        if os.path.splitext(path)[1].lower() in _SOURCES:
            continue
        data = bytes_of(path)
        if not any(hint in data for hint in _HINTS):
            continue
        ported = is_ported(data)
        for match in _DEFINITION.finditer(data):
            name = match["macro"] or match["name"]
            if name != b"warpSize" and means_a_warp(name):
                is_32 = _THIRTY_TWO.fullmatch((match["body"] or match["value"] or b"").strip()) is not None
                (agreed if is_32 and not ported else others).add(name)
    return frozenset(agreed - others)
