"""`python -m tools.tables diff`: what a new CUDA or ROCm means for the tables."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from hipify_py.catalog.places import mappings_dir
from hipify_py.cli.exit_codes import DONE, FINDINGS
from hipify_py.cli.help_command import CACHE, JUDGES, Helped
from hipify_py.report.text import emit_document
from tools.tables.commands.headers import folder_option, known_sets, read


@click.command(
    "diff",
    cls=Helped,
    examples=[("python -m tools.tables diff --cuda 13.6=/usr/cuda/include > new.yaml", "What a new CUDA asks for.")],
    statuses=JUDGES,
    variables=CACHE,
)
@folder_option
@click.option("--cuda", multiple=True, metavar="[X.Y=]DIR", help="The include folder of a new CUDA.")
@click.option("--rocm", multiple=True, metavar="[X.Y=]DIR", help="The include folder of a new ROCm, or its bindings.")
def command(headers: Path | None, cuda: tuple[str, ...], rocm: tuple[str, ...]) -> int:
    """Say which rows to add, change or drop for a new CUDA or ROCm: a patch in YAML for `tools.tables apply`.

    The version is read from the headers where it is not given. Rows that take a decision carry TODO. The exit status
    is 1 when there is something to do.
    """
    from tools.tables.diff import diff
    from tools.tables.patches import patch_text
    from tools.tables.set_version import version_of

    if not cuda and not rocm:
        raise click.UsageError("give the new headers with --cuda DIR or --rocm DIR")
    new = []
    for side, texts in (("cuda", cuda), ("rocm", rocm)):
        for text in texts:
            number, equals, place = text.rpartition("=")
            folder = Path(place)
            number = number if equals else version_of(folder, side)
            if not number:
                raise click.UsageError(f"{folder} does not say its version: give it as X.Y={folder}")
            new.append(read(folder, side, number))
    patch = diff(Path(mappings_dir()), new, known_sets(headers))
    if patch:
        emit_document(sys.stdout, patch_text(patch))
    return FINDINGS if patch else DONE
