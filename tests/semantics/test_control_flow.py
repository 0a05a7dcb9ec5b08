"""What guards a place, which loops hold it, and what its exits leave."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from hipify_py.frontend.unit import Unit
from hipify_py.semantics.control_flow import ControlFlow, conjuncts
from hipify_py.semantics.functions import functions_of

Make = Callable[[str], Unit]


def flow(unit: Unit) -> ControlFlow:
    (function,) = functions_of(unit)
    return ControlFlow(unit, function)


def guards(unit: Unit, at: str) -> list[tuple[str, str, bool]]:
    place = unit.source.data.index(at.encode())
    found = flow(unit).around(place)
    return [(g.kind, (g.condition.text or b"").decode() if g.condition else "", g.holds) for g in found]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("if (a) HERE;", [("if", "a", True)]),
        ("if (a) b(); else HERE;", [("if", "a", False)]),
        ("if (a) return; HERE;", [("left", "a", False)]),
        ("if (a) { b(); return; } HERE;", [("left", "a", False)]),
        ("if (a) b(); else return; HERE;", [("left", "a", True)]),
        ("if (a) { b(); } HERE;", []),
        ("{ if (a) return; } HERE;", []),
        ("#if X\nif (a) return;\n#endif\nHERE;", [("left", "a", False)]),
        (
            "for (int i = 0; i < 4; i++) { if (i == a) continue; HERE; }",
            [("loop", "i < 4", True), ("left", "i == a", False)],
        ),
        ("while (a) { if (b) break; } HERE;", []),
        ("x = a ? HERE : c;", [("choice", "a", True)]),
        ("if (a && HERE) b();", [("choice", "a", True)]),
        ("if (a || HERE) b();", [("choice", "a", False)]),
        ("switch (a) { case 1: HERE; }", [("switch", "a", True)]),
        ("if (/* if (b) return; */ a) HERE;", [("if", "a", True)]),
        ("do HERE; while (a);", [("loop", "a", True)]),
    ],
)
def test_guards(unit_of: Make, body: str, expected: list[tuple[str, str, bool]]) -> None:
    assert guards(unit_of(f"void f(int a, int b, int c, int x) {{ {body} }}"), "HERE") == expected


def test_exits_reach_to_the_end_of_what_they_leave(unit_of: Make) -> None:
    source = "void f(int n) { for (;;) { if (n) break; auto g = [] { return 1; }; } return; }"
    exits = flow(unit_of(source)).exits
    assert [(left.kind, source[left.start : left.end][:5]) for left in exits] == [
        ("break", "for ("),
        ("return", "[] { "),
        ("return", "{ for"),
    ]


def test_conjuncts_of_a_condition_and_of_its_negation(unit_of: Make) -> None:
    unit = unit_of("void f(int a, int b, int c) { if (a && !(b || c)) HERE; }")
    (guard,) = flow(unit).around(unit.source.data.index(b"HERE"))
    assert guard.condition is not None
    assert [(node.text, holds) for node, holds in conjuncts(guard.condition)] == [
        (b"a", True),
        (b"b", False),
        (b"c", False),
    ]
    assert [holds for _, holds in conjuncts(guard.condition, holds=False)] == [False]
