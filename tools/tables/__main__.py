"""`python -m tools.tables`: verifies and updates the mapping tables, from the root of the repository."""

from __future__ import annotations

import sys

import click

from hipify_py.catalog import TableError
from hipify_py.cli.exit_codes import USAGE
from tools.tables.commands import (
    apply,
    coverage,
    declarations,
    derive,
    diff,
    fetch,
    hipfort,
    python_bindings,
    to_cuda,
    verify,
)


@click.group(context_settings={"help_option_names": ["-h", "--help"], "show_default": True})
def cli() -> None:
    """Verify and update the mapping tables in mappings/ (see docs/maintaining-tables.md)."""


for module in (fetch, verify, diff, derive, apply, declarations, to_cuda, coverage, hipfort, python_bindings):
    cli.add_command(module.command)


def main() -> None:
    """Run a command, and exit with its status."""
    try:
        status = cli.main(prog_name="python -m tools.tables", standalone_mode=False)
    except click.ClickException as error:
        error.show()
        status = error.exit_code
    except TableError as error:
        click.echo(f"Error: {error}", err=True)
        status = USAGE
    sys.exit(status if isinstance(status, int) else 0)


if __name__ == "__main__":
    main()
