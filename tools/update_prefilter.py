"""Writes the prefilter's pattern anew from the mapping tables: run it after a change of the tables' names.

With `--check` nothing is written: the exit status is 1 when the pattern is stale.
"""

from __future__ import annotations

from tools.tables.generated import write
from tools.tables.prefilter import TARGET, module

if __name__ == "__main__":
    write({TARGET: module()})
