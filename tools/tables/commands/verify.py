"""`python -m tools.tables verify`: the tables against the headers."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from hipify_py.catalog.places import mappings_dir
from hipify_py.cli.exit_codes import DONE, FINDINGS
from hipify_py.cli.help_command import CACHE, JUDGES, Helped
from hipify_py.report.text import emit
from tools.tables.commands.headers import folder_option, given_set, known_sets


@click.command(
    "verify",
    cls=Helped,
    examples=[("python -m tools.tables verify cublas cusparse", "Hold two tables against the headers of both sides.")],
    statuses=JUDGES,
    variables=CACHE,
)
@click.argument("tables", nargs=-1, metavar="[TABLE]...")
@folder_option
@click.option("--cuda", multiple=True, metavar="X.Y=DIR", help="A further header set of CUDA.")
@click.option("--rocm", multiple=True, metavar="X.Y=DIR", help="A further header set of ROCm (a tree's include/).")
@click.option("--figures", is_flag=True, help="Print the figures only.")
def command(
    tables: tuple[str, ...], headers: Path | None, cuda: tuple[str, ...], rocm: tuple[str, ...], figures: bool
) -> int:
    """Hold the tables (all by default) against the header sets of both sides.

    Every CUDA name of a table must stand in some CUDA header, every target in the ROCm versions that its row claims,
    signatures must agree or be decided, every public CUDA symbol must have a row or a reason for having none.
    Problems go to standard output, figures to standard error. The exit status is 1 when there are problems.
    """
    from tools.tables.verify import figure_lines, verify

    sets = known_sets(headers)
    sets += [given_set("cuda", text) for text in cuda] + [given_set("rocm", text) for text in rocm]
    found = verify(Path(mappings_dir()), sets, tables)
    if not figures:
        emit(sys.stdout, (f"{table}: {row}: {kind}: {what}" for table, row, kind, what in found.problems))
    emit(sys.stdout if figures else sys.stderr, figure_lines(found.figures))
    emit(sys.stderr, (f"{count:6d}  not checked, for no set tells: {what}" for what, count in found.unchecked.items()))
    return FINDINGS if found.problems else DONE
