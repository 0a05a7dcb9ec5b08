"""Read-only loads in templates that bfloat16 may be an argument of."""

from __future__ import annotations

from collections.abc import Iterator

from hipify_py.core.edits import Edit
from hipify_py.frontend.unit import Unit
from hipify_py.rules.base import Example, Rule
from hipify_py.rules.triggers import headers, uses, words
from hipify_py.semantics.effective_rows import effective_row
from hipify_py.semantics.expressions import named_call
from hipify_py.semantics.pointees import is_template_parameter, pointee
from hipify_py.semantics.symbols import names_of

_LOAD = "__ldg"
_BFLOAT16 = (b"bfloat16", b"bf16")


class ReadOnlyLoads(Rule):
    """HIP's `__ldg` has no overload for bfloat16, so a template that loads a `T` does not compile for it.

    It is a plain load on AMD GPUs, and is written as one where the type is a template's parameter in a source that
    uses bfloat16. Where the type is known, the table decides.
    """

    id = "read-only-loads"
    triggers = uses(_LOAD) & (words("*bfloat16*", "*bf16*") | headers("*bfloat16*", "*bf16*"))
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
        names = names_of(unit)
        if not _has_bfloat16(unit):
            return
        for use in unit.uses:
            if use.row.name != _LOAD or effective_row(unit, use).hip != _LOAD:
                continue
            call = named_call(unit.tree, use.start, use.end)
            if call is None or len(call.arguments) != 1:
                continue
            address = call.arguments[0]
            type = pointee(names, address)
            if type and is_template_parameter(type, call.name):
                yield Edit(use.start, use.end, b"")
                yield Edit(address.start_byte, address.start_byte, b"*(")
                yield Edit(address.end_byte, address.end_byte, b")")


def _has_bfloat16(unit: Unit) -> bool:
    """Whether the source names a type, a function or a header of bfloat16, which a template may depend on."""
    if any(part.decode() in header for header in unit.headers for part in _BFLOAT16):
        return True
    names = names_of(unit)
    return any(names.occurs(word) for word in names.words if any(part in word for part in _BFLOAT16))
