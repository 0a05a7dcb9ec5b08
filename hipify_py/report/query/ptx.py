"""What the PTX tables know of an instruction or a special register."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

from hipify_py.core.translation import CONVERTED, UNSUPPORTED
from hipify_py.ptx.catalog import Match, Row, SpecialRegister, load_ptx_catalog, types_of
from hipify_py.ptx.expressions import choice_text
from hipify_py.ptx.matching import COMPUTED, PLACEHOLDER
from hipify_py.ptx.types import CONSTRAINTS, CPP, bits
from hipify_py.report.query.ptx_names import (
    Glob,
    exact_rows,
    name_alone,
    readable,
    rows_that_begin,
    usual_case,
)

INSTRUCTION, REGISTER = "PTX instruction", "PTX special register"

_OPCODE = re.compile(r"[a-z]\w*(?:\.\w+(?:::\w+)*)*")
_SMALL = range(0x10000)
"""The constants that the condition of an entry is tried with."""


class Form(NamedTuple):
    """One form of an instruction, or a special register, and what it becomes.

    Attributes:
        ptx: the form, with its operands.
        only_if: the condition on its constants; empty where there is none.
        hip: what replaces it, or a description in parentheses of what is computed from its constants; empty where
            nothing is left of it, None where HIP has no counterpart.
        warp32: what replaces it where the program's warps keep 32 lanes; empty if that is the same.
        section: the section of the support header that this needs; empty for none.
        note: what is different in HIP; empty for nothing.
        finding: the finding that reports it; empty for none.
        detail: what the finding adds; empty for nothing.
    """

    ptx: str
    only_if: str
    hip: str | None
    warp32: str = ""
    section: str = ""
    note: str = ""
    finding: str = ""
    detail: str = ""


class PtxAnswer(NamedTuple):
    """What is known of a name of PTX.

    Attributes:
        name: the opcode or register, or an entry's opcodes with their alternatives.
        kind: `INSTRUCTION` or `REGISTER`.
        forms: its forms in the order in which a translation tries them, but those without a counterpart last.
        example: an `asm` statement with it, between the beginning and the end of a function; empty for none.
    """

    name: str
    kind: str
    forms: list[Form]
    example: tuple[str, str, str] | None

    @property
    def outcome(self) -> str:
        """How uses end: converted, if any form is."""
        return UNSUPPORTED if all(form.hip is None for form in self.forms) else CONVERTED


def ask_ptx(text: str) -> PtxAnswer | None:
    """What is known of an opcode (`lop3.b32`), its beginning (`shfl.sync`) or a special register (`%smid`).

    Capitals, operands, a guard (`@p`) and the second percent sign of `asm` templates (`%%smid`) do not matter.

    Raises:
        TableError: if a table is wrong.
    """
    catalog, written = load_ptx_catalog(), name_alone(text)
    for name in dict.fromkeys((written, usual_case(catalog, written))):
        register = catalog.register(name.removeprefix("%"))
        if register is not None and (name.startswith("%") or name.isupper()):
            return PtxAnswer(name, REGISTER, [_form_of_register(name, register)], _example_of_register(name, register))
        if not _OPCODE.fullmatch(name):
            continue
        exact = exact_rows(catalog, name)
        if exact:
            forms = _sorted(_form_of_row(row, groups, name) for row, groups in exact)
            return PtxAnswer(name, INSTRUCTION, forms, _example_of_row(name, *exact[-1]))
        forms = _sorted(_form_of_row(row, {}) for row in rows_that_begin(catalog, name))
        if forms:
            return PtxAnswer(name, INSTRUCTION, forms, None)
    return None


def matching_ptx(pattern: str) -> list[PtxAnswer]:
    """The instructions' entries and the registers that match a shell pattern.

    Raises:
        TableError: if a table is wrong.
    """
    catalog, glob = load_ptx_catalog(), Glob(pattern)
    forms: dict[str, list[Form]] = {}
    for row in filter(glob.matches_row, catalog.rows()):
        forms.setdefault(readable(row.pattern), []).append(_form_of_row(row, {}))
    found = [PtxAnswer(name, INSTRUCTION, _sorted(each), None) for name, each in forms.items()]
    for bare, register in catalog.registers().items():
        name = bare if bare.isupper() else f"%{bare}"
        if glob.matches_name(name):
            found.append(PtxAnswer(name, REGISTER, [_form_of_register(name, register)], None))
    return found


def _sorted(forms: Iterable[Form]) -> list[Form]:
    return sorted(dict.fromkeys(forms), key=lambda form: form.hip is None)


def _form_of_row(row: Row, groups: dict[str, str], opcode: str = "") -> Form:
    """A form by its entry; `opcode` and its choices, if they are known, stand for the alternatives of the entry."""
    fields = row.fields
    conditions = [f"{name} is {_constants(str(wanted))}" for name, wanted in fields.get("when", {}).items()]
    only_if = " and ".join([*conditions, *(["the statement is volatile"] if "volatile" in fields else [])])
    ptx = f"{opcode or readable(row.pattern)} {_operands(row)}".rstrip()
    if "finding" in fields:
        return Form(ptx, only_if, None, finding=str(fields["finding"]), detail=str(fields.get("detail", "")))
    if fields.get("drop"):
        return Form(ptx, only_if, "", note=str(fields.get("note", "")))
    if "compute" in fields:
        summary = (COMPUTED[fields["compute"]].__doc__ or "").partition("\n")[0]
        hip, warp32 = f"({summary[:1].lower()}{summary[1:].rstrip('.')})".replace("`", ""), ""
    else:
        hip = _replacement(row, groups, row.hip)
        warp32 = _replacement(row, groups, fields.get("warp32", ""))
    section = "" if warp32 and "hipify::" not in hip else str(fields.get("needs", ""))
    return Form(ptx, only_if, hip, warp32, section, str(fields.get("note", "")))


def _form_of_register(name: str, register: SpecialRegister) -> Form:
    fields = register.fields
    if "finding" in fields:
        return Form(name, "", None, finding=str(fields["finding"]), detail=str(fields.get("detail", "")))
    note, section = str(fields.get("note", "")), str(fields.get("needs", ""))
    return Form(name, "", register.hip, str(fields.get("warp32", "")), section, note)


def _operands(row: Row) -> str:
    """The operands of an entry, as PTX writes them."""
    texts: list[str] = []
    for name, kind, _ in row.operands:
        if kind == "|":
            texts[-1] += f"|{name}"
        else:
            texts.append({"[": f"[{name}]", "{": f"{{{name}}}"}.get(kind, name))
    return ", ".join(texts)


def _replacement(row: Row, groups: dict[str, str], hip: str | dict[str, str]) -> str:
    """The text of an entry with the names of its operands, and with the choices of the opcode if they are known."""
    match = Match(row, groups, {}, types_of(row, groups) if groups else {})
    operands = {name for name, _, _ in row.operands}

    def fill(found: re.Match[str]) -> str:
        name = found[2]
        if name in operands:
            return name
        space, _, own = name.partition("_")
        if space in ("shared", "global") and own in operands:
            return own
        text = choice_text(name, match) if groups else None
        return found[0] if text is None else text

    texts = hip if isinstance(hip, dict) else {"": hip}
    results = [name for name, kind, _ in row.operands if name in ("d", "p", "q") and not (kind == "|" and "" in texts)]
    target = results[0] if results else ""
    parts = []
    for result, text in texts.items():
        filled = PLACEHOLDER.sub(fill, text)
        parts.append(f"{result or target} = {filled}" if result or target else filled)
    return "; ".join(parts) if any(texts.values()) else ""


def _constants(wanted: str) -> str:
    """The constants that a pattern for hexadecimal digits admits, in words."""
    if wanted == ".*":
        return "a constant"
    if re.fullmatch("[0-9a-f]+", wanted):
        return f"0x{wanted}" if len(wanted) > 1 else wanted
    admitted = [number for number in _SMALL if re.fullmatch(wanted, f"{number:x}")]
    if admitted == [*range(len(admitted))]:
        return f"a constant from 0 to {len(admitted) - 1}"
    return f"a constant whose hexadecimal digits match {wanted}"


# Examples, which a translation turns into HIP: of what is in registers of its own.

_LETTERS = {type: letter for letter, type in CONSTRAINTS.items()}
_HELD = frozenset(CPP) - {"pred", "u8", "s8", "b8"}
_CONSTANT = "0x1f"


def _example_of_register(name: str, register: SpecialRegister) -> tuple[str, str, str]:
    type = "u32" if register.fields.get("mask") else register.type
    word = name if name.isupper() else f"%{name}"
    line = f'asm volatile("mov.{type} %0, {word};" : "={_letter(type)}"(d));'
    return f"__device__ void example({CPP[type]} &d) {{\n    ", line, "\n}\n"


def _example_of_row(opcode: str, row: Row, groups: dict[str, str]) -> tuple[str, str, str] | None:
    types = types_of(row, groups)
    if "finding" in row.fields or any(kind or types[name] not in _HELD for name, kind, _ in row.operands):
        return None
    outputs: list[str] = []
    inputs: list[str] = []
    parameters: list[str] = []
    operands: list[str] = []
    for name, _, _ in row.operands:
        type = types[name]
        if name == "m":
            operands.append("0xffffffff")
        elif name in row.fields.get("when", {}) or (opcode.startswith("lop3.") and name == "e"):
            operands.append(_CONSTANT)
        elif name in ("d", "p", "q"):
            type = "u32" if row.fields.get("mask") else type
            operands.append(f"%{len(outputs) + len(inputs)}")
            outputs.append(f'"={_letter(type)}"({name})')
            parameters.append(f"{CPP[type]} &{name}")
        else:
            operands.append(f"%{len(outputs) + len(inputs)}")
            inputs.append(f'"{_letter(type)}"({name})')
            parameters.append(f"{CPP[type]} {name}")
    text = f"{opcode} {', '.join(operands)};" if operands else f"{opcode};"
    places = f" : {', '.join(outputs)} : {', '.join(inputs)}" if outputs or inputs else " ::"
    line = f'asm volatile("{text}"{places.rstrip(": ") if outputs and not inputs else places});'
    return f"__device__ void example({', '.join(parameters)}) {{\n    ", line, "\n}\n"


def _letter(type: str) -> str:
    """The constraint for a register of a PTX type."""
    return _LETTERS[type] if type in _LETTERS else _LETTERS[f"b{bits(type)}"]


def ptx_lines(answer: PtxAnswer, title_of: Callable[[str], str]) -> Iterator[str]:
    """An answer as lines of text; `title_of` has the title of a finding by its id."""
    yield f"{answer.name}: {answer.kind}, {answer.outcome}"
    for form in answer.forms:
        yield f"  {form_line(form, title_of)}"
        if form.warp32:
            yield f"    with warps kept at 32 lanes: {form.warp32}"
        if form.section:
            yield f"    support header: section {form.section}"
        if form.note:
            yield f"    note: {form.note}"


def form_line(form: Form, title_of: Callable[[str], str]) -> str:
    """One form and what it becomes, as a line; `title_of` has the title of a finding by its id."""
    condition = f" if {form.only_if}" if form.only_if else ""
    if form.hip is not None:
        return f"{form.ptx}{condition}: {form.hip or 'is removed'}"
    detail = f": {form.detail}" if form.detail else ""
    return f"{form.ptx}{condition}: {form.finding}, {title_of(form.finding)}{detail}"


def ptx_document(answer: PtxAnswer) -> dict[str, Any]:
    """An answer as plain data, with null for what a form does not have."""
    forms = [
        {key: value if value != "" or key == "hip" else None for key, value in form._asdict().items()}
        for form in answer.forms
    ]
    return {"name": answer.name, "outcome": answer.outcome, "library": "ptx", "kind": answer.kind, "forms": forms}
