"""Names of renamed files in build files: `convert --rename` gives files other endings, and their references follow.

A build system asks for each word that may be a path or a glob. It masks the unknown parts of a word (a variable's
value) with `ANY`, so that `${name}.cu` matches a name with any beginning; it masks a variable that holds the folder
itself with `here`.
"""

from __future__ import annotations

from collections.abc import Iterable
from posixpath import dirname

from hipify_py.core.project_context import ProjectContext, new_ending, renamed_endings, respelled
from hipify_py.core.renamed_paths import ANY

__all__ = ["folder_of", "masked", "new_ending", "new_spelling", "new_spellings", "renamed_endings"]


def folder_of(path: str) -> str:
    """The folder of a build file, to which its words are relative."""
    return dirname(path.replace("\\", "/"))


def masked(word: str, unknown: Iterable[tuple[int, int]], here: Iterable[tuple[int, int]] = ()) -> str:
    """A word with its unknown parts masked: ranges of characters of any value, and those that are the folder."""
    text = list(word)
    for start, end in unknown:
        text[start:end] = ANY * (end - start)
    for start, end in here:
        text[start:end] = "." + "/" * (end - start - 1)
    return "".join(text)


def new_spellings(
    project: ProjectContext, folder: str, word: str, mask: str = "", *, is_deep: bool = False
) -> tuple[str, ...] | None:
    """The new spellings of a path or a glob; None if it stays as it is.

    A glob over files of several endings may need several spellings (`*.cu*` is `*.hip` and `*.hip.h`). There are none
    if it names renamed files and no glob names just those: report that (HIP610).

    Args:
        project: what the file's project knows about the names of its files.
        folder: the folder that the word starts from; a word that is not found there is looked for in all folders.
        word: the word, as it is written.
        mask: the word, `masked`; empty if all of it is known.
        is_deep: whether a glob also names files of the folders below, as CMake's `GLOB_RECURSE` does.
    """
    found = respelled(project, folder, mask or word, is_deep=is_deep)
    return None if found is None else tuple(word[: found.start] + ending for ending in found.endings)


def new_spelling(project: ProjectContext, folder: str, word: str, mask: str = "") -> str | None:
    """The new spelling of a word if one is enough; None if it stays, or if it takes several."""
    found = new_spellings(project, folder, word, mask)
    return found[0] if found is not None and len(found) == 1 else None
