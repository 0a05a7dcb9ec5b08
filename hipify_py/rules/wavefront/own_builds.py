"""Warps that an author's AMD branches decide about, by a macro that only the project's own HIP build defines."""

from __future__ import annotations

from collections.abc import Iterator

from hipify_py.analysis.warp.amd_branches import OwnBuildSection, amd_branches, own_build_includes
from hipify_py.analysis.warp.author_choices import author_choices
from hipify_py.analysis.warp.census import warp_operations
from hipify_py.analysis.warp.decisions import AUTHOR
from hipify_py.core.findings import Finding
from hipify_py.frontend.unit import Unit
from hipify_py.rules.base import Example, Rule
from hipify_py.rules.triggers import words


class OwnBuilds(Rule):
    """`#ifdef USE_ROCM` decides about warps only in builds that define the macro, and hipcc does not.

    The code that depends on such a choice is left to its author. Compiled without the macro, it has CUDA's warp sizes
    and
    masks, and operations over the wavefront. Met in vLLM (`USE_ROCM`), llama.cpp (`GGML_USE_HIP`) and hypre
    (`HYPRE_USING_HIP`).
    """

    id = "HIP333"
    triggers = words("*ROCM*", "*HIP*", "*AMD*")
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
        sections = amd_branches(unit).own_build_sections
        if unit.is_hip or not sections:
            return
        defined_macros = unit.project.implied_macros | {define.text for define in unit.lexemes.defines}
        for section in sections:
            if section.macro not in defined_macros and (_chooses(unit, section) or _includes_choice(unit, section)):
                defined_macros |= {section.macro}
                yield unit.finding("HIP333", section.start, name=section.macro.decode(), library="device")


def _chooses(unit: Unit, section: OwnBuildSection) -> bool:
    """Whether a section chooses something about warps that builds without its macro also have, in another form.

    If it only chooses how shuffles are written, that is another form only for operations of its author's around them:
    sglang's `SGLANG_SHFL_XOR_SYNC` is right with and without `USE_ROCM`.
    """
    choices = author_choices(unit)
    within = [name for name, place in choices.chosen.items() if section.start <= place < section.end]
    if not within or not section.has_other:
        return any(map(choices.is_also_defined_elsewhere, within))
    return not (choices.sizes | choices.masks).isdisjoint(within) or AUTHOR in _outcomes_outside(unit)


def _includes_choice(unit: Unit, section: OwnBuildSection) -> bool:
    """Whether a section includes such a choice, for code that builds without its macro compile as well."""
    deciding = unit.project.deciding_includes
    includes = (one.start for one in own_build_includes(unit) if one.path in deciding) if deciding else ()
    if not any(section.start <= place < section.end for place in includes):
        return False
    return section.has_other or bool(_outcomes_outside(unit))


def _outcomes_outside(unit: Unit) -> frozenset[str]:
    """The outcomes of the operations outside of the branches for AMD GPUs."""
    only_amd = amd_branches(unit).only_amd
    return frozenset(one.outcome for one in warp_operations(unit) if one.offset not in only_amd)
