"""`hipify-py as`: stands in for hipify-perl, hipify-clang and their scripts."""

from __future__ import annotations

import click

from hipify_py.cli.exit_codes import USAGE
from hipify_py.cli.help_command import CACHE, ROCM, Helped
from hipify_py.drop_in.tools import TOOLS, stand_in


@click.command(
    "as",
    cls=Helped,
    context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False},
    examples=[
        ("hipify-py as perl -inplace kernels.cu", "Do what hipify-perl does."),
        ("hipify-py as clang kernels.cu -o kernels.hip -- -Iinclude -std=c++17", "Do what hipify-clang does."),
        ("hipify-py as hipconvertinplace-perl src/", "Do what hipconvertinplace-perl.sh does."),
    ],
    statuses={"those of the tool": "0 if it has done its work, whatever is left to port", USAGE: "wrong usage"},
    variables={**CACHE, **ROCM},
)
@click.argument("tool", metavar="TOOL", type=click.Choice(TOOLS))
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED, metavar="[ARGUMENT...]")
def command(*, tool: str, arguments: tuple[str, ...]) -> int:
    """Stand in for AMD's TOOL: take its options, write where it writes, and end as it does.

    TOOL is perl (hipify-perl), clang (hipify-clang), hipexamine, hipexamine-perl, hipconvertinplace or
    hipconvertinplace-perl. Its own options are shown by `hipify-py as TOOL -help`.
    """
    return stand_in(tool, arguments)
