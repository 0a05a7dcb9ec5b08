"""Reports `case` labels that become one and the same."""

from __future__ import annotations

from collections.abc import Iterator

from hipify_py.findings import Finding
from hipify_py.rules.base import Example, Rule
from hipify_py.unit import Unit


class MergedCases(Rule):
    """Some HIP enumerators stand for several of CUDA's; as labels of one `switch` they are duplicates.

    A `switch` reaches to the next one here, so that nested ones are told apart by their own labels only.
    """

    id = "HIP112"
    VALID = (Example("void f(int e) { switch (e) { case 1: break; } }"),)
    INVALID = (
        Example(
            "void f(int e) { switch (e) { case cudaSuccess: break; case CUDA_SUCCESS: break; } }",
            "void f(int e) { switch (e) { case hipSuccess: break; case hipSuccess: break; } }",
            ("HIP112",),
        ),
    )

    def apply(self, unit: Unit) -> Iterator[Finding]:
        first_of: dict[tuple[int, str], str] = {}
        for use in unit.uses:
            row = use.row
            if row.kind != "enumerator" or row.hip is None or unit.lexemes.word_before(use.start) != b"case":
                continue
            switch = unit.source.data.rfind(b"switch", 0, use.start)
            first = first_of.setdefault((switch, row.hip), row.name)
            if first != row.name:
                yield unit.finding(
                    "HIP112", use.start, name=row.name, library=row.library, target=row.hip, detail=first
                )
