"""Translates kernels held in raw strings for run-time compilation."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial

from hipify_py.core.edits import Edit
from hipify_py.core.findings import Finding, at_each_place
from hipify_py.core.translation import Reference, WarpCounts, WarpOutcome
from hipify_py.findings.fingerprints import moved
from hipify_py.frontend.lexer import RawString
from hipify_py.frontend.unit import Unit
from hipify_py.rules.base import Example, Rule
from hipify_py.rules.triggers import Fact, facts

_DEVICE_CODE = re.compile(rb"__global__|__device__")


class EmbeddedKernels(Rule):
    """A raw string with `__global__` or `__device__` in it is a source for NVRTC, hence for hipRTC.

    It is translated like a file of its own, and made complete: hipRTC includes no file, and has the runtime built in.
    All other strings stay as they are.
    """

    id = "embedded-kernel"
    triggers = facts(Fact.RAW_STRINGS)
    VALID = (Example('const char *help = R"(call cudaMalloc first)"; int cudaX;'),)
    INVALID = (
        Example(
            'const char *src = R"(#include <cuda_fp16.h>\n__global__ void k() {})";',
            'const char *src = R"(#if !defined(__HIPCC_RTC__)  // hipRTC has it built in\n'
            '#include <hip/hip_fp16.h>\n#endif\n__global__ void k() {})";',
        ),
    )

    def apply(self, unit: Unit) -> Iterator[Edit | Finding | Reference | WarpOutcome]:
        from hipify_py.translator.run_time_source import translate_string

        data = unit.source.data
        for raw in unit.lexemes.raw_strings:
            text = data[raw.body : raw.body_end]
            if _DEVICE_CODE.search(text) is None:
                continue
            path = unit.source.path
            inner = translate_string(text, path, unit.options, unit.project, name=path)
            ending = data[raw.body_end : data.index(b'"', raw.body_end) + 1]
            if any(ending in edit.text for edit in inner.edits):  # which a raw string cannot contain
                plain = unit.options._replace(support=False)
                inner = translate_string(text, path, plain, unit.project, name=path)
            for start, end, replacement in inner.edits:
                yield Edit(start + raw.body, end + raw.body, replacement)
            for outcome, count in zip(WarpCounts._fields, inner.warps, strict=True):
                yield from (WarpOutcome(raw.body, outcome) for _ in range(count))
            for reference in inner.references:
                yield reference._replace(offset=reference.offset + raw.body)
            yield from (at_each_place(finding, partial(_outside, unit, raw=raw)) for finding in inner.findings)
            unit.suppressed.extend(
                at_each_place(finding, partial(_outside, unit, raw=raw)) for finding in inner.suppressed
            )


def _outside(unit: Unit, finding: Finding, raw: RawString) -> Finding:
    """A finding within a string, at its place in the file."""
    place = max(finding.offset, 0) + raw.body
    line, column = unit.source.position(place)
    fix = None if finding.fix is None else moved(finding.fix, raw.body)
    return finding._replace(offset=place, line=line, column=column, fix=fix)
