"""The interface of a rule."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from hipify_py.catalog import Row
from hipify_py.core.edits import CompositeEdit, Edit
from hipify_py.core.findings import Finding
from hipify_py.core.options import DEFAULT_FIXES
from hipify_py.core.translation import AppliedFix, Reference, WarpOutcome
from hipify_py.frontend.unit import Unit
from hipify_py.rules.triggers import Triggers

NO_FIXES: frozenset[str] = frozenset()


class Example(NamedTuple):
    """A line or two that a rule changes, and the result; `output` is None where they must stay."""

    source: str
    output: str | None = None
    findings: tuple[str, ...] = ()


class Support(NamedTuple):
    """The output uses something of the support header, from its section of that name."""

    section: str


class PinnedFinding(NamedTuple):
    """A finding about a range that a reshape replaces, and that would be dropped with the range otherwise.

    With a subject, it is reported at one place of a file only, as for `DedupedFinding`.
    """

    finding: Finding
    subject: str | None = None


class DedupedFinding(NamedTuple):
    """A finding that is reported at one place of a file: the first that is compiled, with the number of the others.

    Findings of one id and subject belong together.
    """

    finding: Finding
    subject: str = ""


class Rule:
    """One thing that a port needs: the construct, the reason, and the change.

    The docstring explains the reason to a porter. VALID examples must stay as they are, INVALID ones become their
    output or give their findings; both are run as the rule's tests.
    """

    id: str
    """The finding that this rule is about, or a short name for a rule that only rewrites."""
    reports: tuple[str, ...] = ()
    """Other findings that it gives."""
    triggers: Triggers
    """What a source must have for the rule to apply: a gate only."""
    VALID: tuple[Example, ...] = ()
    INVALID: tuple[Example, ...] = ()
    fixes: frozenset[str] = DEFAULT_FIXES
    """The fixes with which the examples are translated; none where they show what is reported without."""
    dual: bool = False
    """Whether the examples show output that serves both vendors."""

    def apply(
        self, unit: Unit
    ) -> Iterator[
        Edit | CompositeEdit | Finding | AppliedFix | PinnedFinding | DedupedFinding | Reference | Support | WarpOutcome
    ]:
        """Yield this rule's changes and findings for a unit, without changing the unit."""
        raise NotImplementedError


def unsupported_symbol(unit: Unit, start: int, row: Row, detail: str | None = None) -> Finding:
    """The finding of a symbol without a HIP counterpart: in any ROCm, or in the chosen one.

    Args:
        unit: the unit.
        start: the offset of the symbol.
        row: its row, which is unsupported.
        detail: the end of the message, in place of the row's advice.
    """
    name = f"<{row.name}>" if row.kind == "header" else row.name
    if row.later is not None:
        rocm, hip = row.later
        return unit.finding("HIP108", start, name=name, library=row.library, rocm=rocm, target=hip, detail=row.remedy)
    id = "HIP107" if row.kind == "header" else "HIP101"
    return unit.finding(id, start, name=name, library=row.library, detail=row.remedy if detail is None else detail)


def mapping_note(unit: Unit, start: int, row: Row) -> Finding:
    """The finding with a table's note on a symbol that is mapped but differs, or that returns an error on AMD GPUs."""
    target = "stays" if row.is_native else row.becomes
    return unit.finding(
        "HIP109" if row.fails else "HIP103", start, name=row.name, library=row.library, target=target, detail=row.note
    )
