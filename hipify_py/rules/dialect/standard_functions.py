"""C's functions in namespace `std`, as device code calls them."""

from __future__ import annotations

from collections.abc import Iterator

from hipify_py.core.edits import Edit
from hipify_py.frontend.unit import Unit
from hipify_py.rules.base import Example, Rule
from hipify_py.rules.triggers import words
from hipify_py.semantics.device_code import in_device_code

_FUNCTIONS = ("printf", "malloc", "free", "memcpy", "memset")
"""C's functions that HIP declares for device code, in the global namespace only."""


class StandardFunctions(Rule):
    """In CUDA, `std::printf` and `std::memcpy` are the functions of the global namespace, for both sides. HIP declares
    overloads for device code, which `std` does not have: `std::printf` is the host's there.

    Device code gets the global name. The verifier of nccl-tests prints so.
    """

    id = "standard-functions"
    triggers = words("__global__", "__device__") & words(*_FUNCTIONS)
    VALID = (
        Example("#include <cstdio>\nvoid f() { std::printf(\"\"); }\n__global__ void k() {}"),
        Example("__global__ void k(Own &own) { mine::std::free(own); }"),
    )  # fmt: skip
    INVALID = (
        Example(
            '__global__ void k(int *p) { std::printf("%d", *p); ::std::free(p); }',
            '__global__ void k(int *p) { printf("%d", *p); free(p); }',
        ),
    )

    def apply(self, unit: Unit) -> Iterator[Edit]:
        if unit.is_hip:
            return
        for name in map(str.encode, _FUNCTIONS):
            for place in unit.lexemes.places(name):
                start = _qualifier_start(unit, place)
                if start is not None and in_device_code(unit, place):
                    yield Edit(start, place, b"")


def _qualifier_start(unit: Unit, place: int) -> int | None:
    """Where `std::` or `::std::` before a name begins; None if it has another qualifier, or none."""
    start = _colons_start(unit, place)
    if start is None or unit.lexemes.word_before(start) != b"std":
        return None
    start = unit.lexemes.before(start) + 1 - len(b"std")
    outer = _colons_start(unit, start)
    if outer is None:
        return start
    return None if unit.lexemes.word_before(outer) else outer


def _colons_start(unit: Unit, place: int) -> int | None:
    """Where the `::` right before a place begins; None if there is none."""
    end = unit.lexemes.before(place) + 1
    return end - 2 if unit.source.data[end - 2 : end] == b"::" else None
