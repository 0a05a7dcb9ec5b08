"""What the build files of a run say of each other."""

from __future__ import annotations

from collections.abc import Sequence

from hipify_py.build_systems.dual import is_kept
from hipify_py.build_systems.kinds import CMAKE, COMMANDS, is_copy_of_cmakes, kind_of, may_have_cuda
from hipify_py.options import Options
from hipify_py.project.contexts import ProjectContexts
from hipify_py.project.discovery import Discovery, Entry
from hipify_py.project_context import BuildContext


def with_build_files(
    contexts: ProjectContexts, found: Discovery, options: Options, moved: Sequence[tuple[str, str]] = ()
) -> ProjectContexts:
    """The contexts, with those of the build files that have to do with CUDA.

    A file that is given by itself is told of nothing but itself. Compilation databases are told which folders `moved`.
    """
    databases = [entry.path for entry in found.build_files if kind_of(entry.path) == COMMANDS]
    if databases and moved:
        build = BuildContext(moved=tuple(moved))
        known = {path: contexts.of(path)._replace(build=build) for path in databases}
        contexts = contexts._replace(by_path={**contexts.by_path, **known})
    data: dict[Entry, bytes] = {}
    for entry in found.build_files:
        if kind_of(entry.path) == CMAKE and not is_copy_of_cmakes(entry.path):
            text = _read(entry.path)
            if text is not None and not is_kept(text):
                data[entry] = text
    if not any(map(may_have_cuda, data.values())):
        return contexts
    from hipify_py.build_systems.cmake.opening import tell

    by_path = dict(contexts.by_path)
    groups: dict[int, dict[str, tuple[Entry, bytes]]] = {}
    for entry, text in data.items():
        groups.setdefault(entry.root, {})[entry.relative] = (entry, text)
    for group in groups.values():
        said = tell({relative: text for relative, (_, text) in group.items()}, options, contexts.common)
        for relative, context in said.items():
            path = group[relative][0].path
            by_path[path] = contexts.of(path)._replace(build=context)
    return contexts._replace(by_path=by_path)


def _read(path: str) -> bytes | None:
    """What a file holds; None where that cannot be read, which the run complains about."""
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError:
        return None
