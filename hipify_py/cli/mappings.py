"""`hipify-py mappings`: for those who keep the tables."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from hipify_py.catalog.compiled import mappings_dir
from hipify_py.cli.exit_codes import DONE, FINDINGS
from hipify_py.report.text import emit


@click.group("mappings")
def command() -> None:
    """Check, verify and update the mapping tables."""


@command.command("lint")
@click.argument("files", nargs=-1, metavar="[FILE]...", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--fix", is_flag=True, help="Write tables that follow the schema in their canonical form.")
def lint(files: tuple[Path, ...], fix: bool) -> int:
    """Check the form of tables (the shipped ones by default): schema, order, doubled symbols, contradictions."""
    from hipify_py.upkeep.lint import lint as flaws_of

    paths = list(files) or shipped_tables()
    try:
        flaws = flaws_of(paths, fix=fix)
    except (OSError, UnicodeDecodeError) as error:
        raise click.ClickException(str(error)) from error
    emit(sys.stdout, map(str, flaws))
    return FINDINGS if flaws else DONE


@command.command("apply")
@click.argument("patch", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--tables", type=click.Path(exists=True, file_okay=False, path_type=Path), help="The folder of tables.")
def apply(patch: Path, tables: Path | None) -> int:
    """Lay a patch (library, section, name, row), as `mappings diff` writes one, over the tables."""
    import yaml

    from hipify_py.upkeep.writing import apply_patch

    try:
        document = yaml.safe_load(patch.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise click.ClickException(f"{patch}: {error}") from error
    changed = apply_patch(tables or Path(mappings_dir()), document)
    emit(sys.stderr, (f"{path.name} changed" for path in changed))
    return DONE


@command.command("coverage")
@click.option(
    "--out", type=click.Path(file_okay=False, path_type=Path), default=Path("docs/coverage"), show_default=True
)
@click.option("--check", is_flag=True, help="Write nothing; exit with 1 when pages are stale.")
def coverage(out: Path, check: bool) -> int:
    """Write the pages that say what the tables cover; HIPIFY's list of names is to lie in the same folder."""
    from hipify_py.upkeep.coverage import PEER, pages, stale

    wanted = pages(Path(mappings_dir()), out / PEER)
    names = stale(out, wanted)
    if check:
        emit(sys.stdout, (f"{out / name} is stale" for name in names))
        return FINDINGS if names else DONE
    for name in names:
        if name in wanted:
            (out / name).write_text(wanted[name], encoding="utf-8", newline="\n")
        else:
            (out / name).unlink()
    emit(sys.stderr, (f"{out / name} written" for name in names))
    return DONE


def shipped_tables() -> list[Path]:
    """The shipped tables, presets included."""
    folder = Path(mappings_dir())
    return sorted(folder.glob("*.yaml")) + sorted(folder.glob("presets/*.yaml"))
