"""Notes what a conversion to a folder has written, so that the next one can write it again (see `write_again.py`)."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

from hipify_py import witness
from hipify_py.project.places import is_within
from hipify_py.project.results_cache.entries import edits_in
from hipify_py.project.work import COPY, TRANSLATE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hipify_py.project.discovery import Discovery
    from hipify_py.project.plan import Plan
    from hipify_py.project.results_cache.cache import ResultsCache

_LARGEST = 16 << 20
"""Bytes of a file that is read as a whole."""


def note_written(
    output: str,
    found: Sequence[Discovery],
    plans: Sequence[Plan],
    kept: Sequence[ResultsCache | None],
    headers: Mapping[str, frozenset[str]],
) -> None:
    """Tell the witness; a run whose output lies within its input, or the other way round, is left to be done anew."""
    from hipify_py.support_header.header import render

    real = os.path.realpath(output)
    roots = [root for discovery in found for root in discovery.roots]
    places = [os.path.realpath(root.path) for root in roots]
    outcomes = {path: outcome for cache in kept if cache is not None for path, outcome in cache.shelf.outcomes.items()}
    tasks = [task for plan in plans for task in plan.tasks if task.target is not None]
    is_plain = any(root.is_tree for root in roots) and os.path.isdir(output)
    if (
        not is_plain
        or any(is_within(place, real) or is_within(real, place) for place in places)
        or any(task.kind == TRANSLATE and task.path not in outcomes for task in tasks)
        or any(task.size > _LARGEST for task in tasks)
    ):
        witness.does_more()
        return
    files = [
        (
            task.target,
            task.path,
            edits_in(outcomes[task.path]) if task.kind == TRANSLATE else (),
            task.kind == COPY,
        )
        for task in tasks
    ]
    texts = [(place, render(sections)) for place, sections in headers.items()]
    witness.wrote((output, files, texts, [link for plan in plans for link in plan.links]))
