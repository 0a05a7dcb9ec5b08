"""Which library a header or a name belongs to, and which names of the headers are for programs to use."""

from __future__ import annotations

import re
from pathlib import Path

import yaml

_LIBRARIES = Path(__file__).with_name("libraries.yaml")


def is_public_header(header: str) -> bool:
    """True for a header whose names programs may use."""
    return not any(re.match(rule["header"], header) for rule in _rules()["private"])


def is_public_reserved(header: str, name: str) -> bool:
    """True for a name of a form that C++ reserves and the header gives to programs all the same: `__shfl_sync`."""
    return any(re.match(rule["header"], header) and not re.match(rule["not"], name) for rule in _rules()["reserved"])


def library_of_header(header: str, side: str) -> str:
    """The library that a header belongs to (CUDA: the table; ROCm: the folder), or nothing."""
    if side == "rocm":
        folder, slash, _ = header.partition("/")
        return folder if slash else ""
    return _first_match(_rules()["cuda"], "header", header)


def library_of_name(name: str) -> str:
    """The part of ROCm that a HIP or ROCm name belongs to, by its beginning."""
    return _first_match(_rules()["rocm"], "name", name) or "hip"


_rule_cache: dict[str, list[dict[str, str]]] = {}


def _rules() -> dict[str, list[dict[str, str]]]:
    if not _rule_cache:
        _rule_cache.update(yaml.safe_load(_LIBRARIES.read_text(encoding="utf-8")))
    return _rule_cache


def _first_match(rules: list[dict[str, str]], key: str, text: str) -> str:
    return next((rule["library"] for rule in rules if re.match(rule[key], text)), "")
