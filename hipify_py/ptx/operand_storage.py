"""Where the values of a statement are kept: in the operands' own expressions, or in variables beside them."""

from __future__ import annotations

import re
from collections.abc import Callable

from hipify_py.ptx.matching import MatchedStatement
from hipify_py.ptx.outcome import Piece
from hipify_py.ptx.statement import Operand

_SIMPLE = re.compile(r"[A-Za-z_]\w*(?:(?:\.|->)[A-Za-z_]\w*|\[\w+\])*|[0-9][\w.]*")
_KEYWORDS = """
    and or not xor bitand bitor compl int char short long float double bool auto if else for do while switch case
    default break continue return goto new delete this true false signed unsigned const static register template
    class struct union enum void typedef using namespace operator public private protected try catch throw volatile
    half half2 min max abs
"""
_RESERVED = frozenset(_KEYWORDS.split())
"""Names that a register of a template may have, and a variable may not."""

TypeOf = Callable[[Operand], str]
"""The C++ type that an operand is known to have, or an empty string."""


class OperandStorage:
    """The places of operands, and the names of variables.

    A quoted operand is a mark in the text until `cut` makes a piece of it.

    Attributes:
        inline: inputs that are inlined into the instruction that reads them.
        direct: outputs that instructions assign to, without a variable between.
        names: the variables of the template's registers.
        carry: the variable of the carry.
    """

    def __init__(self, matched: MatchedStatement, type_of: TypeOf) -> None:
        self._matched = matched
        self._type_of = type_of
        shared = matched.around.carry.name
        self._words = {*re.findall(r"[A-Za-z_]\w*", " ".join(matched.texts)), shared}
        self.names = {name: self.free(name) for name in matched.registers}
        self.carry = shared or _free(self._own("carry"), self._words | set(self.names.values()))
        self.inline: set[int] = set()
        self.direct: set[int] = set()

    def inline_all(self) -> None:
        """Inline every operand."""
        operands = self._matched.operands
        self.inline = set(range(len(operands)))
        self.direct = {number for number, operand in enumerate(operands) if operand.is_output}

    def store_for_block(self) -> None:
        """Inline the operands if inputs are still read first and outputs written last."""
        matched = self._matched
        if matched.has_branches:  # what is read may be read again, after something was written
            self.inline = {number for number, type in enumerate(matched.types) if type == "n"}
            return
        self.inline = {
            number
            for number, operand in enumerate(matched.operands)
            if not operand.is_output
            and number not in matched.aliases
            and len(matched.uses[number].reads) == 1
            and (len(matched.matches) == 1 or self.is_simple(number))
        } | {number for number, type in enumerate(matched.types) if type == "n"}
        last = max((matched.uses[n].reads[-1] for n in self.inline if matched.uses[n].reads), default=-1)
        self.direct = {
            number
            for number, operand in enumerate(matched.operands)
            if operand.is_output
            and operand.constraint[:1] == "="
            and number not in matched.starts
            and not matched.uses[number].reads
            and len(matched.uses[number].writes) == 1
            and matched.uses[number].writes[0] >= last
        }

    def is_simple(self, number: int) -> bool:
        """Whether its expression may be read twice, and binds tighter than any operator beside it."""
        return not self._matched.around.in_macro and _SIMPLE.fullmatch(self._matched.texts[number]) is not None

    def known_type(self, number: int) -> str:
        """The C++ type that an operand is known to have, or an empty string."""
        return self._type_of(self._matched.operands[number])

    def quoted(self, number: int) -> str:
        """An operand's expression."""
        return f"\0{number}\0"

    def initial(self, number: int) -> str:
        """An operand's expression as the initializer of a variable."""
        type = self._matched.types[number]
        quoted = self.quoted(number)
        if type == "b64" and self.known_type(number).removeprefix("unsigned ") not in ("long long", "long"):
            return f"(unsigned long long)({quoted})" if not self.is_simple(number) else f"(unsigned long long){quoted}"
        return quoted

    def variable(self, number: int) -> str:
        """The variable of an operand."""
        word = "out" if self._matched.operands[number].is_output else "in"
        return self.free(f"{word}{number}")

    def free(self, name: str) -> str:
        """The name, with underscores after it where an operand's expression or C++ uses it."""
        return _free(self._own(name), self._words)

    def _own(self, name: str) -> str:
        """The name; in a macro, whose arguments may have any name, one that no argument has."""
        return f"ptx_{name}" if self._matched.around.in_macro else name

    def cut(self, text: str) -> tuple[str | Piece, ...]:
        """Text with marks of operands, split at them."""
        pieces: list[str | Piece] = []
        for at, part in enumerate(text.split("\0")):
            if at % 2:
                operand = self._matched.operands[int(part)]
                pieces.append(Piece(operand.start, operand.end))
            elif part:
                pieces.append(part)
        return tuple(pieces)


def _free(name: str, taken: set[str]) -> str:
    """The name, with underscores after it where it means something else."""
    name = re.sub(r"\W", "_", name)
    while name in taken or name in _RESERVED:
        name += "_"
    return name
