"""Arithmetic on `CUdeviceptr` variables."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hipify_py.edits import Edit
from hipify_py.frontend.brackets import match_forward
from hipify_py.rules.base import Example, Rule
from hipify_py.semantics.variables import Variables
from hipify_py.unit import Unit

_TYPE = b"CUdeviceptr"


class DevicePointers(Rule):
    """`CUdeviceptr` is an unsigned number, `hipDeviceptr_t` a `void *`, with which C++ does no arithmetic.

    Where a variable of that type, or what a function of the source returns of it, is added to or subtracted from, it is
    cast to `char *`: bytes, as before.
    """

    id = "device-pointers"
    VALID = (Example("int f(int p) { return p + 1; }"),)
    INVALID = (
        Example(
            "void f(CUdeviceptr p) { g(p + 16); }",
            "void f(hipDeviceptr_t p) { g((char *)p + 16); }",
        ),
        Example(
            "void f(CUdeviceptr p, int n) { p += n * 4; }",
            "void f(hipDeviceptr_t p, int n) { p = (char *)p + (n * 4); }",
        ),
        Example(
            "struct V { CUdeviceptr at() const; void *end() { return g(this->at() + n); } size_t n; };",
            "struct V { hipDeviceptr_t at() const; void *end() { return g((char *)this->at() + n); } size_t n; };",
        ),
    )

    def apply(self, unit: Unit) -> Iterator[Edit]:
        variables = Variables(unit, frozenset({_TYPE}), functions=True)
        if not variables:
            return
        data, lexemes = unit.source.data, unit.lexemes
        uses = re.compile(rb"(?<![\w.>])(?:this->)?(" + variables.pattern + rb")\b(?:\[\w+\])?")
        for use in uses.finditer(data):
            if lexemes.non_code_at(use.start()) is not None or variables.type_at(use[1], use.start()) is None:
                continue
            after = _after_call(unit, use.end())
            before = lexemes.before(use.start())
            if data[before : before + 1] in (b")", b"&", b"*", b"~") or lexemes.word_before(use.start()) == _TYPE:
                continue  # cast, its address, or its declaration
            sign, pair = data[after : after + 1], data[after : after + 2]
            if pair in (b"+=", b"-="):
                end = data.find(b";", after)
                value = data[after:end]
                if value.count(b"(") != value.count(b")") or data[before : before + 1] not in (b";", b"{", b"}"):
                    continue
                start = lexemes.after(after + 2)
                yield Edit(after, start, b"= (char *)" + use[0] + b" " + sign + b" (")
                yield Edit(end, end, b")")
            elif (sign in (b"+", b"-") and pair not in (b"++", b"--", b"->")) or _is_added(data, before):
                yield Edit(use.start(), use.start(), b"(char *)")


def _after_call(unit: Unit, end: int) -> int:
    """The next code behind a name, or behind its arguments where it is called."""
    after = unit.lexemes.after(end)
    if unit.source.data[after : after + 1] != b"(":
        return after
    call = match_forward(unit.lexemes, after, len(unit.source.data))
    return after if call is None else unit.lexemes.after(call[0] + 1)


def _is_added(data: bytes, place: int) -> bool:
    """The `+` or `-` at a place has a left operand."""
    left = data[max(place - 20, 0) : max(place, 0)].rstrip()[-1:]
    return data[place : place + 1] in (b"+", b"-") and (left.isalnum() or left in (b")", b"]", b"_"))
