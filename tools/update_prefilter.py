"""Writes the prefilter's pattern anew from the mapping tables: run it after a change of the tables' names.

With `--check` nothing is written: the exit status is 1 when the pattern is stale.
"""

from __future__ import annotations

import sys

from tools.tables.prefilter import TARGET, module

if __name__ == "__main__":
    if "--check" in sys.argv[1:]:
        sys.exit(TARGET.read_text(encoding="utf-8") != module() and f"{TARGET.name} is stale: run {sys.argv[0]}")
    TARGET.write_text(module(), encoding="utf-8")
