"""The replacement for one of CUDA's macros that stand for a number."""

from __future__ import annotations

from collections.abc import Iterator

from hipify_py.analysis.preprocessor.both_vendors import EITHER
from hipify_py.edits import CompositeEdit, replaced
from hipify_py.rules.base import Support
from hipify_py.unit import Unit, Use


def value(unit: Unit, use: Use, amd: bytes) -> Iterator[CompositeEdit | Support]:
    """Replace a macro by its value for AMD GPUs; where the output serves both vendors, nvcc keeps the macro itself."""
    name = unit.source.data[use.start : use.end]
    if unit.options.dual and unit.lexemes.in_condition(use.start):
        yield replaced(use.start, use.end, b"(defined(__HIP_PLATFORM_AMD__) ? %s : %s)" % (amd, name))
    elif unit.options.dual and unit.options.support:
        yield Support("either")
        yield replaced(use.start, use.end, b"%s(%s, %s)" % (EITHER, name, amd))
    else:
        yield replaced(use.start, use.end, amd)
