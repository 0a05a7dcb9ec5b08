"""Translate a shell script into a `Translation`."""

from __future__ import annotations

from hipify_py.build_systems.commands.lines import CommandLines
from hipify_py.build_systems.commands.reading import environment_references
from hipify_py.build_systems.commands.site import Site
from hipify_py.build_systems.file import BuildFile
from hipify_py.build_systems.finishing import finished
from hipify_py.build_systems.shell_words import ShellText
from hipify_py.core.options import Options
from hipify_py.core.project_context import NO_PROJECT, ProjectContext
from hipify_py.core.source import Source
from hipify_py.core.translation import Translation

LIBRARY = "shell"
"""The kind under which the names of scripts are counted."""


def translate(data: bytes, path: str, options: Options, project: ProjectContext = NO_PROJECT) -> Translation:
    """Translate a script; one that already supports ROCm stays as it is."""
    shell = ShellText(data)
    words = shell.words()
    lines = [(word.start, word.end) for word in words if word.kind == "word"]
    file = BuildFile(Source(data, path), LIBRARY, options, shell.comments, lines)
    commands = CommandLines(file, project)
    commands.look(shell)
    if commands.knows_hip(shell):
        return finished(file)
    commands.translate(Site(file, shell))
    for start, end in shell.here_documents:
        for place, name in environment_references(data, start, end):
            if name in file.facts.environment:
                file.finding("HIP605", place, name, "a here-document uses the variable, which is now ROCM_PATH")
    return finished(file)
