"""Writes one `asm` statement as HIP: a plain statement for one instruction, else a block."""

from __future__ import annotations

from collections.abc import Callable

from hipify_py.ptx.addresses import Addresses
from hipify_py.ptx.asm_context import AsmContext
from hipify_py.ptx.branches import Break, If, Step
from hipify_py.ptx.catalog import Match, PtxCatalog
from hipify_py.ptx.expressions import Expressions
from hipify_py.ptx.instructions import Program
from hipify_py.ptx.matching import RESULTS, MatchedStatement
from hipify_py.ptx.operand_storage import OperandStorage, TypeOf
from hipify_py.ptx.operands import Argument, Atom, Register, Value, Vector
from hipify_py.ptx.outcome import Consequences, Piece, Replacement
from hipify_py.ptx.statement import Operand, Statement, Unreadable
from hipify_py.ptx.types import CPP, bits, convert, cpp_cast, is_float, strip_parentheses, unsigned
from hipify_py.ptx.values import Values, members, vector

# Writes one instruction as C++ statements: its guard, its expressions, and the stores of its results.


class InstructionWriter:
    """Writes the instructions of a statement."""

    def __init__(
        self,
        matched: MatchedStatement,
        places: OperandStorage,
        values: Values,
        expressions: Expressions,
        consequences: Consequences,
    ) -> None:
        self._matched = matched
        self._places = places
        self._values = values
        self._expressions = expressions
        self._consequences = consequences
        self._scratch = 0

    def lines(self, index: int) -> list[str]:
        """The statements of one instruction."""
        instruction, match = self._matched.instructions[index], self._matched.matches[index]
        if match.row.fields.get("drop"):
            return []
        lines = self._instruction(match, self._matched.bodies[index])
        if instruction.guard is None or not lines:
            return lines
        condition = self._condition(instruction.guard, is_inverted=instruction.inverted)
        if len(lines) == 1:
            return [f"if ({condition}) {lines[0]}"]
        return [f"if ({condition}) {{", *("    " + line for line in lines), "}"]

    def write_steps(self, steps: tuple[Step, ...]) -> list[str]:
        """The statements of instructions, loops and conditions."""
        return [line for step in steps for line in self._step(step)]

    def _step(self, step: Step) -> list[str]:
        if isinstance(step, int):
            return self.lines(step)
        if isinstance(step, Break):
            condition = self._condition(step.guard, is_inverted=step.inverted)
            return [f"if ({condition}) break;" if condition else "break;"]
        body = ["    " + line for line in self.write_steps(step.body)]
        if isinstance(step, If):
            return [f"if ({self._condition(step.guard, is_inverted=not step.inverted)}) {{", *body, "}"]
        condition = self._condition(step.guard, is_inverted=step.inverted)
        return ["do {", *body, f"}} while ({condition});"] if condition else ["for (;;) {", *body, "}"]

    def _condition(self, guard: Atom | None, *, is_inverted: bool) -> str:
        """A guard as an expression; empty where there is none."""
        if guard is None:
            return ""
        value = self._values.value(guard, "pred", by_parameter=False)
        return f"!{value}" if is_inverted else value

    def _instruction(self, match: Match, body: dict[str, str]) -> list[str]:
        """An entry's statements; with several results, the first is written before the second is computed."""
        lines: list[str] = []
        for name, text in body.items():
            expression = self._expressions.fill_placeholders(match, text)
            if not name:
                lines += [f"{part.strip()};" for part in expression.split(";") if part.strip()]
            elif _is_sink(match.values[name]):
                lines.append(f"{cpp_cast('void', expression)};")
            else:
                lines += self._assign(name, match, expression)
        return lines

    def _assign(self, name: str, match: Match, expression: str) -> list[str]:
        target, type = match.values[name], match.types[name]
        if isinstance(target, Vector):
            return self._unpack(target, type, match, expression)
        return [f"{self._target(target)} = {strip_parentheses(self._store(target, type, match, expression))};"]

    def _store(self, target: Value, type: str, match: Match, expression: str) -> str:
        """The result of an instruction in the type of its target register."""
        have = self._matched.type(target)
        if have == "pred" or type == "pred":
            if have != type:
                raise Unreadable("a predicate is used where a number is expected, or the other way round")
            return expression
        if bits(have) < bits(type):
            if match.row.fields.get("mask") and not self._matched.around.emulates_warp32:
                self._consequences.narrow.append(match.row.ptx.partition(" ")[0])
                return cpp_cast(CPP[have], expression)
            raise Unreadable("a result does not fit its register")
        if is_float(have) == is_float(type):
            return expression
        return convert(expression, type, have, is_exact=True, by_parameter=False)

    def _target(self, target: Value) -> str:
        if isinstance(target, Argument):
            number = self._matched.number(target)
            if not self._matched.operands[number].is_output:
                raise Unreadable("an input is written to")
            if number in self._places.direct:
                return self._places.quoted(number)
            return self._places.variable(number)
        if isinstance(target, Register):
            return self._places.names[target.name]
        raise Unreadable("a result is not a register")

    def _unpack(self, target: Vector, type: str, match: Match, expression: str) -> list[str]:
        """The parts of a result: of a vector, or of a scalar that is split."""
        self._scratch += 1
        whole = self._places.free(f"value{self._scratch}" if self._scratch > 1 else "value")
        kind = next(kind for name, kind, _ in match.row.operands if match.values[name] is target)
        if kind == "{":
            lines = [f"const {vector(type, len(target.items))} {whole} = {expression};"]
            parts = members(whole, len(target.items))
        else:
            width = bits(type) // len(target.items)
            lines = [f"const {unsigned(CPP[type])} {whole} = {expression};"]
            part = CPP[f"b{width}"]
            parts = [cpp_cast(part, f"{whole} >> {width * at}" if at else whole) for at in range(len(target.items))]
            type = f"b{width}"
        for item, part in zip(target.items, parts, strict=False):
            if not _is_sink(item):
                lines.append(f"{self._target(item)} = {self._store(item, type, match, part)};")
        return lines


def _is_sink(value: Value) -> bool:
    return isinstance(value, Register) and value.name == "_"


_ALONE = AsmContext()
_OF_THREAD = "hipify::thread_carry()"


def replacement(
    statement: Statement,
    program: Program,
    catalog: PtxCatalog,
    *,
    text_of: Callable[[Operand], str],
    type_of: TypeOf,
    around: AsmContext = _ALONE,
) -> Replacement:
    """The replacement of a statement.

    Args:
        statement: the statement.
        program: its template.
        catalog: the tables.
        text_of: the source text of an operand's expression.
        type_of: the known type of an operand.
        around: the context of the statement.

    Raises:
        Unconvertible: something in it has no counterpart; the statement then stays whole.
        Unreadable: its operands contradict the template.
    """
    consequences = Consequences()
    texts = [text_of(operand) for operand in statement.operands]
    if around.carry.is_of_thread:
        consequences.needs.add("ptx_thread_carry")
    matched = MatchedStatement(statement, program, catalog, texts, consequences, around)
    places = OperandStorage(matched, type_of)
    values = Values(matched, places, catalog, consequences)
    expressions = Expressions(places, values, Addresses(matched, places, values, consequences))
    instructions = InstructionWriter(matched, places, values, expressions, consequences)
    text = _StatementWriter(matched, places, instructions, consequences).write()
    masks = (statement.operands[number] for number in sorted(matched.widened))
    return Replacement(
        places.cut(text),
        frozenset(consequences.needs),
        tuple(consequences.notes),
        tuple(consequences.narrow),
        tuple(Piece(operand.start, operand.end) for operand in masks),
    )


class _StatementWriter:
    """Writes a statement as a whole, in the shortest correct form."""

    def __init__(
        self,
        matched: MatchedStatement,
        places: OperandStorage,
        instructions: InstructionWriter,
        consequences: Consequences,
    ) -> None:
        self._matched = matched
        self._places = places
        self._instructions = instructions
        self._consequences = consequences

    def write(self) -> str:
        statement = self._single()
        text = self._block() if statement is None else statement
        carry = self._matched.around.carry
        return f"unsigned {carry.name};\n{text}" if carry.is_declared else text

    def _single(self) -> str | None:
        """One instruction as one statement; None where that would read or write something twice, or is not possible."""
        matched, places = self._matched, self._places
        if len(matched.instructions) != 1 or matched.has_branches or matched.instructions[0].guard is not None:
            return None
        if matched.around.carry.is_of_thread:
            return None
        match = matched.matches[0]
        results = [name for name in match.values if name in RESULTS]
        if len(results) > 1:
            return None
        if any(isinstance(match.values[name], Vector | Register) for name in results):
            return None
        if matched.starts or any(
            len(use.reads) + len(use.writes) > 1 and not places.is_simple(number)
            for number, use in enumerate(matched.uses)
        ):
            return None
        places.inline_all()
        lines = self._instructions.lines(0)
        if len(lines) != 1:
            self._consequences.narrow.clear()
            return None
        return lines[0].removesuffix(";")

    def _block(self) -> str:
        """The instructions as a block that reads its inputs first and writes its outputs last."""
        self._places.store_for_block()
        body = self._instructions.write_steps(self._matched.steps)
        lines = [*self._reads(), *self._declarations(), *body, *self._writes()]
        if not lines:
            return "static_cast<void>(0)"
        if len(lines) == 1 and not lines[0].startswith("if "):
            return lines[0].removesuffix(";")
        return "\n".join(["do {", *("    " + line for line in lines), "} while (0)"])

    def _reads(self) -> list[str]:
        """Variables for the inputs that are not inlined into their instruction."""
        matched, places = self._matched, self._places
        return [
            self._constant(number)
            for number, operand in enumerate(matched.operands)
            if not operand.is_output
            and number not in places.inline
            and number not in matched.aliases
            and matched.uses[number].reads
        ]

    def _declarations(self) -> list[str]:
        """Variables for the registers of the template, the carry, and the outputs that are not assigned to directly."""
        matched, places = self._matched, self._places
        by_type: dict[str, list[str]] = {}
        for name in matched.used_registers():
            by_type.setdefault(CPP[matched.registers[name]], []).append(places.names[name])
        lines = [f"{type} {', '.join(names)};" for type, names in by_type.items()]
        lines += self._carry_declaration()
        for number, operand in enumerate(matched.operands):
            if not operand.is_output or number in places.direct:
                continue
            if matched.uses[number].writes or number in matched.starts:
                start = matched.starts.get(number, number if operand.constraint.startswith("+") else -1)
                value = f" = {places.initial(start)}" if start >= 0 else ""
                lines.append(f"{CPP[matched.types[number]]} {places.variable(number)}{value};")
            elif matched.uses[number].reads:
                lines.append(self._constant(number))
        return lines

    def _carry_declaration(self) -> list[str]:
        """The variable of the carry, where the statement has one of its own; it is initialized from the thread's."""
        matched, carry = self._matched, self._matched.around.carry
        if carry.name or not any("{carry}" in text for body in matched.bodies for text in body.values()):
            return []
        start = f" = {_OF_THREAD}" if carry.is_incoming else ""
        return [f"unsigned {self._places.carry}{start};"]

    def _constant(self, number: int) -> str:
        """A variable for an operand that is only read."""
        places = self._places
        return f"const {CPP[self._matched.types[number]]} {places.variable(number)} = {places.initial(number)};"

    def _writes(self) -> list[str]:
        """The assignments of the outputs from their variables, and of the thread's carry."""
        matched, places = self._matched, self._places
        carry = [f"{_OF_THREAD} = {places.carry};"] if matched.around.carry.is_outgoing else []
        return carry + [
            f"{places.quoted(number)} = {places.variable(number)};"
            for number, operand in enumerate(matched.operands)
            if operand.is_output and number not in places.direct and matched.uses[number].writes
        ]
