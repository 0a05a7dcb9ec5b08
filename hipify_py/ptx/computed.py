"""Replacements that are computed from an instruction's constants."""

from __future__ import annotations

from collections.abc import Callable

from hipify_py.ptx.catalog import Match
from hipify_py.ptx.operands import Immediate
from hipify_py.ptx.types import number

_TABLES = {"{a}": 0xF0, "{b}": 0xCC, "{c}": 0xAA}


def lop3(match: Match) -> str:
    """The shortest expression of `&`, `|`, `^` and `~` for a truth table of three inputs."""
    table = match.values["e"]
    assert isinstance(table, Immediate)
    return _shortest(number(table.text) & 0xFF)


def _shortest(wanted: int) -> str:
    """Breadth first over expressions, by length; every table is reached."""
    known = {0x00: "0u", 0xFF: "~0u", **{value: text for text, value in _TABLES.items()}}
    if wanted in known:
        return known[wanted]
    known = {value: text for text, value in _TABLES.items()}
    for text, value in _TABLES.items():
        known[~value & 0xFF] = f"~{text}"
    while wanted not in known:
        found: dict[int, str] = {}
        for left, first in known.items():
            for right, second in known.items():
                for sign, value in (("&", left & right), ("|", left | right), ("^", left ^ right)):
                    text = f"{_inner(first, sign)} {sign} {_inner(second, sign)}"
                    for table, form in ((value, text), (~value & 0xFF, f"~({text})")):
                        if table not in known and (table not in found or _cost(form) < _cost(found[table])):
                            found[table] = form
        known |= found
    return known[wanted]


def _inner(text: str, sign: str) -> str:
    """The text in parentheses, unless it is one term or only has the same operator in it."""
    is_term = " " not in text or (text.startswith("~(") and text.endswith(")") and ")" not in text[:-1])
    return text if is_term or set(text) & set("&|^(") <= {sign} else f"({text})"


def _cost(text: str) -> tuple[int, int, str]:
    return sum(text.count(mark) for mark in ("{a}", "{b}", "{c}")), len(text), text


COMPUTED: dict[str, Callable[[Match], str]] = {"lop3": lop3}
