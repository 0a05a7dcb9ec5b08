"""Jupyter notebooks: their code cells as one Python program, and cells that hold other files or call nvcc."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from hipify_py.build_systems import shell
from hipify_py.build_systems.file import BuildFile
from hipify_py.build_systems.finishing import finished
from hipify_py.build_systems.json_members import Member, members_of
from hipify_py.build_systems.kinds import kind_of
from hipify_py.build_systems.translate import translate_build_file
from hipify_py.core.edits import Edit, apply, ordered
from hipify_py.core.findings import Finding, at_each_place
from hipify_py.core.options import Options
from hipify_py.core.project_context import ProjectContext
from hipify_py.core.source import SOURCE_SUFFIXES, Source, suffix_of
from hipify_py.core.translation import Reference, Translation, WarpCounts
from hipify_py.embedded.host_files import PYTHON as HOST_PYTHON
from hipify_py.embedded.host_files import kind_of_host, may_embed
from hipify_py.embedded.literals import LiteralText, Piece, pieces_with_escapes
from hipify_py.embedded.notebook_cells import (
    CUDA,
    EXTENSION,
    PYTHON,
    SCRIPT,
    CellKind,
    commands_of,
    kind_of_cell,
    without_commands,
)
from hipify_py.embedded.python_program import PythonProgram
from hipify_py.translator.run_time_source import translate_string

_STRING = re.compile(rb'"((?:[^"\\]|\\.)*)"', re.DOTALL)
_ESCAPE = re.compile(rb'\\(?:(["\\/bfnrt])|u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|u[0-9a-fA-F]{4})')
_PACKAGE = "HIP241"
_NO_BACKEND = (
    "nvcc4jupyter runs nvcc and has no backend for AMD GPUs; write the cell to a file with %%writefile, and compile it "
    "with !hipcc"
)


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


class _Cell(NamedTuple):
    text: LiteralText
    kind: CellKind
    pieces: list[Piece]


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
    cells = [_Cell(text, kind_of_cell(text.value), pieces) for text, pieces in _texts(data)]
    results = [_program(source, [cell.pieces for cell in cells if cell.kind.kind == PYTHON], options, project)]
    for cell in cells:
        if cell.kind.kind == PYTHON:
            results += _commands(cell.text, source, options, project)
        elif (done := _translated(cell, source.path, options, project)) is not None:
            results.append(_moved(done, cell.kind.body, cell.text, source))
    results.append(_extension(source, cells, options))
    edits = ordered(edit for result in results for edit in result.edits)
    findings = sorted((each for result in results for each in result.findings), key=lambda each: each.offset)
    translation = Translation(apply(data, edits), edits, findings, [])
    translation.references = sorted(each for result in results for each in result.references)
    translation.suppressed = [each for result in results for each in result.suppressed]
    for result in results:
        translation.warps = translation.warps.plus(result.warps)
    return translation


def _texts(data: bytes) -> Iterator[tuple[LiteralText, list[Piece]]]:
    return ((LiteralText(data, pieces), pieces) for pieces in _code_cells(data))


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


def _program(source: Source, cells: Sequence[Sequence[Piece]], options: Options, project: ProjectContext) -> _Result:
    """The code cells as one program, in which the notebook's own commands are comments."""
    pieces = [piece for cell in cells if cell for piece in (*cell, _Break(cell[-1].end))]
    text = LiteralText(source.data, pieces)
    program = PythonProgram(Source(without_commands(text.value), source.path), options, project)
    return _moved(program.translate(), 0, text, source)


def _commands(text: LiteralText, source: Source, options: Options, project: ProjectContext) -> Iterator[_Result]:
    """The lines of a cell that run nvcc."""
    for line in commands_of(text.value):
        if line["sign"] == b"!" and b"nvcc" in line["rest"]:
            done = shell.translate(line["rest"], source.path, options, project)
            yield _moved(done, line.start("rest"), text, source)


def _translated(cell: _Cell, path: str, options: Options, project: ProjectContext) -> Translation | None:
    """The translation of what a cell is besides Python; None where nothing of it is known.

    The result stays in the cell, which has no place beside it: neither for the support header, nor for a second build.
    """
    body, name = cell.text.value[cell.kind.body :], cell.kind.name
    if cell.kind.kind == SCRIPT:
        return shell.translate(body, path, options, project)
    if suffix_of(name) in SOURCE_SUFFIXES:
        return translate_string(
            body, path, options, project, is_run_time=False, name=name, implicit_runtime=not cell.kind.is_part
        )
    if kind_of(name):
        return translate_build_file(body, name, options._replace(dual=False), project)
    if kind_of_host(name) == HOST_PYTHON and may_embed(body, HOST_PYTHON):
        return PythonProgram(Source(body, path), options, project).translate()
    return None


def _extension(source: Source, cells: Sequence[_Cell], options: Options) -> _Result:
    """Findings about the extension that has nvcc compile a cell: once for each of its names."""
    file = BuildFile(source, "python", options)
    reported: set[str] = set()
    for cell in cells:
        found = [(match.start(1), match[1].decode()) for match in EXTENSION.finditer(cell.text.value)]
        if cell.kind.kind == CUDA:
            found = [(cell.kind.place, cell.kind.magic)]
        elif cell.kind.kind != PYTHON:
            found = []
        for offset, name in found:
            if name not in reported:
                reported.add(name)
                file.finding(_PACKAGE, cell.text.place(offset), name, _NO_BACKEND)
    done = finished(file)
    return _Result([], done.findings, done.suppressed, done.references, done.warps)


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
