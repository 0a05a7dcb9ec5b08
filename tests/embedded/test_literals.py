"""Literals of Python and of JSON: what they stand for, and edits of that."""

from __future__ import annotations

import ast
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hipify_py.build_systems.expressions import STRING, walk
from hipify_py.build_systems.python.reader import read
from hipify_py.core.edits import Edit, apply
from hipify_py.embedded.literals import Literal, LiteralText, Unwritable
from hipify_py.embedded.notebook import JsonString


def text_of(data: bytes) -> LiteralText:
    nodes = [node for node in walk(read(data).root) if node.kind == STRING]
    return LiteralText(data, [Literal.of(data, node) for node in nodes])


def value_of(data: bytes) -> bytes:
    value = ast.literal_eval(data.decode().partition("= ")[2])
    return value if isinstance(value, bytes) else value.encode("utf-8", "surrogatepass")


@pytest.mark.parametrize(
    "literal",
    [
        r"'a\n\tb\\c\'d'",
        r'"\x41\101\u00e9\U0001f600\N{GREEK SMALL LETTER ALPHA}"',
        r"'\z\q\8'",
        "'joined\\\nline'",
        '"""one\n  two "quoted"\n"""',
        r"r'\d+\n'",
        r'R"""\mathrm{x}"""',
        r"b'\xff\n\u1234'",
        r"u'ü' r'\n' '\n' ",
        "''",
    ],
)
def test_the_value_is_that_of_python(literal: str) -> None:
    data = f"x = ({literal})".encode()
    assert text_of(data).value == value_of(data)


def test_line_ends_are_read_as_python_reads_them() -> None:
    data = b'x = """a\r\nb\r\n"""\r\n'
    assert text_of(data).value == b"a\nb\n"
    edited = LiteralText(data, [Literal(7, 13, b"", b'"""')], b"\r\n").in_file([Edit(2, 2, b"new\n")])
    assert apply(data, edited) == b'x = """a\r\nnew\r\nb\r\n"""\r\n'


QUOTES = ("'", '"', "'''", '"""')


@st.composite
def programs(draw: st.DrawFn) -> bytes:
    """An assignment of one to three literals side by side."""
    parts = []
    for _ in range(draw(st.integers(1, 3))):
        quote = draw(st.sampled_from(QUOTES))
        text = draw(st.text(st.sampled_from("ab\\\"'\n\té😀{}"), max_size=12))
        if len(quote) == 1:
            text = text.replace("\n", " ")
        parts.append(quote + text.replace("\\", "\\\\").replace(quote[0], "\\" + quote[0]) + quote)
    return f"x = ({' '.join(parts)})".encode()


@given(programs(), st.data())
def test_an_edit_of_the_value_is_an_edit_of_the_file(data: bytes, draws: st.DataObject) -> None:
    text = text_of(data)
    starts = [at for at in range(len(text.value) + 1) if at == len(text.value) or text.value[at] & 0xC0 != 0x80]
    start, end = sorted((draws.draw(st.sampled_from(starts)), draws.draw(st.sampled_from(starts))))
    new = draws.draw(st.text(st.sampled_from("xy\\\"'\nü"), max_size=8)).encode()
    output = apply(data, text.in_file([Edit(start, end, new)]))
    assert value_of(output) == text.value[:start] + new + text.value[end:]


@pytest.mark.parametrize(
    ("literal", "new"), [("r'abc'", b"x\ny"), ("r'abc'", b"it's"), ('r"""abc"""', b'"""'), ("r'abc'", b"\\")]
)
def test_a_raw_literal_cannot_contain_everything(literal: str, new: bytes) -> None:
    with pytest.raises(Unwritable):
        text_of(f"x = {literal}".encode()).in_file([Edit(3, 3, new)])


def test_a_raw_literal_takes_backslashes_as_they_are() -> None:
    data = b"x = r'''a\\n'''"
    assert apply(data, text_of(data).in_file([Edit(1, 1, b"\\t")])) == b"x = r'''a\\t\\n'''"


@given(st.text(max_size=20), st.text(st.sampled_from('ab\n"\\é😀'), max_size=6), st.data())
def test_an_edit_of_a_string_of_json(value: str, new: str, draws: st.DataObject) -> None:
    value = value.encode("utf-8", "replace").decode()
    written = json.dumps(value, ensure_ascii=draws.draw(st.booleans())).encode()
    text = LiteralText(written, [JsonString(1, len(written) - 1)])
    assert text.value == value.encode()
    at = draws.draw(st.integers(0, len(value)))
    place = len(value[:at].encode())
    output = apply(written, text.in_file([Edit(place, place, new.encode())]))
    assert json.loads(output) == value[:at] + new + value[at:]
