"""`hipify-py baseline update`: replaces the entries with the current findings."""

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
    examples=[("hipify-py baseline update src/ --baseline hipify-baseline.jsonl", "Add new findings too.")],
    statuses=KEEPS,
    variables={**CACHE, **ROCM, **IN_CI},
)
@of_baseline
@growing
def command(*, parts: Sequence[Part], **how: Any) -> int:
    """Add the new findings of PATH... to a baseline, and remove those that are gone.

    Entries of existing files outside PATH... stay. The baseline is for the versions of this run afterwards.
    """
    return run(
        parts, lambda path, settings: read_entries(path), lambda held: [*held.matched.kept, *held.matched.fresh], **how
    )
