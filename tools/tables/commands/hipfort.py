"""`python -m tools.tables hipfort`: the names of hipfort's interfaces."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from hipify_py.cli.exit_codes import DONE, FINDINGS
from hipify_py.cli.help_command import JUDGES, Helped
from hipify_py.fortran.hipfort import table_path
from hipify_py.report.text import emit


@click.command(
    "hipfort",
    cls=Helped,
    examples=[("python -m tools.tables hipfort ../hipfort", "Take the interfaces of a checkout of hipfort.")],
    statuses=JUDGES,
)
@click.argument("checkout", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--check", is_flag=True, help="Write nothing, and exit with 1 if the table is stale.")
def command(checkout: Path, check: bool) -> int:
    """Write the names of hipfort's interfaces, from a CHECKOUT of github.com/ROCm/hipfort, to mappings/fortran/."""
    from tools.tables.hipfort import NoHipfort, table_of

    try:
        text = table_of(checkout)
    except NoHipfort as error:
        raise click.UsageError(str(error)) from error
    path = Path(table_path())
    if path.is_file() and path.read_text(encoding="utf-8") == text:
        return DONE
    if check:
        emit(sys.stdout, [f"{path} is stale"])
        return FINDINGS
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8")
    emit(sys.stderr, [f"{path} written"])
    return DONE
