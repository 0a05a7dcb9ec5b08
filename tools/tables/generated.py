"""Writes generated files, or says which of them are stale."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path

from hipify_py.cli.exit_codes import DONE, FINDINGS
from hipify_py.report.text import emit


def update(path: Path, text: str, *, check: bool) -> int:
    """Write a file if its text differs, and say so; with `check`, only report that it is stale.

    Returns:
        The exit status of a command that does this.
    """
    if path.is_file() and path.read_text(encoding="utf-8") == text:
        return DONE
    if check:
        emit(sys.stdout, [f"{path} is stale"])
        return FINDINGS
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8")
    emit(sys.stderr, [f"{path} written"])
    return DONE


def write(files: Mapping[Path, str]) -> None:
    """Write the texts of files that differ; with `--check` on the command line, only fail if there are any.

    Raises:
        SystemExit: with `--check`, if a file is stale.
    """
    stale = [path for path, text in files.items() if not path.exists() or path.read_text(encoding="utf-8") != text]
    if "--check" in sys.argv[1:] and stale:
        sys.exit(f"stale: {' and '.join(path.name for path in stale)}; run {sys.argv[0]}")
    for path in stale:
        path.write_text(files[path], encoding="utf-8")
