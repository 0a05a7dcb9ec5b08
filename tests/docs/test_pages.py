"""The pages read alike on GitHub and on the site, whose Markdown is stricter about lists."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from .pages import DOCS, REPOSITORY

_ITEM = re.compile(r"( *)(?:[-*]|\d+\.) ")

PAGES = [
    *(path for path in sorted(DOCS.rglob("*.md")) if path.parent.name not in {"coverage", "diagnostics"}),
    *(REPOSITORY / name for name in ("CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md")),
]


def _prose(path: Path) -> list[str]:
    """A page's lines, those of code left empty."""
    lines, in_code = [], False
    for line in path.read_text(encoding="utf-8").splitlines():
        fence = line.lstrip().startswith("```")
        lines.append("" if fence or in_code else line)
        in_code ^= fence
    return lines


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.relative_to(REPOSITORY).as_posix())
def test_lists_are_lists_everywhere(path: Path) -> None:
    """An item within an item is indented by four blanks, and a list does not run on from a paragraph."""
    lines = _prose(path)
    wrong = []
    for before, line in zip(["", *lines], lines, strict=False):
        item = _ITEM.match(line)
        if item is None:
            continue
        runs_on = before and not before.startswith((" ", "-", "*")) and not _ITEM.match(before)
        if len(item[1]) % 4 or runs_on:
            wrong.append(line)
    assert wrong == []
