"""What the benchmarks read: the CUDA sources of trees, and a bare parse to set things against."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from itertools import count, islice
from pathlib import Path
from typing import NamedTuple

from hipify_py.frontend.prefilter import may_have_cuda
from hipify_py.project.discovery import is_source_name


class Text(NamedTuple):
    """One source, read."""

    data: bytes
    path: str


def texts_of(tree: Path, wants_all: bool) -> Iterator[Text]:
    """The sources below a folder that may have CUDA in them: CUDA's own, or C's and C++'s, too."""
    for path in sorted(tree.rglob("*")):
        is_meant = path.suffix in {".cu", ".cuh"} or (wants_all and is_source_name(path.name))
        if is_meant and path.is_file() and not path.is_symlink():
            data = path.read_bytes()
            if may_have_cuda(data):
                yield Text(data, str(path))


def copy_sources(tree: Path, folder: Path, files: int) -> list[Path]:
    """Copy so many of a tree's CUDA sources into a folder, all of them several times if it has fewer.

    Each time they go into a folder of their own, in which they lie as in the tree.

    Returns:
        The paths of the copies.
    """
    given = [Path(text.path) for text in texts_of(tree, wants_all=False)]
    places = ((source, folder / str(number) / source.relative_to(tree)) for number in count() for source in given)
    copies = []
    for source, copy in islice(places, files if given else 0):
        copy.parent.mkdir(parents=True, exist_ok=True)
        copies.append(Path(shutil.copy(source, copy)))
    return copies


def bare_parse() -> Callable[[bytes], object]:
    """A parse with tree-sitter's CUDA grammar, with nothing done with the tree."""
    from tree_sitter import Language, Parser
    from tree_sitter_cuda import language

    return Parser(Language(language())).parse
