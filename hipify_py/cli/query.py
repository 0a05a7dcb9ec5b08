"""`hipify-py query`: what the mapping tables know."""

from __future__ import annotations

import sys

import click

from hipify_py.catalog import Targeting, load_catalog
from hipify_py.cli import options
from hipify_py.cli.exit_codes import DONE, FINDINGS
from hipify_py.report.symbols import answer_document, answer_lines, look_up
from hipify_py.report.text import emit, emit_json


@click.command("query")
@click.argument("names", nargs=-1, required=True, metavar="NAME...")
@options.targeting
@options.text_or_json
def command(names: tuple[str, ...], targeting: Targeting, format_: str) -> int:
    """Show what the mapping tables know of CUDA symbols and headers.

    The exit status is 1 when one of them is unknown.
    """
    catalog = load_catalog(targeting)
    answers = [look_up(catalog, name) for name in names]
    if format_ == "json":
        emit_json(sys.stdout, {"symbols": [answer_document(answer) for answer in answers]})
    else:
        emit(sys.stdout, (line for answer in answers for line in answer_lines(answer)))
    return DONE if all(answer.is_known for answer in answers) else FINDINGS
