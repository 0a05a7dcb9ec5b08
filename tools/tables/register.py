"""Checks the register of findings: schema, order, and entries that explain nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from hipify_py.catalog.checking import problems
from hipify_py.catalog.lint import Flaw
from hipify_py.catalog.places import register_path

_HEAD = re.compile(r"^(\w+):", re.MULTILINE)


def lint_register(path: Path | None = None) -> list[Flaw]:
    """Everything that is wrong with the register (the tool's own unless another is given).

    Raises:
        OSError: when it cannot be read.
        UnicodeDecodeError: when it is not in UTF-8.
    """
    own = Path(register_path())
    path = path or own
    text = path.read_text(encoding="utf-8")
    found = [*problems(text, own.with_suffix(".schema.json")), *_disorder(text)]
    return [Flaw(path, line, what) for line, what in found]


def _disorder(text: str) -> Iterator[tuple[int, str]]:
    before = ""
    for match in _HEAD.finditer(text):
        if match[1] < before:
            yield text.count("\n", 0, match.start()) + 1, f"{match[1]} comes after {before}: entries go by number"
        before = max(before, match[1])
