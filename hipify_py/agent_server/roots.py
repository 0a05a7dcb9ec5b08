"""The folders that the server may read and write, and which paths are inside them."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Sequence

from hipify_py.agent_server.limits import LARGEST_FILE, LONGEST_PATH, MOST_PATHS
from hipify_py.core.terminal_escape import visible
from hipify_py.project.discovery import NEVER_WALKED
from hipify_py.project.errors import reason
from hipify_py.project.paths import is_within


class Refused(ValueError):
    """A call that the server does not do; the message says why, and reaches the agent."""


class Roots:
    """Folders, of which the first is the one that relative paths begin at."""

    def __init__(self, folders: Sequence[str]) -> None:
        """Take the folders.

        Raises:
            Refused: one of them is not a folder.
        """
        self.folders = [os.path.realpath(folder) for folder in folders]
        for given, real in zip(folders, self.folders, strict=True):
            if not os.path.isdir(real):
                raise Refused(f"{given} is not a folder")

    @property
    def first(self) -> str:
        """The folder that relative paths begin at."""
        return self.folders[0]

    def inputs(self, paths: Sequence[str]) -> list[str]:
        """Check the files and folders that a call is about.

        Returns:
            The paths as given, except that one is written so that no command takes it for an option.

        Raises:
            Refused: there are none or too many; one is outside of the roots, is not there, or is neither a regular file
                of a bearable size nor a folder.
        """
        if not paths:
            raise Refused("give at least one path")
        if len(paths) > MOST_PATHS:
            raise Refused(f"at most {MOST_PATHS} paths; name a folder above them")
        return [self._input(path) for path in paths]

    def output(self, path: str) -> str:
        """Check the folder that a conversion is written to.

        Returns:
            The path of the folder, which is not there yet or is empty, and ends in a separator.

        Raises:
            Refused: it is outside of the roots, belongs to version control, is not a folder, or holds something
                already.
        """
        place = self._place(path)
        for name in (*place.split(os.sep), *os.path.join(self.first, path).split(os.sep)):
            if name.lower() in NEVER_WALKED:  # some file systems do not distinguish `.GIT`
                raise Refused(
                    f"{_shown(path)} is inside {name}, which belongs to version control; choose a folder beside it"
                )
        if os.path.lexists(place) and not os.path.isdir(place):
            raise Refused(f"{_shown(path)} is not a folder")
        if os.path.isdir(place) and os.listdir(place):
            raise Refused(f"{_shown(path)} is not empty; choose a new folder, so that nothing is overwritten")
        if place in self.folders:
            raise Refused(f"{_shown(path)} is a root of the server; choose a folder inside it")
        return os.path.join(path, "")

    def refuse_strangers(self, paths: Iterable[str]) -> None:
        """Ensure that files which a run has read or written are inside the roots.

        A path that was inside when the run began may lead elsewhere since, through a symbolic link.

        Raises:
            Refused: one is outside.
        """
        for path in paths:
            if not self.hold(os.path.realpath(os.path.join(self.first, path))):
                raise Refused(f"{_shown(path)} leads out of the server's folders now; nothing of it is shown")

    def hold(self, real: str) -> bool:
        """Whether a path without symbolic links is inside one of the folders."""
        return any(is_within(real, folder) for folder in self.folders)

    def _input(self, path: str) -> str:
        place = self._place(path)
        try:
            found = os.stat(place)
        except OSError as error:
            raise Refused(f"{_shown(path)}: {reason(error)}") from error
        if stat.S_ISDIR(found.st_mode):
            return _no_option(path)
        if not stat.S_ISREG(found.st_mode):
            raise Refused(f"{_shown(path)} is neither a regular file nor a folder")
        if found.st_size > LARGEST_FILE:
            raise Refused(f"{_shown(path)} is larger than {LARGEST_FILE >> 20} MiB")
        return _no_option(path)

    def _place(self, path: str) -> str:
        """The path without symbolic links.

        Raises:
            Refused: it is not a path inside the roots.
        """
        if not path or len(path) > LONGEST_PATH:
            raise Refused(f"a path has 1 to {LONGEST_PATH:,} characters")
        if "\0" in path:
            raise Refused("a path does not contain NUL")
        if os.pardir in path.replace(os.sep, "/").split("/"):
            raise Refused(f"{_shown(path)} contains '..'; name the path inside the server's folders")
        try:
            real = os.path.realpath(os.path.join(self.first, path))
        except (OSError, ValueError) as error:
            raise Refused(f"{_shown(path)} is not a path: {error}") from error
        if not self.hold(real):
            where = ", ".join(map(_shown, self.folders))
            raise Refused(f"{_shown(path)} is outside of the server's folders ({where})")
        return real


def _no_option(path: str) -> str:
    return os.path.join(os.curdir, path) if path.startswith("-") else path


def _shown(path: str) -> str:
    return visible(path if len(path) <= 200 else f"{path[:200]}…")
