"""Read-only loads in templates that bfloat16 may be an argument of."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hipify_py.edits import Edit
from hipify_py.rules.api.calls import call_at
from hipify_py.rules.api.names import effective_row
from hipify_py.rules.base import Example, Rule
from hipify_py.unit import Unit

_LOAD = "__ldg"
_NAME = re.compile(rb"[&(\s]*([A-Za-z_]\w*)")
_REACH = 20_000  # bytes in front of a call in which a declaration is looked for
_DECLARATION = rb"\b([A-Za-z_]\w*)\s*(?:const\s*)?\*\s*(?:const\s*)?(?:__restrict(?:__)?\s*)?(?:const\s*)?%s\b"
_TEMPLATE = re.compile(rb"\b(?:typename|class)\s+([A-Za-z_]\w*)")


class ReadOnlyLoads(Rule):
    """HIP's `__ldg` has no overload for bfloat16, so that a template that loads a `T` does not compile for it.

    It is a plain load on AMD GPUs, and is written as one where the type is a template's parameter in a source that
    has to do with bfloat16. Where the type is known, the table decides.
    """

    id = "read-only-loads"
    VALID = (
        Example("#include <hip/hip_bf16.h>\n__device__ float f(const float *p) { return __ldg(p); }"),
        Example("#include <hip/hip_fp16.h>\ntemplate <class T> __device__ T f(const T *p) { return __ldg(p); }"),
    )
    INVALID = (
        Example(
            "#include <hip/hip_bf16.h>\ntemplate <class T> __device__ T f(const T *p) { return __ldg(p + 1); }",
            "#include <hip/hip_bf16.h>\ntemplate <class T> __device__ T f(const T *p) { return (*(p + 1)); }",
        ),
    )

    def apply(self, unit: Unit) -> Iterator[Edit]:
        data = unit.source.data
        parameters = {match[1] for match in _TEMPLATE.finditer(data)}
        for use in unit.uses if parameters else ():
            if use.row.name != _LOAD or effective_row(unit, use).hip != _LOAD:
                continue
            call = call_at(unit, use.end)
            if call is None or len(call.arguments) != 1:
                continue
            start, end = call.arguments[0]
            if _pointee(unit, start, end) in parameters:
                yield Edit(use.start, use.end, b"")
                yield Edit(start, start, b"*(")
                yield Edit(end, end, b")")


def _pointee(unit: Unit, start: int, end: int) -> bytes | None:
    """The type that the pointer at the head of an argument was last declared to point to."""
    name = _NAME.match(unit.source.data, start, end)
    if name is None:
        return None
    pattern = re.compile(_DECLARATION % re.escape(name[1]))
    found = None
    for match in pattern.finditer(unit.source.data, max(start - _REACH, 0), start):
        if unit.lexemes.skip_at(match.start()) is None:
            found = match[1]
    return found
