"""What a run over the same paths would have found at another revision of their git checkout."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from hipify_py.build_systems.kinds import MAKE, is_build_file, kind_of
from hipify_py.build_systems.make.includes import TEMPLATE, include_paths
from hipify_py.embedded.host_files import kind_of_host
from hipify_py.project.api import convert_groups
from hipify_py.project.discovery import is_source_name
from hipify_py.project.errors import PlanError, reason
from hipify_py.project.git_checkout import UnreadableCheckout, top_of
from hipify_py.project.git_history import History
from hipify_py.project.groups import Group
from hipify_py.project.include_graph import include_lines
from hipify_py.project.included_files import names_in
from hipify_py.project.paths import is_within
from hipify_py.project.progress import UNTOLD, Progress
from hipify_py.project.result import FileResult

_MOST_BYTES = 4 << 30
"""Limit on all sources of a revision: one file under many names takes no room in git, but much in a folder."""


def results_at(
    revision: str, groups: Sequence[Group], *, jobs: int | None = None, progress: Progress = UNTOLD
) -> list[FileResult]:
    """The results that the current options give for groups of paths as their files were at a revision.

    This writes the sources of the revision to a temporary folder. Paths have their current names.

    Raises:
        PlanError: if the paths are in no checkout or in several, or the revision cannot be read.
    """
    top = _common_top([path for group in groups for path in group.paths])
    try:
        with _written(top, revision, every=any(group.selection.include for group in groups)) as folder:
            moved = [_Moved(group, top, folder) for group in groups]
            present = [group.there for group in moved if group.there.paths]
            reports = iter(convert_groups(present, jobs=jobs, progress=progress)) if present else iter(())
            return [group.renamed(result) for group in moved if group.there.paths for result in next(reports).results]
    except UnreadableCheckout as error:
        raise PlanError(f"the git checkout {top}: {error}") from error
    except OSError as error:
        raise PlanError(f"cannot write the sources of {revision}: {reason(error)}") from error


class _Moved:
    """A group of paths, and its counterpart in a folder that holds another revision of the checkout."""

    def __init__(self, group: Group, top: str, folder: str) -> None:
        self._names: dict[str, str] = {}
        for path in group.paths:
            place = _moved(os.path.realpath(path), top, folder)
            if os.path.exists(place):
                self._names[place] = path
        ignores = group.options.file_ignores
        options = group.options._replace(
            file_ignores=ignores._replace(folder=_moved_folder(ignores.folder, top, folder))
        )
        # Committed files are part of the project, whatever `.gitignore` contains.
        selection = group.selection._replace(
            gitignore=False,
            include_from=_moved_folder(group.selection.include_from, top, folder),
            exclude_from=_moved_folder(group.selection.exclude_from, top, folder),
        )
        self.there = Group([*self._names], options, selection)

    def renamed(self, result: FileResult) -> FileResult:
        """A result with the path that its file has, or would have, now."""
        found = max((place for place in self._names if is_within(result.path, place)), key=len)
        path = os.path.normpath(os.path.join(self._names[found], os.path.relpath(result.path, found)))
        return result._replace(path=path, findings=tuple(each._replace(path=path) for each in result.findings))


def _moved(real: str, top: str, folder: str) -> str:
    return os.path.normpath(os.path.join(folder, os.path.relpath(real, top)))


def _moved_folder(patterns_from: str, top: str, folder: str) -> str:
    """The folder to which patterns are relative; one outside the checkout stays as it is."""
    real = os.path.realpath(patterns_from) if patterns_from else ""
    return _moved(real, top, folder) if real and is_within(real, top) else patterns_from


def _common_top(paths: Sequence[str]) -> str:
    tops = {top_of(_folder(os.path.realpath(path))) for path in paths}
    if None in tops or not tops:
        raise PlanError("some paths are not in a git checkout, so there is no earlier version to compare with")
    if len(tops) > 1:
        raise PlanError("the paths are in several git checkouts; compare them one at a time")
    return str(tops.pop())


def _folder(real: str) -> str:
    return real if os.path.isdir(real) else os.path.dirname(real)


@contextmanager
def _written(top: str, revision: str, *, every: bool) -> Iterator[str]:
    """A temporary folder with the sources of a revision, or with all of its files."""
    history = History(top)
    commit = history.commit(revision)
    with tempfile.TemporaryDirectory(prefix="hipify-py-") as made:
        folder = os.path.realpath(made)
        os.mkdir(os.path.join(folder, ".git"))  # so that no search goes above it
        room = _MOST_BYTES
        for name, data in _wanted(history, commit, every=every):
            place = os.path.join(folder, name)
            os.makedirs(os.path.dirname(place), exist_ok=True)
            room -= len(data)
            if room < 0:
                raise UnreadableCheckout(f"the sources of {revision} are larger than {_MOST_BYTES} bytes")
            with open(place, "xb") as file:
                file.write(data)
        yield folder


def _wanted(history: History, commit: bytes, *, every: bool) -> Iterator[tuple[str, bytes]]:
    """The files of a commit that a run may use, with their bytes; files that others may include come last."""
    others: dict[str, list[tuple[str, bytes]]] = {}
    named: set[str] = set()
    for path, digest in history.files(commit):
        name = os.fsdecode(path)
        is_source = is_source_name(name)
        if every or is_source or is_build_file(name) or kind_of_host(name):
            data = history.blob(digest)
            yield name, data
            if is_source or kind_of(name) == MAKE:
                named.update(_names_in(data))
        else:
            others.setdefault(os.path.basename(name), []).append((name, digest))
    pending = [*named]
    while pending:
        for name, digest in others.pop(pending.pop(), ()):
            data = history.blob(digest)
            yield name, data
            pending += _names_in(data)


def _names_in(data: bytes) -> Iterator[str]:
    """The base names of the files that a source or a makefile may include."""
    yield from names_in(include_lines(data))
    for name in map(os.path.basename, include_paths(data)):
        yield from (name, name + TEMPLATE)
