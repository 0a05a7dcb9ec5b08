"""`python -m tools.tables python-bindings`: the functions that AMD's cuda.bindings lacks."""

from __future__ import annotations

from pathlib import Path

import click

from hipify_py.cli.help_command import JUDGES, Helped
from tools.tables.generated import update


@click.command(
    "python-bindings",
    cls=Helped,
    examples=[("python -m tools.tables python-bindings hip_python_interop-*.whl", "Compare with AMD's package.")],
    statuses=JUDGES,
)
@click.argument("wheel", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--check", is_flag=True, help="Write nothing, and exit with 1 if the table is stale.")
def command(wheel: Path, check: bool) -> int:
    """Write the functions of CUDA that a WHEEL of hip-python-interop lacks, to mappings/python/."""
    from tools.tables.python_bindings import TABLE, NotInterop, table_of

    try:
        text = table_of(wheel)
    except NotInterop as error:
        raise click.UsageError(str(error)) from error
    return update(TABLE, text, check=check)
