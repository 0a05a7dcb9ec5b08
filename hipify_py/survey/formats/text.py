"""A table for people, and what stands in the way of most repositories."""

from __future__ import annotations

from collections.abc import Iterator

from hipify_py.core.terminal_escape import visible
from hipify_py.report.figures import counted, percent
from hipify_py.report.places import shown_path
from hipify_py.survey.account import Account
from hipify_py.survey.record import PORTABILITIES, UNDONE, Record
from hipify_py.survey.table import row_of

_WIDEST = 40
"""Letters of a name."""

_LONGEST = 100
"""Letters of a message."""

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
    if account.builds["tried"]:
        yield ""
        yield from _build_lines(account)


_BUILD_HEADS = (
    "repository",
    "build",
    "linked",
    "objects",
    "programs",
    "causes",
    "announced",
    "disproved",
    "seconds",
    "",
)


def _build_lines(account: Account) -> Iterator[str]:
    records = sorted((record for record in account.records if record.builds), key=lambda each: each.build_state)
    rows = [_BUILD_HEADS, *map(_build_cells, records)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(_BUILD_HEADS) - 1)]
    for row in rows:
        padded = [
            cell.ljust(width) if column < 2 else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=False))
        ]
        yield "  ".join([*padded, row[-1]]).rstrip()
    yield ""
    builds = account.builds
    possible = f"{builds['possible']} of {builds['tried']} repositories can be built on this machine"
    yield f"{possible}; {builds['linked']} link"
    yield f"{counted(builds['causes'], 'cause')} of build errors, {builds['announced']} announced by findings"
    yield f"{counted(builds['disproved'], 'error')} reported about sources that compile"
    for cause in account.causes[:_SHARED]:
        mark = "" if cause.is_announced else ", unannounced"
        yield f"  {visible(cause.example)[:_LONGEST]}: {len(cause.repositories)} of {builds['tried']}{mark}"


def _build_cells(record: Record) -> tuple[str, ...]:
    row = row_of(record)
    numbers = ("objects", "programs", "build_causes", "announced_causes", "disproved_findings", "build_seconds")
    unannounced = [f"{cause.place} {cause.text}".strip() for cause in record.build_causes if not cause.finding]
    problems = [build.problem for build in record.builds if build.problem]
    lacking = [cause.text for build in record.builds for cause in build.causes if cause.is_lacking]
    return (
        visible(record.name)[:_WIDEST],
        record.build_state,
        f"{row['builds_linked']}/{row['builds']}",
        *(f"{row[name]:,}" for name in numbers),
        visible("".join([*problems, *unannounced, *lacking][:1]))[:_LONGEST],
    )


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
