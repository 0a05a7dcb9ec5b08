"""Tells where a name stands as a constant: an array bound, a template argument, a case label."""

from __future__ import annotations

import re

_NEEDS_CONSTANT = re.compile(
    rb"(?:\b(?:__shared__|__constant__|static)\b[^;{}()=]*\[[^\];{}]*|\bcase\b[^:;{}]*|\bstatic_assert\s*\([^;{}]*"
    rb"|\bconstexpr\b[^;{}()]*[={][^;{}]*|__launch_bounds__\s*\([^;{}()]*|\b(?P<template>\w+)\s*<\s*(?:[\w:]+\s*,\s*)*)\Z"
)
_ENDS_TEMPLATE = re.compile(rb"\s*(?:[*/+-]\s*\d+\s*)?(?:,[^;(){}<>=]*)?>\s*[({:\w]")
_LONGEST_HEAD = 200  # bytes looked at in front of the name


def is_constant_use(data: bytes, start: int, end: int) -> bool:
    """The name at `[start, end)` stands where the compiler needs a constant."""
    needed = _NEEDS_CONSTANT.search(data, max(start - _LONGEST_HEAD, 0), start)
    if needed is None:
        return False
    return needed["template"] is None or _ENDS_TEMPLATE.match(data, end) is not None
