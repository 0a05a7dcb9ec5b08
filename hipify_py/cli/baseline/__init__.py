"""`hipify-py baseline`: the findings that a project knows of."""

from __future__ import annotations

import click

from hipify_py.cli.help_command import CACHE, IN_CI, KEEPS
from hipify_py.cli.lazy import LazyGroup

COMMANDS = {
    "create": "Write a new baseline of all findings.",
    "update": "Add new findings, and remove those that are gone.",
    "prune": "Remove the findings that are gone, and add none.",
}
"""The subcommands, each in the module of its name, with the line that `--help` shows."""


@click.group(
    "baseline",
    cls=LazyGroup,
    home="hipify_py.cli.baseline",
    subcommands=COMMANDS,
    examples=[
        ("hipify-py baseline create src/ --baseline hipify-baseline.jsonl", "Record all findings as known."),
        ("hipify-py check src/ --baseline hipify-baseline.jsonl", "Fail only on new findings."),
    ],
    statuses=KEEPS,
    variables={**CACHE, **IN_CI},
)
def command() -> None:
    """Record known findings in a file so that `check --baseline FILE` fails only on new ones."""
