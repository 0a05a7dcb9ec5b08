"""Tracks the carry flag between `asm` statements.

PTX has one flag per thread. A variable replaces it: the statement's own where no other reads the flag, one that
the statements of a block share where they follow each other, else one of the thread, in shared memory, which passes
from function to function as the flag does.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from hipify_py.frontend.bodies import Bodies, Body
from hipify_py.frontend.lexer import Lexemes
from hipify_py.frontend.syntax import SyntaxTree, ancestor
from hipify_py.ptx.asm_context import Carry
from hipify_py.ptx.instructions import Program
from hipify_py.ptx.statement import Statement

if TYPE_CHECKING:
    from tree_sitter import Node

_READERS = frozenset({"addc", "subc", "madc"})
_WORD = re.compile(rb"[A-Za-z_]\w*")
_CALL = re.compile(rb"\b([A-Za-z_]\w*)\s*(?=\()|\[[^\]\[]*\]\s*[({]|\bgoto\b")
_NO_CALLS = frozenset({b"if", b"for", b"while", b"switch", b"return", b"sizeof", b"static_cast", b"pragma"})


class CarryUse(NamedTuple):
    """A statement's use of the flag: it reads the old one, sets it, or leaves it set by its last use."""

    statement: Statement
    reads: bool
    sets: bool
    leaves_carry: bool
    is_one: bool

    @property
    def is_exposed(self) -> bool:
        """Whether another statement has the other end of the carry: a single instruction sets it for that one."""
        return self.reads or (self.leaves_carry and self.is_one)


def carry_use(statement: Statement, program: Program) -> CarryUse | None:
    """A statement's use of the flag; None where it does not use it."""
    reads = is_set = is_left = False
    for instruction in program.instructions:
        sets = ".cc" in instruction.opcode
        if instruction.opcode.partition(".")[0] in _READERS:
            reads = reads or not is_set
            is_left = False
        if sets:
            is_set = is_set or instruction.guard is None
            is_left = True
    if not (reads or is_set or is_left):
        return None
    return CarryUse(statement, reads, is_set or is_left, is_left, len(program.instructions) == 1)


class _Chain(NamedTuple):
    """Statements that pass a carry on, within the block of the first of them."""

    block: Node
    uses: list[CarryUse]

    def takes(self, use: CarryUse) -> bool:
        """Whether the statement may read what the chain leaves; one that starts anew after the chain's end does not."""
        return use.statement.start < self.block.end_byte and (use.reads or self.uses[-1].leaves_carry)


class CarryFlow:
    """The carries of a source, by the offset of the statement."""

    def __init__(self, lexemes: Lexemes, tree: SyntaxTree, uses: Sequence[CarryUse]) -> None:
        self._lexemes = lexemes
        self._tree = tree
        self._carries: dict[int, Carry] = {}
        if not any(use.is_exposed for use in uses):
            return
        functions = Bodies(lexemes)
        open_uses: list[CarryUse] = []
        for function, group in groupby(uses, lambda use: self._function(functions, use)):
            of_function = list(group)
            if not self._chain_closed(function, of_function):
                open_uses += of_function
        if any(use.is_exposed for use in open_uses):
            self._carries |= {
                use.statement.start: Carry(is_incoming=use.reads, is_outgoing=use.sets) for use in open_uses
            }

    def at(self, statement: Statement) -> Carry:
        """Where the flag of a statement is kept."""
        return self._carries.get(statement.start, Carry())

    def _function(self, functions: Bodies, use: CarryUse) -> Body | None:
        start = use.statement.start
        return None if self._lexemes.define_around(start) is not None else functions.at(start)

    def _chain_closed(self, function: Body | None, uses: list[CarryUse]) -> bool:
        """Whether every carry of a function begins and ends in it; then its statements share a variable."""
        if function is None:
            return False
        chains: list[_Chain] = []
        for use in uses:
            if chains and chains[-1].takes(use):
                chains[-1].uses.append(use)
            elif use.reads:
                return False
            elif use.leaves_carry:
                block = self._block(use.statement)
                if block is not None:
                    chains.append(_Chain(block, [use]))
                elif use.is_exposed:
                    return False
        chains = [chain for chain in chains if any(use.is_exposed for use in chain.uses)]
        if not all(self._is_closed(chain) for chain in chains):
            return False
        name, declared = self._free_name(function), -1
        for chain in chains:
            for use in chain.uses:
                start = use.statement.start
                self._carries[start] = Carry(name, is_declared=use is chain.uses[0] and start >= declared)
            declared = max(declared, chain.block.end_byte)
        return True

    def _block(self, statement: Statement) -> Node | None:
        """The block that a statement is directly in; None for any other place."""
        own = ancestor(self._tree.leaf(statement.start, statement.start + 1), "expression_statement")
        block = own.parent if own is not None and own.start_byte == statement.start else None
        return block if block is not None and block.type == "compound_statement" else None

    def _is_closed(self, chain: _Chain) -> bool:
        """Whether the last statement leaves no carry, and nothing in the rest of its loop changes the flag."""
        first, last = chain.uses[0].statement, chain.uses[-1].statement
        node = self._tree.leaf(last.start, last.start + 1)
        while node is not None and node.parent is not None and node.parent.id != chain.block.id:
            node = node.parent
        if chain.uses[-1].leaves_carry or node is None:
            return False
        ends = [first.end, *(end for use in chain.uses[1:] for end in (use.statement.start, use.statement.end))]
        ends.append(max(node.end_byte, last.end))
        return not any(self._calls(start, end) for start, end in zip(ends[::2], ends[1::2], strict=True))

    def _calls(self, start: int, end: int) -> bool:
        return any(
            match[1] not in _NO_CALLS and self._lexemes.non_code_at(match.start()) is None
            for match in _CALL.finditer(self._lexemes.data, start, end)
        )

    def _free_name(self, function: Body) -> str:
        """A name that the function does not use."""
        words = {word[0] for word in _WORD.finditer(self._lexemes.data, function.head, function.end)}
        name = "carry"
        while name.encode() in words:
            name += "_"
        return name
