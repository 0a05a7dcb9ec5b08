"""Edits, composites and the source map."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hipify_py.core.edits import (
    CompositeEdit,
    Edit,
    Move,
    OverlappingEdits,
    SourceMap,
    apply,
    ordered,
    replaced,
    resolve,
)
from tests.growth import assert_linear


@st.composite
def edited(draw: st.DrawFn) -> tuple[bytes, list[Edit]]:
    """A text and edits of it that do not overlap, insertions among them."""
    data = draw(st.binary(min_size=0, max_size=60))
    cuts = sorted(draw(st.lists(st.integers(0, len(data)), max_size=12)))
    edits = []
    for start, end in zip(cuts[::2], cuts[1::2], strict=False):
        edits.append(Edit(start, end, draw(st.binary(max_size=6))))
    return data, edits


def test_apply_replaces_inserts_and_deletes() -> None:
    assert apply(b"abcdef", [Edit(4, 5, b""), Edit(0, 1, b"XY"), Edit(2, 2, b"-")]) == b"XYb-cdf"


def test_apply_without_edits_is_the_input() -> None:
    assert apply(b"abc\r\n\xff", []) == b"abc\r\n\xff"


def test_insertions_at_one_place_keep_their_order() -> None:
    assert apply(b"ab", [Edit(1, 1, b"1"), Edit(1, 1, b"2"), Edit(1, 1, b"3")]) == b"a123b"


def test_an_insertion_stands_before_the_replacement_at_its_place() -> None:
    assert apply(b"abc", [Edit(1, 2, b"B"), Edit(1, 1, b"+")]) == b"a+Bc"


def test_ordered_sorts_by_place() -> None:
    edits = [Edit(5, 6, b"z"), Edit(1, 2, b"x"), Edit(3, 3, b"y")]
    assert ordered(edits) == [edits[1], edits[2], edits[0]]


@pytest.mark.parametrize(
    "edits",
    [
        [Edit(0, 3, b"x"), Edit(2, 4, b"y")],
        [Edit(0, 3, b"x"), Edit(0, 3, b"x")],
        [Edit(0, 4, b"x"), Edit(1, 2, b"y")],
        [Edit(0, 3, b"x"), Edit(1, 1, b"y")],
    ],
)
def test_overlaps_raise(edits: list[Edit]) -> None:
    with pytest.raises(OverlappingEdits):
        apply(b"abcdef", edits)


def test_edits_that_touch_do_not_overlap() -> None:
    assert apply(b"abcd", [Edit(0, 2, b"X"), Edit(2, 4, b"Y")]) == b"XY"


@given(edited())
def test_bytes_outside_of_edits_stay(case: tuple[bytes, list[Edit]]) -> None:
    data, edits = case
    output = apply(data, edits)
    expected, done = b"", 0
    for start, end, text in ordered(edits):
        expected += data[done:start] + text
        done = end
    assert output == expected + data[done:]


# -- composites


CALL = b"f(aa, b, ccc)"
AA, B, CCC = (2, 4), (6, 7), (9, 12)


def _after(moves: tuple[Move, ...], edits: list[Edit] | None = None) -> bytes:
    return apply(CALL, resolve(CALL, edits or [], [CompositeEdit(moves)]))


def test_a_reshape_reorders() -> None:
    assert _after((Move(*AA, (CCC,)), Move(*CCC, (AA,)))) == b"f(ccc, b, aa)"


def test_a_reshape_drops() -> None:
    assert _after((Move(AA[1], B[1], ()),)) == b"f(aa, ccc)"


def test_a_reshape_copies_with_text_around() -> None:
    assert _after((Move(*B, (b"g(", AA, b")")),)) == b"f(aa, g(aa), ccc)"


def test_a_reshape_inserts() -> None:
    assert _after((Move(12, 12, (b", ", AA)),)) == b"f(aa, b, ccc, aa)"


def test_moved_pieces_take_their_edits_along() -> None:
    moves = (Move(*AA, (CCC,)), Move(*CCC, (AA,)))
    assert _after(moves, [Edit(2, 3, b"XYZ"), Edit(10, 11, b"")]) == b"f(cc, b, XYZa)"


def test_a_copied_piece_is_edited_in_both_places() -> None:
    assert _after((Move(*B, (AA,)),), [Edit(2, 3, b"X")]) == b"f(Xa, Xa, ccc)"


def test_an_insertion_between_moved_pieces_stays() -> None:
    assert _after((Move(*AA, (CCC,)), Move(*CCC, (AA,))), [Edit(8, 8, b"/**/")]) == b"f(ccc, b,/**/ aa)"


def test_inner_reshapes_are_done_before_outer_ones() -> None:
    data = b"f(a, g(b, c))"
    outer = CompositeEdit((Move(2, 3, ((5, 12),)), Move(5, 12, ((2, 3),))))
    inner = CompositeEdit((Move(7, 8, ((10, 11),)), Move(10, 11, ((7, 8),))))
    assert apply(data, resolve(data, [], [outer, inner])) == b"f(g(c, b), a)"
    assert apply(data, resolve(data, [], [inner, outer])) == b"f(g(c, b), a)"


def test_a_dropped_argument_takes_its_inner_edits_with_it() -> None:
    assert _after((Move(AA[1], B[1], ()),), [Edit(6, 7, b"hip")]) == b"f(aa, ccc)"


def test_a_replaced_range_keeps_the_edits_of_its_pieces_alone() -> None:
    edits = [Edit(2, 3, b"x"), Edit(6, 7, b"y")]
    assert apply(b"f(a, b)", resolve(b"f(a, b)", [edits[0]], [replaced(2, 6, b"0")])) == b"f(0)"
    assert apply(b"f(a, b)", resolve(b"f(a, b)", edits, [replaced(2, 6, (2, 3), b"!")])) == b"f(x!y"


@pytest.mark.parametrize(
    ("move", "edits", "expected"),
    [
        (Move(2, 6, ()), [Edit(6, 6, b"g("), Edit(7, 7, b")")], b"f(g(b), ccc)"),
        (Move(2, 6, ()), [Edit(2, 2, b"g("), Edit(4, 4, b")")], b"f(b, ccc)"),
        (Move(4, 7, ()), [Edit(2, 2, b"g("), Edit(4, 4, b")")], b"f(g(aa), ccc)"),
        (Move(4, 7, ()), [Edit(6, 6, b"g("), Edit(7, 7, b")")], b"f(aa, ccc)"),
        (Move(4, 12, ()), [Edit(12, 12, b", 32")], b"f(aa)"),
        (Move(4, 7, ()), [Edit(4, 4, b", 32")], b"f(aa, 32, ccc)"),
        (Move(0, 4, (b"x",)), [Edit(0, 0, b"#include <x>\n")], b"#include <x>\nx, b, ccc)"),
        (Move(6, 7, (b"x",)), [Edit(6, 6, b"g("), Edit(7, 7, b")")], b"f(aa, x, ccc)"),
        (Move(6, 7, (b"x", (6, 7))), [Edit(6, 6, b"g("), Edit(7, 7, b")")], b"f(aa, xg(b), ccc)"),
    ],
)
def test_what_is_put_around_an_argument_comes_and_goes_with_it(move: Move, edits: list[Edit], expected: bytes) -> None:
    assert _after((move,), edits) == expected


# -- the source map


def test_the_map_without_edits_is_the_identity() -> None:
    source_map = SourceMap([])
    assert [source_map.to_input(n) for n in range(5)] == [source_map.to_output(n) for n in range(5)] == list(range(5))


def test_bytes_of_an_edits_text_belong_to_its_start() -> None:
    source_map = SourceMap([Edit(2, 4, b"12345")])
    assert [source_map.to_input(n) for n in range(10)] == [0, 1, 2, 2, 2, 2, 2, 4, 5, 6]
    assert [source_map.to_output(n) for n in range(7)] == [0, 1, 2, 2, 7, 8, 9]


def test_a_removed_range_maps_to_where_it_was() -> None:
    source_map = SourceMap([Edit(2, 4, b"")])
    assert source_map.to_output(2) == source_map.to_output(3) == source_map.to_output(4) == 2
    assert source_map.to_input(2) == 4


@given(edited())
def test_every_byte_outside_of_edits_maps_there_and_back(case: tuple[bytes, list[Edit]]) -> None:
    data, edits = case
    output, source_map = apply(data, edits), SourceMap(edits)
    for offset in range(len(data)):
        if not any(edit.start <= offset < edit.end for edit in edits):
            there = source_map.to_output(offset)
            assert output[there] == data[offset]
            assert source_map.to_input(there) == offset


@given(edited())
def test_every_output_byte_comes_from_the_input_or_an_edit(case: tuple[bytes, list[Edit]]) -> None:
    data, edits = case
    output, source_map = apply(data, edits), SourceMap(edits)
    for offset, byte in enumerate(output):
        origin = source_map.to_input(offset)
        assert 0 <= origin <= len(data)
        starts = [edit for edit in edits if edit.start == origin and byte in edit.text]
        assert starts or data[origin] == byte


@given(edited())
def test_the_map_never_runs_backwards(case: tuple[bytes, list[Edit]]) -> None:
    data, edits = case
    source_map = SourceMap(edits)
    there = [source_map.to_output(offset) for offset in range(len(data) + 1)]
    back = [source_map.to_input(offset) for offset in range(len(apply(data, edits)) + 1)]
    assert there == sorted(there)
    assert back == sorted(back)


def test_many_composites_in_linear_time() -> None:
    def build(count: int) -> tuple[bytes, list[Edit], list[CompositeEdit]]:
        places = range(0, 9 * count, 9)
        edits = [Edit(place + 2, place + 3, b"c") for place in places]
        composites = [
            CompositeEdit(
                (
                    Move(place + 2, place + 3, ((place + 5, place + 6),)),
                    Move(place + 5, place + 6, ((place + 2, place + 3),)),
                )
            )
            for place in places
        ]
        return b"f(a, b); " * count, edits, composites

    def work(case: tuple[bytes, list[Edit], list[CompositeEdit]]) -> None:
        data, edits, composites = case
        assert apply(data, resolve(data, edits, composites)) == b"f(b, c); " * len(composites)

    assert_linear(work, build, 1000)
