"""Short pieces of code without their comments: the bodies of macros, the conditions of directives."""

from __future__ import annotations

from hipify_py.patterns import lazy

_TEXT_OR_COMMENT = lazy(rb"""(?s)("(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])')|/\*.*?(?:\*/|\Z)|//[^\n]*""")


def without_comments(code: bytes) -> bytes:
    """A piece of code with a blank for each comment; one that is not closed goes on to the end."""
    return _TEXT_OR_COMMENT.sub(lambda match: match[1] or b" ", code) if b"/" in code else code
