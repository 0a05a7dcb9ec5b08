"""`hipify-py baseline prune`: without what is gone."""

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
    examples=[("hipify-py baseline prune src/ --baseline hipify-baseline.jsonl", "Take out what is mended.")],
    statuses=KEEPS,
    variables=CACHE,
)
@of_baseline
def command(*, parts: Sequence[Part], **how: Any) -> int:
    """Take the findings out of a baseline that PATH... no longer has. It never grows by this."""
    return run(parts, read_entries, lambda held: held.matched.kept, **how)
