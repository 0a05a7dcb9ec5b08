"""Fixes that findings carry: where their edits stand, which of them are applied together, and what they look like."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from hipify_py.core.edits import Edit, SourceMap, apply, ordered
from hipify_py.core.findings import Finding, Fix, FixedLines, Replacement
from hipify_py.core.source import Source

LONGEST = 4000
"""Bytes of the lines that a fix touches and shows; generated code has lines of megabytes."""

_Region = tuple[int, int, list[Edit]]


def edits_of(findings: Iterable[Finding]) -> list[Edit]:
    """What the fixes of findings replace, as edits of the source in order."""
    return ordered(
        Edit(*replacement[:3]) for finding in findings if finding.fix is not None for replacement in finding.fix.edits
    )


def shown(source: Source, fix: Fix, text: Callable[[bytes], str]) -> Fix:
    """A fix with the places of its edits and the lines that it touches, which `text` decodes."""
    edits = sorted(fix.edits, key=lambda edit: edit[:2])
    regions = _regions(source, edits)
    is_short = sum(end - start for start, end, _ in regions) <= LONGEST
    return fix._replace(
        edits=tuple(Replacement(*edit[:3], *source.position(edit.start), *source.position(edit.end)) for edit in edits),
        lines=tuple(_lines(source, region, text) for region in regions) if is_short else (),
    )


def moved(fix: Fix, distance: int) -> Fix:
    """A fix of a text that stands so many bytes into another one."""
    edits = (Replacement(edit.start + distance, edit.end + distance, edit.text) for edit in fix.edits)
    return fix._replace(edits=tuple(edits), lines=())


def shifted(fix: Fix, map: SourceMap) -> Fix | None:
    """A fix of a source that edits have changed, for the source before them; None where it touches what they wrote."""
    edits = []
    for replacement in fix.edits:
        start, end = map.to_input(replacement.start), map.to_input(replacement.end)
        if (map.to_output(start), map.to_output(end)) != (replacement.start, replacement.end):
            return None
        if end - start != replacement.end - replacement.start:
            return None
        edits.append(Replacement(start, end, replacement.text))
    return fix._replace(edits=tuple(edits), lines=())


def apart(findings: Iterable[Finding]) -> tuple[list[Finding], list[Finding]]:
    """The findings whose fixes can be applied together, the first of those that overlap, and the others.

    Insertions at one place are two answers to one question, so that they overlap as well.
    """
    taken: list[tuple[int, int]] = []
    together: list[Finding] = []
    left: list[Finding] = []
    for finding in findings:
        ranges = [edit[:2] for edit in finding.fix.edits] if finding.fix is not None else []
        if not ranges:
            continue
        if any(_overlap(mine, other) for mine in ranges for other in taken):
            left.append(finding)
        else:
            together.append(finding)
            taken += ranges
    return together, left


def _overlap(one: tuple[int, int], other: tuple[int, int]) -> bool:
    """Two ranges share a byte or the place of an insertion."""
    return one == other or (one[0] < other[1] and other[0] < one[1])


def _regions(source: Source, edits: Sequence[Replacement]) -> list[_Region]:
    """The whole lines that edits touch, each with the edits in them."""
    regions: list[_Region] = []
    for replacement in edits:
        edit = Edit(*replacement[:3])
        start = source.line_bounds(edit.start)[0]
        # What takes whole lines out does not touch the next one.
        is_whole = edit.start < edit.end and source.data[edit.end - 1 : edit.end] == b"\n" and not edit.text
        end = edit.end if is_whole and edit.start == start else source.line_bounds(edit.end)[1]
        if regions and start < regions[-1][1]:
            first, last, inside = regions.pop()
            regions.append((first, max(end, last), [*inside, edit]))
        else:
            regions.append((start, end, [edit]))
    return regions


def _lines(source: Source, region: _Region, text: Callable[[bytes], str]) -> FixedLines:
    start, end, edits = region
    old = source.data[start:end]
    new = apply(old, [Edit(edit.start - start, edit.end - start, edit.text) for edit in edits])
    return FixedLines(source.position(start)[0], _split(old, text), _split(new, text))


def _split(data: bytes, text: Callable[[bytes], str]) -> tuple[str, ...]:
    lines = data.split(b"\n")
    if not lines[-1]:
        lines.pop()
    return tuple(text(line.rstrip(b"\r")) for line in lines)
