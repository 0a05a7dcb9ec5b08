"""Plain text: findings a line each, and the summary of a run. Imports next to nothing: hooks wait for it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, TextIO

from hipify_py.core.findings import SEVERITIES, Finding
from hipify_py.core.options import GROUPS, WARPS
from hipify_py.core.terminal_escape import log_line
from hipify_py.core.translation import OUTCOMES, Counts, WarpCounts
from hipify_py.project.result import CHANGED, COPIED, FAILED, UNCHANGED, UNREAD, FileResult
from hipify_py.report.semantics import semantics_lines
from hipify_py.report.warps import WARP_WORDS, warps_of

if TYPE_CHECKING:
    from hipify_py.fortran.counts import FortranCounts


def finding_line(finding: Finding) -> str:
    """`file:line:col: severity HIPnnn message`; the place is left out where the whole file is meant."""
    place = f"{finding.path}:{finding.line}:{finding.column}" if finding.offset >= 0 else finding.path
    return f"{place}: {finding.severity} {finding.id} {finding.message}"


def emit(stream: TextIO, lines: Iterable[str]) -> None:
    """Write lines for people to a text stream, in UTF-8 whatever the locale, each as `log_line` has it."""
    text = "".join(f"{log_line(line)}\n" for line in lines)
    if text:
        emit_bytes(stream, text.encode("utf-8"))


def emit_document(stream: TextIO, text: str) -> None:
    """Write a document for programs unchanged; bytes of file names that are not UTF-8 stay."""
    emit_bytes(stream, f"{text}\n".encode("utf-8", "surrogateescape"))


def emit_json(stream: TextIO, document: object) -> None:
    """Write a document for programs as indented JSON."""
    import json

    emit_document(stream, json.dumps(document, indent=2, ensure_ascii=False))


def emit_bytes(stream: TextIO, data: bytes) -> None:
    """Write bytes to the stream that a text stream wraps."""
    stream.flush()
    stream.buffer.write(data)
    stream.buffer.flush()


def show_findings(results: Iterable[FileResult], stream: TextIO, severities: Sequence[str] = SEVERITIES) -> None:
    """Print the findings of the files that could be read."""
    emit(
        stream,
        (
            finding_line(finding)
            for result in results
            if result.status != FAILED
            for finding in result.findings
            if finding.severity in severities
        ),
    )


def show_failures(results: Iterable[FileResult], stream: TextIO) -> None:
    """Print why files could not be done."""
    emit(
        stream, (finding_line(finding) for result in results if result.status == FAILED for finding in result.findings)
    )


def show_left_alone(
    skipped: Iterable[tuple[str, str]], left_out: Sequence[tuple[str, str]], stream: TextIO, *, verbose: bool
) -> None:
    """Print which files and folders were left alone, each with the reason where `verbose`, else how many."""
    if verbose:
        emit(stream, (f"{path}: {why}" for path, why in (*skipped, *left_out)))
    elif left_out:
        folders = sum(path.endswith("/") for path, _ in left_out)
        counts = [
            plural(count, noun) for count, noun in ((len(left_out) - folders, "file"), (folders, "folder")) if count
        ]
        emit(stream, [f"{' and '.join(counts)} left out; -v lists them"])


def summary(results: Sequence[FileResult], *, written: bool) -> list[str]:
    """The last lines of a run; `written`: files were converted, not only examined."""
    if not results:
        return ["no source files found"]
    lines = [files_line(results, written=written)]
    counts = Counts()
    for result in results:
        counts = counts.plus(result.counts)
    if counts.total:
        outcomes = ", ".join(f"{count} {outcome}" for outcome, count in zip(OUTCOMES, counts, strict=True))
        lines.append(f"{plural(counts.total, 'CUDA reference')}: {outcomes}")
    findings = [finding.severity for result in results for finding in result.findings]
    counted = [plural(findings.count(severity), severity) for severity in reversed(SEVERITIES) if severity in findings]
    suppressed = sum(len(result.suppressed) for result in results)
    known = sum(len(result.known) for result in results)
    counted += [f"{count} {word}" for count, word in ((suppressed, "suppressed"), (known, "known")) if count]
    if counted:
        lines.append(", ".join(counted))
    lines += _fixed(results, written=written)
    warps = warps_of(results)
    if warps.total:
        lines.append(warps_line(warps))
    fortran = [result.cuda_fortran for result in results if result.cuda_fortran is not None]
    if fortran:
        from hipify_py.fortran.counts import sum_of  # few trees have any

        lines.append(fortran_line(sum_of(fortran)))
    lines += semantics_lines(results)
    if not any(result.status in (CHANGED, FAILED) for result in results):
        is_unread = any(result.status == UNREAD for result in results)
        lines.append(_nothing(counts, unread=is_unread, findings=any(result.findings for result in results)))
    return lines


def warps_line(warps: WarpCounts) -> str:
    """What becomes of the warp operations of a run, in words."""
    counted = [f"{getattr(warps, name):,} {words}" for name, words in WARP_WORDS.items() if getattr(warps, name)]
    return f"{plural(warps.total, 'warp operation')}: {', '.join(counted)}"


def fortran_line(counts: FortranCounts) -> str:
    """The figures of CUDA Fortran, in words."""
    interfaced = f" ({counts.interfaced} with an interface in hipfort)" if counts.calls else ""
    variables = sum(counts.variables.values())
    parts = [
        plural(counts.kernels, "kernel"),
        plural(counts.device_subprograms, "device subprogram"),
        plural(counts.loops, "!$cuf loop"),
        f"{counts.launches} launch{'' if counts.launches == 1 else 'es'}",
        plural(counts.calls, "API call") + interfaced,
        plural(variables, "variable"),
    ]
    return f"CUDA Fortran in {plural(counts.files, 'file')}, not translated: {', '.join(parts)}"


def _fixed(results: Sequence[FileResult], *, written: bool) -> Iterator[str]:
    """What fixes were or would be applied: those of groups by places, those of findings by ids."""
    by_name: dict[str, int] = {}
    for result in results:
        for name, count in result.fixes.items():
            by_name[name] = by_name.get(name, 0) + count
    done = "fixed" if written else "to fix"
    by_name.pop(WARPS, None)  # the line about warps has their number
    places = sum(by_name.pop(group, 0) for group in GROUPS)
    if places:
        yield f"{plural(places, 'place')} {done} for 64 lanes"
    if by_name:
        ids = ", ".join(f"{by_name[id]} {id}" for id in sorted(by_name))
        yield f"{plural(sum(by_name.values()), 'finding')} {done}: {ids}"


def files_line(results: Sequence[FileResult], *, written: bool) -> str:
    """How many files there are, and their outcome: they were `written`, or only examined."""
    statuses = [result.status for result in results]
    words = {
        CHANGED: "converted" if written else "to convert",
        UNCHANGED: "unchanged",
        COPIED: "copied",
        UNREAD: "not read",
        FAILED: "failed",
    }
    parts = [f"{statuses.count(s)} {words[s]}" for s in words if s in (CHANGED, UNCHANGED) or s in statuses]
    return f"{plural(len(results), 'file')}: {', '.join(parts)}"


def _nothing(counts: Counts, *, unread: bool, findings: bool) -> str:
    if counts.unsupported or counts.unknown:
        return "nothing was converted: names that are not valid HIP have no known HIP counterpart"
    if counts.total:
        return "nothing to convert: every CUDA name is already valid HIP"
    if unread:
        return "nothing to convert: CUDA is only in files that are not translated"
    if findings:
        return "nothing to convert: no name of CUDA found, but the findings above"
    return "nothing to convert: no CUDA found"


def plural(count: int, noun: str) -> str:
    """`1 file`, `2 files`."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
