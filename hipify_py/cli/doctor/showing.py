"""What was found, as a table, as plain lines, and as data."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from hipify_py.cli.doctor.examination import BROKEN, MISSING, THERE, Examination, Item
from hipify_py.core.terminal_escape import log_line
from hipify_py.report.places import shown_path

_STYLES = {THERE: "green", MISSING: "yellow", BROKEN: "bold red"}


def lines(found: Examination) -> Iterator[str]:
    """A line for each thing, with more below it where there is something to do."""
    yield f"hipify-py {found.version}, {found.python}"
    yield ""
    for item in found.items:
        what = " ".join(filter(None, (item.version, f"({item.origin})" if item.origin else "", item.path)))
        yield f"{item.state:7}  {item.name}{f': {what}' if what else ''}"
        if item.state != THERE:
            yield from (f"         {line}" for line in _left(item))
    yield ""
    for fact in found.facts:
        yield f"{fact.name}: {fact.value}{f', {fact.why}' if fact.why else ''}"
    yield from (f"problem: {problem}" for problem in found.problems)


def show_table(found: Examination, console: Console | None = None) -> None:
    """Print tables for a terminal."""
    console = console or Console()
    console.print(f"hipify-py {_cell(found.version)}, {_cell(found.python)}", highlight=False)
    table = Table()
    for title in ("", "version", "from", "location, or how to get it"):
        table.add_column(title, overflow="fold")
    for item in found.items:
        style = _STYLES[item.state]
        place = _cell(item.path) if item.state == THERE else "\n".join(map(_cell, _left(item)))
        name = f"{_cell(item.name)}\n[{style}]{item.state}[/]" if item.state != THERE else _cell(item.name)
        table.add_row(name, f"[{style}]{_cell(item.version)}[/]", _cell(item.origin), place)
    console.print(table)
    facts = Table(show_header=False)
    for _ in range(3):
        facts.add_column(overflow="fold")
    for fact in found.facts:
        facts.add_row(_cell(fact.name), _cell(fact.value), _cell(fact.why))
    console.print(facts)
    for problem in found.problems:
        console.print(f"[{_STYLES[BROKEN]}]problem:[/] {_cell(problem)}", highlight=False)


def document(found: Examination) -> dict[str, object]:
    """The same as data; unknown values are null."""
    return {
        "hipify_py": found.version,
        "python": found.python,
        "works": found.works,
        "items": [
            {key: (shown_path(value) if key == "path" else value) or None for key, value in item._asdict().items()}
            for item in found.items
        ],
        "facts": [{key: value or None for key, value in fact._asdict().items()} for fact in found.facts],
        "problems": [*found.problems],
    }


def _left(item: Item) -> Iterator[str]:
    if item.problem:
        yield item.problem
    yield f"needed for {item.adds}"
    yield f"to get it: {item.get}"


def _cell(text: str) -> str:
    return escape(log_line(text))
