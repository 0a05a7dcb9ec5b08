"""What a user chooses of a translation."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import NamedTuple

from hipify_py.catalog.targeting import NEWEST, Targeting
from hipify_py.support_header import HEADER

ROOT, BESIDE = "root", "beside"
"""Where a run puts the support header: one at the root of a tree, or one in each folder that uses it."""

LAUNCHES = ("ggl", "chevron")
"""How kernel launches are written: `hipLaunchKernelGGL(...)`, or as they are."""

AUTO, ON, OFF = "auto", "on", "off"
"""Whether libclang is asked about what sources leave open: where it is there, in any case, or never."""

SEMANTICS = (AUTO, ON, OFF)

SEMANTICS_VARIABLE = "HIPIFY_PY_SEMANTICS"
"""One of these for commands, where neither the command line nor a configuration says."""

WARPS = "wavefront"
"""The fix that keeps a program's warps at 32 lanes, on wavefronts of 64 lanes as well."""

GROUPS = (WARPS, "warp-size")
"""Fixes that a conversion applies to a whole program: warps of 32 lanes, which is exact; and in HIP code, `warpSize`
where a constant is needed."""

DEFAULT_FIXES = frozenset({WARPS})
"""The groups whose fixes are exact and leave HIP alone: they are applied unless the user does without."""


class FileIgnores(NamedTuple):
    """Findings that a project does not want to see in some of its files.

    Attributes:
        folder: the absolute path that the patterns are seen from.
        patterns: patterns as in `.gitignore`, each with the ids that are suppressed where it fits.
    """

    folder: str = ""
    patterns: tuple[tuple[str, frozenset[str]], ...] = ()


class Options(NamedTuple):
    """A user's choices. What the rest of the project says is a `ProjectContext`.

    Attributes:
        launch: `"ggl"` writes launches as `hipLaunchKernelGGL(...)`, `"chevron"` keeps `<<<...>>>`.
        experimental: use HIP names that AMD marks as experimental.
        dual: write sources that serve NVIDIA GPUs as well, keep NVIDIA's builds, and let build files choose.
        annotate: write findings into the output, as comments above their lines.
        ignore: ids of findings that are suppressed everywhere.
        file_ignores: those that are suppressed in some files.
        unselected: ids of findings that are none to the user: neither reported nor suppressed.
        severities: by id, the severities that findings have in place of those of their kind.
        targeting: the versions of CUDA and ROCm, the target libraries, and further mapping tables.
        support: use the support header where plain HIP has no short form; findings take its place otherwise.
        support_header: the path by which the source is to include it.
        support_place: where a run puts it: `"root"` of the tree, or `"beside"` each file that includes it.
        fixes: what is mended: groups of `GROUPS`, and ids of findings whose own fixes are applied.
        offered: ids of findings that are reported with their fixes, also where a group would mend them.
        declined: findings whose fixes are not applied, as (path, id, offset).
        compile_commands: the compilation database that says how the sources are compiled; empty for those of the trees.
        semantics: whether libclang is asked about what a source leaves open: `"auto"`, `"on"` or `"off"`.
        implicit_runtime: add `<hip/hip_runtime.h>` where nvcc would have included its runtime itself.
    """

    launch: str = "ggl"
    experimental: bool = False
    support: bool = True
    support_header: str = HEADER
    support_place: str = ROOT
    fixes: frozenset[str] = DEFAULT_FIXES
    offered: frozenset[str] = frozenset()
    declined: frozenset[tuple[str, str, int]] = frozenset()
    implicit_runtime: bool = True
    annotate: bool = False
    dual: bool = False
    ignore: frozenset[str] = frozenset()
    file_ignores: FileIgnores = FileIgnores()
    unselected: frozenset[str] = frozenset()
    severities: tuple[tuple[str, str], ...] = ()
    targeting: Targeting = NEWEST
    compile_commands: str = ""
    semantics: str = OFF

    def mends(self, group: str, id: str) -> bool:
        """A group's fixes are applied to findings of an id, which are mended or reported by themselves otherwise."""
        return group in self.fixes and id not in self.fixes and id not in self.offered


DEFAULT_OPTIONS = Options()


def default_semantics(environment: Mapping[str, str] | None = None) -> str:
    """What commands go by where nothing is said of `semantics`: what the environment says, or `"auto"`.

    Raises:
        ValueError: when the environment says something else than one of `SEMANTICS`.
    """
    said = (os.environ if environment is None else environment).get(SEMANTICS_VARIABLE, "") or AUTO
    if said not in SEMANTICS:
        raise ValueError(f"{said} is not one of {', '.join(SEMANTICS)}")
    return said
