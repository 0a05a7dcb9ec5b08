"""What the files of a project say of each other's warps: their size, and the functions that use them."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from itertools import islice
from typing import Concatenate, ParamSpec, TypeVar

from hipify_py.analysis.warp.callers import may_define, named_in
from hipify_py.analysis.warp.emulate_warp32 import FAMILY, may_go_by_wavefronts
from hipify_py.analysis.warp.header_facts import SharedWarps
from hipify_py.catalog import load_catalog
from hipify_py.options import Options
from hipify_py.project.answering import Asking
from hipify_py.project.answers import Answers
from hipify_py.project.components import components
from hipify_py.project.include_graph import Sight
from hipify_py.project.mask_parameters import MaskFiles, mask_parameters
from hipify_py.project.warp_files import WarpFiles
from hipify_py.project.warp_questions import (
    callers_in,
    constants_used,
    defined_in,
    goes_by_wavefronts,
    helpers_in,
    is_kept_at_32,
    users_in,
)
from hipify_py.project.warp_sizes import BUILT_IN, Sizes
from hipify_py.project.wavefront_names import WavefrontNames
from hipify_py.project_context import CountedBy, MaskParameter, ProjectContext, WarpHelpers
from hipify_py.unit import Unit

_Answer = TypeVar("_Answer")
_Details = ParamSpec("_Details")

_DEEPEST = 4
"""Headers whose functions ask those of others, one after the other, until one is looked at no more."""

_TOLD = 2
"""Files of a group that are looked for: each of the group is told of another one than itself."""

_NONE: frozenset[bytes] = frozenset()
_NOBODY = WarpHelpers()


class ProjectWarpAnalysis:
    """Works out what each file is told of the others' warps. `users` are the functions and macros that use warps."""

    def __init__(self, files: WarpFiles, common: ProjectContext, options: Options) -> None:
        self._files = files
        self._reach = files.reach
        self._common = common
        self._fixes = FAMILY in options.fixes
        shared = SharedWarps(load_catalog(options.targeting), options)
        self._answers = Answers(options, files.facts, files.text, shared.unit, files.jobs)
        self._sizes: dict[Sight, frozenset[bytes]] = {}
        self._merged: dict[WarpHelpers, WarpHelpers] = {}
        self._told: dict[tuple[frozenset[bytes], frozenset[tuple[bytes, str]], str], ProjectContext] = {}
        self._helpers: dict[str, WarpHelpers] = {}

    def contexts(self, converted: frozenset[str], *, with_counts: bool) -> dict[str, ProjectContext]:
        """The contexts of the files that are told anything; some of them are `converted`, the others are only read."""
        files = self._files
        if not (files.sizes or files.using or files.device or files.naming):
            return {}
        try:
            return self._contexts(converted, with_counts)
        finally:
            self._answers.close()

    def _contexts(self, converted: frozenset[str], with_counts: bool) -> dict[str, ProjectContext]:
        files = self._files
        mixed = self._mixed if self._fixes else {}
        askings = [
            Asking(helpers_in, path, self._project(path, mixed.get(path, "")), (frozenset(self._users[path]),))
            for path in files.using
        ]
        self._answers.expect(askings)
        for asking in askings:
            helpers = self._answers.ask(asking.question, asking.path, asking.project, *asking.details)
            self._helpers[asking.path] = WarpHelpers(*helpers)
        for path, names in self._users.items():
            self._helpers[path] = self._helpers.get(path, _NOBODY)._replace(using=frozenset(names))
        known: dict[tuple[Sight, str], ProjectContext] = {}
        found = {}
        for path in files:
            sight, mixed_in = self._reach.sight(path), mixed.get(path, "")
            if not sight.all and not mixed_in:
                continue
            project = known.get((sight, mixed_in))
            if project is None:
                helpers = self._merged_helpers(sight)
                sizes = self._sizes_for(sight)
                project = self._common._replace(
                    warp_sizes=sizes,
                    wavefront_names=self._wavefronts.seen(sight),
                    warp_helpers=helpers,
                    mixed_in=mixed_in,
                )
                known[sight, mixed_in] = project
            if project != self._common:
                found[path] = project
        for path, parameters in self._mask_parameters(converted).items():
            found[path] = found.get(path, self._common)._replace(mask_parameters=parameters)
        if with_counts:
            for path, counts in self._counts(found).items():
                found[path] = found.get(path, self._common)._replace(warp_counts=counts)
        return found

    def _mask_parameters(self, converted: frozenset[str]) -> Mapping[str, frozenset[MaskParameter]]:
        """By file, the parameters of headers' functions that are given masks."""
        files = self._files
        sight = self._reach.sight
        return mask_parameters(
            MaskFiles(
                list(files),
                converted,
                files.text,
                files.words,
                files.may_make_masks,
                sight,
                self._ask,
                self._expect,
                self._keeps_32,
            )
        )

    def _keeps_32(self, path: str) -> bool:
        return self._fixes and self._ask(is_kept_at_32, path)

    def _ask(
        self,
        question: Callable[Concatenate[Unit, _Details], _Answer],
        path: str,
        *details: _Details.args,
        **more: _Details.kwargs,
    ) -> _Answer:
        """What a function finds in a file with what is known of the others' sizes."""
        return self._answers.ask(question, path, self._project(path), *details, **more)

    def _expect(self, question: Callable[..., object], askings: Iterable[tuple[str, tuple[object, ...]]]) -> None:
        """A question will be asked of some files, with these details."""
        self._answers.expect(Asking(question, path, self._project(path), details) for path, details in askings)

    # ------------------------------------------------------------------ what a file sees

    def _sizes_for(self, sight: Sight) -> frozenset[bytes]:
        """The names that mean a warp's size and are 32 wherever one of the files defines them."""
        known = self._sizes.get(sight)
        if known is None:
            first, more = self._merged_sizes(sight.included), self._merged_sizes(sight.further)
            far = more.agreed - first.are_32 - first.others - {BUILT_IN}
            known = self._sizes[sight] = first.agreed | far
        return known

    def _merged_sizes(self, paths: Iterable[str]) -> Sizes:
        known = [self._files.sizes[path] for path in paths if path in self._files.sizes]
        return Sizes(_NONE.union(*(one.are_32 for one in known)), _NONE.union(*(one.others for one in known)))

    def _merged_helpers(self, sight: Sight) -> WarpHelpers:
        first = _together(self._helpers[path] for path in sight.included if path in self._helpers)
        more = _together(self._helpers[path] for path in sight.further if path in self._helpers)
        found = _together([first, WarpHelpers(*(names - first.using for names in more))])
        return self._merged.setdefault(found, found)  # the same object for all files that are told the same

    def _project(self, path: str, mixed_in: str = "") -> ProjectContext:
        """What a file is told while helpers are looked for: the sizes that the others define."""
        return self._with_sizes(path, self._wavefronts.seen(self._reach.sight(path)), mixed_in)

    def _with_sizes(self, path: str, wavefront_names: Mapping[bytes, str], mixed_in: str = "") -> ProjectContext:
        sizes = self._sizes_for(self._reach.sight(path))
        told = sizes, frozenset(wavefront_names.items()), mixed_in
        known = self._told.get(told)
        if known is None:
            known = self._told[told] = self._common._replace(
                warp_sizes=sizes, wavefront_names=wavefront_names, mixed_in=mixed_in
            )
        return known

    @cached_property
    def _wavefronts(self) -> WavefrontNames:
        """What the files define by the compiler's `warpSize`."""
        return WavefrontNames(self._files, self._answers, self._with_sizes)

    # ------------------------------------------------------------------ helpers

    @cached_property
    def _users(self) -> Mapping[str, set[bytes]]:
        """By file, its functions and macros that use warps, and those that ask for such ones of other files."""
        self._expect(users_in, ((path, ()) for path in self._files.using))
        users = {path: set(self._ask(users_in, path)) for path in self._files.using}
        fresh = {path: set(names) for path, names in users.items()}
        for _ in range(_DEEPEST):
            found: dict[str, set[bytes]] = {}
            called = dict(self._called(fresh))
            self._expect(callers_in, ((path, (named,)) for path, named in called.items()))
            for path, named in called.items():
                asking = self._ask(callers_in, path, named) - users.get(path, set())
                if asking:
                    found[path] = set(asking)
            for path, names in found.items():
                users.setdefault(path, set()).update(names)
            fresh = found
            if not fresh:
                break
        return users

    def _called(self, helpers: Mapping[str, set[bytes]]) -> Iterator[tuple[str, frozenset[bytes]]]:
        """The files with device code that may call some of other files' helpers, and those."""
        for path, data in [*self._files.using.items(), *self._files.device.items()]:
            seen = self._reach.sight(path).all & helpers.keys() - {path}
            named = named_in(data, {name for other in seen for name in helpers[other]}) if seen else None
            if named:
                yield path, frozenset(named)

    @cached_property
    def _mixed(self) -> Mapping[str, str]:
        """The files that share helpers with one that goes by the whole wavefront, and its name.

        They ask for each other's functions, or for those of the same header: all keep to 32 lanes, or none does.
        """
        if not self._users:
            return {}
        mixed = {}
        groups = [sorted(group) for group in components({path: self._asked(path) for path in self._files})]
        groups = [group for group in groups if len(group) > 1]
        for group in groups:  # so many of each are asked in any case
            first = islice(filter(self._may_go_by_wavefronts, group), _TOLD)
            self._expect(goes_by_wavefronts, [(path, ()) for path in first])
        for group in groups:
            wide = list(islice(self._by_wavefronts(group), _TOLD))
            for path in group if wide else ():
                mixed[path] = os.path.basename(next((other for other in wide if other != path), path))
        return mixed

    def _by_wavefronts(self, paths: Iterable[str]) -> Iterator[str]:
        """The files that cannot be kept at 32 lanes; while one is asked, those behind it are expected."""
        behind: deque[str] = deque()
        for path in filter(self._may_go_by_wavefronts, paths):
            self._expect(goes_by_wavefronts, [(path, ())])
            behind.append(path)
            if len(behind) >= 2 * self._files.jobs:
                yield from self._goes_by_wavefronts(behind.popleft())
        for path in behind:
            yield from self._goes_by_wavefronts(path)

    def _goes_by_wavefronts(self, path: str) -> list[str]:
        return [path] if self._ask(goes_by_wavefronts, path) else []

    def _may_go_by_wavefronts(self, path: str) -> bool:
        data, names = self._files.text(path), self._wavefronts.seen(self._reach.sight(path))
        return may_go_by_wavefronts(data) or any(name in data for name in names)

    def _asked(self, path: str) -> list[str]:
        """The files that define the helpers that a file asks for."""
        first, more = (
            [other for other in seen if other in self._users and other != path] for seen in self._reach.sight(path)[:2]
        )
        if not (first or more):
            return []
        asked = named_in(self._files.text(path), {name for other in first + more for name in self._users[other]})
        if asked and may_define(self._files.text(path), asked):
            asked -= self._ask(defined_in, path, frozenset(asked))
        far = asked - {name for other in first for name in self._users[other]}
        return [other for other in first if not asked.isdisjoint(self._users[other])] + [
            other for other in more if not far.isdisjoint(self._users[other])
        ]

    # ------------------------------------------------------------------ what is done with sizes

    def _counts(self, projects: Mapping[str, ProjectContext]) -> Mapping[str, Mapping[bytes, CountedBy]]:
        """By header, what the files that are compiled with it do with the sizes of warps that it gives."""
        users: dict[str, dict[bytes, list[str]]] = {}
        against: set[str] = set()
        counting = [path for path in self._files if path in projects and self._may_count(path, projects[path])]
        self._answers.expect(Asking(constants_used, path, projects[path]) for path in counting)
        for path in counting:
            used, is_mixed = self._answers.ask(constants_used, path, projects[path])
            if is_mixed:
                against.add(path)
            for header in self._reach.sight(path).all & self._files.sizes.keys() if used else ():
                for name in used & self._files.sizes[header].agreed:
                    users.setdefault(header, {}).setdefault(name, []).append(path)
        return {
            header: {name: _counted_by(paths, against) for name, paths in sorted(names.items())}
            for header, names in users.items()
        }

    def _may_count(self, path: str, project: ProjectContext) -> bool:
        files = self._files
        if not project.warp_sizes or not files.sources.get(path, path in files.using or path in files.device):
            return False
        data = files.text(path)
        return any(name in data for name in project.warp_sizes)


def _together(helpers: Iterable[WarpHelpers]) -> WarpHelpers:
    every = list(helpers)
    return WarpHelpers(*(_NONE.union(*names) for names in zip(*every, strict=True))) if every else _NOBODY


def _counted_by(paths: list[str], against: set[str]) -> CountedBy:
    return CountedBy(len(paths), tuple(sorted({os.path.basename(path) for path in paths if path in against})))
