"""`python -m tools.tables fetch`: the header sets."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import click

from hipify_py.cli.exit_codes import DONE, FAILURE
from hipify_py.cli.help_command import CACHE, DOES, Helped
from hipify_py.report.text import emit
from tools.tables.commands.headers import default_folder, folder_option


@click.command(
    "fetch",
    cls=Helped,
    examples=[("python -m tools.tables fetch", "Fetch what the tables are verified against.")],
    statuses={**DOES, FAILURE: "a set could not be fetched"},
    variables=CACHE,
)
@click.argument("names", nargs=-1, metavar="[SET]...")
@click.option("--all", "all_", is_flag=True, help="Also those of minor versions, which only `derive` needs.")
@folder_option
def command(names: tuple[str, ...], all_: bool, headers: Path | None) -> int:
    """Fetch the header sets that the tables are verified against, from wheels on the package index.

    Of each wheel only the headers are read, and checked by their checksum where that is known: the headers are compared
    with the tables, and nothing of them is run. Sets that are there already are left alone.
    """
    from hipify_py.headers.fetch import FetchError, fetch
    from hipify_py.headers.index import index_of
    from hipify_py.headers.sets import SetError, header_sets

    folder = headers or default_folder()
    try:
        wanted = header_sets(names)
    except SetError as error:
        raise click.UsageError(str(error)) from error
    try:
        for header_set in wanted:
            if header_set.minor and not (names or all_):
                continue
            for step in fetch(header_set, folder / header_set.name, index_of(os.environ), unpinned=True):
                unchecked = "" if step.pinned else " (taken unverified: no checksum is known of it)"
                emit(sys.stderr, [f"{header_set.name}: {step.project} {step.version}{unchecked}"])
    except ImportError as error:
        raise click.UsageError(f"{error.name} is missing: pip install hipify-py") from error
    except (FetchError, OSError) as error:
        emit(sys.stderr, [f"Error: {error}"])
        return FAILURE
    return DONE
