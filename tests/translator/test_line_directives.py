"""`#line` directives: every line of a translation that is the source's has the source's number."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from hipify_py import translate
from hipify_py.core.edits import Edit, apply
from hipify_py.core.source import BOM
from hipify_py.translator.line_directives import with_line_directives

CORPUS = sorted((Path(__file__).parents[2] / "corpus").rglob("*.cu"))
_DIRECTIVE = re.compile(rb'#line (\d+) "(.*)"\n')


def numbered(text: bytes) -> list[tuple[int, bytes]]:
    """The lines of a text, each with the number that compilers give it."""
    found, number = [], 1
    for line in text.removeprefix(BOM).splitlines(keepends=True):
        directive = _DIRECTIVE.fullmatch(line)
        if directive is not None:
            number = int(directive[1])
        else:
            found.append((number, line))
            number += 1
    return found


def untouched(data: bytes, edits: list[Edit]) -> list[tuple[int, bytes]]:
    """The lines of a source that no edit touches, with their numbers."""
    found, start = [], 0
    for number, line in enumerate(data.splitlines(keepends=True), 1):
        end = start + len(line)
        if not any((edit.start < end and edit.end > start) or start <= edit.start <= end for edit in edits):
            found.append((number, line))
        start = end
    return found


def test_the_first_line_names_the_source() -> None:
    assert with_line_directives(b"int a;\n", [], "d/a.cu") == b'#line 1 "d/a.cu"\nint a;\n'


def test_after_a_byte_order_mark() -> None:
    assert with_line_directives(b"\xef\xbb\xbfint a;\n", [], "a.cu") == b'\xef\xbb\xbf#line 1 "a.cu"\nint a;\n'


def test_a_name_with_quotes_and_backslashes() -> None:
    assert with_line_directives(b"", [], 'a"\\b.cu') == b'#line 1 "a\\"\\\\b.cu"\n'


def test_a_removed_line() -> None:
    data = b"int a;\nint b;\nint c;\n"
    output = with_line_directives(data, [Edit(7, 14, b"")], "a.cu")
    assert output == b'#line 1 "a.cu"\nint a;\n#line 3 "a.cu"\nint c;\n'


def test_an_added_line() -> None:
    data = b"int a;\nint c;\nint d;\n"
    output = with_line_directives(data, [Edit(7, 7, b"int b;\n")], "a.cu")
    assert numbered(output)[-1] == (3, b"int d;\n")


@pytest.mark.parametrize(
    "rest",
    [
        b"f(a,\n  b,\n  c);\n",
        b"#define M(x) \\\n  x \\\n  x\n",
        b"/* one\n   two\n   three */\n",
        b'auto s = R"(one\ntwo\nthree)";\n',
    ],
    ids=["call", "macro", "comment", "raw string"],
)
def test_none_within_what_goes_over_lines(rest: bytes) -> None:
    data = b"x y;\n" + rest + b"int last;\n"
    inside = data.index(b"\n", 6)
    output = with_line_directives(data, [Edit(inside, inside, b"\n")], "a.cu")
    assert output.count(b"#line") == 2
    assert numbered(output)[-1] == (data.count(b"\n"), b"int last;\n")
    assert output.endswith(b'"a.cu"\nint last;\n')


@pytest.mark.parametrize("path", CORPUS, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_lines_of_the_corpus_keep_their_numbers(path: Path) -> None:
    """Those in one piece with an edit that changes the count may be off, until the next line that begins something."""
    data = path.read_bytes()
    edits = list(translate(data, path=str(path)).edits)
    output = with_line_directives(data, edits, str(path))
    assert b"".join(line for _, line in numbered(output)) == apply(data, edits).removeprefix(BOM)
    known = set(numbered(output))
    missing = [number for number, line in untouched(data, edits) if (number, line) not in known]
    assert len(missing) <= 4, missing
