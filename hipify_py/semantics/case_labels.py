"""`case` labels that no value of HIP's reaches: they become comments."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hipify_py.edits import Edit
from hipify_py.unit import Unit, Use

_CASE = re.compile(rb"\bcase\s+\Z")
_COLON = re.compile(rb"\s*:(?!:)")


def without_label(unit: Unit, use: Use) -> Iterator[Edit]:
    """The edits that take out the label that a use of an enumerator is; none where it is something else.

    What follows the label stays, and is reached from the label in front of it as before, or no longer.
    """
    data = unit.source.data
    case = _CASE.search(data, max(use.start - 40, 0), use.start)
    colon = _COLON.match(data, use.end)
    if case is not None and colon is not None and unit.lexemes.define_around(use.start) is None:
        yield Edit(case.start(), case.start(), b"/* ")
        yield Edit(colon.end(), colon.end(), b" */")
