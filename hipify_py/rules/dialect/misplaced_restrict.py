"""`__restrict__` beside the type that a pointer points to."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hipify_py.core.edits import Edit
from hipify_py.frontend.unit import Unit
from hipify_py.rules.base import Example, Rule
from hipify_py.rules.triggers import words
from hipify_py.semantics.device_code import is_device_source

_NAMES = ("__restrict__", "__restrict")
_POINTEE = re.compile(rb"[ \t]*(?:[A-Za-z_][\w:]*[ \t]+)*[ \t]*(?:[A-Za-z_][\w:]*[ \t]*)?\*")
"""What is left of a pointee's type after the qualifier: words, then the asterisk."""
_BLANKS = re.compile(rb"[ \t]*")


class MisplacedRestrict(Rule):
    """`const __restrict__ T *p` qualifies `T`. nvcc accepts that for any type, clang for pointers only.

    The qualifier only tells the optimiser something, and nothing about `p` there, so it is left out. (dhernandez0's sgm
    declares its costs so.)
    """

    id = "misplaced-restrict"
    triggers = words(*_NAMES)
    VALID = (
        Example("__global__ void k(const float *__restrict__ p, float * const __restrict q, float &__restrict__ r) {}"),
        Example("#define RESTRICT __restrict__\n__global__ void k(float *RESTRICT p, int n) {}"),
        Example("typedef float *Row;\n__global__ void k(Row __restrict__ p, int *q) {}"),
    )
    INVALID = (
        Example(
            "__device__ int f(const __restrict__ int *p, const unsigned int __restrict__ *q) { return *p + *q; }",
            "__device__ int f(const int *p, const unsigned int *q) { return *p + *q; }",
        ),
    )

    def apply(self, unit: Unit) -> Iterator[Edit]:
        if unit.is_hip or not is_device_source(unit):
            return
        data = unit.source.data
        for name in map(str.encode, _NAMES):
            for place in unit.lexemes.places(name):
                end = place + len(name)
                is_pointee = _POINTEE.match(data, end) is not None and not _follows_pointer(unit, place)
                if is_pointee and unit.lexemes.define_around(place) is None:
                    blanks = _BLANKS.match(data, end)
                    yield Edit(place, blanks.end() if blanks is not None else end, b"")


def _follows_pointer(unit: Unit, place: int) -> bool:
    """Whether an asterisk or a `&` precedes the qualifiers at a place."""
    data, before = unit.source.data, unit.lexemes.before(place)
    while unit.lexemes.word_before(place) in (b"const", b"volatile"):
        place = before - len(unit.lexemes.word_before(place)) + 1
        before = unit.lexemes.before(place)
    return data[before : before + 1] in (b"*", b"&", b"]")
