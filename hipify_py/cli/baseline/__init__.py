"""`hipify-py baseline`: the findings that a project knows of."""

from __future__ import annotations

import click

from hipify_py.cli.help_command import CACHE, IN_CI, KEEPS
from hipify_py.cli.lazy import LazyGroup

COMMANDS = {
    "create": "Write a new baseline of all findings.",
    "update": "Take up new findings, and take out those that are gone.",
    "prune": "Take out the findings that are gone, and take up none.",
}
"""The subcommands, each in the module of its name, with the line that `--help` shows."""


@click.group(
    "baseline",
    cls=LazyGroup,
    home="hipify_py.cli.baseline",
    subcommands=COMMANDS,
    examples=[
        ("hipify-py baseline create src/ --baseline hipify-baseline.jsonl", "Take all findings for known."),
        ("hipify-py check src/ --baseline hipify-baseline.jsonl", "Fail for new ones only."),
    ],
    statuses=KEEPS,
    variables={**CACHE, **IN_CI},
)
def command() -> None:
    """Keep the findings that are known in a file, so that `check --baseline FILE` fails for new ones only."""
