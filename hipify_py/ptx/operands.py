"""Operands of PTX instructions: numbers, registers, addresses, and their combinations."""

from __future__ import annotations

from typing import NamedTuple


class Argument(NamedTuple):
    """An operand of the `asm` statement, by number."""

    number: int


class Register(NamedTuple):
    """A register that the template declares."""

    name: str


class Special(NamedTuple):
    """A special register (`laneid`, `tid.x`)."""

    name: str


class Immediate(NamedTuple):
    """A number as written, with its sign."""

    text: str


class Address(NamedTuple):
    """`[base + offset]`; the offset is 0 where none is written."""

    base: Atom
    offset: Atom


class Vector(NamedTuple):
    """`{a, b}`."""

    items: tuple[Atom, ...]


class Pair(NamedTuple):
    """`a|b`: two results."""

    first: Atom
    second: Atom


class Negated(NamedTuple):
    """`!p`: a predicate's opposite."""

    base: Atom


Atom = Argument | Register | Special | Immediate
Value = Atom | Address | Vector | Pair | Negated
