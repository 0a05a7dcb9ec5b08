"""Comments that suppress a finding, put where the tool reads them (`hipify_py.findings.suppression`)."""

from __future__ import annotations

from hipify_py.build_systems.kinds import is_build_file
from hipify_py.core.edits import Edit
from hipify_py.core.findings import Finding
from hipify_py.core.source import BOM, Source
from hipify_py.embedded.host_files import kind_of_host
from hipify_py.findings.suppression import INVALID, LINE, UNUSED, WORDS
from hipify_py.frontend.lexer import Lexemes


def suppression(finding: Finding, source: Source, lexemes: Lexemes) -> Edit | None:
    """The edit that suppresses a finding at its line; None where no comment can.

    The comment goes to the end of the line, into a comment that suppresses others there, or, where the line goes on or
    its end is in a literal or a comment, on a line of its own above.
    """
    if finding.offset < 0 or finding.id in (INVALID, UNUSED) or _explains_a_failure(finding):
        return None
    if kind_of_host(source.path):
        return None  # where comments go there depends on the string that the kernel is in
    data = source.data
    start, end = source.line_bounds(finding.offset)
    line = data[start:end].rstrip(b"\r\n")
    listed = _listed(line, finding.id)
    if listed is not None:
        return Edit(start + listed.start, start + listed.end, listed.text)
    comment = f"{LINE}[{finding.id}]".encode()
    if is_build_file(source.path):
        return Edit(start + len(line.rstrip()), start + len(line.rstrip()), b"  # hipify: " + comment)
    place = _own_line(finding.offset, source, lexemes)
    if place is None:
        return Edit(start + len(line), start + len(line), b"  // hipify: " + comment)
    begin, stop = source.line_bounds(place)
    begin = len(BOM) if not begin and data.startswith(BOM) else begin
    above = data[begin:stop]
    indent = above[: len(above) - len(above.lstrip(b" \t"))]
    return Edit(begin, begin, indent + b"// hipify: " + comment + _newline(source, begin))


def _explains_a_failure(finding: Finding) -> bool:
    """Such findings cannot be suppressed, because the file was not converted."""
    return finding.id.startswith("HIP9") and finding.severity == "error"


def _listed(line: bytes, id: str) -> Edit | None:
    """The edit of a line that adds an id to the ids that a comment at its end suppresses there already."""
    match = WORDS.search(line)
    if match is None or match[1].decode() != LINE or match[2] is None or not line[: match.start()].rstrip(b"/ \t"):
        return None
    at = match.end(2)
    return Edit(at, at, f", {id}".encode())


def _own_line(offset: int, source: Source, lexemes: Lexemes) -> int | None:
    """A place in the line above which the comment goes; None if it can go to the end of the finding's own line."""
    data = source.data
    start, end = source.line_bounds(offset)
    stop = start + len(data[start:end].rstrip(b"\r\n"))
    above = lexemes.logical_line_start(offset)
    around = lexemes.non_code_at(offset)
    if around is not None and around[0] < start:
        is_comment = data[around[0] : around[0] + 2] in (b"//", b"/*")
        return around[0] if is_comment else None  # a kernel in a raw string has comments of its own
    at_end = lexemes.non_code_at(stop - 1) if stop > start else None
    goes_on = at_end is not None and at_end[1] > stop and data[at_end[0] : at_end[0] + 2] != b"//"
    if above < start or goes_on or data[start:stop].endswith(b"\\"):
        return above
    return None


def _newline(source: Source, start: int) -> bytes:
    """The ending of the line before a place, or of the first line."""
    return b"\r\n" if source.data[max(start - 2, 0) : start] == b"\r\n" else source.newline
