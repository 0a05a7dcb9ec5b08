"""What a rule is."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from hipify_py.catalog import Row
from hipify_py.core.edits import CompositeEdit, Edit
from hipify_py.core.findings import Finding
from hipify_py.core.options import DEFAULT_FIXES
from hipify_py.core.translation import AppliedFix, Reference, WarpOutcome
from hipify_py.core.unit import Unit
from hipify_py.rules.triggers import Triggers

NO_FIXES: frozenset[str] = frozenset()


class Example(NamedTuple):
    """A line or two that a rule changes, and what becomes of them; `output` None where they must stay."""

    source: str
    output: str | None = None
    findings: tuple[str, ...] = ()


class Support(NamedTuple):
    """The output uses something of the support header, from its section of that name."""

    section: str


class Staying(NamedTuple):
    """A finding about a range that a reshape replaces, which would go with the range otherwise.

    With a subject, one place of a file is enough for it, as for `Once`.
    """

    finding: Finding
    subject: str | None = None


class Once(NamedTuple):
    """A finding that one place of a file is enough for: the first that is compiled, with the number of the others.

    Those of one id and subject belong together.
    """

    finding: Finding
    subject: str = ""


class Rule:
    """One thing that a port needs: what it looks at, why, and how it changes.

    The docstring tells a porter why. VALID examples must stay as they are, INVALID ones become their output
    or give their findings; both are run as the rule's tests.
    """

    id: str
    """The finding that this rule is about, or a short name for a rule that only rewrites."""
    triggers: Triggers
    """Without what the rule has nothing to do: a gate only."""
    VALID: tuple[Example, ...] = ()
    INVALID: tuple[Example, ...] = ()
    fixes: frozenset[str] = DEFAULT_FIXES
    """The fixes with which the examples are translated; none where they show what is reported without."""
    dual: bool = False
    """The examples show output that serves both vendors."""

    def apply(
        self, unit: Unit
    ) -> Iterator[Edit | CompositeEdit | Finding | AppliedFix | Staying | Once | Reference | Support | WarpOutcome]:
        """Yield what this rule changes and finds in a unit. Changes nothing itself."""
        raise NotImplementedError


def mapping_note(unit: Unit, start: int, row: Row) -> Finding:
    """What a table says of a symbol that is mapped but differs."""
    target = "stays" if row.is_native else row.becomes
    return unit.finding("HIP103", start, name=row.name, library=row.library, target=target, detail=row.note)
