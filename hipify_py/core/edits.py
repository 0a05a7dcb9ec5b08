"""Edits of byte ranges, their application, and the map between positions before and after."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple


class Edit(NamedTuple):
    """Replace `data[start:end]` by `text`; an insertion has `start == end`."""

    start: int
    end: int
    text: bytes


class Move(NamedTuple):
    """Replace `[start, end)` by pieces: new text, or ranges of the source with their own edits applied."""

    start: int
    end: int
    pieces: tuple[bytes | tuple[int, int], ...]


class CompositeEdit(NamedTuple):
    """Moves that belong together (one call's arguments), all read from the source as it was before them."""

    moves: tuple[Move, ...]


def replaced(start: int, end: int, *pieces: bytes | tuple[int, int]) -> CompositeEdit:
    """`[start, end)` replaced as a whole; other edits inside the range are applied only in the pieces."""
    return CompositeEdit((Move(start, end, pieces),))


class OverlappingEdits(ValueError):
    """Two edits touch the same byte: a rule's bug, or rules that parse broken code differently.

    Attributes:
        start: the start of the first one.
        end: the end of the one that reaches further.
    """

    def __init__(self, first: Edit, second: Edit) -> None:
        super().__init__(f"{first} and {second}")
        self.start = min(first.start, second.start)
        self.end = max(first.end, second.end)


def ordered(edits: Iterable[Edit]) -> list[Edit]:
    """The edits by place, without duplicates; insertions at one place keep their order.

    Raises:
        OverlappingEdits: if a byte would be edited twice.
    """
    result = sorted(edits, key=_place)
    for before, after in pairwise(result):
        if after.start < before.end:
            raise OverlappingEdits(before, after)
    return result


def _place(edit: Edit) -> tuple[int, bool]:
    return edit.start, edit.start != edit.end


def apply(data: bytes, edits: Iterable[Edit]) -> bytes:
    """`data` with the edits applied; every byte outside them is the input's.

    Raises:
        OverlappingEdits: if two edits touch the same byte.
    """
    return _applied(data, edits, 0, len(data))


def _applied(data: bytes, edits: Iterable[Edit], first: int, last: int) -> bytes:
    """`data[first:last]` with the edits inside it applied."""
    pieces: list[bytes] = []
    done = first
    for start, end, text in ordered(edits):
        pieces.append(data[done:start])
        pieces.append(text)
        done = end
    pieces.append(data[done:last])
    return b"".join(pieces)


def composed(data: bytes, first: Sequence[Edit], second: Iterable[Edit]) -> list[Edit]:
    """The edits of `data` that combine `first` and then `second`, which apply to the result of `first`."""
    between = apply(data, first)
    touched: list[tuple[int, int, int, Edit | None]] = [(edit.start, edit.end, 0, edit) for edit in second]
    shift = 0
    for start, end, text in ordered(first):
        touched.append((start + shift, start + shift + len(text), end - start - len(text), None))
        shift += len(text) - (end - start)
    touched.sort(key=lambda region: region[:2])
    result: list[Edit] = []
    grown = 0  # how far the input is ahead of the intermediate text
    at = 0
    while at < len(touched):
        start, end, growth, edits = touched[at][0], touched[at][1], 0, []
        while at < len(touched) and touched[at][0] <= end:
            end, growth = max(end, touched[at][1]), growth + touched[at][2]
            edit = touched[at][3]
            if edit is not None:
                edits.append(edit)
            at += 1
        text = _applied(between, edits, start, end)
        place = start + grown, end + grown + growth
        grown += growth
        if data[slice(*place)] != text:
            result.append(Edit(*place, text))
    return result


def _within(edits: list[Edit], start: int, end: int) -> list[Edit]:
    """Those of the edits, sorted by start, that lie within `[start, end)`."""
    first, last = bisect_left(edits, start, key=_start), bisect_right(edits, end, key=_start)
    return [edit for edit in edits[first:last] if edit.end <= end]


def _carve(edits: list[Edit], move: Move) -> None:
    """Remove the edits within a move's range from `edits`, which are sorted by start."""
    first, last = bisect_left(edits, move.start, key=_start), bisect_right(edits, move.end, key=_start)
    edits[first:last] = [edit for edit in edits[first:last] if edit.end > move.end or _is_of_neighbour(edit, move)]


def _is_of_neighbour(edit: Edit, move: Move) -> bool:
    """Whether an edit is an insertion at an end of a move's range that belongs to the text next to the range.

    Text around an argument is added by two insertions. One that closes a bracket belongs to the text before it, as does
    a further argument; one that opens a bracket belongs to the text after it. Pieces include the insertions at their
    ends.
    """
    place, end, text = edit
    if place != end or any(not isinstance(piece, bytes) and piece[0] <= place <= piece[1] for piece in move.pieces):
        return False
    opened = text.count(b"(") - text.count(b")")
    is_of_former = opened < 0 or (opened == 0 and text.startswith(b","))
    return (place == move.start and (is_of_former or opened == 0)) or (place == move.end and not is_of_former)


def resolve(data: bytes, edits: list[Edit], composites: Iterable[CompositeEdit]) -> list[Edit]:
    """Turn composites into edits, inner calls before outer ones."""
    result = sorted(edits, key=_start)
    for reshape in sorted(composites, key=_extent):
        texts = [b"".join(_piece(data, result, piece) for piece in move.pieces) for move in reshape.moves]
        for move in reshape.moves:
            if move.start != move.end:
                _carve(result, move)
        for move, text in zip(reshape.moves, texts, strict=True):
            result.insert(bisect_right(result, move.start, key=_start), Edit(move.start, move.end, text))
    return result


def dropped(composites: Iterable[CompositeEdit]) -> list[tuple[int, int]]:
    """The ranges of the source that composites drop completely: removed or replaced arguments."""
    found = []
    for reshape in composites:
        kept = [piece for move in reshape.moves for piece in move.pieces if not isinstance(piece, bytes)]
        found += [
            (move.start, move.end)
            for move in reshape.moves
            if move.start != move.end and not any(start < move.end and move.start < end for start, end in kept)
        ]
    return found


def _start(edit: Edit) -> int:
    return edit.start


def _extent(reshape: CompositeEdit) -> int:
    start, end = extent(reshape)
    return end - start


def extent(edit: Edit | CompositeEdit) -> tuple[int, int]:
    """The range of the source that an edit, or the moves of a composite, cover."""
    if isinstance(edit, Edit):
        return edit.start, edit.end
    return min(move.start for move in edit.moves), max(move.end for move in edit.moves)


def _piece(data: bytes, edits: list[Edit], piece: bytes | tuple[int, int]) -> bytes:
    if isinstance(piece, bytes):
        return piece
    return _applied(data, _within(edits, *piece), *piece)


class SourceMap:
    """Maps positions between output and input, in both directions.

    A byte of an edit's text belongs to the start of the range that it replaced.
    """

    __slots__ = ("_edits", "_inputs", "_outputs")

    def __init__(self, edits: Iterable[Edit]) -> None:
        self._edits = ordered(edits)
        self._inputs: list[int] = []
        self._outputs: list[int] = []
        shift = 0
        for start, end, text in self._edits:
            self._inputs.append(start)
            self._outputs.append(start + shift)
            shift += len(text) - (end - start)

    def to_input(self, offset: int) -> int:
        """The input offset that the output byte at `offset` comes from."""
        at = bisect_right(self._outputs, offset) - 1
        if at < 0:
            return offset
        start, end, text = self._edits[at]
        into = offset - self._outputs[at]
        return start if into < len(text) else end + into - len(text)

    def to_output(self, offset: int) -> int:
        """The output offset of the input byte at `offset`."""
        at = bisect_right(self._inputs, offset) - 1
        if at < 0:
            return offset
        _, end, text = self._edits[at]
        return self._outputs[at] + (0 if offset < end else len(text) + offset - end)
