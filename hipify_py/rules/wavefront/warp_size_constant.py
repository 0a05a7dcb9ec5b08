"""`warpSize` where a constant is needed, and sources that define a `warpSize` of their own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hipify_py.analysis.warp.constant_uses import is_constant_use
from hipify_py.core.edits import Edit
from hipify_py.core.findings import Finding
from hipify_py.core.translation import AppliedFix
from hipify_py.frontend.syntax import ancestor
from hipify_py.frontend.unit import Unit
from hipify_py.rules.base import NO_FIXES, Example, Rule, Support
from hipify_py.rules.triggers import words
from hipify_py.semantics.declares_name import ENUMERATOR, VARIABLE, declaration_site
from hipify_py.semantics.device_code import is_surely_host_code
from hipify_py.semantics.expressions import text_of
from hipify_py.semantics.macros import becomes_member, macros_of
from hipify_py.semantics.symbols import names_of

if TYPE_CHECKING:
    from tree_sitter import Node

SECTION = "lanes"
"""The section of the support header with the wavefront's width as a constant."""

_NAME = b"warpSize"
_CONSTANT = "warpSize is used where a constant is needed"
_ON_HOST = "warpSize is used in host code"
_CONST = frozenset({b"const", b"constexpr"})
_SCOPES = (
    *("namespace_definition", "function_definition", "lambda_expression", "compound_statement"),
    *("class_specifier", "struct_specifier", "union_specifier"),
)
_OWN_NAMES = (b"kWarpSize", b"kWarpSize32", b"hipifyWarpSize")


class WarpSizeConstants(Rule):
    """HIP's `warpSize` is an object that asks the GPU: it cannot be an array bound, template argument or case label.

    Since ROCm 7 such code does not compile, and neither does host code that names it. If warps are kept at 32 lanes,
    it becomes 32, which is a constant. The remaining cases are an author's own AMD code, such as exllamav2's
    `#define NUM_WARPS (1024 / warpSize)`, and HIP code; `--fix warp-size` writes the support header's constant there.
    A CUDA source that defines its own `warpSize` would redefine HIP's object, so hipify-py renames it.
    """

    id = "HIP303"
    triggers = words("warpSize")
    fixes = NO_FIXES
    VALID = (
        Example(
            "#include <hip/hip_runtime.h>\n"
            "__global__ void k(int *o) { for (int i = warpSize / 2; i > threadIdx.x % warpSize; i /= 2) o[i] = 0; }"
        ),
        Example("namespace n { constexpr int warpSize = 32; __shared__ int s[warpSize]; }"),
        Example("#include <hip/hip_runtime.h>\nvoid f(const hipDeviceProp_t &p, int *s) { s[p.warpSize] = 1; }"),
    )
    INVALID = (
        Example(
            "const int warpSize = 32;\n__device__ int f() { return warpSize; }",
            "const int kWarpSize = 32;\n__device__ int f() { return kWarpSize; }",
        ),
        Example("#include <hip/hip_runtime.h>\n__global__ void k() { __shared__ int s[warpSize]; }", None, ("HIP303",)),
        Example(
            "#include <hip/hip_runtime.h>\n#define LANES warpSize\n__global__ void k() { __shared__ int s[LANES]; }",
            None,
            ("HIP303",),
        ),
    )

    def apply(self, unit: Unit) -> Iterator[Edit | Finding | AppliedFix | Support]:
        own = _definition(unit)
        if own is not None:
            yield from _rename_edits(unit, own)
            return
        for use in unit.uses:
            if use.row.name != "warpSize" or use.start in unit.kept_warps:
                continue
            leaf = unit.tree.leaf(use.start, use.end)
            is_meant = leaf is not None and not becomes_member(unit, leaf)
            trouble = next(_obstacles(unit, leaf, set()), "") if leaf is not None and is_meant else ""
            if not trouble:
                continue
            is_fixed = "warp-size" in unit.options.fixes and unit.options.support and trouble == _CONSTANT
            if is_fixed:
                yield Edit(use.start, use.end, b"hipify::warp_size")
                yield Support(SECTION)
                yield AppliedFix(use.start, "warp-size")
            else:
                yield unit.finding("HIP303", use.start, name="warpSize", library="device", detail=trouble)


def _obstacles(unit: Unit, leaf: Node, visited: set[bytes]) -> Iterator[str]:
    """Why `warpSize` does not compile at a leaf, or where the macro around it is used."""
    macro = macros_of(unit).around(leaf.start_byte)
    if macro is None:
        if is_constant_use(unit, leaf):
            yield _CONSTANT
        elif is_surely_host_code(unit, leaf):
            yield _ON_HOST
    elif macro.name not in visited:
        visited.add(macro.name)
        for use in names_of(unit).mentions(macro.name):
            yield from _obstacles(unit, use, visited)


def _definition(unit: Unit) -> int | None:
    """The definition of a constant of that name at file level; one in a namespace or a function hides HIP's object."""
    macros = [define.start for define in unit.lexemes.definitions(_NAME)]
    leaves = unit.tree.index.names.get(_NAME, ())
    return min((*macros, *(leaf.start_byte for leaf in leaves if _is_constant(leaf))), default=None)


def _is_constant(leaf: Node) -> bool:
    """Whether a name is that of a constant, or of an enumerator, of the file's own scope."""
    found = declaration_site(leaf)
    if found is None or found.kind not in (VARIABLE, ENUMERATOR):
        return False
    if found.kind == VARIABLE:
        qualifiers = [text_of(child) for child in found.node.children if child.type == "type_qualifier"]
        is_initialised = ancestor(leaf, "init_declarator", "declaration") != found.node
        if _CONST.isdisjoint(qualifiers) or not is_initialised:
            return False
    return ancestor(found.node.parent, *_SCOPES) is None


def _rename_edits(unit: Unit, definition: int) -> Iterator[Edit | Finding]:
    """Another name for the source's own constant; other files use a header's, so its author has to choose.

    A header's macro (kmcuda's `#define warpSize 32`) comes after HIP's headers, which sources include first, and hides
    HIP's object.
    """
    if unit.source.is_header and unit.lexemes.definitions(_NAME):
        return
    name = next((name for name in _OWN_NAMES if name not in unit.lexemes.words), None)
    if name is None or unit.source.is_header:
        detail = "this source defines its own warpSize, which redefines HIP's"
        yield unit.finding("HIP303", definition, name="warpSize", library="device", detail=detail)
        return
    for place in unit.lexemes.places(_NAME):
        if not _is_of_another(unit.tree.leaf(place, place + len(_NAME))):
            yield Edit(place, place + len(_NAME), name)


def _is_of_another(leaf: Node | None) -> bool:
    """Whether a name is that of a member, or of what another scope has."""
    if leaf is None or leaf.type == "field_identifier":
        return leaf is not None
    qualified = leaf.parent
    return (
        qualified is not None
        and qualified.type == "qualified_identifier"
        and qualified.child_by_field_name("scope") is not None
    )
