"""A table for people, and what stands in the way of most repositories."""

from __future__ import annotations

from collections.abc import Iterator

from hipify_py.core.terminal_escape import visible
from hipify_py.report.document import shown_path
from hipify_py.report.figures import counted, percent
from hipify_py.survey.account import Account
from hipify_py.survey.record import PORTABILITIES, UNDONE, Record

_WIDEST = 40
"""Letters of a name."""

_SHARED = 10
"""Blockers that are named."""

_HEADS = ("repository", "portability", "coverage", "references", "low", "medium", "high", "in the way")


def render(account: Account) -> bytes:
    """The table."""
    return "".join(f"{line}\n" for line in _lines(account)).encode()


def _lines(account: Account) -> Iterator[str]:
    ordered = sorted(account.records, key=lambda record: PORTABILITIES.index(record.portability))
    rows = [_HEADS, *(_cells(record) for record in ordered)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(_HEADS) - 1)]
    for row in rows:
        padded = [
            cell.rjust(width) if 2 <= column <= 6 else cell.ljust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=False))
        ]
        yield "  ".join([*padded, row[-1]]).rstrip()
    yield ""
    parts = [f"{number} {each}" for each, number in account.portabilities.items() if number]
    yield f"{counted(len(account.records), 'repository').replace('repositorys', 'repositories')}: {', '.join(parts)}"
    if account.references.total:
        yield f"{account.references.total:,} CUDA references, coverage {percent(account.references)}"
    if account.blockers:
        yield "in the way of most:"
    for shared in account.blockers[:_SHARED]:
        name = f" {visible(shared.name)}" if shared.name else ""
        yield f"  {shared.id}{name}: {shared.repositories} of {len(account.records)} ({shared.title})"


def _cells(record: Record) -> tuple[str, ...]:
    name = visible(record.name)
    name = name if len(name) <= _WIDEST else f"{name[: _WIDEST - 1]}…"
    if record.portability == UNDONE:
        return (name, record.portability, *[""] * 5, f"{visible(shown_path(record.source))}: {visible(record.problem)}")
    counts = record.references
    way = ", ".join(visible(f"{blocker.id} {blocker.name}".strip()) for blocker in record.blockers[:3])
    more = len(record.blockers) - 3
    return (
        name,
        record.portability,
        percent(counts) if counts.total else "",
        f"{counts.total:,}",
        *(f"{record.efforts.get(effort, 0):,}" for effort in ("low", "medium", "high")),
        f"{way} and {more} more" if more > 0 else way,
    )
