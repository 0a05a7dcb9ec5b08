"""The result of translating one source."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from hipify_py.core.clang_facts import TypeQuery
from hipify_py.core.edits import Edit, SourceMap
from hipify_py.core.findings import Finding

CONVERTED, NATIVE, UNSUPPORTED, UNKNOWN = "converted", "native", "unsupported", "unknown"
INACTIVE = "inactive"
"""Neither converted nor valid HIP, in a branch of an `#if` that is not compiled for AMD GPUs: nothing is left to do."""
OUTCOMES = (CONVERTED, NATIVE, UNSUPPORTED, UNKNOWN, INACTIVE)


class Reference(NamedTuple):
    """One place where the source names a CUDA symbol, and what became of it.

    Attributes:
        offset: the byte offset in the CUDA source.
        name: the symbol.
        library: the table that has it.
        kind: what it is: a function, type, enumerator, macro, header and so on.
        outcome: `converted`, `native`, `unsupported`, `unknown` or `inactive`.
    """

    offset: int
    name: str
    library: str
    kind: str
    outcome: str


class AppliedFix(NamedTuple):
    """A fix that was applied at a place of the source.

    `name` says of what: a group (one of `hipify_py.core.options.GROUPS`), or the id of the finding that is mended.
    """

    offset: int
    name: str


class Counts(NamedTuple):
    """How many references ended how; the five add up to `total`.

    Attributes:
        converted: those that have another name or another form in HIP.
        native: those that are valid HIP as they stand.
        unsupported: those that have no counterpart.
        unknown: those that look like CUDA's, and stand in no table.
        inactive: those in code that is not compiled for AMD GPUs.
    """

    converted: int = 0
    native: int = 0
    unsupported: int = 0
    unknown: int = 0
    inactive: int = 0

    @property
    def total(self) -> int:
        return sum(self)

    @property
    def coverage(self) -> float:
        """The share of references that leave nothing to do, from 0 to 1; 1 where there are none."""
        return (self.converted + self.native + self.inactive) / self.total if self.total else 1.0

    def plus(self, other: Counts) -> Counts:
        """The sums of both, outcome by outcome."""
        return Counts(*(a + b for a, b in zip(self, other, strict=True)))

    @classmethod
    def of(cls, references: list[Reference]) -> Counts:
        """Count references by outcome."""
        outcomes = [reference.outcome for reference in references]
        return cls(*(outcomes.count(outcome) for outcome in OUTCOMES))


class WarpOutcome(NamedTuple):
    """What becomes of one warp operation: one of the fields of `WarpCounts`."""

    offset: int
    outcome: str


class WarpCounts(NamedTuple):
    """How many warp operations ended how; the four add up to `total`.

    Attributes:
        kept: those that are kept at 32 lanes, which is exact on every GPU.
        native: those that stay, in code that is proved to count in `warpSize`.
        author: those in code that the author's own AMD branches decide about.
        reported: those that stay as they are, with a finding.
    """

    kept: int = 0
    native: int = 0
    author: int = 0
    reported: int = 0

    @property
    def total(self) -> int:
        return sum(self)

    def plus(self, other: WarpCounts) -> WarpCounts:
        """The sums of both, outcome by outcome."""
        return WarpCounts(*(a + b for a, b in zip(self, other, strict=True)))

    @classmethod
    def of(cls, outcomes: Iterable[WarpOutcome]) -> WarpCounts:
        """Count warp operations by outcome."""
        names = [each.outcome for each in outcomes]
        return cls(*(names.count(name) for name in cls._fields))


class Dependent(NamedTuple):
    """What of one source is compiled only where a macro is defined.

    Attributes:
        findings: the findings there.
        references: the references there that are unsupported or unknown.
    """

    findings: tuple[Finding, ...] = ()
    references: tuple[Reference, ...] = ()


_NOTHING: Mapping[str, Dependent] = {}


class Flags(NamedTuple):
    """What one source says of macros that other files of its project may ask for.

    Attributes:
        lost: macros whose definitions in it are all left out for AMD GPUs.
        kept: macros that it defines otherwise.
        dependent: what is compiled only where a macro is defined of which it knows nothing, by that macro.
        provided: functions that HIP lacks and that it defines itself.
    """

    lost: frozenset[str] = frozenset()
    kept: frozenset[str] = frozenset()
    dependent: Mapping[str, Dependent] = _NOTHING
    provided: frozenset[str] = frozenset()


NO_FLAGS = Flags()


NO_WARPS = WarpCounts()


class Translation:
    """HIP source, and the account of every CUDA symbol met on the way to it.

    Attributes:
        output: the HIP source; the input itself where nothing changed.
        edits: the byte-range edits that lead from the input to the output, in order.
        findings: what a porter has to look at, in the order of their places.
        suppressed: findings that the source or the configuration suppresses.
        references: every reference to a CUDA symbol and its outcome.
        declared: names that look like CUDA's but that this source declares itself.
        evidence: what the translator had to decide by, such as `lexical`, `tree-sitter` or `libclang`.
        support: the sections of the support header that the output uses.
        flags: what it says of macros that other files may ask for.
        support_header: the path by which it includes that header; empty where it needs none.
        fixes: the fixes that were applied, and would be findings otherwise.
        doubts: what the source left open, and a compiler's view of it might answer (`hipify_py.core.clang_facts`).
        warps: what became of the warp operations.
    """

    __slots__ = (
        "declared",
        "doubts",
        "edits",
        "evidence",
        "findings",
        "fixes",
        "flags",
        "output",
        "references",
        "support",
        "support_header",
        "suppressed",
        "warps",
    )

    def __init__(
        self,
        output: bytes,
        edits: list[Edit],
        findings: list[Finding],
        references: list[Reference],
        declared: frozenset[str] = frozenset(),
        evidence: tuple[str, ...] = (),
        support: frozenset[str] = frozenset(),
        support_header: str = "",
        suppressed: list[Finding] | None = None,
        flags: Flags = NO_FLAGS,
        fixes: tuple[AppliedFix, ...] = (),
        doubts: tuple[TypeQuery, ...] = (),
        warps: WarpCounts = NO_WARPS,
    ) -> None:
        self.output = output
        self.edits = edits
        self.findings = findings
        self.references = references
        self.declared = declared
        self.evidence = evidence
        self.support = support
        self.support_header = support_header
        self.suppressed = suppressed or []
        self.flags = flags
        self.fixes = fixes
        self.doubts = doubts
        self.warps = warps

    @property
    def changed(self) -> bool:
        """True when the output differs from the input."""
        return bool(self.edits)

    @property
    def counts(self) -> Counts:
        """The references by outcome."""
        return Counts.of(self.references)

    @property
    def source_map(self) -> SourceMap:
        """Positions of the output and the input, in both directions."""
        return SourceMap(self.edits)
