"""`hipify-py mcp`: serves hipify-py to coding agents over standard input and output."""

from __future__ import annotations

import os

import click

from hipify_py.agent_server.roots import Refused, Roots
from hipify_py.cli.exit_codes import DONE
from hipify_py.cli.help_command import PARTS, WRONG, Helped

_MISSING = (
    "the server needs the Python SDK of the Model Context Protocol: pip install 'hipify-py[mcp]' "
    "(or pip install '.[mcp]' in a checkout)"
)


@click.command(
    "mcp",
    cls=Helped,
    examples=[
        ("hipify-py mcp", "Serve the current folder."),
        ("hipify-py mcp --root src --root port", "Serve two folders, and nothing else."),
    ],
    statuses={DONE: "the client has closed the connection", **WRONG},
    variables=PARTS,
)
@click.option(
    "--root",
    multiple=True,
    type=click.Path(),
    metavar="DIR",
    show_default="the current folder",
    help="A folder that may be read and written; may be repeated.",
)
@click.option("--allow-write-in-place", is_flag=True, help="Let convert replace sources that git can restore.")
def command(root: tuple[str, ...], allow_write_in_place: bool) -> int:
    """Serve hipify-py to a coding agent, by the Model Context Protocol on standard input and output.

    The tools are check, convert, verify, next, query and explain. They read and write only inside the folders given
    with --root. convert writes to new folders only, unless --allow-write-in-place is given.
    """
    try:
        roots = Roots(root or (os.curdir,))
    except Refused as error:
        raise click.UsageError(f"--root: {error}") from error
    try:
        from hipify_py.agent_server.server import server_for
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in {"mcp", "mcp_types", "pydantic", "anyio"}:
            raise
        raise click.UsageError(_MISSING) from error
    server_for(roots, allow_write_in_place=allow_write_in_place).run("stdio")
    return DONE
