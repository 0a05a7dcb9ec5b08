"""Where translated files go, and how files include each other there."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Mapping

from hipify_py.catalog import Catalog
from hipify_py.core.edits import Edit, apply
from hipify_py.frontend.lexer import Lexer
from hipify_py.torch.file_names import get_hip_file_path
from hipify_py.torch.reach import Found, Include, Reach
from hipify_py.torch.selection import to_unix_path

_OF_PYTORCH = (
    "ATen/cuda",
    "ATen/native/cuda",
    "ATen/native/nested/cuda",
    "ATen/native/quantized/cuda",
    "ATen/native/sparse/cuda",
    "ATen/native/transformers/cuda",
)
"""How the paths of PyTorch's headers begin that its build for ROCm renames as it renames files."""


def hip_path(path: str, output_directory: str, *, is_pytorch_extension: bool) -> str:
    """The absolute path of a translated file."""
    relative = to_unix_path(os.path.relpath(path, output_directory))
    return os.path.abspath(os.path.join(output_directory, get_hip_file_path(relative, is_pytorch_extension)))


def target_paths(
    paths: Collection[str], output_directory: str, taken: Mapping[str, str], *, is_pytorch_extension: bool
) -> dict[str, str]:
    """The absolute paths of translated files, no two of them the same, and for an extension none that of a source.

    `ops.cpp` and `ops_cuda.cpp` would both become `ops_hip.cpp`. PyTorch's translator writes one over the other; here,
    the one that is not named for CUDA becomes `ops_hip_hip.cpp`.

    Args:
        paths: the absolute paths of the sources.
        output_directory: the folder that names are relative to.
        taken: translated files of other calls, with their sources.
        is_pytorch_extension: whether they are an extension's.
    """
    wanted = {
        path: hip_path(path, output_directory, is_pytorch_extension=is_pytorch_extension) for path in sorted(paths)
    }
    if not is_pytorch_extension:
        return wanted
    used = {*paths, *(target for target, source in taken.items() if source not in wanted)}
    found: dict[str, str] = {}
    for path in sorted(wanted, key=lambda path: not _is_named_for_cuda(path, wanted[path])):
        target = wanted[path]
        while target in used:
            stem, ending = os.path.splitext(target)
            target = f"{stem}_hip{ending}"
        used.add(target)
        found[path] = target
    return {path: found[path] for path in paths}


def _is_named_for_cuda(path: str, target: str) -> bool:
    """Whether the name of a translated file is that of the source with HIP for CUDA, not with something added."""
    return os.path.splitext(target)[0] != f"{os.path.splitext(path)[0]}_hip"


def final_paths(
    reach: Reach, targets: Mapping[str, str], changed: Collection[str], failed: Collection[str]
) -> dict[str, str]:
    """Where each file of an extension is in the end: a file that stays as it is, or has failed, is used where it is.

    A file gets its new name if its own text changes, its folder does, or a file that it includes gets another place.

    Args:
        reach: the files with their includes.
        targets: their new names.
        changed: the files whose own text changes.
        failed: the files that could not be translated.
    """
    includers: dict[str, list[str]] = {}
    for path, found in reach.files.items():
        for header in found.values():
            includers.setdefault(header.path, []).append(path)
    moved = {path for path in reach.files if os.path.dirname(path) != os.path.dirname(targets[path])}
    renamed = moved.union(changed).difference(failed)
    pending = [*renamed]
    while pending:
        above = {each for each in includers.get(pending.pop(), ()) if each not in renamed and each not in failed}
        renamed |= above
        pending += above
    return {path: targets[path] if path in renamed else path for path in reach.files}


def with_new_includes(
    text: bytes, path: str, target: str, found: Mapping[Include, Found], finals: Mapping[str, str], catalog: Catalog
) -> bytes:
    """A translated source whose includes lead to the files of the project where they are now.

    Args:
        text: the translated source.
        path: where the source is.
        target: where its translation goes.
        found: what its includes lead to.
        finals: where these files are in the end, if they are translated.
        catalog: the tables, which have PyTorch's headers.
    """

    def renamed(name: str, is_quoted: bool) -> str | None:
        header = found.get(Include(name, is_quoted))
        if header is None:
            return _header_of_pytorch(name, catalog)
        final = finals.get(header.path, header.path)
        is_beside = is_quoted and header.folder == os.path.dirname(path)
        folder = os.path.dirname(target) if is_beside else header.folder
        if os.path.normpath(os.path.join(folder, name)) == final:
            return None
        return to_unix_path(os.path.relpath(final, folder))

    return _rewritten(text, renamed)


def with_pytorch_headers(text: bytes, catalog: Catalog) -> bytes:
    """A translated source with the names that PyTorch's headers without a row in the tables have on ROCm."""
    return _rewritten(text, lambda name, is_quoted: _header_of_pytorch(name, catalog))


def _rewritten(text: bytes, renamed: Callable[[str, bool], str | None]) -> bytes:
    edits = []
    for include in Lexer(frozenset()).scan(text).includes:
        new = renamed(include.path, include.quoted)
        if new is not None and new != include.path:
            edits.append(Edit(include.start + 1, include.end - 1, os.fsencode(new)))
    return apply(text, edits)


def _header_of_pytorch(name: str, catalog: Catalog) -> str | None:
    if not name.startswith(_OF_PYTORCH) or catalog.row(os.fsencode(name)) is not None:
        return None
    return get_hip_file_path(name, is_pytorch_extension=True)
