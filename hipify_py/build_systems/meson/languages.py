"""The language cuda: where a project turns it on, and what is declared for it alone."""

from __future__ import annotations

from collections.abc import Iterable

from hipify_py.build_systems.expressions import CALL, KEYWORD, LIST, STATEMENT, STRING, Node
from hipify_py.build_systems.facts import table
from hipify_py.build_systems.option_lists import drop_elements, elements_of, translate_options, write_several
from hipify_py.build_systems.python.script import Script
from hipify_py.core.edits import Edit, apply

_CUDA = "cuda"
_TURNING_ON = frozenset({"project", "add_languages"})
_OPTIONS = ("cuda_std=", "cuda_ccbindir=")


def languages(file: Script) -> None:
    """Set up hipcc where CUDA is turned on, and pass options for CUDA to it."""
    facts = table("meson")
    for node in file.nodes:
        if node.kind != CALL:
            continue
        if node.function in _TURNING_ON:
            _turned_on(file, node)
        elif node.function in facts["arguments"] and _is_cuda(node.keyword("language")):
            _arguments(file, node)
        elif node.called == "get_compiler" and node.arguments and _is_cuda(node.arguments[0]):
            file.left(
                "HIP605", node.arguments[0].inner[0], "get_compiler('cuda')", "function", "query the program hipcc"
            )
        elif node.called in facts["architectures"]:
            file.converted(node.start, node.called, "function")
            file.finding("HIP602", node.start, node.called)
            file.replace_whole(node.start, node.end, "''" if node.called.endswith("readable") else "[]")


def _is_cuda(node: Node | None) -> bool:
    """Whether a node is the language cuda and no other."""
    if node is not None and node.kind == LIST and len(node.children) == 1:
        node = node.children[0]
    return node is not None and node.kind == STRING and node.text == _CUDA


def _turned_on(file: Script, call: Node) -> None:
    named = call.arguments[1:] if call.function == "project" else call.arguments
    places = [(call, call.arguments)] + [(node, node.children) for node in named if node.kind == LIST]
    standard: list[str] = []
    options = call.keyword("default_options")
    for node in _strings(options):
        if node.text.startswith(_OPTIONS):
            file.converted(node.inner[0], node.text.partition("=")[0], "option")
            if node.text.startswith(_OPTIONS[0]) and not node.text.endswith("=none"):
                standard = [f"-std={node.text.partition('=')[2]}"]
    if options is not None and options.kind == LIST:
        gone = [index for index, node in enumerate(options.children) if node.text.startswith(_OPTIONS)]
        drop_elements(file, options, options.children, gone)
    for holder, children in places:
        gone = [index for index, node in enumerate(children) if node.kind == STRING and node.text == _CUDA]
        if holder is call and call.function == "project":
            gone = [index for index in gone if index]
        if not gone:
            continue
        file.converted(children[gone[0]].inner[0], _CUDA, "language")
        statement = _statement(call)
        is_only = call.function == "add_languages" and not _others(call)
        if is_only and statement.kind == STATEMENT and statement.children == [call]:
            file.write_instead(statement.start, statement.end, _set_up(standard))
            return
        indent = "" if statement.kind == STATEMENT else "  "
        file.insert_behind(statement.start, statement.end, [indent + line for line in _set_up(standard)])
        if is_only:
            file.replace_whole(call.start, call.end, "find_program('hipcc', required: false).found()")
        else:
            drop_elements(file, holder, children, gone)
        return


def _others(call: Node) -> bool:
    return any(node.kind == STRING and node.text != _CUDA for node in _strings_of(call.arguments))


def _strings(node: Node | None) -> list[Node]:
    return [] if node is None else _strings_of(node.children or [node])


def _strings_of(nodes: Iterable[Node]) -> list[Node]:
    return [node for node in nodes if node.kind == STRING]


def _statement(node: Node) -> Node:
    """The statement that contains an expression."""
    while node.parent is not None and node.parent.parent is not None:
        node = node.parent
    return node


def _set_up(options: list[str]) -> list[str]:
    given = ", ".join(f"'{option}'" for option in options)
    return [
        "# Meson has no language for HIP: hipcc makes objects of the .cu sources, with the options of hip_args.",
        "hipcc = find_program('hipcc')",
        f"hip_args = [{given}]",
        "hip_objects = generator(",
        "  hipcc,",
        "  output: '@PLAINNAME@.o',",
        "  arguments: ['-fPIC', '-I@CURRENT_SOURCE_DIR@', '@EXTRA_ARGS@', '-c', '@INPUT@', '-o', '@OUTPUT@'],",
        ")",
        "hip_dep = dependency('hip', method: 'cmake', modules: ['hip::host'])",
    ]


def _arguments(file: Script, call: Node) -> None:
    """Write `hip_args += ['-G']` in place of `add_project_arguments('-G', language: 'cuda')`."""
    file.converted(call.start, call.function, "function")
    if "link" in call.function or _statement(call).children != [call]:
        file.finding("HIP605", call.start, call.function, "set it for the language cpp, which links")
        return
    given = [node for node in call.arguments if node.kind != KEYWORD]
    elements = elements_of(given)
    several: dict[int, list[str]] = {}
    gone = set(translate_options(file, elements, for_cuda=True, write=several.__setitem__))
    for index, texts in several.items():
        write_several(file, elements[index], texts)
    given = [node for index, node in enumerate(given) if index not in gone]
    texts = [text for node in given if (text := edited(file, node.start, node.end)).strip()]
    file.replace_whole(call.start, call.end, f"hip_args += [{', '.join(texts)}]")


def edited(file: Script, start: int, end: int) -> str:
    """The text of a range after the edits of the rules so far."""
    edits = [edit for edit in file.finish() if start <= edit.start and edit.end <= end]
    shifted = [Edit(edit.start - start, edit.end - start, edit.text) for edit in edits]
    return apply(file.source.data[start:end], shifted).decode("utf-8", "surrogateescape")
