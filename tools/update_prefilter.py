"""Writes the prefilter's pattern anew from the mapping tables: run it after a change of the tables' names."""

from __future__ import annotations

from tools.tables.prefilter import TARGET, module

if __name__ == "__main__":
    TARGET.write_text(module(), encoding="utf-8")
