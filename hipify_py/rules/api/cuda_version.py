"""Symbols that the chosen CUDA version does not have."""

from collections.abc import Iterator

from hipify_py.core.findings import Finding
from hipify_py.core.targeting import version
from hipify_py.frontend.unit import Unit
from hipify_py.rules.base import Example, Rule
from hipify_py.rules.triggers import Fact, facts


class CudaVersion(Rule):
    """`--cuda` sets the CUDA version that a source is written for. A symbol that this version lacks suggests that the
    version is wrong.

    Without `--cuda`, hipify-py reports nothing. It reports each symbol once per file.
    """

    id = "HIP115"
    triggers = facts(Fact.TARGETS_CUDA)
    VALID = (Example("void f(void *p) { hipFree(p); }"),)

    def apply(self, unit: Unit) -> Iterator[Finding]:
        if not unit.options.targeting.cuda:
            return
        chosen = version(unit.options.targeting.cuda)
        visited: set[str] = set()
        for use in unit.uses:
            row = use.row
            bounds = row.details.get("cuda", {})
            if row.name in visited or not bounds:
                continue
            added, removed = bounds.get("added"), bounds.get("removed")
            if added and version(added) > chosen:
                detail = f"was added in CUDA {added}"
            elif removed and version(removed) <= chosen:
                detail = f"was removed in CUDA {removed}"
            else:
                continue
            visited.add(row.name)
            yield unit.finding("HIP115", use.start, name=row.name, library=row.library, detail=detail)
