"""Translate a setup.py into a `Translation`, in the same terms as a source."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from hipify_py.build_systems.expressions import ATTRIBUTE, NAME, STRING, Node, Read
from hipify_py.build_systems.finishing import finished
from hipify_py.build_systems.python.reader import read
from hipify_py.build_systems.python.rules import (
    cmake_arguments,
    libraries,
    options,
    packages,
    places,
    renames,
    torch,
    versions,
)
from hipify_py.build_systems.python.script import Script
from hipify_py.core.options import Options
from hipify_py.core.project_context import NO_PROJECT, ProjectContext
from hipify_py.core.source import Source
from hipify_py.core.translation import Translation

LIBRARY = "python"
"""The kind under which the names of these files are counted."""

Rule = Callable[[Script], None]
RULES: tuple[Rule, ...] = (
    torch.apply,
    versions.apply,
    options.apply,
    libraries.apply,
    cmake_arguments.apply,
    packages.apply,
    places.apply,
    renames.apply,
)


def translate(data: bytes, path: str, choices: Options, project: ProjectContext = NO_PROJECT) -> Translation:
    """Translate a setup.py."""
    return translated(Source(data, path), LIBRARY, read(data), choices, project)


def translated(
    source: Source, library: str, found: Read, choices: Options, project: ProjectContext, rules: Sequence[Rule] = RULES
) -> Translation:
    """Apply the rules to a script; a script that already supports ROCm stays as it is, which is reported."""
    file = Script(source, library, found, choices, project)
    if file.broken >= 0:
        file.finding("HIP605", file.broken, "syntax", "this cannot be read and stays as it is")
    for rule in rules:
        rule(file)
    mark = _own_mark(file)
    if mark is not None and file.finish():
        file = Script(source, library, found, choices, project)
        file.finding("HIP607", mark.start, mark.text, "this file")
    return finished(file)


def _own_mark(file: Script) -> Node | None:
    """The first name that shows that a file already supports ROCm."""
    marks = file.script_facts["marks"]
    for node in file.nodes:
        if node.kind in {NAME, ATTRIBUTE, STRING}:
            name = node.text.rpartition(".")[2] if node.kind != STRING else node.text
            if node.text in marks or name in marks:
                return node
    return None
