"""`hipify-py baseline prune`: removes findings that are gone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from hipify_py.cli.baseline.running import of_baseline, run
from hipify_py.cli.by_configuration import CommandOfPaths, Part
from hipify_py.cli.help_command import CACHE, KEEPS
from hipify_py.report.baseline.file import read_entries


@click.command(
    "prune",
    cls=CommandOfPaths,
    examples=[("hipify-py baseline prune src/ --baseline hipify-baseline.jsonl", "Remove fixed findings.")],
    statuses=KEEPS,
    variables=CACHE,
)
@of_baseline
def command(*, parts: Sequence[Part], **how: Any) -> int:
    """Remove findings that PATH... no longer has from a baseline; add none."""
    return run(parts, read_entries, lambda held: held.matched.kept, **how)
