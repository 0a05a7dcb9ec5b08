"""`hipify-py mappings`: for those who keep the tables."""

from __future__ import annotations

import click

from hipify_py.cli.helped import CACHE, JUDGES
from hipify_py.cli.lazy import LazyGroup

COMMANDS = {
    "lint": "Check the form of tables: schema, order, doubled symbols, contradictions.",
    "fetch": "Fetch the header sets that the tables are verified against.",
    "verify": "Hold the tables against the headers of both sides.",
    "diff": "Say as a patch what a new CUDA or ROCm means for the tables.",
    "derive": "Say as a patch what the header sets tell of versions and numbers.",
    "apply": "Lay a patch over the tables.",
    "declarations": "Write what the headers declare under the names of the tables.",
    "to-cuda": "Compile what the headers for nvcc define, and write what does not compile.",
    "coverage": "Write the pages that say what the tables cover.",
}
"""The subcommands, each in the module of its name, with the line that `--help` shows."""


@click.group(
    "mappings",
    cls=LazyGroup,
    home="hipify_py.cli.mappings",
    subcommands=COMMANDS,
    examples=[
        ("hipify-py mappings lint tables/ours.yaml", "Check a table of your own."),
        ("hipify-py mappings verify cublas", "Hold a shipped table against the headers of both sides."),
    ],
    statuses=JUDGES,
    variables=CACHE,
)
def command() -> None:
    """Check, verify and update the mapping tables."""
