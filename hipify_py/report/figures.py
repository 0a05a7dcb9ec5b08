"""Coverage in percent, and how good that is."""

from __future__ import annotations

from hipify_py.core.translation import Counts

NOTHING = "no CUDA"
"""What replaces a percentage if there are no references."""

BADGE_LABEL = "HIP coverage"

_GRADES = (
    (1000, "brightgreen", "#4c1"),
    (950, "green", "#97ca00"),
    (850, "yellowgreen", "#a4a61d"),
    (700, "yellow", "#dfb317"),
    (500, "orange", "#fe7d37"),
    (0, "red", "#e05d44"),
)


def counted(count: int, noun: str) -> str:
    """`1 file`, `106,286 files`."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def tenths(counts: Counts) -> int:
    """The coverage in tenths of a percent, rounded down, so that 1000 means all of them; 1000 where there are none."""
    left = counts.unsupported + counts.unknown
    return (counts.total - left) * 1000 // counts.total if counts.total else 1000


def percent(counts: Counts) -> str:
    """The coverage for people: `93.7 %`, rounded down."""
    whole, rest = divmod(tenths(counts), 10)
    return f"{whole}.{rest} %"


def badge_text(counts: Counts) -> str:
    """The coverage for a badge: `93.7%`, `100%`, or that there is nothing to cover."""
    if not counts.total:
        return NOTHING
    whole, rest = divmod(tenths(counts), 10)
    return f"{whole}.{rest}%" if rest else f"{whole}%"


def grade(counts: Counts) -> tuple[str, str]:
    """The colour of a coverage: the name that badges have for it, and its code."""
    if not counts.total:
        return "lightgrey", "#9f9f9f"
    reached = tenths(counts)
    return next((name, code) for least, name, code in _GRADES if reached >= least)


def points(before: Counts, after: Counts) -> str:
    """By how many points of a percent a coverage has grown, as `+1.5`; `new` or `gone` where that cannot be said."""
    if not (before.total and after.total):
        return "new" if after.total else "gone" if before.total else ""
    grown = (after.coverage - before.coverage) * 100
    return f"{grown:+.1f}" if abs(grown) >= 0.05 else "±0.0"


def before_and_after(before: Counts, after: Counts) -> tuple[str, str, str, str, str]:
    """What is left and the coverage, before and after, and how that has grown; empty where there is nothing."""
    left = [f"{counts.unsupported + counts.unknown:,}" if counts.total else "" for counts in (before, after)]
    reached = [percent(counts) if counts.total else "" for counts in (before, after)]
    return left[0], left[1], reached[0], reached[1], points(before, after)


CHANGE_HEADS = ("left before", "left", "before", "after", "change")
"""What `before_and_after` says."""
