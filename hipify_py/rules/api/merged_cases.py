"""Removes `case` labels that become duplicates."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from hipify_py.core.edits import Edit
from hipify_py.core.findings import Finding
from hipify_py.frontend.unit import Unit, Use
from hipify_py.rules.base import Example, Rule
from hipify_py.rules.triggers import Fact, facts, words
from hipify_py.semantics.case_labels import Label, comment_out_label, label_at
from hipify_py.semantics.conditional_branches import Arms, are_exclusive, arms_at


class _Case(NamedTuple):
    use: Use
    label: Label
    arms: Arms


class MergedCases(Rule):
    """Some HIP enumerators replace several CUDA enumerators; as labels of one `switch` they are duplicates.

    The later label becomes a comment, and its value leads to the first one. If one label is inside a preprocessor
    condition and the other is not, the one inside becomes the comment.
    """

    id = "HIP130"
    reports = ("HIP112",)
    triggers = words("switch") & facts(Fact.MERGED_VALUES)
    VALID = (Example("void f(int e) { switch (e) { case 1: break; } }"),)
    INVALID = (
        Example(
            "void f(int e) { switch (e) { case cudaSuccess: break; case CUDA_SUCCESS: break; } }",
            "void f(int e) { switch (e) { case hipSuccess: break; /* case hipSuccess: */ break; } }",
            ("HIP130",),
        ),
    )

    def apply(self, unit: Unit) -> Iterator[Edit | Finding]:
        remaining: dict[tuple[int, str], list[_Case]] = {}
        for case in _cases(unit):
            others = remaining.setdefault((case.label.switch, str(case.use.row.hip)), [])
            for first in others:
                if first.use.row.name == case.use.row.name or are_exclusive(first.arms, case.arms):
                    continue
                if case.label.switch >= 0 and _is_nested_in(case, first):
                    yield from _comment_out(unit, case, first)
                    break
                if case.label.switch >= 0 and _is_nested_in(first, case):
                    others.remove(first)
                    yield from _comment_out(unit, first, case)
                    others.append(case)
                    break
                yield _finding(unit, "HIP112", case, first)
                break
            else:
                others.append(case)


def _cases(unit: Unit) -> list[_Case]:
    uses = [use for use in unit.uses if use.row.kind == "enumerator" and use.row.hip is not None]
    labels = [(use, label) for use in uses if (label := label_at(unit, use)) is not None]
    arms = arms_at(unit, [use.start for use, _ in labels])
    return [_Case(use, label, around) for (use, label), around in zip(labels, arms, strict=True)]


def _is_nested_in(case: _Case, other: _Case) -> bool:
    """Whether a label is compiled only where the other one is."""
    return case.arms[: len(other.arms)] == other.arms


def _comment_out(unit: Unit, case: _Case, first: _Case) -> Iterator[Edit | Finding]:
    yield from comment_out_label(case.label)
    yield _finding(unit, "HIP130", case, first)


def _finding(unit: Unit, id: str, case: _Case, first: _Case) -> Finding:
    row = case.use.row
    return unit.finding(
        id, case.use.start, name=row.name, library=row.library, target=str(row.hip), detail=first.use.row.name
    )
