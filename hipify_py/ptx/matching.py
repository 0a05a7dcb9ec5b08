"""Matches an `asm` statement with the tables: its instructions' entries, and the types and uses of its operands."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from hipify_py.ptx.asm_context import AsmContext
from hipify_py.ptx.catalog import Match, PtxCatalog
from hipify_py.ptx.instructions import Instruction, Program
from hipify_py.ptx.operands import Address, Argument, Atom, Immediate, Negated, Register, Special, Value, Vector
from hipify_py.ptx.outcome import Consequences, Unconvertible, because
from hipify_py.ptx.statement import Operand, Statement, Unreadable
from hipify_py.ptx.types import CONSTRAINTS, number

# Replacements that are computed from an instruction's constants.

_TABLES = {"{a}": 0xF0, "{b}": 0xCC, "{c}": 0xAA}


def lop3(match: Match) -> str:
    """The shortest expression of `&`, `|`, `^` and `~` for a truth table of three inputs."""
    table = match.values["e"]
    assert isinstance(table, Immediate)
    return _shortest(number(table.text) & 0xFF)


def _shortest(wanted: int) -> str:
    """Breadth first over expressions, by length; every table is reached."""
    shortest = {0x00: "0u", 0xFF: "~0u", **{value: text for text, value in _TABLES.items()}}
    if wanted in shortest:
        return shortest[wanted]
    shortest = {value: text for text, value in _TABLES.items()}
    for text, value in _TABLES.items():
        shortest[~value & 0xFF] = f"~{text}"
    while wanted not in shortest:
        found: dict[int, str] = {}
        for left, first in shortest.items():
            for right, second in shortest.items():
                for sign, value in (("&", left & right), ("|", left | right), ("^", left ^ right)):
                    text = f"{_inner(first, sign)} {sign} {_inner(second, sign)}"
                    for table, form in ((value, text), (~value & 0xFF, f"~({text})")):
                        if table not in shortest and (table not in found or _cost(form) < _cost(found[table])):
                            found[table] = form
        shortest |= found
    return shortest[wanted]


def _inner(text: str, sign: str) -> str:
    """The text in parentheses, unless it is one term or only has the same operator in it."""
    is_term = " " not in text or (text.startswith("~(") and text.endswith(")") and ")" not in text[:-1])
    return text if is_term or set(text) & set("&|^(") <= {sign} else f"({text})"


def _cost(text: str) -> tuple[int, int, str]:
    return sum(text.count(mark) for mark in ("{a}", "{b}", "{c}")), len(text), text


COMPUTED: dict[str, Callable[[Match], str]] = {"lop3": lop3}


PLACEHOLDER = re.compile(r"\{([=&]?)(\w+)\}")
"""A placeholder in an entry's text: `{a}`; `{=a}` for a function's parameter, `{&q}` for a variable to write to."""

WHOLE = "(0xffffffffffffffffull >> (64 - warpSize))"
"""All lanes of a wavefront as a number, on 32-lane GPUs too."""

RESULTS = ("d", "p", "q")
"""The names of results in the tables."""

_LOCK = re.compile(r"atom\.(?:\w+(?:::\w+)?\.)*(?:cas|exch)\.")
_LOCK_NOTE = "bra: this loop never ends if lanes of one wavefront wait for each other in it: they run in lockstep"
_BITWISE = re.compile(r"(?:and|or|xor|not|mov)\.[bus]32")
_FULL_MASKS = re.compile(r"0[xX][fF]{8}[uU]?|-1")
_NUMBER = re.compile(r"0[xX][0-9a-fA-F]+[uU]?|[1-9][0-9]*[uU]?|0")


class Use(NamedTuple):
    """How often an operand is read and written, and by which instructions."""

    reads: list[int]
    writes: list[int]


class MatchedStatement:
    """A statement with the entry of each instruction.

    Attributes:
        operands: the operands of the statement.
        texts: the source text of each.
        types: the PTX type of each; `n` for a constant.
        aliases: inputs whose constraint is an output's number, by that number.
        starts: such outputs, with the input that initializes them.
        uses: how often each operand is read and written.
        instructions, matches: the instructions, and the entry of each.
        bodies: the text of each entry, by result.
        steps: the control flow of the instructions; `has_branches` where they are not executed once and in order.
        registers: the registers of the template, with their types.
        masks: those of them that hold lane masks; `widened` are such operands, by number.
        around: the context of the statement.

    Raises:
        Unconvertible: an instruction or a constraint has no counterpart.
        Unreadable: an operand contradicts the others.
    """

    def __init__(
        self,
        statement: Statement,
        program: Program,
        catalog: PtxCatalog,
        texts: list[str],
        consequences: Consequences,
        around: AsmContext,
    ) -> None:
        self.operands = statement.operands
        self.texts = texts
        self.around = around
        self._catalog = catalog
        self._is_volatile = statement.is_volatile
        self._consequences = consequences
        self.instructions = [self._with_constants(instruction) for instruction in program.instructions]
        self.matches = [self._match(instruction) for instruction in self.instructions]
        self.bodies = [_body(match, around) for match in self.matches]
        self.aliases, self.starts = self._tied()
        self.types = [self._storage(operand) for operand in self.operands]
        if program.steps and any(_LOCK.match(one.opcode) for one in self.instructions):
            consequences.notes.append(_LOCK_NOTE)
        self.steps = program.steps or tuple(range(len(program.instructions)))
        self.has_branches = bool(program.steps)
        self.registers = dict(program.registers)
        self.masks: set[str] = set()
        self.widened: set[int] = set()
        self._widen_masks()
        self.uses = self._count_uses()

    def number(self, argument: Argument) -> int:
        """The operand of an argument: the output where it is tied to one."""
        return self.aliases.get(argument.number, argument.number)

    def type(self, value: Value) -> str:
        """The PTX type of an operand or a register of the template."""
        if isinstance(value, Argument):
            return self.types[value.number]
        if isinstance(value, Register):
            return self.registers.get(value.name, "b64")
        raise Unreadable("an operand is not a register")

    def used_registers(self) -> list[str]:
        """The registers of the template that occur in an instruction, in the order of their declarations."""
        used = {
            atom.name
            for instruction in self.instructions
            for value in [*instruction.operands, *([instruction.guard] if instruction.guard else [])]
            for atom in atoms(value)
            if isinstance(atom, Register) and atom.name != "_"
        }
        return [name for name in self.registers if name in used]

    def _with_constants(self, instruction: Instruction) -> Instruction:
        """The instruction with the constant operands replaced by numbers."""
        operands = (
            Immediate(self.texts[value.number])
            if isinstance(value, Argument)
            and self.operands[value.number].constraint in ("n", "r")
            and _NUMBER.fullmatch(self.texts[value.number])
            else value
            for value in instruction.operands
        )
        return instruction._replace(operands=tuple(operands))

    def _match(self, instruction: Instruction) -> Match:
        match = self._catalog.find(instruction, is_volatile=self._is_volatile)
        if match is None:
            raise Unconvertible("HIP201", instruction.opcode)
        finding = match.row.fields.get("finding")
        if finding and not (self.around.in_kernel and "in_kernel" in match.row.fields):
            raise Unconvertible(finding, instruction.opcode + because(match.row.fields.get("detail", "")))
        if self.around.emulates_warp32 and "warp32" in match.row.fields:
            self._consequences.needs.add("warp32")
            if match.row.fields.get("mask"):
                match.types["d"] = "b32"
        elif "needs" in match.row.fields:
            self._consequences.needs.add(match.row.fields["needs"])
        if "note" in match.row.fields:
            self._consequences.notes.append(f"{instruction.opcode}: {match.row.fields['note']}")
        return match

    def _tied(self) -> tuple[dict[int, int], dict[int, int]]:
        """`aliases` and `starts`."""
        aliases, starts = {}, {}
        for place, operand in enumerate(self.operands):
            if operand.constraint.isdigit():
                output = int(operand.constraint)
                if output >= len(self.operands) or not self.operands[output].is_output:
                    raise Unreadable("a constraint names an operand that is not an output")
                aliases[place] = output
                starts[output] = place
        return aliases, starts

    def _storage(self, operand: Operand) -> str:
        letters = operand.constraint.strip("=+&%")
        if operand.constraint.isdigit():
            return self._storage(self.operands[int(operand.constraint)])
        if letters == "n":
            return "n"
        if letters not in CONSTRAINTS:
            raise Unconvertible("HIP201", f"an operand with the constraint {operand.constraint}")
        return CONSTRAINTS[letters]

    def _widen_masks(self) -> None:
        """Widen what receives a lane mask to 64 bits; the rule for lane masks handles the variable."""
        if self.around.emulates_warp32:
            return
        for instruction, match in zip(self.instructions, self.matches, strict=True):
            specials = [value for value in match.values.values() if isinstance(value, Special)]
            registers = [self._catalog.register(special.name) for special in specials]
            if not (
                match.row.fields.get("mask")
                or (instruction.opcode.startswith("mov.") and any(r and r.fields.get("mask") for r in registers))
            ):
                continue
            target = match.values.get("d")
            if isinstance(target, Register) and target.name in self.registers:
                self.registers[target.name] = "b64"
                self.masks.add(target.name)
            elif isinstance(target, Argument) and self.types[target.number] == "b32":
                self.types[target.number] = "b64"
                self.widened.add(self.number(target))
            match.types.update({name: "b64" for name in match.types if instruction.opcode.startswith("mov.")})
        if self.masks or self.widened:
            self._widen_logic()

    def _widen_logic(self) -> None:
        """Treat bitwise results of masks as masks as well; a mask that is read as anything else is truncated.

        A register may hold something else before it holds a mask, so the instructions are visited in order; with loops,
        twice.
        """
        masks: set[str | int] = set()
        for _ in range(2 if self.has_branches else 1):
            for index in range(len(self.instructions)):
                self._follow_masks(index, masks)

    def _follow_masks(self, index: int, mask_holders: set[str | int]) -> None:
        instruction, match = self.instructions[index], self.matches[index]
        target = match.values.get("d")
        into = self._key(target)
        read = [(name, atom) for name, value in match.values.items() if name not in RESULTS for atom in atoms(value)]
        masks = [atom for _, atom in read if self._key(atom) in mask_holders]
        if match.types.get("d") == "b64" and (isinstance(target, Argument | Register) and self._is_wide(target)):
            mask_holders.add(into)
            return
        others = [atom for _, atom in read if not isinstance(atom, Immediate) and self._key(atom) not in mask_holders]
        is_mask = bool(masks) or (instruction.guard is not None and into in mask_holders)
        if _BITWISE.fullmatch(instruction.opcode) and is_mask and not others:
            if isinstance(target, Register):
                self.registers[target.name] = "b64"
                self.masks.add(target.name)
            elif isinstance(target, Argument):
                self.types[target.number] = "b64"
                self.widened.add(self.number(target))
            match.types.update(dict.fromkeys(match.types, "b64"))
            match.values.update({name: _all_lanes(atom) for name, atom in read if isinstance(atom, Immediate)})
            if instruction.opcode.startswith("not.") and masks:  # on 32-lane GPUs the upper half stays zero
                self.bodies[index] = {"d": f"~{{a}} & {WHOLE}"}
            mask_holders.add(into)
            return
        self._consequences.narrow += [
            f"a mask in %{atom.number}" for atom in masks if isinstance(atom, Argument)
        ]  # a register's use is recorded where it is written
        if instruction.guard is None:
            mask_holders.discard(into)

    def _key(self, value: Value | None) -> str | int:
        """A register's name or an operand's number; empty for anything else."""
        if isinstance(value, Argument):
            return self.number(value)
        return value.name if isinstance(value, Register) else ""

    def _is_wide(self, target: Argument | Register) -> bool:
        return self._key(target) in (self.masks | self.widened)

    def _count_uses(self) -> list[Use]:
        uses = [Use([], []) for _ in self.operands]
        for index, (instruction, match) in enumerate(zip(self.instructions, self.matches, strict=True)):
            for atom in [instruction.guard] if instruction.guard is not None else []:
                self._count(uses, atom, index, written=False)
            for name, value in match.values.items():
                written = name in RESULTS
                times = 1 if written else self._mentions(index, name)
                for atom in atoms(value):
                    for _ in range(times):
                        self._count(uses, atom, index, written=written and not isinstance(value, Address))
        return uses

    def _mentions(self, index: int, name: str) -> int:
        texts = self.bodies[index].values()
        named = (name, f"shared_{name}", f"global_{name}")
        return sum(found[2] in named for text in texts for found in PLACEHOLDER.finditer(text))

    def _count(self, uses: list[Use], atom: Atom, index: int, *, written: bool) -> None:
        if isinstance(atom, Argument):
            use = uses[self.number(atom)]
            (use.writes if written else use.reads).append(index)


def atoms(value: Value | None) -> list[Atom]:
    """The operands and registers that a value consists of."""
    if value is None:
        return []
    if isinstance(value, Vector):
        return list(value.items)
    if isinstance(value, Address):
        return [value.base, value.offset]
    if isinstance(value, Negated):
        return [value.base]
    if isinstance(value, Argument | Register | Special | Immediate):
        return [value]
    return [value.first, value.second]


def _all_lanes(number: Immediate) -> Immediate:
    """A number beside a mask, in 64 bits: all lanes stay all lanes."""
    return Immediate("-1") if _FULL_MASKS.fullmatch(number.text) else number


def _body(match: Match, around: AsmContext) -> dict[str, str]:
    """An entry's texts by their result, `""` for a statement that has none."""
    row = match.row
    if around.emulates_warp32 and "warp32" in row.fields:
        row = row._replace(hip=row.fields["warp32"])
    if around.in_kernel and "in_kernel" in row.fields:
        return {"": row.fields["in_kernel"]}
    if isinstance(row.hip, dict):
        return {name: text for name, text in row.hip.items() if name in match.values}
    text = COMPUTED[row.fields["compute"]](match) if "compute" in row.fields else row.hip
    return {next((name for name in match.values if name in RESULTS), ""): text}
