"""The replacement of an `asm` statement, its consequences, or the reason why the statement stays."""

from __future__ import annotations

from typing import NamedTuple


class Piece(NamedTuple):
    """A range of the source that the replacement quotes."""

    start: int
    end: int


class Replacement(NamedTuple):
    """The replacement of a statement: text and quoted ranges of the source.

    Attributes:
        pieces: new text, or places of operands.
        needs: sections of the support header.
        notes: what behaves differently, in words.
        narrow: instructions whose lane mask is truncated to a 32-bit operand.
        masks: outputs of 32 bits that receive a lane mask, which has 64 in HIP.
    """

    pieces: tuple[str | Piece, ...]
    needs: frozenset[str]
    notes: tuple[str, ...]
    narrow: tuple[str, ...]
    masks: tuple[Piece, ...] = ()


class Unconvertible(Exception):
    """A finding replaces the replacement."""

    def __init__(self, id: str, detail: str) -> None:
        super().__init__(detail)
        self.id = id
        self.detail = detail


class Consequences:
    """The consequences of the text that is written, collected on the way; as in `Replacement`."""

    def __init__(self) -> None:
        self.needs: set[str] = set()
        self.notes: list[str] = []
        self.narrow: list[str] = []


def because(detail: str) -> str:
    """The detail in parentheses, to follow what it is about; empty where there is none."""
    return f" ({detail})" if detail else ""
