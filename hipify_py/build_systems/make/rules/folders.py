"""The toolkit's folder: `CUDA_HOME` and similar names, `/usr/local/cuda`, and what lies below them."""

from __future__ import annotations

import re

from hipify_py.build_systems.make.makefile import MakeFile
from hipify_py.build_systems.make.reader import ASSIGNMENT, CONDITION, INCLUDE, OTHER, RECIPE, Statement
from hipify_py.build_systems.make.references import outermost
from hipify_py.build_systems.make.rules.libraries import library_of, name_of
from hipify_py.build_systems.make.toolkit import FOLDER, ROOT, Root, root_at, roots, tail_of
from hipify_py.core.project_context import NOBODY, TESTED

_NAME = re.compile(rb"[\w.-]+")
_SHELLS = re.compile(rb"\$\$\{?(\w+)|(?<![\w$(.{-])(\w+)(?==)")
_SUBSTITUTED = re.compile(rb"@\w+@")
"""What configure replaces with a folder (bifrost, GPUJPEG), for which its options ask."""
_GOES_ON = re.compile(rb"[\w.$-]")
_AT_ONCE = frozenset({":=", "::=", ":::=", "!="})
"""The operators of assignments whose values make works out where they stand."""
_OF_AUTOTOOLS = (".am", ".in", ".ac", ".m4")


def apply(file: MakeFile) -> None:
    """Look in ROCm's folder."""
    known = has_variable(file)
    defined = {item.value[0] for item in file.read.statements if item.kind == ASSIGNMENT and _is_root(file, item.name)}
    uses = file.uses_root
    tested = False
    for item in file.read.statements:
        if item.kind == ASSIGNMENT and _is_root(file, item.name):
            _definition(file, item, is_asked=not tested)
        elif item.kind in (CONDITION, OTHER):
            _names(file, item)
        tested = item.kind == CONDITION and any(_is_root(file, name) for name in _tested(file, item))
        if item.kind == RECIPE or item.recipe[1]:
            _in_shell(file, item)
    last = max(defined, default=0)
    early = [(item.start, item.end) for item in file.read.statements if item.start < last and _is_read_at_once(item)]
    for root in roots(file):
        if root.start in defined and root.reference is None:
            continue
        is_early = any(start <= root.start < end for start, end in early)  # what sets the variable may depend on it
        uses = uses or (root.reference is None and not is_early) or _is_reference_to_root(file, root)
        _root(file, root, known and not is_early)
    if uses and file.context.root == NOBODY and known and file.read.statements:
        file.insert_before(file.read.statements[0].start, [f"{ROOT} ?= {FOLDER}"])


def has_variable(file: MakeFile) -> bool:
    """Whether `ROCM_PATH` is reliable: it is set already, or this file will set it."""
    if file.context.root == NOBODY:
        return not file.source.path.endswith(_OF_AUTOTOOLS)
    return file.context.root != TESTED


def _is_root(file: MakeFile, name: str) -> bool:
    return name in file.context.roots


def _is_reference_to_root(file: MakeFile, root: Root) -> bool:
    return root.reference is not None and _is_root(file, root.reference.name)


def _is_read_at_once(item: Statement) -> bool:
    """Whether make works out a statement where it stands."""
    return item.kind in (CONDITION, INCLUDE) or (item.kind == ASSIGNMENT and item.operator in _AT_ONCE)


def _root(file: MakeFile, root: Root, known: bool) -> None:
    """Translate one place where a path begins with the folder: the folder, and what follows it."""
    data = file.source.data
    stop = file.source.line_bounds(root.end - 1)[1]
    tail = tail_of(data, root, stop)
    if root.reference is not None:
        if _is_root(file, root.reference.name):
            one = root.reference
            file.replace(one.inner, one.inner + len(one.name), ROOT)
            file.converted(one.inner, one.name, "variable")
    else:
        file.replace(root.start, root.end, f"$({ROOT})" if known else FOLDER)
        file.converted(root.start, data[root.start : root.end].decode("utf-8", "surrogateescape"), "folder")
    if tail.startswith("/"):
        _below(file, root, tail)


def _below(file: MakeFile, root: Root, tail: str) -> None:
    folder = max((name for name in file.facts.make.folders if (tail + "/").startswith(name + "/")), key=len, default="")
    if not folder:
        return
    row = file.facts.make.folders[folder]
    if "unsupported" in row:
        file.left("HIP601", root.start, _shown(file, root, tail), "folder", row["unsupported"])
        return
    rest, end = tail[len(folder) :], root.end + len(tail.encode("utf-8", "surrogateescape"))
    if not rest and folder.endswith("/lib"):
        end = _after_suffix(file, end)
    program = rest.rpartition("/")[2]
    library = library_of(file, name_of(rest)) if name_of(rest) else None
    if program == "nvcc":
        rest = rest[: -len("nvcc")] + "hipcc"
        file.converted(root.end + len(tail) - len("nvcc"), "nvcc", "compiler")
    elif library is not None and library.library:
        rest = f"/lib{library.library}.so"
        file.converted(root.end, name_of(tail), "library")
    elif library is not None and library.unsupported:
        file.left("HIP613", root.end, name_of(tail), "library", library.unsupported)
    if row["hip"] + rest != file.source.data[root.end : end].decode("utf-8", "surrogateescape"):
        file.replace_whole(root.end, end, row["hip"] + rest)


def _after_suffix(file: MakeFile, place: int) -> int:
    """The end of a folder's name that a variable completes: `lib$(SUFFIX)` is `lib` or `lib64`."""
    end = next((one.end for one in file.references_in(place, place + 1)), place)
    return place if _GOES_ON.match(file.source.data, end) else end


def _shown(file: MakeFile, root: Root, tail: str) -> str:
    return file.source.data[root.start : root.end].decode("utf-8", "surrogateescape") + tail


def _tested(file: MakeFile, item: Statement) -> list[str]:
    """The variables that a condition asks for."""
    words = file.source.data[slice(*item.value)].decode("utf-8", "surrogateescape").split()
    return [*words, *(one.name for one in file.references_in(item.start, item.end))]


def _definition(file: MakeFile, item: Statement, *, is_asked: bool) -> None:
    """`CUDA_HOME = /usr/local/cuda`: ROCm's folder replaces the toolkit's, after the environment's if `is_asked`."""
    data = file.source.data
    start, end = item.value
    value = data[start:end]
    found = file.references_in(start, end)
    root = root_at(file, start)
    file.converted(item.name_start, item.name, "variable")
    is_other_root = root is not None and root.reference is not None and root.end == end
    if is_other_root and not item.in_define:
        file.drop(item.start, item.end)
        return
    is_computed = b"nvcc" in value and (any(one.is_function for one in found) or b"`" in value)
    name_end = item.name_start + len(item.name)
    if not value or is_computed or is_other_root or item.operator == "+=":
        file.replace(item.name_start, name_end, ROOT)
        return
    file.replace(item.name_start, name_end, ROOT)
    place = data.index(b"=", name_end)
    operator = place + 1 - len(item.operator)
    if is_asked and not file.source.path.endswith(_OF_AUTOTOOLS):
        file.replace(operator, place + 1, "?=")
    if not _SUBSTITUTED.fullmatch(value):
        file.replace_whole(start, end, FOLDER)


def _names(file: MakeFile, item: Statement) -> None:
    """Bare names: `ifdef CUDA_HOME`, `export CUDA_HOME`."""
    if item.kind == OTHER and item.name != "export":
        return
    data = file.source.data
    start, end = item.value
    inside = outermost(file.references_in(start, end))
    if item.kind == CONDITION and item.name not in {"ifdef", "ifndef"}:
        return
    for match in _NAME.finditer(data, start, end):
        name = match[0].decode()
        if match.start() - 2 not in inside and _is_root(file, name):
            file.replace(match.start(), match.end(), ROOT)
            file.converted(match.start(), name, "variable")


def _in_shell(file: MakeFile, item: Statement) -> None:
    """`$$CUDA_HOME` and `CUDA_HOME=…` in commands."""
    data = file.source.data
    start, end = item.value if item.kind == RECIPE else item.recipe
    for match in _SHELLS.finditer(data, start, end):
        group = 1 if match[1] else 2
        name = match[group].decode("utf-8", "surrogateescape")
        if _is_root(file, name):
            file.replace(match.start(group), match.end(group), ROOT)
            file.converted(match.start(group), name, "variable")
