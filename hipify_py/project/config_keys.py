"""The keys of a configuration, declared once for the program, its help, the JSON schema and the documentation."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from hipify_py.catalog.installed import NEWEST_WORD
from hipify_py.catalog.presets import PRESETS
from hipify_py.core.findings import EFFORTS, NEVER, SEVERITIES
from hipify_py.core.options import AUTO, BESIDE, DEFAULT_FIXES, LAUNCHES, OFF, ON, ROOT, SEMANTICS
from hipify_py.core.targeting import HIP, NEWEST_ROCM, OLDEST_ROCM, ROC, version

# The kinds of values that keys take, each described for the program and for a JSON schema.

ID, FIX, LIBRARIES = "id", "fix", "libraries"
"""Definitions of the schema that the tables fill in: the words for findings and for fixes, and the names of the
libraries."""

TOTAL = "total"
"""The word for all libraries together, where one library could be named."""

_VERSION = r"[0-9]{1,4}\.[0-9]{1,4}(\.[0-9]+)*"


class Kind(NamedTuple):
    """A kind of values.

    Attributes:
        words: its name in error messages and in the documentation.
        is_met: whether a value is of this kind.
        schema: the same condition as JSON schema (draft 7).
        choices: the words that it accepts, one or several, if there are only a few.
    """

    words: str
    is_met: Callable[[object], bool]
    schema: Mapping[str, Any]
    choices: Sequence[str] = ()


def one_of(choices: Sequence[str]) -> Kind:
    """One of several words."""
    schema = {"type": "string", "enum": [*choices]}
    return Kind(either(choices), lambda value: isinstance(value, str) and value in choices, schema, choices)


def some_of(choices: Sequence[str]) -> Kind:
    """A list of words from a fixed set."""
    item = one_of(choices)
    return Kind(f"a list of {item.words}", lambda value: _is_list(value, item), _listed(item.schema), choices)


def version_from(oldest: str = "", newest: str = "", word: str = "") -> Kind:
    """A version of the form `6.4` between two others, or a word for one; empty for the default."""
    if not oldest:
        return Kind("a version such as 12.6", _is_version, {"type": "string", "pattern": f"^({_VERSION})?$"})
    least = version(oldest)

    def is_recent(value: object) -> bool:
        is_known = _is_version(value) and (not value or least <= version(str(value)) <= version(newest))
        return is_known or value == word

    schema = {"type": "string", "pattern": f"^({_between(least, version(newest))}|{word})?$"}
    return Kind(f"a version such as 6.4, from {oldest} to {newest}, or {word}", is_recent, schema)


def either(words: Iterable[str]) -> str:
    """`a, b or c`."""
    *some, last = words
    return f"{', '.join(some)} or {last}" if some else last


def _is_version(value: object) -> bool:
    if not isinstance(value, str):
        return False
    try:
        return not value or bool(version(value))
    except ValueError:
        return False


def _between(oldest: tuple[int, int], newest: tuple[int, int]) -> str:
    """A pattern for versions between two of different major numbers; the oldest has a minor number of one digit."""
    (first, least), (last, most) = oldest, newest
    assert first < last
    assert least < 10
    ranges = [
        rf"{first}\.(0{{0,3}}[{least}-9]|0{{0,2}}[1-9][0-9]|0?[1-9][0-9]{{2}}|[1-9][0-9]{{3}})",
        *(rf"{major}\.[0-9]{{1,4}}" for major in range(first + 1, last)),
        rf"{last}\.0{{0,3}}({'|'.join(map(str, range(most + 1)))})",
    ]
    return rf"0{{0,2}}({'|'.join(ranges)})(\.[0-9]+)*"


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _is_place(value: object) -> bool:
    return isinstance(value, str) and value != "" and "\0" not in value


def _is_list(value: object, item: Kind) -> bool:
    return isinstance(value, list) and all(map(item.is_met, value))


def _listed(item: Mapping[str, Any]) -> Mapping[str, Any]:
    return {"type": "array", "items": item}


def _is_table_of_lists(value: object) -> bool:
    return isinstance(value, dict) and all(_is_list(ids, STRING) for ids in value.values())


def _is_severities(value: object) -> bool:
    return isinstance(value, dict) and all(isinstance(word, str) and word in SEVERITIES for word in value.values())


def _is_percentage(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and 0 <= value <= 100


def _is_coverage(value: object) -> bool:
    return _is_percentage(value) or (isinstance(value, dict) and all(map(_is_percentage, value.values())))


def _is_counts_by_effort(value: object) -> bool:
    return isinstance(value, dict) and all(
        effort in EFFORTS and isinstance(count, int) and not isinstance(count, bool) and count >= 0
        for effort, count in value.items()
    )


_ID_SCHEMA = {"$ref": f"#/definitions/{ID}"}
_PERCENTAGE = {"type": "number", "minimum": 0, "maximum": 100}
_PLACE = {"type": "string", "pattern": "^[^\\u0000]+$"}

STRING = Kind("a string", _is_text, {"type": "string"})
PLACE = Kind("a file name", _is_place, _PLACE)
PLACES = Kind("a list of file names", lambda value: _is_list(value, PLACE), _listed(_PLACE))
PLACE_OR_PLACES = Kind(
    "a file name, or a list of file names",
    lambda value: PLACE.is_met(value) or PLACES.is_met(value),
    {"anyOf": [PLACE.schema, PLACES.schema]},
)
PATTERNS = Kind("a list of strings", lambda value: _is_list(value, STRING), _listed(STRING.schema))
SWITCH = Kind("true or false", lambda value: isinstance(value, bool), {"type": "boolean"})
IDS = Kind("a list of ids", lambda value: _is_list(value, STRING), _listed(_ID_SCHEMA))
FIXES = Kind(
    "a list of ids and groups of fixes",
    lambda value: _is_list(value, STRING),
    _listed({"$ref": f"#/definitions/{FIX}"}),
)
IDS_BY_PATTERN = Kind(
    'a table of patterns and lists of ids ("pattern" = ["HIP301"])',
    _is_table_of_lists,
    {"type": "object", "additionalProperties": IDS.schema},
)
SEVERITY_BY_ID = Kind(
    f"a table of ids and {either(SEVERITIES)}",
    _is_severities,
    {"type": "object", "propertyNames": _ID_SCHEMA, "additionalProperties": {"enum": [*SEVERITIES]}},
)
COVERAGE = Kind(
    "a percentage from 0 to 100, or a table of libraries and percentages (cublas = 95)",
    _is_coverage,
    {"anyOf": [_PERCENTAGE, {"$ref": f"#/definitions/{LIBRARIES}"}]},
)
LIBRARIES_SCHEMA = {"type": "object", "additionalProperties": _PERCENTAGE}
"""Tables of libraries, without the names that editors are to propose: the user's own tables may have others."""

COUNT_BY_EFFORT = Kind(
    f"a table of {either(EFFORTS)} and counts",
    _is_counts_by_effort,
    {
        "type": "object",
        "properties": {effort: {"type": "integer", "minimum": 0} for effort in EFFORTS},
        "additionalProperties": False,
    },
)


REPLACED, ADDED, BY_ENTRY = "replaced", "added", "by entry"
"""How a file's value relates to those of the files it extends: it replaces them, is added to them, or does either for
each entry of a table."""


class Key(NamedTuple):
    """A key of the configuration.

    Attributes:
        kind: the values that it takes.
        says: its purpose, in one or more sentences.
        example: a sample value.
        default: the value if the key is not set; None if `unset` describes it.
        unset: what leaving the key unset means, if no value means the same.
        meanings: the meaning of each choice.
        extended: how values of extended files are combined with it.
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
        version_from(OLDEST_ROCM, NEWEST_ROCM, NEWEST_WORD),
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
        meanings={
            "pytorch": "Names and headers of PyTorch's extensions, in all sources, for the installed PyTorch.",
            "pytorch-v1": "The same for PyTorch up to 2.10.",
            "pytorch-v2": "The same for PyTorch from 2.11 on.",
        },
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
    "ci-files": Key(SWITCH, "Also translate CI jobs and Dockerfiles, which are only reported otherwise.", True, False),
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
        AUTO,
        unset='"off"',
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
    "editor": Key(
        STRING,
        "Let the HTML report open files in an editor: its name (vscode, cursor, idea …), or the template of a URL with"
        " {path}, {line} and {column}. The report then contains absolute paths.",
        "vscode",
        unset="no links",
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
        "ci-files",
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
    "Reports": ("editor",),
}
"""The keys by topic."""

EXTEND = "extend"

PATHS = ("baseline", "compile-commands")
"""Keys that name a file in the configuration's folder or below it."""
