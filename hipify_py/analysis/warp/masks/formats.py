"""The conversions of `printf` formats that print a mask."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hipify_py.edits import Edit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tree_sitter import Node

POSITIONS = {b"printf": 0, b"fprintf": 1, b"sprintf": 1, b"snprintf": 2}
"""Where the format stands among the arguments."""

_CONVERSION = re.compile(rb"%(?:%|[-+ #0]*(\*|\d+)?(?:\.(?:\*|\d+))?(hh|h|ll|l|j|z|t|L)?([a-zA-Z]))")
_INTEGERS = b"diouxX"


def widened_conversions(format: Node, position: int) -> Iterator[Edit]:
    """The edits that let the conversion at a position print 64 bits; none where the format cannot be followed."""
    at = 0
    for match, start in _conversions(format):
        if match[0] == b"%%":
            continue
        if b"*" in match[0]:
            return
        if at == position:
            if match[3] in _INTEGERS and match[2] is None:
                yield Edit(start + match.start(3) - match.start(), start + match.start(3) - match.start(), b"ll")
                if match[3] in b"xX" and match[1] == b"8":
                    width = start + match.start(1) - match.start()
                    yield Edit(width, width + 1, b"16")
            return
        at += 1


def _conversions(format: Node) -> Iterator[tuple[re.Match[bytes], int]]:
    pieces = [format] if format.type == "string_literal" else format.named_children
    if format.type not in ("string_literal", "concatenated_string"):
        return
    for piece in pieces:
        if piece.type != "string_literal" or piece.text is None:
            return  # a macro, which may hold conversions of its own
        for match in _CONVERSION.finditer(piece.text):
            yield match, piece.start_byte + match.start()
