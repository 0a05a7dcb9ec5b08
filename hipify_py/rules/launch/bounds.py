"""Recomputes the second argument of `__launch_bounds__`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hipify_py.edits import Edit
from hipify_py.findings import Finding
from hipify_py.frontend.brackets import match_forward
from hipify_py.rules.base import Example, Rule
from hipify_py.rules.collisions.functions import in_amd_branch
from hipify_py.unit import Unit

_ATTRIBUTE = re.compile(rb"\b__launch_bounds__\s*(?=\()")
_RECOMPUTED = re.compile(rb"/\s*32\s*\*")
_FACTOR = re.compile(rb"[\w.:]+|\w*\([^()]*\)")
_SUM = re.compile(rb"[\w\s.:+*()-]+")


class LaunchBounds(Rule):
    """The second argument of CUDA's `__launch_bounds__` counts blocks per multiprocessor, HIP's counts wavefronts per
    execution unit.

    AMD's rule for the conversion is blocks times threads over 32. It is written out, so that constants and template
    arguments keep deciding. A third argument, the most blocks of a cluster, has no counterpart and is dropped.
    """

    id = "HIP123"
    VALID = (
        Example("__global__ void __launch_bounds__(256) k();"),
        Example("__global__ void __launch_bounds__(256, 256 / 32 * 4) k();"),
    )
    INVALID = (
        Example(
            "__global__ void __launch_bounds__(256, 4) k();",
            "__global__ void __launch_bounds__(256, 256 / 32 * 4) k();",
            ("HIP123",),
        ),
        Example(
            "template <int T, int B> __global__ void __launch_bounds__(T, B + 1) k();",
            "template <int T, int B> __global__ void __launch_bounds__(T, (T + 31) / 32 * (B + 1)) k();",
            ("HIP123",),
        ),
        Example(
            "__global__ void __launch_bounds__(128, 8, 2) k();",
            "__global__ void __launch_bounds__(128, 128 / 32 * 8) k();",
            ("HIP123",),
        ),
    )

    def apply(self, unit: Unit) -> Iterator[Edit | Finding]:
        if unit.is_hip:
            return
        data, lexemes = unit.source.data, unit.lexemes
        for match in _ATTRIBUTE.finditer(data):
            if lexemes.non_code_at(match.start()) is not None or in_amd_branch(unit, match.start()):
                continue
            found = match_forward(lexemes, match.end(), lexemes.code_end(match.start()))
            if found is None or not 1 <= len(found[1]) <= 2:
                continue
            closing, commas = found
            threads = data[match.end() + 1 : commas[0]].strip()
            start = lexemes.after(commas[0] + 1)
            end = lexemes.before((*commas, closing)[1]) + 1
            blocks = data[start:end]
            if start >= end or _RECOMPUTED.search(blocks) or b"\n" in threads or b"/" in threads or not threads:
                continue
            in_macro = lexemes.define_around(match.start()) is not None
            is_factor = _FACTOR.fullmatch(blocks) is not None and not (in_macro and not blocks.isdigit())
            yield Edit(start, start, _warps(threads, in_macro) + b" * " + (b"" if is_factor else b"("))
            if len(commas) == 2 or not is_factor:
                yield Edit(end, closing if len(commas) == 2 else end, b"" if is_factor else b")")
            yield unit.finding("HIP123", match.start(), name="__launch_bounds__", library="device")


def _warps(threads: bytes, in_macro: bool) -> bytes:
    """The warps of 32 in a block, as an expression."""
    if threads.isdigit() and int(threads) % 32 == 0:
        return threads + b" / 32"
    if _SUM.fullmatch(threads) is None or in_macro:
        threads = b"(" + threads + b")"
    return b"(" + threads + b" + 31) / 32"
