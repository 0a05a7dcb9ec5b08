"""Translates the files that a call reaches, and puts the results where PyTorch's builds look for them."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from hipify_py.build_systems.kinds import is_build_file
from hipify_py.catalog import Targeting, load_catalog
from hipify_py.catalog.installed import default_rocm
from hipify_py.catalog.presets import preset_paths
from hipify_py.catalog.pytorch import checked_generation, default_generation
from hipify_py.core.options import SUPPORT_HEADER, Options
from hipify_py.core.project_context import ProjectContext
from hipify_py.core.source import BOM
from hipify_py.project.contexts import ContextMap
from hipify_py.project.cross_file_context import build_contexts
from hipify_py.project.errors import reason
from hipify_py.project.paths import is_within
from hipify_py.project.processes import cores
from hipify_py.project.resolve_cross_file import resolve_cross_file
from hipify_py.project.result import CHANGED, FAILED, FileResult
from hipify_py.project.run import run
from hipify_py.project.sibling_headers import portable
from hipify_py.project.source_store import SourceStore
from hipify_py.project.support_header_writer import SupportHeaderWriter
from hipify_py.project.work import OUTPUT, Task
from hipify_py.project.worker_pool import can_fork
from hipify_py.torch.generated_files import Cleaner, register_new, write_generated
from hipify_py.torch.messages import tell_problem
from hipify_py.torch.naming import final_paths, target_paths, with_new_includes, with_pytorch_headers
from hipify_py.torch.reach import Reach, Scope, is_generated, reach_of
from hipify_py.torch.result import ALREADY_HIPIFIED, MARKER, NO_CHANGES, NO_PERMISSIONS, OK, HipifyResult, done

_MARKED = (".cu", ".cuh", ".c", ".cc", ".cpp", ".h", ".hpp")
"""Endings of files whose translations begin with the marker; others may be templates of any language."""

_LAUNCH = b"hipLaunchKernelGGL("
_JOBS = "MAX_JOBS"
"""The environment variable that limits how many compilers PyTorch's builds start."""


class Settings(NamedTuple):
    """How files are translated.

    Attributes:
        generation: whose names PyTorch has (`hipify_py.catalog.pytorch`).
        keeps_chevrons: whether launches stay `<<<...>>>`, which the original calls `hip_clang_launch`.
        is_pytorch_extension: whether the files are an extension's, not PyTorch's own.
        tables: paths of the user's own mapping tables.
    """

    generation: str
    keeps_chevrons: bool = False
    is_pytorch_extension: bool = False
    tables: tuple[str, ...] = ()

    @property
    def options(self) -> Options:
        """The options of the translator.

        Raises:
            ValueError: if the environment names a ROCm that the tables do not cover.
        """
        tables = (*preset_paths(f"pytorch-{self.generation}"), *self.tables)
        targeting = Targeting(rocm=default_rocm().version, tables=tables)
        return Options(launch="chevron" if self.keeps_chevrons else "ggl", targeting=targeting)


def generation_of(given: str | None) -> str:
    """The generation of names that a caller has asked for, or the one of the installed PyTorch.

    Raises:
        ValueError: there is none of that name.
    """
    return checked_generation(given) if given else default_generation()


class Done(NamedTuple):
    """What came of a call.

    Attributes:
        results: by absolute path, those of all files that it reached.
        calls: the CUDA names without a counterpart, each with its file.
        launches: the launches that were rewritten.
    """

    results: Mapping[str, HipifyResult]
    calls: Sequence[tuple[str, str]]
    launches: Sequence[str]


def hipify_files(
    entries: Iterable[str], scope: Scope, settings: Settings, cleaner: Cleaner, taken: Mapping[str, str]
) -> Done:
    """Translate files of an extension, and the headers that they include; or only the files, if they are PyTorch's own.

    A file that cannot be translated costs no other: its result says why, and the source stands in for it.

    Args:
        entries: the files, by their absolute paths.
        scope: what may be translated.
        settings: how.
        cleaner: learns of the files and folders that are made.
        taken: translated files of other calls, with their sources.

    Raises:
        TableError: if the mapping tables are missing or wrong.
        ValueError: see `Settings.options`.
    """
    texts = SourceStore()
    reach = reach_of(entries, scope, texts, follow=settings.is_pytorch_extension)
    targets = target_paths(
        reach.files.keys(), scope.output_directory, taken, is_pytorch_extension=settings.is_pytorch_extension
    )
    tasks = [_task(path, target, scope.output_directory) for path, target in targets.items()]
    translated = _translated(tasks, scope, settings.options, texts)
    finals: Mapping[str, str] = targets
    if settings.is_pytorch_extension:
        changed, failed = ({each.path for each in translated if each.status == status} for status in (CHANGED, FAILED))
        finals = final_paths(reach, targets, changed, failed)
    writer = _Writer(scope, settings, reach, finals, cleaner)
    results = {path: done(None, why) for path, why in reach.ignored.items()}
    results.update(writer.write_all([*zip(tasks, translated, strict=True)]))
    writer.tell_failures()
    for path, why in texts.faults.items():
        tell_problem(f"{path}: its neighbours were translated without what it says: {why}")
    return Done(
        results,
        [(name, result.path) for result in translated for name, _, _ in result.left],
        [edit.text.decode("utf-8", "replace") for each in translated for edit in each.edits if _LAUNCH in edit.text],
    )


def _task(path: str, target: str, output_directory: str) -> Task:
    """The translation of a file, whose support header is at the top of the output, or beside a file outside of it.

    A quoted include finds it from there, whatever folders the compiler is told to search.
    """
    folder = os.path.dirname(target)
    top = output_directory if is_within(target, output_directory) else folder
    header = portable(os.path.join(os.path.relpath(top, folder), SUPPORT_HEADER))
    try:
        size = os.path.getsize(path)
    except OSError:
        size = 0  # its task reports it
    return Task(path, size=size, support_header=header, keeps_edits=True, is_build_file=is_build_file(path))


def _translated(tasks: Sequence[Task], scope: Scope, options: Options, texts: SourceStore) -> list[FileResult]:
    """The results of the files, which know of each other."""
    paths = [task.path for task in tasks]
    places = {*scope.all_files, *paths}
    names = {portable(path) for path in places}
    for folder in (scope.output_directory, *scope.folders):
        names.update(portable(os.path.relpath(path, folder)) for path in places if is_within(path, folder))
    common = ProjectContext(local_headers=frozenset(names))
    contexts = build_contexts(common, [task.path for task in tasks if not task.is_build_file], [], options, texts)
    results = run(tasks, options, _of_any_extension(contexts), wanted=OUTPUT, jobs=_jobs())
    return resolve_cross_file(results, texts)


def _of_any_extension(contexts: ContextMap) -> ContextMap:
    """The contexts without what holds only if nothing else is linked.

    A project builds several extensions, one call each, and their headers are the same files. Warps that would stay
    native for one of them might be kept at 32 lanes for the next, which would replace the header of both.
    """
    by_path = {
        path: context._replace(native_warps=False, has_device_warps=False) for path, context in contexts.by_path.items()
    }
    return contexts._replace(by_path=by_path)


def _jobs() -> int:
    """How many processes may translate: one where they are not copies, for which build scripts would be run again."""
    if not can_fork() or threading.active_count() > 1:
        return 1
    limit = os.environ.get(_JOBS, "")
    return min(cores(), int(limit)) if limit.isdecimal() and int(limit) else cores()


class _Writer:
    """Puts translated files in place."""

    def __init__(
        self,
        scope: Scope,
        settings: Settings,
        reach: Reach,
        finals: Mapping[str, str],
        cleaner: Cleaner,
    ) -> None:
        self._scope = scope
        self._settings = settings
        self._reach = reach
        self._finals = finals
        self._cleaner = cleaner
        self._catalog = load_catalog(settings.options.targeting)
        self._headers = SupportHeaderWriter(written=True, way_out="")

    def write_all(self, translated: Sequence[tuple[Task, FileResult]]) -> dict[str, HipifyResult]:
        """Write the translations; where one cannot be written, those that include it lead to its source."""
        results = {task.path: self._write(task, result) for task, result in translated}
        lost = {path: path for path, told in results.items() if told.status == NO_PERMISSIONS}
        if lost:
            self._finals = {**self._finals, **lost}
            for task, result in translated:
                includes_lost = any(found.path in lost for found in self._reach.files[task.path].values())
                if includes_lost and task.path not in lost:
                    results[task.path] = self._write(task, result)
        return results

    def _write(self, task: Task, result: FileResult) -> HipifyResult:
        """Write the translation of one file, if it is another text or another file."""
        path, final = task.path, self._finals[task.path]
        told = self._told(task, result)
        told.findings = result.findings
        if result.support and final != path and result.status != FAILED:
            told.support_header = os.path.normpath(os.path.join(os.path.dirname(final), result.support_header))
        return told

    def _told(self, task: Task, result: FileResult) -> HipifyResult:
        path, final = task.path, self._finals[task.path]
        if result.status == FAILED:
            why = result.findings[0].message if result.findings else "unknown"
            return done(path, f"[failed, {why}]")
        if self._settings.is_pytorch_extension and final == path:
            return done(path, NO_CHANGES)
        data = self._text(path, final, result.output)
        try:
            if result.support:
                header = os.path.normpath(os.path.join(os.path.dirname(final), result.support_header))
                register_new(header, self._cleaner)
                self._headers.take(task._replace(target=final), result)
            is_new = write_generated(final, data, self._cleaner, backup=self._is_foreign(path, final))
        except OSError as error:
            tell_problem(f"{path} stands in for {final}, which cannot be written: {reason(error)}")
            return done(path, NO_PERMISSIONS)
        return done(final, OK if is_new else ALREADY_HIPIFIED)

    def _text(self, path: str, final: str, text: bytes) -> bytes:
        if self._settings.is_pytorch_extension:
            text = with_new_includes(text, path, final, self._reach.files[path], self._finals, self._catalog)
        else:
            text = with_pytorch_headers(text, self._catalog)
        # The marker has to be the first thing in the file; compilers need no byte order mark.
        return MARKER.encode() + text.removeprefix(BOM) if self._is_marked(path, final) else text

    def _is_marked(self, path: str, final: str) -> bool:
        return final != path and (path.endswith(_MARKED) or path not in self._scope.all_files)

    def _is_foreign(self, path: str, final: str) -> bool:
        """Whether a file is replaced that no translator has written, such as an author's own port."""
        if not self._is_marked(path, final):
            return False
        try:
            with open(final, "rb") as file:
                head = file.read(len(MARKER) + 1)
        except OSError:
            return False
        return not is_generated(head)

    def tell_failures(self) -> None:
        """Say which support headers could not be written."""
        for failed in self._headers.failures:
            tell_problem(f"{failed.path}: {failed.findings[0].message}")
