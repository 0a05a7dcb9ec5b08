"""A survey as a table: a row for each repository."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from hipify_py.report.places import shown_path
from hipify_py.survey.build_record import FAILS, LINKS, UNTRIED
from hipify_py.survey.record import Record

TEXT, NUMBER, SHARE = "text", "number", "share"

COLUMNS: Mapping[str, str] = {
    **dict.fromkeys(("name", "source", "kind", "portability"), TEXT),
    "coverage": SHARE,
    **dict.fromkeys(("references", "converted", "native", "inactive", "unsupported", "unknown"), NUMBER),
    **dict.fromkeys(("errors", "warnings", "notes", "effort_low", "effort_medium", "effort_high"), NUMBER),
    **dict.fromkeys(("files", "cuda_files", "failed_files", "untranslated_build_files"), NUMBER),
    **dict.fromkeys(("problem", "commit"), TEXT),
    "build": TEXT,
    **dict.fromkeys(("builds", "builds_configured", "builds_linked", "builds_failing_with_cuda"), NUMBER),
    **dict.fromkeys(("objects", "programs"), NUMBER),
    **dict.fromkeys(("build_causes", "announced_causes", "lacking", "disproved_findings", "build_seconds"), NUMBER),
}
"""The columns with one value each; lists of values come after them."""

LISTS = ("libraries", "findings", "blockers", "unsupported_symbols", "unknown_symbols", "build_errors", "disproved")


def row_of(record: Record) -> dict[str, Any]:
    """The values of a repository by column; None for the coverage of what has no CUDA."""
    counts = record.references
    return {
        "name": record.name,
        "source": shown_path(record.source),
        "kind": record.kind,
        "portability": record.portability,
        "coverage": None if record.coverage is None else round(record.coverage, 4),
        "references": counts.total,
        **{outcome: getattr(counts, outcome) for outcome in counts._fields},
        "errors": record.severities.get("error", 0),
        "warnings": record.severities.get("warning", 0),
        "notes": record.severities.get("note", 0),
        **{f"effort_{effort}": record.efforts.get(effort, 0) for effort in ("low", "medium", "high")},
        "files": record.files,
        "cuda_files": record.cuda_files,
        "failed_files": record.failed_files,
        "untranslated_build_files": sum(record.build_files.values()),
        "problem": record.problem,
        "commit": record.commit,
        "build": record.build_state,
        "builds": len(record.builds),
        "builds_configured": sum(build.state not in (FAILS, UNTRIED) for build in record.builds),
        "builds_linked": sum(build.state == LINKS for build in record.builds),
        "builds_failing_with_cuda": sum(build.fails_with_cuda for build in record.builds),
        "objects": sum(build.objects for build in record.builds),
        "programs": sum(build.programs for build in record.builds),
        "build_causes": len(record.build_causes),
        "announced_causes": sum(bool(cause.finding) for cause in record.build_causes),
        "lacking": sum(cause.is_lacking for build in record.builds for cause in build.causes),
        "disproved_findings": len(record.disproved),
        "build_seconds": round(sum(build.seconds for build in record.builds)),
    }


def lists_of(record: Record) -> dict[str, Sequence[str]]:
    """What there are several of, as names, those that matter most first."""
    return {
        "libraries": [library for library, counts in record.libraries if counts.total],
        "findings": [id for id, _ in sorted(record.findings.items(), key=lambda item: (-item[1], item[0]))],
        "blockers": [f"{blocker.id} {blocker.name}".strip() for blocker in record.blockers],
        "unsupported_symbols": [symbol.name for symbol in record.unsupported],
        "unknown_symbols": [symbol.name for symbol in record.unknown],
        "build_errors": [f"{cause.place} {cause.text}".strip() for cause in record.build_causes],
        "disproved": [f"{each.place} {each.id}" for each in record.disproved],
    }
