"""Writes translated files, and removes them again if a build only needs them for a while."""

from __future__ import annotations

import os
from contextlib import suppress
from types import TracebackType
from typing import IO, Any, Protocol

from hipify_py.project.temporary import clear, run_token, staging_name
from hipify_py.project.write import commit, stage


class GeneratedFileCleaner:
    """A context that removes the files and folders made in it at its end, unless they are to be kept.

    PyTorch's builder of extensions at run time (`torch.utils.cpp_extension.load`) makes one for each extension.
    """

    def __init__(self, keep_intermediates: bool = False) -> None:
        self.keep_intermediates = keep_intermediates
        self.files_to_clean: set[str] = set()
        self.dirs_to_clean: list[str] = []

    def __enter__(self) -> GeneratedFileCleaner:
        return self

    def open(self, fn: str, *args: Any, **kwargs: Any) -> IO[Any]:
        """`open`, for a file that is removed at the end if this creates it."""
        if not os.path.exists(fn):
            self.files_to_clean.add(os.path.abspath(fn))
        file: IO[Any] = open(fn, *args, **kwargs)  # noqa: SIM115  the caller closes it
        return file

    def makedirs(self, dn: str, exist_ok: bool = False) -> None:
        """`os.makedirs`, for folders that are removed at the end if this creates them.

        Raises:
            OSError: as `os.makedirs`.
        """
        missing: list[str] = []
        folder = os.path.abspath(dn)
        while not os.path.exists(folder):
            missing.append(folder)
            folder = os.path.dirname(folder)
        os.makedirs(dn, exist_ok=exist_ok)
        self.dirs_to_clean += reversed(missing)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if self.keep_intermediates:
            return
        for path in self.files_to_clean:
            with suppress(FileNotFoundError):
                os.unlink(path)
        for folder in reversed(self.dirs_to_clean):
            if os.path.isdir(folder) and not os.listdir(folder):  # what others have put there stays
                os.rmdir(folder)


class Cleaner(Protocol):
    """What a call needs of a cleaner, PyTorch's own or this one."""

    files_to_clean: set[str]

    def makedirs(self, dn: str, exist_ok: bool = ...) -> None:
        """Make a folder, and those above it."""


def write_generated(path: str, data: bytes, cleaner: Cleaner, *, backup: bool) -> bool:
    """Write a generated file in one step; False if it holds these bytes already, and is not touched.

    Args:
        path: where it goes; its folder is made.
        data: its content.
        cleaner: learns of what is made.
        backup: keep a file that is there under its name with `.prehip` added.

    Raises:
        OSError: if it cannot be written; a file that is there is as it was.
    """
    folder = os.path.dirname(path)
    if not os.path.isdir(folder):
        cleaner.makedirs(folder, exist_ok=True)
    is_new = not os.path.lexists(path)
    staged = staging_name(path, run_token())
    try:
        # It can be made again from its source, so it need not wait for the disk.
        if not stage(data, path, staged, like=path, durable=False):
            return False
        commit(staged, path, backup_of=path if backup and not is_new else None)
    finally:
        clear([staged])
    if is_new:
        cleaner.files_to_clean.add(path)
    return True


def register_new(path: str, cleaner: Cleaner) -> None:
    """Let a cleaner remove a file that is about to be made, unless it is there already."""
    if not os.path.lexists(path):
        cleaner.files_to_clean.add(path)
