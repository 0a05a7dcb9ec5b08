"""`hipify-py baseline create`: the findings of today."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import click

from hipify_py.cli.baseline.running import growing, of_baseline, run
from hipify_py.cli.by_configuration import CommandOfPaths, Part
from hipify_py.cli.help_command import CACHE, IN_CI, KEEPS, ROCM
from hipify_py.report.baseline.file import BaselineError, Entry


@click.command(
    "create",
    cls=CommandOfPaths,
    examples=[("hipify-py baseline create src/ --baseline hipify-baseline.jsonl", "Record all findings as known.")],
    statuses=KEEPS,
    variables={**CACHE, **ROCM, **IN_CI},
)
@of_baseline
@growing
def command(*, parts: Sequence[Part], **how: Any) -> int:
    """Write a new baseline of all findings in PATH...

    An existing file is not changed; use update to add new findings.
    """
    return run(parts, _nothing, lambda held: held.matched.fresh, **how)


def _nothing(path: str, settings: Sequence[str]) -> frozenset[Entry]:
    if os.path.lexists(path):
        raise BaselineError(f"{path} already exists; hipify-py baseline update adds new findings")
    return frozenset()
