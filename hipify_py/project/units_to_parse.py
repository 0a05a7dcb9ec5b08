"""Which sources are parsed to settle the doubts of files: one parse of a source tells of its headers as well."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple


class Units(NamedTuple):
    """What is parsed.

    Attributes:
        files: by source, the files that its parse is asked about.
        left_out: the files that no source among them includes.
    """

    files: Mapping[str, Sequence[str]]
    left_out: Sequence[str]


def units_to_parse(mains: Mapping[str, Sequence[str]], doubts: Mapping[str, int], most: int | None = None) -> Units:
    """The sources to parse, no more than `most`: first those that settle the most doubts, second includers last.

    Args:
        mains: by file, the sources that it may be parsed through, the best first; at least one.
        doubts: by file, how many it leaves.
    """
    covered: dict[str, list[str]] = {}
    for path, sources in mains.items():
        covered.setdefault(sources[0], []).append(path)
    order = sorted(covered, key=lambda main: (-sum(doubts[path] for path in covered[main]), main))
    further: dict[str, list[str]] = {}
    for path, sources in mains.items():
        for main in sources[1:]:
            (covered if main in covered else further).setdefault(main, []).append(path)
    chosen = [*order, *sorted(further)][:most]
    files = {main: covered.get(main) or further[main] for main in chosen}
    asked = {path for paths in files.values() for path in paths}
    return Units(files, [path for path in mains if path not in asked])
