"""Keeps NVIDIA's builds beside those for AMD GPUs, and writes the headers through which they compile HIP."""

from __future__ import annotations

import os

from hipify_py.build_systems.dual import HEADERS, can_choose, is_kept, kept, kept_name
from hipify_py.catalog import load_catalog
from hipify_py.core.options import Options
from hipify_py.project.result import CHANGED, FileResult, failure, reason
from hipify_py.project.work import Task
from hipify_py.project.write import write_atomically

_UNWRITTEN = "HIP901"


class DualBuilds:
    """The builds for NVIDIA GPUs of a run: each is written before the file that chooses it."""

    def __init__(self) -> None:
        self._options: dict[str, Options] = {}
        self._failures: dict[str, FileResult] = {}

    @property
    def failures(self) -> list[FileResult]:
        """One for each file that could not be written."""
        return [self._failures[place] for place in sorted(self._failures)]

    def take(self, task: Task, result: FileResult, options: Options) -> None:
        """Keep the build file of a task that is about to be replaced by one that chooses."""
        if not (options.dual and task.is_build_file and task.target and result.status == CHANGED):
            return
        if not can_choose(task.path):
            return
        place = kept_name(task.target)
        failed = _keep(task.path, place)
        if failed is not None:
            self._failures[place] = failed
        root = os.path.dirname(os.path.join(os.path.dirname(task.target), task.support_header))
        self._options.setdefault(os.path.normpath(os.path.join(root, HEADERS)), options)

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
