"""Libraries to link: `libraries=['cudart']` and `-lcublas`."""

from __future__ import annotations

from hipify_py.build_systems.expressions import CALL, LIST, OPERATION, STRING, TUPLE, Node
from hipify_py.build_systems.file import BuildFile
from hipify_py.build_systems.option_lists import drop_elements, words_in
from hipify_py.build_systems.python.script import Script

_OPTION = "-l"
_EXTENSION, _MACROS, _LIBRARIES = "Extension", "define_macros", "libraries"
_PLATFORM = "('__HIP_PLATFORM_AMD__', '1')"


def apply(file: Script) -> None:
    """Write the names of ROCm's libraries."""
    done: set[Node] = set()
    for node in file.nodes:
        if node.kind in {LIST, TUPLE} and node.children:
            done.update(node.children)
            translate_list(file, node, is_linked=node in file.libraries)
        elif node.kind == STRING and node not in done:
            if node in file.libraries and not _is_condition(node):
                linked(file, node.inner[0], node.inner[1], node.text)
            elif _OPTION in node.text:
                _options(file, node)
    if file.edits and any(reference.kind == "library" for reference in file.references):
        _name_platform(file)


def _name_platform(file: Script) -> None:
    """Define the platform that HIP's headers ask for; hipcc defines it, the host compiler does not."""
    for node in file.nodes:
        if node.kind != CALL or node.called != _EXTENSION:
            continue
        macros, libraries = node.keyword(_MACROS), node.keyword(_LIBRARIES)
        if libraries is None or libraries.parent is None:
            continue
        if macros is None:
            place = libraries.parent.start
            before = file.source.data[file.source.data.rfind(b"\n", 0, place) + 1 : place]
            text = f"{_MACROS}=[{_PLATFORM}],"
            if before.strip():
                file.replace(place, place, f"{text} ")
            else:
                file.insert_before(place, [text])
        elif macros.kind == LIST and macros.children:
            file.replace(macros.children[0].start, macros.children[0].start, f"{_PLATFORM}, ")
        elif macros.kind == LIST:
            file.replace(macros.start, macros.end, f"[{_PLATFORM}]")
        else:
            file.finding("HIP605", macros.start, _MACROS, f"add {_PLATFORM}, which HIP's headers need")


def translate_list(file: Script, node: Node, *, is_linked: bool) -> None:
    gone = []
    for index, child in enumerate(node.children):
        if child.kind != STRING:
            continue
        name = child.text.removeprefix(_OPTION)
        if not (is_linked or name != child.text):
            continue
        if linked(file, child.inner[1] - len(name.encode("utf-8", "surrogateescape")), child.inner[1], name):
            gone.append(index)
    drop_elements(file, node, node.children, gone)


def _is_condition(node: Node) -> bool:
    return any(above.kind == OPERATION and above.text != "+" for above in node.above())


def _options(file: Script, node: Node) -> None:
    """Translate `-lcudart` and the like among the words of a string."""
    data = file.source.data
    for start, end in words_in(data, *node.inner, node.references):
        word = data[start:end].decode("utf-8", "surrogateescape")
        is_option = word.startswith(_OPTION) and "\\" not in word
        if is_option and linked(file, start + len(_OPTION), end, word[len(_OPTION) :]):
            file.replace(start, end, "")


def linked(file: BuildFile, start: int, end: int, name: str) -> bool:
    """Write the replacement of a library at its place; True if it has none, and needs none."""
    library = file.facts.libraries.get(name)
    if library is None or library.imported or name == "toolkit":
        return False
    if library.unsupported:
        file.left("HIP613", start, name, "library", library.unsupported)
        return False
    file.converted(start, name, "library")
    if library.drop:
        return True
    file.replace(start, end, library.library)
    return False
