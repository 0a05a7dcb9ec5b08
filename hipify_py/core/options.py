"""A user's options for a translation."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import NamedTuple

from hipify_py.core.targeting import NEWEST, Targeting

ROOT, BESIDE = "root", "beside"
"""Where a run puts the support header: at the root of a tree, or in each folder that uses it."""

LAUNCHES = ("ggl", "chevron")
"""How kernel launches are written: `hipLaunchKernelGGL(...)`, or unchanged."""

AUTO, ON, OFF = "auto", "on", "off"
"""Whether libclang is asked about doubts that sources leave: if it is available, always, or never."""

SEMANTICS = (AUTO, ON, OFF)

SEMANTICS_VARIABLE = "HIPIFY_PY_SEMANTICS"
"""The environment variable for commands, if neither the command line nor a configuration sets the option."""

WARPS = "wavefront"
"""The fix that keeps a program's warps at 32 lanes, even on wavefronts of 64 lanes."""

GROUPS = (WARPS, "warp-size")
"""Fixes that a conversion applies to a whole program: 32-lane warps, which is exact; and in HIP code, `warpSize` where
a constant is required."""

DEFAULT_FIXES = frozenset({WARPS})
"""The groups whose fixes are exact and do not change HIP code; applied unless the user declines them."""

SUPPORT_HEADER = "hipify_support.hpp"
"""The name of the support header's file, wherever it is written."""

NVCC_HEADERS = "nvcc-include"
"""The folder for the headers that let nvcc compile the output of `--dual`."""


class FileIgnores(NamedTuple):
    """Findings that a project suppresses in some of its files.

    Attributes:
        folder: the absolute path to which the patterns are relative.
        patterns: patterns as in `.gitignore`, each with the ids that are suppressed in matching files.
    """

    folder: str = ""
    patterns: tuple[tuple[str, frozenset[str]], ...] = ()


class Options(NamedTuple):
    """A user's options. Facts from the rest of the project are in a `ProjectContext`.

    Attributes:
        launch: `"ggl"` writes launches as `hipLaunchKernelGGL(...)`, `"chevron"` keeps `<<<...>>>`.
        experimental: use HIP names that AMD marks as experimental.
        dual: write sources that also work on NVIDIA GPUs, keep NVIDIA's builds, and let build files choose.
        annotate: write findings into the output, as comments above their lines.
        ci_files: translate CI jobs and Dockerfiles, which are only reported otherwise.
        ignore: ids of findings that are suppressed everywhere.
        file_ignores: findings that are suppressed in some files.
        unselected: ids of findings that the user deselects: neither reported nor suppressed.
        severities: by id, severities that replace those of the kinds of findings.
        targeting: the versions of CUDA and ROCm, the target libraries, and further mapping tables.
        support: use the support header where plain HIP has no short form; otherwise, report findings instead.
        support_header: the path by which the source includes it.
        support_place: where a run puts it: `"root"` of the tree, or `"beside"` each file that includes it.
        fixes: the fixes to apply: groups of `GROUPS`, and ids of findings whose own fixes are applied.
        offered: ids of findings that are reported with their fixes, even if a group would fix them.
        declined: findings whose fixes are not applied, as (path, id, offset).
        compile_commands: the compilation database of the sources; empty for those of the trees.
        semantics: whether libclang is asked about the doubts that a source leaves: `"auto"`, `"on"` or `"off"`.
        implicit_runtime: add `<hip/hip_runtime.h>` where nvcc would include its runtime implicitly.
    """

    launch: str = "ggl"
    experimental: bool = False
    support: bool = True
    support_header: str = SUPPORT_HEADER
    support_place: str = ROOT
    fixes: frozenset[str] = DEFAULT_FIXES
    offered: frozenset[str] = frozenset()
    declined: frozenset[tuple[str, str, int]] = frozenset()
    implicit_runtime: bool = True
    annotate: bool = False
    ci_files: bool = False
    dual: bool = False
    ignore: frozenset[str] = frozenset()
    file_ignores: FileIgnores = FileIgnores()
    unselected: frozenset[str] = frozenset()
    severities: tuple[tuple[str, str], ...] = ()
    targeting: Targeting = NEWEST
    compile_commands: str = ""
    semantics: str = OFF

    def mends(self, group: str, id: str) -> bool:
        """Whether a group's fixes are applied to findings of an id; otherwise each is fixed or reported by itself."""
        return group in self.fixes and id not in self.fixes and id not in self.offered


DEFAULT_OPTIONS = Options()


def default_semantics(environment: Mapping[str, str] | None = None) -> str:
    """The value of `semantics` for commands that do not set it: from the environment, or `"off"`.

    Raises:
        ValueError: if the value in the environment is not one of `SEMANTICS`.
    """
    value = (os.environ if environment is None else environment).get(SEMANTICS_VARIABLE, "") or OFF
    if value not in SEMANTICS:
        raise ValueError(f"{value} is not one of {', '.join(SEMANTICS)}")
    return value
