"""The garbage collector runs less often during a translation, and as before afterwards."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from pathlib import Path

import pytest

from hipify_py import translate
from hipify_py.garbage import fewer_collections
from hipify_py.source import UnreadableSource

CORPUS = Path(__file__).parent.parent / "corpus"


@pytest.fixture(autouse=True)
def own_threshold() -> Iterator[None]:
    before = gc.get_threshold()
    gc.set_threshold(650, 9, 8)
    yield
    gc.set_threshold(*before)


def test_it_is_as_before_afterwards() -> None:
    with fewer_collections():
        assert gc.get_threshold()[0] > 650
        with fewer_collections():
            assert gc.get_threshold()[0] > 650
        assert gc.get_threshold()[0] > 650
    assert gc.get_threshold() == (650, 9, 8)


def test_it_is_as_before_after_an_error() -> None:
    with pytest.raises(KeyError), fewer_collections():
        raise KeyError
    assert gc.get_threshold() == (650, 9, 8)
    with pytest.raises(UnreadableSource):
        translate(b"\0\0\0\0")
    assert gc.get_threshold() == (650, 9, 8)


@pytest.mark.parametrize("own", [(0, 10, 10), (10**7, 10, 10)], ids=["off", "seldom"])
def test_a_program_that_wants_it_off_or_seldom_is_left_alone(own: tuple[int, int, int]) -> None:
    gc.set_threshold(*own)
    with fewer_collections():
        assert gc.get_threshold() == own
    assert gc.get_threshold() == own


def test_a_translation_leaves_no_tree_to_the_collector() -> None:
    sources = sorted(CORPUS.rglob("*.cu"))
    for path in sources:  # imports and caches what it needs
        translate(path.read_bytes(), path=str(path))
    gc.collect()
    gc.disable()
    try:
        for path in sources:
            translate(path.read_bytes(), path=str(path))
            gc.set_debug(gc.DEBUG_SAVEALL)
            gc.collect()
            gc.set_debug(0)
            left = {type(found).__name__ for found in gc.garbage}
            gc.garbage.clear()
            assert not left & {"Unit", "Node", "Names", "SyntaxTree"}, path
    finally:
        gc.set_debug(0)
        gc.enable()
