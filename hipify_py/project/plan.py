"""Decides, before anything is written, which file goes where."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping, Sequence
from itertools import chain
from typing import NamedTuple

from hipify_py.core.options import ROOT, Options
from hipify_py.core.project_context import ProjectContext
from hipify_py.project.compile_commands import NO_COMMANDS, CompileCommands, compile_commands
from hipify_py.project.contexts import ContextMap
from hipify_py.project.contexts_cache import contexts_of, with_build_files
from hipify_py.project.discovery import BUILD, HOST, LINK, OTHER, SOURCE, Discovery, Entry
from hipify_py.project.errors import PlanError
from hipify_py.project.host_programs import with_cython_names, with_run_time_sources
from hipify_py.project.link_units import look_before
from hipify_py.project.paths import is_within
from hipify_py.project.renaming import Renaming
from hipify_py.project.sibling_headers import neighbours, portable
from hipify_py.project.source_store import SourceStore
from hipify_py.project.temporary import run_token, staging_name
from hipify_py.project.vendored import own_headers, vendored_headers
from hipify_py.project.work import COPY, TRANSLATE, VENDORED, Task
from hipify_py.support_header import HEADER

DEFAULT_RENAMES: Mapping[str, str] = {".cu": ".hip", ".cuh": ".hip.h"}
"""New endings of CUDA files' names by old ending, for `--rename`."""


class Plan(NamedTuple):
    """The tasks of a run, the data they share, and the symbolic links to make.

    `links` pairs a link's path with its target; `commands` tells how the sources are compiled; `moved` holds the given
    folders with their destinations, as real paths.
    """

    tasks: list[Task]
    options: Options
    project: ContextMap
    links: list[tuple[str, str]]
    commands: CompileCommands = NO_COMMANDS
    moved: Sequence[tuple[str, str]] = ()


def make_plan(
    found: Discovery,
    options: Options,
    *,
    output: str | None = None,
    in_place: bool = False,
    rename: Mapping[str, str] | None = None,
    texts: SourceStore | None = None,
) -> Plan:
    """Plan a run; see `make_plans`."""
    return make_plans([(found, options)], output=output, in_place=in_place, rename=rename, texts=texts)[0]


def make_plans(
    groups: Sequence[tuple[Discovery, Options]],
    *,
    output: str | None = None,
    in_place: bool = False,
    rename: Mapping[str, str] | None = None,
    texts: SourceStore | None = None,
) -> list[Plan]:
    """Plan a run of one or several groups of files, each with its own options; the files are read through `texts`,
    which then has the faults of those that could not be examined.

    With `output`, one given folder is mirrored into it, several given paths each under their own name; a single given
    file becomes `output` itself, or goes into it where it is a folder. With `in_place`, files are replaced. With
    neither, no file has a target. `rename` has new endings of names by old ones, which begin with a dot, and new words
    in the names of files and folders by old ones (see `Renaming`).

    Raises:
        PlanError: if two files would become one, a file would replace another of the project, a symbolic link leads
            out of the output folder, or one is in a folder that gets another name in place.
    """
    renames = rename or {}
    vendored: dict[str, str] = {}
    for found, _ in groups:
        vendored.update(vendored_headers(found))
    layouts = [_Layout(found, output, in_place, Renaming(found, renames)) for found, _ in groups]
    common = _common_context(layouts, vendored)
    token = run_token()
    tasks = [_tasks(layout, options, vendored, token) for layout, (_, options) in zip(layouts, groups, strict=True)]
    links = [layout.links() if output is not None else [] for layout in layouts]
    if in_place:
        _refuse_moved_links(layouts)
    all_tasks, all_links = [*chain(*tasks)], [*chain(*links)]
    _refuse_collisions(all_tasks, all_links)
    if output is not None and not layouts[0].is_file:
        _refuse_ways_out(
            output, [*(task.target for task in all_tasks if task.target), *(path for path, _ in all_links)]
        )
    commands_of = [_commands(found, options) for found, options in groups]
    texts = texts or SourceStore()
    return [
        Plan(
            own,
            options,
            _contexts(common, found, options, vendored, texts.compiled_by(commands), layout),
            linked,
            commands,
            layout.moved(),
        )
        for own, linked, commands, layout, (found, options) in zip(
            tasks, links, commands_of, layouts, groups, strict=True
        )
    ]


def _commands(found: Discovery, options: Options) -> CompileCommands:
    """The compilation databases of the sources.

    Raises:
        PlanError: if the user has named a file that is not one.
    """
    given = options.compile_commands
    commands = compile_commands([root.path for root in found.roots if root.is_tree], given)
    if given and not commands:
        raise PlanError(f"{given} is not a compilation database (compile_commands.json)")
    return commands


def _tasks(layout: _Layout, options: Options, vendored: Mapping[str, str], token: str) -> list[Task]:
    tasks = []
    found, output, in_place = layout.found, layout.output, layout.in_place
    for entry in found.entries:
        header = vendored.get(entry.path, "")
        target = layout.target(entry, keeps_name=bool(header))
        if header:
            staged = staging_name(target, token) if target is not None else ""
            tasks.append(Task(entry.path, VENDORED, target, staged, entry.size, in_place, header=header))
        elif entry.kind in {SOURCE, HOST}:
            staged = staging_name(target, token) if target is not None else ""
            support = support_header(found, entry, options.support_place)
            tasks.append(Task(entry.path, TRANSLATE, target, staged, entry.size, in_place, support))
        elif entry.kind == BUILD:
            staged = staging_name(target, token) if target is not None else ""
            root = support_header(found, entry, ROOT)
            tasks.append(Task(entry.path, TRANSLATE, target, staged, entry.size, in_place, root, is_build_file=True))
        elif entry.kind == OTHER and target is not None and (output is not None or layout.moves(entry)):
            tasks.append(Task(entry.path, COPY, target, staging_name(target, token), entry.size, in_place))
    return tasks


class _Layout:
    def __init__(self, found: Discovery, output: str | None, in_place: bool, renaming: Renaming) -> None:
        self.found = found
        self.output = output
        self.in_place = in_place
        self.renaming = renaming
        only_file = found.given == 1 and not any(root.is_tree or root.inner is not None for root in found.roots)
        self.is_file = only_file and output is not None and not os.path.isdir(output) and not output.endswith(os.sep)

    def target(self, entry: Entry, *, keeps_name: bool = False) -> str | None:
        """The path for a file's result; None if nothing is written."""
        if self.in_place:
            real = os.path.realpath(entry.path)
            if self.moves(entry):
                root = os.path.realpath(self.found.roots[entry.root].path)
                return os.path.join(root, self.renaming.path(entry, keeps_name=keeps_name))
            folder, name = os.path.split(real)
            keeps_name = keeps_name or entry.kind in {OTHER, BUILD, HOST}
            return os.path.join(folder, name if keeps_name else self.renaming.name(name))
        if self.output is None or self.is_file:
            return self.output
        return os.path.join(self._base(entry.root), self.renaming.path(entry, keeps_name=keeps_name))

    def moves(self, entry: Entry) -> bool:
        """Whether the folder that a file is in gets another name."""
        folder = os.path.dirname(entry.relative)
        return self.renaming.folder(entry.root, folder) != folder

    def links(self) -> list[tuple[str, str]]:
        """The links of mirrored trees, adjusted to lead to the mirrored files."""
        made = []
        by_place = {(entry.root, entry.relative): entry for entry in self.found.entries}
        for entry in self.found.entries:
            if entry.kind != LINK:
                continue
            goal = by_place.get((entry.root, entry.points_to))
            folder = self.renaming.folder(entry.root, entry.points_to)
            place = self.target(goal) if goal is not None else os.path.join(self._base(entry.root), folder)
            # A link to a file that keeps its name also keeps its own.
            path = self.target(entry, keeps_name=goal is None or goal.kind in {OTHER, BUILD, HOST})
            assert place is not None
            assert path is not None
            made.append((path, os.path.relpath(place, os.path.dirname(path))))
        return made

    def moved(self) -> list[tuple[str, str]]:
        """The given folders and their destinations; empty if nothing is moved."""
        if self.output is None or self.in_place:
            return []
        trees = [number for number, root in enumerate(self.found.roots) if root.is_tree]
        return [
            (os.path.realpath(self.found.roots[number].path), os.path.realpath(self._base(number))) for number in trees
        ]

    def _base(self, root: int) -> str:
        assert self.output is not None
        given = self.found.roots[root]
        if given.inner is not None:
            return os.path.normpath(os.path.join(self.output, given.inner))
        if self.found.given == 1 or not given.is_tree:
            return self.output
        return os.path.join(self.output, os.path.basename(os.path.realpath(given.path)))


def support_header(found: Discovery, entry: Entry, place: str) -> str:
    """The path from a file to its support header: at the root of a tree if that is the place, else next to the file."""
    is_at_root = place == ROOT and found.roots[entry.root].is_tree
    return "../" * entry.relative.count("/") + HEADER if is_at_root else HEADER


def _common_context(layouts: Sequence[_Layout], vendored: Collection[str]) -> ProjectContext:
    """The names of the run's other files, as the translator needs them, except copies of CUDA's headers.

    Headers are named relative to the root (for includes by `-I`) and as messages name them (for includes from a
    neighbouring file), whatever their suffix.
    """
    headers: set[str] = set()
    changed = {}
    for layout in layouts:
        for entry in layout.found.entries:
            if entry.path in vendored:
                continue
            headers.add(portable(entry.path))
            if layout.found.roots[entry.root].is_tree:
                headers.add(entry.relative)
            new = layout.renaming.path(entry) if entry.kind != LINK else entry.relative
            if new != entry.relative:
                changed[portable(entry.path)] = new
    beside = own_headers(neighbours(path for layout in layouts for path in given_files(layout.found)))
    words = layouts[0].renaming.words
    return ProjectContext(local_headers=beside.union(headers), renames=changed, renamed_words=words)


def given_files(found: Discovery) -> list[str]:
    """The sources given by themselves."""
    return [entry.path for entry in found.sources if not found.roots[entry.root].is_tree]


def _contexts(
    common: ProjectContext,
    found: Discovery,
    options: Options,
    vendored: Collection[str],
    texts: SourceStore,
    layout: _Layout,
) -> ContextMap:
    """What the translator needs to know about the other files."""
    sources = [entry.path for entry in found.sources if entry.path not in vendored]
    contexts = contexts_of(common, sources, given_files(found), options, texts)
    contexts = with_cython_names(with_run_time_sources(contexts, found, texts), found, texts)
    if layout.in_place:
        look_before(sources, texts)
    if found.build_files:
        return with_build_files(contexts, found, options, layout.moved(), texts)
    return contexts


def _refuse_collisions(tasks: list[Task], links: list[tuple[str, str]]) -> None:
    owners: dict[str, str] = {}
    folders: dict[str, str] = {}
    sources = {_real(task.path, folders): task for task in tasks}
    for task in tasks:
        if task.target is None:
            continue
        target = _real(task.target, folders)
        other = owners.setdefault(target, task.path)
        if other != task.path:
            raise PlanError(f"{other} and {task.path} would both become {task.target}")
        replaced = sources.get(target)
        if replaced is not None and (replaced is not task or not task.in_place):
            raise PlanError(
                f"{task.path} would replace {replaced.path}, which is an input; convert in place, or to another folder"
            )
    for path, _ in links:
        other = owners.setdefault(os.path.abspath(path), path)
        if other != path:
            raise PlanError(f"{other} and the link {path} would have the same name")


def _refuse_moved_links(layouts: Sequence[_Layout]) -> None:
    """Ensure that no symbolic link is in a folder that moves in place: it might lead elsewhere from its new place."""
    for layout in layouts:
        for entry in layout.found.entries:
            if entry.kind == LINK and layout.moves(entry):
                raise PlanError(f"{entry.path} is a symbolic link in a folder that gets another name; use -o DIR")


def _refuse_ways_out(output: str, targets: list[str]) -> None:
    """Ensure that no link in the output folder leads the results to another place."""
    real = os.path.realpath(output)
    for folder in sorted({os.path.dirname(target) for target in targets}):
        place = os.path.realpath(folder)
        if not is_within(place, real):
            raise PlanError(f"{folder} is a symbolic link out of {output}; remove it, or choose another folder")


def _real(path: str, folders: dict[str, str]) -> str:
    """`os.path.realpath`, which checks every folder on the way, for many files of few `folders`."""
    folder, name = os.path.split(path)
    if folder not in folders:
        folders[folder] = os.path.realpath(folder)
    place = os.path.join(folders[folder], name)
    return os.path.realpath(place) if os.path.islink(place) else place
