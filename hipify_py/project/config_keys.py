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


_IDS = "An id (HIP301), the beginning of ids (HIP3) or ALL."

KEYS: Mapping[str, Key] = {
    "extend": Key(
        PLACE_OR_PLACES,
        "The configuration that this one builds on, or several, later ones over earlier ones; what this file says"
        " comes over theirs.",
        "../hipify-py.toml",
        unset="no other file",
    ),
    "cuda": Key(version_from(), "The CUDA that the sources are for.", "12.6", unset="the newest"),
    "rocm": Key(
        version_from(OLDEST_ROCM, NEWEST_WORD),
        "The ROCm to compile with.",
        "6.4",
        unset="the one that is installed, else the newest",
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
        "A shipped table for a framework.",
        ["pytorch"],
        [],
        meanings={"pytorch": "Names and headers of PyTorch's extensions, in all sources."},
    ),
    "mappings": Key(PLACES, "A table of your own; its rows win.", ["tools/ours.yaml"], []),
    "experimental": Key(SWITCH, "Use HIP names that AMD marks as experimental.", True, False),
    "launch": Key(
        one_of(LAUNCHES),
        "Write launches as hipLaunchKernelGGL(...), or keep <<<...>>>.",
        "chevron",
        "ggl",
        meanings={"ggl": "hipLaunchKernelGGL(kernel, grid, block, …).", "chevron": "kernel<<<grid, block>>>(…)."},
    ),
    "annotate": Key(SWITCH, "Write findings into the result, as comments above their lines.", True, False),
    "dual": Key(
        SWITCH,
        "Write sources that serve both vendors; CMake and Make files choose between AMD's build and NVIDIA's.",
        True,
        False,
    ),
    "no-support": Key(SWITCH, "Do without hipify_support.hpp; what needs it becomes findings.", True, False),
    "support-place": Key(
        one_of([ROOT, BESIDE]),
        "One hipify_support.hpp for a tree, or one beside the files of each folder.",
        BESIDE,
        ROOT,
        meanings={ROOT: "One at the root of the tree.", BESIDE: "One in each folder that uses it."},
    ),
    "fix": Key(
        FIXES,
        "Mend findings that have a fix: by id, by the beginning of ids (HIP3) or ALL; an id by itself also where its"
        " fix has to be looked at. Or a group of fixes for whole programs: wavefront keeps warps at 32"
        " lanes; warp-size makes warpSize a constant in HIP sources.",
        ["HIP907", "warp-size"],
        [*DEFAULT_FIXES],
    ),
    "no-fix": Key(FIXES, "Leave the code of such findings, or of a group, as it is, and report it.", ["wavefront"], []),
    "include": Key(
        PATTERNS,
        "Translate these files instead of going by suffix and by what sources include.",
        ["*.cu", "kernels/*.inc"],
        [],
    ),
    "exclude": Key(PATTERNS, "Leave these files and folders out altogether.", ["third_party/"], []),
    "no-build-files": Key(
        SWITCH, "Leave build files as they are, in place of translating those of CMake, Make and others.", True, False
    ),
    "compile-commands": Key(
        PLACE,
        "The compile_commands.json that says with which folders, macros and standard each source is compiled.",
        "out/compile_commands.json",
        unset="that of the given folder, or of build/ in it",
    ),
    "semantics": Key(
        one_of(SEMANTICS),
        "Ask libclang about what a source leaves open: where it and CUDA's headers are there, always, or never.",
        OFF,
        unset='"auto"',
        meanings={
            AUTO: "Where libclang and CUDA's headers are there; without them the sources decide alone.",
            ON: "In any case; without them that is an error.",
            OFF: "Never: the same result on every machine.",
        },
    ),
    "select": Key(IDS, f"Report no findings but these. {_IDS}", ["HIP1", "HIP305"], unset="all findings"),
    "extend-select": Key(IDS, "Report these findings, beside those of select.", ["HIP2"], [], extended=ADDED),
    "ignore": Key(IDS, f"Suppress these findings. {_IDS}", ["HIP103"], []),
    "extend-ignore": Key(IDS, "Suppress these findings, beside those of ignore.", ["HIP9"], [], extended=ADDED),
    "per-file-ignores": Key(
        IDS_BY_PATTERN,
        "Suppress findings in the files that a pattern, as in .gitignore, fits.",
        {"third_party/": ["HIP101"]},
        {},
    ),
    "severity": Key(
        SEVERITY_BY_ID,
        "Severities in place of the findings' own; the longest beginning of an id that fits decides.",
        {"HIP3": "warning", "HIP305": "error"},
        {},
        extended=BY_ENTRY,
    ),
    "fail-on": Key(
        one_of([*SEVERITIES, NEVER]),
        "The least severity that makes the exit status 1.",
        "warning",
        unset='"error"; "never" for report',
    ),
    "baseline": Key(
        PLACE,
        "Let only findings count that this file does not know (see: baseline).",
        "hipify-baseline.jsonl",
        unset="all findings count",
    ),
    "fail-under": Key(
        COVERAGE,
        "Make the exit status of report 1 where less is covered, in percent: of all, or by library.",
        95,
        {},
        extended=BY_ENTRY,
    ),
    "max-effort": Key(
        COUNT_BY_EFFORT,
        "Make the exit status of report 1 where more findings ask for an effort.",
        {"high": 0},
        {},
        extended=BY_ENTRY,
    ),
}

GROUPS: Mapping[str, tuple[str, ...]] = {
    "Another configuration": ("extend",),
    "Versions, targets and tables": (
        "cuda",
        "rocm",
        "target",
        "preset",
        "mappings",
        "experimental",
    ),
    "What the result looks like": (
        "launch",
        "annotate",
        "dual",
        "no-support",
        "support-place",
        "fix",
        "no-fix",
    ),
    "Which files": (
        "include",
        "exclude",
        "no-build-files",
        "compile-commands",
        "semantics",
    ),
    "Which findings": (
        "select",
        "extend-select",
        "ignore",
        "extend-ignore",
        "per-file-ignores",
        "severity",
    ),
    "What fails": (
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
