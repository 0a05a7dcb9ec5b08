"""PyTorch's extensions: what `torch.utils.cpp_extension` does under ROCm, and its names there."""

from __future__ import annotations

from hipify_py.build_systems.expressions import (
    ATTRIBUTE,
    CALL,
    IMPORT,
    KEYWORD,
    LIST,
    NAME,
    OPERATION,
    OTHER,
    STRING,
    TUPLE,
    Node,
)
from hipify_py.build_systems.python.script import Script
from hipify_py.core.translation import NATIVE, Reference

_EXTENSION, _MODULE = "CUDAExtension", "cpp_extension"
_HOME, _NEW_HOME = "CUDA_HOME", "ROCM_HOME"
_VERSION, _NEW_VERSION = "torch.version.cuda", "hip"
_NO_VERSION = "it is None under ROCm; torch.version.hip has the version"
_ARCHITECTURES = "TORCH_CUDA_ARCH_LIST"
_ASKED = frozenset({"bool"})
_LOCAL_VERSIONS = {"cu": "rocm", "+cu": "+rocm", "cuda": "rocm"}
_VERSIONS = frozenset({"parse", "Version", "LooseVersion", "StrictVersion", "float"})
_HALF = "__CUDA_NO_"
_LOGICAL = frozenset({"and", "or", "not", "is", "is not"})


def apply(file: Script) -> None:
    """Ask for ROCm in place of CUDA, and report how PyTorch handles the rest."""
    names_home = _imports_home(file)
    is_extension, macros = False, list[Node]()
    for node in file.nodes:
        if node.kind in {NAME, ATTRIBUTE} and _is_extension(node) and not is_extension:
            is_extension = True
            file.references.append(Reference(node.start, _EXTENSION, file.library, "function", NATIVE))
            file.finding("HIP630", node.start, _EXTENSION)
        elif node.kind == NAME and node.text == _HOME and names_home:
            file.replace(node.start, node.end, _NEW_HOME)
            file.converted(node.start, _HOME, "variable")
        elif node.kind == ATTRIBUTE:
            _attribute(file, node)
        elif node.kind == OPERATION and node.text in {"in", "not in"}:
            _local_version(file, node)
        elif node.kind == STRING and node.text == _ARCHITECTURES and _is_asked(node):
            detail = "PyTorch for ROCm uses PYTORCH_ROCM_ARCH instead, with other names (gfx942;gfx1100)"
            file.left("HIP605", node.inner[0], _ARCHITECTURES, "environment", detail)
        elif node.kind == STRING and node in file.for_nvcc:
            macros.append(node)
    if is_extension:
        for node in macros:
            _macro(file, node)


def _is_extension(node: Node) -> bool:
    """Whether the function that makes extensions is called, or passed to something."""
    if node.text.rpartition(".")[2] != _EXTENSION:
        return False
    return not any(above.kind == IMPORT for above in node.above())


def _local_version(file: Script, node: Node) -> None:
    """Translate `'cu' in torch.__version__`: ROCm's version ends in `+rocm6.4`."""
    asked, version = node.children[0], node.children[-1]
    if asked.kind == STRING and version.text == "torch.__version__" and asked.text in _LOCAL_VERSIONS:
        file.replace(*asked.inner, _LOCAL_VERSIONS[asked.text])
        file.converted(asked.inner[0], asked.text, "version")


def _is_asked(node: Node) -> bool:
    return any(above.kind in {CALL, OPERATION, "subscript"} for above in node.above())


def _imports_home(file: Script) -> bool:
    """Whether `CUDA_HOME` is PyTorch's, and not a variable of the file."""
    imported = False
    for node in file.nodes:
        if node.kind == IMPORT:
            names = [name.text for name in _names(node)]
            imported = imported or (_HOME in names and any(name.split(".")[-1] == _MODULE for name in names))
        elif node.kind == "assignment" and any(
            target.kind == NAME and target.text == _HOME for target in node.children[:-1]
        ):
            return False
    return imported


def _names(node: Node) -> list[Node]:
    found, stack = [], list(node.children)
    while stack:
        child = stack.pop()
        if child.kind in {NAME, ATTRIBUTE}:
            found.append(child)
        stack += child.children
    return found


def _attribute(file: Script, node: Node) -> None:
    if node.text.endswith(f"{_MODULE}.{_HOME}"):
        file.replace(node.end - len(_HOME), node.end, _NEW_HOME)
        file.converted(node.end - len(_HOME), _HOME, "variable")
    elif node.text == _VERSION:
        start = node.end - len("cuda")
        if _is_tested(node):
            file.replace(start, node.end, _NEW_VERSION)
            file.converted(start, _VERSION, "variable")
        elif _is_compared(node):
            version = file.cuda
            file.replace(node.start, node.end, f"'{version}'")
            file.converted(node.start, _VERSION, "variable")
            file.finding("HIP609", node.start, _VERSION, version)
        elif not any(above.kind == CALL and above.called in file.script_facts["saying"] for above in node.above()):
            file.left("HIP605", node.start, _VERSION, "variable", _NO_VERSION)


def _is_tested(node: Node) -> bool:
    """Whether the code only asks if there is one."""
    parent = node.parent
    if parent is None:
        return False
    if parent.kind == CALL:
        return parent.called in _ASKED and parent.children[0] is not node
    if parent.kind == OPERATION:
        return parent.text in _LOGICAL
    is_shown = parent.parent is not None and parent.parent.kind == STRING
    return parent.kind == OTHER and parent.children[:1] == [node] and not is_shown


def _is_compared(node: Node) -> bool:
    """Whether the version goes into a comparison, as text or as the numbers that are made of it."""
    parent = node.parent
    if parent is None or any(above.kind == STRING for above in node.above()):
        return False
    if parent.kind == CALL:
        return parent.called in _VERSIONS and parent.children[0] is not node
    if parent.kind == ATTRIBUTE:
        return parent.text == ".split" or parent.text == f"{_VERSION}.split"
    return parent.kind == OPERATION and parent.text in {"<", ">", "<=", ">=", "==", "!="}


def _macro(file: Script, node: Node) -> None:
    """Report a macro among the options of a CUDAExtension whose name PyTorch changes."""
    text = node.text
    if not text.startswith("-D") or "CUDA" not in text.partition("=")[0] or _HALF in text:
        return
    if node.parent is None or node.parent.kind not in {LIST, TUPLE, CALL, KEYWORD}:
        return
    name = text[2:].partition("=")[0]
    file.finding("HIP631", node.inner[0], name, name.replace("CUDA", "HIP", 1))
