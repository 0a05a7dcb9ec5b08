"""Lets programs with NVTX 3 link without the library of roctx."""

from __future__ import annotations

from collections.abc import Iterator

from hipify_py.frontend.unit import Unit
from hipify_py.rules.base import Example, Rule, Support
from hipify_py.rules.triggers import headers


class LoadedRoctx(Rule):
    """NVTX 3 consists of headers alone, so no build file names a library for it. roctx's functions are in libroctx64.

    The support header has them as weak functions that load the library, as NVTX 3 loads its tool: the program links
    without it. A build that links `-lnvToolsExt` gets `-lroctx64` instead and uses that. (CUDASW4, llm.c and NVIDIA's
    multi-GPU examples link no library.)
    """

    id = "loaded-roctx"
    triggers = headers("nvtx3/*")
    INVALID = (
        Example(
            '#include <nvtx3/nvToolsExt.h>\nvoid f() { nvtxRangePushA("f"); }',
            '#define HIPIFY_NEEDS_ROCTX\n#include "hipify_support.hpp"\n#include <roctracer/roctx.h>\n'
            'void f() { roctxRangePushA("f"); }',
        ),
    )

    def apply(self, unit: Unit) -> Iterator[Support]:
        includes_nvtx = any(path.startswith("nvtx3/") for path in unit.headers)
        if includes_nvtx and unit.options.support and unit.source.suffix != ".c":
            yield Support("roctx")
