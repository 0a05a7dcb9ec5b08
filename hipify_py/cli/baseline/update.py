"""`hipify-py baseline update`: the findings of today in place of those of yesterday."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from hipify_py.cli.baseline.running import growing, of_baseline, run
from hipify_py.cli.by_configuration import CommandOfPaths, Part
from hipify_py.cli.help_command import CACHE, IN_CI, KEEPS, ROCM
from hipify_py.report.baseline.file import read_entries


@click.command(
    "update",
    cls=CommandOfPaths,
    examples=[("hipify-py baseline update src/ --baseline hipify-baseline.jsonl", "Take up what is new, too.")],
    statuses=KEEPS,
    variables={**CACHE, **ROCM, **IN_CI},
)
@of_baseline
@growing
def command(*, parts: Sequence[Part], **how: Any) -> int:
    """Take the new findings of PATH... up into a baseline, and take out those that are gone.

    What it knows of files that are there and were not looked at stays.
    """
    return run(parts, read_entries, lambda held: [*held.matched.kept, *held.matched.fresh], **how)
