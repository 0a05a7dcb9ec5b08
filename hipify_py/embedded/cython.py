"""Cython: what it declares of CUDA's headers is renamed as C is, with the uses of these names.

Cython has no grammar that a well-kept parser reads. What is needed of it is plain: comments, strings, words, and the
blocks of `cdef extern from "header":`, which end where a line is indented less. Names that a block declares from one of
the project's own headers are the project's, and stay.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from hipify_py.build_systems.file import BuildFile
from hipify_py.build_systems.finishing import finished
from hipify_py.catalog import Catalog, load_catalog
from hipify_py.core.options import Options
from hipify_py.core.project_context import ProjectContext
from hipify_py.core.rows import Row
from hipify_py.core.source import Source
from hipify_py.core.translation import CONVERTED, NATIVE, UNSUPPORTED, Reference, Translation
from hipify_py.embedded.literals import Literal, LiteralText, Unwritable
from hipify_py.translator.run_time_source import translate_string

LIBRARY = "cython"

_LACKING, _INSTALL = "HIP242", "HIP243"
_TOKEN = re.compile(
    rb"(?P<comment>#[^\n]*)|(?P<prefix>[A-Za-z]{0,2})(?P<string>'''(?:[^\\]|\\.)*?'''|\"\"\"(?:[^\\]|\\.)*?\"\"\"|"
    rb"'(?:[^'\\\n]|\\.)*'|\"(?:[^\"\\\n]|\\.)*\")|(?P<word>[A-Za-z_]\w*)",
    re.DOTALL,
)
_EXTERN = re.compile(rb"^(?P<indent>[ \t]*)(?:cdef|cpdef)[ \t]+(?:public[ \t]+)?extern[ \t]+from[ \t]+", re.MULTILINE)
_HEADER = re.compile(rb"['\"]<?([^'\"<>]*)>?['\"]|\*")
_ALIAS = re.compile(rb"^[ \t]*ctypedef[ \t]+(?:(?:enum|struct|union)[ \t]+)?(\w+)[ \t]+(\w+)[ \t]*$", re.MULTILINE)
_KINDS = frozenset({"function", "type", "enumerator", "macro", "variable"})


class _Word(NamedTuple):
    """A word of code, or of a string, which gives a name in C."""

    start: int
    end: int
    is_string: bool


class _Block(NamedTuple):
    """A block of declarations: its place, and the place and the path of its header (`*` for none)."""

    start: int
    end: int
    header: tuple[int, int]
    path: str


class Declared(NamedTuple):
    """The API names that a file's blocks declare: those of CUDA's headers, and those of other headers."""

    of_cuda: tuple[str, ...]
    of_others: tuple[str, ...]


def declared_names(data: bytes) -> Declared:
    """The API names that a file of Cython declares."""
    catalog = load_catalog()
    words = [*_words(data)]
    of_cuda, of_others = dict[str, None](), dict[str, None]()
    for block in _blocks(data):
        names = of_cuda if _is_cudas(catalog, block.path) else of_others
        for word in words:
            if block.header[1] <= word.start < block.end:
                name = data[word.start : word.end].decode()
                if _row(catalog, name) is not None:
                    names[name] = None
    return Declared(tuple(of_cuda), tuple(name for name in of_others if name not in of_cuda))


def translate_cython(source: Source, options: Options, project: ProjectContext) -> Translation:
    """Translate a file of Cython: its headers, and the names that the project declares from CUDA's headers.

    Raises:
        TableError: if the mapping tables cannot be loaded.
    """
    data = source.data
    file = BuildFile(source, LIBRARY, options, [*_comments(data)])
    blocks = [*_blocks(data)]
    own = declared_names(data)
    names = (project.cython_names or frozenset(own.of_cuda)) - frozenset(own.of_others)
    for block in blocks:
        _translate_header(file, block)
    reported: set[str] = set()
    for word in _words(data):
        name = data[word.start : word.end].decode()
        if name not in names or (word.is_string and not _inside_cudas(file, blocks, word.start)):
            continue
        row = _row(file.catalog, name)
        if row is not None:
            _translate_name(file, word, row, reported)
    _drop_aliases(file, names)
    for start, end in _verbatim(data, blocks):
        _translate_verbatim(file, start, end, options, project)
    bindings = re.search(rb"\b(?:from|cimport)\s+cuda\.bindings\b", data)
    if bindings is not None:
        file.finding(_INSTALL, bindings.start(), "cuda.bindings", "hip-python-interop")
    return finished(file)


def _row(catalog: Catalog, name: str) -> Row | None:
    row = catalog.row(name.encode())
    return row if row is not None and row.kind in _KINDS else None


def _is_cudas(catalog: Catalog, path: str) -> bool:
    row = catalog.row(path.encode())
    return row is not None and row.kind == "header"


def _inside_cudas(file: BuildFile, blocks: Iterable[_Block], place: int) -> bool:
    return any(block.start <= place < block.end and _is_cudas(file.catalog, block.path) for block in blocks)


def _translate_header(file: BuildFile, block: _Block) -> None:
    """The header of a block becomes HIP's."""
    row = file.catalog.row(block.path.encode())
    if row is None or row.kind != "header":
        return
    start, end = block.header
    place = file.source.data.index(block.path.encode(), start, end)
    if row.hip is None:
        file.finding(_LACKING, place, block.path, str(row.details.get("advice", "HIP has no such header")))
        file.references.append(Reference(place, block.path, row.library, row.kind, UNSUPPORTED))
    elif row.is_native:
        file.references.append(Reference(place, block.path, row.library, row.kind, NATIVE))
    else:
        file.replace(place, place + len(block.path), row.hip)
        file.converted(place, block.path, row.kind)


def _translate_name(file: BuildFile, word: _Word, row: Row, reported: set[str]) -> None:
    if row.is_native:
        file.references.append(Reference(word.start, row.name, row.library, row.kind, NATIVE))
    elif row.hip is not None and not row.edits_arguments:
        file.replace(word.start, word.end, row.hip)
        file.references.append(Reference(word.start, row.name, row.library, row.kind, CONVERTED))
    else:
        file.references.append(Reference(word.start, row.name, row.library, row.kind, UNSUPPORTED))
        if row.name not in reported:
            reported.add(row.name)
            advice = str(row.details.get("advice", "")) or "HIP has no counterpart"
            if row.hip is not None:
                advice = f"{row.hip} has other arguments; declare and call it by hand"
            file.finding(_LACKING, word.start, row.name, advice)


def _drop_aliases(file: BuildFile, names: frozenset[str]) -> None:
    """Take out `ctypedef cudaError cudaError_t`, where HIP has one name for both: Cython accepts no second one."""
    for match in _ALIAS.finditer(file.source.data):
        old, new = match[1].decode(), match[2].decode()
        rows = _row(file.catalog, old), _row(file.catalog, new)
        if {old, new} <= names and rows[0] is not None and rows[1] is not None and rows[0].hip == rows[1].hip:
            file.drop(match.start(), match.end())


def _verbatim(data: bytes, blocks: Iterable[_Block]) -> Iterator[tuple[int, int]]:
    """The strings at the start of blocks, which are C code."""
    for block in blocks:
        for match in _TOKEN.finditer(data, block.header[1], block.end):
            if match["string"] is not None and match["string"][:3] in (b'"""', b"'''"):
                yield match.start(), match.end()
            if match["comment"] is None:
                break


def _translate_verbatim(file: BuildFile, start: int, end: int, options: Options, project: ProjectContext) -> None:
    data = file.source.data
    token = _TOKEN.match(data, start, end)
    assert token is not None
    quote = token["string"][:3]
    literal = Literal(token.end("prefix") + 3, end - 3, token["prefix"], quote)
    text = LiteralText(data, [literal], file.source.newline)
    done = translate_string(text.value, file.source.path, options, project, is_run_time=False)
    try:
        file.edits += text.in_file(done.edits)
    except Unwritable as error:
        file.finding("HIP240", start, "", str(error))
        return
    file.references += [each._replace(offset=text.place(each.offset)) for each in done.references]
    for finding in done.findings:
        place = text.place(max(finding.offset, 0))
        line, column = file.source.position(place)
        file.findings.append(finding._replace(offset=place, line=line, column=column, fix=None, others=()))


def _words(data: bytes) -> Iterator[_Word]:
    """The words of code, and the strings that consist of one."""
    for match in _TOKEN.finditer(data):
        if match["word"] is not None:
            yield _Word(match.start(), match.end(), is_string=False)
        elif match["string"] is not None:
            inner = match["string"].strip(b"'\"")
            if re.fullmatch(rb"[A-Za-z_]\w*", inner):
                start = match.start("string") + match["string"].index(inner)
                yield _Word(start, start + len(inner), is_string=True)


def _comments(data: bytes) -> Iterator[tuple[int, int]]:
    return (match.span() for match in _TOKEN.finditer(data) if match["comment"] is not None)


def _blocks(data: bytes) -> Iterator[_Block]:
    """The blocks of `cdef extern from`; a block ends before the first line that is indented like it or less."""
    for match in _EXTERN.finditer(data):
        header = _HEADER.match(data, match.end())
        if header is None:
            continue
        indent = len(match["indent"].expandtabs())
        end = data.find(b"\n", header.end())
        while 0 <= end < len(data):
            stop = data.find(b"\n", end + 1)
            stop = len(data) if stop < 0 else stop
            line = data[end + 1 : stop]
            text = line.strip()
            if text and not text.startswith(b"#") and len(line) - len(line.lstrip()) <= indent:
                break
            end = stop
        yield _Block(match.start(), len(data) if end < 0 else end, header.span(), (header[1] or b"*").decode())
