"""Plain text with names of code in it, as Markdown."""

from __future__ import annotations

import re

_CODE_SPAN = re.compile(r"(`[^`]+`)")
_NAME = re.compile(r"(<[\w./]+>|(?:[\w/]+(?:::|/))*\w*_\w*(?:::\w+)*(?:\.(?:hpp|h|py)\b)?\*?(?:<[^<>]+>)?(?:\(\w*\))?)")
"""What Markdown would take apart: headers in angle brackets, and names with underscores, which stand for emphasis."""


def markdown(text: str) -> str:
    """Text that reads in Markdown as it was written: names become code, and what else is markup is escaped.

    Code in backticks stays as it is.
    """
    spans = _CODE_SPAN.split(text)
    return "".join(span if at % 2 else _plain(span) for at, span in enumerate(spans))


def _plain(text: str) -> str:
    names = _NAME.split(text)
    return "".join(f"`{part}`" if at % 2 else _escaped(part) for at, part in enumerate(names))


def _escaped(text: str) -> str:
    return re.sub(r"([\\*\[\]])", r"\\\1", text).replace("<", "&lt;")
