"""Generates the pattern of the prefilter: how the names of the tables begin."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from pathlib import Path

from hipify_py.catalog import Row, load_catalog

TARGET = Path(__file__).parents[2] / "hipify_py" / "frontend" / "prefilter_table.py"
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
_Node = dict[str, "_Node"]


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
    is_changed = not row.is_native or row.library == "device" or "warp32" in row.details
    return not row.is_standard and row.kind != "member" and is_changed


def pattern(texts: Iterable[str]) -> list[str]:
    """A regular expression for the beginnings of words, in lines: a tree over their letters.

    A line holds a branch of the tree, so that a new name changes the lines of its own branch.

    Args:
        texts: the names. `*` ends one behind which anything may follow, `+` one that a capital letter follows.
    """
    root: _Node = {}
    for text in texts:
        node = root
        for letter in text.rstrip("*+"):
            node = node.setdefault(letter, {})
        node[text[-1] if text[-1] in "*+" else "$"] = {}
    return _lines(root, "", "")


def _lines(node: _Node, path: str, lead: str) -> list[str]:
    """The lines of a node's expression, the first of which begins with some text."""
    branches, ends = _branches(node, path)
    if len(branches) + len(ends) == 1 and branches:
        letter, inner = branches[0]
        return _lines(inner, path + letter, lead + re.escape(letter))
    if len(branches) + len(ends) < 2:
        return [lead + "".join(ends)]
    found = [lead + "(?:"]
    for letter, inner in branches:
        found += _lines(inner, path + letter, re.escape(letter))
        found[-1] += "|"
    found += [end + "|" for end in ends]
    found[-1] = found[-1][:-1] + ")"
    joined = "".join(found)
    return [joined] if len(joined) <= _WIDTH else found


def _branches(node: _Node, path: str) -> tuple[list[tuple[str, _Node]], list[str]]:
    """The letters that may follow, with their nodes, and what else ends an expression there."""
    is_telling = len(path) >= (_SHORTEST if path.startswith(_OWN) else _SHORTEST_OF_OTHERS)
    if "*" in node or (is_telling and _size(node) >= _SEVERAL):
        return [], []
    ends = [r"\b" if _WORD.match(path[-1:]) else ""] if "$" in node else []
    if "+" in node:
        ends.insert(0, "[A-Z]")
    return [(letter, inner) for letter, inner in sorted(node.items()) if letter not in "$+"], ends


def _size(node: _Node) -> int:
    inner = sum(_size(inner) for letter, inner in node.items() if letter not in "$+")
    return inner + ("$" in node) + ("+" in node)


def module() -> str:
    """The text of the generated module."""
    body = "\n".join(f"    {json.dumps(line)}" for line in pattern(wanted()))
    return (
        '"""How the names of the tables begin. Generated: python tools/update_prefilter.py"""\n\n'
        f"NAME_PREFIXES = (\n{body}\n)\n"
    )
