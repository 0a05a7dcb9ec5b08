"""Files whose content is given, as editors have them before they are saved."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from hipify_py.build_systems.kinds import is_build_file
from hipify_py.core.options import OFF
from hipify_py.core.project_context import ProjectContext
from hipify_py.embedded.host_files import kind_of_host
from hipify_py.project.content_facts import FileFacts
from hipify_py.project.contexts import ContextMap
from hipify_py.project.cross_file_context import build_contexts
from hipify_py.project.faults import with_faults
from hipify_py.project.file_stamp import file_stamp
from hipify_py.project.gitignore import Globs
from hipify_py.project.groups import Group
from hipify_py.project.lazy_session import LazySession, process_alone
from hipify_py.project.resolve_cross_file import resolve_cross_file, with_chosen
from hipify_py.project.result import FileResult
from hipify_py.project.sibling_headers import neighbours
from hipify_py.project.source_store import SourceStore
from hipify_py.project.vendored import own_headers
from hipify_py.project.work import NO_OUTPUT, Task

if TYPE_CHECKING:
    Fact = TypeVar("Fact")

_MOST_CONTENTS = 2_000
"""Contents whose facts an editor's session keeps."""

_MOST_BYTES = 100_000_000
"""Bytes of saved files that a session keeps."""


def translate_unsaved(data: bytes, group: Group, *, wanted: str = NO_OUTPUT, changes: bool = False) -> list[FileResult]:
    """The result of the one file of a group as if it held `data`, with all that the files around it say.

    The file need not be there. Empty where the group's choices leave it out; headers that could not be examined come
    behind the file.

    Args:
        wanted: what the result is to bring along, as in `convert`.
        changes: the result is to tell what the conversion changes.

    Raises:
        TableError: when the mapping tables are missing or wrong.
    """
    (path,) = group.paths
    texts = SourceStore({path: data, os.path.abspath(path): data})
    return _translated(Task(path, unsaved=data, tells_changes=changes), group, texts, wanted)


class UnsavedFiles:
    """Translates files that are being edited, version after version, each as `translate_unsaved` does.

    From one version to the next it keeps what follows from a content alone, under a digest of that content, and the
    contents of saved files as long as their stamps stay the same. So nothing kept can be out of date, whether or not
    anybody tells of changes on the disk. Not for several threads at once.
    """

    def __init__(self) -> None:
        self._facts = FileFacts()
        self._kept = _KeptFiles()

    def translate(
        self, path: str, group: Group, unsaved: Mapping[str, bytes]
    ) -> tuple[list[FileResult], frozenset[str]]:
        """The results for one file, and the paths of the files that were read for them.

        The first result has the references and the edits of the file.

        Args:
            path: the absolute path of the file.
            group: the file, and how to process it.
            unsaved: by absolute path, the contents of all files that are being edited, `path` among them.

        Raises:
            TableError: when the mapping tables are missing or wrong.
        """
        self._facts.start_again(_MOST_CONTENTS)
        texts = _KeptStore(unsaved, self._facts, self._kept)
        task = Task(path, unsaved=unsaved[path], keeps_edits=True, keeps_references=True)
        return _translated(task, group, texts, NO_OUTPUT), frozenset(texts.seen)


class _KeptFiles:
    """Contents of files on the disk with their stamps, and what was found in them.

    Attributes:
        contents: by path, the stamp and the content.
        findings: by function and path, the content that was searched, and what was found.
    """

    def __init__(self) -> None:
        self.contents: dict[str, tuple[tuple[int, ...], bytes]] = {}
        self.findings: dict[tuple[Any, str], tuple[bytes, Any]] = {}
        self._size = 0

    def note(self, path: str, stamp: tuple[int, ...], data: bytes) -> None:
        """Keep the content of a file."""
        if self._size + len(data) > _MOST_BYTES:
            self.contents.clear()
            self.findings.clear()
            self._size = 0
        self.contents[path] = stamp, data
        self._size += len(data)


class _KeptStore(SourceStore):
    """The files of one translation of a session; `seen` are the paths of those that were read."""

    def __init__(self, unsaved: Mapping[str, bytes], facts: FileFacts, kept: _KeptFiles) -> None:
        super().__init__(unsaved, facts)
        self._kept = kept
        self.seen: set[str] = set()

    def read(self, path: str) -> bytes:
        if path in self.seen or path in self._unsaved:
            self.seen.add(path)
            return super().read(path)
        self.seen.add(path)
        try:
            stamp = file_stamp(os.stat(path))
        except (OSError, ValueError):
            return super().read(path)
        known = self._kept.contents.get(path)
        if known is not None and known[0] == stamp:
            return self._known.setdefault(path, known[1])
        data = super().read(path)
        self._kept.note(path, stamp, data)
        return data

    def ask(self, search: Callable[[str, bytes], Fact], path: str) -> Fact:
        data, key = self.read(path), (search, path)
        known = self._kept.findings.get(key)
        if known is None or known[0] != data:
            known = self._kept.findings[key] = data, search(path, data)
        found: Fact = known[1]
        return found


def _translated(task: Task, group: Group, texts: SourceStore, wanted: str) -> list[FileResult]:
    path = task.path
    left_out = Globs(group.selection.exclude, group.selection.exclude_from)
    if left_out.fit(os.path.normpath(path), os.path.realpath(path)):
        return []
    common = ProjectContext(local_headers=own_headers(neighbours([path])))
    project = ContextMap(common) if kind_of_host(path) else build_contexts(common, [path], [path], group.options, texts)
    task = task._replace(is_build_file=group.selection.build_files and is_build_file(path))
    view = None if group.options.semantics == OFF else LazySession([path], group.options, texts)
    result = process_alone(task, group.options, project, wanted, view)
    return with_faults(with_chosen(resolve_cross_file([result], texts), group.options), texts.faults)
