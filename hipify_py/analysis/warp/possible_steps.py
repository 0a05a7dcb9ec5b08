"""Texts in which no step can be (see `steps`): nearly all, and they need no tree for the question."""

from __future__ import annotations

from hipify_py.frontend.words import WORD_BYTES
from hipify_py.patterns import lazy

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re

_ELEMENT_SET = lazy(rb"\][\s\\)]*(?:(?:[-+*/%&|^]|<<|>>)?=(?!=)([^;]*)|/[/*])")
_COMMENT_OR_LITERAL = lazy(rb"/[/*]|[\"']")
_BLANKS = b" \t\r\n\\"


def may_have_steps(data: bytes) -> bool:
    """False only for a text in which no statement sets an element and reads another of the same memory.

    Most sources have none, and need no tree for the question.
    """
    return any(_may_be_step(data, found) for found in _ELEMENT_SET.finditer(data))


def _may_be_step(data: bytes, found: re.Match[bytes]) -> bool:
    right, opening = found[1], data.rfind(b"[", 0, found.start())
    if right is None or _COMMENT_OR_LITERAL.search(right) is not None:
        return True  # a comment may hide where the statement goes on
    index = data[opening + 1 : found.start()].strip(_BLANKS + b"()")
    if b"]" in index or _COMMENT_OR_LITERAL.search(index) is not None:
        return b"[" in right  # an element is the index itself, and `opening` belongs to it
    before = data[max(opening - 100, 0) : opening].rstrip(_BLANKS)
    memory = before[len(before.rstrip(WORD_BYTES)) :]
    behind = (rest.lstrip(_BLANKS + b")")[:1] for rest in right.split(index)[1:]) if index else ()
    return memory in right and any(sign in (b"+", b"-") for sign in behind)
