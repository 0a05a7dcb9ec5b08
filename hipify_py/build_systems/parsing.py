"""Parses build files by tree-sitter grammars, within bounds: text that fits no grammar would take it too long."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hipify_py.frontend.parsing import CHUNK, parse_in_steps

if TYPE_CHECKING:
    from tree_sitter import Parser, Tree

_FEWEST, _AGAIN = 1000, 20
"""Reads that every file may take, and those for each chunk; of 1,200 real files of 1 to 200 kB one takes 192."""
_MOST_CONTINUED = 2000
"""Lines continued by a backslash: the time of Python's grammar grows with the square of their number."""


def parse(parser: Parser, data: bytes) -> Tree | None:
    """The tree of a build file; None if the parser would take too long."""
    if data.count(b"\\\n") + data.count(b"\\\r\n") > _MOST_CONTINUED:
        return None
    return parse_in_steps(parser, data, 0, len(data), _FEWEST + _AGAIN * len(data) / CHUNK)
