"""Headers of NVIDIA's sample collection."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator

from hipify_py.core.findings import Finding
from hipify_py.core.project_context import has_file_ending
from hipify_py.frontend.unit import Unit
from hipify_py.rules.base import Example, Rule
from hipify_py.rules.triggers import headers
from hipify_py.semantics.headers import is_local

_SAMPLES = re.compile(
    r"helper_(?:cuda(?:_drvapi)?|functions|math|string|timer|image|gl|cusolver|multiprocess)\.h|cutil(?:_inline|_math)?\.h"
    r"|cutil_inline_\w+\.h|sdkHelper\.h|shrQATest\.h|shrUtils\.h|nvrtc_helper\.h"
)


class SampleHeaders(Rule):
    """`helper_cuda.h` and the like are neither CUDA's nor the project's, but in a folder of NVIDIA's samples.

    If that folder is not converted as well, its headers stay CUDA, and the program does not compile.
    """

    id = "HIP409"
    triggers = headers("*helper*", "*cutil*", "*sdkHelper*", "*shr*")
    VALID = (Example('#include "helper.h"\n'),)
    INVALID = (
        Example("#include <helper_cuda.h>\ncudaStream_t s;", "#include <helper_cuda.h>\nhipStream_t s;", ("HIP409",)),
    )

    def apply(self, unit: Unit) -> Iterator[Finding]:
        for include in unit.lexemes.includes:
            name = posixpath.basename(include.path)
            if not _SAMPLES.fullmatch(name) or is_local(unit, include.path) or _is_in_include_path(unit, name):
                continue
            yield unit.finding("HIP409", include.start, name=include.path, library="runtime")


def _is_in_include_path(unit: Unit, name: str) -> bool:
    """Whether the project has a file of that name, in a folder that the build names."""
    return has_file_ending(unit.project, name)
