"""Which files a call is about: those below a folder with some endings and names, and others that are named."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from fnmatch import fnmatch

from hipify_py.torch.file_names import is_caffe2_gpu_file, is_out_of_place, is_pytorch_file

_NOT_AT_TOP = (".git", "build", "third_party")
"""Folders that are not walked directly below the top."""

_WALKED_ANYWAY = "third_party/nvfuser"


def match_extensions(filename: str, extensions: Iterable[str]) -> bool:
    """Whether a name ends with one of some endings."""
    return filename.endswith(tuple(extensions))


def matched_files_iter(
    root_path: str,
    includes: Iterable[str] = (),
    ignores: Iterable[str] = (),
    extensions: Iterable[str] = (),
    out_of_place_only: bool = False,
    is_pytorch_extension: bool = False,
    *,
    of_pytorch_only: bool = False,
) -> Iterator[str]:
    """The files below a folder that match, by their paths: those of the folder, with `/`, after `root_path`.

    Args:
        root_path: the folder; `.git`, `build` and `third_party` directly below it are left out.
        includes: patterns of whole paths, of which one has to match; `*` also matches `/`. A path given literally needs
            no ending.
        ignores: patterns of whole paths, of which none may match.
        extensions: the endings.
        out_of_place_only: with `of_pytorch_only`, leave out the files that PyTorch translates in place.
        is_pytorch_extension: with `of_pytorch_only`, take all files nevertheless.
        of_pytorch_only: take the files of PyTorch's own tree that are for GPUs, as PyTorch up to 2.10 does.
    """
    patterns = Patterns(includes, ignores)
    endings = tuple(extensions)
    for folder, folders, names in os.walk(root_path, topdown=True):
        if folder == root_path:
            if "third_party" in folders:
                folders.append(_WALKED_ANYWAY)
            folders[:] = [name for name in folders if name not in _NOT_AT_TOP]
        for name in names:
            path = to_unix_path(os.path.join(folder, name))
            if not (patterns.admit(path) and (path.endswith(endings) or path in patterns.includes)):
                continue
            relative = to_unix_path(os.path.relpath(path, root_path))
            if of_pytorch_only and not is_pytorch_extension:
                if not (is_pytorch_file(relative) or is_caffe2_gpu_file(relative)):
                    continue
                if out_of_place_only and not is_out_of_place(relative):
                    continue
            yield path


class Patterns:
    """Patterns of whole paths: of `includes` one has to match, of `ignores` none may."""

    def __init__(self, includes: Iterable[str], ignores: Iterable[str]) -> None:
        self.includes = frozenset(includes)
        self.ignores = frozenset(ignores)

    def admit(self, path: str) -> bool:
        """Whether a path matches."""
        return any(fnmatch(path, each) for each in self.includes) and not any(
            fnmatch(path, each) for each in self.ignores
        )


def headers_below(folder: str, patterns: Patterns, endings: Iterable[str]) -> Iterator[str]:
    """The files with some endings anywhere below a folder that match the patterns."""
    endings = tuple(endings)
    for place, _, names in os.walk(folder):
        for name in sorted(names):
            path = os.path.join(place, name)
            if name.endswith(endings) and patterns.admit(to_unix_path(path)):
                yield path


def to_unix_path(path: str) -> str:
    """A path with `/`."""
    return path.replace(os.sep, "/")
