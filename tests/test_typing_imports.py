"""What a translation runs imports `typing` for type checkers alone: a check of one file waits for it otherwise."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

PACKAGE = Path(__file__).parents[1] / "hipify_py"
PACKAGES = ("analysis", "catalog", "frontend", "ptx", "rules", "semantics", "support_header")
SLOW = frozenset({"contextlib", "dataclasses", "importlib", "typing"})
NEEDED = frozenset({"interval_tree.py"})
"""A class that derives from what `typing` has. It works on syntax trees, and tree-sitter imports `typing` itself."""


def test_no_module_of_a_translation_imports_typing_where_it_runs() -> None:
    modules = [*PACKAGE.glob("*.py"), *(path for name in PACKAGES for path in (PACKAGE / name).rglob("*.py"))]
    assert len(modules) > 250
    importing = {path.relative_to(PACKAGE).as_posix() for path in modules if not SLOW.isdisjoint(imported(path))}
    assert importing == NEEDED


def imported(path: Path) -> set[str]:
    """The modules that a module imports when it is imported."""
    return set(_imported(ast.parse(path.read_bytes()).body))


def _imported(body: list[ast.stmt]) -> Iterator[str]:
    for statement in body:
        if isinstance(statement, ast.Import):
            yield from (name.name.partition(".")[0] for name in statement.names)
        elif isinstance(statement, ast.ImportFrom) and statement.module is not None:
            yield statement.module.partition(".")[0]
        elif isinstance(statement, ast.If):
            if not (isinstance(statement.test, ast.Name) and statement.test.id == "TYPE_CHECKING"):
                yield from _imported(statement.body)
            yield from _imported(statement.orelse)
        elif isinstance(statement, ast.Try):
            yield from _imported(statement.body)
