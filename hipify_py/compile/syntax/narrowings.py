"""Values of 64 bits that lose half of them in the HIP text, and did not in the CUDA text.

Both texts are parsed, templates instantiated. What narrows in both is the program's own business. What is new came by
the translation: a function of HIP returns 64 bits where CUDA's returns 32 and its result is still kept in 32, or a
variable was widened and goes somewhere that was not.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from hipify_py.compile.diagnostics import Message
from hipify_py.compile.origins import Origins

ID = "HIP331"

_TYPES = re.compile(r"'[^']+'(?: \(aka '[^']+'\))? to '[^']+'(?: \(aka '[^']+'\))?")


def new_narrowings(
    after: Mapping[Message, Sequence[Message]], before: Iterable[Message], origins: Origins, message: str
) -> Iterator[Message]:
    """The narrowings of a unit's HIP text that its CUDA text does not have on the same line.

    Args:
        after: those of the HIP text, with the declarations of the variables that they come from.
        before: those of the CUDA text.
        message: what the finding says, with a place for `detail`.
    """
    known = Counter((each.path, each.line) for each in {*before})
    found: dict[tuple[str, int], list[tuple[Message, Sequence[Message]]]] = {}
    for narrowed, declared in after.items():
        home = origins.home(narrowed)
        found.setdefault((home.path, home.line), []).append((home, declared))
    for place, narrowings in found.items():
        left = len(narrowings) - known[place]
        # Where a line has some in either text, those that come from a widened variable are the new ones.
        told = sorted(
            ((home, _widened(declared, origins)) for home, declared in narrowings), key=lambda each: not each[1]
        )
        for home, widened in told[: max(left, 0)]:
            match = _TYPES.search(home.text)
            detail = (match[0] if match else home.text) + (f"; {widened}" if widened else "")
            yield home._replace(severity="warning", text=message.format(detail=detail), id=ID)


def _widened(declared: Sequence[Message], origins: Origins) -> str:
    """Which of the variables the translation has widened, in words."""
    homes = [home for each in declared if _has_new_type(each, home := origins.home(each))]
    return "; ".join(f"{home.text}, which the translation widened in line {home.line}" for home in homes)


def _has_new_type(declared: Message, home: Message) -> bool:
    """What stands before a variable's name in its line is not what it was."""
    new = home.output_line.encode()[: declared.column - 1]
    return bool(home.output_line) and new.split() != home.source_line.encode()[: home.column - 1].split()
