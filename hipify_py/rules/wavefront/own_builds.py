"""Warps that an author's AMD branches decide about, by a macro that only the project's own HIP build defines."""

from __future__ import annotations

from collections.abc import Iterator

from hipify_py.analysis.warp.amd_branches import amd_branches, own_build_includes
from hipify_py.analysis.warp.author_choices import author_choices
from hipify_py.findings import Finding
from hipify_py.rules.base import Example, Rule
from hipify_py.rules.triggers import texts
from hipify_py.unit import Unit


class OwnBuilds(Rule):
    """`#ifdef USE_ROCM` decides about warps only in builds that define the macro, and hipcc does not.

    The code that goes by such a choice is left to its author. Compiled without the macro, it has CUDA's sizes and masks
    of a warp, and operations over the wavefront. Met in vLLM (`USE_ROCM`), llama.cpp (`GGML_USE_HIP`) and hypre
    (`HYPRE_USING_HIP`).
    """

    id = "HIP333"
    triggers = texts("ROCM", "HIP", "AMD")
    VALID = (
        Example("#ifdef __HIP_PLATFORM_AMD__\n#define WARP_SIZE 64\n#else\n#define WARP_SIZE 32\n#endif\n"),
        Example('#ifdef USE_ROCM\nconst char *name = "rocm";\n#endif\n'),
        Example(
            "#ifdef __HIP_PLATFORM_AMD__\n#define WARP_SIZE 64\n#else\n#define WARP_SIZE 32\n#endif\n"
            '#ifdef USE_ROCM\nconst char *name = "rocm";\n#endif\n'
        ),
        Example(
            "#define USE_ROCM\n#ifdef USE_ROCM\n#define WARP_SIZE 64\n#else\n#define WARP_SIZE 32\n#endif\n"
            "__global__ void k(int *o) { o[threadIdx.x / WARP_SIZE] = 1; }\n"
        ),
    )
    INVALID = (
        Example(
            "#ifdef USE_ROCM\n#define WARP_SIZE 64\n#else\n#define WARP_SIZE 32\n#endif\n"
            "__global__ void k(int *o) { o[threadIdx.x / WARP_SIZE] = 1; }\n",
            None,
            ("HIP333",),
        ),
        Example(
            "__device__ constexpr int warp_size() {\n#if defined(USE_HIP) && defined(__HIP_PLATFORM_AMD__)\n"
            "  return __AMDGCN_WAVEFRONT_SIZE;\n#else\n  return 32;\n#endif\n}\n",
            None,
            ("HIP333",),
        ),
    )

    def apply(self, unit: Unit) -> Iterator[Finding]:
        sections = amd_branches(unit).of_own_builds
        if unit.is_hip or not sections:
            return
        deciding = unit.project.deciding_includes
        includes = [one.start for one in own_build_includes(unit) if one.path in deciding] if deciding else []
        choices = [*author_choices(unit).places, *includes]
        known = {define.text for define in unit.lexemes.defines}
        for start, end, macro in sections:
            if macro not in known and any(start <= place < end for place in choices):
                known.add(macro)
                yield unit.finding("HIP333", start, name=macro.decode(), library="device")
