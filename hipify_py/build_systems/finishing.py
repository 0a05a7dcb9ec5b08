"""From what the rules made of a build file to its `Translation`."""

from __future__ import annotations

from collections import Counter

from hipify_py.build_systems.file import BuildFile
from hipify_py.build_systems.suppression import silence
from hipify_py.core.edits import apply
from hipify_py.core.finding_selection import chosen
from hipify_py.core.findings import Finding, with_more
from hipify_py.core.fingerprints import LONGEST_LINE, end_of_name, numbered, shown_line
from hipify_py.core.translation import Translation

_ONCE = frozenset({"HIP602", "HIP609", "HIP620", "HIP640", "HIP641", "HIP642", "HIP643", "HIP644"})
"""Findings of which one a file is enough."""

_BY_NAME = frozenset({"HIP609", "HIP641", "HIP643", "HIP644"})
"""Those of which each name has one."""

_BY_ADVICE = frozenset({"HIP640", "HIP642"})
"""Findings of which one is enough for all names with the same replacement."""


def finished(file: BuildFile) -> Translation:
    """The translation of a file that all rules have seen."""
    edits = file.finish()
    findings = _once(sorted(dict.fromkeys(file.findings), key=lambda found: (found.offset, found.id)))
    findings, suppressed = silence(file, findings)
    findings = chosen(findings, file.options, file.catalog)
    suppressed = chosen(suppressed, file.options, file.catalog)
    seen = Counter[str]()
    return Translation(
        apply(file.source.data, edits),
        edits,
        [_placed(file, found, seen) for found in findings],
        sorted(dict.fromkeys(file.references)),
        suppressed=[_placed(file, found, seen) for found in suppressed],
        evidence=(file.library,),
    )


def _once(findings: list[Finding]) -> list[Finding]:
    """One finding a file of those that say the same of every place."""
    places = Counter(_subject(found) for found in findings)
    kept = []
    for found in findings:
        if found.id not in _ONCE:
            kept.append(found)
        elif (count := places.pop(_subject(found), 0)) > 0:
            kept.append(with_more(found, count - 1))
    return kept


def _subject(found: Finding) -> tuple[str, str]:
    if found.id in _BY_ADVICE:
        return found.id, found.message.replace(found.name, "", 1)
    return found.id, found.name if found.id in _BY_NAME else ""


def _placed(file: BuildFile, found: Finding, seen: Counter[str]) -> Finding:
    """A finding with its end, its line and its fingerprint, which is made of the words of its line."""
    data, source = file.source.data, file.source
    end_line, end_column = source.position(end_of_name(data, found))
    start = found.offset - found.column + 1
    stop = data.find(b"\n", found.offset, found.offset + LONGEST_LINE)
    stop = min(len(data), found.offset + LONGEST_LINE) if stop < 0 else stop
    context = b" ".join(data[max(start, found.offset - LONGEST_LINE) : stop].split())
    return found._replace(
        end_line=end_line,
        end_column=end_column,
        source_line=shown_line(data[start : min(stop, start + LONGEST_LINE)].rstrip(b"\r\n")),
        fingerprint=numbered(found, context, seen),
    )
