"""A history as runs, charts and blocks."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from hipify_py.core.translation import Counts
from hipify_py.report.history import Record
from hipify_py.report.trend import HEIGHT, WIDTH, charts_of, runs_of, sparkline


def history(*left: int, total: int = 1000) -> list[Record]:
    """A run a day, each with so many references left of all."""
    return [
        Record(
            f"2026-01-{day:02}T10:20:30Z",
            "0123456789abcdef",
            3,
            Counts(converted=total - count, unknown=count),
            {"note": 1, "warning": 2, "error": count},
            {"low": count, "medium": 0, "high": 7},
            0,
            0,
        )
        for day, count in enumerate(left, 1)
    ]


def test_runs_tell_how_they_differ_from_the_one_before() -> None:
    first, second = runs_of(history(300, 250))
    assert (first.date, first.commit, first.coverage, first.change) == ("2026-01-01 10:20", "0123456789", "70.0 %", "")
    assert (second.coverage, second.change) == ("75.0 %", "+5.0")
    assert second.findings == {"error": 250, "warning": 2, "note": 1}
    assert list(second.effort) == ["high", "medium", "low"]


def test_a_run_after_one_without_cuda() -> None:
    empty, full = runs_of([*history(0, total=0), *history(5)])
    assert (empty.coverage, empty.change, full.change) == ("100.0 %", "", "new")


@pytest.mark.parametrize(
    ("left", "ticks"),
    [
        ((300, 40), ["70", "80", "90", "100"]),
        ((0, 0), ["99", "100"]),
        ((1, 3), ["99", "100"]),
        ((1000, 0), ["0", "50", "100"]),
        ((35,), ["96", "97", "98", "99", "100"]),
    ],
)
def test_the_axis_of_the_coverage_has_round_figures(left: Sequence[int], ticks: list[str]) -> None:
    chart = charts_of(history(*left))[0]
    assert [label for _, label in chart.ticks] == ticks


@pytest.mark.parametrize(
    ("left", "ticks"),
    [
        ((0, 2), ["0", "1", "2"]),
        ((5, 9), ["0", "5", "10"]),
        ((2300,), ["0", "1,000", "2,000", "3,000"]),
        ((1_234_567,), ["0", "500,000", "1,000,000", "1,500,000"]),
    ],
)
def test_the_axis_of_the_findings_begins_at_0(left: Sequence[int], ticks: list[str]) -> None:
    chart = charts_of(history(*left, total=2_000_000))[1]
    assert [label for _, label in chart.ticks] == ticks


@pytest.mark.parametrize("left", [(), (1,), (300, 100, 0), tuple(range(200))])
def test_all_is_drawn_within_the_chart_and_in_order(left: tuple[int, ...]) -> None:
    for chart in charts_of(history(*left)):
        for curve in chart.curves:
            assert len(curve.points) == len(left)
            assert [point.x for point in curve.points] == sorted({point.x for point in curve.points})
            assert all(0 < point.x < WIDTH and 0 < point.y < HEIGHT for point in curve.points)


def test_better_is_higher_for_coverage_and_lower_for_findings() -> None:
    coverage, found, _ = charts_of(history(300, 100))
    first, second = coverage.curves[0].points
    assert first.y > second.y
    first, second = found.curves[0].points
    assert first.y < second.y
    assert first.says == "2026-01-01 10:20: error 300"


def test_a_date_is_said_once() -> None:
    same_day = history(3) * 9
    assert [label for _, label in charts_of(same_day)[0].dates] == ["2026-01-01"]
    assert [label for _, label in charts_of(history(*range(9)))[0].dates] == ["2026-01-01", "2026-01-05", "2026-01-09"]


@pytest.mark.parametrize(
    ("values", "blocks"),
    [([], ""), ([5, 5], "▁▁"), ([0, 7], "▁█"), ([1, 2, 3, 4, 5, 6, 7, 8], "▁▂▃▄▅▆▇█"), ([9, 1, 9.0], "█▁█")],
)
def test_blocks(values: list[float], blocks: str) -> None:
    assert sparkline(values) == blocks
