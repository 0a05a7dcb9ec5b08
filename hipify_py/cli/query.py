"""`hipify-py query`: looks up a name of CUDA, PTX or HIP."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

import click

from hipify_py.catalog import Catalog, Targeting, load_catalog
from hipify_py.cli import options
from hipify_py.cli.exit_codes import DONE, FINDINGS
from hipify_py.cli.help_command import CACHE, ROCM, WRONG, Helped
from hipify_py.report.query.account import Found, Matches, ask, is_pattern, matches
from hipify_py.report.query.document import brief_document, document, found_document
from hipify_py.report.query.lines import entry_lines, found_lines, line
from hipify_py.report.text import emit, emit_json

if TYPE_CHECKING:
    from hipify_py.report.query.ptx import PtxAnswer

Asked = tuple[str, "Found | Matches"]
"""A name, or a pattern, and what is known of it."""


@click.command(
    "query",
    cls=Helped,
    examples=[
        ("hipify-py query cudaMalloc cublasSgemm", "Show what two functions become."),
        ("hipify-py query hipMalloc", "Show which CUDA names become a HIP name."),
        ("hipify-py query cublas_v2.h --target roc", "Show what a header becomes with ROCm's own libraries."),
        ("hipify-py query lop3.b32 %smid", "Show what a PTX instruction and a special register become."),
        ("hipify-py query cudaMemPrefetchAsync --format json", "Print JSON for programs."),
    ],
    statuses={DONE: "all names were found", FINDINGS: "some names are unknown", **WRONG},
    variables={**CACHE, **ROCM},
)
@click.argument("names", nargs=-1, required=True, metavar="NAME...")
@options.targeting
@options.text_or_json
def command(names: tuple[str, ...], targeting: Targeting, format_: str) -> int:
    """Show what CUDA symbols, headers and PTX become, and which CUDA names become a HIP name.

    The answer shows the arguments on both sides, versions, notes, an example and the findings to expect. A pattern
    ('cublas*gemm*', 'lop3.*') lists what matches. The exit status is 1 if a name is unknown.
    """
    catalog = load_catalog(targeting)
    asked = look_up_all(catalog, names)
    if format_ == "json":
        emit_json(sys.stdout, document(catalog, symbol_documents(catalog, asked)))
    else:
        emit(sys.stdout, _lines(catalog, asked))
        emit(sys.stderr, options.why_this_rocm())
    return DONE if all(found.is_known for _, found in asked) else FINDINGS


def _lines(catalog: Catalog, asked: list[Asked]) -> Iterator[str]:
    for name, found in asked:
        if isinstance(found, Found):
            yield from found_lines(catalog, found)
        elif found.is_known:
            yield from (line(catalog, each) for each in found.names)
            for entry in found.ptx:
                yield from entry_lines(catalog, entry)
        else:
            yield f"{name}: no name matches"


def look_up_all(catalog: Catalog, names: Iterable[str]) -> list[Asked]:
    """What is known of each name; a pattern asks for all names that match."""
    return [(name, matches(catalog, name) if is_pattern(name) else ask(catalog, name)) for name in names]


def symbol_documents(catalog: Catalog, asked: Iterable[Asked]) -> Iterator[dict[str, Any]]:
    """What is known as documents for programs: one a name, or one a match."""
    for name, found in asked:
        if isinstance(found, Found):
            yield found_document(catalog, found)
        elif found.is_known:
            yield from (brief_document(catalog, each) for each in found.names)
            yield from map(_ptx_document, found.ptx)
        else:
            yield {"name": name, "outcome": "unknown", "library": None, "advice": None, "suggestions": []}


def _ptx_document(answer: PtxAnswer) -> dict[str, Any]:
    from hipify_py.report.query.ptx import ptx_document

    return ptx_document(answer)
