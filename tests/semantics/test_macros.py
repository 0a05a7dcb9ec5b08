"""The parameters and bodies of macros."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from hipify_py.frontend.unit import Unit
from hipify_py.semantics.macros import Macros

Make = Callable[[str], Unit]


@pytest.mark.parametrize(
    ("definition", "parameters", "body"),
    [
        ("#define F", None, ""),
        ("#define F 1", None, "1"),
        ("#define F (1)", None, "(1)"),
        ("#define F() 1", (), "1"),
        ("#define F( ) 1", (), "1"),
        ("#define F(/* none */) 1", (), "1"),
        ("#define F(a, b) a + b", ("a", "b"), "a + b"),
        ("#define F(a /* x) y, */, b) a", ("a", "b"), "a"),
        ("#define F(a, \\\n  b) \\\n  b", ("a", "b"), "b"),
        ("#define F(a, ...) a", ("a", "..."), "a"),
    ],
)
def test_heads(unit_of: Make, definition: str, parameters: tuple[str, ...] | None, body: str) -> None:
    unit = unit_of(f"{definition}\nint x;\n")
    (macro,) = Macros(unit).named(b"F")
    found = None if macro.parameters is None else tuple(name.decode() for name in macro.parameters)
    assert (found, unit.source.data[macro.start : macro.end].decode()) == (parameters, body)
