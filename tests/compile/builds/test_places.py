"""Names of symbols as linkers write them."""

from __future__ import annotations

import pytest

from hipify_py.compile.builds.places import plain_name


@pytest.mark.parametrize(
    ("symbol", "name"),
    [
        ("missing", "missing"),
        ("missing(float*, int)", "missing"),
        ("a::b::f(int)", "f"),
        ("void a::f<float, std::vector<int>>(float)", "f"),
        ("(anonymous namespace)::f(int)", "f"),
        ("A<int>::f() const", "f"),
        ("__device_stub__k(float*)", "k"),
        ("vtable for A::B", "B"),
        ("_Z7missingPf", ""),
        ("operator+(A, A)", ""),
        ("", ""),
    ],
)
def test_the_plain_name_of_a_symbol(symbol: str, name: str) -> None:
    assert plain_name(symbol) == name
