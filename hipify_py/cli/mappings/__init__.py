"""`hipify-py mappings`: checks users' own tables."""

from __future__ import annotations

import click

from hipify_py.cli.help_command import CACHE, JUDGES
from hipify_py.cli.lazy import LazyGroup

COMMANDS = {"lint": "Check tables: schema, order, duplicate symbols, contradictions."}
"""The subcommands, each in the module of its name, with the line that `--help` shows."""


@click.group(
    "mappings",
    cls=LazyGroup,
    home="hipify_py.cli.mappings",
    subcommands=COMMANDS,
    examples=[("hipify-py mappings lint tables/ours.yaml", "Check your own table.")],
    statuses=JUDGES,
    variables=CACHE,
)
def command() -> None:
    """Check mapping tables."""
