"""The coverage as a badge: an SVG picture that needs nothing else."""

from __future__ import annotations

from collections.abc import Iterator

from hipify_py.report.figures import BADGE_LABEL, badge_text, grade
from hipify_py.report.formats import Format, Look
from hipify_py.report.run_report import RunReport

_NARROW, _WIDE = "1.,:;|!'ijl ", "%MWmw"
_MARGIN = 6


def _render(report: RunReport, look: Look) -> Iterator[str]:
    total = report.coverage.total
    message, (_, color) = badge_text(total), grade(total)
    left, right = _width(BADGE_LABEL), _width(message)
    width = left + right
    title = f"{BADGE_LABEL}: {message}"
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="20" viewBox="0 0 {width} 20" role="img"'
        f' aria-label="{title}">\n<title>{title}</title>\n'
        f'<clipPath id="round"><rect width="{width}" height="20" rx="3"/></clipPath>\n'
        f'<g clip-path="url(#round)"><rect width="{left}" height="20" fill="#555"/>'
        f'<rect x="{left}" width="{right}" height="20" fill="{color}"/></g>\n'
        '<g font-family="Verdana,DejaVu Sans,sans-serif" font-size="11" text-anchor="middle">\n'
    )
    yield _text(BADGE_LABEL, left / 2, left)
    yield _text(message, left + right / 2, right)
    yield "</g>\n</svg>\n"


def _text(text: str, middle: float, width: int) -> str:
    """White letters with a shadow, as wide as their half of the badge leaves, whatever font there is."""
    length = f'textLength="{width - 2 * _MARGIN}" lengthAdjust="spacingAndGlyphs"'
    shadow = f'<text x="{middle:g}" y="15" fill="#010101" fill-opacity=".4" aria-hidden="true" {length}>{text}</text>'
    return f'{shadow}\n<text x="{middle:g}" y="14" fill="#fff" {length}>{text}</text>\n'


def _width(text: str) -> int:
    """About what the text takes in Verdana at 11 pixels, with its margins."""
    return round(sum(4 if c in _NARROW else 11 if c in _WIDE else 7 for c in text)) + 2 * _MARGIN


FORMAT = Format("the coverage as a badge, in SVG", _render)
