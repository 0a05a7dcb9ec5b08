"""Generates what tells of the configuration's keys from the keys themselves: the JSON schema and the documentation."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from hipify_py.catalog import load_catalog
from hipify_py.catalog.register import read_register
from hipify_py.core.findings import EXACT
from hipify_py.core.options import GROUPS as FIX_GROUPS
from hipify_py.findings.selection import EVERYTHING
from hipify_py.project.config_keys import (
    ADDED,
    BY_ENTRY,
    FIX,
    GROUPS,
    ID,
    KEYS,
    LIBRARIES,
    LIBRARIES_SCHEMA,
    TOTAL,
    Key,
    one_of,
)
from hipify_py.project.find_config import OWN
from hipify_py.project.toml import written, written_key

SCHEMA = Path(__file__).parents[2] / "hipify_py" / "project" / "hipify-py.schema.json"
"""The generated schema."""

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "configuration.md"
"""The page whose last part is generated; it is in checkouts only."""

BEGINNING = "<!-- Generated from here on: python tools/update_settings.py -->\n"

_EXTENDED = {
    ADDED: "added to the values in extended files",
    BY_ENTRY: "replaces entries of extended files one by one",
}


def schema_text() -> str:
    """The text of the JSON schema of configurations, in the form that SchemaStore takes."""
    return json.dumps(_schema(), indent=2, ensure_ascii=False) + "\n"


def page_text(before: str) -> str:
    """The text of the documentation's page, of which `before` is the text that it has."""
    return before.partition(BEGINNING)[0] + BEGINNING + "".join(f"{line}\n" for line in _sections())


def _schema() -> dict[str, Any]:
    libraries = {"properties": dict.fromkeys(_libraries(), LIBRARIES_SCHEMA["additionalProperties"])}
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "$id": "https://json.schemastore.org/hipify-py.json",
        "title": "hipify-py",
        "description": f"Configuration of hipify-py: {OWN}, or [tool.hipify-py] in pyproject.toml",
        "type": "object",
        "definitions": {
            ID: {
                "description": "A finding's id, a prefix of ids, or ALL",
                "type": "string",
                "anyOf": [{"enum": _ids()}, {"pattern": rf"^\s*({_any_case(_ids())})\s*$"}],
            },
            FIX: {
                "description": "The id of a finding that has a fix, a prefix of ids, ALL, or a group of fixes",
                "type": "string",
                "anyOf": [{"enum": [*FIX_GROUPS, *_fixable()]}, {"pattern": rf"^\s*({_any_case(_fixable())})\s*$"}],
            },
            LIBRARIES: {
                "description": "Percentages by library; total is the percentage of all of them",
                **LIBRARIES_SCHEMA,
                **libraries,
            },
        },
        "properties": {name: _property(key) for name, key in KEYS.items()},
        "additionalProperties": False,
        "allOf": [_not_both("fix", "no-fix", family) for family in FIX_GROUPS]
        + [_not_both("fix", "no-fix", word) for word in _fixable()],
        "x-taplo-info": {"authors": ["hipify-py"], "patterns": [r"^(.*(/|\\)hipify-py\.toml|hipify-py\.toml)$"]},
    }


def _property(key: Key) -> dict[str, Any]:
    found = {"description": f"{key.says}{_means(key)}", **key.kind.schema}
    if key.default is not None:
        found["default"] = key.default
    found["examples"] = [key.example]
    meanings = [f"{choice}: {key.meanings[choice]}" for choice in key.kind.choices if choice in key.meanings]
    if meanings and key.kind.schema == one_of(key.kind.choices).schema:
        found["x-taplo"] = {"docs": {"enumValues": meanings}}
    return found


def _means(key: Key) -> str:
    return f" Default: {key.unset}." if key.unset else ""


def _not_both(one: str, other: str, word: str) -> dict[str, Any]:
    has = {"contains": {"const": word} if word in FIX_GROUPS else {"pattern": rf"^\s*{_any_case([word])}\s*$"}}
    return {"not": {"required": [one, other], "properties": {one: has, other: has}}}


def _ids() -> list[str]:
    """The words that stand for findings."""
    starts = {id[:length] for id in read_register() for length in range(1, len(id) + 1)}
    return [EVERYTHING, *sorted(starts)]


def _fixable() -> list[str]:
    """The words that stand for findings with a fix: ids, and the beginnings of those whose fix is exact."""
    fixes = {id: entry["fix"]["applicability"] for id, entry in read_register().items() if "fix" in entry}
    starts = {id[:length] for id, sure in fixes.items() for length in range(1, len(id)) if sure == EXACT}
    return [EVERYTHING, *sorted(starts | fixes.keys())]


def _any_case(words: Iterable[str]) -> str:
    """A pattern of words in letters of either case."""
    below: dict[str, list[str]] = {}
    for word in words:
        below.setdefault(word[:1], []).append(word[1:])
    ends = "" in below
    parts = [_letter(first) + _any_case(rest) for first, rest in below.items() if first]
    if not parts:
        return ""
    return f"({'|'.join(parts)}){'?' if ends else ''}" if ends or len(parts) > 1 else parts[0]


def _letter(letter: str) -> str:
    return f"[{letter.upper()}{letter.lower()}]" if letter.isalpha() else letter


def _libraries() -> list[str]:
    catalog = load_catalog()
    names = {row.library for row in catalog.rows()} | {family.library for family in catalog.families}
    return [TOTAL, *sorted(names)]


def _sections() -> Iterator[str]:
    for title, names in GROUPS.items():
        yield from ("", f"## {title}")
        for name in names:
            yield from _section(name, KEYS[name])


def _section(name: str, key: Key) -> Iterator[str]:
    yield from ("", f"### `{name}`", "", _prose(key.says), "")
    yield f"- value: {_prose(key.kind.words)}"
    if key.meanings:
        yield from (f"    - `{choice}`: {_prose(meaning)}" for choice, meaning in key.meanings.items())
    yield f"- default: {f'`{written(key.default)}`' if key.default is not None else _prose(key.unset)}"
    if key.extended in _EXTENDED:
        yield f"- with `extend`: {_EXTENDED[key.extended]}"
    yield from ("", "```toml", *_example(name, key.example), "```")


def _example(name: str, value: object) -> Iterator[str]:
    if isinstance(value, Mapping):
        yield f"[{name}]"
        yield from (f"{written_key(entry)} = {written(word)}" for entry, word in value.items())
    else:
        yield f"{name} = {written(value)}"


def _prose(text: str) -> str:
    """Plain text as Markdown."""
    return text.replace("<<<", "`<<<").replace(">>>", ">>>`").replace("*", r"\*")
