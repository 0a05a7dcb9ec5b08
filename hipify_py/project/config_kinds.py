"""The kinds of values that a configuration's keys take: how each is told, by the program and by a JSON schema."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from hipify_py.catalog.targeting import version
from hipify_py.core.findings import EFFORTS, SEVERITIES

ID, FIX, LIBRARIES = "id", "fix", "libraries"
"""Definitions of the schema that the tables fill in: the words that stand for findings and for fixes, and the names of
the libraries."""

TOTAL = "total"
"""What stands for all libraries together where one could be named."""

_VERSION = r"[0-9]{1,4}\.[0-9]{1,4}(\.[0-9]+)*"


class Kind(NamedTuple):
    """A kind of values.

    Attributes:
        words: what it is called, in a complaint and in the documentation.
        is_met: whether a value is of it.
        schema: the same in the words of JSON schema (draft 7).
        choices: the words that it takes, one or several, where there are so few.
    """

    words: str
    is_met: Callable[[object], bool]
    schema: Mapping[str, Any]
    choices: Sequence[str] = ()


def one_of(choices: Sequence[str]) -> Kind:
    """One of some words."""
    schema = {"type": "string", "enum": [*choices]}
    return Kind(either(choices), lambda value: isinstance(value, str) and value in choices, schema, choices)


def some_of(choices: Sequence[str]) -> Kind:
    """A list of some words."""
    item = one_of(choices)
    return Kind(f"a list of {item.words}", lambda value: _is_list(value, item), _listed(item.schema), choices)


def version_from(oldest: str = "", word: str = "") -> Kind:
    """A version of the form `6.4`, or a word that stands for one; empty for the default."""
    if not oldest:
        return Kind("a version such as 12.6", _is_version, {"type": "string", "pattern": f"^({_VERSION})?$"})
    least = version(oldest)

    def is_recent(value: object) -> bool:
        return value == word or (_is_version(value) and (not value or version(str(value)) >= least))

    schema = {"type": "string", "pattern": f"^({_from(*least)}|{word})?$"}
    return Kind(f"a version such as 6.4, {oldest} or later, or {word}", is_recent, schema)


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


def _from(major: int, minor: int) -> str:
    """A pattern of versions from one on; both of its numbers have one digit, not 9."""
    assert 0 <= major < 9
    assert 0 <= minor < 9
    same = rf"0{{0,3}}{major}\.(0{{0,3}}[{minor}-9]|0{{0,2}}[1-9][0-9]|0?[1-9][0-9]{{2}}|[1-9][0-9]{{3}})"
    later = rf"(0{{0,3}}[{major + 1}-9]|0{{0,2}}[1-9][0-9]|0?[1-9][0-9]{{2}}|[1-9][0-9]{{3}})\.[0-9]{{1,4}}"
    return rf"({same}|{later})(\.[0-9]+)*"


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
    "a percentage, or a table of libraries and percentages (cublas = 95)",
    _is_coverage,
    {"anyOf": [_PERCENTAGE, {"$ref": f"#/definitions/{LIBRARIES}"}]},
)
LIBRARIES_SCHEMA = {"type": "object", "additionalProperties": _PERCENTAGE}
"""Tables of libraries, without the names that editors are to propose: tables of one's own may have others."""

COUNT_BY_EFFORT = Kind(
    f"a table of {either(EFFORTS)} and counts",
    _is_counts_by_effort,
    {
        "type": "object",
        "properties": {effort: {"type": "integer", "minimum": 0} for effort in EFFORTS},
        "additionalProperties": False,
    },
)
