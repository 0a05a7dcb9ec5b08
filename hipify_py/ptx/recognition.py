"""Distinguishes inline PTX from the assembly of other machines."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from hipify_py.frontend.brackets import match_forward, pieces, trim
from hipify_py.frontend.lexer import Define, Lexemes
from hipify_py.ptx.catalog import PtxCatalog
from hipify_py.ptx.instructions import opcodes
from hipify_py.ptx.statement import PastedPart, Statement, Unreadable, literal

# Statements that a macro's parameters are pasted into: `asm(op ".f32 %0, %1;" : "=f"(y) : letter(x))`.

_OPERAND_PLACE = re.compile(r"\{(\w+)\}")
_MOST = 200  # uses of one macro
_DEEPEST = 3  # nested macros


class MacroUse(NamedTuple):
    """A macro's use: the text of each argument by its parameter, and their offsets unless it is in a macro's body."""

    texts: dict[str, str]
    places: dict[str, tuple[int, int]]


def macro_uses(lexemes: Lexemes, statement: Statement) -> list[MacroUse]:
    """Every use in the source of the macro around a statement.

    Raises:
        Unreadable: it is in no macro, or not all uses are visible.
    """
    define = lexemes.define_around(statement.start)
    found = [] if define is None else list(_uses(lexemes, define, _DEEPEST))
    if not found or len(found) > _MOST:
        raise Unreadable(statement.trouble)
    return found


def expand(statement: Statement, use: MacroUse) -> Statement:
    """The statement that a use makes.

    Raises:
        Unreadable: an argument is not a text that can be pasted.
    """
    template = "".join(_paste(part, use) if isinstance(part, PastedPart) else str(part) for part in statement.parts)
    operands = tuple(
        operand._replace(constraint=_OPERAND_PLACE.sub(lambda place: _literals(use, place[1]), operand.constraint))
        for operand in statement.operands
    )
    return statement._replace(template=template, operands=operands, trouble="", parts=())


def _paste(part: PastedPart, use: MacroUse) -> str:
    if not part.is_stringified:
        return _literals(use, part.name)
    text = use.texts.get(part.name, "")
    if re.fullmatch(r"[\w.:]+", text) is None:
        raise Unreadable(f"part of its template comes from a macro (#{part.name})")
    return text


def _literals(use: MacroUse, name: str) -> str:
    """The text of an argument that is string literals."""
    text = use.texts.get(name, "").encode()
    parts = re.findall(rb'"(?:[^"\\]|\\.)*"', text)
    if not parts or b"".join(parts) != b"".join(text.split()):
        raise Unreadable(f"part of its template comes from a macro ({name})")
    return "".join(literal(part) for part in parts)


def _uses(lexemes: Lexemes, define: Define, depth: int) -> Iterator[MacroUse]:
    """The uses of a macro; those in another macro's body by the uses of that one."""
    data, names = lexemes.data, [name.decode() for name in lexemes.parameters(define)]
    word = re.escape(define.text)  # first, so that the engine searches for it as a whole
    for number, found in enumerate(re.finditer(rb"%s\b(?<![\w.]%s)" % (word, word), data)):
        if number > _MOST:
            raise Unreadable(f"{define.text.decode(errors='replace')} is used too often")
        if lexemes.non_code_at(found.start()) is not None or found.start() == define.start:
            continue
        around = lexemes.define_around(found.start())
        if around == define or (around is None and lexemes.in_directive(found.start())):
            continue
        opening = lexemes.after(found.end())
        is_call = data[opening : opening + 1] == b"("
        closed = match_forward(lexemes, opening, lexemes.code_end(opening)) if is_call else None
        if closed is None or len(closed[1]) != len(names) - 1:
            raise Unreadable(f"a use of {define.text.decode(errors='replace')} cannot be read")
        places = [trim(lexemes, *piece) for piece in pieces(opening, *closed)]
        texts = [data[start:end].decode("utf-8", "replace") for start, end in places]
        if around is None:
            yield MacroUse(dict(zip(names, texts, strict=True)), dict(zip(names, places, strict=True)))
        elif around.text == define.text or depth == 0:
            raise Unreadable("macros are nested in one another")
        else:
            outers = list(_uses(lexemes, around, depth - 1))
            if not outers:
                raise Unreadable(f"{around.text.decode(errors='replace')} is not used in this source")
            for outer in outers:
                yield MacroUse(dict(zip(names, (outer.texts.get(text, text) for text in texts), strict=True)), {})


def is_local(lexemes: Lexemes, statement: Statement, path: str) -> bool:
    """Whether no other file can use the macro around a statement: it is undefined again, or not in a header."""
    define = lexemes.define_around(statement.start)
    if define is None:
        return False
    if re.search(rb"#[ \t]*undef[ \t]+%s\b" % re.escape(define.text), lexemes.data[define.end :]):
        return True
    return path.endswith((".cu", ".cc", ".cpp", ".cxx"))


def is_used_once(lexemes: Lexemes, statement: Statement, name: str) -> bool:
    """Whether a macro's parameter is only used by the statement in the macro's body."""
    define = lexemes.define_around(statement.start)
    if define is None:
        return False
    data = lexemes.data
    body = data[statement.end : lexemes.body_end(define)] + data[define.end : statement.start].partition(b")")[2]
    return re.search(rb"\b%s\b" % name.encode(), body) is None


_BARE = frozenset({"trap", "exit", "brkpt", "bra"})
_TYPED = re.compile(r"\.(?:pred|[busf](?:8|16|32|64|128)|f16x2|bf16|bf16x2)(?!\w)")
_PLACE = re.compile(r"%[0-9\[]")
_PTX_CONSTRAINT = re.compile(r"[=+&%]*(?:[hrlfdnqC]|[0-9]+|\{\w+\})")
_ARITHMETIC = "abs add and div fma ld max min mov mul neg not or rem shl shr sqrt st sub xor"
_SHARED = frozenset(_ARITHMETIC.split())
_TYPED_OPERANDS = re.compile(r"\.(?:[bsuf](?:8|16|32|64)|b?f16x2|bf16|pred)[\s\[{][^;%]{0,80}%")
_DECLARATION = re.compile(r"\s*\{?\s*\.reg\s*\.")
_TYPE = re.compile(r"[bsuf]\d+(?:x\d+)?|pred|bf16(?:x2)?|cc|[et]\w*\d\w*")


def is_ptx(statement: Statement, catalog: PtxCatalog) -> bool:
    """PTX names a type after each instruction, and has constraints of its own; other assembly stays."""
    if any(_PTX_CONSTRAINT.fullmatch(operand.constraint) is None for operand in statement.operands):
        return False
    if statement.trouble and statement.operands and _TYPED_OPERANDS.search(statement.template) is not None:
        return True  # a macro pastes the instruction: asm(op ".f32 %0, %1;" ...)
    named = opcodes(statement.template)
    is_known = [
        catalog.has_mnemonic(name) and ("." in name or name in _BARE) and not _is_a_cpus(name) for name in named
    ]
    if any(is_known) or _DECLARATION.match(statement.template) is not None:
        return True
    return bool(named) and all("." in name for name in named) and ".reg" in statement.template


def may_be_ptx(statement: Statement, data: bytes) -> bool:
    """Whether a pasted template may be PTX: it cannot be looked up, but has PTX types, or is in device code."""
    if any(_PTX_CONSTRAINT.fullmatch(operand.constraint) is None for operand in statement.operands):
        return False
    if _TYPED.search(statement.template):
        return True
    return bool(_PLACE.search(statement.template)) and (b"__device__" in data or b"__global__" in data)


def _is_a_cpus(opcode: str) -> bool:
    """Whether processors have the mnemonic as well, without a type of PTX's: `mov.m.x` of RISC-V, `add.w` of Arm."""
    root, *suffixes = opcode.split(".")
    return root in _SHARED and not any(_TYPE.fullmatch(suffix) for suffix in suffixes)
