"""Translate a Bazel file into a `Translation`: Starlark is read as the subset of Python that it is."""

from __future__ import annotations

from hipify_py.build_systems.expressions import CALL, NAME, STRING, Node
from hipify_py.build_systems.facts import table
from hipify_py.build_systems.python.reader import read
from hipify_py.build_systems.python.rules import libraries, options, places, renames
from hipify_py.build_systems.python.script import BAZEL, Script
from hipify_py.build_systems.python.translate import Rule, translated
from hipify_py.core.options import Options
from hipify_py.core.project_context import NO_PROJECT, ProjectContext
from hipify_py.core.source import Source
from hipify_py.core.translation import Translation

_DEPENDING = frozenset({"bazel_dep", "http_archive", "git_repository", "use_repo"})


def _labels(file: Script) -> None:
    """The labels of TensorFlow's repository for CUDA, and what is loaded from it."""
    facts = table("bazel")
    labels, symbols, repositories = facts["labels"], facts["symbols"], facts["repositories"]
    renamed: dict[str, str] = {}
    for node in file.nodes:
        is_load = node.kind == CALL and node.function == "load" and len(node.children) > 1
        if is_load and node.arguments[0].text in facts["files"]:
            renamed.update(_loaded(file, node, symbols))
    for node in file.nodes:
        if node.kind == NAME and node.text in renamed:
            file.replace(node.start, node.end, renamed[node.text])
            file.converted(node.start, node.text, "function")
        elif node.kind == STRING:
            _label(file, node, {**labels, **facts["files"]}, repositories)


def _loaded(file: Script, call: Node, symbols: dict[str, str]) -> dict[str, str]:
    """Rename what a file loads for CUDA; returns the names by which it is called."""
    renamed = {}
    for argument in call.arguments[1:]:
        name = argument if argument.kind == STRING else argument.value  # `cuda = "cuda_library"`
        if name is None or name.kind != STRING:
            continue
        if name.text in symbols:
            file.replace(*name.inner, symbols[name.text])
            file.converted(name.inner[0], name.text, "function")
            if name is argument:
                renamed[name.text] = symbols[name.text]
        else:
            file.left("HIP601", name.inner[0], name.text, "function", "local_config_rocm has no target of that name")
    return renamed


def _label(file: Script, node: Node, labels: dict[str, str], repositories: dict[str, str]) -> None:
    text = node.text
    if text in labels:
        file.replace(*node.inner, labels[text])
        file.converted(node.inner[0], text, "label")
        return
    repository, slashes, _ = text.removeprefix("@").partition("//")
    if text.startswith("@") and slashes:
        if repository.lstrip("@") in repositories:
            file.left("HIP601", node.inner[0], text, "label", repositories[repository.lstrip("@")])
    elif text in repositories and node.parent is not None and node.parent.kind == "keyword":
        call = node.parent.parent
        if node.parent.text == "name" and call is not None and call.called in _DEPENDING:
            file.left("HIP601", node.inner[0], text, "repository", repositories[text])


_RULES: tuple[Rule, ...] = (_labels, options.apply, libraries.apply, places.apply, renames.apply)


def translate(data: bytes, path: str, choices: Options, project: ProjectContext = NO_PROJECT) -> Translation:
    """Translate a Bazel file."""
    return translated(Source(data, path), BAZEL, read(data), choices, project, _RULES)
