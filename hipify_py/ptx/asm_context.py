"""What stands around an `asm` statement, as far as what it becomes depends on it."""

from __future__ import annotations

from typing import NamedTuple


class Carry(NamedTuple):
    """Where the carry flag of a statement lives.

    Attributes:
        name: the variable that the statements of one chain share; empty where each statement has its own.
        is_declared: the statement declares that variable.
        comes_in: the flag comes from another function or macro, by way of shared memory.
        goes_out: it leaves for another one.
    """

    name: str = ""
    is_declared: bool = False
    comes_in: bool = False
    goes_out: bool = False

    @property
    def is_of_thread(self) -> bool:
        """It lives in shared memory, in a place of the thread's own."""
        return self.comes_in or self.goes_out


class Surroundings(NamedTuple):
    """What stands around a statement.

    Attributes:
        in_macro: the operands may be a macro's parameters, which stand for anything.
        in_kernel: it stands in the body of a kernel itself, where `return` ends the thread.
        emulates_warp32: the program's warps stay at 32 lanes, two in a wavefront of 64.
        carry: where the carry flag lives.
    """

    in_macro: bool = False
    in_kernel: bool = False
    emulates_warp32: bool = False
    carry: Carry = Carry()
