"""All that is known of a name, CUDA's or HIP's."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fnmatch import translate as pattern_of
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from hipify_py.catalog import Catalog, Row, load_catalog
from hipify_py.catalog.declarations import CUDA, HIP, Declaration, Signature, load_declarations
from hipify_py.core.findings import Finding
from hipify_py.core.options import DEFAULT_OPTIONS, Options
from hipify_py.core.targeting import ROC
from hipify_py.report.query.arguments import Argument, arguments, named, parameter_list
from hipify_py.report.query.origins import WITH_ROC, Origin, origins, targets
from hipify_py.report.symbols import (
    Answer,
    look_up,
    near_misses,
)
from hipify_py.rules.trigger_index import INDEX
from hipify_py.rules.triggers import Patterns, Triggers
from hipify_py.translator.translate import translate

if TYPE_CHECKING:
    from hipify_py.report.query.ptx import PtxAnswer  # with the PTX tables, which few names are looked up in

# Examples of what a name becomes: generated from the headers' declarations, and translated like any code.

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


# Which findings a name may lead to, besides those of its example: those of the rules that look for it.

_OF_CODE = frozenset({"device function", "variable", "type", "function", "namespace"})


def causes(row: Row) -> list[str]:
    """The ids of the findings of rules that look for this name itself."""
    if row.kind not in _OF_CODE:
        return []
    found = {rule.id for rule in INDEX.values() if _looks_for(rule.triggers, row.name)}
    return sorted(id for id in found if id.startswith("HIP"))


def _looks_for(triggers: Triggers, name: str) -> bool:
    line = b"\n%b\n" % name.encode()
    return any(_fits(patterns, line) for group in triggers.groups for patterns in (group.words, group.uses))


def _fits(patterns: Patterns | None, line: bytes) -> bool:
    """The name is one of the patterns' whole names, or begins as one of them says."""
    if patterns is None:
        return False
    return line[1:-1] in patterns.whole or any(part.startswith(b"\n") and part in line for part in patterns.parts)


_TOLD_IN_FULL = 3
"""Origins of a HIP name that are shown with an example."""

_LONGEST = 400
"""Characters of a name or pattern that is looked for at all."""

_SUGGESTIONS = 5
_WILD = frozenset("*?[")


class Known(NamedTuple):
    """The information about a CUDA symbol in addition to its rows.

    Attributes:
        row: what the tables say.
        written: the row as a translation follows it.
        cuda: what CUDA's headers declare.
        hip: what HIP's headers declare under the name that it becomes.
        arguments: what becomes of the arguments of a call.
        examples: what becomes of it in code.
        findings: the ids of the findings that it leads to, or may lead to.
    """

    row: Row
    written: Row
    cuda: Declaration | None
    hip: Declaration | None
    arguments: list[Argument]
    examples: list[Example]
    findings: list[str]


class Found(NamedTuple):
    """What was found for a name.

    Attributes:
        answer: what the tables say of it as a CUDA name.
        known: the same rows, with all there is to know.
        origins: the CUDA names that become it.
        hip: what HIP's headers declare under it.
        in_full: its first origins, with all there is to know.
        ptx: what the PTX tables say of it; None for a name that is not one of PTX.
        ptx_example: what becomes of it in code; None for no example.
    """

    answer: Answer
    known: list[Known]
    origins: list[Origin]
    hip: Declaration | None
    in_full: list[Known]
    ptx: PtxAnswer | None = None
    ptx_example: Example | None = None

    @property
    def is_known(self) -> bool:
        return self.answer.is_known or self.is_hip or self.ptx is not None

    @property
    def is_hip(self) -> bool:
        """It is HIP's, and not CUDA's."""
        return not self.answer.is_known and (self.hip is not None or bool(self.origins))


def ask(catalog: Catalog, name: str) -> Found:
    """Everything that is known of one name."""
    if len(name) > _LONGEST:
        return Found(Answer(name, [], [], [], "", ""), [], [], None, [])
    bare = name.strip('<>"')
    hip = load_declarations(HIP).find(bare)
    came_from = origins(catalog, bare) if bare else []
    answer = look_up(catalog, name, suggest=False)
    if not (answer.is_known or hip or came_from):
        from hipify_py.report.query.ptx import ask_ptx
        from hipify_py.report.query.ptx_names import near_ptx_names

        ptx = ask_ptx(name)
        if ptx is not None:
            options = DEFAULT_OPTIONS._replace(targeting=catalog.targeting)
            example = _translated(*ptx.example, options) if ptx.example else None
            return Found(answer, [], [], None, [], ptx, example)
        near = [near_ptx_names(name), near_misses(catalog, bare, sorted(hip_names(catalog)))]
        in_order = near if _is_like_ptx(name) else near[::-1]
        answer = answer._replace(suggestions=[*dict.fromkeys(chain(*in_order))][:_SUGGESTIONS])
    known = [_known(catalog, row, written) for row, written in zip(answer.rows, answer.written, strict=True)]
    in_full: list[Known] = []
    if not answer.is_known:
        native = load_catalog(catalog.targeting._replace(target=ROC))
        for origin in came_from[:_TOLD_IN_FULL]:
            tables = native if origin.when == WITH_ROC else catalog
            first = look_up(tables, origin.row.name)
            in_full += [_known(tables, row, written) for row, written in zip(first.rows, first.written, strict=True)]
    return Found(answer, known, came_from, hip, in_full)


def is_known(catalog: Catalog, name: str) -> bool:
    """Whether `ask` knows a name of CUDA or HIP; it costs no more than looking it up."""
    bare = name.strip('<>"')
    if not bare or len(name) > _LONGEST:
        return False
    return look_up(catalog, name, suggest=False).is_known or load_declarations(HIP).find(bare) is not None


def _is_like_ptx(name: str) -> bool:
    return name.startswith("%") or "." in name


def is_pattern(name: str) -> bool:
    """`cublas*gemm*`: several names are meant; the brackets of an operand (`ld.u32 %0, [%1]`) do not count."""
    if _WILD.isdisjoint(name):
        return False
    from hipify_py.report.query.ptx_names import name_alone

    return not _WILD.isdisjoint(name_alone(name))


class Matches(NamedTuple):
    """What matches a pattern.

    Attributes:
        names: the names of both sides in order, CUDA's first.
        ptx: the entries of the PTX tables, in their order, then the registers.
    """

    names: list[str]
    ptx: list[PtxAnswer]

    @property
    def is_known(self) -> bool:
        return bool(self.names or self.ptx)


def matches(catalog: Catalog, pattern: str) -> Matches:
    """The names of both sides and the entries of PTX that match a pattern."""
    if len(pattern) > _LONGEST:
        return Matches([], [])
    from hipify_py.report.query.ptx import matching_ptx

    fits = re.compile(pattern_of(pattern)).match
    ours = sorted({row.name for row in catalog.rows() if fits(row.name)})
    theirs = sorted({name for name in hip_names(catalog) if fits(name)} - set(ours))
    return Matches(ours + theirs, matching_ptx(pattern))


def hip_names(catalog: Catalog) -> set[str]:
    """Every name of HIP that is known: what symbols become, and what headers declare."""
    became = {target for row in catalog.rows() for target, _ in targets(row)}
    return became.union(load_declarations(HIP).names())


def _known(catalog: Catalog, row: Row, written: Row) -> Known:
    cuda = load_declarations(CUDA).find(row.name)
    shown = examples(row, cuda, DEFAULT_OPTIONS._replace(targeting=catalog.targeting))
    found: list[Argument] = []
    form = written
    if cuda is not None and cuda.signatures and not written.is_unsupported:
        parameters = cuda.signatures[0].parameters
        form = catalog.form(written, len(parameters), {})
        found = arguments(parameters, form.details)
    hip = load_declarations(HIP).find(form.hip) if form.hip else None
    ids = dict.fromkeys((*(finding.id for example in shown for finding in example.findings), *causes(row)))
    return Known(row, written, cuda, hip, found, shown, sorted(ids))
