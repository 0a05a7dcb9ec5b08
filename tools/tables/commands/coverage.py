"""`python -m tools.tables coverage`: the pages of docs/coverage."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from hipify_py.catalog.places import mappings_dir
from hipify_py.cli.exit_codes import DONE, FINDINGS
from hipify_py.cli.help_command import CACHE, JUDGES, Helped
from hipify_py.report.text import emit


@click.command(
    "coverage",
    cls=Helped,
    examples=[("python -m tools.tables coverage --check", "Whether the summary is up to date.")],
    statuses=JUDGES,
    variables=CACHE,
)
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("docs/coverage"),
    metavar="DIR",
    help="The folder for the pages.",
)
@click.option(
    "--against",
    type=click.Path(dir_okay=False, path_type=Path),
    help="A list of HIPIFY's rows (CSV) in place of the one for ROCm 6.3.",
)
@click.option("--check", is_flag=True, help="Write nothing; exit with 1 when the summary is stale.")
def command(out: Path, against: Path | None, check: bool) -> int:
    """Write a page a table, and a summary (README.md) beside HIPIFY's counts.

    The exit status is 1 with --check when the summary is stale, and when a name of HIPIFY's list has no row and no
    reason for having none.
    """
    from hipify_py.cli.explain import stale, write
    from tools.tables.coverage import PEERS, SUMMARY, Coverage

    coverage = Coverage(Path(mappings_dir()), against or PEERS)
    wanted = coverage.pages()
    names = stale(out, wanted)
    if check:
        names = [name for name in names if name == SUMMARY]
        emit(sys.stdout, (f"{out / name} is stale" for name in names))
    else:
        write(out, wanted, names)
        emit(sys.stderr, (f"{out / name} written" for name in names))
    missing = coverage.uncovered()
    emit(sys.stdout, (f"{name} of HIPIFY's list has no row and no reason for it" for name in missing))
    return FINDINGS if missing or (check and names) else DONE
