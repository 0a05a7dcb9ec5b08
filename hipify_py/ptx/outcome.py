"""What an `asm` statement becomes, what follows from that, and why it stays."""

from __future__ import annotations

from typing import NamedTuple


class Piece(NamedTuple):
    """A place in the source that the replacement quotes."""

    start: int
    end: int


class Replacement(NamedTuple):
    """What takes a statement's place: text and quoted ranges of the source.

    Attributes:
        pieces: new text, or places of operands.
        needs: sections of the support header.
        notes: what behaves differently, in words.
        narrow: instructions whose lane mask a 32-bit operand keeps the lower half of.
        masks: outputs of 32 bits that are given a lane mask, which has 64 in HIP.
    """

    pieces: tuple[str | Piece, ...]
    needs: frozenset[str]
    notes: tuple[str, ...]
    narrow: tuple[str, ...]
    masks: tuple[Piece, ...] = ()


class Unconvertible(Exception):
    """A finding takes the place of a replacement."""

    def __init__(self, id: str, detail: str) -> None:
        super().__init__(detail)
        self.id = id
        self.detail = detail


class Consequences:
    """What follows from the text that is written, gathered on the way; as in `Replacement`."""

    def __init__(self) -> None:
        self.needs: set[str] = set()
        self.notes: list[str] = []
        self.narrow: list[str] = []


def because(detail: str) -> str:
    """The detail in parentheses, to stand behind what it is about; nothing where there is none."""
    return f" ({detail})" if detail else ""
