"""Writes all generated files again, or says which of them are stale.

    python tools/generate.py [--check]

Those that need fetched headers are left to `tools.tables` (docs/maintaining-tables.md). With `--check` nothing is
written: the exit status is 1 if a file is stale.
"""

from __future__ import annotations

import subprocess
import sys

GENERATORS = (
    ("tools/update_prefilter.py",),
    ("tools/update_triggers.py",),
    ("tools/update_settings.py",),
    ("-m", "tools.tables", "coverage"),
    ("-m", "hipify_py", "explain", "--write-docs", "docs/diagnostics"),
    ("tools/update_golden.py",),
    ("tools/update_picture.py",),
)
"""Commands of Python, in an order in which each has what it needs; each takes `--check`."""


def main(arguments: list[str]) -> int:
    """Run the generators; returns the exit status."""
    failed = [
        words for words in GENERATORS if subprocess.run([sys.executable, *words, *arguments], check=False).returncode
    ]
    return int(bool(failed))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
