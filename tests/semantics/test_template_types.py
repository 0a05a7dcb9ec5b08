"""Variables whose type has a scope and a number, which the grammar may take for comparisons."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from hipify_py.frontend.unit import Unit
from hipify_py.semantics.expression_types import type_of
from hipify_py.semantics.symbols import names_of

Make = Callable[[str], Unit]


@pytest.mark.parametrize(
    "declaration",
    [
        "cg::tile<32> g = cg::cut<32>(b);",
        "cg::tile<32> g(b);",
        "cg::tile<32> g{b}, h = k();",
        "::cg::inner::tile<true> g = k();",
        "cg :: tile /* 32 */ < 0x20u > /* lanes */ g = k();",
        "cg::tile<sizeof(int)>\n  g = k();",
        "cg::tile<-1> g = 0, h = 1;",
    ],
)
@pytest.mark.parametrize("before", ["", "f();", "int a = 1;", "if (x) f();"])
def test_one_is_seen_wherever_it_stands(declaration: str, before: str, unit_of: Make) -> None:
    unit = unit_of(f"__device__ void k(B b) {{ {before} {declaration} use(g); }}")
    use = unit.source.data.index(b"use(g") + 4
    assert type_of(names_of(unit), unit.tree.leaf(use, use + 1)) == b"tile"


@pytest.mark.parametrize(
    "statement", ["a = n::low < 3 > g;", "n::low < 3;", "if (n::low < 3 > g) f();", "return n::low<3> g;"]
)
def test_comparisons_stay_what_they_are(statement: str, unit_of: Make) -> None:
    unit = unit_of(f"__device__ int k(int g) {{ f(); {statement} return use(g); }}")
    use = unit.source.data.index(b"use(g") + 4
    assert type_of(names_of(unit), unit.tree.leaf(use, use + 1)) == b"int"
    assert any(node.text == b"n::low" for node in unit.tree.nodes("qualified_identifier"))
