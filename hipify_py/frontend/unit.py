"""One source during its translation: its text, its lexemes, its tree, and the names resolved in it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from hipify_py.catalog import Catalog, Row
from hipify_py.core.clang_facts import TypeQuery
from hipify_py.core.edits import Edit
from hipify_py.core.findings import Finding, Fix, Replacement
from hipify_py.core.options import Options
from hipify_py.core.project_context import NO_PROJECT, ProjectContext
from hipify_py.core.ranges import Ranges
from hipify_py.core.source import Source
from hipify_py.frontend.lexer import Lexemes
from hipify_py.frontend.syntax import SyntaxTree

if TYPE_CHECKING:
    _Analysis = TypeVar("_Analysis")

_HIP_HEADERS = (
    *("hip/", "hipblas", "hipcub/", "hipfft/", "hiprand/", "hipsolver/", "hipsparse", "hiptensor/", "ck/", "ck_tile/"),
    *("miopen/", "rccl/", "rocblas/", "rocprim/", "rocrand/", "rocshmem/", "rocsolver/", "rocsparse/", "rocwmma/"),
)


def is_hip_header(path: str) -> bool:
    """Whether an include of this path names one of HIP's headers, or one of AMD's libraries."""
    return path.startswith(_HIP_HEADERS)


class Use(NamedTuple):
    """A reference to a symbol of the tables: its name is `[start, end)` of the source."""

    start: int
    end: int
    row: Row


class Unit:
    """One source as the rules receive it.

    `uses`, `unmapped_candidates`, `redefinitions`, `overloads`, `kept_warps` and `unbounded_distances` are filled in
    before the rules run; the `tree` parses itself on first use.
    """

    __slots__ = (
        "_analyses",
        "catalog",
        "conditional",
        "declared",
        "doubts",
        "headers",
        "inactive",
        "kept_warps",
        "lexemes",
        "options",
        "overloads",
        "project",
        "redefinitions",
        "shadowed_names",
        "source",
        "suppressed",
        "tree",
        "unbounded_distances",
        "unmapped_candidates",
        "uses",
    )

    def __init__(
        self,
        source: Source,
        lexemes: Lexemes,
        catalog: Catalog,
        options: Options,
        project: ProjectContext = NO_PROJECT,
    ) -> None:
        self.source = source
        self.lexemes = lexemes
        self.catalog = catalog
        self.options = options
        self.project = project
        self.tree = SyntaxTree(source, lexemes)
        self._analyses: dict[Callable[[Unit], Any], Any] = {}
        self.uses: list[Use] = []
        self.redefinitions: list[Use] = []
        """Where the source itself defines a type of that name; these are not references."""
        self.overloads: set[str] = set()
        """Warp functions that the source overloads for its own types."""
        self.unmapped_candidates: list[tuple[int, str, str]] = []
        """Offset, name and library of names that look like CUDA's but are in no table."""
        self.doubts: set[TypeQuery] = set()
        """What the source alone could not settle; see `semantics/type_queries.py`."""
        self.inactive: Ranges | None = None
        """The code that AMD GPUs leave out, if name resolution takes that into account."""
        self.conditional: frozenset[int] = frozenset()
        """The places among `shadowed_names` that only some builds for AMD GPUs have."""
        self.kept_warps: frozenset[int] = frozenset()
        """Where the source names a warp operation kept at 32 lanes; see `analysis/warp/decisions.py`."""
        self.unbounded_distances: frozenset[int] = frozenset()
        """Those of `kept_warps` that are shuffles over a distance that may not be from 0 to 31."""
        self.declared: frozenset[str] = frozenset()
        """Names that look like CUDA's but are declared by the source itself."""
        self.shadowed_names: list[int] = []
        """Where the source declares names of the tables as its own."""
        self.suppressed: list[Finding] = []
        """Suppressed findings of sources embedded in this one."""
        self.headers: frozenset[str] = frozenset(include.path for include in lexemes.includes)

    def analysis(self, kind: Callable[[Unit], _Analysis]) -> _Analysis:
        """The analysis of a kind, computed from this unit on first use and kept as long as the unit.

        Args:
            kind: the class of an analysis, or a function; called with the unit alone.
        """
        known = self._analyses.get(kind)
        if known is None:
            known = self._analyses[kind] = kind(self)
        found: _Analysis = known
        return found

    def release(self) -> None:
        """Release the analyses. They refer back to the unit, and would wait for the garbage collector."""
        self._analyses.clear()

    def with_conditions(self, inactive: Ranges, conditional: frozenset[int]) -> Unit:
        """The unit before its names were resolved, with what is known about its conditions."""
        unit = Unit(self.source, self.lexemes, self.catalog, self.options, self.project)
        unit.tree, unit.inactive, unit.conditional = self.tree, inactive, conditional
        return unit

    @property
    def is_hip(self) -> bool:
        """Whether it already is HIP code: it includes HIP's headers, none of CUDA's, and names nothing only CUDA has.

        A `.hip` file is HIP code without any header: kernels that hipRTC compiles have none. So is a file that the
        project also has for CUDA under another name; it may name built-in functions that came to HIP later.
        """
        is_port = self.project.is_hip_port
        return (
            (is_port or any(map(is_hip_header, self.headers)) or self.source.path.endswith(".hip"))
            and not self.includes_cuda
            and not self.unmapped_candidates
            and all(use.row.is_native or (is_port and use.row.library == "device") for use in self.uses)
        )

    @property
    def includes_cuda(self) -> bool:
        """Whether the source includes a CUDA header that HIP does not have under that name."""
        return any(map(self._is_cuda_header, self.headers))

    def _is_cuda_header(self, path: str) -> bool:
        row = self.catalog.row(path.encode("utf-8", "surrogateescape"))
        return row is not None and row.kind == "header" and not row.is_native

    def finding(
        self,
        id: str,
        offset: int,
        *,
        name: str = "",
        library: str = "",
        fix: Iterable[Edit] = (),
        rocm: str = "",
        **words: str,
    ) -> Finding:
        """A finding of the register at a byte offset.

        The edits of `fix` resolve it, and so does a later `rocm`. It and `words` fill in the message.
        """
        entry = self.catalog.diagnostic(id)
        line, column = self.source.position(offset) if offset >= 0 else (1, 1)
        words.setdefault("detail", "")
        words.setdefault("target", "")
        message = entry.message.format(name=name, library=library, rocm=rocm, **words)
        path, edits = self.source.path, tuple(Replacement(*edit) for edit in fix)
        resolved = Fix(entry.fix, entry.applicability, edits) if edits else None
        return Finding(
            id,
            entry.severity,
            entry.effort,
            message,
            path,
            offset,
            line,
            column,
            name,
            library,
            rocm=rocm,
            fix=resolved,
        )
