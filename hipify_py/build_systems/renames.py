"""Names of renamed files and folders in build files, which follow `convert --rename` and `--rename-map`.

A build system asks for each word that may be a path or a glob. It masks the unknown parts of a word (a variable's
value) with `ANY`, so that `${name}.cu` matches a name with any beginning; it masks a variable that holds the folder
itself with `here`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from posixpath import dirname

from hipify_py.core import project_context
from hipify_py.core.project_context import ProjectContext, new_ending, renamed_endings, respelled
from hipify_py.core.renamed_paths import ANY

__all__ = [
    "folder_of",
    "masked",
    "new_ending",
    "new_folder",
    "new_folder_word",
    "new_spelling",
    "new_spellings",
    "renamed_endings",
]


_FOLDER_OPTION = re.compile("-(?:I|L|C|isystem|iquote)|--directory=?")
"""The options of compilers and make before a folder, which may be the next word."""


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
    if found is None:
        return None
    return tuple(word[: found.start] + _unmasked(ending, word, mask, found.start) for ending in found.endings)


def new_output(project: ProjectContext, folder: str, word: str, mask: str = "") -> str | None:
    """The new spelling of a path to what is made of a renamed file, such as an object; None if it stays.

    Args:
        project: what the file's project knows about the names of its files.
        folder: the folder that the word starts from.
        word: the word, as it is written.
        mask: the word, `masked`; empty if all of it is known.
    """
    return _unmasked_whole(project_context.new_output(project, folder, mask or word), word, mask or word)


def new_folder(project: ProjectContext, folder: str, word: str, mask: str = "") -> str | None:
    """The new spelling of a path to a renamed folder; None if it stays.

    Args:
        project: what the file's project knows about the names of its files.
        folder: the folder that the word starts from.
        word: the word, as it is written. One of a single part must be a path where it stands: it might be any name.
        mask: the word, `masked`; empty if all of it is known.
    """
    return _unmasked_whole(project_context.new_folder(project, folder, mask or word), word, mask or word)


def new_folder_word(
    project: ProjectContext, folder: str, word: str, mask: str = "", *, before: str = "", is_folder: bool = False
) -> str | None:
    """The new spelling of a word in a command that names a renamed folder: `-Isrc/cuda`; None if it stays.

    Args:
        project: what the file's project knows about the names of its files.
        folder: the folder that the word starts from.
        word: the word, as it is written.
        mask: the word, `masked`; empty if all of it is known.
        before: the word before it, such as `-I` or `cd`.
        is_folder: whether it is a folder where it stands, even if it has but one part.
    """
    option = _FOLDER_OPTION.match(word)
    at = option.end() if option else 0
    is_folder = is_folder or before == "cd" or _FOLDER_OPTION.fullmatch(before) is not None
    if not (is_folder or option or "/" in word.strip("/")):
        return None
    new = new_folder(project, folder, word[at:], mask[at:])
    return None if new is None else word[:at] + new


def _unmasked_whole(found: str | None, word: str, mask: str) -> str | None:
    if found is None:
        return None
    start = next((at for at, own in enumerate(mask) if found[at : at + 1] != own), len(mask))
    return word[:start] + _unmasked(found[start:], word, mask, start)


def _unmasked(ending: str, word: str, mask: str, start: int) -> str:
    """The new rest of a word, with the unknown parts as they were after `start`."""
    if ANY not in ending:
        return ending
    unknown = (word[at] for at in range(start, len(mask)) if mask[at] == ANY)
    return "".join(next(unknown) if character == ANY else character for character in ending)


def new_spelling(project: ProjectContext, folder: str, word: str, mask: str = "") -> str | None:
    """The new spelling of a word if one is enough; None if it stays, or if it takes several."""
    found = new_spellings(project, folder, word, mask)
    return found[0] if found is not None and len(found) == 1 else None
