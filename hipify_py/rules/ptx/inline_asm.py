"""Writes inline PTX as HIP, and reports what has no counterpart."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hipify_py.edits import Edit, Move, Reshape
from hipify_py.findings import Finding
from hipify_py.ptx.catalog import PtxCatalog, load_ptx_catalog
from hipify_py.ptx.declarations import type_of
from hipify_py.ptx.emission import replacement
from hipify_py.ptx.instructions import opcodes, parse
from hipify_py.ptx.layout import laid_out
from hipify_py.ptx.outcome import Piece, Refused, Replacement
from hipify_py.ptx.statement import Pasted, Statement, Unreadable, statements
from hipify_py.rules.base import Example, Rule, Support
from hipify_py.unit import Unit

_BARE = frozenset({"trap", "exit", "brkpt", "bra"})
_SHUFFLE = re.compile(r"\bshfl\.")
_WHOLE = re.compile(r"\b(?:vote|match|activemask|redux)\.|%lanemask_")
_WHOLE_IN_CODE = re.compile(rb"\b__(?:ballot|any|all|match_any|match_all|reduce_\w+)_sync\s*\(|\b__activemask\s*\(")
_TYPED = re.compile(r"\.(?:pred|[busf](?:8|16|32|64|128)|f16x2|bf16|bf16x2)(?!\w)")
_PLACE = re.compile(r"%[0-9\[]")
_PTX_CONSTRAINT = re.compile(r"[=+&%]*(?:[hrlfdnqC]|[0-9]+)")

_SHARED = frozenset(
    [
        "abs",
        "add",
        "and",
        "div",
        "fma",
        "ld",
        "max",
        "min",
        "mov",
        "mul",
        "neg",
        "not",
        "or",
        "rem",
        "shl",
        "shr",
        "sqrt",
        "st",
        "sub",
        "xor",
    ]
)
_TYPED_OPERANDS = re.compile(r"\.(?:[bsuf](?:8|16|32|64)|b?f16x2|bf16|pred)\s[^;%]{0,80}%")
_TYPE = re.compile(r"[bsuf]\d+(?:x\d+)?|pred|bf16(?:x2)?|cc|[et]\w*\d\w*")


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
        found = [statement for statement in statements(unit.lexemes) if statement.template.strip() or statement.trouble]
        converted: list[Statement] = []
        if not found:
            return
        catalog = load_ptx_catalog()
        keeps_32 = _keeps_32(unit)
        for statement in found:
            if not (_is_ptx(statement, catalog) or (statement.trouble and _may_be_ptx(unit, statement))):
                continue
            try:
                yield from _rewritten(unit, statement, catalog, keeps_32=keeps_32)
                converted.append(statement)
            except Refused as refused:
                yield unit.finding(refused.id, statement.start, name="asm", library="ptx", detail=refused.detail)
            except Unreadable as trouble:
                yield unit.finding(
                    "HIP219", statement.start, name="asm", library="ptx", detail=_what(statement, trouble)
                )
        if not keeps_32:
            yield from _two_widths(unit, converted)


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


def _keeps_32(unit: Unit) -> bool:
    """The warps of the source stay at 32 lanes, which `--fix wavefront` asks for where it is exact."""
    if not unit.options.fixes:
        return False
    from hipify_py.rules.wavefront.keep_32 import is_kept

    return is_kept(unit)


def _rewritten(
    unit: Unit, statement: Statement, catalog: PtxCatalog, *, keeps_32: bool
) -> Iterator[Edit | Reshape | Finding | Support]:
    """What takes a statement's place.

    Raises:
        Refused, Unreadable: where nothing can; the statement then stays as it is.
    """
    data = unit.source.data
    if statement.trouble:
        if any(isinstance(part, Pasted) for part in statement.parts):
            try:
                items = list(_pasted(unit, statement, catalog, keeps_32=keeps_32))
            except Unreadable:
                items = []
            if items:
                yield from items
                return
        _refuse_what_has_a_finding(statement, catalog)
        raise Unreadable(statement.trouble)
    names = {operand.name: number for number, operand in enumerate(statement.operands) if operand.name}
    try:
        program = parse(statement.template, names, len(statement.operands))
    except Unreadable:
        _refuse_what_has_a_finding(statement, catalog)
        raise
    if not program.instructions:
        return
    result = replacement(
        statement,
        program,
        catalog,
        text_of=lambda operand: data[operand.start : operand.end].decode("utf-8", "replace"),
        type_of=lambda operand: type_of(unit.lexemes, operand.start, operand.end),
        in_macro=unit.lexemes.define_around(statement.start) is not None,
        keeps_32=keeps_32,
    )
    consequences = list(_consequences(unit, statement, result))
    yield _edit(unit, statement, result)
    yield from consequences


def _pasted(
    unit: Unit, statement: Statement, catalog: PtxCatalog, *, keeps_32: bool
) -> Iterator[Edit | Finding | Support]:
    """A macro that pastes an instruction takes the expression instead: `y = op;`, and `DEFINE(f, exp2f(x))`.

    Raises:
        Refused, Unreadable: where that cannot be.
    """
    from hipify_py.ptx.pasted import pasted_macro

    data = unit.source.data
    macro = pasted_macro(unit.lexemes, statement)
    texts = [data[operand.start : operand.end].decode("utf-8", "replace") for operand in statement.operands]
    outputs = [text for text, operand in zip(texts, statement.operands, strict=True) if operand.is_output]
    if len(outputs) != 1 or any(not text.isidentifier() or text in macro.parameters for text in texts):
        raise Unreadable(statement.trouble)
    target = f"{outputs[0]} = "
    yield Edit(statement.start, statement.end, f"{target}{macro.parameter}".encode())
    for invocation in macro.invocations:
        made = statement._replace(template=invocation.template, trouble="", parts=())
        program = parse(made.template, {}, len(made.operands))
        result = replacement(
            made,
            program,
            catalog,
            text_of=lambda operand: data[operand.start : operand.end].decode("utf-8", "replace"),
            type_of=lambda operand: "",
            keeps_32=keeps_32,
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
        yield from _consequences(unit, made._replace(start=invocation.start), result)


def _consequences(unit: Unit, statement: Statement, result: Replacement) -> Iterator[Finding | Support]:
    """What else a replacement needs and says.

    Raises:
        Refused: where it needs the support header, which the run does without.
    """
    if result.needs and not unit.options.support:
        raise Refused("HIP201", f"{', '.join(opcodes(statement.template))} (needs the support header)")
    for section in sorted(result.needs):
        yield Support(section)
    for mask in dict.fromkeys(result.narrow):
        yield unit.finding("HIP217", statement.start, name="asm", library="ptx", detail=mask)
    for note in result.notes:
        yield unit.finding("HIP221", statement.start, name="asm", library="ptx", detail=note)


def _edit(unit: Unit, statement: Statement, result: Replacement) -> Edit | Reshape:
    pieces = laid_out(unit.lexemes, statement.start, statement.end, result.pieces)
    kept = tuple(piece.encode() if isinstance(piece, str) else tuple(piece) for piece in pieces)
    if any(isinstance(piece, Piece) for piece in pieces):
        return Reshape((Move(statement.start, statement.end, kept),))  # type: ignore[arg-type]
    return Edit(statement.start, statement.end, b"".join(piece for piece in kept if isinstance(piece, bytes)))


def _refuse_what_has_a_finding(statement: Statement, catalog: PtxCatalog) -> None:
    """A statement that cannot be read may still name instructions that have a finding of their own."""
    for opcode in opcodes(statement.template):
        found = catalog.finding(opcode)
        if found is not None:
            raise Refused(found[0], opcode + (f" ({found[1]})" if found[1] else ""))


def _is_ptx(statement: Statement, catalog: PtxCatalog) -> bool:
    """PTX names a type behind each instruction, and has constraints of its own; other assembly stays."""
    if any(_PTX_CONSTRAINT.fullmatch(operand.constraint) is None for operand in statement.operands):
        return False
    if statement.trouble and statement.operands and _TYPED_OPERANDS.search(statement.template) is not None:
        return True  # a macro pastes the instruction: asm(op ".f32 %0, %1;" ...)
    named = opcodes(statement.template)
    known = [catalog.knows(name) and ("." in name or name in _BARE) and not _is_a_cpus(name) for name in named]
    return any(known) or (bool(named) and all("." in name for name in named) and ".reg" in statement.template)


def _is_a_cpus(opcode: str) -> bool:
    """A mnemonic that processors have as well, without a type of PTX's: `mov.m.x` of RISC-V, `add.w` of Arm."""
    root, *suffixes = opcode.split(".")
    return root in _SHARED and not any(_TYPE.fullmatch(suffix) for suffix in suffixes)


def _may_be_ptx(unit: Unit, statement: Statement) -> bool:
    """What is pasted together cannot be looked up; it is PTX by its types, or by standing among device code."""
    if any(_PTX_CONSTRAINT.fullmatch(operand.constraint) is None for operand in statement.operands):
        return False
    if _TYPED.search(statement.template):
        return True
    data = unit.source.data
    return bool(_PLACE.search(statement.template)) and (b"__device__" in data or b"__global__" in data)


def _what(statement: Statement, trouble: Unreadable) -> str:
    names = ", ".join(opcodes(statement.template)[:4])
    return f"{names}: {trouble}" if names else str(trouble)
