"""The modifiers of an opcode in the order of the tables; the assembler accepts them in others as well."""

from __future__ import annotations

import re

_STEMS = frozenset({"atom", "red", "ld", "st", "vote", "cvt", "fma", "add", "sub", "mul", "min", "max"})
_ORDERS = frozenset({"relaxed", "acquire", "release", "acq_rel"})
_SCOPES = frozenset({"cta", "cluster", "gpu", "sys"})
_RANKS = (
    re.compile(r"weak|volatile|mmio|relaxed|acquire|release|acq_rel|sync|r[nzmp]i?|rna|async"),
    re.compile(r"cta|cluster|gpu|sys"),
    re.compile(r"(?:global|shared|local|const|param)(?:::\w+)?"),
    re.compile(r"nc|ftz"),
    re.compile(r"c[agsv]|lu|w[bt]|sat(?:finite)?"),
    re.compile(r"L1::\w+|relu"),
    re.compile(r"L2::evict_\w+|NaN"),
    re.compile(r"L2::cache_hint|xorsign"),
    re.compile(r"L2::\d+B|abs"),
    re.compile(r"add|inc|dec|min|max|and|or|xor|exch|cas|any|all|uni|ballot"),
    re.compile(r"noftz"),
    re.compile(r"v[248]"),
)


def sort_modifiers(opcode: str) -> str:
    """The opcode with its modifiers in the tables' order; an atomic operation's order and scope are explicit."""
    stem, *modifiers = opcode.split(".")
    if stem not in _STEMS:
        return opcode
    if stem in ("atom", "red"):
        if not _ORDERS & set(modifiers):
            modifiers.append("relaxed")
        if not _SCOPES & set(modifiers):
            modifiers.append("gpu")
    return ".".join([stem, *sorted(modifiers, key=_rank)])


def _rank(modifier: str) -> int:
    return next((rank for rank, words in enumerate(_RANKS) if words.fullmatch(modifier)), len(_RANKS))
