"""The best common ancestor of two commits, whatever their clocks said."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from hipify_py.project.git_history import History


class Drawn(History):
    """Commits by number, each with parents of smaller numbers and a time of any order."""

    def __init__(self, parents: list[list[int]], times: list[int]) -> None:
        self.parents = parents
        self.times = times

    def _parents(self, commit: bytes) -> list[bytes]:
        return [b"%d" % parent for parent in self.parents[int(commit)]]

    def _time(self, commit: bytes) -> int:
        return self.times[int(commit)]

    def ancestors(self, commit: int) -> set[int]:
        """The commit itself and all that lead to it."""
        return {commit}.union(*(self.ancestors(parent) for parent in self.parents[commit]))


@st.composite
def histories(draw: st.DrawFn) -> Drawn:
    parents: list[list[int]] = []
    for number in range(draw(st.integers(2, 9))):
        chosen = st.lists(st.integers(0, number - 1), max_size=2, unique=True) if number else st.just([])
        parents.append(draw(chosen))
    times = draw(st.lists(st.integers(0, 2), min_size=len(parents), max_size=len(parents)))
    return Drawn(parents, times)


@given(histories(), st.data())
def test_it_is_below_no_other_common_ancestor(history: Drawn, data: st.DataObject) -> None:
    number = st.integers(0, len(history.parents) - 1)
    one, two = data.draw(number), data.draw(number)
    common = history.ancestors(one) & history.ancestors(two)
    best = {each for each in common if not any(each in history.ancestors(other) for other in common - {each})}
    found = history.merge_base(b"%d" % one, b"%d" % two)
    assert (int(found) in best) if found is not None else not best
