"""Macros that expand to `#pragma`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hipify_py.core.edits import CompositeEdit, replaced
from hipify_py.frontend.unit import Unit
from hipify_py.rules.base import Example, Rule
from hipify_py.rules.triggers import Fact, facts, texts
from hipify_py.semantics.macros import macros_of

_PRAGMA = re.compile(rb"#[ \t]*pragma\b[ \t]*")


class PragmaMacros(Rule):
    """nvcc preprocesses a source before it reads the pragmas, so a macro can expand to `#pragma unroll`. clang reads a
    `#` that comes out of a macro as a stray character; `_Pragma("unroll")` works for both.

    moderngpu unrolls its loops by such a macro.
    """

    id = "pragma-macro"
    triggers = facts(Fact.DEFINES) & texts("pragma")
    VALID = (
        Example('#define UNROLL _Pragma("unroll")\n__global__ void k() {}'),
        Example("#define TEXT(x) #x\n#pragma once\n__global__ void k() {}"),
    )
    INVALID = (
        Example(
            "#define UNROLL #pragma unroll 4 // times\n__global__ void k(int *p) {\n  UNROLL\n"
            "  for (int i = 0; i < 8; ++i) p[i] = 0;\n}",
            '#define UNROLL _Pragma("unroll 4") // times\n__global__ void k(int *p) {\n  UNROLL\n'
            "  for (int i = 0; i < 8; ++i) p[i] = 0;\n}",
        ),
    )

    def apply(self, unit: Unit) -> Iterator[CompositeEdit]:
        if unit.is_hip:
            return
        for macro in macros_of(unit).all():
            match = _PRAGMA.match(unit.source.data, macro.start, macro.end)
            if match is not None and macro.parameters is None:
                text = b" ".join(unit.lexemes.code(match.end(), macro.end).replace(b"\\\n", b" ").split())
                quoted = text.replace(b"\\", b"\\\\").replace(b'"', b'\\"')
                yield replaced(macro.start, macro.end, b'_Pragma("%s")' % quoted)
