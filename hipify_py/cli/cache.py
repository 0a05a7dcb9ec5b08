"""`hipify-py cache`: the cached results of earlier runs."""

from __future__ import annotations

import sys

import click

from hipify_py.clang import precompiled
from hipify_py.cli.exit_codes import DONE, FAILURE
from hipify_py.cli.help_command import CACHE, DOES, Helped, HelpedGroup
from hipify_py.core.cache_files import cache_dir
from hipify_py.core.terminal_escape import visible
from hipify_py.project.errors import reason
from hipify_py.project.results_cache import store
from hipify_py.report.text import emit, plural


@click.group(
    "cache",
    cls=HelpedGroup,
    invoke_without_command=True,
    examples=[("hipify-py cache", "Show the cache."), ("hipify-py cache clear", "Remove the cache.")],
    variables=CACHE,
)
@click.pass_context
def command(context: click.Context) -> int:
    """Show where the results of earlier runs are cached, and how large the cache is."""
    if context.invoked_subcommand is None:
        count, size = store.size()
        room = f"{size / 1e6:.1f} MB of {store.LARGEST / 1e6:.0f}"
        emit(sys.stdout, [store.database_path(), f"{plural(count, 'value')}, {room}"])
        count, size = precompiled.size()
        if count:
            room = f"{size / 1e6:.1f} MB of {precompiled.LARGEST / 1e6:.0f}"
            emit(sys.stdout, [precompiled.folder(), f"{plural(count, 'file')}, {room}"])
    return DONE


@command.command(
    "clear",
    cls=Helped,
    examples=[("hipify-py cache clear", "Remove the cached results; the next run takes longer.")],
    statuses={**DOES, FAILURE: "the folder could not be removed"},
    variables=CACHE,
)
def clear() -> int:
    """Remove the results of earlier runs."""
    try:
        values, headers = store.clear(), precompiled.clear()
    except OSError as error:
        click.echo(f"Error: {visible(cache_dir())}: {reason(error)}", err=True)
        return FAILURE
    emit(sys.stdout, [f"{plural(values, 'value')} and {plural(headers, 'precompiled header')} removed"])
    return DONE
