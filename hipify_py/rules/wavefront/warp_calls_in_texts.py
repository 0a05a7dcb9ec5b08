"""Reports warp built-ins in texts that are put together as device code at run time."""

from __future__ import annotations

from collections.abc import Iterator

from hipify_py.findings import Finding
from hipify_py.patterns import lazy
from hipify_py.rules.base import Example, Rule
from hipify_py.rules.triggers import texts
from hipify_py.unit import Unit

_CALL = lazy(rb"(__(?:shfl|ballot|any|all|match_any|match_all|reduce)\w*_sync)\s*\(\s*[^\s\"(),][^\"(),]*,")
_IN_WORD = lazy(rb"\w")


class WarpCallsInTexts(Rule):
    """A text that calls a warp built-in is device code for run-time compilation, which nobody translates.

    A raw string with a whole kernel is translated like a file; a macro or a statement in quotes is not: what it
    stands in is known at run time only. Its mask has 32 bits, which HIP's built-ins do not take, and its lanes are
    those of a wavefront.
    """

    id = "HIP330"
    triggers = texts("_sync")
    VALID = (
        Example('const char *text = "__shfl_sync() failed";'),
        Example('// "__shfl_sync(m, v, 0)"\n__device__ int f(int v) { return __shfl(v, 0, 32); }'),
        Example('void f(const char *text) { text = "__shfl_sync (see below), __syncwarp"; }'),
    )
    INVALID = (
        Example(
            'void f(Defines &d) { d["VOTE(p)"] = "__ballot_sync(0xffffffff, p)"; }',
            'void f(Defines &d) { d["VOTE(p)"] = "__ballot_sync(0xffffffff, p)"; }',
            ("HIP330",),
        ),
    )

    def apply(self, unit: Unit) -> Iterator[Finding]:
        data, lexemes = unit.source.data, unit.lexemes
        raw = {string.start for string in lexemes.raw_strings}
        told: set[int] = set()
        for call in _CALL.finditer(data):
            literal = lexemes.non_code_at(call.start()) if not _IN_WORD.match(data, call.start() - 1) else None
            if literal is None or data[literal[0]] != 0x22 or literal[0] in raw | told:
                continue
            told.add(literal[0])
            yield unit.finding("HIP330", call.start(1), name=call[1].decode(), library="device")
