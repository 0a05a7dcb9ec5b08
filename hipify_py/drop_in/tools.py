"""The tools that hipify-py can stand in for, by name."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from hipify_py.drop_in.file_search import SCRIPTS, run_script, script_help, wants_help
from hipify_py.report.text import emit, emit_document

TOOLS = ("perl", "clang", *SCRIPTS)
"""The names by which they are called: hipify-perl, hipify-clang, and the scripts around them."""


def stand_in(tool: str, arguments: Sequence[str]) -> int:
    """Run a tool with its arguments, and return its exit status.

    Args:
        tool: one of `TOOLS`.
        arguments: those of its command line.

    Raises:
        KeyError: if there is no such tool.
        TableError: if the mapping tables are missing or wrong.
    """
    if tool in ("perl", "clang"):
        return _run(tool, arguments)
    if wants_help(arguments):
        emit_document(sys.stdout, script_help(tool))
        return 0
    script = SCRIPTS[tool]
    return run_script(script, arguments, _tell, lambda words: _run("clang" if script.of_clang else "perl", words))


def _tell(line: str) -> None:
    emit(sys.stderr, [line])


def _run(tool: str, arguments: Sequence[str]) -> int:
    if tool == "clang":
        from hipify_py.drop_in.clang import run
    else:
        from hipify_py.drop_in.perl import run
    return run(arguments)
