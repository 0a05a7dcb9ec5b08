"""What is known of a name, as a document for programs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from hipify_py.catalog import Catalog
from hipify_py.catalog.declarations import Declaration, Signature
from hipify_py.core.targeting import versions_line
from hipify_py.report.query.account import Example, Found, Known
from hipify_py.report.query.arguments import declared
from hipify_py.report.query.origins import Origin
from hipify_py.report.symbols import answer_document, look_up, row_document

FORMAT = 1
"""Of the JSON document; one more when what it has changes its meaning."""

HIP_NAME = "hip"
"""The outcome of a name that is HIP's, and not CUDA's."""


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
    if found.ptx is not None:
        from hipify_py.report.query.ptx import ptx_document

        examples = [_example_document(found.ptx_example)] if found.ptx_example else []
        return {**ptx_document(found.ptx), "examples": examples}
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
        "examples": [_example_document(example) for example in known.examples],
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


def _example_document(example: Example) -> dict[str, Any]:
    return {
        "cuda": example.cuda,
        "hip": example.hip,
        "findings": [{"id": finding.id, "message": finding.message} for finding in example.findings],
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
