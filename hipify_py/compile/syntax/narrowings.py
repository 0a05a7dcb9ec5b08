"""Values of 64 bits that lose half of them in the HIP text, and did not in the CUDA text.

Both texts are parsed, templates instantiated. What narrows in both is the program's own business. What is new came by
the translation: a function of HIP returns 64 bits where CUDA's returns 32, and its result is still kept in 32.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator

from hipify_py.compile.diagnostics import Message
from hipify_py.compile.origins import Origins

ID = "HIP331"

_TYPES = re.compile(r"'[^']+'(?: \(aka '[^']+'\))? to '[^']+'(?: \(aka '[^']+'\))?")


def new_narrowings(
    after: Iterable[Message], before: Iterable[Message], origins: Origins, message: str
) -> Iterator[Message]:
    """The narrowings of a unit's HIP text that its CUDA text does not have on the same line.

    Args:
        after: those of the HIP text.
        before: those of the CUDA text.
        origins: tells the place in the CUDA text of one in the HIP text.
        message: what the finding says, with a place for `detail`.
    """
    known = Counter((each.path, each.line) for each in {*before})
    for home in map(origins.home, after):
        if known[home.path, home.line]:
            known[home.path, home.line] -= 1
            continue
        match = _TYPES.search(home.text)
        detail = match[0] if match else home.text
        yield home._replace(severity="warning", text=message.format(detail=detail), id=ID)
