"""`hipify-py cmake-dir`: where CMake finds the module."""

from __future__ import annotations

import click

from hipify_py.cli.help_command import Helped
from hipify_py.cmake import FOLDER


@click.command(
    "cmake-dir",
    cls=Helped,
    examples=[("hipify-py cmake-dir", "Print the folder; configure with -DHipifyPy_DIR and this folder.")],
)
def command() -> int:
    """Print the folder of the CMake package HipifyPy, for HipifyPy_DIR."""
    click.echo(FOLDER)
    return 0
