"""The result of translating one source."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from hipify_py.core.clang_facts import TypeQuery
from hipify_py.core.edits import Edit, SourceMap
from hipify_py.core.findings import Finding

CONVERTED, NATIVE, UNSUPPORTED, UNKNOWN = "converted", "native", "unsupported", "unknown"
INACTIVE = "inactive"
"""Neither converted nor valid HIP, in an `#if` branch that is not compiled for AMD GPUs: nothing is left to do."""
OUTCOMES = (CONVERTED, NATIVE, UNSUPPORTED, UNKNOWN, INACTIVE)


class Reference(NamedTuple):
    """One place where the source names a CUDA symbol, and its outcome.

    Attributes:
        offset: the byte offset in the CUDA source.
        name: the symbol.
        library: the table that contains it.
        kind: its kind: function, type, enumerator, macro, header and so on.
        outcome: `converted`, `native`, `unsupported`, `unknown` or `inactive`.
    """

    offset: int
    name: str
    library: str
    kind: str
    outcome: str


class AppliedFix(NamedTuple):
    """A fix that was applied at a place in the source.

    `name` is its group (one of `hipify_py.core.options.GROUPS`), or the id of the fixed finding.
    """

    offset: int
    name: str


class Counts(NamedTuple):
    """The number of references by outcome; the five add up to `total`.

    Attributes:
        converted: references with another name or another form in HIP.
        native: references that are already valid HIP.
        unsupported: references without a counterpart.
        unknown: references that look like CUDA's but are in no table.
        inactive: references in code that is not compiled for AMD GPUs.
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
        """The share of references that leave nothing to do, from 0 to 1; 1 if there are none."""
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
    """The outcome of one warp operation: one of the fields of `WarpCounts`."""

    offset: int
    outcome: str


class WarpCounts(NamedTuple):
    """The number of warp operations by outcome; the four add up to `total`.

    Attributes:
        kept: operations kept at 32 lanes, which is exact on every GPU.
        native: unchanged operations in code that provably counts in `warpSize`.
        author: operations in code that the author's own AMD branches decide about.
        reported: unchanged operations with a finding.
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
    """Code of one source that is compiled only if a macro is defined.

    Attributes:
        findings: the findings there.
        references: the references there that are unsupported or unknown.
    """

    findings: tuple[Finding, ...] = ()
    references: tuple[Reference, ...] = ()


_NOTHING: Mapping[str, Dependent] = {}


class Flags(NamedTuple):
    """What one source declares about macros that other files of its project may need.

    Attributes:
        lost: macros whose definitions in this source are all left out for AMD GPUs.
        kept: other macros that it defines.
        dependent: by macro, the code that is compiled only if this macro, unknown in the source, is defined.
        provided: functions that HIP lacks and that it defines itself.
    """

    lost: frozenset[str] = frozenset()
    kept: frozenset[str] = frozenset()
    dependent: Mapping[str, Dependent] = _NOTHING
    provided: frozenset[str] = frozenset()


NO_FLAGS = Flags()


NO_WARPS = WarpCounts()


class Translation:
    """HIP source, and a report on every CUDA symbol found in the CUDA source.

    Attributes:
        output: the HIP source; the input itself if nothing changed.
        edits: the byte-range edits that lead from the input to the output, in order.
        findings: what a porter has to look at, in source order.
        suppressed: findings that the source or the configuration suppresses.
        references: every reference to a CUDA symbol and its outcome.
        declared: names that look like CUDA's but are declared by this source itself.
        evidence: the basis of the translator's decisions, such as `lexical`, `tree-sitter` or `libclang`.
        support: the sections of the support header that the output uses.
        flags: what it declares about macros that other files may need.
        support_header: the path by which it includes that header; empty if it needs none.
        fixes: the applied fixes, which would otherwise be findings.
        doubts: what the source leaves open and a compiler's view of it might answer (`hipify_py.core.clang_facts`).
        warps: the outcomes of the warp operations.
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
        """Whether the output differs from the input."""
        return bool(self.edits)

    @property
    def counts(self) -> Counts:
        """The references by outcome."""
        return Counts.of(self.references)

    @property
    def source_map(self) -> SourceMap:
        """Maps positions between the output and the input, in both directions."""
        return SourceMap(self.edits)
