"""`check` on a few files without loading the command line: what commit hooks and editors run on every save.

It calls what the `check` command calls, so its output is the same; it merely takes over less than that
command can do, and leaves everything else to it.
"""

from __future__ import annotations

import os
import stat
import sys

from hipify_py.build_systems.kinds import is_build_file
from hipify_py.cli.exit_codes import exit_code, settled
from hipify_py.cli.quick_settings import Settings, settings_of, split
from hipify_py.core.options import OFF
from hipify_py.core.project_context import ProjectContext
from hipify_py.core.source import is_fortran
from hipify_py.embedded.host_files import kind_of_host
from hipify_py.project.cross_file_context import build_contexts
from hipify_py.project.faults import with_faults
from hipify_py.project.find_config import find_config
from hipify_py.project.lazy_session import LazySession, process_alone
from hipify_py.project.resolve_cross_file import resolve_cross_file, with_chosen
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
    """Run `check [OPTION]… [--] FILE…` and return its exit status; None where the full command line has to."""
    line = split(arguments[1:]) if arguments[:1] == ["check"] else None
    if line is None or not 0 < len(line.paths) <= _MOST_FILES:
        return None
    files = set()
    total = 0
    for path in line.paths:
        try:
            status = os.stat(path)
        except (OSError, ValueError):
            return None
        if is_build_file(path) or is_fortran(path) or kind_of_host(path):
            return None
        if path.startswith("-") or not stat.S_ISREG(status.st_mode):
            return None
        files.add((status.st_dev, status.st_ino))
        total += status.st_size
    if len(files) < len(line.paths) or total > _MOST_BYTES:
        return None
    config, *others = {find_config(folder) for folder in {os.path.dirname(path) or os.curdir for path in line.paths}}
    if others:
        return None
    try:
        settings = settings_of(line, config)
        return None if settings is None else _check(settings)
    except ValueError:
        return None  # invalid mapping tables, configurations or values: the full command line reports them


def _check(settings: Settings) -> int:
    paths, options = settings.paths, settings.options
    texts = SourceStore()
    common = ProjectContext(local_headers=own_headers(neighbours(paths)))
    project = build_contexts(common, paths, paths, options, texts)
    view = None if options.semantics == OFF else LazySession(paths, options, texts)
    results = resolve_cross_file([process_alone(Task(path), options, project, view=view) for path in paths], texts)
    results = with_faults(with_chosen(results, options), texts.faults)
    if not settings.quiet:
        emit(sys.stderr, filter(None, [settings.why_rocm]))
    choice = Choice(settings.config, paths, options.targeting)
    show(RunReport(CHECK, results, [choice]), settings.format, settings.color)
    show_failures(results, sys.stderr)
    if not settings.quiet:
        emit(sys.stderr, summary(results, written=False))
    return settled(exit_code(results, settings.fail_on), exit_zero=settings.exit_zero)
