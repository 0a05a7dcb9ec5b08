"""The files that a conversion has written for a build, and what each comes from."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence

from hipify_py.build_systems.kinds import kind_of
from hipify_py.compile.builds.systems import SYSTEMS
from hipify_py.compile.diagnostics import Origin
from hipify_py.compile.origins import Origins, origin_of_file
from hipify_py.core.edits import Edit
from hipify_py.project.api import ConversionReport
from hipify_py.project.result import FAILED
from hipify_py.project.work import TRANSLATE, Task


class Written:
    """The origins of the files that a conversion has written, from its reports, which have kept the edits.

    Args:
        given: the folder that was converted, as given.

    Attributes:
        root: the folder that they are in; absolute, without links.
        origins: maps messages about them to the sources.
    """

    def __init__(self, reports: Iterable[ConversionReport], root: str, given: str) -> None:
        self.root = root
        self._given = given
        self._tasks: dict[str, tuple[Task, tuple[Edit, ...]]] = {}
        self._by_name: dict[str, list[str]] = {}
        for report in reports:
            assert report.plan is not None
            failed = {result.path for result in report.results if result.status == FAILED}
            edits = {result.path: result.edits for result in report.results}
            for task in report.plan.tasks:
                if task.target is not None and task.path not in failed:
                    place = os.path.normpath(os.path.abspath(task.target))
                    self._tasks[place] = task, edits.get(task.path, ())
                    self._by_name.setdefault(os.path.basename(place), []).append(place)
        copied = {place: task.path for place, (task, _) in self._tasks.items() if task.kind != TRANSLATE}
        self.origins = Origins(self._origin, copied)

    def changed(self) -> list[str]:
        """The files that the conversion has changed."""
        return [place for place, (_, edits) in self._tasks.items() if edits]

    def _origin(self, path: str) -> Origin | None:
        if path not in self._tasks:
            return None
        task, edits = self._tasks[path]
        return origin_of_file(path, task.path, edits) if task.kind == TRANSLATE else None

    def shown(self, text: str) -> str:
        """A text in which the given folder replaces the built one."""
        return text.replace(self.root, self._given)

    def find(self, path: str, folders: Sequence[str]) -> str:
        """The absolute path of a file that a program names, relative to one of the folders; empty for none."""
        for folder in folders:
            place = os.path.normpath(os.path.join(folder, path))
            if place in self._tasks:
                return place
            if os.path.isfile(place):
                real = os.path.realpath(place)
                return real if real in self._tasks else place
            if os.path.isabs(path):
                break
        return ""

    def holds(self, path: str) -> bool:
        """The file is one of them."""
        return path in self._tasks

    def named(self, name: str) -> list[str]:
        """The files of a base name."""
        return self._by_name.get(name, [])

    def of_stem(self, stem: str) -> Iterator[str]:
        """The files whose base name is a stem with an ending."""
        for name, places in self._by_name.items():
            if name.partition(".")[0] == stem or name.rpartition(".")[0] == stem:
                yield from places

    def build_files(self) -> list[str]:
        """The build files, those of outer folders first."""
        names = {name for system in SYSTEMS.values() for name in system.files}
        found = [place for place in self._tasks if kind_of(place) or os.path.basename(place) in names]
        return sorted(found, key=lambda place: (place.count(os.sep), place))
