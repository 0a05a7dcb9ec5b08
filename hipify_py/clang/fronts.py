"""Decides which headers behind a source's own code may be precompiled as if they came first: its front.

They are asked about in the order in which the source takes them in (`hipify_py.clang.behind`). One stays where it is

- that has an error of its own, or that cannot be included twice; behind one that is not there, all do: the source ends;
- that mentions a macro which the project's code has changed by then, unless the definition can come along;
- that brings the runtime, where code of the project's before it speaks of the runtime's names: that may be a mistake
  which the source is to be told of.

What a header mentions is known once it is precompiled. So fronts are made in rounds: the headers of each round are
those that nothing is known against.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from hipify_py.clang.behind import Item
from hipify_py.clang.precompiled import Precompiled, Wrong
from hipify_py.core.cache_files import read_file

_PATIENT = 3
"""Rounds in which only the headers that something is known against are left out; then all behind them are, too."""

_RUNTIME = frozenset((b"hip/hip_runtime.h", b"hip/hip_runtime_api.h"))


class Front:
    """The headers of one source that are to come first.

    Attributes:
        is_settled: nothing is known against what is left.
    """

    def __init__(self, items: Sequence[Item]) -> None:
        self._items = items
        self._chosen = [at for at, item in enumerate(items) if not item.macro]
        self._macros: dict[bytes, list[int]] = {}
        for at, item in enumerate(items):
            if item.macro:
                self._macros.setdefault(item.macro, []).append(at)
        self._rounds = 0
        self.is_settled = not self._chosen

    @property
    def lines(self) -> tuple[bytes, ...]:
        """The lines: headers, and definitions that they need."""
        return tuple(self._items[at].line for at in self._chosen)

    def learn(self, made: Precompiled, wrong: Wrong | None) -> None:
        """Take up what came of precompiling the lines.

        Args:
            made: what has the first of them.
            wrong: what is wrong with one of them.
        """
        self._rounds += 1
        if wrong is not None:
            self._leave_out([self._chosen[wrong.line]], wrong.is_missing)
            return
        del self._chosen[made.lines :]
        words_of_lines = _words_of(made)
        if words_of_lines is None:
            self._leave_out(self._chosen[:1], True)
            return
        left_out: list[int] = []
        brought: set[int] = set()
        for at, words in zip(self._chosen, words_of_lines, strict=True):
            item = self._items[at]
            if item.tells_of_runtime and not _RUNTIME.isdisjoint(words):
                self._leave_out([at], True)
                return
            definitions = [*self._definitions(words & self._macros.keys(), at)]
            if None in definitions:
                left_out.append(at)
            brought.update(place for place in definitions if place is not None and place not in self._chosen)
        if left_out:
            self._leave_out(left_out, False)
        elif brought:
            self._chosen = sorted({*self._chosen, *brought})
        else:
            self.is_settled = True

    def _definitions(self, names: Iterable[bytes], at: int) -> Iterator[int | None]:
        """Where macros are defined of those that the project's code has changed before a line.

        None for one that has no single definition there, or whose definition cannot come along.
        """
        for name in names:
            places = [place for place in self._macros[name] if place < at]
            if places:
                yield places[0] if len(places) == 1 and self._items[places[0]].line else None

    def _leave_out(self, places: Sequence[int], with_all_behind: bool) -> None:
        first = min(places, default=0)
        is_over = with_all_behind or self._rounds >= _PATIENT
        self._chosen = [at for at in self._chosen if (at < first if is_over else at not in places)]
        if all(self._items[at].macro for at in self._chosen):
            self._chosen = []
            self.is_settled = True


def _words_of(made: Precompiled) -> list[frozenset[bytes]] | None:
    """What each line brings: identifiers, and ends of paths; None where nobody knows."""
    words: list[frozenset[bytes]] = []
    for path, lines in made.words:
        kept = (read_file(path) or b"").split(b"\n")
        if len(kept) != lines:
            return None
        words += [frozenset(line.split(b" ")) for line in kept]
    return words
