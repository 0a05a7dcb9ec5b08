"""Generated pages: which of a folder's are stale, and how they are brought up to date."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path


def stale(folder: Path, wanted: Mapping[str, str]) -> list[str]:
    """The names of pages in a folder that are missing, outdated or superfluous."""
    there = {path.name: path.read_text(encoding="utf-8") for path in folder.glob("*.md")}
    return sorted(name for name in there.keys() | wanted.keys() if there.get(name) != wanted.get(name))


def write(folder: Path, wanted: Mapping[str, str], names: Iterable[str]) -> None:
    """Write the named pages, and remove those among them that are not wanted.

    Raises:
        OSError: when one cannot be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for name in names:
        if name in wanted:
            (folder / name).write_text(wanted[name], encoding="utf-8", newline="\n")
        else:
            (folder / name).unlink()
