"""Where CUDA is: its folders, the environment variables that name them, and its compiler."""

from __future__ import annotations

from hipify_py.build_systems.commands.toolkit import is_windows_path
from hipify_py.build_systems.expressions import (
    ASSIGNMENT,
    ATTRIBUTE,
    CALL,
    CONDITIONAL,
    KEYWORD,
    LIST,
    NAME,
    OPERATION,
    RETURN,
    STRING,
    SUBSCRIPT,
    TUPLE,
    Node,
    walk,
)
from hipify_py.build_systems.file import BuildFile
from hipify_py.build_systems.option_lists import drop_elements
from hipify_py.build_systems.python.flows import name_of
from hipify_py.build_systems.python.rules.options import begins_command
from hipify_py.build_systems.python.script import Script

_OLD_PATHS = ("/usr/local/cuda", "/opt/cuda")
_ROCM, _ENVIRONMENT = "/opt/rocm", "ROCM_PATH"
_COMPILERS = {"nvcc": "hipcc", "nvcc.exe": "hipcc.exe"}
_STUBS = "/lib64/stubs"
_LIBRARIES = {"lib64": "lib", "lib64/": "lib/", "/lib64": "/lib", "/lib64/": "/lib/"}
_ASKING = frozenset({"getenv", "environ"})


def apply(file: Script) -> None:
    """Write where ROCm is, and `hipcc` in place of nvcc."""
    roots = _roots(file)
    called = -1
    lists: dict[Node, list[Node]] = {}
    for node in file.nodes:
        if node.kind != STRING or node in file.answered or file.is_said(node):
            continue
        path(file, node)
        if node.text in file.environment and _is_of_environment(node) and not _has_windows_path(node):
            file.replace(*node.inner, _ENVIRONMENT)
            file.converted(node.inner[0], node.text, "environment")
            if node.parent is not None and node.parent.kind in {LIST, TUPLE}:
                lists.setdefault(node.parent, []).append(node)
        elif node.text in _LIBRARIES and _is_beside(node, roots):
            file.replace(*node.inner, _LIBRARIES[node.text])
        elif (_command(file, node) or _compiler(file, node)) and called < 0:
            called = node.inner[0]
            file.finding("HIP606", called, "nvcc")
    for parent, names in lists.items():  # several names for one folder
        again = [parent.children.index(name) for name in names[1:]]
        if again and (parent.kind == LIST or len(again) + 1 < len(parent.children)):
            drop_elements(file, parent, parent.children, again)


def _has_windows_path(name: Node) -> bool:
    """Whether the variable gets a path on Windows, or has one by default: the toolkit for NVIDIA's GPUs."""
    asked = name.parent
    if asked is not None and asked.kind == SUBSCRIPT and asked.parent is not None:
        asked = asked.parent  # what is assigned to it
    return asked is not None and any(is_windows_path(node.text) for node in walk(asked) if node.kind == STRING)


def _is_of_environment(node: Node) -> bool:
    """Whether the environment is asked for the variable that the string names, or gets a value for it."""
    parent = node.parent
    if parent is None:
        return False
    if parent.kind in {LIST, TUPLE} and parent.parent is not None:
        return parent.parent.kind != CALL  # a list of names to try
    if parent.kind == CALL:
        return any(name in _ASKING for name in parent.function.split("."))
    if parent.kind == SUBSCRIPT:
        return parent.children[0] is not node and name_of(parent.children[0]).split(".")[-1] in {
            "environ",
            "env",
            "ENV",
        }
    return parent.kind == OPERATION and "in" in parent.text and parent.children[0] is node


def _roots(file: Script) -> frozenset[str]:
    """The names of variables that hold one of CUDA's folders, or what lies in one."""
    given: list[tuple[str, Node]] = []
    users: dict[str, set[str]] = {}
    found: set[str] = set(file.script_facts["roots"])
    for node in file.nodes:
        if node.kind == ASSIGNMENT and len(node.children) > 1:
            given += [(name_of(target), node.children[-1]) for target in node.children[:-1]]
    waiting = list(found)
    for name, value in given:
        for below in walk(value):
            if below.kind in {NAME, ATTRIBUTE}:
                users.setdefault(below.text, set()).add(name)
            elif below.kind == STRING and (
                below.text in file.environment or below.text in _COMPILERS or below.text.startswith(_OLD_PATHS)
            ):
                waiting.append(name)
                found.add(name)
    while waiting:
        for name in users.get(waiting.pop(), ()):
            if name and name not in found:
                found.add(name)
                waiting.append(name)
    return frozenset(found)


def _is_beside(node: Node, roots: frozenset[str]) -> bool:
    """Whether the parts of a path beside it show that it is CUDA's."""
    parent = node.parent
    while (
        parent is not None
        and parent.kind == OPERATION
        and parent.parent is not None
        and parent.parent.kind == OPERATION
    ):
        parent = parent.parent
    if parent is None or parent.kind not in {CALL, OPERATION}:
        return False
    return any(_names(below, roots) for below in walk(parent))


def _names(node: Node, roots: frozenset[str]) -> bool:
    if node.kind == STRING:
        return node.text.startswith(_OLD_PATHS)
    return node.kind in {NAME, ATTRIBUTE, SUBSCRIPT} and name_of(node) in roots


def path(file: BuildFile, node: Node) -> None:
    """The folders where CUDA is installed by default, in a string or after `-I`, `-L` in one."""
    text = node.text
    if "\\" in text:
        return
    for old in _OLD_PATHS:
        at = text.find(old)
        while at >= 0:
            end = _end_of_path(text, at + len(old))
            is_whole = text[end : end + 1] in {"", "/", ":", ",", " ", ";", '"', "'"}
            is_option = text[at - 2 : at] in {"-I", "-L", "-B"}
            if is_whole and (at == 0 or is_option or not (text[at - 1].isalnum() or text[at - 1] in "/._")):
                start = node.inner[0] + len(text[:at].encode("utf-8", "surrogateescape"))
                file.replace(start, start + len(text[at:end].encode("utf-8", "surrogateescape")), _ROCM)
                file.converted(start, old, "path")
                if text.startswith("/lib64", end) and not text[end + 6 : end + 7].isalnum():
                    lib = node.inner[0] + len(text[:end].encode("utf-8", "surrogateescape"))
                    file.replace(lib, lib + len(_STUBS if text.startswith(_STUBS, end) else "/lib64"), "/lib")
            at = text.find(old, end)


def _end_of_path(text: str, end: int) -> int:
    """The position after the version in the name of a folder (`/usr/local/cuda-12.2`)."""
    if text[end : end + 1] == "-" and text[end + 1 : end + 2].isdigit():
        end += 1
        while text[end : end + 1].isdigit() or text[end : end + 1] == ".":
            end += 1
    return end


def _command(file: Script, node: Node) -> bool:
    """Write `hipcc` if a string is a command that calls nvcc; True if it is."""
    found = begins_command(file, node)
    if found is None:
        return False
    name = file.source.data[slice(*found)].rpartition(b"/")[2].decode("utf-8", "surrogateescape")
    if name not in _COMPILERS:
        return False
    file.replace(found[1] - len(name), found[1], _COMPILERS[name])
    file.converted(found[1] - len(name), name, "program")
    return True


def _compiler(file: Script, node: Node) -> bool:
    """Write `hipcc` if a string names nvcc as a program; True if it does."""
    text = node.text
    start, _, name = text.rpartition("/")
    if name not in _COMPILERS or not (start or _is_program(file, node)):
        return False
    first = node.inner[1] - len(name)
    file.replace(first, node.inner[1], _COMPILERS[name])
    file.converted(first, name, "program")
    return True


def _is_program(file: Script, node: Node) -> bool:
    """Whether a bare name means the program: it is looked for, joined to a folder, called or stored for that."""
    parent = node.parent
    while parent is not None and parent.kind == CONDITIONAL and node is not parent.children[1]:
        node, parent = parent, parent.parent
    if parent is None:
        return False
    if parent.kind == KEYWORD:
        return "nvcc" in parent.text.lower() or parent.text in {"compiler", "executable"}
    if parent.kind == CALL:
        return _calls_programs(file, parent) and node is not parent.children[0]
    if parent.kind in {LIST, TUPLE}:
        outer = parent.parent
        if node is not parent.children[0] or outer is None:
            return False
        if outer.kind == OPERATION and outer.text == "+":
            return _begins_command(file, parent)
        return (outer.kind == CALL and _calls_programs(file, outer)) or len(parent.children) > 1
    if parent.kind == ASSIGNMENT:
        return node is parent.children[-1]
    if parent.kind == RETURN:
        return True
    return parent.kind == OPERATION and parent.text in {"+", "/", "or"}


def _begins_command(file: Script, first: Node) -> bool:
    """Whether a list is the beginning of a sum that is a command: `["nvcc"] + options`, run or stored."""
    rest: list[Node] = []
    node, above = first, first.parent
    while above is not None and above.kind == OPERATION and above.text == "+":
        if above.children[0] is not node:
            return False
        rest += above.children[1:]
        node, above = above, above.parent
    if above is None:
        return False
    if above.kind == CALL:
        return _calls_programs(file, above)
    return above.kind == ASSIGNMENT and above.text.rpartition(" ")[2] == "=" and not any(map(_holds_plain_words, rest))


def _holds_plain_words(node: Node) -> bool:
    """Whether it is a list of names, none of which is an option or a file: `['gcc', 'clang']`."""
    return node.kind in {LIST, TUPLE} and all(
        child.kind == STRING and not child.references and not child.text.startswith("-") and "." not in child.text
        for child in node.children
    )


def _calls_programs(file: Script, call: Node) -> bool:
    called = call.called
    if called in file.script_facts["programs"]:
        return True
    if called in {"get", "getenv"}:  # os.environ.get('NVCC', 'nvcc')
        return any(name in _ASKING for name in call.function.split(".")) and len(call.arguments) > 1
    return any(part in called.lower() for part in ("find", "which", "search", "locate"))
