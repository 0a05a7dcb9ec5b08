"""`python -m tools.tables hipfort`: the names of hipfort's interfaces."""

from __future__ import annotations

from pathlib import Path

import click

from hipify_py.cli.help_command import JUDGES, Helped
from hipify_py.fortran.hipfort import table_path
from tools.tables.generated import update


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
    return update(Path(table_path()), text, check=check)
