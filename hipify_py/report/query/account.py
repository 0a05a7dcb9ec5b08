"""All that is known of a name, CUDA's or HIP's, as lines for people and as a document for programs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from fnmatch import translate as pattern_of
from typing import Any

from hipify_py.catalog import Catalog, Row, load_catalog
from hipify_py.catalog.declarations import CUDA, HIP, Declaration, Signature, load_declarations
from hipify_py.catalog.targeting import ROC, versions_line
from hipify_py.options import DEFAULT_OPTIONS
from hipify_py.records import NamedTuple
from hipify_py.report.query.arguments import Argument, argument_lines, arguments, declared
from hipify_py.report.query.causes import causes
from hipify_py.report.query.examples import Example, examples
from hipify_py.report.query.origins import WITH_ROC, Origin, origins, targets
from hipify_py.report.symbols import (
    Answer,
    answer_document,
    answer_lines,
    look_up,
    near_misses,
    outcome,
    row_document,
    row_lines,
)

FORMAT = 1
"""Of the JSON document; one more when what it has changes its meaning."""

HIP_NAME = "hip"
"""The outcome of a name that is HIP's, and not CUDA's."""

_TOLD_IN_FULL = 3
"""Origins of a HIP name that are told with an example."""

_MOST_SIGNATURES = 4
_LONGEST = 400
"""Characters of a name or pattern that is looked for at all."""

_WILD = frozenset("*?[")


class Known(NamedTuple):
    """What there is to know of a CUDA symbol besides its rows.

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
    """What was found under a name.

    Attributes:
        answer: what the tables say of it as a CUDA name.
        known: the same rows, with all there is to know.
        origins: the CUDA names that become it.
        hip: what HIP's headers declare under it.
        in_full: its first origins, with all there is to know.
    """

    answer: Answer
    known: list[Known]
    origins: list[Origin]
    hip: Declaration | None
    in_full: list[Known]

    @property
    def is_known(self) -> bool:
        return self.answer.is_known or self.is_hip

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
        answer = answer._replace(suggestions=near_misses(catalog, bare, sorted(hip_names(catalog))))
    known = [_known(catalog, row, written) for row, written in zip(answer.rows, answer.written, strict=True)]
    in_full: list[Known] = []
    if not answer.is_known:
        native = load_catalog(catalog.targeting._replace(target=ROC))
        for origin in came_from[:_TOLD_IN_FULL]:
            tables = native if origin.when == WITH_ROC else catalog
            first = look_up(tables, origin.row.name)
            in_full += [_known(tables, row, written) for row, written in zip(first.rows, first.written, strict=True)]
    return Found(answer, known, came_from, hip, in_full)


def is_pattern(name: str) -> bool:
    """`cublas*gemm*`: several names are meant."""
    return not _WILD.isdisjoint(name)


def matches(catalog: Catalog, pattern: str) -> list[str]:
    """The names of both sides that fit a pattern, in order, CUDA's first."""
    if len(pattern) > _LONGEST:
        return []
    fits = re.compile(pattern_of(pattern)).match
    ours = sorted({row.name for row in catalog.rows() if fits(row.name)})
    theirs = sorted({name for name in hip_names(catalog) if fits(name)} - set(ours))
    return ours + theirs


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


# For people.


def found_lines(catalog: Catalog, found: Found) -> Iterator[str]:
    """All that was found, as lines of text."""
    if found.is_hip:
        yield from _hip_lines(catalog, found)
        return
    if not found.known:
        yield from answer_lines(found.answer)
        return
    for known in found.known:
        yield from _known_lines(catalog, known)
    others = [origin for origin in found.origins if origin.row.name != found.answer.name]
    if others:
        yield f"  what becomes {found.answer.name} too: {_origin_names(others)}"


def line(catalog: Catalog, name: str) -> str:
    """One name of many in one line."""
    answer = look_up(catalog, name, suggest=False)
    if answer.written:
        row = answer.written[0]
        becomes = "" if row.is_native or row.is_unsupported else f" -> {row.hip or '(nothing)'}"
        return f"{name}: {outcome(row)}{becomes}"
    return f"{name}: HIP"


def _hip_lines(catalog: Catalog, found: Found) -> Iterator[str]:
    name = found.answer.name
    yield f"{name}: {'HIP' if found.origins else 'HIP only: no CUDA name becomes it'}"
    yield from _declared_lines(HIP, name.strip('<>"'), found.hip)
    if found.origins:
        yield f"  comes from: {_origin_names(found.origins)}"
    for known in found.in_full:
        yield from (f"  {text}" for text in _known_lines(catalog, known, with_hip=False))


def _origin_names(found: Sequence[Origin]) -> str:
    return ", ".join(f"{origin.row.name}{f' ({origin.when})' if origin.when else ''}" for origin in found)


def _known_lines(catalog: Catalog, known: Known, *, with_hip: bool = True) -> Iterator[str]:
    yield from row_lines(known.row, known.written, arguments=not known.arguments)
    edits = list(argument_lines(known.arguments))
    if edits:
        yield f"  arguments: {'; '.join(edits)}"
    yield from _declared_lines(CUDA, known.row.name, known.cuda)
    if with_hip and known.hip is not None and known.hip.name != known.row.name:
        yield from _declared_lines(HIP, known.hip.name, known.hip)
    for example in known.examples:
        if example.cuda == example.hip:
            yield f"  example, which stays: {example.cuda}"
        else:
            yield f"  example: {example.cuda}"
            first, *more = example.hip.splitlines() or ["(nothing)"]
            yield f"  becomes: {first}"
            yield from (f"           {text}" for text in more)
        yield from (f"    {finding.severity} {finding.id} {finding.message}" for finding in example.findings)
    certain = {finding.id for example in known.examples for finding in example.findings}
    for id in known.findings:
        may = "" if id in certain else "may lead to "
        yield f"  {may}{id}: {catalog.diagnostic(id).title} (hipify-py explain {id})"


def _declared_lines(side: str, name: str, declaration: Declaration | None) -> Iterator[str]:
    """Where a name is declared, and how."""
    if declaration is None:
        return
    label = {CUDA: "CUDA", HIP: "HIP"}[side]
    told = [f"in {declaration.header}"] if declaration.header else []
    told += [f"since ROCm {declaration.since}"] if declaration.since else []
    told += [f"gone with ROCm {declaration.gone}"] if declaration.gone else []
    if declaration.value:
        told.append(f"is {declaration.value}")
    if told:
        yield f"  {label}: {', '.join(told)}"
    versions = load_declarations(side).versions
    for signature in declaration.signatures[:_MOST_SIGNATURES]:
        of = f"  // CUDA {', '.join(signature.versions)}" if set(signature.versions) not in (set(), {*versions}) else ""
        yield f"    {declared(name, signature)}{of}"
    if len(declaration.signatures) > _MOST_SIGNATURES:
        yield f"    and {len(declaration.signatures) - _MOST_SIGNATURES} more"


# For programs.


def document(catalog: Catalog, found: Iterable[dict[str, Any]]) -> dict[str, Any]:
    """The whole document."""
    return {"format": FORMAT, "for": versions_line(catalog.targeting), "symbols": list(found)}


def found_document(catalog: Catalog, found: Found) -> dict[str, Any]:
    """All that was found under one name."""
    came_from = [_origin_document(origin) for origin in found.origins]
    if found.is_hip:
        in_full = [_known_document(catalog, known) for known in found.in_full]
        for entry, known in zip(came_from, in_full, strict=False):
            entry.update({key: value for key, value in known.items() if key not in entry})
        return {
            "name": found.answer.name,
            "outcome": HIP_NAME,
            "kind": found.hip.kind if found.hip is not None else found.origins[0].row.kind,
            "declared": {"cuda": None, "hip": _declaration_document(found.hip)},
            "comes_from": came_from,
        }
    if not found.known:
        return answer_document(found.answer)
    documents = [_known_document(catalog, known) for known in found.known]
    if len(documents) > 1:
        return {"name": found.answer.name, "fields": documents}
    return {**documents[0], "comes_from": came_from}


def brief_document(catalog: Catalog, name: str) -> dict[str, Any]:
    """One name of many."""
    answer = look_up(catalog, name, suggest=False)
    return answer_document(answer) if answer.is_known else {"name": name, "outcome": HIP_NAME}


def _known_document(catalog: Catalog, known: Known) -> dict[str, Any]:
    certain = {finding.id for example in known.examples for finding in example.findings}
    return {
        **row_document(known.row, known.written),
        "declared": {"cuda": _declaration_document(known.cuda), "hip": _declaration_document(known.hip)},
        "arguments": [argument._asdict() for argument in known.arguments],
        "examples": [
            {
                "cuda": example.cuda,
                "hip": example.hip,
                "findings": [{"id": finding.id, "message": finding.message} for finding in example.findings],
            }
            for example in known.examples
        ],
        "findings": [
            {
                "id": id,
                "title": catalog.diagnostic(id).title,
                "severity": catalog.diagnostic(id).severity,
                "in_example": id in certain,
                "page": f"diagnostics/{id}.md",
            }
            for id in known.findings
        ],
    }


def _origin_document(origin: Origin) -> dict[str, Any]:
    return {
        "name": origin.row.name,
        "library": origin.row.library,
        "kind": origin.row.kind,
        "when": origin.when or None,
    }


def _declaration_document(declaration: Declaration | None) -> dict[str, Any] | None:
    if declaration is None:
        return None
    return {
        "name": declaration.name,
        "kind": declaration.kind,
        "header": declaration.header or None,
        "since": declaration.since or None,
        "gone": declaration.gone or None,
        "value": declaration.value or None,
        "signatures": [_signature_document(declaration.name, signature) for signature in declaration.signatures],
    }


def _signature_document(name: str, signature: Signature) -> dict[str, Any]:
    return {
        "text": declared(name, signature),
        "result": signature.result,
        "parameters": [parameter._asdict() for parameter in signature.parameters],
        "is_template": signature.is_template,
        "versions": list(signature.versions),
    }
