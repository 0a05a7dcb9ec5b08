"""Translate an SConstruct or SConscript into a `Translation`."""

from __future__ import annotations

from hipify_py.build_systems.expressions import CALL, STRING, walk
from hipify_py.build_systems.python.reader import read
from hipify_py.build_systems.python.rules import cmake_arguments, libraries, options, places, renames
from hipify_py.build_systems.python.script import Script
from hipify_py.build_systems.python.translate import Rule, translated
from hipify_py.core.options import Options
from hipify_py.core.project_context import NO_PROJECT, ProjectContext
from hipify_py.core.source import Source
from hipify_py.core.translation import Translation

LIBRARY = "scons"
_TOOLS = frozenset({"cuda", "nvcc"})
_ADVICE = "use a tool that calls hipcc: the CUDA tool, from the project or from SCons's contributions, calls nvcc"


def _tools(file: Script) -> None:
    """Tools for CUDA, which have builders of their own."""
    for node in file.nodes:
        if node.kind != CALL:
            continue
        given = node.arguments[:1] if node.called == "Tool" else [node.keyword("tools")]
        for value in given:
            for below in walk(value) if value is not None else ():
                if below.kind == STRING and below.text in _TOOLS:
                    file.left("HIP601", below.inner[0], below.text, "tool", _ADVICE)


_RULES: tuple[Rule, ...] = (
    _tools,
    options.apply,
    libraries.apply,
    cmake_arguments.apply,
    places.apply,
    renames.apply,
)


def translate(data: bytes, path: str, choices: Options, project: ProjectContext = NO_PROJECT) -> Translation:
    """Translate an SCons file, which is Python."""
    return translated(Source(data, path), LIBRARY, read(data), choices, project, _RULES)
