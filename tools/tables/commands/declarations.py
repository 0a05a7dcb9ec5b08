"""`python -m tools.tables declarations`: what the headers declare under the names of the tables."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from hipify_py.catalog.places import mappings_dir
from hipify_py.cli.exit_codes import DONE, FINDINGS
from hipify_py.cli.help_command import CACHE, JUDGES, Helped
from hipify_py.report.text import emit
from tools.tables.commands.headers import folder_option, known_sets


@click.command(
    "declarations",
    cls=Helped,
    examples=[("python -m tools.tables declarations --check", "Whether the files beside the tables are up to date.")],
    statuses=JUDGES,
    variables=CACHE,
)
@folder_option
@click.option("--check", is_flag=True, help="Write nothing; exit with 1 when the files are stale.")
def command(headers: Path | None, check: bool) -> int:
    """Write the arguments, numbers and headers of all names on both sides beside the tables, for `query`."""
    from tools.tables.declarations import declarations

    tables = Path(mappings_dir())
    files = declarations(tables, known_sets(headers))
    stale = [name for name, text in files.items() if _text(tables / name) != text]
    if check:
        emit(sys.stdout, (f"{tables / name} is stale" for name in stale))
        return FINDINGS if stale else DONE
    for name in stale:
        (tables / name).parent.mkdir(exist_ok=True)
        (tables / name).write_text(files[name], encoding="utf-8")
        emit(sys.stderr, [f"{tables / name} written"])
    return DONE


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8") if path.is_file() else ""
