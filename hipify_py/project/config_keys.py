"""What a configuration can say: every key, once, for the program, its help, the JSON schema and the documentation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from hipify_py.catalog.installed import NEWEST_WORD
from hipify_py.catalog.presets import PRESETS
from hipify_py.catalog.targeting import HIP, OLDEST_ROCM, ROC
from hipify_py.core.findings import NEVER, SEVERITIES
from hipify_py.core.options import AUTO, BESIDE, DEFAULT_FIXES, LAUNCHES, OFF, ON, ROOT, SEMANTICS
from hipify_py.project.config_kinds import (
    COUNT_BY_EFFORT,
    COVERAGE,
    FIXES,
    IDS,
    IDS_BY_PATTERN,
    PATTERNS,
    PLACE,
    PLACE_OR_PLACES,
    PLACES,
    SEVERITY_BY_ID,
    SWITCH,
    Kind,
    one_of,
    some_of,
    version_from,
)

REPLACED, ADDED, BY_ENTRY = "replaced", "added", "by entry"
"""What a file does to what the files say that it extends: its value takes the place of theirs, is added to it, or does
either entry by entry of a table."""


class Key(NamedTuple):
    """A key of the configuration.

    Attributes:
        kind: what values it takes.
        says: what it is for, in a sentence or several.
        example: a value.
        default: what holds where nothing is said; None where `unset` tells it.
        unset: what it means that nothing is said, where no value means the same.
        meanings: what each of its choices means.
        extended: what becomes of what extended files say.
    """

    kind: Kind
    says: str
    example: Any
    default: Any = None
    unset: str = ""
    meanings: Mapping[str, str] = {}
    extended: str = REPLACED


_IDS = "An id (HIP301), a prefix (HIP3) or ALL."

KEYS: Mapping[str, Key] = {
    "extend": Key(
        PLACE_OR_PLACES,
        "The configuration that this one extends, or several; later ones override earlier ones, and this file"
        " overrides all of them.",
        "../hipify-py.toml",
        unset="no other file",
    ),
    "cuda": Key(version_from(), "The CUDA version of the sources.", "12.6", unset="the newest"),
    "rocm": Key(
        version_from(OLDEST_ROCM, NEWEST_WORD),
        "The ROCm version to compile with.",
        "6.4",
        unset="the installed one, otherwise the newest",
    ),
    "target": Key(
        one_of([HIP, ROC]),
        "Portable libraries (hipBLAS …), or ROCm's own (rocBLAS …).",
        ROC,
        HIP,
        meanings={HIP: "The portable libraries: hipBLAS, hipSPARSE …", ROC: "ROCm's own: rocBLAS, rocSPARSE …"},
    ),
    "preset": Key(
        some_of(PRESETS),
        "A built-in mapping table for a framework.",
        ["pytorch"],
        [],
        meanings={"pytorch": "Names and headers of PyTorch's extensions, in all sources."},
    ),
    "mappings": Key(PLACES, "Your own mapping table; its rows take precedence.", ["tools/ours.yaml"], []),
    "experimental": Key(SWITCH, "Use HIP names that AMD marks as experimental.", True, False),
    "launch": Key(
        one_of(LAUNCHES),
        "Write launches as hipLaunchKernelGGL(...), or keep <<<...>>>.",
        "chevron",
        "ggl",
        meanings={"ggl": "hipLaunchKernelGGL(kernel, grid, block, …).", "chevron": "kernel<<<grid, block>>>(…)."},
    ),
    "annotate": Key(SWITCH, "Write findings into the output, as comments above their lines.", True, False),
    "dual": Key(
        SWITCH,
        "Write sources that serve both vendors; CMake and Make files choose between AMD's build and NVIDIA's.",
        True,
        False,
    ),
    "no-support": Key(SWITCH, "Do not use hipify_support.hpp; report code that needs it.", True, False),
    "support-place": Key(
        one_of([ROOT, BESIDE]),
        "Write one hipify_support.hpp for the whole tree, or one in each folder that uses it.",
        BESIDE,
        ROOT,
        meanings={ROOT: "One at the root of the tree.", BESIDE: "One in each folder that uses it."},
    ),
    "fix": Key(
        FIXES,
        "Fix findings: an id, a prefix (HIP3) or ALL; only a full id also applies a fix that needs review."
        " Or a group of fixes for whole programs: wavefront keeps warps at 32"
        " lanes; warp-size makes warpSize a constant in HIP sources.",
        ["HIP907", "warp-size"],
        [*DEFAULT_FIXES],
    ),
    "no-fix": Key(FIXES, "Do not fix these findings or groups; report them.", ["wavefront"], []),
    "include": Key(
        PATTERNS,
        "Translate these files instead of choosing by suffix and includes.",
        ["*.cu", "kernels/*.inc"],
        [],
    ),
    "exclude": Key(PATTERNS, "Exclude these files and folders completely.", ["third_party/"], []),
    "no-build-files": Key(SWITCH, "Do not translate build files (CMake, Make and others).", True, False),
    "compile-commands": Key(
        PLACE,
        "The compile_commands.json with the include folders, macros and standard of each source.",
        "out/compile_commands.json",
        unset="the one in the given folder, or in its build/",
    ),
    "semantics": Key(
        one_of(SEMANTICS),
        "Use libclang to resolve ambiguous code: if it and CUDA's headers are available, always, or never.",
        OFF,
        unset='"auto"',
        meanings={
            AUTO: "If libclang and CUDA's headers are available; otherwise from the sources alone.",
            ON: "Always; without them it is an error.",
            OFF: "Never: the same result on every machine.",
        },
    ),
    "select": Key(IDS, f"Report only these findings. {_IDS}", ["HIP1", "HIP305"], unset="all findings"),
    "extend-select": Key(IDS, "Report these findings in addition to select.", ["HIP2"], [], extended=ADDED),
    "ignore": Key(IDS, f"Suppress these findings. {_IDS}", ["HIP103"], []),
    "extend-ignore": Key(IDS, "Suppress these findings in addition to ignore.", ["HIP9"], [], extended=ADDED),
    "per-file-ignores": Key(
        IDS_BY_PATTERN,
        "Suppress findings in the files that match a pattern, written as in .gitignore.",
        {"third_party/": ["HIP101"]},
        {},
    ),
    "severity": Key(
        SEVERITY_BY_ID,
        "Severities that replace the findings' own; the longest matching prefix applies.",
        {"HIP3": "warning", "HIP305": "error"},
        {},
        extended=BY_ENTRY,
    ),
    "fail-on": Key(
        one_of([*SEVERITIES, NEVER]),
        "The lowest severity that makes the exit status 1.",
        "warning",
        unset='"error"; "never" for report',
    ),
    "baseline": Key(
        PLACE,
        "Count only findings that are not in this file (see: baseline).",
        "hipify-baseline.jsonl",
        unset="all findings count",
    ),
    "fail-under": Key(
        COVERAGE,
        "Let report exit with 1 if coverage is lower, in percent: in total, or by library.",
        95,
        {},
        extended=BY_ENTRY,
    ),
    "max-effort": Key(
        COUNT_BY_EFFORT,
        "Let report exit with 1 if more findings need an effort.",
        {"high": 0},
        {},
        extended=BY_ENTRY,
    ),
}

GROUPS: Mapping[str, tuple[str, ...]] = {
    "Inheritance": ("extend",),
    "Versions, targets and tables": (
        "cuda",
        "rocm",
        "target",
        "preset",
        "mappings",
        "experimental",
    ),
    "Translation": (
        "launch",
        "annotate",
        "dual",
        "no-support",
        "support-place",
        "fix",
        "no-fix",
    ),
    "File selection": (
        "include",
        "exclude",
        "no-build-files",
        "compile-commands",
        "semantics",
    ),
    "Finding selection": (
        "select",
        "extend-select",
        "ignore",
        "extend-ignore",
        "per-file-ignores",
        "severity",
    ),
    "Failure conditions": (
        "fail-on",
        "baseline",
        "fail-under",
        "max-effort",
    ),
}
"""What the keys are about."""

EXTEND = "extend"

PATHS = ("baseline", "compile-commands")
"""Keys that name a file in the configuration's folder or below."""
