"""Jupyter notebooks: their code cells as one Python program, and cells that hold CUDA sources or call nvcc."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from hipify_py.build_systems import shell
from hipify_py.build_systems.finishing import finished
from hipify_py.build_systems.json_members import Member, members_of
from hipify_py.core.edits import Edit, apply, ordered
from hipify_py.core.findings import Finding, at_each_place
from hipify_py.core.options import Options
from hipify_py.core.project_context import ProjectContext
from hipify_py.core.source import Source
from hipify_py.core.translation import Reference, Translation, WarpCounts
from hipify_py.embedded.literals import LiteralText, Piece, pieces_with_escapes
from hipify_py.embedded.python_program import PythonProgram
from hipify_py.translator.run_time_source import translate_string

_STRING = re.compile(rb'"((?:[^"\\]|\\.)*)"', re.DOTALL)
_ESCAPE = re.compile(rb'\\(?:(["\\/bfnrt])|u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|u[0-9a-fA-F]{4})')
_CUDA_CELL = re.compile(rb"%%(?:(?:writefile|file)\s+(?:-a\s+)?\S+\.cuh?|cu|cuda\w*)[^\n]*\n")
_CELL = re.compile(rb"\s*%%")
_MAGIC = re.compile(rb"(?m)^[ \t]*([%!])([^\n]*)")


def _escape(data: bytes, place: int) -> tuple[int, bytes]:
    """An escape of JSON, whose text is known to be valid."""
    match = _ESCAPE.match(data, place)
    end = place + 2 if match is None else match.end()
    text: str = json.loads(b'"' + data[place:end] + b'"')
    return end, text.encode("utf-8", "surrogatepass")


class JsonString:
    """A string of JSON whose text is a part of a value; one of a list of lines, if `between` separates its elements."""

    def __init__(self, start: int, end: int, between: bytes = b"") -> None:
        self.start, self.end, self._between = start, end, between

    def pieces(self, data: bytes) -> Iterator[tuple[int, int, bytes]]:
        """The ranges of the file, each with the bytes of the value that it stands for, in order."""
        return pieces_with_escapes(data, self.start, self.end, _escape)

    def written(self, text: bytes, newline: bytes, before: bytes = b"", after: bytes = b"") -> bytes:
        """A piece of the value as JSON writes it; each of several lines becomes an element of its own."""
        escaped = json.dumps(text.decode("utf-8", "surrogateescape"), ensure_ascii=False)[1:-1].encode()
        if not self._between:
            return escaped
        lines = escaped.split(b"\\n")
        ended = [line + b"\\n" for line in lines[:-1]]
        last = [lines[-1]] if lines[-1] or after else []
        return (b'"' + self._between + b'"').join([*ended, *last])


class _Break:
    """The end of a cell, which no text of the notebook stands for."""

    def __init__(self, place: int) -> None:
        self.start = self.end = place

    def pieces(self, data: bytes) -> Iterator[tuple[int, int, bytes]]:
        yield self.end, self.end, b"\n"

    def written(self, text: bytes, newline: bytes, before: bytes = b"", after: bytes = b"") -> bytes:
        return b""


class _Result(NamedTuple):
    edits: list[Edit]
    findings: list[Finding]
    suppressed: list[Finding]
    references: list[Reference]
    warps: WarpCounts


def translate_notebook(source: Source, options: Options, project: ProjectContext) -> Translation:
    """Translate the code cells of a notebook.

    Raises:
        TableError: if the mapping tables cannot be loaded.
    """
    data = source.data
    cells = [*_code_cells(data)]
    results = [_program(source, [cell for cell in cells if not _is_magic(cell, data)], options, project)]
    for cell in cells:
        text = LiteralText(data, cell)
        head = _CUDA_CELL.match(text.value)
        if head is not None:
            done = translate_string(text.value[head.end() :], source.path, options, project, is_run_time=False)
            results.append(_moved(done, head.end(), text, source))
        results += _commands(text, source, options, project)
    edits = ordered(edit for result in results for edit in result.edits)
    findings = sorted((each for result in results for each in result.findings), key=lambda each: each.offset)
    translation = Translation(apply(data, edits), edits, findings, [])
    translation.references = sorted(each for result in results for each in result.references)
    translation.suppressed = [each for result in results for each in result.suppressed]
    for result in results:
        translation.warps = translation.warps.plus(result.warps)
    return translation


def _code_cells(data: bytes) -> Iterator[list[Piece]]:
    """The strings of each code cell."""
    members = [member for member in members_of(data) if member.path == ("cells",)]
    starts = 0

    def number(member: Member) -> int:
        nonlocal starts
        starts += member.before < 0
        return starts

    for _, group in groupby(members, number):
        cell = {member.name: member for member in group}
        kind, lines = cell.get("cell_type"), cell.get("source")
        if kind is not None and lines is not None and data[kind.value : kind.end] == b'"code"':
            found = [*_STRING.finditer(data, lines.value, lines.end)]
            is_list = data[lines.value : lines.value + 1] == b"["
            between = data[found[0].end() : found[1].start()] if is_list and len(found) > 1 else b",\n    "
            yield [JsonString(*each.span(1), between if is_list else b"") for each in found]


def _is_magic(cell: Sequence[Piece], data: bytes) -> bool:
    return _CELL.match(LiteralText(data, cell).value) is not None


def _program(source: Source, cells: Sequence[Sequence[Piece]], options: Options, project: ProjectContext) -> _Result:
    """The code cells as one program, in which the notebook's own commands are comments."""
    pieces = [piece for cell in cells if cell for piece in (*cell, _Break(cell[-1].end))]
    text = LiteralText(source.data, pieces)
    masked = _MAGIC.sub(lambda line: line[0].replace(line[1], b"#", 1), text.value)
    program = PythonProgram(Source(masked, source.path), options, project)
    program.translate()
    done = finished(program.file)
    done.suppressed += program.suppressed
    done.warps = program.warps
    return _moved(done, 0, text, source)


def _commands(text: LiteralText, source: Source, options: Options, project: ProjectContext) -> Iterator[_Result]:
    """The lines of a cell that run nvcc."""
    for line in _MAGIC.finditer(text.value):
        if line[1] == b"!" and b"nvcc" in line[2]:
            yield _moved(shell.translate(line[2], source.path, options, project), line.start(2), text, source)


def _moved(done: Translation, start: int, text: LiteralText, source: Source) -> _Result:
    """A translation of a part of a text, at its places in the file."""

    def placed(finding: Finding) -> Finding:
        offset = max(finding.offset, 0) + start
        place, end = text.place(offset), text.end_place(offset + len(finding.name.encode()))
        (line, column), (end_line, end_column) = source.position(place), source.position(max(place, end))
        return finding._replace(
            path=source.path,
            offset=place,
            line=line,
            column=column,
            end_line=end_line,
            end_column=end_column,
            fix=None,
        )

    return _Result(
        text.in_file(edit._replace(start=edit.start + start, end=edit.end + start) for edit in done.edits),
        [at_each_place(finding, placed) for finding in done.findings],
        [at_each_place(finding, placed) for finding in done.suppressed],
        [each._replace(offset=text.place(each.offset + start)) for each in done.references],
        done.warps,
    )
