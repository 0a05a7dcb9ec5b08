"""The configuration's page has an entry for each key, of the kind that the program wants."""

from __future__ import annotations

import re

from hipify_py.project.config_keys import KEYS

from .pages import DOCS

_ROW = re.compile(r"^\| `([a-z-]+)` \| ([^|]+) \|", re.M)


def test_each_key_has_its_row() -> None:
    rows = dict(_ROW.findall((DOCS / "reference" / "configuration.md").read_text(encoding="utf-8")))
    assert sorted(rows) == sorted(KEYS)
    for key, kind in rows.items():
        assert kind.removeprefix("number or ") in f"a {KEYS[key].words}", key
