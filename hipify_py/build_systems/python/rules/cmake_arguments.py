"""Variables of CMake's CUDA support that a script passes to CMake: `-DCMAKE_CUDA_ARCHITECTURES=70`."""

from __future__ import annotations

from collections.abc import Sequence

from hipify_py.build_systems.expressions import CALL, LIST, STATEMENT, STRING, TUPLE, Node, head
from hipify_py.build_systems.file import BuildFile
from hipify_py.build_systems.option_lists import Element, drop_elements, translate_options
from hipify_py.build_systems.python.flows import added
from hipify_py.build_systems.python.rules.options import drop_statements
from hipify_py.build_systems.python.script import Script

_DEFINE = "-D"
_OF_CUDA = ("CMAKE_CUDA_", "CUDAToolkit_", "CUDA_")
KEPT, GONE = False, True


def apply(file: Script) -> None:
    """Rename variables, and take out those that CMake's HIP support does not have."""
    gone: list[Node] = []
    for node in file.nodes:
        if node.kind in {LIST, TUPLE}:
            drop_elements(file, node, node.children, among(file, node.children))
        elif node.kind == STATEMENT and len(node.children) == 1 and node.children[0].kind == CALL:
            values = added(node.children[0])
            if len(values) == 1 and values[0].kind not in {LIST, TUPLE} and among(file, values):
                gone.append(node)
    drop_statements(file, gone)


def among(file: BuildFile, nodes: Sequence[Node]) -> list[int]:
    """Translate the definitions among the elements of a list; returns the indexes of those that have to go."""
    found = []
    for index, node in enumerate(nodes):
        string = head(node)
        if string is not None and string.text.startswith(_DEFINE):
            name = string.text[len(_DEFINE) :].partition("=")[0].partition(":")[0]
            is_defined = "=" in string.text
            if is_defined and define(file, string.inner[0] + len(_DEFINE), name, string):
                found.append(index)
    return found


def define(file: BuildFile, start: int, name: str, value: Node) -> bool:
    """Translate the variable whose name is at a place, and the options that it holds; True if it has to go."""
    row = file.facts.variables.get(name)
    if row is None or not name.startswith(_OF_CUDA):
        return KEPT
    if row.get("set") == "drop":
        file.converted(start, name, "variable")
        if "finding" in row:
            file.finding(row["finding"], start, name)
        return GONE
    if "hip" in row and not row.get("found"):
        end = start + len(name)
        file.replace(start, end, row["hip"])
        file.converted(start, name, "variable")
        if "holds" in row:
            _options(file, value)
    elif "unsupported" in row or "rdc" in row:
        detail = row.get("unsupported", "compile and link with -fgpu-rdc if it is on")
        file.left("HIP601", start, name, "variable", detail)
    return KEPT


def _options(file: BuildFile, string: Node) -> None:
    """The options in the value of a variable: after the equals sign, or all of a string."""
    at = string.text.find("=") + 1 if string.text.startswith(_DEFINE) else 0
    start = string.inner[0] + len(string.text[:at].encode("utf-8", "surrogateescape"))
    within = Node(STRING, start, string.inner[1], string.text[at:])
    within.references = [place for place in string.references if place[0] >= start]

    def write(_: int, texts: list[str]) -> None:
        file.replace(*within.inner, " ".join(texts))

    if translate_options(file, [Element(within, within)], for_cuda=True, write=write):
        file.replace(*within.inner, "")
