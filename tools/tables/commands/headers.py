"""Which header sets a command reads: those of a folder, and single ones given by version."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from hipify_py.core.cache_files import cache_dir
from hipify_py.core.targeting import version
from hipify_py.report.text import emit

if TYPE_CHECKING:
    from tools.tables.surface import Surface

Command = TypeVar("Command", bound=Callable[..., Any])


def default_folder() -> Path:
    """Where `tools.tables fetch` puts the header sets."""
    return Path(cache_dir()) / "headers"


def folder_option(command: Command) -> Command:
    """`--headers DIR`."""
    return click.option(
        "--headers",
        type=click.Path(file_okay=False, path_type=Path),
        metavar="DIR",
        help="The folder that `tools.tables fetch` filled, instead of the one in the cache.",
    )(command)


def known_sets(folder: Path | None) -> list[Surface]:
    """The sets of a folder that `tools.tables fetch` filled.

    Raises:
        click.UsageError: when there are none, or one cannot be read.
    """
    from hipify_py.headers.fetch import is_complete
    from hipify_py.headers.sets import header_sets

    folder = folder or default_folder()
    complete = [header_set for header_set in header_sets() if is_complete(header_set, folder / header_set.name)]
    if not complete:
        raise click.UsageError(f"there are no header sets in {folder}; `python -m tools.tables fetch` brings them")
    return [read(folder / header_set.name, header_set.side, header_set.version) for header_set in complete]


def given_set(side: str, text: str) -> Surface:
    """A set given on the command line as `X.Y=DIR`.

    Raises:
        click.UsageError: when it is not of this form, or cannot be read.
    """
    number, equals, place = text.partition("=")
    try:
        version(number)
    except ValueError:
        equals = ""
    if not equals:
        raise click.UsageError(f"--{side} {text}: a header set is given as X.Y=DIR")
    return read(Path(place), side, number)


def read(folder: Path, side: str, number: str) -> Surface:
    """Read one set; reading it anew takes up to a minute, so it is said.

    Raises:
        click.UsageError: when it cannot be read.
    """
    from tools.tables.surface import load_surface
    from tools.tables.symbols import SurfaceError

    if sys.stderr.isatty():
        emit(sys.stderr, [f"reading {side} {number}"])
    try:
        return load_surface(folder, side, number)
    except SurfaceError as error:
        raise click.UsageError(str(error)) from error
    except ImportError as error:
        raise click.UsageError(f"{error.name} is missing: pip install hipify-py") from error
