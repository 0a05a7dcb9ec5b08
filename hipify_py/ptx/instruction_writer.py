"""Writes one instruction as C++ statements: its guard, its expressions, and the stores of its results."""

from __future__ import annotations

from hipify_py.ptx.branches import Break, If, Step
from hipify_py.ptx.catalog import Match
from hipify_py.ptx.expressions import Expressions
from hipify_py.ptx.matching import MatchedStatement
from hipify_py.ptx.operand_storage import OperandStorage
from hipify_py.ptx.operands import Argument, Atom, Register, Value, Vector
from hipify_py.ptx.outcome import Consequences
from hipify_py.ptx.statement import Unreadable
from hipify_py.ptx.types import CPP, bits, convert, cpp_cast, is_float, strip_parentheses, unsigned
from hipify_py.ptx.values import Values, members, vector


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
