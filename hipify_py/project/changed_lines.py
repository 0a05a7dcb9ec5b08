"""Which lines of a text are not those of an earlier one."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence

_MOST_PAIRS = 40_000
"""Pairs of lines that are compared one by one where no line stands out; of more, all count as changed."""

Span = tuple[int, int]
"""A first and a last line, both of it, from 1."""


def changed_lines(old: bytes, new: bytes) -> list[Span]:
    """The spans of lines of `new` that are added or changed, in order; line endings are no change."""
    before, after = _lines(old), _lines(new)
    gaps = [(0, len(before), 0, len(after))]
    found: list[Span] = []
    while gaps:
        gap = _trimmed(before, after, *gaps.pop())
        old_start, old_end, start, end = gap
        if start == end:
            continue
        anchors = _anchors(before, after, *gap) if old_start < old_end else []
        if anchors:
            gaps.extend(_between(gap, anchors))
        elif 0 < (old_end - old_start) * (end - start) <= _MOST_PAIRS:
            found.extend(_compared(before[old_start:old_end], after[start:end], start))
        else:
            found.append((start + 1, end))
    return sorted(found)


def touches(spans: Sequence[Span], first: int, last: int) -> bool:
    """One of some spans in order has a line from `first` to `last`."""
    at = bisect_left(spans, first, key=lambda span: span[1])
    return at < len(spans) and spans[at][0] <= max(first, last)


def _lines(text: bytes) -> list[bytes]:
    return [line.rstrip(b"\r") for line in text.split(b"\n")]


def _trimmed(
    before: list[bytes], after: list[bytes], old_start: int, old_end: int, start: int, end: int
) -> tuple[int, int, int, int]:
    """A gap without the lines that are equal at its beginning and at its end."""
    while old_start < old_end and start < end and before[old_start] == after[start]:
        old_start, start = old_start + 1, start + 1
    while old_start < old_end and start < end and before[old_end - 1] == after[end - 1]:
        old_end, end = old_end - 1, end - 1
    return old_start, old_end, start, end


def _anchors(before: list[bytes], after: list[bytes], old_start: int, old_end: int, start: int, end: int) -> list[Span]:
    """Lines that stand once on each side, in an order that both sides have: places before and after."""
    old_places = _single(before, old_start, old_end)
    new_places = _single(after, start, end)
    pairs = sorted((old_places[line], place) for line, place in new_places.items() if line in old_places)
    tails: list[int] = []
    chains: list[tuple[Span, int]] = []
    heads: list[int] = []
    for index, (_, place) in enumerate(pairs):
        length = bisect_left(tails, place)
        chains.append((pairs[index], heads[length - 1] if length else -1))
        if length == len(tails):
            tails.append(place)
            heads.append(index)
        else:
            tails[length], heads[length] = place, index
    found: list[Span] = []
    at = heads[-1] if heads else -1
    while at >= 0:
        pair, at = chains[at]
        found.append(pair)
    return found[::-1]


def _single(lines: list[bytes], start: int, end: int) -> dict[bytes, int]:
    """The lines that stand once in a part, with their places."""
    places: dict[bytes, int] = {}
    for index in range(start, end):
        places[lines[index]] = -1 if lines[index] in places else index
    return {line: place for line, place in places.items() if place >= 0}


def _between(gap: tuple[int, int, int, int], anchors: Iterable[Span]) -> Iterator[tuple[int, int, int, int]]:
    old_start, old_end, start, end = gap
    for old_place, place in anchors:
        yield old_start, old_place, start, place
        old_start, start = old_place + 1, place + 1
    yield old_start, old_end, start, end


def _compared(before: list[bytes], after: list[bytes], offset: int) -> Iterator[Span]:
    from difflib import SequenceMatcher

    for kind, _, _, start, end in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if kind in ("insert", "replace"):
            yield offset + start + 1, offset + end
