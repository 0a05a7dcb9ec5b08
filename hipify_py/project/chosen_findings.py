"""The findings of a run that the user has selected, those about files as a whole included."""

from __future__ import annotations

from collections.abc import Iterable

from hipify_py.catalog import load_catalog
from hipify_py.core.finding_selection import chosen
from hipify_py.core.options import Options
from hipify_py.project.result import FAILED, FileResult


def with_chosen(results: Iterable[FileResult], options: Options) -> list[FileResult]:
    """The results with the selected findings; why a file could not be done is told in any case."""
    if not (options.unselected or options.severities):
        return [*results]
    catalog = load_catalog(options.targeting)
    return [
        result
        if result.status == FAILED
        else result._replace(
            findings=tuple(chosen(result.findings, options, catalog)),
            suppressed=tuple(chosen(result.suppressed, options, catalog)),
        )
        for result in results
    ]
