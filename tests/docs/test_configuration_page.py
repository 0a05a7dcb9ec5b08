"""The configuration's page and the JSON schema are those of the keys; its examples are valid."""

from __future__ import annotations

import re

from hipify_py.project.config_inheritance import MOST_FILES
from hipify_py.project.config_keys import GROUPS, KEYS
from tools.tables.settings import PAGE, SCHEMA, page_text, schema_text


def test_page_and_schema_are_those_of_the_keys() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert text == page_text(text), "run tools/update_settings.py"
    assert SCHEMA.read_text(encoding="utf-8") == schema_text(), "run tools/update_settings.py"


def test_each_key_has_its_section() -> None:
    sections = re.findall(r"^### `([a-z-]+)`$", PAGE.read_text(encoding="utf-8"), re.M)
    assert sections == [*KEYS] == [name for names in GROUPS.values() for name in names]


def test_the_page_knows_the_bounds() -> None:
    assert f"more than {MOST_FILES} files" in PAGE.read_text(encoding="utf-8")
