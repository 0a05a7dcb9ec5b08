"""Which lines have changed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hipify_py.project.since import changed_lines, touches


@pytest.mark.parametrize(
    ("old", "new", "spans"),
    [
        (b"", b"", []),
        (b"a\nb\n", b"a\nb\n", []),
        (b"a\nb\n", b"a\r\nb\r\n", []),
        (b"a\nb\n", b"a\nb", []),
        (b"a\nb\nc\n", b"a\nX\nc\n", [(2, 2)]),
        (b"a\nb\nc\n", b"a\nc\n", []),
        (b"a\nc\n", b"a\nb\nc\n", [(2, 2)]),
        (b"", b"a\nb\n", [(1, 2)]),
        (b"a\nb\nc\nd\n", b"c\nd\na\nb\n", None),
        (b"{\n}\n{\n}\n", b"{\n}\n{\n}\n{\n}\n", None),
        (b"x\n" * 1000, b"y\n" * 1000, [(1, 1000)]),
        (b"f\n{\na\n}\ng\n{\nb\n}\n", b"f\n{\na\n}\nh\n{\nc\n}\ng\n{\nb\n}\n", None),
    ],
)
def test_spans(old: bytes, new: bytes, spans: list[tuple[int, int]] | None) -> None:
    found = changed_lines(old, new)
    if spans is not None:
        assert found == spans
    assert kept(new, found) <= len(old.split(b"\n"))


def kept(new: bytes, spans: list[tuple[int, int]]) -> int:
    """How many lines are not in a span."""
    return len(new.split(b"\n")) - sum(last - first + 1 for first, last in spans)


@pytest.mark.parametrize(
    ("old", "new", "changed"),
    [
        (b"a\nb\nc\nd\n", b"c\nd\na\nb\n", 2),
        (b"{\n}\n{\n}\n", b"{\n}\n{\n}\n{\n}\n", 2),
        (b"f\n{\na\n}\ng\n{\nb\n}\n", b"f\n{\na\n}\nh\n{\nc\n}\ng\n{\nb\n}\n", 4),
    ],
)
def test_no_more_than_needed_changes(old: bytes, new: bytes, changed: int) -> None:
    assert len(new.split(b"\n")) - kept(new, changed_lines(old, new)) == changed


LINES = st.lists(st.sampled_from([b"a", b"b", b"c", b"}", b"unique 1", b"unique 2", b""]), max_size=40)


@given(LINES, LINES)
def test_what_is_not_changed_stands_in_both_in_the_same_order(old: list[bytes], new: list[bytes]) -> None:
    spans = changed_lines(b"\n".join(old), b"\n".join(new))
    assert all(first <= last for first, last in spans)
    rest = iter(b"\n".join(old).split(b"\n"))
    for number, line in enumerate(b"\n".join(new).split(b"\n"), 1):
        if not touches(spans, number, number):
            assert line in rest  # an iterator: the search goes on behind what was found


def test_large_texts_take_no_quadratic_time() -> None:
    """A hundred thousand lines without one that stands out, all changed places among them."""
    old = [b"}" if index % 2 else b"{" for index in range(100_000)]
    new = [*old[:50_000], b"new", *old[50_001:]]
    assert changed_lines(b"\n".join(old), b"\n".join(new)) == [(50_001, 50_001)]
    assert changed_lines(b"\n".join(old), b"\n".join([b"x", *new, b"y"]))


@pytest.mark.parametrize(
    ("first", "last", "is_touched"),
    [(1, 1, False), (2, 2, True), (1, 2, True), (3, 4, True), (5, 6, False), (5, 9, True), (7, 0, False), (8, 0, True)],
)
def test_touching(first: int, last: int, is_touched: bool) -> None:
    assert touches([(2, 4), (8, 8)], first, last) is is_touched
