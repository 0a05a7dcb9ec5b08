"""Writes the JSON schema of configurations and the documentation of their keys anew from the table of keys.

With `--check` nothing is written: the exit status is 1 when one of them is stale.
"""

from __future__ import annotations

import sys

from tools.tables.settings import PAGE, SCHEMA, page_text, schema_text

if __name__ == "__main__":
    wanted = {SCHEMA: schema_text(), PAGE: page_text(PAGE.read_text(encoding="utf-8"))}
    stale = [path for path, text in wanted.items() if not path.exists() or path.read_text(encoding="utf-8") != text]
    if "--check" in sys.argv[1:]:
        names = " and ".join(path.name for path in stale)
        sys.exit(f"stale: {names}; run {sys.argv[0]}" if stale else 0)
    for path in stale:
        path.write_text(wanted[path], encoding="utf-8")
