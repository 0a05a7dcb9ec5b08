"""Calls that ask nvcc for its version: they get the answer of the CUDA version that a project is read as.

hipcc words its version in another way, and a search in it for a release of CUDA finds none.
"""

from __future__ import annotations

from hipify_py.build_systems.expressions import ATTRIBUTE, CALL, LIST, STRING, TUPLE, Node, walk
from hipify_py.build_systems.python.flows import name_of
from hipify_py.build_systems.python.script import Script

_ANSWERING = frozenset({"check_output", "getoutput"})
"""Functions that return what a program prints."""
_RUNNING = frozenset({"run", "Popen", "popen", "getstatusoutput", "check_call", "call", "system"})
_AS_TEXT = ("universal_newlines", "text", "encoding")
_OPTIONS = frozenset({"-V", "--version"})
_COMPILERS = frozenset({"nvcc", "nvcc.exe"})


def apply(file: Script) -> None:
    """Answer in nvcc's words if only the output is asked for, and report the other calls."""
    for node in file.nodes:
        if node.kind != CALL or node.called not in _ANSWERING | _RUNNING or not node.arguments:
            continue
        if not _asks_nvcc(node.arguments[0]):
            continue
        file.answered.update(walk(node))
        output = _output(node)
        if output is None:
            file.finding("HIP622", node.arguments[0].start, "nvcc")
            continue
        version = file.cuda
        prefix = "" if _is_text(node) else "b"
        file.replace_whole(
            output.start, output.end, f"{prefix}'Cuda compilation tools, release {version}, V{version}.0'"
        )
        file.converted(output.start, "nvcc", "version")
        file.finding("HIP609", output.start, "nvcc --version", version)


def _asks_nvcc(command: Node) -> bool:
    """Whether a command, in a list or as one string, makes nvcc print its version and no more."""
    if command.kind == STRING:
        words = command.text.split()
        return len(words) == 2 and words[0].rpartition("/")[2] in _COMPILERS and words[1] in _OPTIONS
    if command.kind not in {LIST, TUPLE} or len(command.children) != 2:
        return False
    program, option = command.children
    return option.kind == STRING and option.text in _OPTIONS and _is_nvcc(program)


def _is_nvcc(program: Node) -> bool:
    """Whether it is `'nvcc'`, `home + '/bin/nvcc'`, `join(home, 'bin', 'nvcc')`, or a variable of such a name."""
    texts = [node for node in walk(program) if node.kind == STRING]
    if texts:
        return texts[-1].text.rpartition("/")[2] in _COMPILERS
    return "nvcc" in name_of(program).lower()


def _output(call: Node) -> Node | None:
    """The expression that is the program's output; None if more than that is asked for."""
    if call.called in _ANSWERING:
        return call
    parent = call.parent
    is_output = call.called == "run" and parent is not None and parent.kind == ATTRIBUTE and parent.text == ".stdout"
    return parent if is_output else None


def _is_text(call: Node) -> bool:
    return call.called == "getoutput" or any(call.keyword(name) is not None for name in _AS_TEXT)
