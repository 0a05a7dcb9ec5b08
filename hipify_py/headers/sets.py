"""The sets of headers that can be fetched: what wheels of the package index they are made of, and what is in them."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from hipify_py.headers.places import numbers

_SETS = Path(__file__).with_name("header_sets.yaml")
_DIGESTS = Path(__file__).with_name("digests.yaml")

FOR_PARSING = ("clang", "cuda", "hip")
"""The sides of the sets that parsing needs; those of `rocm` are for the verification of the tables alone."""

TITLES = {"clang": "clang", "cuda": "CUDA", "hip": "HIP", "rocm": "ROCm"}
"""What the sides are called."""

LICENCES = {
    "clang": ("Apache-2.0 WITH LLVM-exception", "https://llvm.org/LICENSE.txt"),
    "cuda": ("NVIDIA's, which applies to whoever fetches them", "https://docs.nvidia.com/cuda/eula/"),
    "hip": ("MIT", "https://github.com/ROCm/hip/blob/develop/LICENSE.md"),
}
"""By side, the licence of its headers, and its address; the licence files in the wheels are kept too."""


class SetError(RuntimeError):
    """There is no such set."""


class HeaderSet(NamedTuple):
    """One version of one side: where its headers come from; a `minor` one only tells when symbols came.

    Attributes:
        wheels: by project, or another name where one project has two wheels in the set, what is taken.
    """

    name: str
    side: str
    version: str
    wheels: dict[str, dict[str, str]]
    minor: bool = False


def header_sets(names: tuple[str, ...] = (), sides: tuple[str, ...] = ("cuda", "rocm")) -> list[HeaderSet]:
    """The header sets of some sides, all of them or the named ones.

    Raises:
        SetError: for a name that is none of them.
    """
    sets = {name: header_set for name, header_set in _all().items() if header_set.side in sides}
    strange = [name for name in names if name not in sets]
    if strange:
        raise SetError(f"unknown header set {', '.join(strange)}; the header sets are {', '.join(sets)}")
    return [sets[name] for name in names] if names else list(sets.values())


def for_parsing(side: str) -> list[HeaderSet]:
    """The sets of a side that programs are parsed with, the newest first."""
    sets = [found for found in header_sets(sides=(side,)) if not found.minor]
    return sorted(sets, key=lambda found: numbers(found.version), reverse=True)


def nearest(side: str, version: str) -> HeaderSet:
    """The set of a version, else the next newer one with the same first number, else the newest of that number.

    Raises:
        SetError: when there is none of that number.
    """
    wanted = numbers(version)
    sets = for_parsing(side)
    alike = [found for found in sets if wanted and numbers(found.version)[0] == wanted[0]]
    if not alike:
        raise SetError(
            f"there are no headers of {TITLES[side]} {version}; there are {', '.join(s.version for s in sets)}"
        )
    newer = [found for found in alike if numbers(found.version)[: len(wanted)] >= wanted]
    return newer[-1] if newer else alike[0]


@cache
def digests() -> dict[str, dict[str, str]]:
    """By set and wheel, the digest of what is taken from it (`fetch.digest_of`)."""
    loaded: dict[str, dict[str, str]] = yaml.safe_load(_DIGESTS.read_text(encoding="utf-8")) or {}
    return loaded


@cache
def _all() -> dict[str, HeaderSet]:
    document: dict[str, Any] = yaml.safe_load(_SETS.read_text(encoding="utf-8"))
    return {name: HeaderSet(name, **fields) for name, fields in document.items()}
