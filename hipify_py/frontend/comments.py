"""Short pieces of code on one line, without comments: the bodies of macros, the conditions of directives."""

from __future__ import annotations

from hipify_py.core.patterns import lazy_pattern
from hipify_py.frontend.lexer import SPLICE

_SPLICE = lazy_pattern(SPLICE)
_TEXT_OR_COMMENT = lazy_pattern(rb"""(?s)("(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])')|/\*.*?(?:\*/|\Z)|//[^\n]*""")


def strip_comments(code: bytes) -> bytes:
    """A piece of code with its continued lines joined, and with a blank for each comment.

    A comment that is not closed extends to the end.
    """
    if b"\\" in code:
        code = _SPLICE.sub(b"", code)
    return _TEXT_OR_COMMENT.sub(lambda match: match[1] or b" ", code) if b"/" in code else code
