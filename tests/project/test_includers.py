"""Which sources take a file in."""

from __future__ import annotations

import pytest

from hipify_py.project.include_graph import Includers

GRAPH = {
    "z.cu": ["a.h"],
    "b.cu": ["b.h"],
    "b.h": ["a.h"],
    "a.h": ["deep.h", "a.h"],
    "deep.h": [],
    "all.cu": ["z.cu"],
    "one.h": ["two.h"],
    "two.h": ["one.h"],
}


@pytest.mark.parametrize(
    ("path", "sources"),
    [
        ("deep.h", ["z.cu", "all.cu", "b.cu"]),
        ("b.h", ["b.cu"]),
        ("z.cu", ["all.cu"]),
        ("all.cu", []),
        ("one.h", []),
        ("elsewhere.h", []),
    ],
)
def test_the_nearest_come_first(path: str, sources: list[str]) -> None:
    assert [*Includers(GRAPH).of(path, lambda path: path.endswith(".cu"))] == sources


def test_only_some_are_looked_for() -> None:
    assert [*Includers(GRAPH).of("deep.h", {"b.cu", "deep.h"}.__contains__)] == ["b.cu"]
