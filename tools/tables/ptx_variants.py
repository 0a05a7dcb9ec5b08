"""Small functions for every entry of the PTX tables: the instruction in an asm statement, with operands of its types.

They are what the entries are compiled and compared by: once as they are, once converted.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from hashlib import sha256
from itertools import islice, product
from pathlib import Path
from typing import Any, NamedTuple

from hipify_py.catalog import load_catalog
from hipify_py.catalog.places import mappings_dir
from hipify_py.core.edits import CompositeEdit, Edit, apply, resolve
from hipify_py.core.findings import Finding
from hipify_py.core.options import Options
from hipify_py.core.source import Source
from hipify_py.frontend.unit import Unit
from hipify_py.ptx.catalog import PART, Row, SpecialRegister, load_ptx_catalog, read_rows, types_of
from hipify_py.ptx.types import CPP, bits
from hipify_py.rules.ptx.rewriting import rewrite
from hipify_py.translator.translate import lexer

_SECTIONS = Path(__file__).resolve().parents[2] / "hipify_py" / "support_header" / "sections"
_TABLES = str(Path(mappings_dir()) / "ptx")
KEPT = " at 32 lanes"
"""The end of the names of entries as they are where a program's warps stay at 32 lanes."""

_MOST = 24  # variants of one entry
_CONSTRAINTS = {8: "r", 16: "h", 32: "r", 64: "l"}
_PREDICATE = re.compile(r"(?<![\w%\[])p[a-eqp](?!\w)")
_SPACES = ("", ".global", ".shared")
_NUMBERS = {
    "1f": ["31"],
    "0": ["0"],
    "ffffffff": ["0xffffffff"],
    "[0-7]{1,4}": ["0x3210", "0x5410", "0x7632", "0x0123", "0x7777"],
    "[0-9a-f]": ["0", "1", "15"],
    "1?[0-9a-f]": ["0", "1", "16", "31"],
    "[123]?[0-9a-f]": ["0", "1", "32", "63"],
    ".*": ["0x96", "0xEA", "0xCA", "0xE8", "0x80", "0xFE", "0x6A", "0x1B", "255", "0xC0", "0x3C", "0x78", "0xD8"],
}


class Parameter(NamedTuple):
    """A parameter of a function: `role` is `in`, `out`, `global` or `shared` (a pointer to what the type says)."""

    name: str
    type: str
    role: str


class Variant(NamedTuple):
    """One function: its entry, the opcode that it has of it, its parameters and its body's asm statement."""

    entry: str
    opcode: str
    parameters: tuple[Parameter, ...]
    statement: str
    row: Row | SpecialRegister


def digest(row: Row | SpecialRegister) -> str:
    """A hash of everything that an entry's replacement is made of."""
    fields = {key: row.fields[key] for key in sorted(row.fields) if key in ("compute", "needs", "pointer", "mask")}
    text = f"{getattr(row, 'ptx', '')} {row.hip} {fields}"
    if "needs" in row.fields:
        text += (_SECTIONS / f"{row.fields['needs']}.hpp").read_text(encoding="utf-8")
    return sha256(text.encode()).hexdigest()[:16]


def reason_to_skip(row: Row | SpecialRegister) -> str:
    """Why an entry is not run side by side; empty where it is."""
    if "finding" in row.fields:
        return "it has no counterpart"
    if row.fields.get("drop"):
        return "nothing is left of it"
    name = row.ptx if isinstance(row, Row) else ""
    if re.match(r"(?:shfl|vote)\.(?!sync)", name):
        return "GPUs from sm_70 on only have the form with .sync"
    if name.startswith("red.async"):
        return "GPUs before sm_100 do not have it"
    return str(row.fields.get("skip", ""))


def rows() -> Iterator[tuple[str, Row | SpecialRegister]]:
    """Every entry of the tables by its name: as it stands in its table, a special register with a `%`."""
    for packed, _ in read_rows(_TABLES):
        row = Row(*packed)
        condition = "".join(f" if {name} is {pattern}" for name, pattern in row.fields.get("when", {}).items())
        name = row.ptx + condition + (" if volatile" if "volatile" in row.fields else "")
        yield name, row
        if "warp32" in row.fields:
            yield name + KEPT, row._replace(hip=row.fields["warp32"], fields=_kept(row.fields) | {"needs": "warp32"})
    for name, register in load_ptx_catalog().registers().items():
        yield f"%{name}", register
        if "warp32" in register.fields:
            kept = register._replace(type="u32", hip=register.fields["warp32"], fields=_kept(register.fields))
            yield f"%{name}{KEPT}", kept


def _kept(fields: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in fields.items() if key != "warp32"}


def is_emulated(variant: Variant) -> bool:
    """The variant is of an entry as it is where a program's warps stay at 32 lanes."""
    return variant.entry.endswith(KEPT)


def variants(*, all_that_convert: bool = False) -> Iterator[Variant]:
    """Functions for every entry that can run on one GPU, or for all that are converted."""
    sets = {packed[0]: sets for packed, sets in read_rows(_TABLES)}
    for name, row in rows():
        is_converted = "finding" not in row.fields and not row.fields.get("drop")
        if not (is_converted if all_that_convert else not reason_to_skip(row)):
            continue
        if isinstance(row, Row):
            yield from (variant._replace(entry=name) for variant in islice(_of_row(row, sets[row.ptx]), _MOST))
        else:
            yield _of_register(name, row)


def _of_register(name: str, register: SpecialRegister) -> Variant:
    type = "u32" if register.fields.get("mask") or register.type == "s32" else register.type
    own = name[1:].removesuffix(KEPT)
    word = own if own.isupper() else f"%%{own}"
    statement = f'asm volatile("mov.{type} %0, {word};" : "={_CONSTRAINTS[bits(type)]}"(d));'
    return Variant(name, f"mov.{type}", (Parameter("d", type, "out"),), statement, register)


def _of_row(row: Row, sets: dict[str, str]) -> Iterator[Variant]:
    pattern, _, _ = row.ptx.partition(" ")
    for opcode, groups in _opcodes(pattern, sets):
        types = types_of(row, groups)
        for numbers in _constants(row):
            yield _variant(row, opcode, groups, types, numbers)


def _constants(row: Row) -> Iterator[dict[str, str]]:
    """Numbers for the operands that the entry wants numbers of."""
    when = row.fields.get("when", {})
    for chosen in product(*(_NUMBERS[str(pattern)] for pattern in when.values())):
        yield dict(zip(when, chosen, strict=True))


def _opcodes(pattern: str, sets: dict[str, str]) -> Iterator[tuple[str, dict[str, str]]]:
    """Opcodes that a pattern matches: every choice, and each part that may be missing by itself."""
    parts: list[list[tuple[str, str, str]]] = []
    optional: list[int] = []
    for may_be, choice, plain in PART.findall(pattern):
        if may_be:
            name, colon, names = may_be.partition("=")
            texts = names if colon else name
            alternatives = sets.get(texts, texts).split("|")
            if any(text in (".global", ".shared") for text in alternatives):
                alternatives = [text for text in alternatives if text in _SPACES]
            optional.append(len(parts))
            parts.append(
                [("", "", name if colon else ""), *((text, text, name if colon else "") for text in alternatives)]
            )
        elif choice:
            name, colon, names = choice.partition(":")
            if not colon:
                names, name = name, name if name in ("order", "scope") else "type"
            parts.append([(text, text, name) for text in sets.get(names, names).split("|")])
        else:
            parts.append([(plain, "", "")])
    for chosen in product(*parts):
        if sum(bool(chosen[at][0]) for at in optional) <= 1:
            yield "".join(text for text, _, _ in chosen), {name: value for _, value, name in chosen if name}


def _variant(row: Row, opcode: str, groups: dict[str, str], types: dict[str, str], numbers: dict[str, str]) -> Variant:
    space = "shared" if "shared" in groups.get("space", "") else "global"
    parameters: list[Parameter] = []
    before: list[str] = []
    after: list[str] = []
    operands: list[str] = []
    outputs: list[tuple[str, str]] = []
    inputs: list[tuple[str, str]] = []
    count = {"v2": 2, "v4": 4, "v8": 8}.get(groups.get("vec", ""), 1)

    def register(name: str, type: str, *, is_output: bool) -> str:
        """An operand in a register of the statement; predicates by a number that is 0 or 1."""
        is_predicate = type == "pred"
        held = "u32" if is_predicate else "u32" if is_output and row.fields.get("mask") else type
        (outputs if is_output else inputs).append((_constraint(held), name))
        parameters.append(Parameter(name, held, "out" if is_output else "in"))
        if not is_predicate:
            return f"%[{name}]"
        if is_output:
            after.append(f"selp.u32 %[{name}], 1, 0, p{name};")
        else:
            before.append(f"setp.ne.u32 p{name}, %[{name}], 0;")
        return f"p{name}"

    for name, kind, _ in row.operands:
        type = types[name]
        is_output = name in ("d", "p", "q")
        if kind == "[":
            role = "shared" if (row.fields.get("needs") == "ptx_copy" and name == "a") else space
            if row.fields.get("needs") == "ptx_copy" and name == "b":
                role = "global"
            parameters.append(Parameter(name, type, role))
            inputs.append(("r" if role == "shared" else "l", name))
            operands.append(f"[%[{name}]]")
        elif name in numbers:
            operands.append(numbers[name])
        elif _is_constant(row, name):
            operands.append("16" if row.fields.get("needs") == "ptx_copy" else f"%[{name}]")
            if row.fields.get("needs") != "ptx_copy":
                inputs.append(("n", "TABLE"))
                operands[-1] = "%[TABLE]"
        elif name == "m" and "{m}" in str(row.hip):  # the even lanes and the odd ones, each for themselves
            before += [".reg .b32 odd, mask;", "mov.u32 odd, %%laneid;", "and.b32 odd, odd, 1;"]
            before.append("shl.b32 mask, 0x55555555, odd;")
            operands.append("mask")
        elif name == "m":
            operands.append("0xffffffff")
        elif name == "h":
            before += [".reg .b64 policy;", "createpolicy.fractional.L2::evict_first.b64 policy, 1.0;"]
            operands.append("policy")
        elif kind == "{":
            parts = [register(f"{name}{at}", type, is_output=is_output) for at in range(count)]
            operands.append("{" + ", ".join(parts) + "}")
        elif kind == "|":
            operands[-1] += "|" + register(name, type, is_output=True)
        else:
            operands.append(register(name, type, is_output=is_output))
    instruction = f"{opcode} {', '.join(operands)};"
    _add_carry(row, opcode, parameters, before, after, outputs, inputs)
    declared = sorted({name for text in (*before, *after, instruction) for name in _PREDICATE.findall(text)})
    lines = [instruction]
    if before or after:
        registers = [f".reg .pred {', '.join(declared)};"] if declared else []
        lines = ["{", *registers, *before, instruction, *after, "}"]
    if row.fields.get("needs") == "ptx_copy":
        lines += ["cp.async.wait_all;"]
    template = "\\n\\t".join(lines)
    places = {name: at for at, (_, name) in enumerate([*outputs, *inputs])}  # nvcc takes no symbolic names
    template = re.sub(r"%\[(\w+)\]", lambda found: f"%{places[found[1]]}", template)
    left = ", ".join(f'"={letter}"({name})' for letter, name in outputs)
    right = ", ".join(f'"{letter}"({name})' for letter, name in inputs)
    statement = f'asm volatile("{template}" : {left} : {right} : "memory");'
    if row.hip == "*{a}" and row.fields.get("pointer") == "const":  # a volatile one has an entry of its own
        statement = statement.replace("asm volatile", "asm", 1)
    return Variant(row.ptx, opcode, tuple(parameters), statement, row)


def _add_carry(row, opcode, parameters, before, after, outputs, inputs) -> None:  # type: ignore[no-untyped-def]
    """A carry that comes in is one of an input, and one that goes out becomes an output."""
    if row.family != "carry":
        return
    is_difference, word = opcode.startswith("sub"), "u64" if opcode.endswith("64") else "u32"
    if opcode.partition(".")[0] in ("addc", "subc", "madc"):
        parameters.append(Parameter("ci", "u32", "in"))
        inputs.append(("r", "ci"))
        before.append(".reg .u32 t, one;")
        before.append("and.b32 one, %[ci], 1;")
        before.append("sub.cc.u32 t, 0, one;" if is_difference else "add.cc.u32 t, one, 0xffffffff;")
    if ".cc" in opcode:
        parameters.append(Parameter("co", word, "out"))
        outputs.append((_constraint(word), "co"))
        after.append(f"subc.{word} %[co], 0, 0;" if is_difference else f"addc.{word} %[co], 0, 0;")


def _is_constant(row: Row, name: str) -> bool:
    stem = row.ptx.partition(".")[0]
    return (stem == "lop3" and name == "e") or (row.fields.get("needs") == "ptx_copy" and name == "c")


def _constraint(type: str) -> str:
    return {"f32": "f", "f64": "d"}.get(type) or _CONSTRAINTS[bits(type)]


def _declared(parameter: Parameter) -> str:
    cpp = CPP[parameter.type]
    if parameter.role in ("global", "shared"):
        return f"unsigned {parameter.name}" if parameter.role == "shared" else f"void* {parameter.name}"
    cpp = "unsigned" if bits(parameter.type) == 8 else cpp
    return f"{cpp}& {parameter.name}" if parameter.role == "out" else f"{cpp} {parameter.name}"


def function(variant: Variant, name: str) -> str:
    """A variant's function, as CUDA."""
    parameters = ", ".join(_declared(parameter) for parameter in variant.parameters)
    return f"static __device__ __forceinline__ void {name}({parameters}) {{\n    {variant.statement}\n}}\n"


def converted(source: str, *, emulates_warp32: bool = False) -> tuple[str, list[Finding]]:
    """CUDA source with its inline PTX converted, and nothing else; and what could not be."""
    catalog = load_catalog()
    data = source.encode()
    unit = Unit(Source(data, "variants.cu"), lexer(catalog).scan(data), catalog, Options())
    edits: list[Edit] = []
    composites: list[CompositeEdit] = []
    findings: list[Finding] = []
    for item in rewrite(unit, lambda _: emulates_warp32).items:
        if isinstance(item, Edit):
            edits.append(item)
        elif isinstance(item, CompositeEdit):
            composites.append(item)
        elif isinstance(item, Finding):
            findings.append(item)
    return apply(data, resolve(data, edits, composites)).decode(), findings
