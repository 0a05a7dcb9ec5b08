"""Signatures as text: `result (type, type)`, taken apart at the right places."""

from __future__ import annotations

import re


def split_arguments(text: str) -> list[str]:
    """Split at the commas outside of brackets."""
    parts: list[str] = []
    depth = start = 0
    for place, char in enumerate(text):
        if char in "([<":
            depth += 1
        elif char in ")]>":
            depth -= 1
        elif char == "," and not depth:
            parts.append(text[start:place].strip())
            start = place + 1
    last = text[start:].strip()
    return [*parts, last] if last else parts


def split_signature(signature: str) -> tuple[str, list[str]]:
    """The result type and the parameter types; defaults stay marked with ` =`."""
    text = signature.removeprefix("template ").strip()
    text = re.sub(r"\s*(const|noexcept|throw\(\)|->[^()]*)$", "", text)
    depth = 0
    for place in range(len(text) - 1, -1, -1):
        depth += {")": 1, "(": -1}.get(text[place], 0)
        if not depth:
            break
    parameters = split_arguments(text[place + 1 : -1])
    return text[:place].strip(), [] if parameters == ["void"] else parameters
