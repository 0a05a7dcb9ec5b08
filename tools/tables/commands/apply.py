"""`python -m tools.tables apply`: lay a patch over the tables."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from hipify_py.catalog.places import mappings_dir
from hipify_py.cli.exit_codes import DONE
from hipify_py.cli.help_command import CACHE, DOES, Helped
from hipify_py.report.text import emit


@click.command(
    "apply",
    cls=Helped,
    examples=[("python -m tools.tables apply new.yaml", "Take a patch into the tables.")],
    statuses=DOES,
    variables=CACHE,
)
@click.argument("patch", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "--tables",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="The folder of tables, instead of the shipped ones.",
)
def command(patch: Path, tables: Path | None) -> int:
    """Lay PATCH (library, section, name, row), as `tools.tables diff` writes one, over the tables.

    A row that is null goes; fields of a row are laid over those that stand there, and those that are null go.
    """
    import yaml

    from tools.tables.patches import apply_patch

    try:
        document = yaml.safe_load(patch.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise click.UsageError(f"{patch}: {error}") from error
    if not isinstance(document, dict):
        raise click.UsageError(f"{patch}: a patch is a mapping of libraries")
    changed = apply_patch(tables or Path(mappings_dir()), document)
    emit(sys.stderr, (f"{path.name} changed" for path in changed))
    return DONE
