"""An answer is bounded, and says what it leaves out."""

from __future__ import annotations

import pytest

from hipify_py.agent_server import limits
from hipify_py.agent_server.limits import bounded, page_of, shortened


@pytest.mark.parametrize(
    ("offset", "limit", "items", "left_out", "next_offset"),
    [
        (0, 3, [0, 1, 2], 7, 3),
        (9, 3, [9], 0, None),
        (7, 3, [7, 8, 9], 0, None),
        (10, 3, [], 0, None),
        (1 << 40, 3, [], 0, None),
    ],
)
def test_pages_follow_each_other(
    offset: int, limit: int, items: list[int], left_out: int, next_offset: int | None
) -> None:
    assert page_of(range(10), offset, limit) == (items, left_out, next_offset)


def test_all_pages_together_are_the_list() -> None:
    found: list[int] = []
    offset: int | None = 0
    while offset is not None:
        page = page_of(range(101), offset, 7)
        found += page.items
        offset = page.next_offset
    assert found == [*range(101)]


def test_a_long_text_tells_how_much_is_missing() -> None:
    assert shortened("a" * 10, 10) == "a" * 10
    assert shortened("a" * 12, 10) == "a" * 10 + " … (2 more characters)"


def test_data_is_bounded_at_any_depth() -> None:
    data = {"text": ["a" * 10_000], "many": [*range(1000)], "none": None, "number": 1.5}
    found = bounded(data)
    assert len(found["text"][0]) < limits.LONGEST_TEXT + 40
    assert found["many"][-1] == {"left_out": 960}
    assert (found["none"], found["number"]) == (None, 1.5)
