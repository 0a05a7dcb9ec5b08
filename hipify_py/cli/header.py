"""`hipify-py header`: headers that go with the output."""

from __future__ import annotations

import sys

import click

from hipify_py.cli.exit_codes import DONE
from hipify_py.report.text import emit_bytes


@click.command("header")
@click.argument("sections", nargs=-1, metavar="[SECTION...]")
@click.option("--support", is_flag=True, help="hipify_support.hpp, with the given sections; with all by default.")
def command(sections: tuple[str, ...], support: bool) -> int:
    """Print a header that goes with converted sources."""
    from hipify_py.support.header import render, section_names

    if not support:
        raise click.UsageError("Which header? There is --support.")
    known = section_names()
    for name in sections:
        if name not in known:
            raise click.BadParameter(f"{name!r} is none of {', '.join(known)}", param_hint="SECTION")
    emit_bytes(sys.stdout, render(sections or known))
    return DONE
