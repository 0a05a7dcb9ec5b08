"""`python -m tools.tables to-cuda`: compiles what the headers for nvcc define."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from hipify_py.cli.exit_codes import DONE, FINDINGS
from hipify_py.cli.help_command import CACHE, JUDGES, Helped
from hipify_py.report.text import emit
from tools.tables.commands.headers import default_folder, folder_option


@click.command(
    "to-cuda",
    cls=Helped,
    examples=[("python -m tools.tables to-cuda --check", "Whether the page is up to date.")],
    statuses=JUDGES,
    variables=CACHE,
)
@folder_option
@click.option("--compiler", metavar="CLANG", help="A clang++ in place of the newest on the PATH.")
@click.option("--check", is_flag=True, help="Write nothing; exit with 1 when the page is stale.")
def command(headers: Path | None, compiler: str | None, check: bool) -> int:
    """Compile each function that `header --to-cuda` defines, with HIP's signature, and write what does not compile.

    With --check and without clang, only the functions of the page are compared.
    """
    from tools.tables import to_cuda
    from tools.tables.to_cuda_page import PAGE, VERSIONS, compile_with, page, stamp

    place = Path(PAGE)
    there = place.read_text(encoding="utf-8") if place.is_file() else ""
    compiler = compiler or to_cuda.clang()
    if compiler is None and check:
        emit(sys.stderr, ["NOT COMPILED: there is no clang++ on the PATH"])
        return _said(place, stamp() in there)
    if compiler is None:
        raise click.UsageError("there is no clang++ on the PATH; --compiler names one")
    folders = {number: (headers or default_folder()) / f"cuda-{number}" / "include" for number in VERSIONS}
    missing = [number for number, folder in folders.items() if not (folder / "cuda.h").is_file()]
    if missing:
        raise click.UsageError(f"there is no header set cuda-{missing[0]}; `python -m tools.tables fetch` brings it")
    try:
        text = page([compile_with(number, folder, compiler) for number, folder in folders.items()])
    except to_cuda.CompilerError as error:
        raise click.UsageError(f"{compiler}: {error}") from error
    if check:
        return _said(place, text == there)
    if text != there:
        place.write_text(text, encoding="utf-8", newline="\n")
        emit(sys.stderr, [f"{place} written"])
    return DONE


def _said(place: Path, is_fresh: bool) -> int:
    if not is_fresh:
        emit(sys.stdout, [f"{place} is stale"])
    return DONE if is_fresh else FINDINGS
