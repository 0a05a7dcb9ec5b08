"""Generates the pattern of the prefilter: how the names of the tables begin."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from pathlib import Path

from hipify_py.catalog import Row, load_catalog

TARGET = Path(__file__).parents[2] / "hipify_py" / "frontend" / "beginnings.py"
"""The generated module."""

_OWN = (
    "cu",
    "CU",
    "nv",
    "NV",
    "Nv",
    "ncc",
    "NCC",
    "npp",
    "NPP",
    "__",
    "Opti",
    "OPTI",
    "opti",
    "thrus",
    "THRUS",
    "CUTL",
)
"""How the names of CUDA's libraries begin, and few others do."""
_SHORTEST, _SHORTEST_OF_OTHERS = 5, 9
"""Letters of a beginning that says enough to stand for several names: shorter ones begin words of any program."""
_SEVERAL = 2
"""Names that must share a beginning for it to stand for all of them; rarer names stand whole."""
_KEYWORDS = ("__global__", "__device__", "__host__", "__shared__", "__constant__", "__managed__", "__launch_bounds__")
_WORD = re.compile(r"\w")
_WIDTH = 100


def wanted() -> list[str]:
    """What a source must be looked at for: names, headers and prefixes of the tables that HIP has otherwise."""
    catalog = load_catalog()
    names = {row.name for row in catalog.rows() if _matters(row)}
    families = {family.prefix for family in catalog.families}
    candidates = map(_continued, catalog.candidate_prefixes)
    return sorted(names | {f"{prefix}*" for prefix in families}.union(candidates, _KEYWORDS))


def _continued(prefix: str) -> str:
    """`cu` begins a library's name where a capital letter follows, `CU` where an underscore does."""
    return prefix + ("+" if prefix[-1].islower() else "_*" if prefix[-1].isupper() else "*")


def _matters(row: Row) -> bool:
    """Also of what HIP has as it is: device code needs HIP's header, where nvcc includes CUDA's by itself."""
    return not row.is_standard and row.kind != "member" and (not row.is_native or row.library == "device" or "warp32" in row.details)


def pattern(texts: Iterable[str]) -> str:
    """A regular expression for the beginnings of words: a tree over their letters.

    `*` ends a text behind which anything may follow, `+` one that a capital letter follows.
    """
    root: dict[str, object] = {}
    for text in texts:
        node = root
        for letter in text.rstrip("*+"):
            node = node.setdefault(letter, {})  # type: ignore[assignment]
        node[text[-1] if text[-1] in "*+" else "$"] = {}
    return _expression(root, "")


def _expression(node: dict[str, object], path: str) -> str:
    is_telling = len(path) >= (_SHORTEST if path.startswith(_OWN) else _SHORTEST_OF_OTHERS)
    if "*" in node or (is_telling and _size(node) >= _SEVERAL):
        return ""
    ends = [r"\b" if _WORD.match(path[-1:]) else ""] if "$" in node else []
    if "+" in node:
        ends.insert(0, "[A-Z]")
    parts = [
        re.escape(letter) + _expression(inner, path + letter)  # type: ignore[arg-type]
        for letter, inner in sorted(node.items())
        if letter not in "$+"
    ]
    parts += ends
    return parts[0] if len(parts) == 1 else "(?:" + "|".join(parts) + ")"


def _size(node: dict[str, object]) -> int:
    inner = sum(_size(inner) for letter, inner in node.items() if letter not in "$+")  # type: ignore[arg-type,misc]
    return inner + ("$" in node) + ("+" in node)


def module() -> str:
    """The text of the generated module."""
    text = pattern(wanted())
    lines = [text[at : at + _WIDTH] for at in range(0, len(text), _WIDTH)]
    body = "\n".join(f"    {json.dumps(line)}" for line in lines)
    return (
        '"""How the names of the tables begin. Generated: python tools/update_prefilter.py"""\n\n'
        f"BEGINNINGS = (\n{body}\n)\n"
    )
