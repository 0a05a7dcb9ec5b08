"""Charts of a port's progress, which the formats for people draw from a history."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

from hipify_py.core.findings import EFFORTS, SEVERITIES
from hipify_py.core.translation import Counts
from hipify_py.report.figures import percent, points
from hipify_py.report.history import Record

WIDTH, HEIGHT = 460, 200
"""Of a chart."""

_LEFT, _RIGHT, _TOP, _BOTTOM = 52, 14, 12, 28
_TICKS = 4
_DATES = 3
_LEVELS = "▁▂▃▄▅▆▇█"


class Run(NamedTuple):
    """One run of a history, as a row of a table.

    Attributes:
        date: the day and the minute.
        commit: the beginning of the commit's digest; empty where none is known.
        files: how many files were looked at.
        references: how many references there are.
        coverage: in percent.
        change: against the run before, in points; empty for the first.
        findings: by severity, the worst first.
        effort: findings by effort, the highest first.
    """

    date: str
    commit: str
    files: int
    references: int
    coverage: str
    change: str
    findings: dict[str, int]
    effort: dict[str, int]


class Point(NamedTuple):
    """One run's point in a chart, and its label."""

    x: float
    y: float
    says: str


class Curve(NamedTuple):
    """One line of a chart."""

    name: str
    points: list[Point]

    @property
    def path(self) -> str:
        """The points as those of a polyline."""
        return " ".join(f"{point.x},{point.y}" for point in self.points)


class Chart(NamedTuple):
    """A figure over the runs, in `WIDTH` by `HEIGHT` units.

    Attributes:
        title: what is drawn, with its unit.
        curves: its lines.
        ticks: heights with their labels.
        dates: places along the runs, each with its label.
    """

    title: str
    curves: list[Curve]
    ticks: list[tuple[float, str]]
    dates: list[tuple[float, str]]


def runs_of(history: Sequence[Record]) -> list[Run]:
    """The runs of a history, in its order."""
    before = [Counts(), *(record.references for record in history)]
    return [
        Run(
            _minute(record.date),
            record.commit[:10],
            record.files,
            record.references.total,
            percent(record.references),
            points(earlier, record.references) if index else "",
            {severity: record.findings[severity] for severity in reversed(SEVERITIES)},
            {effort: record.effort[effort] for effort in reversed(EFFORTS)},
        )
        for index, (earlier, record) in enumerate(zip(before, history, strict=False))
    ]


def charts_of(history: Sequence[Record]) -> list[Chart]:
    """The coverage over the runs, the findings by severity, and those by effort."""
    coverage = [record.references.coverage * 100 for record in history]
    return [
        _chart("Coverage in percent", history, {"coverage": coverage}, _ticks_below_100(coverage)),
        *(
            _chart(title, history, lines, _ticks_from_0(max(map(max, lines.values()), default=0)))
            for title, lines in (("Findings", _by(history, "findings")), ("Effort left", _by(history, "effort")))
            if history
        ),
    ]


def sparkline(values: Iterable[float]) -> str:
    """Figures as a row of blocks, from the least to the greatest of them."""
    figures = [*values]
    least, most = min(figures, default=0), max(figures, default=0)
    span = most - least
    steps = len(_LEVELS) - 1
    return "".join(_LEVELS[round((value - least) / span * steps) if span else 0] for value in figures)


def _by(history: Sequence[Record], what: str) -> dict[str, list[float]]:
    names = {"findings": SEVERITIES, "effort": EFFORTS}[what]
    return {name: [getattr(record, what)[name] for record in history] for name in reversed(names)}


def _chart(title: str, history: Sequence[Record], lines: dict[str, list[float]], ticks: Sequence[float]) -> Chart:
    low, high = ticks[0], ticks[-1]
    width, height = WIDTH - _LEFT - _RIGHT, HEIGHT - _TOP - _BOTTOM
    step = width / max(len(history) - 1, 1)

    def across(index: int) -> float:
        return round(_LEFT + index * step, 1)

    def up(value: float) -> float:
        return round(_TOP + height * (1 - (value - low) / (high - low)), 1)

    curves = [
        Curve(
            name,
            [
                Point(across(index), up(value), f"{_minute(record.date)}: {name} {_figure(value)}")
                for index, (record, value) in enumerate(zip(history, values, strict=True))
            ],
        )
        for name, values in lines.items()
    ]
    chosen = sorted({round(part * (len(history) - 1) / (_DATES - 1)) for part in range(_DATES)}) if history else []
    days = [(index, history[index].date[:10]) for index in chosen]
    fresh = [days[:1], *([pair[1]] for pair in pairwise(days) if pair[0][1] != pair[1][1])]
    return Chart(
        title,
        curves,
        [(up(tick), _figure(tick)) for tick in ticks],
        [(across(index), day) for group in fresh for index, day in group],
    )


def _ticks_below_100(values: Sequence[float]) -> list[float]:
    least = min(values, default=0)
    step = _nice((100 - least) / _TICKS)
    low = min(math.floor(least / step) * step, 100 - step)
    return [low + step * index for index in range(round((100 - low) / step))] + [100]


def _ticks_from_0(most: float) -> list[float]:
    step = _nice(most / _TICKS)
    return [step * index for index in range(max(math.ceil(most / step), 1) + 1)]


def _nice(size: float) -> float:
    """The least of 1, 2, 5, 10, 20, ... that is not below a size."""
    power = 10.0 ** math.floor(math.log10(size)) if size > 1 else 1.0
    return next(power * factor for factor in (1, 2, 5, 10) if power * factor >= size)


def _figure(value: float) -> str:
    return f"{value:,.0f}" if value == round(value) else f"{value:,.1f}"


def _minute(date: str) -> str:
    return date[:16].replace("T", " ")
