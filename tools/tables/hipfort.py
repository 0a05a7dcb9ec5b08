"""Derives the names of hipfort's interfaces from its sources."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from hipify_py.fortran.statements import statements_of

_RELEASE = re.compile(r"^##\s+hipfort\s+(.+?)\s*$", re.MULTILINE)
_HEAD = """\
# The names of hipfort's interfaces by module, from lib/hipfort of github.com/ROCm/hipfort.
# Written by `python -m tools.tables hipfort CHECKOUT`; do not edit.
"""


class NoHipfort(ValueError):
    """A folder is not a checkout of hipfort."""


def table_of(checkout: Path) -> str:
    """The table for a checkout of hipfort.

    Raises:
        NoHipfort: it is none.
    """
    sources = sorted((checkout / "lib" / "hipfort").glob("hipfort*.f"))
    changes = checkout / "CHANGELOG.md"
    release = _RELEASE.search(changes.read_text(encoding="utf-8")) if changes.is_file() else None
    if not sources or release is None:
        raise NoHipfort(f"{checkout}: no lib/hipfort, or no version in CHANGELOG.md")
    lines = [_HEAD, f"release: {release[1]}\n", "modules:\n"]
    for source in sources:
        names = sorted(dict.fromkeys(interfaces_in(source)), key=str.lower)
        if names:
            lines.append(f"  {source.stem}:\n")
            lines += [f"  - {name}\n" for name in names]
    return "".join(lines)


def interfaces_in(source: Path) -> Iterator[str]:
    """The names of the interfaces of a source: of generic ones, and of procedures in blocks without a name.

    Names that end in an underscore are hipfort's own.
    """
    is_nameless = False
    for statement in statements_of(f"{source}90", source.read_text(encoding="utf-8")):  # free form, whatever the name
        words, name = statement.words, ""
        if words[0] == "interface":
            is_nameless = len(words) == 1
            name = "" if is_nameless else statement.tokens[1].written
        elif words[:2] == ["end", "interface"]:
            is_nameless = False
        elif is_nameless and words[0] in {"function", "subroutine"}:
            name = statement.tokens[1].written
        if name and not name.endswith("_"):
            yield name
