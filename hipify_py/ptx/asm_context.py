"""The context of an `asm` statement, as far as its replacement depends on it."""

from __future__ import annotations

from typing import NamedTuple


class Carry(NamedTuple):
    """Where the carry flag of a statement is kept.

    Attributes:
        name: the variable that the statements of one chain share; empty where each statement has its own.
        is_declared: the statement declares that variable.
        comes_in: the flag comes from another function or macro, through shared memory.
        goes_out: the flag is passed to another one.
    """

    name: str = ""
    is_declared: bool = False
    is_incoming: bool = False
    is_outgoing: bool = False

    @property
    def is_of_thread(self) -> bool:
        """Whether it is in shared memory, in a slot of the thread's own."""
        return self.is_incoming or self.is_outgoing


class AsmContext(NamedTuple):
    """The context of a statement.

    Attributes:
        in_macro: the operands may be a macro's parameters, which can be anything.
        in_kernel: it is in the body of a kernel itself, where `return` ends the thread.
        emulates_warp32: the program's warps stay at 32 lanes, two in a wavefront of 64.
        carry: where the carry flag is kept.
    """

    in_macro: bool = False
    in_kernel: bool = False
    emulates_warp32: bool = False
    carry: Carry = Carry()
