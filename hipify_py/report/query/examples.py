"""Examples of what a name becomes: generated from the headers' declarations, and translated like any code."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from hipify_py.catalog import Row
from hipify_py.catalog.declarations import Declaration, Signature
from hipify_py.core.findings import Finding
from hipify_py.core.options import Options
from hipify_py.core.translator import translate
from hipify_py.report.query.arguments import named, parameter_list

_PATH = "example.cu"
_OPENS, _CLOSES = "{\n    ", "\n}\n"
_TYPE_PARAMETER = re.compile(r"\b(?:[A-Z]|[A-Z]\w*T)\b")
_NAME = re.compile(r"\w+(?:::\w+)*")


class Example(NamedTuple):
    """A line of CUDA, what becomes of it, and what is found in it."""

    cuda: str
    hip: str
    findings: tuple[Finding, ...]


def examples(row: Row, declaration: Declaration | None, options: Options) -> list[Example]:
    """Examples of a name in use: one of each number of arguments for which the tables say something of its own."""
    if row.kind == "header":
        return [_translated("", f"#include <{row.name}>", "", options)]
    signatures = declaration.signatures if declaration is not None else ()
    if signatures and row.kind in ("function", "device function"):
        forms = _forms(row, signatures)
        return [_translated(*_call(row, signature, count), options) for count, signature in forms.items()]
    struct, dot, field = row.name.rpartition(".")
    line = {
        "type": f"{row.name} example;",
        "enumerator": f"auto example = {row.name};",
        "macro": f"auto example = {row.name};",
        "variable": f"auto example = {row.name};",
        "member": f"auto example = value.{field};",
    }.get(row.kind)
    if line is None or not _NAME.fullmatch(struct if dot else row.name):
        return []
    device = "__device__ " if row.library == "device" else ""
    head = f"{device}void example({f'{struct} value' if dot else ''}) {_OPENS}"
    return [_translated(head, line, _CLOSES, options)]


def _forms(row: Row, signatures: Sequence[Signature]) -> dict[int, Signature]:
    """Numbers of arguments that a call may have, each with a signature for it, that of the newest CUDA first."""
    forms = {len(signatures[0].parameters): signatures[0]}
    for count in map(int, row.details.get("by_arity", {})):
        for signature in signatures:
            least = sum(not parameter.is_optional for parameter in signature.parameters)
            if least <= count <= len(signature.parameters):
                forms.setdefault(count, signature)
    return forms


def _call(row: Row, signature: Signature, count: int) -> tuple[str, str, str]:
    """A function around a call, in three parts: the call is the one between."""
    device = "__device__ " if row.kind == "device function" else ""
    used = signature._replace(parameters=signature.parameters[:count])
    result = "void" if signature.result == "void" else signature.result
    types = dict.fromkeys(_TYPE_PARAMETER.findall(" ".join(p.type for p in used.parameters) + f" {result}"))
    template = f"template <{', '.join(f'class {type}' for type in types)}>\n" if signature.is_template and types else ""
    call = f"{row.name}({', '.join(named(used.parameters))});"
    head = f"{template}{device}{result} example({parameter_list(used)}) {_OPENS}"
    return head, call if result == "void" else f"return {call}", _CLOSES


def _translated(head: str, line: str, tail: str, options: Options) -> Example:
    translation = translate((head + line + tail).encode(), path=_PATH, options=options)
    output = translation.output.decode("utf-8", "replace")
    if head:
        output = output.partition(_OPENS)[2].rpartition(_CLOSES)[0]
    start, end = len(head.encode()), len((head + line).encode())
    found = tuple(finding for finding in translation.findings if start <= finding.offset < end or not head)
    return Example(line, "\n".join(text.strip() for text in output.strip().splitlines()), found)
