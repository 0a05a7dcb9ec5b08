"""Takes out `case` labels that become one and the same."""

from __future__ import annotations

from collections.abc import Iterator

from hipify_py.edits import Edit
from hipify_py.findings import Finding
from hipify_py.frontend.brackets import match_forward
from hipify_py.rules.base import Example, Rule
from hipify_py.semantics.case_labels import without_label
from hipify_py.unit import Unit


class MergedCases(Rule):
    """Some HIP enumerators stand for several of CUDA's; as labels of one `switch` they are duplicates.

    The later label becomes a comment: its value leads to the first one. A `switch` reaches to the next one here, so
    that nested ones are told apart by their own labels only.
    """

    id = "HIP130"
    VALID = (Example("void f(int e) { switch (e) { case 1: break; } }"),)
    INVALID = (
        Example(
            "void f(int e) { switch (e) { case cudaSuccess: break; case CUDA_SUCCESS: break; } }",
            "void f(int e) { switch (e) { case hipSuccess: break; /* case hipSuccess: */ break; } }",
            ("HIP130",),
        ),
    )

    def apply(self, unit: Unit) -> Iterator[Edit | Finding]:
        first_of: dict[tuple[int, str], str] = {}
        ends: dict[int, int] = {}
        for use in unit.uses:
            row = use.row
            if row.kind != "enumerator" or row.hip is None or unit.lexemes.word_before(use.start) != b"case":
                continue
            switch = unit.source.data.rfind(b"switch", 0, use.start)
            first = first_of.setdefault((switch, row.hip), row.name)
            if first != row.name:
                if switch not in ends:
                    ends[switch] = _plain_end(unit, switch)
                label = list(without_label(unit, use)) if use.start < ends[switch] else []
                yield from label
                yield unit.finding(
                    "HIP130" if label else "HIP112",
                    use.start,
                    name=row.name,
                    library=row.library,
                    target=row.hip,
                    detail=first,
                )


def _plain_end(unit: Unit, switch: int) -> int:
    """Where the block of a `switch` closes, or the first condition of the preprocessor in it comes."""
    data = unit.source.data
    opening = data.find(b"{", switch, switch + 1000) if switch >= 0 else -1
    found = match_forward(unit.lexemes, opening, opening + 100_000) if opening >= 0 else None
    if found is None:
        return switch
    return min([found[0], *(place for place, _ in unit.lexemes.directives if place > switch)])
