"""Writes one `asm` statement as HIP: a plain statement where it is one instruction, else a block."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from hipify_py.ptx.catalog import Match, PtxCatalog
from hipify_py.ptx.computed import COMPUTED
from hipify_py.ptx.instructions import (
    Address,
    Argument,
    Atom,
    Immediate,
    Instruction,
    Inverted,
    Program,
    Register,
    Special,
    Value,
    Vector,
)
from hipify_py.ptx.statement import Operand, Statement, Unreadable
from hipify_py.ptx.types import (
    CONSTRAINTS,
    CPP,
    VECTORS,
    bare,
    bits,
    cast,
    converted,
    doubled,
    immediate,
    is_float,
    signed,
    unsigned,
)

_PLACEHOLDER = re.compile(r"\{([=&]?)(\w+)\}")
_SIMPLE = re.compile(r"[A-Za-z_]\w*(?:(?:\.|->)[A-Za-z_]\w*|\[\w+\])*|[0-9][\w.]*")
_NUMBER = re.compile(r"0[xX][0-9a-fA-F]+[uU]?|[1-9][0-9]*[uU]?|0")
_WORDS = {
    "cmp": {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}
    | {"lo": "<", "ls": "<=", "hi": ">", "hs": ">="},
    "bool": {"and": "&&", "or": "||", "xor": "!="},
    "order": {name: f"__ATOMIC_{name.upper()}" for name in ("relaxed", "acquire", "release", "acq_rel")},
    "scope": {
        "cta": "__HIP_MEMORY_SCOPE_WORKGROUP",
        "gpu": "__HIP_MEMORY_SCOPE_AGENT",
        "sys": "__HIP_MEMORY_SCOPE_SYSTEM",
    },
}
"""What the choices of those names are in C++."""
_RESULTS = ("d", "p", "q")
_CARRY_READERS = ("addc", "subc", "madc")
_KEYWORDS = """
    and or not xor bitand bitor compl int char short long float double bool auto if else for do while switch case
    default break continue return goto new delete this true false signed unsigned const static register template
    class struct union enum void typedef using namespace operator public private protected try catch throw volatile
    half half2 min max abs
"""
_RESERVED = frozenset(_KEYWORDS.split())
"""Names that a register of a template may have, and a variable may not."""


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
    """

    pieces: tuple[str | Piece, ...]
    needs: frozenset[str]
    notes: tuple[str, ...]
    narrow: tuple[str, ...]


class Refused(Exception):
    """A finding takes the place of a replacement."""

    def __init__(self, id: str, detail: str) -> None:
        super().__init__(detail)
        self.id = id
        self.detail = detail


TypeOf = Callable[[Operand], str]
"""The C++ type that an operand is known to have, or an empty string."""


def replacement(
    statement: Statement,
    program: Program,
    catalog: PtxCatalog,
    *,
    text_of: Callable[[Operand], str],
    type_of: TypeOf,
    in_macro: bool = False,
    keeps_32: bool = False,
) -> Replacement:
    """What a statement becomes.

    Args:
        statement: the statement.
        program: its template.
        catalog: the tables.
        text_of: the source text of an operand's expression.
        type_of: what is known of an operand's type.
        in_macro: the operands may be a macro's parameters, which stand for anything.
        keeps_32: the program's warps stay at 32 lanes, two in a wavefront of 64.

    Raises:
        Refused: where something in it has no counterpart; the statement then stays whole.
        Unreadable: where its operands contradict the template.
    """
    return _Writer(statement, program, catalog, text_of, type_of, in_macro=in_macro, keeps_32=keeps_32).write()


class _Use(NamedTuple):
    """How often an operand is read and written, and by which instructions."""

    reads: list[int]
    writes: list[int]


class _Writer:
    def __init__(
        self,
        statement: Statement,
        program: Program,
        catalog: PtxCatalog,
        text_of: Callable[[Operand], str],
        type_of: TypeOf,
        *,
        in_macro: bool,
        keeps_32: bool,
    ) -> None:
        self.keeps_32 = keeps_32
        self.in_macro = in_macro
        self.statement = statement
        self.operands = statement.operands
        self.program = program
        self.catalog = catalog
        self.type_of = type_of
        self.texts = [text_of(operand) for operand in statement.operands]
        self.needs: set[str] = set()
        self.notes: list[str] = []
        self.narrow: list[str] = []
        self.instructions = [self._with_constants(instruction) for instruction in program.instructions]
        self.matches = [self._match(instruction) for instruction in self.instructions]
        self.bodies = [_body(match, keeps_32=keeps_32) for match in self.matches]
        self.aliases, self.starts = self._tied()
        self.types = [self._storage(operand) for operand in self.operands]
        self.registers = dict(program.registers)
        self.masks: set[str] = set()
        """Registers of the template that hold lane masks."""
        self._widen_masks()
        self.uses = self._count_uses()
        words = set(re.findall(r"[A-Za-z_]\w*", " ".join(self.texts)))
        self.names = {name: _free(name, words) for name in program.registers}
        self._words = words
        self.carry = _free("carry", words | set(program.registers))
        self.inline: set[int] = set()
        """Inputs that stand in the instruction that reads them, as they are."""
        self.direct: set[int] = set()
        """Outputs that instructions assign to, without a variable between."""
        self._scratch = 0
        self._mask = ""

    # What is there

    def _with_constants(self, instruction: Instruction) -> Instruction:
        """The instruction with numbers in place of the operands that are such."""
        operands = (
            Immediate(self.texts[value.number])
            if isinstance(value, Argument)
            and self.operands[value.number].constraint == "n"
            and _NUMBER.fullmatch(self.texts[value.number])
            else value
            for value in instruction.operands
        )
        return instruction._replace(operands=tuple(operands))

    def _match(self, instruction: Instruction) -> Match:
        match = self.catalog.find(instruction, is_volatile=self.statement.is_volatile)
        if match is None:
            raise Refused("HIP201", instruction.opcode)
        finding = match.row.fields.get("finding")
        if finding:
            raise Refused(finding, instruction.opcode + _because(match.row.fields.get("detail", "")))
        if self.keeps_32 and "warp32" in match.row.fields:
            self.needs.add("warp32")
            if match.row.fields.get("mask"):
                match.types["d"] = "b32"
        elif "needs" in match.row.fields:
            self.needs.add(match.row.fields["needs"])
        if "note" in match.row.fields:
            self.notes.append(f"{instruction.opcode}: {match.row.fields['note']}")
        return match

    def _tied(self) -> tuple[dict[int, int], dict[int, int]]:
        """Inputs whose constraint is an output's number, by that number; and outputs with the input they start as."""
        aliases, starts = {}, {}
        for number, operand in enumerate(self.operands):
            if operand.constraint.isdigit():
                output = int(operand.constraint)
                if output >= len(self.operands) or not self.operands[output].is_output:
                    raise Unreadable("a constraint names an operand that is no output")
                aliases[number] = output
                starts[output] = number
        return aliases, starts

    def _storage(self, operand: Operand) -> str:
        letters = operand.constraint.strip("=+&%")
        if operand.constraint.isdigit():
            return self._storage(self.operands[int(operand.constraint)])
        if letters == "n":
            return "n"
        if letters not in CONSTRAINTS:
            raise Refused("HIP201", f"an operand with the constraint {operand.constraint}")
        return CONSTRAINTS[letters]

    def _widen_masks(self) -> None:
        """What is given a lane mask has 64 bits here; the rule for lane masks sees to the variable."""
        if self.keeps_32:
            return
        for instruction, match in zip(self.instructions, self.matches, strict=True):
            given = [value for value in match.values.values() if isinstance(value, Special)]
            registers = [self.catalog.register(special.name) for special in given]
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
            match.types.update({name: "b64" for name in match.types if instruction.opcode.startswith("mov.")})

    def _count_uses(self) -> list[_Use]:
        uses = [_Use([], []) for _ in self.operands]
        for index, (instruction, match) in enumerate(zip(self.instructions, self.matches, strict=True)):
            for atom in [instruction.guard] if instruction.guard is not None else []:
                self._count(uses, atom, index, written=False)
            for name, value in match.values.items():
                written = name in _RESULTS
                times = 1 if written else self._mentions(index, name)
                for atom in _atoms(value):
                    for _ in range(times):
                        self._count(uses, atom, index, written=written and not isinstance(value, Address))
        return uses

    def _mentions(self, index: int, name: str) -> int:
        texts = self.bodies[index].values()
        named = (name, f"shared_{name}", f"global_{name}")
        return sum(found[2] in named for text in texts for found in _PLACEHOLDER.finditer(text))

    def _count(self, uses: list[_Use], atom: Atom, index: int, *, written: bool) -> None:
        if isinstance(atom, Argument):
            use = uses[self.aliases.get(atom.number, atom.number)]
            (use.writes if written else use.reads).append(index)

    # What is written

    def write(self) -> Replacement:
        """Choose the shortest form that is right."""
        self._check_carry()
        statement = self._single()
        if statement is None:
            statement = self._block()
        return Replacement(self._cut(statement), frozenset(self.needs), tuple(self.notes), tuple(self.narrow))

    def _check_carry(self) -> None:
        """A carry that comes in from another statement, or leaves for one, would be lost."""
        is_open = False
        for instruction in self.instructions:
            stem = instruction.opcode.partition(".")[0]
            if stem in _CARRY_READERS and not is_open:
                raise Refused("HIP216", f"{instruction.opcode} reads a carry from another asm statement")
            is_open = is_open or ".cc" in instruction.opcode
        if len(self.instructions) == 1 and is_open:
            raise Refused("HIP216", f"{instruction.opcode} leaves a carry for another asm statement")

    def _single(self) -> str | None:
        """One instruction as one statement; None where that would read or write something twice, or is no one."""
        if len(self.instructions) != 1 or self.instructions[0].guard is not None:
            return None
        match = self.matches[0]
        results = [name for name in match.values if name in _RESULTS]
        if len(results) > 1:
            return None
        if any(isinstance(match.values[name], Vector | Register) for name in results):
            return None
        if self.starts or any(
            len(use.reads) + len(use.writes) > 1 and not self._is_simple(number) for number, use in enumerate(self.uses)
        ):
            return None
        self.inline = set(range(len(self.operands)))
        self.direct = {number for number, operand in enumerate(self.operands) if operand.is_output}
        lines = self._lines(0)
        if len(lines) != 1:
            self.narrow.clear()
            return None
        return lines[0].removesuffix(";")

    def _block(self) -> str:
        """The instructions as a block that reads its inputs first and writes its outputs last."""
        self.inline = {
            number
            for number, operand in enumerate(self.operands)
            if not operand.is_output
            and number not in self.aliases
            and len(self.uses[number].reads) == 1
            and (len(self.matches) == 1 or self._is_simple(number))
        } | {number for number, type in enumerate(self.types) if type == "n"}
        last = max((self.uses[n].reads[-1] for n in self.inline if self.uses[n].reads), default=-1)
        self.direct = {
            number
            for number, operand in enumerate(self.operands)
            if operand.is_output
            and operand.constraint[:1] == "="
            and number not in self.starts
            and not self.uses[number].reads
            and len(self.uses[number].writes) == 1
            and self.uses[number].writes[0] >= last
        }
        body = [line for index in range(len(self.matches)) for line in self._lines(index)]
        lines = [*self._reads(), *self._declarations(), *body, *self._writes()]
        if not lines:
            return "static_cast<void>(0)"
        if len(lines) == 1 and not lines[0].startswith("if "):
            return lines[0].removesuffix(";")
        return "\n".join(["do {", *("    " + line for line in lines), "} while (0)"])

    def _reads(self) -> list[str]:
        """Variables for the inputs that do not stand in their instruction."""
        lines = []
        for number, operand in enumerate(self.operands):
            if operand.is_output or number in self.inline or number in self.aliases or not self.uses[number].reads:
                continue
            type = self.types[number]
            lines.append(f"const {CPP[type]} {self._variable(number)} = {self._initial(number)};")
        return lines

    def _declarations(self) -> list[str]:
        lines = []
        by_type: dict[str, list[str]] = {}
        for name in self._used_registers():
            by_type.setdefault(CPP[self.registers[name]], []).append(self.names[name])
        for type, names in by_type.items():
            lines.append(f"{type} {', '.join(names)};")
        if any("{carry}" in text for body in self.bodies for text in body.values()):
            lines.append(f"unsigned {self.carry};")
        for number, operand in enumerate(self.operands):
            if operand.is_output and number not in self.direct and (self.uses[number].writes or number in self.starts):
                start = self.starts.get(number, number if operand.constraint.startswith("+") else -1)
                value = f" = {self._initial(start)}" if start >= 0 else ""
                lines.append(f"{CPP[self.types[number]]} {self._variable(number)}{value};")
            elif operand.is_output and number not in self.direct and self.uses[number].reads:
                lines.append(f"const {CPP[self.types[number]]} {self._variable(number)} = {self._initial(number)};")
        return lines

    def _used_registers(self) -> list[str]:
        used = {
            atom.name
            for instruction in self.instructions
            for value in [*instruction.operands, *([instruction.guard] if instruction.guard else [])]
            for atom in _atoms(value)
            if isinstance(atom, Register) and atom.name != "_"
        }
        return [name for name in self.registers if name in used]

    def _writes(self) -> list[str]:
        return [
            f"{self._quoted(number)} = {self._variable(number)};"
            for number, operand in enumerate(self.operands)
            if operand.is_output and number not in self.direct and self.uses[number].writes
        ]

    def _initial(self, number: int) -> str:
        """An operand's expression as the start of a variable."""
        type = self.types[number]
        quoted = self._quoted(number)
        if type == "b64" and self.type_of(self.operands[number]) not in ("unsigned long long", "long long"):
            return f"(unsigned long long)({quoted})" if not self._is_simple(number) else f"(unsigned long long){quoted}"
        return quoted

    def _variable(self, number: int) -> str:
        word = "out" if self.operands[number].is_output else "in"
        return _free(f"{word}{number}", self._words)

    def _is_simple(self, number: int) -> bool:
        """Its expression may be read twice, and binds tighter than any operator beside it."""
        return not self.in_macro and _SIMPLE.fullmatch(self.texts[number]) is not None

    def _quoted(self, number: int) -> str:
        return f"\0{number}\0"

    def _lines(self, index: int) -> list[str]:
        """The statements of one instruction."""
        instruction, match = self.instructions[index], self.matches[index]
        if match.row.fields.get("drop"):
            return []
        lines = self._instruction(match, self.bodies[index])
        if instruction.guard is None or not lines:
            return lines
        guard = self._value(instruction.guard, "pred", by_parameter=False)
        condition = f"!{guard}" if instruction.inverted else guard
        if len(lines) == 1:
            return [f"if ({condition}) {lines[0]}"]
        return [f"if ({condition}) {{", *("    " + line for line in lines), "}"]

    def _instruction(self, match: Match, body: dict[str, str]) -> list[str]:
        """An entry's statements; with several results, the first is written before the second is worked out."""
        lines: list[str] = []
        self._mask = match.row.ptx.partition(" ")[0] if match.row.fields.get("mask") and not self.keeps_32 else ""
        for name, text in body.items():
            expression = self._filled(match, text)
            if not name:
                lines += [f"{part.strip()};" for part in expression.split(";") if part.strip()]
            elif _is_sink(match.values[name]):
                lines.append(f"{cast('void', expression)};")
            else:
                lines += self._assigned(name, match, expression)
        return lines

    def _assigned(self, name: str, match: Match, expression: str) -> list[str]:
        target, type = match.values[name], match.types[name]
        if isinstance(target, Vector):
            return self._unpacked(target, type, match, expression)
        return [f"{self._target(target)} = {bare(self._stored(target, type, expression))};"]

    def _stored(self, target: Value, type: str, expression: str) -> str:
        """The result of an instruction in the type of the register that it goes to."""
        have = self._type(target)
        if have == "pred" or type == "pred":
            if have != type:
                raise Unreadable("a predicate stands where a number should, or the other way round")
            return expression
        if bits(have) < bits(type):
            if self._mask:
                self.narrow.append(self._mask)
                return cast(CPP[have], expression)
            raise Unreadable("a result does not fit its register")
        if is_float(have) == is_float(type):
            return expression
        return converted(expression, type, have, is_exact=True, by_parameter=False)

    def _target(self, target: Value) -> str:
        if isinstance(target, Argument):
            number = self.aliases.get(target.number, target.number)
            if not self.operands[number].is_output:
                raise Unreadable("an input is written to")
            if number in self.direct:
                return self._quoted(number)
            return self._variable(number)
        if isinstance(target, Register):
            return self.names[target.name]
        raise Unreadable("a result is no register")

    def _unpacked(self, target: Vector, type: str, match: Match, expression: str) -> list[str]:
        """The parts of a result: of a vector, or of a scalar that is taken apart."""
        self._scratch += 1
        whole = _free(f"value{self._scratch}" if self._scratch > 1 else "value", self._words)
        kind = next(kind for name, kind, _ in match.row.operands if match.values[name] is target)
        if kind == "{":
            members = "xyzw" if len(target.items) <= 4 else ""
            if not members:
                raise Refused("HIP201", "a vector of more than four parts")
            lines = [f"const {_vector(type, len(target.items))} {whole} = {expression};"]
            parts = [f"{whole}.{member}" for member in members]
        else:
            width = bits(type) // len(target.items)
            lines = [f"const {unsigned(CPP[type])} {whole} = {expression};"]
            part = CPP[f"b{width}"]
            parts = [cast(part, f"{whole} >> {width * at}" if at else whole) for at in range(len(target.items))]
            type = f"b{width}"
        for item, part in zip(target.items, parts, strict=False):
            if not _is_sink(item):
                lines.append(f"{self._target(item)} = {self._stored(item, type, part)};")
        return lines

    # Values

    def _type(self, value: Value) -> str:
        if isinstance(value, Argument):
            return self.types[value.number]
        if isinstance(value, Register):
            return self.registers.get(value.name, "b64")
        raise Unreadable("an operand is no register")

    def _filled(self, match: Match, text: str) -> str:
        """An entry's text with its placeholders filled in."""

        def fill(found: re.Match[str]) -> str:
            mark, name = found.groups()
            if name in match.values:
                if mark == "&":
                    return self._reference(match.values[name], match.types[name])
                return self._operand(match, name, by_parameter=mark == "=")
            if name == "carry":
                return self.carry
            space, _, own = name.partition("_")
            if space in ("shared", "global") and own in match.values:
                return self._space_pointer(match, own, space)
            word = _type_word(name, match)
            return found[0] if word is None else word

        return _PLACEHOLDER.sub(fill, text)

    def _reference(self, value: Value, type: str) -> str:
        """A variable that a function writes a result to."""
        if not isinstance(value, Register):
            raise Refused("HIP201", "a second result that is no register of the template")
        return self.names[value.name]

    def _operand(self, match: Match, name: str, *, by_parameter: bool) -> str:
        value, type = match.values[name], match.types[name]
        if isinstance(value, Address):
            return self._pointer(value, match, type)
        if isinstance(value, Vector):
            kind = next(kind for own, kind, _ in match.row.operands if own == name)
            if kind == "{":
                items = ", ".join(self._value(item, type, by_parameter=True) for item in value.items)
                return f"make_{_vector(type, len(value.items))}({items})"
            return self._packed(value, type)
        if isinstance(value, Inverted):
            return f"!{self._value(value.base, type, by_parameter=False)}"
        if not isinstance(value, Argument | Register | Special | Immediate):
            raise Unreadable("an operand has an unusual form")
        return self._value(value, type, by_parameter=by_parameter)

    def _packed(self, value: Vector, type: str) -> str:
        """`{low, high}` as one number."""
        width = bits(type) // len(value.items)
        whole = unsigned(CPP[type]) if not is_float(type) else CPP[f"b{bits(type)}"]
        parts = []
        for at, item in enumerate(value.items):
            part = self._value(item, f"b{width}", by_parameter=False)
            parts.append(f"{cast(whole, part)} << {at * width}" if at else part)
        text = "(" + " | ".join(f"({part})" if "<<" in part else part for part in reversed(parts)) + ")"
        return (
            text if not is_float(type) else converted(text, f"b{bits(type)}", type, is_exact=True, by_parameter=False)
        )

    def _value(self, atom: Atom, type: str, *, by_parameter: bool) -> str:
        """An operand as an expression of a PTX type."""
        if isinstance(atom, Immediate):
            try:
                return immediate(atom.text, type, by_parameter=by_parameter)
            except ValueError as error:
                raise Unreadable(f"the number {atom.text} cannot be read") from error
        if isinstance(atom, Special):
            return self._special(atom, type, by_parameter=by_parameter)
        if isinstance(atom, Register):
            if atom.name == "_":
                raise Unreadable("a sink is read")
            if atom.name in self.masks and bits(type) < 64:
                self.narrow.append(f"a mask in {atom.name}")
                by_parameter = False
            return self._as(self.names[atom.name], self._type(atom), type, is_exact=True, by_parameter=by_parameter)
        number = self.aliases.get(atom.number, atom.number)
        have = self.types[number]
        if have == "n":
            return self._constant(number, type, by_parameter=by_parameter)
        if number not in self.inline:
            return self._as(self._variable(number), have, type, is_exact=True, by_parameter=by_parameter)
        known = self.type_of(self.operands[number])
        quoted = self._quoted(number)
        if known and known == CPP.get(type):
            return quoted if self._is_simple(number) else f"({quoted})"
        if have == "b64":
            return f"({CPP[type]})({quoted})" if not self._is_simple(number) else f"({CPP[type]}){quoted}"
        if is_float(have) and have == type:
            return quoted if by_parameter or self._is_simple(number) else f"({quoted})"
        return self._as(quoted, have, type, is_exact=False, by_parameter=by_parameter)

    def _constant(self, number: int, type: str, *, by_parameter: bool) -> str:
        text = self._quoted(number)
        if by_parameter:
            return text
        return text if self.type_of(self.operands[number]) == CPP[type] else cast(CPP[type], text)

    def _as(self, text: str, have: str, want: str, *, is_exact: bool, by_parameter: bool) -> str:
        if (have == "pred") != (want == "pred"):
            raise Unreadable("a predicate stands where a number should, or the other way round")
        if have != "pred" and bits(have) < bits(want):
            raise Unreadable("an operand is narrower than its instruction")
        if want == "pred":
            return text
        return converted(text, have, want, is_exact=is_exact, by_parameter=by_parameter)

    def _special(self, atom: Special, type: str, *, by_parameter: bool) -> str:
        register = self.catalog.register(atom.name)
        if register is None:
            raise Refused("HIP201", f"the special register %{atom.name}")
        if "finding" in register.fields:
            raise Refused(register.fields["finding"], f"%{atom.name}{_because(register.fields.get('detail', ''))}")
        if "needs" in register.fields:
            self.needs.add(register.fields["needs"])
        if "note" in register.fields:
            note = f"%{atom.name}: {register.fields['note']}"
            if note not in self.notes:
                self.notes.append(note)
        if self.keeps_32 and "warp32" in register.fields:
            register = register._replace(type="u32", hip=register.fields["warp32"], fields={})
        if register.fields.get("mask") and bits(type) < 64:
            self.narrow.append(f"%{atom.name}")
        elif by_parameter:
            return bare(register.hip)
        elif CPP[register.type] == CPP[type]:
            return register.hip
        return cast(CPP[type], register.hip)

    def _pointer(self, address: Address, match: Match, type: str, space: str = "") -> str:
        """An address as a pointer to what is loaded or stored there; `space` overrides the opcode's."""
        count = next((len(value.items) for value in match.values.values() if isinstance(value, Vector)), 1)
        is_vector = any(kind == "{" for _, kind, _ in match.row.operands)
        qualifier = match.row.fields.get("pointer", "")
        target = f"{qualifier} {_vector(type, count) if is_vector else CPP[type]}".strip()
        base = address.base
        shift = self._shift(address)
        if space == "shared" or (not space and "shared" in match.groups.get("space", "")):
            self.needs.add("shared_address")
            return f"hipify::shared_pointer<{target}>({self._value(base, 'b32', by_parameter=True)}{shift})"
        if isinstance(base, Immediate | Special) or bits(self._type(base)) != 64:
            raise Unreadable("an address is no 64-bit register")
        text = self._address(base)
        if shift:
            return (
                f"({target}*)((char*){text}{shift})"
                if "const" not in target
                else f"({target}*)((const char*){text}{shift})"
            )
        return f"({target}*){text}"

    def _space_pointer(self, match: Match, name: str, space: str) -> str:
        """`{shared_a}`, `{global_b}`: addresses of a copy between spaces, as untyped pointers."""
        address = match.values[name]
        if not isinstance(address, Address):
            raise Unreadable("a copy's operand is no address")
        if space == "shared":
            base = self._value(address.base, "b32", by_parameter=True)
            self.needs.add("shared_address")
            return f"hipify::shared_pointer<void>({base}{self._shift(address)})"
        text = self._address(address.base)
        shift = self._shift(address)
        return f"(const char*){text}{shift}" if shift else f"(const void*){text}"

    def _shift(self, address: Address) -> str:
        offset = address.offset
        if isinstance(offset, Immediate) and offset.text.lstrip("-+0") in ("", "x0"):
            return ""
        return self._offset(offset)

    def _address(self, base: Atom) -> str:
        if isinstance(base, Argument):
            number = self.aliases.get(base.number, base.number)
            if number in self.inline:
                quoted = self._quoted(number)
                return quoted if self._is_simple(number) else f"({quoted})"
        return self._value(base, "b64", by_parameter=False)

    def _offset(self, offset: Atom) -> str:
        if isinstance(offset, Immediate) and offset.text.startswith("-"):
            return f" - {offset.text[1:]}"
        return f" + {self._value(offset, 's32', by_parameter=True)}"

    def _cut(self, text: str) -> tuple[str | Piece, ...]:
        """Text with marks of operands, cut at them."""
        pieces: list[str | Piece] = []
        for at, part in enumerate(text.split("\0")):
            if at % 2:
                operand = self.operands[int(part)]
                pieces.append(Piece(operand.start, operand.end))
            elif part:
                pieces.append(part)
        return tuple(pieces)


def _atoms(value: Value | None) -> list[Atom]:
    if value is None:
        return []
    if isinstance(value, Vector):
        return list(value.items)
    if isinstance(value, Address):
        return [value.base, value.offset]
    if isinstance(value, Inverted):
        return [value.base]
    if isinstance(value, Argument | Register | Special | Immediate):
        return [value]
    return [value.first, value.second]


def _body(match: Match, *, keeps_32: bool) -> dict[str, str]:
    """An entry's texts by the result that they are for, `""` for a statement that has none."""
    row = match.row
    if keeps_32 and "warp32" in row.fields:
        return {"d": row.fields["warp32"]}
    if isinstance(row.hip, dict):
        return {name: text for name, text in row.hip.items() if name in match.values}
    text = COMPUTED[row.fields["compute"]](match) if "compute" in row.fields else row.hip
    return {next((name for name in match.values if name in _RESULTS), ""): text}


def _is_sink(value: Value) -> bool:
    return isinstance(value, Register) and value.name == "_"


def _vector(type: str, count: int) -> str:
    if count not in (1, 2, 4):
        raise Refused("HIP201", f"a vector of {count}")
    return VECTORS[CPP[type]] + str(count)


def _type_word(name: str, match: Match) -> str | None:
    """What `{T}` and its like stand for: C++ types of the opcode's type, or the text of a choice."""
    type = match.groups.get("type") or next(iter(match.types.values()), "")
    cpp = CPP.get(type, "")
    words = {"T": cpp, "S": signed(cpp), "U": unsigned(cpp), "W": doubled(cpp), "bits": ""}
    if name in words and cpp:
        return str(bits(type)) if name == "bits" else words[name]
    if name.startswith("C_"):
        return CPP.get(match.groups.get(name[2:], ""))
    word = match.groups.get(name)
    return None if word is None else _WORDS.get(name, {}).get(word, word)


def _free(name: str, taken: set[str]) -> str:
    """The name, or with underscores behind it where it means something else."""
    name = re.sub(r"\W", "_", name)
    while name in taken or name in _RESERVED:
        name += "_"
    return name


def _because(detail: str) -> str:
    return f" ({detail})" if detail else ""
