"""Finds out what a converted source uses of a support header that is gone."""

from __future__ import annotations

import re
from functools import cache

from hipify_py.support_header.header import section_names, section_text

_QUALIFIED = re.compile(r"\bhipify\s*::\s*((?:\w+\s*::\s*)*\w+)")
_MACRO = re.compile(r"\bHIPIFY_\w+")
_WORD = re.compile(r"\b[A-Za-z_]\w*\b")
_DEFINED = re.compile(r"\b([A-Za-z_]\w*)\s*\(|\b(?:struct|class|enum|define|using)\s+(?:::)?(?:\w+::)*(\w+)")
_MADE_BY_MACRO = re.compile(r"^HIPIFY_\w+\((.*)\)$", re.MULTILINE)


def used_sections(source: str) -> frozenset[str]:
    """The sections that define a name which the source takes from the support header.

    They may be more than the source needs, as several define some names; without the header it does not compile.
    """
    qualified = {word for match in _QUALIFIED.finditer(source) for word in _WORD.findall(match[1])}
    own, words = qualified | set(_MACRO.findall(source)), set(_WORD.findall(source))
    return frozenset(
        name for name in section_names() if _defined_names(name) & (own if _is_in_namespace(name) else words)
    )


def _is_in_namespace(section: str) -> bool:
    return "namespace hipify" in section_text(section)


@cache
def _defined_names(section: str) -> frozenset[str]:
    text = section_text(section)
    by_macro = {word for arguments in _MADE_BY_MACRO.findall(text) for word in _WORD.findall(arguments)}
    return frozenset(function or other for function, other in _DEFINED.findall(text)) | by_macro
