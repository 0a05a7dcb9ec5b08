"""The names of the tables, with their packed rows, as one block of bytes indexed by checksums.

A run over one file looks up a hundred names of twenty thousand: it reads them in place. A run over many makes
a dictionary of all of them, once it has looked up so many that this is faster.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from typing import TypeAlias
from zlib import crc32

_PLACE = 4
"""Bytes of an entry in the table of checksums."""
_NONE = 0xFFFFFFFF
_LINE = 80
"""Bytes that most rows fit in."""

_PATIENCE = 5_000
"""Names looked up one by one, before a dictionary is made."""

Block: TypeAlias = "bytes | memoryview"


def pack_names(rows: Mapping[bytes, bytes]) -> tuple[bytes, bytes]:
    """Names and their rows, alternating and one per line, and the places of the names in a table of checksums."""
    slots = 1 << (2 * len(rows)).bit_length()
    places = [_NONE] * slots
    lines: list[bytes] = []
    place = 0
    for name, row in rows.items():
        slot = crc32(name) & (slots - 1)
        while places[slot] != _NONE:
            slot = (slot + 1) & (slots - 1)
        places[slot] = place
        lines += name, row
        place += len(name) + len(row) + 2
    return b"".join(line + b"\n" for line in lines), b"".join(place.to_bytes(_PLACE, "little") for place in places)


def unpack_names(block: Block) -> dict[bytes, bytes]:
    """Rows by their names, in the order in which they were packed."""
    lines = bytes(block).split(b"\n")
    return dict(zip(lines[:-1:2], lines[1::2], strict=True))


class Names:
    """Rows by name."""

    __slots__ = ("_block", "_lookups", "_mask", "_patience", "_places")

    def __init__(self, block: Block, places: Block) -> None:
        """The result of `pack_names`."""
        self._block = memoryview(block)
        self._places = places
        self._mask = len(places) // _PLACE - 1
        self._lookups: dict[bytes, bytes] | None = None
        self._patience = _PATIENCE

    def row(self, name: bytes) -> bytes | None:
        """The packed row of a name; None when it is in no table."""
        if self._lookups is not None:
            return self._lookups.get(name)
        self._patience -= 1
        if self._patience < 0:
            return self.all().get(name)
        block, mask = self._block, self._mask
        slot = crc32(name) & mask
        while True:
            place = int.from_bytes(self._places[slot * _PLACE : (slot + 1) * _PLACE], "little")
            if place == _NONE:
                return None
            end = place + len(name)
            if block[place:end] == name and block[end] == 0x0A:
                return self._line(end + 1)
            slot = (slot + 1) & mask

    def _line(self, start: int) -> bytes:
        """The text from a place to the end of its line."""
        size = _LINE
        while True:
            line, newline, _ = bytes(self._block[start : start + size]).partition(b"\n")
            if newline:
                return line
            size *= 2

    def all(self) -> dict[bytes, bytes]:
        """All rows by their names."""
        if self._lookups is None:
            self._lookups = unpack_names(self._block)
        return self._lookups

    @property
    def is_unpacked(self) -> bool:
        """Whether the dictionary of all of them has been made."""
        return self._lookups is not None


class Words(AbstractSet[bytes]):
    """The words of the tables: their names, and the first segments of qualified ones."""

    __slots__ = ("_all", "_names", "_segments")

    def __init__(self, names: Names, segments: frozenset[bytes]) -> None:
        self._names = names
        self._segments = segments
        self._all: frozenset[bytes] | None = None

    def __contains__(self, word: object) -> bool:
        return isinstance(word, bytes) and (word in self._segments or self._names.row(word) is not None)

    def __iter__(self) -> Iterator[bytes]:
        return iter(self._frozen())

    def __len__(self) -> int:
        return len(self._frozen())

    def __rand__(self, words: set[bytes]) -> set[bytes]:
        """The result of `words & self`."""
        if self._all is None and not self._names.is_unpacked:
            return {word for word in words if word in self}
        return words & self._frozen()

    def _frozen(self) -> frozenset[bytes]:
        if self._all is None:
            self._all = self._segments.union(self._names.all())
        return self._all
