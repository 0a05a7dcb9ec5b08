"""Writes the index of the rules' triggers anew from the rules: run it after a change of a rule's triggers.

With `--check` nothing is written: the exit status is 1 when the index is stale.
"""

from __future__ import annotations

from tools.tables.generated import write
from tools.tables.trigger_index import TARGET, module

if __name__ == "__main__":
    write({TARGET: module()})
