"""`hipify-py explain`: explains findings."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

import click

from hipify_py.cli import options
from hipify_py.cli.exit_codes import DONE, FINDINGS
from hipify_py.cli.help_command import CACHE, WRONG, Helped
from hipify_py.report.text import emit, emit_json

if TYPE_CHECKING:
    from pathlib import Path

# Generated pages: which of a folder's are stale, and how they are brought up to date.


def stale(folder: Path, wanted: Mapping[str, str]) -> list[str]:
    """The names of pages in a folder that are missing, outdated or superfluous."""
    there = {path.name: path.read_text(encoding="utf-8") for path in folder.glob("*.md")}
    return sorted(name for name in there.keys() | wanted.keys() if there.get(name) != wanted.get(name))


def write(folder: Path, wanted: Mapping[str, str], names: Iterable[str]) -> None:
    """Write the named pages, and remove those among them that are not wanted.

    Raises:
        OSError: when one cannot be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for name in names:
        if name in wanted:
            (folder / name).write_text(wanted[name], encoding="utf-8", newline="\n")
        else:
            (folder / name).unlink()


@click.command(
    "explain",
    cls=Helped,
    examples=[
        ("hipify-py explain HIP301 HIP305", "Explain two findings."),
        ("hipify-py explain --list", "List all findings, one per line."),
    ],
    statuses={DONE: "done", FINDINGS: "with --check: some pages are stale", **WRONG},
    variables=CACHE,
)
@click.argument("ids", nargs=-1, metavar="[ID]...")
@click.option("--list", "list_", is_flag=True, help="List all findings, one per line.")
@options.text_or_json
@click.option(
    "--write-docs",
    type=click.Path(file_okay=False),
    metavar="DIR",
    help="Write a page for each finding, and an index, to this folder.",
)
@click.option("--check", is_flag=True, help="With --write-docs: write nothing, and exit with 1 if pages are stale.")
def command(ids: tuple[str, ...], list_: bool, format_: str, write_docs: str | None, check: bool) -> int:
    """Explain findings (HIP301, hip301 or 301): why they matter, what to do, the source, and examples."""
    if sum((bool(ids), list_, write_docs is not None)) != 1:
        raise click.UsageError("Give ids (HIP301), --list or --write-docs DIR.")
    if check and write_docs is None:
        raise click.UsageError("--check requires --write-docs.")
    if write_docs is not None:
        return _write(write_docs, check)
    from hipify_py.report.explain import canonical, document, explain, known_ids, list_lines, text_lines

    known = known_ids() if list_ else list(dict.fromkeys(canonical(id) or _unknown(id) for id in ids))
    if format_ == "json":
        emit_json(sys.stdout, {"diagnostics": [document(explain(id)) for id in known]})
    elif list_:
        emit(sys.stdout, list_lines(known))
    else:
        for number, id in enumerate(known):
            emit(sys.stdout, [""] if number else [])
            emit(sys.stdout, text_lines(explain(id)))
    return DONE


def _unknown(id: str) -> str:
    from hipify_py.report.explain import near_ids

    near = near_ids(id)
    hint = f"did you mean {', '.join(near)}?" if near else "--list shows all findings."
    raise click.UsageError(f"{id} is not a finding of hipify-py; {hint}")


def _write(name: str, check: bool) -> int:
    from pathlib import Path

    from hipify_py.report.explain import pages

    folder = Path(name)
    wanted = pages()
    names = stale(folder, wanted)
    if check:
        emit(sys.stdout, (f"{folder / name} is stale" for name in names))
        return FINDINGS if names else DONE
    write(folder, wanted, names)
    emit(sys.stderr, (f"{folder / name} written" for name in names))
    return DONE
