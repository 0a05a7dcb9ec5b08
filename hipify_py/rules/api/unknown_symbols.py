"""Reports names that look like CUDA's but are in no mapping table."""

from __future__ import annotations

from collections.abc import Iterator

from hipify_py.core.findings import Finding
from hipify_py.core.translation import UNKNOWN, UNSUPPORTED, Reference
from hipify_py.frontend.unit import Unit
from hipify_py.rules.base import Example, Rule
from hipify_py.rules.triggers import Fact, facts
from hipify_py.semantics.token_pasting import PastedNames


class UnknownSymbols(Rule):
    """A name such as `cudaFooBar` that is in no mapping table may be a new API, or the user's own from another header.

    It stays as it is. Names that the source declares itself are the user's. Once all files of the project have been
    read, names that another file declares are no longer reported.
    """

    id = "HIP102"
    reports = ("HIP101",)
    triggers = facts(Fact.UNMAPPED_CANDIDATES)
    VALID = (
        Example("int cudaFooBar = 1; int g() { return cudaFooBar; }"),
        Example("#define cudaFooBar(x) (x)\nint g() { return cudaFooBar(1); }"),
    )
    INVALID = (Example("void f() { cudaFooBar(1); }", None, ("HIP102",)),)

    def apply(self, unit: Unit) -> Iterator[Finding | Reference]:
        made = unit.analysis(PastedNames).made
        for offset, name, library in unit.unmapped_candidates:
            if name.encode() in made:
                continue  # a macro of the source pastes it together
            family = unit.catalog.family(name)
            if family is not None:
                yield Reference(offset, name, library, "family", UNSUPPORTED)
                yield unit.finding("HIP101", offset, name=name, library=library, detail=f": {family.advice}")
            else:
                yield Reference(offset, name, library, "unknown", UNKNOWN)
                yield unit.finding("HIP102", offset, name=name, library=library)
