"""`hipify-py mappings lint`: the form of tables."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from hipify_py.catalog.places import mappings_dir
from hipify_py.cli.exit_codes import DONE, FINDINGS
from hipify_py.cli.help_command import CACHE, JUDGES, Helped
from hipify_py.report.text import emit, plural


@click.command(
    "lint",
    cls=Helped,
    examples=[("hipify-py mappings lint tables/ours.yaml --fix", "Check your own table and sort it.")],
    statuses=JUDGES,
    variables=CACHE,
)
@click.argument("files", nargs=-1, metavar="[FILE]...", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--fix", is_flag=True, help="Rewrite tables that follow the schema in canonical form.")
def command(files: tuple[Path, ...], fix: bool) -> int:
    """Check tables: schema, order, duplicate symbols, contradictions.

    Without FILE, check the shipped tables.

    Problems go to standard output, one per line: file:line: problem. The exit status is 1 if there are any.
    """
    from hipify_py.catalog.lint import lint

    folder = Path(mappings_dir())
    paths = list(files) or [*sorted(folder.glob("*.yaml")), *sorted(folder.glob("presets/*.yaml"))]
    try:
        flaws = lint(paths, fix=fix)
    except (OSError, UnicodeDecodeError) as error:
        raise click.UsageError(str(error)) from error
    emit(sys.stdout, map(str, flaws))
    if not flaws:
        emit(sys.stderr, [f"{plural(len(paths), 'table')}: no problems"])
    return FINDINGS if flaws else DONE
