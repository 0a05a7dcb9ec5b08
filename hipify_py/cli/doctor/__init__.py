"""`hipify-py doctor`: shows what is installed, what is missing, and how to get it."""

from __future__ import annotations

import os
import sys

import click

from hipify_py.cli import options
from hipify_py.cli.configuration import current, shares_of
from hipify_py.cli.doctor.examination import examine
from hipify_py.cli.doctor.showing import document, lines, show_table
from hipify_py.cli.exit_codes import DONE, FINDINGS
from hipify_py.cli.help_command import CACHE, COLOURS, PARTS, WRONG, Helped
from hipify_py.report.text import emit, emit_json


@click.command(
    "doctor",
    cls=Helped,
    examples=[
        ("hipify-py doctor", "Show what is installed and how to get what is missing."),
        ("hipify-py doctor --format json", "Print the same as JSON, for a bug report."),
    ],
    statuses={
        DONE: "everything installed works; missing parts are not needed to translate",
        FINDINGS: "something that is installed does not work",
        **WRONG,
    },
    variables={**PARTS, **CACHE, **COLOURS},
)
@options.text_or_json
@click.pass_context
def command(context: click.Context, format_: str) -> int:
    """Show which of libclang, headers, compilers and grammars are installed, and how to get what is missing.

    Of all these, translating needs only the grammars.
    """
    config = shares_of(context, [os.curdir])[0].config
    found = examine(os.environ, configuration=config, rocm=str(current().values.get("rocm") or ""))
    if format_ == "json":
        emit_json(sys.stdout, document(found))
    elif sys.stdout.isatty():
        show_table(found)
    else:
        emit(sys.stdout, lines(found))
    return DONE if found.works else FINDINGS
