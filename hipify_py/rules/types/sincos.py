"""`sincos` and `sincospi` of numbers in single precision."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hipify_py.core.edits import Edit
from hipify_py.core.findings import Finding
from hipify_py.frontend.unit import Unit
from hipify_py.rules.base import Example, Rule, Support
from hipify_py.rules.triggers import uses
from hipify_py.semantics.device_code import in_device_code
from hipify_py.semantics.expressions import named_call
from hipify_py.semantics.pointees import pointee
from hipify_py.semantics.symbols import names_of

_FIXED = re.compile(rb"double|auto|.*\s.*|(?:u?(?:char|short|int|long|longlong)|float|double)[1-4]|")
"""Types that are not a name of the project's, or of a template's."""


class SingleSincos(Rule):
    """CUDA's C++ headers overload `sincos` and `sincospi` for `float`; HIP has them for `double` only.

    The name with an `f` at its end is the same function. In a template the type decides, and also where the project has
    a name of its own for it; there the overloads of the support header are used.
    """

    id = "single-sincos"
    reports = ("HIP103",)
    triggers = uses("sincos", "sincospi")
    VALID = (
        Example("__device__ void f(double x, double *s, double *c) { sincos(x, s, c); }"),
        Example("void f(float x, float *s, float *c) { sincosf(x, s, c); }"),
    )
    INVALID = (
        Example(
            "__device__ void f(float x) { float s, c; sincos(x, &s, &c); }",
            "__device__ void f(float x) { float s, c; sincosf(x, &s, &c); }",
        ),
        Example(
            "template <class T> __device__ void f(T x, T *s, T *c) { sincospi(x, s, c); }",
            '#include "hipify_support.hpp"\n'
            "template <class T> __device__ void f(T x, T *s, T *c) { hipify::sincospi(x, s, c); }",
        ),
        Example(
            "#ifdef DOUBLE\n#define REAL double\n#else\n#define REAL float\n#endif\n"
            "__device__ void f(REAL x) { REAL s, c; sincos(x, &s, &c); }",
            '#include "hipify_support.hpp"\n'
            "#ifdef DOUBLE\n#define REAL double\n#else\n#define REAL float\n#endif\n"
            "__device__ void f(REAL x) { REAL s, c; hipify::sincos(x, &s, &c); }",
        ),
    )

    def apply(self, unit: Unit) -> Iterator[Edit | Finding | Support]:
        names = names_of(unit)
        for use in unit.uses:
            name = use.row.name.encode()
            if name not in (b"sincos", b"sincospi") or unit.source.data[use.start : use.end] != name:
                continue
            call = named_call(unit.tree, use.start, use.end)
            if call is None or len(call.arguments) != 3 or names.functions(name):
                continue
            type = pointee(names, call.arguments[1]) or pointee(names, call.arguments[2])
            if type == b"float":
                yield Edit(use.end, use.end, b"f")
            elif type and not _FIXED.fullmatch(type) and in_device_code(unit, use.start):
                if unit.options.support:
                    yield Edit(use.start, use.start, b"hipify::")
                    yield Support("sincos")
                else:
                    detail = f"it is declared for double alone; {use.row.name}f is for float"
                    yield unit.finding(
                        "HIP103",
                        use.start,
                        name=use.row.name,
                        library=use.row.library,
                        target="stays",
                        detail=detail,
                    )
