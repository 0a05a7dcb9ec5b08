"""Writes the JSON schema of configurations and the documentation of their keys anew from the table of keys.

With `--check` nothing is written: the exit status is 1 when one of them is stale.
"""

from __future__ import annotations

from tools.tables.generated import write
from tools.tables.settings import PAGE, SCHEMA, page_text, schema_text

if __name__ == "__main__":
    write({SCHEMA: schema_text(), PAGE: page_text(PAGE.read_text(encoding="utf-8"))})
