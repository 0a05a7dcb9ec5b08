from hipify_py.core.ranges import Ranges


def test_a_range_holds_its_start_and_not_its_end() -> None:
    ranges = Ranges([(2, 4)])
    assert [offset for offset in range(6) if offset in ranges] == [2, 3]


def test_ranges_may_lie_within_each_other_and_come_in_any_order() -> None:
    ranges = Ranges([(20, 22), (1, 10), (2, 3)])
    assert [offset for offset in range(24) if offset in ranges] == [*range(1, 10), 20, 21]


def test_an_outer_range_goes_on_behind_its_inner_one() -> None:
    assert 9 in Ranges([(0, 10), (0, 2), (4, 5)])


def test_nothing_lies_in_no_ranges() -> None:
    assert 0 not in Ranges([])
