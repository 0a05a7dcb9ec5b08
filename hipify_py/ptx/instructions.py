"""Parses a template's text as PTX: the registers that it declares, and instructions with their operands."""

from __future__ import annotations

import re
from typing import NamedTuple

from hipify_py.core.patterns import lazy_pattern
from hipify_py.ptx.branches import Jump, Label, Step, structure_steps
from hipify_py.ptx.operands import Address, Argument, Atom, Immediate, Negated, Pair, Register, Special, Value, Vector
from hipify_py.ptx.statement import Unreadable

_COMMENTS = lazy_pattern(r"//[^\n]*|/\*(?s:.*?)(?:\*/|\Z)")
_TOKEN = lazy_pattern(
    r"""\s*(?:
        (?P<argument>%(?:[0-9]+|\[\s*\w+\s*\]))
      | (?P<number>(?:0[fF][0-9a-fA-F]{8}|0[dD][0-9a-fA-F]{16}|0[xX][0-9a-fA-F]+|0[bB][01]+
            |[0-9]+\.[0-9]*(?:[eE][+-]?[0-9]+)?|[0-9]+)[uU]?(?![\w.]))
      | (?P<word>%{0,2}[A-Za-z_$][\w$]*(?:(?:\.|::)\w+)*)
      | (?P<directive>\.\w+)
      | (?P<mark>%%|%[{}|]|[{}\[\](),;:+\-!~@|<>=])
    )""",
    re.VERBOSE,
)
_TYPE = lazy_pattern(r"\.(?:pred|[busf](?:8|16|32|64|128)|f16x2|bf16|bf16x2)\Z")
_MOST_TOKENS = 20_000  # nobody would port a longer template by rules


class Instruction(NamedTuple):
    """One instruction; `guard` is the predicate that it is executed under, `inverted` for `@!p`."""

    opcode: str
    operands: tuple[Value, ...]
    guard: Atom | None = None
    inverted: bool = False


class Program(NamedTuple):
    """A template: its declared registers with their types, its instructions in order, and their control flow.

    `steps` are loops and conditions of the instructions' numbers; empty where each is executed once, in order.
    """

    registers: dict[str, str]
    instructions: tuple[Instruction, ...]
    steps: tuple[Step, ...] = ()


def opcodes(template: str) -> list[str]:
    """The opcodes of a template, each once, even where it cannot be parsed as a whole."""
    code = _COMMENTS.sub(" ", template)
    found = re.findall(
        r"(?:\A|[;{}])\s*(?:\w+:\s*)?(?:@!?%?%?[\w$\[\]]+\s+)?([a-z][a-z0-9]*(?:(?:\.|::)\w+)*)(?=[\s;\[{]|\Z)", code
    )
    return list(dict.fromkeys(found))


def parse(template: str, names: dict[str, int], count: int) -> Program:
    """Parse a template.

    Args:
        template: its text, after the string literals' escapes.
        names: the operands that have symbolic names, with their numbers.
        count: the number of operands of the statement.

    Raises:
        Unreadable: for other kinds of PTX: calls, unstructured branches, a macro's pasted parts.
    """
    return _Parser(_COMMENTS.sub(" ", template), names, count).program()


class _Parser:
    def __init__(self, text: str, names: dict[str, int], count: int) -> None:
        self._names = names
        self._count = count
        self._tokens: list[tuple[str, str]] = []
        self._at = 0
        self._registers: dict[str, str] = {}
        self._scopes: list[dict[str, str]] = [{}]
        """Declared names of each open scope, with the names that they get here."""
        place, end = 0, len(text.rstrip())
        while place < end:
            match = _TOKEN.match(text, place)
            if match is None or match.lastgroup is None:
                raise Unreadable(f"'{text[place : place + 12].strip()}' in its template cannot be read")
            token = match[match.lastgroup]
            self._tokens.append(
                (match.lastgroup, token[1:] if match.lastgroup == "mark" and token[0] == "%" else token)
            )
            place = match.end()
            if len(self._tokens) > _MOST_TOKENS:
                raise Unreadable("its template is too long")

    def program(self) -> Program:
        instructions: list[Instruction] = []
        items: list[int | Label | Jump] = []
        while self._at < len(self._tokens):
            kind, token = self._next()
            if token == ";" and kind == "mark":
                continue
            if token == "{" and kind == "mark":
                self._scopes.append({})
            elif token == "}" and kind == "mark":
                if len(self._scopes) == 1:
                    raise Unreadable("its braces are unbalanced")
                self._scopes.pop()
            elif kind == "directive":
                self._directive(token)
            elif kind == "word" and self._peek() == ":":
                self._at += 1
                items.append(Label(token))
            else:
                instruction = self._instruction(kind, token)
                if isinstance(instruction, Instruction):
                    items.append(len(instructions))
                    instructions.append(instruction)
                else:
                    items.append(instruction)
        if len(self._scopes) > 1:
            raise Unreadable("its braces are unbalanced")
        has_branches = any(not isinstance(item, int) for item in items)
        return Program(self._registers, tuple(instructions), structure_steps(items) if has_branches else ())

    def _next(self) -> tuple[str, str]:
        if self._at >= len(self._tokens):
            raise Unreadable("its template ends within an instruction")
        self._at += 1
        return self._tokens[self._at - 1]

    def _peek(self) -> str:
        return self._tokens[self._at][1] if self._at < len(self._tokens) else ";"

    def _take(self, mark: str) -> bool:
        if self._peek() == mark:
            self._at += 1
            return True
        return False

    def _expect(self, mark: str) -> None:
        if not self._take(mark):
            raise Unreadable(f"'{self._peek()}' appears where its template needs '{mark}'")

    def _directive(self, token: str) -> None:
        """`.reg .type a, b<4>;`"""
        if token != ".reg":
            raise Unreadable(f"it has the directive {token}")
        kind, type = self._next()
        if kind != "directive" or _TYPE.match(type) is None:
            raise Unreadable(f"it declares registers of type {type}")
        while True:
            kind, name = self._next()
            if kind != "word":
                raise Unreadable("a register's declaration cannot be read")
            name = name.lstrip("%")
            if self._take("<"):
                _, count = self._next()
                self._expect(">")
                if not count.isdigit() or int(count) > 256:
                    raise Unreadable("a register's declaration cannot be read")
                for number in range(int(count)):
                    self._declare(f"{name}{number}", type[1:])
            else:
                self._declare(name, type[1:])
            if not self._take(","):
                break
        self._end()

    def _declare(self, name: str, type: str) -> None:
        own = name
        while self._registers.get(own, type) != type or (own in self._registers and own != name):
            own += "_"
        if own in self._registers and name in self._scopes[-1]:
            raise Unreadable(f"it declares {name} twice")
        self._registers[own] = type
        self._scopes[-1][name] = own

    def _end(self) -> None:
        """A `;`, which may be missing at the template's end and before a closing brace."""
        if self._at < len(self._tokens) and self._peek() != "}":
            self._expect(";")

    def _instruction(self, kind: str, token: str) -> Instruction | Jump:
        guard: Atom | None = None
        inverted = False
        if token == "@":
            inverted = self._take("!")
            guard = self._atom(*self._next())
            kind, token = self._next()
        if kind != "word" or token[0] == "%":
            raise Unreadable(f"'{token}' appears where an instruction is expected")
        if token in ("bra", "bra.uni"):
            kind, target = self._next()
            self._end()
            if kind != "word":
                raise Unreadable("a branch has no label")
            return Jump(target, guard, inverted)
        operands: list[Value] = []
        if self._peek() not in (";", "}"):
            operands.append(self._operand())
            while self._take(","):
                operands.append(self._operand())
        self._end()
        return Instruction(token, tuple(operands), guard, inverted)

    def _operand(self) -> Value:
        if self._take("!"):
            return Negated(self._atom(*self._next()))
        if self._take("["):
            return self._address()
        if self._take("{"):
            items = [self._signed()]
            while self._take(","):
                items.append(self._signed())
            self._expect("}")
            return Vector(tuple(items)) if len(items) > 1 else items[0]  # one register in braces is that register
        first = self._signed()
        return Pair(first, self._signed()) if self._take("|") else first

    def _address(self) -> Address:
        base = self._signed()
        offset: Atom = Immediate("0")
        if self._take("+"):
            offset = self._signed()
        elif self._take("-"):
            offset = Immediate("-" + self._next()[1])
        self._expect("]")
        return Address(base, offset)

    def _signed(self) -> Atom:
        if self._take("-"):
            atom = self._atom(*self._next())
            if not isinstance(atom, Immediate):
                raise Unreadable("a register has a sign")
            return Immediate("-" + atom.text)
        return self._atom(*self._next())

    def _atom(self, kind: str, token: str) -> Atom:
        if kind == "argument":
            number = int(token[1:]) if token[1:].isdigit() else self._names.get(token[2:-1].strip(), -1)
            if not 0 <= number < self._count:
                raise Unreadable(f"it has no operand {token}")
            return Argument(number)
        if kind == "number":
            return Immediate(token)
        if kind == "word":
            name = token.lstrip("%")
            if name == "_":
                return Register("_")
            for scope in reversed(self._scopes):
                if name in scope:
                    return Register(scope[name])
            if token[0] == "%":
                return Special(name)
            if token == "WARP_SZ":
                return Special(token)
        raise Unreadable(f"'{token}' in its template is not a declared register")
