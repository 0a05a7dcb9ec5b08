"""Names in their packed form: each is found as it is in a dictionary, and nothing else is."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from hipify_py.catalog import load_catalog
from hipify_py.catalog.names import Names, Words, pack_names, unpack_names

_NAME = st.binary(min_size=1, max_size=6).filter(lambda name: b"\n" not in name)


@given(st.dictionaries(_NAME, _NAME, max_size=60), st.lists(_NAME, max_size=30))
def test_names_are_found_as_in_a_dictionary(rows: dict[bytes, bytes], others: list[bytes]) -> None:
    names = Names(*pack_names(rows))
    assert {name: names.row(name) for name in rows} == rows
    assert [names.row(name) for name in others] == [rows.get(name) for name in others]
    assert not names.is_unpacked
    assert list(names.all().items()) == list(rows.items())
    assert [names.row(name) for name in others] == [rows.get(name) for name in others]


def test_rows_and_beginnings_of_names_are_no_names() -> None:
    names = Names(*pack_names({b"cudaMalloc": b"001=hipMalloc", b"cudaMallocHost": b"001=hipHostMalloc"}))
    for text in (b"001=hipMalloc", b"cudaMal", b"cudaMallocHos", b"Malloc", b"", b"cudaMalloc\n001=hipMalloc"):
        assert names.row(text) is None
    assert unpack_names(b"") == {}


def test_many_look_ups_unpack_the_names() -> None:
    rows = {b"n%d" % number: b"r%d" % number for number in range(100)}
    names = Names(*pack_names(rows))
    for _ in range(60):
        assert all(names.row(name) == row for name, row in rows.items())
    assert names.is_unpacked


def test_known_words_are_the_same_before_and_after_unpacking() -> None:
    rows = {b"one": b"1", b"two": b"2", b"cub::Max": b"3"}
    names = Names(*pack_names(rows))
    words = Words(names, frozenset({b"cub"}))
    asked = {b"one", b"cub", b"Max", b"three"}
    assert asked & words == {b"one", b"cub"}
    names.all()
    assert asked & words == {b"one", b"cub"}
    assert set(words) == {*rows, b"cub"}
    assert len(words) == 4


def test_every_row_of_the_tables_is_found() -> None:
    catalog = load_catalog()
    packed = Names(*pack_names(catalog.names))
    every = list(catalog.names)
    assert [packed.row(name) for name in every[:3000]] == [catalog.names[name] for name in every[:3000]]
