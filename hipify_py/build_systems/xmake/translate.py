"""An xmake.lua in, a `Translation` out: libraries, folders and options; what has no counterpart is reported."""

from __future__ import annotations

from hipify_py.build_systems.expressions import CALL, STATEMENT, STRING, Node
from hipify_py.build_systems.facts import table
from hipify_py.build_systems.option_lists import elements_of, literal, translate_options
from hipify_py.build_systems.python.rules import places, renames
from hipify_py.build_systems.python.rules.libraries import linked
from hipify_py.build_systems.python.script import Script
from hipify_py.build_systems.python.translate import Rule, translated
from hipify_py.build_systems.xmake.reader import read
from hipify_py.core.options import Options
from hipify_py.core.project_context import NO_PROJECT, ProjectContext
from hipify_py.core.source import Source
from hipify_py.core.translation import Translation

LIBRARY = "xmake"


def _calls(file: Script) -> None:
    facts = table("xmake")
    for node in file.nodes:
        if node.kind != CALL:
            continue
        name = node.called.rpartition(":")[2]
        strings = [argument for argument in node.arguments if argument.kind == STRING]
        if name in facts["linking"]:
            for string in strings:
                if linked(file, *string.inner, string.text):
                    file.finding("HIP605", string.inner[0], string.text, "HIP needs no replacement")
        elif name == "add_files":
            for string in strings:
                if string.text.endswith((".cu", ".hip")) and len(strings) == len(node.arguments):
                    file.finding("HIP633", string.inner[0], string.text)
        elif name in facts["options"]:
            _options(file, node, strings)
        elif name in facts["architectures"]:
            file.converted(node.start, name, "function")
            file.finding("HIP602", node.start, name)
            statement = node.parent
            if statement is not None and statement.kind == STATEMENT:
                file.drop(statement.start, statement.end)
        elif name in facts["calls"]:
            for string in strings:
                if string.text == "cuda" or (name == "add_packages" and string.text.startswith("cuda")):
                    file.left("HIP601", string.inner[0], f'{name}("{string.text}")', "rule", facts["calls"][name])


def _options(file: Script, call: Node, strings: list[Node]) -> None:
    """nvcc's options, as arguments of a call; one that is left without any goes."""
    several: dict[int, list[str]] = {}
    elements = elements_of(strings)
    gone = translate_options(file, elements, for_cuda=True, write=several.__setitem__)
    for index, texts in several.items():
        string = strings[index]
        file.replace_whole(string.start, string.end, ", ".join(literal(file, string, text) for text in texts))
    if gone and len(gone) == len(call.arguments) and call.parent is not None and call.parent.kind == STATEMENT:
        file.drop(call.parent.start, call.parent.end)
        return
    for index in gone:
        file.replace_whole(strings[index].start, strings[index].end, '""')


_RULES: tuple[Rule, ...] = (_calls, places.apply, renames.apply)


def translate(data: bytes, path: str, choices: Options, project: ProjectContext = NO_PROJECT) -> Translation:
    """Translate an xmake.lua."""
    return translated(Source(data, path), LIBRARY, read(data), choices, project, _RULES)
