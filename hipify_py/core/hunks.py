"""What edits change, line by line: from the edits themselves, exactly and in one pass however large the file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from hipify_py.core.edits import Edit, apply

CONTEXT = 3
"""Lines that are shown around those that change."""


class Block(NamedTuple):
    """Lines `[start, start + len(old))` of the input, counted from 0, that become `new`."""

    start: int
    old: list[bytes]
    new: list[bytes]


class Hunk(NamedTuple):
    """Blocks that stand close together, with the lines around them.

    Attributes:
        start: its first line in the input, counted from 0.
        new_start: its first line in the output.
        parts: for each block the unchanged lines in front of it, its old and its new ones.
        behind: the unchanged lines behind the last.
    """

    start: int
    new_start: int
    parts: list[tuple[list[bytes], list[bytes], list[bytes]]]
    behind: list[bytes]


def hunks(data: bytes, edits: Sequence[Edit]) -> Iterator[Hunk]:
    """The lines that the edits change, and up to `CONTEXT` lines around them."""
    blocks = changed_lines(data, edits)
    lines = lines_of(data) if blocks else []
    shift = 0
    for close in _close(blocks):
        first = at = max(close[0].start - CONTEXT, 0)
        parts = []
        for block in close:
            parts.append((lines[at : block.start], block.old, block.new))
            at = block.start + len(block.old)
        yield Hunk(first, first + shift, parts, lines[at : at + CONTEXT])
        shift += sum(len(block.new) - len(block.old) for block in close)


def changed_lines(data: bytes, edits: Sequence[Edit]) -> list[Block]:
    """The lines that the edits change, joined where they touch."""
    blocks = []
    line, counted = 0, 0
    for start, end, inside in _regions(data, edits):
        line += data.count(b"\n", counted, start)
        counted = start
        shifted = [Edit(edit.start - start, edit.end - start, edit.text) for edit in inside]
        old, new = lines_of(data[start:end]), lines_of(apply(data[start:end], shifted))
        same = common(old, new)
        tail = common(old[same:][::-1], new[same:][::-1])
        if len(old) - tail > same or len(new) - tail > same:
            blocks.append(Block(line + same, old[same : len(old) - tail], new[same : len(new) - tail]))
    return blocks


def _regions(data: bytes, edits: Sequence[Edit]) -> list[tuple[int, int, list[Edit]]]:
    """Byte ranges of whole lines, each with the edits in it."""
    regions: list[tuple[int, int, list[Edit]]] = []
    for edit in edits:
        start = data.rfind(b"\n", 0, edit.start) + 1
        end = data.find(b"\n", edit.end) + 1 or len(data)
        if regions and start <= regions[-1][1]:
            regions[-1][2].append(edit)
            regions[-1] = (regions[-1][0], max(end, regions[-1][1]), regions[-1][2])
        else:
            regions.append((start, end, [edit]))
    return regions


def common(one: Sequence[Any], other: Sequence[Any]) -> int:
    """How many of their first elements two sequences share."""
    return next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


def _close(blocks: list[Block]) -> list[list[Block]]:
    """The blocks in groups: what stands between those of a group is shown whole."""
    groups: list[list[Block]] = []
    for block in blocks:
        if groups and block.start - (groups[-1][-1].start + len(groups[-1][-1].old)) <= 2 * CONTEXT:
            groups[-1].append(block)
        else:
            groups.append([block])
    return groups


def lines_of(data: bytes) -> list[bytes]:
    """The lines, each with its newline; the last may have none."""
    lines = [line + b"\n" for line in data.split(b"\n")]
    last = lines.pop()[:-1]
    return [*lines, last] if last else lines
