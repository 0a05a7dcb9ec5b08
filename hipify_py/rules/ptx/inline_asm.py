"""Writes inline PTX as HIP, and reports what has no counterpart."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property, lru_cache
from typing import NamedTuple

from hipify_py.edits import Edit, Move, Reshape
from hipify_py.findings import Finding
from hipify_py.ptx.carry_flow import CarryFlow, carry_use
from hipify_py.ptx.catalog import PtxCatalog, load_ptx_catalog
from hipify_py.ptx.declarations import type_of
from hipify_py.ptx.emission import replacement
from hipify_py.ptx.instructions import Program, opcodes, parse
from hipify_py.ptx.layout import laid_out
from hipify_py.ptx.outcome import Piece, Refused, Replacement
from hipify_py.ptx.recognition import is_ptx, may_be_ptx
from hipify_py.ptx.statement import Operand, Pasted, Statement, Unreadable, statements
from hipify_py.ptx.surroundings import Surroundings
from hipify_py.rules.base import Example, Rule, Support
from hipify_py.rules.launch.device_code import in_kernel_body
from hipify_py.unit import Unit

_SHUFFLE = re.compile(r"\bshfl\.")
_WHOLE = re.compile(r"\b(?:vote|match|activemask|redux)\.|%lanemask_")
_WHOLE_IN_CODE = re.compile(rb"\b__(?:ballot|any|all|match_any|match_all|reduce_\w+)_sync\s*\(|\b__activemask\s*\(")
_EXIT = re.compile(r"\bexit\b")


class InlineAssembly(Rule):
    """PTX is NVIDIA's: an AMD compiler takes the template for its own assembly and fails on it.

    A statement whose instructions all have counterparts becomes HIP or plain C++ of the same meaning: one statement
    for one instruction, else a block that reads its inputs first. Anything else stays as it is, whole, with a finding
    that names what is in the way. A statement with an empty template is a compiler barrier and stays valid, and so
    does the assembly of other machines.
    """

    id = "HIP201"
    VALID = (
        Example('__device__ void f() { asm volatile("" ::: "memory"); }'),
        Example('__device__ void f() { asm volatile("s_waitcnt vmcnt(0)"); }'),
        Example('unsigned long long f() { unsigned a, d; __asm__("rdtsc" : "=a"(a), "=d"(d)); return a; }'),
    )
    INVALID = (
        Example(
            '__device__ int f() { int r; asm("mov.u32 %0, %%laneid;" : "=r"(r)); return r; }',
            "__device__ int f() { int r; r = __lane_id(); return r; }",
        ),
        Example(
            '__device__ unsigned f(unsigned x) { unsigned r; asm("brev.b32 %0, %1;" : "=r"(r) : "r"(x)); return r; }',
            "__device__ unsigned f(unsigned x) { unsigned r; r = __brev(x); return r; }",
        ),
        Example(
            '__device__ void f(int r) { asm("frobnicate.b32 %0, %0; mov.b32 %0, 1;" : "+r"(r)); }', None, ("HIP201",)
        ),
    )

    def apply(self, unit: Unit) -> Iterator[Edit | Reshape | Finding | Support]:
        yield from _rewritten(unit).items


class _Rewritten(NamedTuple):
    """What becomes of a source's statements, and those that something took the place of."""

    items: tuple[Edit | Reshape | Finding | Support, ...]
    converted: tuple[Statement, ...]


def converted(unit: Unit) -> frozenset[int]:
    """Where the statements begin that become HIP of the same meaning, however many lanes a wavefront has."""
    return frozenset(
        statement.start
        for statement in _rewritten(unit).converted
        if not _SHUFFLE.search(statement.template) and not _WHOLE.search(statement.template)
    )


@lru_cache(maxsize=2)
def _rewritten(unit: Unit) -> _Rewritten:
    found = [statement for statement in statements(unit.lexemes) if statement.template.strip() or statement.trouble]
    if not found:
        return _Rewritten((), ())
    catalog = load_ptx_catalog()
    data = unit.source.data
    of_ptx = [one for one in found if is_ptx(one, catalog) or (one.trouble and may_be_ptx(one, data))]
    source = _Source(unit, catalog, of_ptx)
    items = [item for statement in of_ptx for item in source.outcome(statement)]
    items += source.carries_of_threads()
    if not source.keeps_32:
        items += _two_widths(unit, source.converted)
    return _Rewritten(tuple(items), tuple(source.converted))


class _Source:
    """The statements of a source, and what takes their place; `converted` are those that something took."""

    def __init__(self, unit: Unit, catalog: PtxCatalog, found: list[Statement]) -> None:
        self._unit = unit
        self._catalog = catalog
        self._programs: dict[int, Program | Unreadable] = {one.start: _program(one) for one in found}
        self._found = found
        self.converted: list[Statement] = []

    @cached_property
    def keeps_32(self) -> bool:
        """The warps of the source stay at 32 lanes, which `--fix wavefront` asks for where it is exact."""
        if not self._unit.options.fixes:
            return False
        from hipify_py.rules.wavefront.keep_32 import is_kept

        return is_kept(self._unit)

    @cached_property
    def _carries(self) -> CarryFlow:
        read = [(one, self._programs[one.start]) for one in self._found]
        uses = [carry_use(one, program) for one, program in read if isinstance(program, Program)]
        return CarryFlow(self._unit.lexemes, self._unit.tree, [use for use in uses if use is not None])

    def outcome(self, statement: Statement) -> Iterator[Edit | Reshape | Finding | Support]:
        """What takes a statement's place, or the finding that says why it stays."""
        finding = None
        try:
            yield from self._rewritten(statement)
            self.converted.append(statement)
        except Refused as refused:
            finding = refused.id, refused.detail
        except Unreadable as trouble:
            finding = "HIP219", _what(statement, trouble)
        if finding is not None:
            yield self._unit.finding(finding[0], statement.start, name="asm", library="ptx", detail=finding[1])

    def _rewritten(self, statement: Statement) -> Iterator[Edit | Reshape | Finding | Support]:
        """What takes a statement's place.

        Raises:
            Refused, Unreadable: where nothing can; the statement then stays as it is.
        """
        program = self._programs[statement.start]
        if isinstance(program, Unreadable):
            items = self._pasted(statement)
            if items:
                yield from items
                return
            _refuse_what_has_a_finding(statement, self._catalog)
            raise program
        if not program.instructions:
            return
        around = self._surroundings(statement)
        if around.carry.is_of_thread and not self._unit.options.support:
            raise Refused("HIP216", f"{', '.join(opcodes(statement.template))} (needs the support header)")
        result = replacement(statement, program, self._catalog, text_of=self._text, type_of=self._type, around=around)
        consequences = list(self._consequences(statement, result))
        yield self._edit(statement, result)
        yield from consequences

    def carries_of_threads(self) -> Iterator[Finding]:
        """The first statement whose carry goes from function to function, said once a source."""
        for statement in self.converted:
            if self._carries.at(statement).is_of_thread:
                detail = ", ".join(opcodes(statement.template)[:4])
                yield self._unit.finding("HIP225", statement.start, name="asm", library="ptx", detail=detail)
                return

    def _surroundings(self, statement: Statement) -> Surroundings:
        unit, start = self._unit, statement.start
        in_macro = unit.lexemes.define_around(start) is not None
        return Surroundings(
            in_macro=in_macro,
            in_kernel=not in_macro and _EXIT.search(statement.template) is not None and in_kernel_body(unit, start),
            keeps_32=self.keeps_32,
            carry=self._carries.at(statement),
        )

    def _text(self, operand: Operand) -> str:
        return self._unit.source.data[operand.start : operand.end].decode("utf-8", "replace")

    def _type(self, operand: Operand) -> str:
        return type_of(self._unit.lexemes, operand.start, operand.end)

    def _pasted(self, statement: Statement) -> list[Edit | Finding | Support]:
        """What a macro becomes that pastes an instruction; nothing where it cannot be.

        Raises:
            Refused: where an invocation's instruction has no counterpart.
        """
        if not any(isinstance(part, Pasted) for part in statement.parts):
            return []
        try:
            return list(self._expressions(statement))
        except Unreadable:
            return []

    def _expressions(self, statement: Statement) -> Iterator[Edit | Finding | Support]:
        """A macro that pastes an instruction takes the expression instead: `y = op;`, and `DEFINE(f, exp2f(x))`.

        Raises:
            Refused, Unreadable: where that cannot be.
        """
        from hipify_py.ptx.pasted import pasted_macro

        data = self._unit.source.data
        macro = pasted_macro(self._unit.lexemes, statement)
        texts = [self._text(operand) for operand in statement.operands]
        outputs = [text for text, operand in zip(texts, statement.operands, strict=True) if operand.is_output]
        if len(outputs) != 1 or any(not text.isidentifier() or text in macro.parameters for text in texts):
            raise Unreadable(statement.trouble)
        target = f"{outputs[0]} = "
        yield Edit(statement.start, statement.end, f"{target}{macro.parameter}".encode())
        for invocation in macro.invocations:
            made = statement._replace(template=invocation.template, trouble="", parts=())
            program = parse(made.template, {}, len(made.operands))
            use = carry_use(made, program)
            if use is not None and use.is_exposed:
                raise Refused("HIP216", f"{', '.join(opcodes(made.template))} in a macro")
            around = Surroundings(keeps_32=self.keeps_32)
            result = replacement(
                made, program, self._catalog, text_of=self._text, type_of=lambda operand: "", around=around
            )
            text = "".join(
                piece if isinstance(piece, str) else data[piece.start : piece.end].decode("utf-8", "replace")
                for piece in result.pieces
            )
            expression = text.removeprefix(target)
            if expression == text or "\n" in text or ";" in text:
                raise Unreadable(statement.trouble)
            if "<" in expression and "," in expression:  # a comma of template arguments would part a macro's
                expression = f"({expression})"
            yield Edit(invocation.start, invocation.end, expression.encode())
            yield from self._consequences(made._replace(start=invocation.start), result)

    def _consequences(self, statement: Statement, result: Replacement) -> Iterator[Finding | Support]:
        """What else a replacement needs and says.

        Raises:
            Refused: where it needs the support header, which the run does without.
        """
        unit = self._unit
        if result.needs and not unit.options.support:
            raise Refused("HIP201", f"{', '.join(opcodes(statement.template))} (needs the support header)")
        for section in sorted(result.needs):
            yield Support(section)
        for mask in dict.fromkeys(result.narrow):
            yield unit.finding("HIP217", statement.start, name="asm", library="ptx", detail=mask)
        for note in result.notes:
            yield unit.finding("HIP221", statement.start, name="asm", library="ptx", detail=note)

    def _edit(self, statement: Statement, result: Replacement) -> Edit | Reshape:
        pieces = laid_out(self._unit.lexemes, statement.start, statement.end, result.pieces)
        kept = tuple(piece.encode() if isinstance(piece, str) else tuple(piece) for piece in pieces)
        if any(isinstance(piece, Piece) for piece in pieces):
            return Reshape((Move(statement.start, statement.end, kept),))  # type: ignore[arg-type]
        return Edit(statement.start, statement.end, b"".join(piece for piece in kept if isinstance(piece, bytes)))


def _program(statement: Statement) -> Program | Unreadable:
    """A statement's template, read; or why it cannot be."""
    if statement.trouble:
        return Unreadable(statement.trouble)
    names = {operand.name: number for number, operand in enumerate(statement.operands) if operand.name}
    try:
        return parse(statement.template, names, len(statement.operands))
    except Unreadable as trouble:
        return trouble


def _two_widths(unit: Unit, converted: list[Statement]) -> Iterator[Finding]:
    """Shuffles stay within 32 lanes, as their operand says; votes beside them hear of the whole wavefront."""
    shuffle = next((statement for statement in converted if _SHUFFLE.search(statement.template)), None)
    if shuffle is None:
        return
    whole = next((found[0] for statement in converted if (found := _WHOLE.search(statement.template))), "")
    if not whole and (call := _WHOLE_IN_CODE.search(unit.source.data)) is not None:
        whole = call[0].decode().rstrip("( \t\r\n")
    if whole:
        yield unit.finding("HIP224", shuffle.start, name="asm", library="ptx", detail=whole.rstrip("._"))


def _refuse_what_has_a_finding(statement: Statement, catalog: PtxCatalog) -> None:
    """A statement that cannot be read may still name instructions that have a finding of their own."""
    for opcode in opcodes(statement.template):
        found = catalog.finding(opcode)
        if found is not None:
            raise Refused(found[0], opcode + (f" ({found[1]})" if found[1] else ""))


def _what(statement: Statement, trouble: Unreadable) -> str:
    names = ", ".join(opcodes(statement.template)[:4])
    return f"{names}: {trouble}" if names else str(trouble)
