"""Writes what the headers of both sides declare under the names of the tables (see `catalog/declarations.py`).

A line is a name, its kind, header, first version, the version that lacks it again, and its value, with tabs between
them; behind those a function's signatures: `versions|result|type:=name|type:=name?`. A question mark stands behind a
parameter with a default, a `t` behind the versions of a template.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from hipify_py.catalog.declarations import CUDA, FOLDER, HIP
from hipify_py.catalog.packing import read_table
from tools.tables.evidence import FUNCTIONS, Evidence, first_version, gone_since
from tools.tables.signatures import split_signature
from tools.tables.surface import Surface
from tools.tables.symbols import Symbol, is_public

_MOST_FORMS = 24
"""Overloads of one name that are kept."""

_ALSO_IN = {"cuda_device_runtime_api.h": "cuda_runtime_api.h"}
"""Where the functions of the runtime stand that device code may call too."""

_Form = tuple[bool, str, tuple[str, ...]]
"""Whether it is a template, its result, its parameters as they are written."""


def declarations(tables: Path, sets: Sequence[Surface]) -> dict[str, str]:
    """The files by their paths in the folder of the tables."""
    cuda = Evidence([surface for surface in sets if surface.side == "cuda" and surface.version in _whole(sets)])
    rocm = Evidence([surface for surface in sets if surface.side == "rocm"])
    rows = [row for path in sorted(tables.glob("*.yaml")) for row in read_table(path).rows]
    ours = {row.name: row.kind for row in rows if row.kind != "header"}
    targets = {row.hip for row in rows if row.hip}
    theirs = {symbol.name for symbol in rocm.sets[-1].symbols.values() if _is_api(symbol)} if rocm.sets else set()
    texts = {
        CUDA: _text(cuda, (_cuda_line(name, kind, cuda) for name, kind in sorted(ours.items()))),
        HIP: _text(rocm, (_hip_line(name, rocm) for name in sorted(targets | theirs))),
    }
    return {f"{FOLDER}/{side}.tsv": text for side, text in texts.items()}


def _whole(sets: Iterable[Surface]) -> frozenset[str]:
    """The versions of CUDA whose sets have all libraries: the minor ones only tell when symbols came."""
    from hipify_py.headers.sets import header_sets

    minor = {header_set.version for header_set in header_sets() if header_set.minor}
    return frozenset(surface.version for surface in sets) - minor


def _is_api(symbol: Symbol) -> bool:
    return is_public(symbol) and symbol.kind != "macro" and symbol.library.startswith(("hip", "rccl", "roc"))


def _text(evidence: Evidence, lines: Iterable[str]) -> str:
    versions = " ".join(dict.fromkeys(surface.version for surface in evidence.sets))
    return f"# versions: {versions}\n" + "".join(line for line in lines if line)


def _cuda_line(name: str, kind: str, cuda: Evidence) -> str:
    """A line for a CUDA name; nothing where no header has it."""
    found = [surface.symbols[name] for surface in cuda.sets if name in surface.symbols]
    if not found:
        return ""
    forms: dict[_Form, str] = {}
    for place, surface in enumerate(cuda.sets):
        symbol = surface.symbols.get(name)
        if symbol is not None and symbol.kind in FUNCTIONS:
            for form in _forms(symbol):
                forms[form] = forms.get(form, "") + str(place)
    number = next((symbol.value for symbol in reversed(found) if symbol.kind == "enumerator"), "")
    value = number or _value(found[-1])
    header = _ALSO_IN.get(found[-1].header, found[-1].header) if kind == "function" else found[-1].header
    return _line(name, kind, header, "", "", value, forms)


def _hip_line(name: str, rocm: Evidence) -> str:
    symbol = rocm.symbol(name)
    if symbol is None:
        return ""
    presence = rocm.presence(name)
    _, since = first_version(presence)
    if not any(not there for _, there in presence):
        since = ""
    forms: dict[_Form, str] = {}
    signatures, _ = rocm.function(name)
    for signature in signatures:
        for surface in reversed(rocm.sets):
            told = surface.symbols.get(name)
            if told is not None and signature in told.signatures:
                names = told.parameters[told.signatures.index(signature)]
                forms.setdefault(_form(signature, names), "")
                break
    value = rocm.number(name) if symbol.kind == "enumerator" else _value(symbol)
    return _line(name, symbol.kind, symbol.header, since, gone_since(presence), value, forms)


def _value(symbol: Symbol) -> str:
    """What a type is or stands for."""
    return (symbol.alias_of or symbol.value) if symbol.kind == "type" else ""


def _line(name: str, kind: str, header: str, since: str, gone: str, value: str, forms: dict[_Form, str]) -> str:
    fields = [name, kind, header.removeprefix("cccl/"), since, gone, value]
    for (is_template, result, parameters), versions in sorted(_fewer(forms).items(), key=_order)[:_MOST_FORMS]:
        fields.append("|".join((versions + "t" * is_template, result, *parameters)))
    return "\t".join(" ".join(field.split()) for field in fields) + "\n"


def _fewer(forms: dict[_Form, str]) -> dict[_Form, str]:
    """Without those that another one of the same versions has too, but for its defaults or the names it gives."""
    kept: dict[tuple[bool, tuple[str, ...], str], _Form] = {}
    for form, versions in forms.items():
        key = (form[0], tuple(parameter.partition(":=")[0] for parameter in form[2]), versions)
        other = kept.get(key)
        if other is None or _told(form) > _told(other):
            kept[key] = form
    return {form: versions for (_, _, versions), form in kept.items()}


def _told(form: _Form) -> tuple[int, int]:
    """How much a form says: the defaults, and the names."""
    return sum(text.endswith("?") for text in form[2]), sum(not text.endswith((":=", ":=?")) for text in form[2])


def _order(item: tuple[_Form, str]) -> tuple[object, ...]:
    """Newest versions first; of those what is no template, as the headers order them."""
    (is_template, _, _), versions = item
    return -int(versions[-1:] or "0"), is_template


def _forms(symbol: Symbol) -> Iterator[_Form]:
    for signature, names in zip(symbol.signatures, symbol.parameters, strict=True):
        yield _form(signature, names)


def _form(signature: str, names: str) -> _Form:
    result, types = split_signature(signature)
    called = names.split(",") if names else []
    if len(called) != len(types):
        called = [""] * len(types)
    parameters = (
        f"{_type(type.removesuffix(' ='))}:={name}{'?' if type.endswith(' =') else ''}"
        for type, name in zip(types, called, strict=True)
    )
    return signature.startswith("template "), result, tuple(parameters)


def _type(text: str) -> str:
    """A parameter's type without what only the function itself sees of it."""
    text = re.sub(r"\*\s*(const|__restrict__|__restrict)\b", "*", text).replace("* *", "**")
    text = re.sub(r"^(enum|struct|union) ", "", text)
    return text.removeprefix("const ") if "*" not in text and "&" not in text and "[" not in text else text
