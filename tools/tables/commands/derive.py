"""`python -m tools.tables derive`: versions and numbers from the header sets."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from hipify_py.catalog.places import mappings_dir
from hipify_py.cli.exit_codes import DONE, FINDINGS
from hipify_py.cli.help_command import CACHE, JUDGES, Helped
from hipify_py.report.text import emit_document
from tools.tables.commands.headers import folder_option, given_set, known_sets


@click.command(
    "derive",
    cls=Helped,
    examples=[("python -m tools.tables derive > versions.yaml", "What the header sets tell of versions.")],
    statuses=JUDGES,
    variables=CACHE,
)
@folder_option
@click.option("--rocm", multiple=True, metavar="X.Y=DIR", help="A further header set of ROCm (a tree's include/).")
def command(headers: Path | None, rocm: tuple[str, ...]) -> int:
    """Say what the header sets tell and the tables do not: when targets came and went, and enumerators' numbers.

    The output is a patch in YAML for `tools.tables apply`. The exit status is 1 when there is something to do.
    """
    from tools.tables.patches import patch_text
    from tools.tables.versions import derive

    sets = known_sets(headers) + [given_set("rocm", text) for text in rocm]
    patch = derive(Path(mappings_dir()), sets)
    if patch:
        emit_document(sys.stdout, patch_text(patch))
    return FINDINGS if patch else DONE
