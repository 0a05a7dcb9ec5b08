"""What the files of a project call things that go by the compiler's `warpSize`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from hipify_py.project.answering import Asking
from hipify_py.project.answers import Answers
from hipify_py.project.include_graph import Sight
from hipify_py.project.warp_files import WarpFiles
from hipify_py.project.warp_questions import wavefront_names_in
from hipify_py.project_context import OTHERWISE, ProjectContext

_MOST_ROUNDS = 8
"""Headers that define names by those of others, one after the other; real code has one or two."""
_NONE: Mapping[bytes, str] = {}


class WavefrontNames:
    """The names that files give to things by `warpSize`, and to others by those names, until there are no new ones."""

    def __init__(
        self, files: WarpFiles, answers: Answers, told: Callable[[str, Mapping[bytes, str]], ProjectContext]
    ) -> None:
        """`told` makes the context of a file that is told of some names."""
        self._files = files
        self._answers = answers
        self._told = told
        self._own: dict[str, Mapping[bytes, str]] = {}
        self._otherwise: dict[str, frozenset[bytes]] = {}
        self._seen: dict[Sight, Mapping[bytes, str]] = {}
        pending = sorted(files.naming)
        for _ in range(_MOST_ROUNDS):
            before = dict(self._own), dict(self._otherwise)
            self._ask(pending)
            if before == (self._own, self._otherwise):
                break
            pending = [path for path in files.reach.marked if self._may_name(path)]

    def _ask(self, paths: Iterable[str]) -> None:
        askings = [Asking(wavefront_names_in, path, self._told(path, self.seen(self._sight(path)))) for path in paths]
        self._answers.expect(askings)
        for asking in askings:
            own, otherwise = self._answers.ask(wavefront_names_in, asking.path, asking.project)
            self._own[asking.path], self._otherwise[asking.path] = dict(own), otherwise
        self._seen.clear()

    def _may_name(self, path: str) -> bool:
        """A file sees names of others', and may define something by one, or one of them by something else."""
        seen = self.seen(self._sight(path))
        if not seen:
            return False
        data = self._files.text(path)
        return path in self._own or any(name in data for name in seen)

    def _sight(self, path: str) -> Sight:
        return self._files.reach.sight(path)

    def seen(self, sight: Sight) -> Mapping[bytes, str]:
        """What a file with some sight is told: the names, with what they are wherever they are defined."""
        known = self._seen.get(sight)
        if known is None:
            found: dict[bytes, str] = {}
            for path in sorted(sight.all & self._own.keys()):
                for name, meaning in self._own[path].items():
                    found[name] = meaning if found.get(name, meaning) == meaning else OTHERWISE
            for path in sight.all & self._otherwise.keys():
                found.update(dict.fromkeys(self._otherwise[path] & found.keys(), OTHERWISE))
            known = self._seen[sight] = dict(sorted(found.items())) if found else _NONE
        return known
