"""Threads counted in 32 around matrix fragments."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hipify_py.analysis.warp.warp_constants import is_ported
from hipify_py.findings import Finding
from hipify_py.rules.base import Example, Rule
from hipify_py.rules.triggers import uses
from hipify_py.unit import Unit

_FRAGMENT = "nvcuda::wmma::fragment"
_OF_32 = rb"(?:/\s*32|%\s*32|>>\s*5|&\s*(?:31|0x1[fF]))[uU]?\b"
_COUNTED = re.compile(
    rb"\b(?:threadIdx|blockDim)\.x\s*" + _OF_32 + rb"|"
    rb"\b(?:tid|block|blocks|threads|block_?[dD]im|num_?[tT]hreads|BLOCK_?SIZE)(?:\.x)?\s*" + _OF_32 + rb"|"
    rb"<<<[^<>;{}]{1,120},\s*32\s*(?:,[^<>;{}]{1,80})?>>>|"
    rb"\bdim3\s+(?:block|threads)\w*\s*[({]\s*32\s*(?=[,)}])|"
    rb"\bdefine[ \t]+\w*(?:WARP|[wW]arp)_?(?:SIZE|[sS]ize)[ \t]+\(?32\b|"
    rb"\bint\s+\w*(?:WARP|[wW]arp)_?(?:SIZE|[sS]ize)\s*=\s*32\b"
)


class FragmentThreads(Rule):
    """A fragment is held by all lanes of a wavefront, of which data-centre GPUs have 64 and not 32.

    Code that gives each 32 threads a tile of their own, or that launches blocks of 32 threads for one, computes
    something else there. One finding an expression says so.
    """

    id = "HIP503"
    triggers = uses(_FRAGMENT)
    VALID = (
        Example("__device__ int f() { return threadIdx.x / 32; }"),
        Example(
            "rocwmma::fragment<rocwmma::accumulator, 16, 16, 16, int> f;\n"
            "__device__ int g() { return threadIdx.x / 32; }"
        ),
    )
    INVALID = (
        Example(
            "nvcuda::wmma::fragment<nvcuda::wmma::accumulator, 16, 16, 16, float> f;\n"
            "__device__ int g() { return threadIdx.x / 32; }",
            "rocwmma::fragment<rocwmma::accumulator, 16, 16, 16, float> f;\n"
            "__device__ int g() { return threadIdx.x / 32; }",
            ("HIP503",),
        ),
    )

    def apply(self, unit: Unit) -> Iterator[Finding]:
        if not any(use.row.name == _FRAGMENT for use in unit.uses) or is_ported(unit.source.data):
            return  # whoever made branches for AMD GPUs keeps fragments and their threads out of the others
        for match in _COUNTED.finditer(unit.source.data):
            if unit.lexemes.non_code_at(match.start()) is None:
                detail = " ".join(match[0].decode("utf-8", "replace").split())
                if detail.startswith("dim3"):
                    detail += ", ...)"
                yield unit.finding("HIP503", match.start(), name=_FRAGMENT, library="wmma", detail=detail)
