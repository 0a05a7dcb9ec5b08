"""Parses build files by grammars of tree-sitter, within bounds: what no parser can make sense of takes it too long."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hipify_py.frontend.parsing import CHUNK, parse_in_steps

if TYPE_CHECKING:
    from tree_sitter import Parser, Tree

_FEWEST, _AGAIN = 1000, 20
"""Reads that every file is worth, and those for each chunk; of 1,200 real files of 1 to 200 kB one takes 192."""
_MOST_CONTINUED = 2000
"""Lines continued by a backslash; Python's grammar takes the square of their number for them."""


def parse(parser: Parser, data: bytes) -> Tree | None:
    """The tree of a build file; None where the parser would take too long."""
    if data.count(b"\\\n") + data.count(b"\\\r\n") > _MOST_CONTINUED:
        return None
    return parse_in_steps(parser, data, 0, len(data), _FEWEST + _AGAIN * len(data) / CHUNK)
