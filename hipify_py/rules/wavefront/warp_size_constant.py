"""`warpSize` where a constant is needed, and sources that define a `warpSize` of their own."""

from __future__ import annotations

from collections.abc import Iterator

from hipify_py.analysis.warp.constant_uses import is_constant_use
from hipify_py.edits import Edit
from hipify_py.findings import Finding
from hipify_py.frontend.syntax import ancestor
from hipify_py.rules.base import Example, Rule, Support
from hipify_py.rules.triggers import words
from hipify_py.semantics.expressions import text_of
from hipify_py.semantics.introductions import ENUMERATOR, VARIABLE, introduction_of
from hipify_py.translation import AppliedFix
from hipify_py.unit import Unit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tree_sitter import Node

SECTION = "lanes"
"""The section of the support header with the wavefront's width as a constant."""

_NAME = b"warpSize"
_CONST = frozenset({b"const", b"constexpr"})
_SCOPES = (
    *("namespace_definition", "function_definition", "lambda_expression", "compound_statement"),
    *("class_specifier", "struct_specifier", "union_specifier"),
)
_OWN_NAMES = (b"kWarpSize", b"kWarpSize32", b"hipifyWarpSize")


class WarpSizeConstants(Rule):
    """HIP's `warpSize` is an object that asks the GPU: no array bound, template argument or case label is made of it.

    Since ROCm 7 such code does not compile; the support header has the width of the target as a constant. nvcc makes
    no constant of its own `warpSize` either: a CUDA source that has one there means a constant of the project's own,
    which redefines HIP's object where it is not in a namespace. One in the same source gets another name. Asked for,
    the fix is the same for both, and in a CUDA source the finding stays: the constant in the other file does, too.
    """

    id = "HIP303"
    triggers = words("warpSize")
    VALID = (
        Example(
            "__global__ void k(int *o) { for (int i = warpSize / 2; i > threadIdx.x % warpSize; i /= 2) o[i] = 0; }"
        ),
        Example("namespace n { constexpr int warpSize = 32; __shared__ int s[warpSize]; }"),
        Example("void f(const hipDeviceProp_t &p, int *s) { s[p.warpSize] = 1; }"),
    )
    INVALID = (
        Example(
            "const int warpSize = 32;\n__device__ int f() { return warpSize; }",
            "const int kWarpSize = 32;\n__device__ int f() { return kWarpSize; }",
        ),
        Example("#include <hip/hip_runtime.h>\n__global__ void k() { __shared__ int s[warpSize]; }", None, ("HIP303",)),
        Example("__global__ void k() { __shared__ int s[warpSize]; }", None, ("HIP312",)),
    )

    def apply(self, unit: Unit) -> Iterator[Edit | Finding | AppliedFix | Support]:
        own = _definition(unit)
        if own is not None:
            yield from _renamed(unit, own)
            return
        if b"warpSize" in unit.project.warp_sizes:
            return  # an included header says what it is
        for use in unit.uses:
            leaf = unit.tree.leaf(use.start, use.end) if use.row.name == "warpSize" else None
            if leaf is None or not is_constant_use(unit, leaf):
                continue
            is_fixed = "warp-size" in unit.options.fixes and unit.options.support
            if is_fixed:
                yield Edit(use.start, use.end, b"hipify::warp_size")
                yield Support(SECTION)
                yield AppliedFix(use.start, "warp-size")
            if not (is_fixed and unit.is_hip):
                id = "HIP303" if unit.is_hip else "HIP312"
                detail = "warpSize stands where a constant is needed"
                yield unit.finding(id, use.start, name="warpSize", library="device", detail=detail)


def _definition(unit: Unit) -> int | None:
    """Where a constant of that name is defined at file level; one in a namespace or a function hides HIP's object."""
    macros = [define.start for define in unit.lexemes.definitions(_NAME)]
    leaves = unit.tree.index.names.get(_NAME, ())
    return min((*macros, *(leaf.start_byte for leaf in leaves if _is_constant(leaf))), default=None)


def _is_constant(leaf: Node) -> bool:
    """A name is that of a constant, or of an enumerator, of the file's own scope."""
    found = introduction_of(leaf)
    if found is None or found.kind not in (VARIABLE, ENUMERATOR):
        return False
    if found.kind == VARIABLE:
        qualifiers = [text_of(child) for child in found.node.children if child.type == "type_qualifier"]
        is_initialised = ancestor(leaf, "init_declarator", "declaration") != found.node
        if _CONST.isdisjoint(qualifiers) or not is_initialised:
            return False
    return ancestor(found.node.parent, *_SCOPES) is None


def _renamed(unit: Unit, definition: int) -> Iterator[Edit | Finding]:
    """Another name for the source's own constant; a header's is known to others, so that its author has to choose."""
    name = next((name for name in _OWN_NAMES if name not in unit.lexemes.words), None)
    if name is None or unit.source.is_header:
        detail = "this source defines a warpSize of its own, which redefines HIP's"
        yield unit.finding("HIP303", definition, name="warpSize", library="device", detail=detail)
        return
    for place in unit.lexemes.places(_NAME):
        if not _is_of_another(unit.tree.leaf(place, place + len(_NAME))):
            yield Edit(place, place + len(_NAME), name)


def _is_of_another(leaf: Node | None) -> bool:
    """A name is that of a member, or of what another scope has."""
    if leaf is None or leaf.type == "field_identifier":
        return leaf is not None
    qualified = leaf.parent
    return (
        qualified is not None
        and qualified.type == "qualified_identifier"
        and qualified.child_by_field_name("scope") is not None
    )
