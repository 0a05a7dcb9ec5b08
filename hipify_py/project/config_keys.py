"""What a configuration can say: each key with the kind of its value."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from hipify_py.findings import EFFORTS, SEVERITIES
from hipify_py.records import NamedTuple


class Kind(NamedTuple):
    """A kind of values.

    Attributes:
        is_met: whether a value is of it.
        words: what it is called in a complaint.
    """

    is_met: Callable[[object], bool]
    words: str


def _is_strings(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def _is_table_of_strings(value: object) -> bool:
    return isinstance(value, dict) and all(map(_is_strings, value.values()))


def _is_severities(value: object) -> bool:
    return isinstance(value, dict) and all(isinstance(word, str) and word in SEVERITIES for word in value.values())


def _is_percentage(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and 0 <= value <= 100


def _is_percentages(value: object) -> bool:
    return _is_percentage(value) or (isinstance(value, dict) and all(map(_is_percentage, value.values())))


def _is_counts_by_effort(value: object) -> bool:
    return isinstance(value, dict) and all(
        effort in EFFORTS and isinstance(count, int) and not isinstance(count, bool) and count >= 0
        for effort, count in value.items()
    )


STRING = Kind(lambda value: isinstance(value, str), "a string")
STRINGS = Kind(_is_strings, "a list of strings")
SWITCH = Kind(lambda value: isinstance(value, bool), "true or false")
IDS_BY_PATTERN = Kind(_is_table_of_strings, 'a table of patterns with lists of ids ("pattern" = ["HIP301"])')
SEVERITY_BY_ID = Kind(_is_severities, f"a table of ids with {', '.join(SEVERITIES[:-1])} or {SEVERITIES[-1]}")
COVERAGE = Kind(_is_percentages, "a percentage, or a table of libraries with percentages (cublas = 95)")
COUNT_BY_EFFORT = Kind(_is_counts_by_effort, f"a table of {', '.join(EFFORTS[:-1])} or {EFFORTS[-1]} with counts")

KEYS: Mapping[str, Kind] = {
    "cuda": STRING,
    "rocm": STRING,
    "target": STRING,
    "preset": STRINGS,
    "mappings": STRINGS,
    "launch": STRING,
    "experimental": SWITCH,
    "no-support": SWITCH,
    "support-place": STRING,
    "fix": STRINGS,
    "no-fix": STRINGS,
    "include": STRINGS,
    "exclude": STRINGS,
    "fail-on": STRING,
    "baseline": STRING,
    "fail-under": COVERAGE,
    "max-effort": COUNT_BY_EFFORT,
    "annotate": SWITCH,
    "select": STRINGS,
    "extend-select": STRINGS,
    "ignore": STRINGS,
    "extend-ignore": STRINGS,
    "per-file-ignores": IDS_BY_PATTERN,
    "severity": SEVERITY_BY_ID,
}

PATHS = ("baseline",)
"""Keys that name a file, which is seen from the configuration's folder."""
