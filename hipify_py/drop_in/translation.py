"""Translates the files that a command line names, together: each sees what the others and their headers say."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from typing import NamedTuple

from hipify_py.catalog import Targeting, load_catalog
from hipify_py.catalog.installed import default_rocm
from hipify_py.core.options import BESIDE, Options
from hipify_py.core.project_context import ProjectContext
from hipify_py.core.targeting import HIP, ROC
from hipify_py.project.compile_commands import NO_COMMANDS, CompileCommands
from hipify_py.project.content_facts import FileFacts
from hipify_py.project.cross_file_context import build_contexts
from hipify_py.project.executor import Job
from hipify_py.project.processes import Processes, cores
from hipify_py.project.resolve_cross_file import resolve_cross_file
from hipify_py.project.result import FileResult
from hipify_py.project.sibling_headers import neighbours
from hipify_py.project.source_store import SourceStore, bytes_of
from hipify_py.project.vendored import own_headers
from hipify_py.project.work import OUTPUT, Task


class SourceFile(NamedTuple):
    """A file to translate: the path by which it is named, and what it holds."""

    path: str
    data: bytes


def chosen_options(*, launches: bool, to_roc: bool, experimental: bool) -> Options:
    """The translator's options for what the two tools let their users choose.

    The version of ROCm is the installed one, as for `hipify-py convert`. No configuration is read, and libclang is not
    asked.

    Args:
        launches: write launches as `hipLaunchKernelGGL(...)`; both tools keep `<<<...>>>` otherwise.
        to_roc: use ROCm's own libraries.
        experimental: use HIP names that AMD marks as experimental.

    Raises:
        ValueError: if the environment names a version of ROCm that is not in the tables.
    """
    return Options(
        launch="ggl" if launches else "chevron",
        experimental=experimental,
        support_place=BESIDE,
        targeting=Targeting(rocm=default_rocm().version, target=ROC if to_roc else HIP),
    )


def commands_of(paths: Sequence[str], arguments: Sequence[str]) -> CompileCommands:
    """The compile commands of sources that are all compiled with the same arguments (`-I`, `-D`, `-std`, …)."""
    if not arguments:
        return NO_COMMANDS
    from hipify_py.build_systems.compile_commands.database import settings_in

    entries = [{"directory": os.getcwd(), "file": path, "arguments": ["clang", *arguments]} for path in paths]
    return CompileCommands(settings_in(json.dumps(entries).encode(), bytes_of))


def translate_files(
    sources: Sequence[SourceFile], options: Options, commands: CompileCommands = NO_COMMANDS, jobs: int | None = None
) -> list[FileResult]:
    """Translate files; the results hold the HIP source, the edits and the references, and nothing is written.

    Args:
        sources: the files; no path may occur twice.
        options: the translator's options.
        commands: how they are compiled.
        jobs: worker processes; None uses all cores. A few small files need none.

    Returns:
        A result for each file, in the same order; a file that cannot be translated has a failed one.

    Raises:
        TableError: if the mapping tables are missing or wrong.
    """
    load_catalog(options.targeting)  # before there are processes, so that they share it
    paths = [each.path for each in sources]
    unsaved = {name: each.data for each in sources for name in (each.path, os.path.abspath(each.path))}
    texts = SourceStore(unsaved, FileFacts(), commands, jobs or cores())
    common = ProjectContext(local_headers=own_headers(neighbours(paths)))
    job = Job(options, build_contexts(common, paths, paths, options, texts), OUTPUT)
    tasks = [
        Task(each.path, size=len(each.data), unsaved=each.data, keeps_edits=True, keeps_references=True)
        for each in sources
    ]
    results = dict(Processes(jobs).results(tasks, job))
    return resolve_cross_file([results[number] for number in range(len(tasks))], texts)
