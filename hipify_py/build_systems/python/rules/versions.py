"""Calls that ask nvcc for its version.

hipcc words its version in another way, and a search in it for a release of CUDA finds none. What the script should do
under ROCm is its author's to say: a version of HIP decides about other things than one of CUDA.
"""

from __future__ import annotations

from hipify_py.build_systems.expressions import CALL, LIST, STRING, TUPLE, Node, walk
from hipify_py.build_systems.python.flows import name_of
from hipify_py.build_systems.python.script import Script

_RUNNING = frozenset(
    {"check_output", "getoutput", "run", "Popen", "popen", "getstatusoutput", "check_call", "call", "system"}
)
_OPTIONS = frozenset({"-V", "--version"})
_COMPILERS = frozenset({"nvcc", "nvcc.exe"})


def apply(file: Script) -> None:
    """Report the calls, and leave them: what is done with the answer is written for nvcc's."""
    for node in file.nodes:
        if node.kind != CALL or node.called not in _RUNNING or not node.arguments:
            continue
        if _asks_nvcc(node.arguments[0]):
            file.answered.update(walk(node))
            file.finding("HIP622", node.arguments[0].start, "nvcc")


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
