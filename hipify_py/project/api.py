"""`convert` and `check` for programs: what the command line does, as functions."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import chain, islice
from typing import TYPE_CHECKING, NamedTuple

from hipify_py.build_systems import kinds
from hipify_py.build_systems.dual import can_choose, is_kept, kept, kept_name
from hipify_py.catalog import load_catalog
from hipify_py.core.options import DEFAULT_OPTIONS, NVCC_HEADERS, OFF, Options
from hipify_py.core.translation import Counts
from hipify_py.embedded.host_files import kind_of_host, may_embed
from hipify_py.frontend.prefilter import may_have_cuda
from hipify_py.project.build_files import BuildFile, build_files
from hipify_py.project.clang_sessions import found_parts, views_of
from hipify_py.project.compile_commands import joined_commands
from hipify_py.project.content_facts import FileFacts
from hipify_py.project.discovery import OUTPUT_MARK, Discovery, Problem, Selection
from hipify_py.project.errors import PlanError, reason
from hipify_py.project.executor import Executor
from hipify_py.project.faults import with_faults
from hipify_py.project.git_checkout import UnreadableCheckout
from hipify_py.project.gitcheck import uncommitted, unversioned
from hipify_py.project.groups import Group, discover_groups
from hipify_py.project.paths import is_within
from hipify_py.project.plan import DEFAULT_RENAMES, Plan, make_plans
from hipify_py.project.processes import cores
from hipify_py.project.progress import DOING, PLANNING, SCANNING, UNTOLD, Counted, Progress
from hipify_py.project.resolve_cross_file import resolve_cross_file, with_chosen
from hipify_py.project.result import CHANGED, FAILED, FileResult, failure
from hipify_py.project.results_cache.cache import ResultsCache, open_cache
from hipify_py.project.results_cache.store import Store
from hipify_py.project.run import run
from hipify_py.project.source_store import SourceStore
from hipify_py.project.submodules import unfetched_submodules
from hipify_py.project.support_header_writer import SupportHeaderWriter
from hipify_py.project.temporary import sweep
from hipify_py.project.unread_files import unread_files
from hipify_py.project.work import NO_OUTPUT, Task
from hipify_py.project.write import make_link, write_atomically

if TYPE_CHECKING:
    from hipify_py.clang.toolchain import Toolchain

# Keeps NVIDIA builds next to the builds for AMD GPUs, and writes the headers that let NVIDIA builds compile HIP.

_UNWRITTEN = "HIP901"


class DualBuilds:
    """A run's builds for NVIDIA GPUs; each is written before the build file that selects it."""

    def __init__(self) -> None:
        self._options: dict[str, Options] = {}
        self._failures: dict[str, FileResult] = {}

    @property
    def failures(self) -> list[FileResult]:
        """One result for each file that could not be written."""
        return [self._failures[place] for place in sorted(self._failures)]

    def take(self, task: Task, result: FileResult, options: Options) -> None:
        """Keep the original of a task's build file, which is about to be replaced by one that selects a build."""
        if not (options.dual and task.is_build_file and task.target and result.status == CHANGED):
            return
        if not can_choose(task.path):
            return
        place = kept_name(task.target)
        failed = _keep(task.path, place)
        if failed is not None:
            self._failures[place] = failed
        root = os.path.dirname(os.path.join(os.path.dirname(task.target), task.support_header))
        self._options.setdefault(os.path.normpath(os.path.join(root, NVCC_HEADERS)), options)

    def write_headers(self) -> None:
        """Write the folders of headers."""
        for folder, options in self._options.items():
            failed = _write_headers(folder, options)
            if failed is not None:
                self._failures[folder] = failed


def _keep(path: str, place: str) -> FileResult | None:
    try:
        with open(path, "rb") as file:
            data = file.read()
        if os.path.lexists(place) and not _is_ours(place):
            return failure(place, _UNWRITTEN, "cannot keep NVIDIA's build: another file has that name")
        write_atomically(place, kept(data))
    except OSError as error:
        return failure(place, _UNWRITTEN, f"cannot keep NVIDIA's build: {reason(error)}")
    return None


def _is_ours(place: str) -> bool:
    if os.path.islink(place):
        return False
    with open(place, "rb") as file:
        return is_kept(file.read(1 << 10))


def _write_headers(folder: str, options: Options) -> FileResult | None:
    from hipify_py.nvcc_compat.tree import header_tree

    try:
        for path, text in header_tree(load_catalog(options.targeting)).items():
            write_atomically(os.path.join(folder, path), text.encode())
    except OSError as error:
        return failure(folder, _UNWRITTEN, f"cannot write the headers for nvcc: {reason(error)}")
    return None


_NONE: Mapping[str, frozenset[str]] = {}


class ConversionReport(NamedTuple):
    """The report on a run.

    Attributes:
        results: one for each file, in the order of the walk; unusable paths come last (in a report on several groups:
            last in each group).
        skipped: unusable paths whose loss does not matter, with reasons.
        left_out: excluded files and folders, with reasons.
        plan: what the run was planned to do; None for several groups together.
        build_files: the trees' build files that name CUDA, if requested.
        headers: the support headers that the run's files need, by path, with their sections.
    """

    results: list[FileResult]
    skipped: list[Problem]
    headers: Mapping[str, frozenset[str]] = _NONE
    left_out: Sequence[Problem] = ()
    plan: Plan | None = None
    build_files: Sequence[BuildFile] = ()

    @property
    def counts(self) -> Counts:
        """All references by outcome."""
        total = Counts()
        for result in self.results:
            total = total.plus(result.counts)
        return total

    @property
    def failed(self) -> list[FileResult]:
        """The files that failed."""
        return [result for result in self.results if result.status == FAILED]

    def with_status(self, status: str) -> list[FileResult]:
        """The files that ended with this status (see `hipify_py.project.result`)."""
        return [result for result in self.results if result.status == status]


def convert(
    paths: Iterable[str | os.PathLike[str]],
    *,
    output: str | os.PathLike[str] | None = None,
    in_place: bool = False,
    options: Options = DEFAULT_OPTIONS,
    jobs: int | None = None,
    include: Sequence[str] = (),
    exclude: Sequence[str] = (),
    rename: bool | Mapping[str, str] | None = None,
    backup: bool = False,
    force: bool = False,
    gitignore: bool = True,
    wanted: str = NO_OUTPUT,
    progress: Callable[[int], object] | None = None,
    cache: bool = False,
    build_files: bool = True,
) -> ConversionReport:
    """Translate files and folders; without `output` and `in_place`, only report on them.

    Args:
        paths: files, and folders to walk.
        output: the folder (for a single file: the file or folder) for the results. The other files of an input folder
            are copied along.
        in_place: replace the files.
        options: the translator's options.
        jobs: worker processes; None uses all cores.
        include: globs, as in `.gitignore`, of the files to translate, instead of selecting them by suffix.
        exclude: globs of files and folders to exclude.
        rename: True gives CUDA files HIP's endings (`.cu` to `.hip`, `.cuh` to `.hip.h`). A mapping has new endings by
            old ones, which begin with a dot, and words by those that they replace in the names of sources and folders.
        backup: in place, keep each original as `NAME.prehip`.
        force: in place, also replace files with uncommitted changes.
        gitignore: exclude what `.gitignore` files name.
        wanted: `"output"` or `"diff"` puts the HIP source or a unified diff into each result's `output`.
        progress: called with the number of files just done.
        cache: reuse what an earlier run stored about the same files in the user's cache folder, and store what this run
            finds.
        build_files: translate build files with the sources.

    Raises:
        PlanError: if the run cannot be done as requested; nothing has been written.
        TableError: if the mapping tables are missing or wrong.
    """
    group = Group(
        [os.fspath(path) for path in paths], options, Selection(include, exclude, gitignore, build_files=build_files)
    )
    (report,) = convert_groups(
        [group],
        output=output,
        in_place=in_place,
        jobs=jobs,
        rename=rename,
        backup=backup,
        force=force,
        wanted=wanted,
        progress=UNTOLD if progress is None else Counted(progress),
        cache=cache,
    )
    return report


def convert_groups(
    groups: Sequence[Group],
    *,
    output: str | os.PathLike[str] | None = None,
    in_place: bool = False,
    jobs: int | None = None,
    rename: bool | Mapping[str, str] | None = None,
    backup: bool = False,
    force: bool = False,
    wanted: str = NO_OUTPUT,
    changes: bool = False,
    edits: bool = False,
    line_directives: bool = False,
    progress: Progress = UNTOLD,
    cache: bool = False,
    look_at_builds: bool = False,
    executor: Executor | None = None,
) -> list[ConversionReport]:
    """Do what `convert` does for groups of paths with different options in one run; report on each group.

    The whole run is planned before anything is written: the groups share the output and know each other's files. With
    `changes`, each result holds what the conversion changes in its file; with `edits`, the edits that lead to it.

    Args:
        line_directives: give each result `#line` directives, which name the lines of its source.
        look_at_builds: also find the build files that name CUDA.
        executor: what does the translating; by default, worker processes of this machine.

    Raises:
        PlanError: if the run cannot be done as requested; nothing has been written.
        TableError: if the mapping tables are missing or wrong.
    """
    place = None if output is None else os.fspath(output)
    renames = DEFAULT_RENAMES if rename is True else rename or None
    _refuse_contradictions(groups, place, in_place=in_place, renames=renames)
    progress.enter(SCANNING)
    parts = found_parts([group.options for group in groups])
    store = Store() if cache else None
    caches = [_opened(store, group, parts) for group in groups]
    facts = next((opened.facts for opened in caches if opened is not None), None) or FileFacts()
    # Forking is unsafe with the threads of a cluster connection.
    texts = SourceStore(facts=facts, jobs=1 if executor is not None else jobs or cores())
    found = discover_groups(groups, output=place, texts=texts)
    progress.enter(PLANNING)
    if place is not None:
        for discovery in found:
            _refuse_output(place, discovery)
    choices = [group.options for group in groups]
    plans = make_plans(
        [*zip(found, choices, strict=True)], output=place, in_place=in_place, rename=renames, texts=texts
    )
    del texts  # they take up much memory, as do the answers
    facts.answers.clear()
    if changes or edits or line_directives:
        plans = [
            plan._replace(
                tasks=[
                    task._replace(
                        tells_changes=changes,
                        keeps_edits=edits,
                        has_line_directives=line_directives and not task.is_build_file,
                    )
                    for task in plan.tasks
                ]
            )
            for plan in plans
        ]
    if in_place and not (force or backup):
        for plan, opened in zip(plans, caches, strict=True):
            _refuse_losses(plan, jobs, opened, executor)
    tasks = [task for plan in plans for task in plan.tasks]
    progress.enter(DOING, len(tasks), sum(task.size for task in tasks))
    views = views_of(found, plans, parts, facts)
    headers, dual = SupportHeaderWriter(written=in_place or place is not None), DualBuilds()
    with _keeping(caches):
        done = [
            run(
                plan.tasks,
                plan.options,
                plan.project,
                wanted=wanted,
                jobs=jobs,
                backup=backup,
                progress=progress,
                first=partial(_before, headers, dual, plan.options),
                cache=opened,
                executor=executor,
                view=view,
            )
            for plan, opened, view in zip(plans, caches, views, strict=True)
        ]
    dual.write_headers()
    commands = joined_commands(plan.commands for plan in plans)
    resolved = iter(resolve_cross_file([*chain(*done)], SourceStore(facts=facts, commands=commands)))
    _save(caches)
    chosen = []
    for group, plan, discovery, own in zip(groups, plans, found, done, strict=True):
        results = [*islice(resolved, len(own))]
        if not (group.selection.include or group.selection.files):  # who chooses them knows what is left out
            unread = chain(unread_files(discovery, plan.options, facts), unfetched_submodules(discovery, plan.options))
            results = _with_unread(results, unread)
        chosen.append(with_chosen(results, plan.options))
    if store is not None:
        store.close()
    builds = [build_files([discovery], facts.faults) if look_at_builds else () for discovery in found]
    whole = iter(with_faults(chain(*chosen), facts.faults))
    reports = []
    for plan, discovery, own, named in zip(plans, found, chosen, builds, strict=True):
        results = [*islice(whole, len(own))]
        if plan is plans[-1]:
            results += [*whole, *headers.failures, *dual.failures]
        results += _make_links(plan)
        results += _mark_output(place, discovery) if place is not None else []
        results += [failure(path, "HIP901", message) for path, message in discovery.problems]
        reports.append(ConversionReport(results, discovery.skipped, headers.needed, discovery.left_out, plan, named))
    return reports


def _with_unread(results: list[FileResult], unread: Iterable[FileResult]) -> list[FileResult]:
    """The results with those of files that were not read; a conversion has copied these files."""
    by_path = {result.path: result for result in unread}
    merged = [by_path.pop(each.path)._replace(target=each.target) if each.path in by_path else each for each in results]
    return [*merged, *by_path.values()]


def _refuse_contradictions(
    groups: Sequence[Group], place: str | None, *, in_place: bool, renames: Mapping[str, str] | None
) -> None:
    if place is not None and in_place:
        raise PlanError("an output folder and in-place conversion exclude each other")
    if renames and any(group.options.dual for group in groups):
        raise PlanError("--dual cannot rename sources, because NVIDIA's build uses their names")


def _before(headers: SupportHeaderWriter, dual: DualBuilds, options: Options, task: Task, result: FileResult) -> None:
    """Write what a file depends on, just before the file is put in place."""
    headers.take(task, result)
    dual.take(task, result, options)


def joined(reports: Sequence[ConversionReport]) -> ConversionReport:
    """The reports on a run's groups as one report."""
    if len(reports) == 1:
        return reports[0]
    return ConversionReport(
        [*chain.from_iterable(report.results for report in reports)],
        [*chain.from_iterable(report.skipped for report in reports)],
        reports[0].headers,
        [*chain.from_iterable(report.left_out for report in reports)],
        build_files=[*chain.from_iterable(report.build_files for report in reports)],
    )


def check(
    paths: Iterable[str | os.PathLike[str]],
    *,
    options: Options = DEFAULT_OPTIONS,
    jobs: int | None = None,
    include: Sequence[str] = (),
    exclude: Sequence[str] = (),
    gitignore: bool = True,
    progress: Callable[[int], object] | None = None,
    cache: bool = False,
) -> ConversionReport:
    """Report on files and folders as `convert` would, without writing anything.

    Raises:
        TableError: if the mapping tables are missing or wrong.
    """
    return convert(
        paths,
        options=options,
        jobs=jobs,
        include=include,
        exclude=exclude,
        gitignore=gitignore,
        progress=progress,
        cache=cache,
    )


def _opened(store: Store | None, group: Group, parts: Toolchain | None) -> ResultsCache | None:
    if store is None:
        return None
    if parts is None or group.options.semantics == OFF:
        return open_cache(store, group.options, b"")
    from hipify_py.project.clang_session import identity

    return open_cache(store, group.options, identity(parts))


@contextmanager
def _keeping(caches: Sequence[ResultsCache | None]) -> Iterator[None]:
    """Keep the results found so far for the next run, whatever stops the tasks."""
    _save(caches)
    try:
        yield
    except BaseException:
        _save(caches)
        raise


def _save(caches: Sequence[ResultsCache | None]) -> None:
    for cache in caches:
        if cache is not None:
            cache.save()


def _refuse_output(output: str, found: Discovery) -> None:
    real = os.path.realpath(output)
    for root in found.roots:
        if root.is_tree and os.path.realpath(root.path) == real:
            raise PlanError(f"{output} is both input and output; convert in place, or choose another folder")
        if root.is_tree and os.path.exists(output) and not os.path.isdir(output):
            raise PlanError(f"{output} is a file, but {root.path} is a folder")
    if found.given > 1 and os.path.exists(output) and not os.path.isdir(output):
        raise PlanError(f"{output} is a file, but there are several paths")


def _mark_output(output: str, found: Discovery) -> list[FileResult]:
    """Mark an output folder inside an input, so that the next run does not convert it too."""
    real = os.path.realpath(output)
    # An output that is the tree itself has already been rejected.
    trees = [os.path.realpath(root.path) for root in found.roots if root.is_tree]
    if not any(is_within(real, tree) for tree in trees) or not os.path.isdir(real):
        return []
    sweep([output])
    mark = os.path.join(output, OUTPUT_MARK)
    try:
        write_atomically(mark, b"hipify-py writes to this folder, and does not convert it with the folders above.\n")
    except OSError as error:
        return [failure(mark, "HIP901", f"cannot mark the output: {reason(error)}")]
    return []


def _refuse_losses(plan: Plan, jobs: int | None, cache: ResultsCache | None, executor: Executor | None) -> None:
    """Refuse to replace what cannot be restored: changes that are not committed, and files without version control.

    Raises:
        PlanError: for files that the conversion would change. The others, such as those that an earlier run has
            converted, do not count.
    """
    tasks = {task.path: task for task in plan.tasks if task.in_place}
    # Files without CUDA are not replaced. The run itself reports unreadable files.
    candidates = [path for path, task in tasks.items() if _may_change(task, _bytes_of(path))]
    outside = unversioned(candidates)
    try:
        changed = uncommitted(candidates)
    except UnreadableCheckout as error:
        raise PlanError(f"{error}; use --force to convert in place anyway") from error
    trial = [tasks[path]._replace(target=None, staged="") for path in dict.fromkeys((*changed, *outside))]
    if not trial:
        return
    results = run(trial, plan.options, plan.project, jobs=jobs, cache=cache, executor=executor)
    losing = {result.path for result in results if result.status == CHANGED}
    for paths, what, instead in (
        (changed, "uncommitted changes in", "commit them first, or use --backup or --force"),
        (outside, "no version control for", "use --backup to keep the originals, or --force"),
    ):
        lost = [path for path in paths if path in losing]
        if lost:
            shown = ", ".join(lost[:5]) + (f" and {len(lost) - 5} more" if len(lost) > 5 else "")
            raise PlanError(f"{what} {shown}; {instead}")


def _may_change(task: Task, data: bytes) -> bool:
    """Whether a file may contain CUDA."""
    if task.is_build_file:
        return kinds.may_have_cuda(data)
    kind = kind_of_host(task.path)
    if kind:
        return may_embed(data, kind)
    return may_have_cuda(data)


def _bytes_of(path: str) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError:
        return b""


def _make_links(plan: Plan) -> list[FileResult]:
    made = (_made_link(path, target) for path, target in plan.links)
    return [failed for failed in made if failed is not None]


def _made_link(path: str, target: str) -> FileResult | None:
    try:
        make_link(path, target)
    except OSError as error:
        return failure(path, "HIP901", f"cannot make the symbolic link: {reason(error)}")
    return None
