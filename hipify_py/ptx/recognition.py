"""Distinguishes inline PTX from the assembly of other machines."""

from __future__ import annotations

import re

from hipify_py.ptx.catalog import PtxCatalog
from hipify_py.ptx.instructions import opcodes
from hipify_py.ptx.statement import Statement

_BARE = frozenset({"trap", "exit", "brkpt", "bra"})
_TYPED = re.compile(r"\.(?:pred|[busf](?:8|16|32|64|128)|f16x2|bf16|bf16x2)(?!\w)")
_PLACE = re.compile(r"%[0-9\[]")
_PTX_CONSTRAINT = re.compile(r"[=+&%]*(?:[hrlfdnqC]|[0-9]+|\{\w+\})")
_ARITHMETIC = "abs add and div fma ld max min mov mul neg not or rem shl shr sqrt st sub xor"
_SHARED = frozenset(_ARITHMETIC.split())
_TYPED_OPERANDS = re.compile(r"\.(?:[bsuf](?:8|16|32|64)|b?f16x2|bf16|pred)[\s\[{][^;%]{0,80}%")
_DECLARATION = re.compile(r"\s*\{?\s*\.reg\s*\.")
_TYPE = re.compile(r"[bsuf]\d+(?:x\d+)?|pred|bf16(?:x2)?|cc|[et]\w*\d\w*")


def is_ptx(statement: Statement, catalog: PtxCatalog) -> bool:
    """PTX names a type after each instruction, and has constraints of its own; other assembly stays."""
    if any(_PTX_CONSTRAINT.fullmatch(operand.constraint) is None for operand in statement.operands):
        return False
    if statement.trouble and statement.operands and _TYPED_OPERANDS.search(statement.template) is not None:
        return True  # a macro pastes the instruction: asm(op ".f32 %0, %1;" ...)
    named = opcodes(statement.template)
    is_known = [
        catalog.has_mnemonic(name) and ("." in name or name in _BARE) and not _is_a_cpus(name) for name in named
    ]
    if any(is_known) or _DECLARATION.match(statement.template) is not None:
        return True
    return bool(named) and all("." in name for name in named) and ".reg" in statement.template


def may_be_ptx(statement: Statement, data: bytes) -> bool:
    """Whether a pasted template may be PTX: it cannot be looked up, but has PTX types, or is in device code."""
    if any(_PTX_CONSTRAINT.fullmatch(operand.constraint) is None for operand in statement.operands):
        return False
    if _TYPED.search(statement.template):
        return True
    return bool(_PLACE.search(statement.template)) and (b"__device__" in data or b"__global__" in data)


def _is_a_cpus(opcode: str) -> bool:
    """Whether processors have the mnemonic as well, without a type of PTX's: `mov.m.x` of RISC-V, `add.w` of Arm."""
    root, *suffixes = opcode.split(".")
    return root in _SHARED and not any(_TYPE.fullmatch(suffix) for suffix in suffixes)
