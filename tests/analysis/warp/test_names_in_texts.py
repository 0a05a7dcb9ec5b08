"""Names that a text may call are found by its bytes, whether they are short or long."""

from __future__ import annotations

import pytest

from hipify_py.analysis.warp.callers import named_in


@pytest.mark.parametrize("name", ["f", "sum", "warp_sum"])
@pytest.mark.parametrize(
    ("text", "is_called"),
    [
        ("@(1)", True),
        ("a = @ (1);", True),
        ("@<int>(1)", True),
        ("@ \\\n (1)", True),
        ("@ /* why */ (1)", True),
        ("x@(1); @(2)", True),
        ("@2; 3@; x.@(1)", True),
        ("@", False),
        ("@ = 1; y(@)", False),
        ("_@(1) 2@(1) x@(1)", False),
        ("@_(1) @2(1)", False),
        ("@@(1)", False),
        ("", False),
    ],
)
def test_a_name_that_stands_by_itself_before_a_bracket(text: str, name: str, is_called: bool) -> None:
    assert named_in(text.replace("@", name).encode(), {name.encode()}) == ({name.encode()} if is_called else set())
