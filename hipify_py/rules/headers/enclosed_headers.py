"""Headers of the project that are included within a namespace, and may include the support header there."""

from __future__ import annotations

from collections.abc import Iterator

from hipify_py.core.project_context import has_file_ending
from hipify_py.frontend.unit import Unit
from hipify_py.rules.base import Example, Rule, Support
from hipify_py.rules.headers.enclosed import namespace_around
from hipify_py.rules.triggers import Fact, facts, words
from hipify_py.semantics.device_code import is_device_source
from hipify_py.semantics.headers import header_row, is_support_header

_SECTION = "base"


class EnclosedHeaders(Rule):
    """A header that is included within a namespace brings what it includes into that namespace.

    So the support header is included before, which makes its includes after that no-ops. (AMGX's manager includes a
    header with device functions so, and DualSPHysics' kernels do.)
    """

    id = "enclosed-headers"
    triggers = words("namespace") & facts(Fact.INCLUDES)
    VALID = (Example('namespace n {\n#include "unknown.h"\n__device__ int f();\n}\n'),)

    def apply(self, unit: Unit) -> Iterator[Support]:
        if not unit.options.support or unit.is_hip or not is_device_source(unit):
            return
        for include in unit.lexemes.includes:
            is_own = header_row(unit, include) is None and not is_support_header(include.path)
            if is_own and has_file_ending(unit.project, include.path) and namespace_around(unit, include.start):
                yield Support(_SECTION)
                return
