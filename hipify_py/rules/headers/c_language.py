"""Headers of ROCm's libraries that a C compiler cannot compile as they are."""

from __future__ import annotations

from collections.abc import Iterator

from hipify_py.core.edits import Edit
from hipify_py.core.findings import Finding
from hipify_py.frontend.unit import Unit
from hipify_py.rules.base import Example, Rule
from hipify_py.rules.headers.runtime_header import added_lines
from hipify_py.rules.triggers import headers
from hipify_py.semantics.headers import header_row

_WITH_HALF = frozenset({"curand.h"})
"""Their counterparts name the type `__half`, which HIP's headers have for C++ only."""
_CPP_ONLY = frozenset({"cublasLt.h", "cuda_bf16.h", "cudnn.h"})
"""Their counterparts are C++."""
_TYPE = (b"#ifndef __cplusplus", b"typedef struct __half_raw __half; /* named by hipRAND's headers */", b"#endif")
_HALF = b"__half_raw"


class HeadersForC(Rule):
    """Some of ROCm's headers are C++ where CUDA's can be included from C.

    hipRAND's needs only a type, which is declared before it in sources of C, and in headers that distinguish C from C++
    (`__cplusplus`). Others are C++ altogether: a source of C that includes one is reported, and has to be compiled as
    C++.
    """

    id = "HIP624"
    triggers = headers("*curand.h", "*cublasLt.h", "*cuda_bf16.h", "*cudnn.h")
    VALID = (Example("#include <hiprand/hiprand.h>\n"), Example("#include <hipblaslt/hipblaslt.h>\n"))

    def apply(self, unit: Unit) -> Iterator[Edit | Finding]:
        is_source = unit.source.path.endswith(".c")
        if not is_source and not (unit.source.path.endswith(".h") and b"__cplusplus" in unit.source.data):
            return
        has_half = _HALF in unit.source.data
        for include in unit.lexemes.includes:
            row = header_row(unit, include)
            if row is None:
                continue
            if row.name in _WITH_HALF and not has_half:
                has_half = True
                yield added_lines(unit, unit.lexemes.logical_line_start(include.start), *_TYPE)
            elif row.name in _CPP_ONLY and is_source:
                yield unit.finding("HIP624", include.start, name=include.path, library=row.library)
