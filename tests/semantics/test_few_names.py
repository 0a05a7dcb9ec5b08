"""Names that are looked up by themselves mean what the index of all names says."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from hipify_py.frontend.node_index import NodeIndex
from hipify_py.frontend.unit import Unit
from hipify_py.semantics import symbols
from hipify_py.semantics.symbols import Names

CORPUS = sorted(Path(__file__).parents[2].joinpath("corpus").rglob("*.cu"))[::8]
SOURCE = """
#define TWICE(x) ((x) + (x))
struct S { int a; void set(int a); };
void S::set(int a) { this->a = a; }
template <class T> T twice(T a) { T b = TWICE(a); /* a */ return b; }
#ifdef WIDE
using T = long; // "a"
#endif
int a[2] = {TWICE(1), 2}, b = a[0];
"""

Make = Callable[[str], Unit]
Found = tuple[list[tuple[int, str, int, int]], list[int]]


def found_by(unit: Unit, name: bytes, monkeypatch: pytest.MonkeyPatch, few: int) -> Found:
    """The declarations and uses of a name, with so many names that may be looked up by themselves."""
    monkeypatch.setattr(symbols, "_FEW_NAMES", few)
    names = Names(unit)
    declared = [(one.place, one.kind, one.start, one.end) for one in names.declared(name)]
    return declared, [leaf.id for leaf in names.mentions(name)]


@pytest.mark.parametrize("text", [SOURCE, *(path.read_text("utf-8", "replace") for path in CORPUS)])
def test_both_ways_agree(unit_of: Make, monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    unit = unit_of(text)
    for name in sorted(unit.lexemes.words):
        assert found_by(unit, name, monkeypatch, 1) == found_by(unit, name, monkeypatch, 0), name


def test_a_few_names_need_no_index(unit_of: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(NodeIndex, "read", lambda *_: pytest.fail("the tree was indexed"))
    names = Names(unit_of(SOURCE))
    assert [found.kind for found in names.declared(b"b")] == ["variable", "variable"]
    assert len(names.mentions(b"a")) == 4


def test_many_names_or_places_take_the_index(unit_of: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    read = NodeIndex.read
    taken: list[NodeIndex] = []
    monkeypatch.setattr(NodeIndex, "read", lambda index, *given: (taken.append(index), read(index, *given)))
    many = Names(unit_of("".join(f"int v{number};" for number in range(40))))
    for number in range(40):
        assert len(many.declared(b"v%d" % number)) == 1
    assert len(taken) == 1
    often = Names(unit_of("int v; void f() { " + "v = v + 1; " * 100 + "}"))
    assert len(often.mentions(b"v")) == 200
    assert len(taken) == 2
