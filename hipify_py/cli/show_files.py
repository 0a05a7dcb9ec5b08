"""`--show-files`: which files a command would read."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from itertools import chain

import click

from hipify_py.cli.by_configuration import Part, is_standard_input
from hipify_py.cli.exit_codes import DONE, FAILURE
from hipify_py.project.discovery import Problem
from hipify_py.project.groups import discover_groups
from hipify_py.project.vendored import vendored_headers
from hipify_py.report.document import shown_path
from hipify_py.report.text import emit, emit_json, show_left_alone


def show_files(context: click.Context, parts: Sequence[Part], *, as_json: bool) -> int:
    """Print the sources of all parts, and return the exit status.

    Raises:
        PlanError: when the paths cannot be done together.
    """
    if is_standard_input():
        raise click.UsageError("--show-files works on files, not on standard input.")
    found = discover_groups([part.group for part in parts], output=context.params.get("output"))
    copies = {path: header for group in found for path, header in vendored_headers(group).items()}
    files = [
        entry.path for group in found for entry in (*group.sources, *group.build_files) if entry.path not in copies
    ]
    skipped = [*chain.from_iterable(group.skipped for group in found)]
    skipped += [Problem(path, f"copy of CUDA's {header}") for path, header in copies.items()]
    left_out = [*chain.from_iterable(group.left_out for group in found)]
    unusable = [*chain.from_iterable(group.problems for group in found)]
    if as_json:
        told = {"left_out": [*skipped, *left_out], "unusable": unusable}
        lists = {name: [_document(problem) for problem in problems] for name, problems in told.items()}
        emit_json(sys.stdout, {"files": [shown_path(path) for path in files], **lists})
    else:
        emit(sys.stdout, files)
    emit(sys.stderr, (f"{path}: {why}" for path, why in unusable))
    if not context.params.get("quiet"):
        show_left_alone(skipped, left_out, sys.stderr, verbose=bool(context.params.get("verbose")))
    return FAILURE if unusable else DONE


def _document(problem: Problem) -> dict[str, str]:
    return {"path": shown_path(problem.path), "reason": shown_path(problem.message)}
