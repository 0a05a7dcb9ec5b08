"""A pyproject.toml in, a `Translation` out: what it hands to CMake, what it links, and which packages it asks for."""

from __future__ import annotations

from hipify_py.build_systems.expressions import LIST, STRING, Node
from hipify_py.build_systems.file import BuildFile
from hipify_py.build_systems.finishing import finished
from hipify_py.build_systems.option_lists import drop_elements
from hipify_py.build_systems.python.rules.cmake_arguments import among, define
from hipify_py.build_systems.python.rules.libraries import linked
from hipify_py.build_systems.python.rules.packages import reported
from hipify_py.build_systems.python.rules.places import path as write_path
from hipify_py.build_systems.python.toml_reader import Entry, read
from hipify_py.core.options import Options
from hipify_py.core.project_context import NO_PROJECT, ProjectContext
from hipify_py.core.source import Source
from hipify_py.core.translation import Translation

LIBRARY = "python"
_ENVIRONMENT = "ROCM_PATH"
_CMAKES = frozenset({"CUDACXX", "CUDAHOSTCXX"})
"""Variables by which CMake finds CUDA's compiler; it finds HIP's by itself."""
_REQUIREMENTS = frozenset({"requires", "dependencies", "optional-dependencies", "dependency-groups", "requires-dist"})


def translate(data: bytes, path: str, options: Options, project: ProjectContext = NO_PROJECT) -> Translation:
    """Translate a pyproject.toml; nothing of it depends on its project."""
    document = read(data)
    statements = sorted(((entry.start, entry.end) for entry in document.entries), key=lambda place: place[1])
    file = BuildFile(Source(data, path), LIBRARY, options, document.comments, statements)
    if document.broken >= 0:
        file.finding("HIP605", document.broken, "syntax", "this cannot be read and stays as it is")
    for entry in document.entries:
        _entry(file, entry)
    return finished(file)


def _entry(file: BuildFile, entry: Entry) -> None:
    path, name, value = entry.path, entry.path[-1], entry.value
    if path[-3:-1] == ("cmake", "define"):
        if define(file, entry.key[0], name, value):
            _drop(file, entry)
    elif path[-2:] == ("cmake", "args") and value.kind == LIST:
        drop_elements(file, value, value.children, among(file, value.children))
    elif path[:2] == ("tool", "cibuildwheel"):
        if path[-2] == "environment" and name in _CMAKES:
            file.converted(entry.key[0], name, "environment")
            _drop(file, entry)
        elif path[-2] == "environment" and name in file.facts.environment:
            file.replace(*entry.key, _ENVIRONMENT)
            file.converted(entry.key[0], name, "environment")
        if value.kind == STRING:
            write_path(file, value)
    elif path[:3] == ("tool", "setuptools", "ext-modules"):
        _extension(file, entry)
    elif path[0] in {"build-system", "project", "dependency-groups"} and not _REQUIREMENTS.isdisjoint(path):
        for child in value.children:
            if child.kind == STRING:
                reported(file, child)


def _extension(file: BuildFile, entry: Entry) -> None:
    value = entry.value
    if entry.path[-1] == "libraries":
        gone = [index for index, child in enumerate(value.children) if _is_needless(file, child)]
        drop_elements(file, value, value.children, gone)
    else:
        for child in value.children:
            if child.kind == STRING:
                write_path(file, child)


def _is_needless(file: BuildFile, node: Node) -> bool:
    return node.kind == STRING and linked(file, *node.inner, node.text)


def _drop(file: BuildFile, entry: Entry) -> None:
    """Take an entry out: its line, or its part of an inline table."""
    data = file.source.data
    end = entry.end
    while data[end : end + 1] in {b" ", b"\t"}:
        end += 1
    if data[end : end + 1] == b",":
        end += 1
        while data[end : end + 1] in {b" ", b"\t"}:
            end += 1
        file.replace_whole(entry.start, end, "")
    elif data[end : end + 1] == b"}":
        start = data[: entry.start].rstrip()
        file.replace_whole(len(start) - start.endswith(b","), entry.end, "")
    else:
        file.drop(entry.start, entry.end)
