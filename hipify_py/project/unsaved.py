"""One file whose content is given, as editors have it before it is saved."""

from __future__ import annotations

import os

from hipify_py.build_systems.kinds import is_build_file
from hipify_py.core.options import OFF
from hipify_py.core.project_context import ProjectContext
from hipify_py.embedded.host_files import kind_of_host
from hipify_py.project.contexts import ContextMap
from hipify_py.project.cross_file_context import build_contexts
from hipify_py.project.faults import with_faults
from hipify_py.project.gitignore import Globs
from hipify_py.project.groups import Group
from hipify_py.project.lazy_session import LazySession, process_alone
from hipify_py.project.resolve_cross_file import resolve_cross_file, with_chosen
from hipify_py.project.result import FileResult
from hipify_py.project.sibling_headers import neighbours
from hipify_py.project.source_store import SourceStore
from hipify_py.project.vendored import own_headers
from hipify_py.project.work import NO_OUTPUT, Task


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
    left_out = Globs(group.selection.exclude, group.selection.exclude_from)
    if left_out.fit(os.path.normpath(path), os.path.realpath(path)):
        return []
    texts = SourceStore({path: data, os.path.abspath(path): data})
    common = ProjectContext(local_headers=own_headers(neighbours([path])))
    project = ContextMap(common) if kind_of_host(path) else build_contexts(common, [path], [path], group.options, texts)
    is_build = group.selection.build_files and is_build_file(path)
    task = Task(path, unsaved=data, tells_changes=changes, is_build_file=is_build)
    view = None if group.options.semantics == OFF else LazySession([path], group.options, texts)
    result = process_alone(task, group.options, project, wanted, view)
    return with_faults(with_chosen(resolve_cross_file([result], texts), group.options), texts.faults)
