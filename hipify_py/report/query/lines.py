"""What is known of a name, as lines for people."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from hipify_py.catalog import Catalog
from hipify_py.catalog.declarations import CUDA, HIP, Declaration, load_declarations
from hipify_py.report.query.account import Example, Found, Known
from hipify_py.report.query.arguments import argument_lines, declared
from hipify_py.report.query.origins import Origin
from hipify_py.report.symbols import answer_lines, look_up, outcome, row_lines

if TYPE_CHECKING:
    from hipify_py.report.query.ptx import PtxAnswer

_MOST_SIGNATURES = 4


def found_lines(catalog: Catalog, found: Found) -> Iterator[str]:
    """All that was found, as lines of text."""
    if found.is_hip:
        yield from _hip_lines(catalog, found)
        return
    if found.ptx is not None:
        from hipify_py.report.query.ptx import ptx_lines

        yield from ptx_lines(found.ptx, lambda of: catalog.diagnostic(of).title)
        yield from _example_lines([found.ptx_example] if found.ptx_example else [])
        return
    if not found.known:
        yield from answer_lines(found.answer)
        return
    for known in found.known:
        yield from _known_lines(catalog, known)
    others = [origin for origin in found.origins if origin.row.name != found.answer.name]
    if others:
        yield f"  also becomes {found.answer.name}: {_origin_names(others)}"


def line(catalog: Catalog, name: str) -> str:
    """One name of many in one line."""
    answer = look_up(catalog, name, suggest=False)
    if answer.written:
        row = answer.written[0]
        becomes = "" if row.is_native or row.is_unsupported else f" -> {row.hip or '(nothing)'}"
        return f"{name}: {outcome(row)}{becomes}"
    return f"{name}: HIP"


def entry_lines(catalog: Catalog, entry: PtxAnswer) -> Iterator[str]:
    """One entry of the PTX tables of many: each of its forms in one line."""
    from hipify_py.report.query.ptx import form_line

    return (form_line(form, lambda of: catalog.diagnostic(of).title) for form in entry.forms)


def _hip_lines(catalog: Catalog, found: Found) -> Iterator[str]:
    name = found.answer.name
    yield f"{name}: {'HIP' if found.origins else 'HIP only; no CUDA name becomes it'}"
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
    yield from _example_lines(known.examples)
    certain = {finding.id for example in known.examples for finding in example.findings}
    for id in known.findings:
        may = "" if id in certain else "may lead to "
        yield f"  {may}{id}: {catalog.diagnostic(id).title} (hipify-py explain {id})"


def _example_lines(examples: Sequence[Example]) -> Iterator[str]:
    for example in examples:
        if example.cuda == example.hip:
            yield f"  example (unchanged): {example.cuda}"
        else:
            yield f"  example: {example.cuda}"
            first, *more = example.hip.splitlines() or ["(nothing)"]
            yield f"  becomes: {first}"
            yield from (f"           {text}" for text in more)
        yield from (f"    {finding.severity} {finding.id} {finding.message}" for finding in example.findings)


def _declared_lines(side: str, name: str, declaration: Declaration | None) -> Iterator[str]:
    """Where a name is declared, and how."""
    if declaration is None:
        return
    label = {CUDA: "CUDA", HIP: "HIP"}[side]
    parts = [f"in {declaration.header}"] if declaration.header else []
    parts += [f"since ROCm {declaration.since}"] if declaration.since else []
    parts += [f"removed in ROCm {declaration.gone}"] if declaration.gone else []
    if declaration.value:
        parts.append(f"is {declaration.value}")
    if parts:
        yield f"  {label}: {', '.join(parts)}"
    versions = load_declarations(side).versions
    for signature in declaration.signatures[:_MOST_SIGNATURES]:
        of = f"  // CUDA {', '.join(signature.versions)}" if set(signature.versions) not in (set(), {*versions}) else ""
        yield f"    {declared(name, signature)}{of}"
    if len(declaration.signatures) > _MOST_SIGNATURES:
        yield f"    and {len(declaration.signatures) - _MOST_SIGNATURES} more"
