"""A translated copy of a project for the compiler, in a temporary folder."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from hipify_py.build_systems.compile_commands.database import Settings
from hipify_py.build_systems.compile_commands.options import Mirrors, is_safe_name, no_mirrors, options_of
from hipify_py.compile.diagnostics import Origin
from hipify_py.compile.driver import Unit
from hipify_py.compile.includes import include_folders, with_included
from hipify_py.compile.origins import origin_of_file
from hipify_py.core.edits import Edit
from hipify_py.core.options import DEFAULT_OPTIONS, Options
from hipify_py.core.source import CUDA_SUFFIXES, HIP_SUFFIXES, UNIT_SUFFIXES
from hipify_py.project.api import ConversionReport
from hipify_py.project.compile_commands import CompileCommands, compile_commands
from hipify_py.project.discovery import LINK, SOURCE, Discovery, Entry, Root
from hipify_py.project.paths import is_within
from hipify_py.project.plan import make_plan
from hipify_py.project.result import CHANGED, COPIED, FAILED, FileResult, failure
from hipify_py.project.run import run
from hipify_py.project.source_store import SourceStore
from hipify_py.project.support_header_writer import SupportHeaderWriter
from hipify_py.project.work import COPY

_HIP_NAME = re.compile(rb"\bhip[A-Z]\w|[<\"]hip/")


class Staged(NamedTuple):
    """What to compile.

    Attributes:
        units: the sources in the temporary folder or in the output of a conversion, or as given if nothing was
            translated.
        originals: the sources that files were translated from, by the translated file.
        flags: further compiler flags: folders of `-I` in their translated form come first.
        failed: files that could not be translated.
        edits: what the translation of each staged file has changed, by its path.
        shown: the name in messages of a file without an original, by its absolute path.
    """

    units: list[Unit]
    originals: dict[str, str]
    flags: list[str]
    failed: list[FileResult]
    edits: dict[str, tuple[Edit, ...]]
    shown: dict[str, str]

    def origin(self, staged: str) -> Origin | None:
        """The translation behind a staged file; None if it is not a translation, or no longer matches its source."""
        if staged not in self.originals:
            return None
        return origin_of_file(staged, self.originals[staged], self.edits.get(staged, ()))


def stage_project(
    found: Discovery,
    folder: str,
    *,
    options: Options = DEFAULT_OPTIONS,
    flags: Sequence[str] = (),
    jobs: int | None = None,
) -> Staged:
    """Translate the found files into `folder`; files that are already HIP are compiled where they are.

    Given files are taken together with what they include. Files that are not sources are linked, not copied.
    """
    folders = include_folders(flags)
    commands = compile_commands([root.path for root in found.roots if root.is_tree], options.compile_commands)
    found, compiled, base = with_included_files(found, folders, commands)
    texts = SourceStore()
    plan = make_plan(found, options, output=folder + os.sep, texts=texts)
    headers = SupportHeaderWriter(written=True)
    tasks = [task._replace(keeps_edits=True) for task in plan.tasks if task.kind != COPY]
    results = run(tasks, plan.options, plan.project, jobs=jobs, first=headers.take)
    failed = [result for result in results if result.status == FAILED]
    failed += [failure(path, "HIP901", message) for path, message in found.problems]
    failed += [_unsafe(path) for path in compiled if not is_safe_name(path)]
    bad = {result.path for result in failed}
    failed += texts.faults.results({os.path.abspath(path) for path in bad})
    if not any(result.status == CHANGED for result in results):
        units = [
            _unit(path, (), plan.commands.of(path), no_mirrors)
            for path in compiled
            if path not in bad and is_unit(path, False)
        ]
        shown = {os.path.abspath(path): path for path in compiled}
        return Staged(units, {}, list(flags), failed, {}, shown)
    for task in plan.tasks:
        if task.kind == COPY and task.target is not None:
            os.makedirs(os.path.dirname(task.target), exist_ok=True)
            os.symlink(os.path.abspath(task.path), task.target)
    for path, target in plan.links:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        os.symlink(target, path)
    failed += headers.failures
    targets = {task.path: task.target for task in plan.tasks if task.target is not None}
    changed = {result.path for result in results if result.status == CHANGED}
    places = {root: os.path.join(folder, name) for root, name in base.items()}
    units = [
        # Includes that lead out of the given folders are found relative to the original source.
        _unit(
            targets[path],
            (f"-iquote{os.path.dirname(os.path.abspath(path))}",),
            plan.commands.of(path),
            lambda given: _mirrors(given, places),
        )
        for path in compiled
        if path in targets and path not in bad and is_unit(path, path in changed)
    ]
    originals = {target: path for path, target in targets.items() if path not in bad}
    mirrored = [f"-I{place}" for given in folders for place in _mirrors(given, places)]
    edits = {task.target: result.edits for task, result in zip(tasks, results, strict=True) if task.target is not None}
    return Staged(units, originals, [*mirrored, *flags], failed, edits, {})


def stage_converted(report: ConversionReport, flags: Sequence[str] = ()) -> Staged:
    """The output of a conversion that has kept its edits, compiled in place.

    Messages refer to the CUDA source if that still exists, as with an output folder.
    """
    assert report.plan is not None
    done = {result.path: result for result in report.results if result.status not in (FAILED, COPIED)}
    units, originals, shown, failed = [], {}, {}, []
    edits = {}
    moved = dict(report.plan.moved)
    for task in report.plan.tasks:
        result = done.get(task.path)
        if result is None or task.target is None:
            continue
        place = os.path.abspath(task.target)
        edits[place] = result.edits
        shown[place] = task.target
        if task.in_place:
            shown[place] = os.path.join(os.path.dirname(task.path), os.path.basename(task.target))
        else:
            originals[place] = task.path
        if not is_unit(place, result.status == CHANGED):
            continue
        if is_safe_name(place):
            own = (f"-iquote{os.path.dirname(os.path.abspath(task.path))}",)
            units.append(_unit(place, own, report.plan.commands.of(task.path), lambda given: _mirrors(given, moved)))
        else:
            failed.append(_unsafe(task.path))
    return Staged(units, originals, list(flags), failed, edits, shown)


def _unit(path: str, flags: tuple[str, ...], settings: Settings | None, mirrors: Mirrors) -> Unit:
    """A source with its entry in a compilation database."""
    own = options_of(settings, mirrors)
    return Unit(path, (*flags, *own.flags), own.standard, own.definitions)


def _unsafe(path: str) -> FileResult:
    return failure(path, "HIP901", "hipcc cannot take a file name with these characters; rename the file to compile it")


def with_included_files(
    found: Discovery, folders: Sequence[str], commands: CompileCommands
) -> tuple[Discovery, list[str], dict[str, str]]:
    """The files to translate, those among them to compile, and where each real root goes in the mirror."""
    base = {}
    for root in found.roots:
        if root.is_tree:
            name = os.path.basename(os.path.realpath(root.path)) if found.given > 1 else ""
            base[os.path.realpath(root.path)] = name
    compiled = [entry.path for entry in found.sources]
    given = [entry for entry in found.sources if not found.roots[entry.root].is_tree]
    if not given:
        return found, compiled, base
    real = {os.path.realpath(entry.path): entry.path for entry in given}
    known_folders = [*folders, *(folder for path in real for list in commands.folders(path) for folder in list)]
    wanted = with_included(real, [*dict.fromkeys(known_folders)])
    top = os.path.commonpath([os.path.dirname(path) for path in wanted])
    entries = [entry for entry in found.entries if found.roots[entry.root].is_tree]
    known = {os.path.realpath(entry.path) for entry in entries if entry.kind != LINK}
    trees = [index for index, root in enumerate(found.roots) if root.is_tree]
    roots = [found.roots[index] for index in trees] + [Root(top, True)]
    entries = [entry._replace(root=trees.index(entry.root)) for entry in entries]
    for path in wanted:
        if path not in known:
            shown = real.get(path) or os.path.relpath(path)
            relative = os.path.relpath(path, top).replace(os.sep, "/")
            entries.append(Entry(shown, len(roots) - 1, relative, SOURCE, os.path.getsize(path)))
    base[top] = os.path.basename(top) if len(roots) > 1 else ""
    return found._replace(given=len(roots), roots=roots, entries=entries), compiled, base


def is_unit(path: str, changed: bool) -> bool:
    """True for files that are compiled by themselves: GPU sources, and C++ that calls HIP."""
    suffix = os.path.splitext(path)[1].lower()
    if suffix not in UNIT_SUFFIXES:
        return False
    if suffix in CUDA_SUFFIXES | HIP_SUFFIXES or changed:
        return True
    try:
        with open(path, "rb") as file:
            return _HIP_NAME.search(file.read()) is not None
    except OSError:
        return False


def _mirrors(given: str, places: Mapping[str, str]) -> list[str]:
    """The translated form of an include folder of the project, whose roots went to their `places`."""
    real = os.path.realpath(given)
    return [
        os.path.normpath(os.path.join(place, os.path.relpath(real, root)))
        for root, place in places.items()
        if is_within(real, root)
    ]
