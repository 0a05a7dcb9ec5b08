"""What a project says of the names of its files is asked in one place, and noted there."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import hipify_py
from hipify_py.core.project_context import (
    ProjectContext,
    answer,
    has_file,
    has_file_ending,
    new_name,
    renamed_endings,
)

PACKAGE = Path(hipify_py.__file__).parent


def outside_of_runs() -> Iterator[Path]:
    for path in sorted(PACKAGE.rglob("*.py")):
        place = path.relative_to(PACKAGE)
        if place.parts[0] not in ("project", "cli") and place.name != "project_context.py":
            yield path


def test_no_rule_looks_into_the_names_itself() -> None:
    found = [
        f"{path.relative_to(PACKAGE)}:{node.lineno}"
        for path in outside_of_runs()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Attribute) and node.attr in ("local_headers", "renames")
    ]
    # Whether there are any names at all is asked where none are noted.
    assert [place.partition(":")[0] for place in found] == ["semantics/headers.py"]


def test_questions_are_noted_with_their_answers() -> None:
    files = frozenset({"src/a.h", "include/app/b.cuh"})
    project = ProjectContext(files, {"src/x.cuh": "src/x.hip.h"}, asked={})
    assert has_file(project, "src/a.h")
    assert not has_file(project, "a.h")
    assert has_file_ending(project, "app/b.cuh")
    assert not has_file_ending(project, "pp/b.cuh")
    assert new_name(project, "src/x.cuh", "x.cuh") == "src/x.hip.h"
    assert new_name(project, "y/x.cuh", "x.cuh") == "src/x.hip.h"
    assert new_name(project, "y/x.cuh", "y/x.cuh") is None
    assert renamed_endings(project) == (".cuh",)
    assert project.asked is not None
    assert len(project.asked) == 8
    assert all(answer(project._replace(asked=None), question) == given for question, given in project.asked.items())


@pytest.mark.parametrize("files", [frozenset[str](), frozenset({"a.h"})])
def test_questions_to_a_project_without_files_are_noted_too(files: frozenset[str]) -> None:
    from hipify_py import translate

    project = ProjectContext(files, asked={})
    translate('#include "a.h"\nvoid f() { cudaFree(0); }\n', path="x.cu", project=project)
    assert project.asked is not None
    assert any("a.h" in question for question in project.asked)
