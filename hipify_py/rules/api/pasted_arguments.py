"""Renames what macros paste together from names that have been renamed."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hipify_py.core.edits import Edit
from hipify_py.core.findings import Finding
from hipify_py.frontend.unit import Unit
from hipify_py.rules.base import Example, Rule
from hipify_py.rules.triggers import Fact, facts, texts
from hipify_py.semantics.pasted_names import PastedNames


class PastedArguments(Rule):
    """`#define DECLARE(f) decltype(&f) p_##f;` makes `p_hipMalloc` once `cudaMalloc` has become `hipMalloc`.

    If the same source spells out `p_cudaMalloc`, hipify-py updates it. Update other files by hand.
    """

    id = "HIP139"
    triggers = facts(Fact.DEFINES) & texts("##")
    VALID = (Example("#define DECLARE(f) decltype(&f) p_##f;\nDECLARE(mine)\nauto x = p_mine;"),)
    INVALID = (
        Example(
            "#define DECLARE(f) decltype(&f) p_##f;\nDECLARE(cudaFree)\nauto x = p_cudaFree(0);",
            "#define DECLARE(f) decltype(&f) p_##f;\nDECLARE(hipFree)\nauto x = p_hipFree(0);",
            ("HIP139",),
        ),
    )

    def apply(self, unit: Unit) -> Iterator[Edit | Finding]:
        data = unit.source.data
        names = unit.analysis(PastedNames)
        if not names.made:
            return
        spelled = re.compile(rb"\b(?:" + b"|".join(map(re.escape, sorted(names.made, reverse=True))) + rb")\b")
        follows = unit.source.is_header
        for match in spelled.finditer(data):
            if unit.lexemes.non_code_at(match.start()) is None:
                yield Edit(*match.span(), names.made[match[0]])
                follows = True
        name, target = next(iter(names.made.items()))
        if follows:
            yield unit.finding("HIP139", names.first, name=name.decode(), library="runtime", target=target.decode())
