"""The replacements of a source's inline PTX."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cached_property
from typing import NamedTuple

from hipify_py.analysis.warp.decisions import KEPT, warp_decisions
from hipify_py.core.edits import CompositeEdit, Edit, replaced
from hipify_py.core.findings import Finding
from hipify_py.frontend.unit import Unit
from hipify_py.ptx.asm_context import AsmContext, lay_out, type_of
from hipify_py.ptx.carry_flow import CarryFlow, carry_use
from hipify_py.ptx.catalog import PtxCatalog, load_ptx_catalog
from hipify_py.ptx.emission import replacement
from hipify_py.ptx.instructions import Program, opcodes, parse
from hipify_py.ptx.operand_storage import TypeOf
from hipify_py.ptx.outcome import Piece, Replacement, Unconvertible
from hipify_py.ptx.recognition import MacroUse, expand, is_local, is_ptx, is_used_once, macro_uses, may_be_ptx
from hipify_py.ptx.statement import Operand, PastedPart, Statement, Unreadable, statements
from hipify_py.rules.base import Support
from hipify_py.semantics.device_code import in_kernel_body
from hipify_py.semantics.functions import functions_of

_SHUFFLE = re.compile(r"\bshfl\.")
_WHOLE = re.compile(r"\b(?:vote|match|activemask|redux)\.|%lanemask_")
_WHOLE_IN_CODE = re.compile(rb"__(?:ballot|any|all|match_any|match_all|reduce_\w+)_sync|__activemask")
_EXIT = re.compile(r"\bexit\b")


class RewriteResult(NamedTuple):
    """The outcomes of a source's statements, and those that were replaced."""

    items: tuple[Edit | CompositeEdit | Finding | Support, ...]
    converted: tuple[Statement, ...]


def converted_source(unit: Unit) -> RewriteResult:
    """The outcomes of a source's statements, with those of warps that are kept at 32 lanes kept so."""
    return unit.analysis(_converted_source)


def _converted_source(unit: Unit) -> RewriteResult:
    return rewrite(unit, lambda place: _keeps_32(unit, place))


def converted(unit: Unit) -> frozenset[int]:
    """The offsets of the statements that become HIP of the same meaning, however many lanes a wavefront has."""
    return frozenset(
        statement.start
        for statement in converted_source(unit).converted
        if not _SHUFFLE.search(statement.template) and not _WHOLE.search(statement.template)
    )


def rewrite(unit: Unit, keeps_32: Callable[[int], bool]) -> RewriteResult:
    """The outcomes of a source's statements.

    Args:
        unit: the source.
        keeps_32: whether the warp of the statement at an offset is kept at 32 lanes, or is as wide as the wavefront.
    """
    found = [statement for statement in statements(unit.lexemes) if statement.template.strip() or statement.trouble]
    if not found:
        return RewriteResult((), ())
    catalog = load_ptx_catalog()
    data = unit.source.data
    ptx_outcome = [one for one in found if is_ptx(one, catalog) or (one.trouble and may_be_ptx(one, data))]
    source = _Source(unit, catalog, ptx_outcome, keeps_32)
    items = [item for statement in ptx_outcome for item in source.outcome(statement)]
    items += source.carries_of_threads()
    items += _two_widths(unit, [one for one in source.converted if not keeps_32(one.start)])
    return RewriteResult(tuple(items), tuple(source.converted))


class _Source:
    """The statements of a source, and their replacements; `converted` are those that were replaced."""

    def __init__(
        self, unit: Unit, catalog: PtxCatalog, found: list[Statement], keeps_32: Callable[[int], bool]
    ) -> None:
        self._unit = unit
        self._keeps_32 = keeps_32
        self._catalog = catalog
        self._programs: dict[int, Program | Unreadable] = {one.start: _program(one) for one in found}
        self._found = found
        self.converted: list[Statement] = []

    @cached_property
    def _carries(self) -> CarryFlow:
        read = [(one, self._programs[one.start]) for one in self._found]
        carries = [carry_use(one, program) for one, program in read if isinstance(program, Program)]
        return CarryFlow(self._unit.lexemes, self._unit.tree, [use for use in carries if use is not None])

    def outcome(self, statement: Statement) -> Iterator[Edit | CompositeEdit | Finding | Support]:
        """The replacement of a statement, or the finding with the reason why it stays."""
        finding = None
        try:
            yield from self._rewrite(statement)
            self.converted.append(statement)
        except Unconvertible as refused:
            finding = refused.id, refused.detail
        except Unreadable as trouble:
            finding = "HIP219", _describe(statement, trouble)
        if finding is not None:
            yield self._unit.finding(finding[0], statement.start, name="asm", library="ptx", detail=finding[1])

    def _rewrite(self, statement: Statement) -> Iterator[Edit | CompositeEdit | Finding | Support]:
        """The replacement of a statement.

        Raises:
            Unconvertible, Unreadable: there is none; the statement then stays as it is.
        """
        program = self._programs[statement.start]
        if isinstance(program, Unreadable):
            items = self._pasted(statement)
            if items:
                yield from items
                return
            _raise_if_finding(statement, self._catalog)
            raise program
        if not program.instructions:
            return
        around = self._surroundings(statement)
        if around.carry.is_of_thread and not self._unit.options.support:
            raise Unconvertible("HIP216", f"{', '.join(opcodes(statement.template))} (needs the support header)")
        results = {self._result(statement, program, self._type, around)}
        results.update(self._result(one, _parse(one), self._type, around) for one in _alternatives(statement))
        if len(results) != 1:
            raise Unreadable("the branches of its template convert differently")
        yield from self._replacement(statement, results.pop())

    def _result(self, statement: Statement, program: Program, type_of: TypeOf, around: AsmContext) -> Replacement:
        return replacement(statement, program, self._catalog, text_of=self._text, type_of=type_of, around=around)

    def _replacement(
        self, statement: Statement, result: Replacement
    ) -> Iterator[Edit | CompositeEdit | Finding | Support]:
        consequences = list(self._consequences(statement, result))
        if self._calls_itself(statement, result):
            raise Unconvertible("HIP201", f"{', '.join(opcodes(statement.template))} (the function would call itself)")
        yield self._edit(statement, result)
        yield from consequences

    def _calls_itself(self, statement: Statement, result: Replacement) -> bool:
        """Whether the function around a statement has the name of its replacement: Bonsai's `__clz(unsigned)`."""
        around = functions_of(self._unit).at(statement.start)
        name = around.name.decode(errors="replace") if around is not None else ""
        if not name or name in self._unit.catalog.overloads:  # the definition is left out on AMD: rule HIP120
            return False
        call = re.compile(rf"(?<![\w:.]){re.escape(name)}\(")
        return any(call.search(piece) for piece in result.pieces if isinstance(piece, str))

    def carries_of_threads(self) -> Iterator[Finding]:
        """The first statement whose carry passes from function to function, reported once per source."""
        for statement in self.converted:
            if self._carries.at(statement).is_of_thread:
                detail = ", ".join(opcodes(statement.template)[:4])
                yield self._unit.finding("HIP225", statement.start, name="asm", library="ptx", detail=detail)
                return

    def _surroundings(self, statement: Statement) -> AsmContext:
        unit, start = self._unit, statement.start
        in_macro = unit.lexemes.define_around(start) is not None
        return AsmContext(
            in_macro=in_macro,
            in_kernel=not in_macro and _EXIT.search(statement.template) is not None and in_kernel_body(unit, start),
            emulates_warp32=self._keeps_32(start),
            carry=self._carries.at(statement),
        )

    def _text(self, operand: Operand) -> str:
        return self._unit.source.data[operand.start : operand.end].decode("utf-8", "replace")

    def _type(self, operand: Operand) -> str:
        return type_of(self._unit, operand.start, operand.end)

    def _pasted(self, statement: Statement) -> list[Edit | CompositeEdit | Finding | Support]:
        """The replacement of a macro whose parameters are pasted into the statement; None where there is none.

        Raises:
            Unconvertible: an instruction of a use has no counterpart.
        """
        if self._unit.lexemes.define_around(statement.start) is None:
            return []
        try:
            found = macro_uses(self._unit.lexemes, statement)
            is_opcode = isinstance(statement.parts[0], PastedPart)
            alike = [] if is_opcode else self._common_result(statement, found)
            return alike or list(self._expressions(statement, found))
        except Unreadable:
            return []

    def _common_result(
        self, statement: Statement, found: list[MacroUse]
    ) -> list[Edit | CompositeEdit | Finding | Support]:
        """The common replacement of all uses of a macro; None where they differ, or other files may have more uses.

        Raises:
            Unconvertible, Unreadable: a use cannot be converted.
        """
        if not is_local(self._unit.lexemes, statement, self._unit.source.path):
            return []
        around = AsmContext(in_macro=True, emulates_warp32=self._keeps_32(statement.start))
        results = {self._expanded(expand(statement, use), around) for use in found}
        return list(self._replacement(statement, results.pop())) if len(results) == 1 else []

    def _expanded(self, statement: Statement, around: AsmContext) -> Replacement:
        """The replacement of a statement that a macro's use makes."""
        program = _parse(statement)
        carry = carry_use(statement, program)
        if carry is not None and carry.is_exposed:
            raise Unconvertible("HIP216", f"{', '.join(opcodes(statement.template))} in a macro")
        return self._result(statement, program, _has_unknown_type, around)

    def _expressions(self, statement: Statement, found: list[MacroUse]) -> Iterator[Edit | Finding | Support]:
        """A macro that pastes an instruction takes the expression instead: `y = op;`, and `DEFINE(f, exp2f(x))`.

        Raises:
            Unconvertible, Unreadable: that is not possible.
        """
        texts = [self._text(operand) for operand in statement.operands]
        outputs = [text for text, operand in zip(texts, statement.operands, strict=True) if operand.is_output]
        names = [part.name for part in statement.parts if isinstance(part, PastedPart)]
        if len(outputs) != 1 or len(names) != 1 or not all(text.isidentifier() for text in texts):
            raise Unreadable(statement.trouble)
        if not is_used_once(self._unit.lexemes, statement, names[0]):
            raise Unreadable(statement.trouble)
        if not all(names[0] in use.places for use in found):
            raise Unreadable(statement.trouble)
        target = f"{outputs[0]} = "
        yield Edit(statement.start, statement.end, f"{target}{names[0]}".encode())
        for use in found:
            start, end = use.places[names[0]]
            result = self._expanded(expand(statement, use), AsmContext(emulates_warp32=self._keeps_32(start)))
            text = "".join(piece if isinstance(piece, str) else self._argument(piece, use) for piece in result.pieces)
            expression = text.partition(" = ")[2]
            if not isinstance(result.pieces[0], Piece) or "\n" in text or ";" in text or not expression:
                raise Unreadable(statement.trouble)
            if "<" in expression and "," in expression:  # a comma of template arguments would split a macro's
                expression = f"({expression})"
            yield Edit(start, end, expression.encode())
            yield from self._consequences(statement._replace(start=start), result)

    def _argument(self, piece: Piece, use: MacroUse) -> str:
        """An operand's expression; of one that is a macro's parameter, the use's."""
        text = self._unit.source.data[piece.start : piece.end].decode("utf-8", "replace")
        argument = use.texts.get(text, text)
        return argument if argument.isidentifier() else f"({argument})"

    def _consequences(self, statement: Statement, result: Replacement) -> Iterator[Finding | Support]:
        """The support sections and findings of a replacement.

        Raises:
            Unconvertible: it needs the support header, which the run does not write.
        """
        unit = self._unit
        if result.needs and not unit.options.support:
            raise Unconvertible("HIP201", f"{', '.join(opcodes(statement.template))} (needs the support header)")
        for section in sorted(result.needs):
            yield Support(section)
        narrow_masks = [
            f"a mask in {self._unit.source.data[mask.start : mask.end].decode(errors='replace')}"
            for mask in result.masks
        ]
        for mask in dict.fromkeys([*result.narrow, *narrow_masks]):
            yield unit.finding("HIP217", statement.start, name="asm", library="ptx", detail=mask)
        for note in result.notes:
            yield unit.finding("HIP221", statement.start, name="asm", library="ptx", detail=note)

    def _edit(self, statement: Statement, result: Replacement) -> Edit | CompositeEdit:
        pieces = lay_out(self._unit.lexemes, statement.start, statement.end, result.pieces)
        parts = [piece.encode() if isinstance(piece, str) else (piece.start, piece.end) for piece in pieces]
        if any(isinstance(piece, Piece) for piece in pieces):
            return replaced(statement.start, statement.end, *parts)
        return Edit(statement.start, statement.end, b"".join(piece for piece in parts if isinstance(piece, bytes)))


def _keeps_32(unit: Unit, place: int) -> bool:
    """Whether the warp of a statement is kept at 32 lanes."""
    return warp_decisions(unit).ptx_outcome(place) == KEPT


def _program(statement: Statement) -> Program | Unreadable:
    """A statement's parsed template, or the reason why it cannot be parsed."""
    if statement.trouble:
        return Unreadable(statement.trouble)
    try:
        return _parse(statement)
    except Unreadable as trouble:
        return trouble


def _parse(statement: Statement) -> Program:
    return parse(statement.template, _names(statement), len(statement.operands))


def _names(statement: Statement) -> dict[str, int]:
    """The operands that have symbolic names."""
    return {operand.name: number for number, operand in enumerate(statement.operands) if operand.name}


def _alternatives(statement: Statement) -> Iterator[Statement]:
    """The statement with each of its other templates."""
    yield from (statement._replace(template=template) for template in statement.others)


def _has_unknown_type(operand: Operand) -> str:
    return ""


def _two_widths(unit: Unit, converted: list[Statement]) -> Iterator[Finding]:
    """Shuffles stay within 32 lanes, as their operand demands; votes beside them are over the whole wavefront."""
    shuffle = next((statement for statement in converted if _SHUFFLE.search(statement.template)), None)
    if shuffle is None:
        return
    whole = next((found[0] for statement in converted if (found := _WHOLE.search(statement.template))), "")
    if not whole:
        built_ins = filter(_WHOLE_IN_CODE.fullmatch, unit.lexemes.words)
        places = [(place, word) for word in built_ins for place in unit.lexemes.places(word)]
        whole = min(places)[1].decode() if places else ""
    if whole:
        yield unit.finding("HIP224", shuffle.start, name="asm", library="ptx", detail=whole.rstrip("._"))


def _raise_if_finding(statement: Statement, catalog: PtxCatalog) -> None:
    """A statement that cannot be parsed may still name instructions that have a finding of their own."""
    for opcode in opcodes(statement.template):
        found = catalog.finding(opcode)
        if found is not None:
            raise Unconvertible(found[0], opcode + (f" ({found[1]})" if found[1] else ""))


def _describe(statement: Statement, trouble: Unreadable) -> str:
    names = ", ".join(opcodes(statement.template)[:4])
    return f"{names}: {trouble}" if names else str(trouble)
