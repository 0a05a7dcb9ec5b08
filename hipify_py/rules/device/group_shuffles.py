"""Shuffles of cooperative groups whose values are not numbers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hipify_py.core.edits import Edit
from hipify_py.frontend.unit import Unit
from hipify_py.rules.base import Example, Rule, Support
from hipify_py.rules.triggers import Fact, facts, texts, words
from hipify_py.semantics.builtin_types import vector
from hipify_py.semantics.expression_types import type_of
from hipify_py.semantics.expressions import arguments_of, operator_of, text_of
from hipify_py.semantics.group_types import is_group, may_use_groups
from hipify_py.semantics.pointees import is_template_parameter
from hipify_py.semantics.structure import structure_of
from hipify_py.semantics.symbols import Names, names_of

if TYPE_CHECKING:
    from tree_sitter import Node

_SHUFFLES = frozenset({b"shfl", b"shfl_up", b"shfl_down", b"shfl_xor"})
_OF_STRUCTURES = frozenset({"fp16", "bf16", "fp8", "complex"})
"""Libraries whose number types are structures."""


class GroupShuffles(Rule):
    """CUDA's `tile.shfl_down(value, 1)` takes any trivially copyable value, HIP's a number.

    HIP's does not compile for `__half2`, `float2` or a structure; `hipify::group_shfl_down(tile, value, 1)` of the
    support
    header shuffles their words. It also handles values of a type that a template leaves open, where the source names
    such
    types (MMseqs2 instantiates a kernel with `half2` and `short2`); for numbers the result is the same. Values of an
    unknown type keep HIP's.
    """

    id = "group-shuffles"
    triggers = words("shfl", "shfl_*") & (texts("cooperative_groups") | facts(Fact.PROJECT_GROUP_ALIASES))
    VALID = (
        Example(
            "#include <hip/hip_cooperative_groups.h>\n"
            "__device__ float f(cooperative_groups::thread_block_tile<32> t, float v) { return t.shfl_down(v, 1); }"
        ),
        Example(
            "struct Mine { float2 shfl(float2, int); };\n__device__ float2 f(Mine m, float2 v) { return m.shfl(v, 1); }"
        ),
    )
    INVALID = (
        Example(
            "#include <hip/hip_cooperative_groups.h>\n"
            "__device__ float2 f(cooperative_groups::thread_block_tile<32> t, float2 v) { return t.shfl_down(v, 1); }",
            '#include "hipify_support.hpp"\n#include <hip/hip_cooperative_groups.h>\n'
            "__device__ float2 f(cooperative_groups::thread_block_tile<32> t, float2 v) "
            "{ return hipify::group_shfl_down(t, v, 1); }",
        ),
    )

    def apply(self, unit: Unit) -> Iterator[Edit | Support]:
        if not unit.options.support or not may_use_groups(unit):
            return
        names = names_of(unit)
        for call in unit.tree.nodes("call_expression"):
            access = call.child_by_field_name("function")
            if access is None or access.type != "field_expression" or operator_of(access) != ".":
                continue
            name, group = access.child_by_field_name("field"), access.child_by_field_name("argument")
            if name is None or group is None or text_of(name) not in _SHUFFLES:
                continue
            arguments = arguments_of(call)
            if len(arguments) == 2 and _is_structure(names, arguments[0]) and is_group(names, group):
                opening = call.child_by_field_name("arguments")
                dot = access.child_by_field_name("operator")
                if opening is None or dot is None:
                    continue
                yield Edit(call.start_byte, call.start_byte, b"hipify::group_" + text_of(name) + b"(")
                yield Edit(dot.start_byte, dot.end_byte, b",")
                yield Edit(name.start_byte, name.end_byte, b"")
                yield Edit(opening.start_byte, opening.start_byte + 1, b" ")
                yield Support("cg_groups")


def _shuffled(value: Node) -> Node | None:
    access = value.child_by_field_name("function") if value.type == "call_expression" else None
    name = access.child_by_field_name("field") if access is not None else None
    return arguments_of(value)[0] if name is not None and text_of(name) in _SHUFFLES and arguments_of(value) else None


def _is_structure(names: Names, value: Node) -> bool:
    """Whether a value is not of an arithmetic type of C++; a shuffle's type is that of its value."""
    while (inner := _shuffled(value)) is not None:
        value = inner
    type = type_of(names, value)
    if type and is_template_parameter(type, value):
        return any(_is_of_parts(names.unit, word) for word in names.unit.lexemes.words)
    return bool(type) and (_is_of_parts(names.unit, type) or type in structure_of(names.unit).records)


def _is_of_parts(unit: Unit, type: bytes) -> bool:
    """Whether a type is a vector type, or one of the libraries' number types that are structures."""
    row = unit.catalog.row(type)
    is_of_library = row is not None and row.kind == "type" and row.library in _OF_STRUCTURES
    return is_of_library or vector(type.decode(errors="replace")) is not None
