"""Cython: what it declares of CUDA's headers is renamed as C is, with the uses of these names.

Cython has no grammar that a well-kept parser reads. What is needed of it is plain: comments, strings, words, and the
blocks of `cdef extern from "header":`, which end where a line is indented less. Names that a block declares from one of
the project's own headers are the project's, and stay; so do names that Python code gives to its own things.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from hipify_py.build_systems.file import BuildFile
from hipify_py.build_systems.finishing import finished
from hipify_py.catalog import Catalog, load_catalog
from hipify_py.core.options import Options
from hipify_py.core.project_context import ProjectContext
from hipify_py.core.rows import Row
from hipify_py.core.source import Source
from hipify_py.core.translation import CONVERTED, NATIVE, UNSUPPORTED, Reference, Translation
from hipify_py.embedded.cython_calls import difference
from hipify_py.embedded.cython_names import OwnNames, arguments_of, declared
from hipify_py.embedded.cython_text import (
    COMMENT,
    STRING,
    WORD,
    Statement,
    Token,
    Word,
    cimported_modules,
    statements_of,
    tokens_of,
    words_of,
)
from hipify_py.embedded.distutils_comments import translate_comment
from hipify_py.embedded.literals import Literal, LiteralText, Unwritable
from hipify_py.translator.run_time_source import translate_string

LIBRARY = "cython"

_LACKING, _INSTALL = "HIP242", "HIP243"
_EXTERN = re.compile(rb"^(?P<indent>[ \t]*)(?:cdef|cpdef)[ \t]+(?:public[ \t]+)?extern[ \t]+from[ \t]+", re.MULTILINE)
_HEADER = re.compile(rb"['\"]<?([^'\"<>]*)>?['\"]|\*")
_ALIAS = re.compile(rb"^[ \t]*ctypedef[ \t]+(?:(?:enum|struct|union)[ \t]+)?(\w+)[ \t]+(\w+)[ \t]*$", re.MULTILINE)
_NAME = re.compile(rb"['\"]([A-Za-z_]\w*)['\"]")
_KINDS = frozenset({"function", "type", "enumerator", "macro", "variable"})


class _Block(NamedTuple):
    """A block of declarations: its place, and the place and the path of its header (`*` for none)."""

    start: int
    end: int
    header: tuple[int, int]
    path: bytes


class Declared(NamedTuple):
    """The API names that a file's blocks declare: those of CUDA's headers, and those of other headers."""

    of_cuda: tuple[str, ...]
    of_others: tuple[str, ...]


def declared_names(data: bytes) -> Declared:
    """The API names that a file of Cython declares."""
    return _declared_names(data, [*_blocks(data)], [*statements_of(data)])


def _declared_names(data: bytes, blocks: Sequence[_Block], statements: Sequence[Statement]) -> Declared:
    catalog = load_catalog()
    of_cuda, of_others = dict[str, None](), dict[str, None]()
    for block in blocks:
        is_cudas = _is_cudas(catalog, block.path)
        names = of_cuda if is_cudas else of_others
        for tokens in _inside(block, statements):
            words = (token for token in tokens if token.kind == WORD) if is_cudas else declared(tokens)
            for word in words:
                if _row(catalog, word.text) is not None:
                    names[word.text.decode()] = None
    return Declared(tuple(of_cuda), tuple(name for name in of_others if name not in of_cuda))


def _inside(block: _Block, statements: Sequence[Statement]) -> Iterator[list[Token]]:
    """The declarations of a block, as tokens."""
    first = bisect_left(statements, block.start, key=_start)
    for statement in islice(statements, first, bisect_left(statements, block.end, key=_start)):
        tokens = [token for token in statement.tokens if token.start >= block.header[1]]
        if len(tokens) < len(statement.tokens):  # the head of the block, which may have a declaration on its line
            colon = next((at for at, token in enumerate(tokens) if token.text == b":"), len(tokens))
            tokens = tokens[colon + 1 :]
        if tokens:
            yield tokens


def _start(statement: Statement) -> int:
    return statement.tokens[0].start


def translate_cython(source: Source, options: Options, project: ProjectContext) -> Translation:
    """Translate a file of Cython: its headers, and the names that the project declares from CUDA's headers.

    Raises:
        TableError: if the mapping tables cannot be loaded.
    """
    data = source.data
    comments = [(token.start, token.end) for token in tokens_of(data) if token.kind == COMMENT]
    file = BuildFile(source, LIBRARY, options, comments)
    for start, end in comments:
        translate_comment(file, start, end)
    blocks = [*_blocks(data)]
    for block in blocks:
        _translate_header(file, block)
    _Names(file, blocks, [*statements_of(data)], project).translate()
    for string in _verbatim(data, blocks):
        _translate_verbatim(file, string, options, project)
    bindings = re.search(rb"\b(?:from|cimport)\s+cuda\.bindings\b", data)
    if bindings is not None:
        file.finding(_INSTALL, bindings.start(), "cuda.bindings", "hip-python-interop")
    return finished(file)


def _row(catalog: Catalog, name: bytes) -> Row | None:
    row = catalog.row(name)
    return row if row is not None and row.kind in _KINDS else None


def _is_cudas(catalog: Catalog, path: bytes) -> bool:
    row = catalog.row(path)
    return row is not None and row.kind == "header"


def _translate_header(file: BuildFile, block: _Block) -> None:
    """The header of a block becomes HIP's."""
    row = file.catalog.row(block.path)
    if row is None or row.kind != "header":
        return
    start, end = block.header
    place = file.source.data.index(block.path, start, end)
    if row.hip is None:
        file.finding(_LACKING, place, row.name, str(row.details.get("advice", "HIP has no such header")))
        file.references.append(Reference(place, row.name, row.library, row.kind, UNSUPPORTED))
    elif row.is_native:
        file.references.append(Reference(place, row.name, row.library, row.kind, NATIVE))
    else:
        file.replace(place, place + len(block.path), row.hip)
        file.converted(place, row.name, row.kind)


class _Names:
    """Renames the names that CUDA's headers declare, where they are meant."""

    def __init__(
        self, file: BuildFile, blocks: Sequence[_Block], statements: Sequence[Statement], project: ProjectContext
    ) -> None:
        self.file = file
        self.statements = statements
        self.of_cuda = [block for block in blocks if _is_cudas(file.catalog, block.path)]
        self.blocks = blocks
        self.modules = cimported_modules(statements)
        own = _declared_names(file.source.data, blocks, statements)
        self.names = (project.cython_names or frozenset(own.of_cuda)) - frozenset(own.of_others)
        self.own = OwnNames(
            [each for each in statements if not _is_in(blocks, _start(each))],
            lambda name: (row := _row(file.catalog, name)) is not None and row.kind == "type",
        )
        self.reported: set[str] = set()

    def translate(self) -> None:
        """Rename words of code, and names in C within blocks of CUDA's headers; drop types that are named twice."""
        data = self.file.source.data
        for statement in self.statements:
            for word in words_of(data, statement.tokens):
                row = _row(self.file.catalog, data[word.start : word.end])
                if row is not None and row.name in self.names and self._is_meant(word):
                    self._translate_name(word.start, word.end, row)
        for block in self.of_cuda:
            for tokens in _inside(block, self.statements):
                for token in tokens:
                    name = _NAME.fullmatch(token.text) if token.kind == STRING else None
                    row = _row(self.file.catalog, name[1]) if name is not None else None
                    if row is not None:
                        self._translate_name(token.start + 1, token.end - 1, row)
                self._compare_arguments(tokens)
        self._drop_aliases()

    def _is_meant(self, word: Word) -> bool:
        """Whether a word is the API's name, and not one of Python code for something of its own."""
        if word.is_keyword:
            return False
        if word.owner is not None:
            return word.owner in self.modules
        return _is_in(self.blocks, word.start) or not self.own.has(
            self.file.source.data[word.start : word.end], word.start
        )

    def _translate_name(self, start: int, end: int, row: Row) -> None:
        file = self.file
        if row.is_native:
            file.references.append(Reference(start, row.name, row.library, row.kind, NATIVE))
            return
        detail = difference(row)
        if row.hip is not None and not detail:
            file.replace(start, end, row.hip)
            file.references.append(Reference(start, row.name, row.library, row.kind, CONVERTED))
        else:
            file.references.append(Reference(start, row.name, row.library, row.kind, UNSUPPORTED))
            self._report(start, row, detail or row.advice or "HIP has no counterpart")

    def _compare_arguments(self, tokens: Sequence[Token]) -> None:
        """Report a function whose HIP counterpart takes other arguments than the declared ones, if others would fit."""
        for at, token in enumerate(tokens):
            row = _row(self.file.catalog, token.text) if token.kind == WORD else None
            if row is None or row.kind != "function" or row.hip is None or difference(row):
                continue
            arguments = arguments_of(tokens, at)
            detail = difference(row, arguments) if arguments is not None else ""
            if detail:
                self._report(token.start, row, detail)

    def _report(self, place: int, row: Row, detail: str) -> None:
        if row.name not in self.reported:
            self.reported.add(row.name)
            self.file.finding(_LACKING, place, row.name, detail)

    def _drop_aliases(self) -> None:
        """Take out `ctypedef cudaError cudaError_t`, where HIP has one name for both: Cython accepts no second one."""
        file = self.file
        for match in _ALIAS.finditer(file.source.data):
            rows = _row(file.catalog, match[1]), _row(file.catalog, match[2])
            if rows[0] is None or rows[1] is None or rows[0].hip != rows[1].hip:
                continue
            if {rows[0].name, rows[1].name} <= self.names and not self.own.in_module(match[2]):
                file.drop(match.start(), match.end())


def _is_in(blocks: Sequence[_Block], place: int) -> bool:
    last = bisect_right(blocks, place, key=lambda block: block.start) - 1
    return last >= 0 and place < blocks[last].end


def _verbatim(data: bytes, blocks: Iterable[_Block]) -> Iterator[Token]:
    """The strings at the start of blocks, which are C code."""
    for block in blocks:
        for token in tokens_of(data, block.header[1], block.end):
            if token.kind == STRING and data[token.quoted : token.quoted + 3] in (b'"""', b"'''"):
                yield token
            if token.kind in {STRING, WORD}:
                break


def _translate_verbatim(file: BuildFile, string: Token, options: Options, project: ProjectContext) -> None:
    data, start, end = file.source.data, string.quoted, string.end
    literal = Literal(start + 3, end - 3, data[string.start : start], data[start : start + 3])
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
        yield _Block(match.start(), len(data) if end < 0 else end, header.span(), header[1] or b"*")
