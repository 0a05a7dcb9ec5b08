"""Casts the address of a signed 64-bit integer for the bitwise atomics, which HIP has for unsigned ones only."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from hipify_py.core.edits import Edit
from hipify_py.frontend.unit import Unit
from hipify_py.rules.base import Example, Rule
from hipify_py.rules.triggers import uses
from hipify_py.semantics.expressions import named_call
from hipify_py.semantics.pointees import pointee
from hipify_py.semantics.symbols import Names, names_of

if TYPE_CHECKING:
    from tree_sitter import Node

_BITWISE = re.compile(r"atomic(?:And|Or|Xor)(?:_block|_system)?")
_SIGNED = re.compile(rb"(?:signed )?long long(?: int)?")


class SignedAtomics(Rule):
    """CUDA has `atomicAnd`, `atomicOr` and `atomicXor` for `long long`; HIP has them for unsigned integers only.

    The bits are the same, so the address is cast to its unsigned type, and the old value back to the signed one.
    """

    id = "signed-atomics"
    triggers = uses("atomicAnd*", "atomicOr*", "atomicXor*")
    VALID = (
        Example("__device__ void f(unsigned long long *p) { atomicOr(p, 1ull); }"),
        Example("__device__ void f(long long *p) { atomicMax(p, 1ll); }"),
    )
    INVALID = (
        Example(
            "__device__ void f(long long *p, int i) { atomicOr(&p[i], 1ll); }",
            "__device__ void f(long long *p, int i) "
            "{ static_cast<long long>(atomicOr(reinterpret_cast<unsigned long long *>(&p[i]), 1ll)); }",
        ),
    )

    def apply(self, unit: Unit) -> Iterator[Edit]:
        names = names_of(unit)
        for use in unit.uses:
            if not _BITWISE.fullmatch(use.row.name):
                continue
            call = named_call(unit.tree, use.start, use.end)
            if call is None or not call.arguments or not _is_signed(names, call.arguments[0]):
                continue
            place = call.arguments[0]
            yield Edit(use.start, use.start, b"static_cast<long long>(")
            yield Edit(place.start_byte, place.start_byte, b"reinterpret_cast<unsigned long long *>(")
            yield Edit(place.end_byte, place.end_byte, b")")
            yield Edit(call.node.end_byte, call.node.end_byte, b")")


def _is_signed(names: Names, address: Node) -> bool:
    """Whether the address is of a variable that this source declares as a signed integer of 64 bits."""
    return _SIGNED.fullmatch(pointee(names, address)) is not None
