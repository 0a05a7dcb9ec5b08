"""`check` on a few files without loading the command line: what commit hooks and editors run on every save.

It calls what the `check` command calls, so its output is the same; it merely takes over less than that
command can do, and leaves everything else to it.
"""

from __future__ import annotations

import os
import stat
import sys

from hipify_py.build_systems.kinds import is_build_file
from hipify_py.catalog.installed import default_rocm
from hipify_py.cli.exit_codes import exit_code
from hipify_py.core.options import DEFAULT_OPTIONS, OFF, default_semantics
from hipify_py.core.project_context import ProjectContext
from hipify_py.core.targeting import Targeting
from hipify_py.project.cross_file_context import build_contexts
from hipify_py.project.faults import with_faults
from hipify_py.project.find_config import NONE, find_config
from hipify_py.project.lazy_session import LazySession, process_alone
from hipify_py.project.resolve_cross_file import resolve_cross_file
from hipify_py.project.sibling_headers import neighbours
from hipify_py.project.source_store import SourceStore
from hipify_py.project.vendored import own_headers
from hipify_py.project.work import Task
from hipify_py.report.model import Choice
from hipify_py.report.run_report import CHECK, RunReport
from hipify_py.report.show import show
from hipify_py.report.text import emit, show_failures, summary

_MOST_FILES = 32
_MOST_BYTES = 150_000  # more is for several cores


def quick_check(arguments: list[str]) -> int | None:
    """Run `check [--] FILE…` and return its exit status; None where the full command line has to."""
    paths = arguments[2:] if arguments[1:2] == ["--"] else arguments[1:]
    if arguments[:1] != ["check"] or not 0 < len(paths) <= _MOST_FILES:
        return None
    files = set()
    total = 0
    for path in paths:
        try:
            status = os.stat(path)
        except (OSError, ValueError):
            return None
        if is_build_file(path) or path.startswith("-") or not stat.S_ISREG(status.st_mode):
            return None
        files.add((status.st_dev, status.st_ino))
        total += status.st_size
    if len(files) < len(paths) or total > _MOST_BYTES:
        return None
    folders = {os.path.dirname(path) or os.curdir for path in paths}
    if any(find_config(folder) != NONE for folder in folders):
        return None
    try:
        return _check(paths)
    except ValueError:
        return None  # invalid mapping tables: the full command line reports them


def _check(paths: list[str]) -> int:
    rocm = default_rocm()
    semantics = default_semantics()
    options = DEFAULT_OPTIONS._replace(targeting=Targeting(rocm=rocm.version), semantics=semantics)
    texts = SourceStore()
    common = ProjectContext(local_headers=own_headers(neighbours(paths)))
    project = build_contexts(common, paths, paths, options, texts)
    view = None if semantics == OFF else LazySession(paths, options, texts)
    results = resolve_cross_file([process_alone(Task(path), options, project, view=view) for path in paths], texts)
    results = with_faults(results, texts.faults)
    emit(sys.stderr, filter(None, [rocm.why]))
    show(RunReport(CHECK, results, [Choice("", tuple(paths), options.targeting)]))
    show_failures(results, sys.stderr)
    emit(sys.stderr, summary(results, written=False))
    return exit_code(results)
