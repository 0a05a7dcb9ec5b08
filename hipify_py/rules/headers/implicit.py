"""Adds the runtime header that nvcc includes by itself."""

from __future__ import annotations

from collections.abc import Iterator

from hipify_py.core.edits import Edit
from hipify_py.frontend.unit import Unit
from hipify_py.rules.base import Example, Rule
from hipify_py.rules.headers.runtime_header import added_includes, head_place, needs_runtime
from hipify_py.rules.triggers import ALWAYS
from hipify_py.semantics.headers import RUNTIME


class ImplicitRuntime(Rule):
    """nvcc includes the CUDA runtime before every source; hipcc leaves that to the source.

    `<hip/hip_runtime.h>` is added before the first include, before code that needs it and before macros that break its
    headers, after a licence comment, `#pragma once` or an include guard. A source also gets it for the project's
    headers,
    which may use CUDA's words without including anything. A header gets it if it holds device code; one that only names
    API types relies on its includer, as before.
    """

    id = "implicit-runtime"
    triggers = ALWAYS
    VALID = (Example("int f();"), Example("#include <hip/hip_runtime.h>\n__global__ void k() {}"))
    INVALID = (
        Example(
            "// k\n#include <vector>\n__global__ void k() {}",
            "// k\n#include <hip/hip_runtime.h>\n#include <vector>\n__global__ void k() {}",
        ),
    )

    def apply(self, unit: Unit) -> Iterator[Edit]:
        if needs_runtime(unit):
            yield added_includes(unit, head_place(unit), RUNTIME)
