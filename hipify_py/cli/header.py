"""`hipify-py header`: headers that go with the output."""

from __future__ import annotations

import sys
from collections.abc import Collection
from pathlib import Path

import click

from hipify_py.catalog import Targeting, load_catalog
from hipify_py.cli import options
from hipify_py.cli.exit_codes import DONE, FAILURE
from hipify_py.cli.help_command import CACHE, DOES, ROCM, Helped
from hipify_py.core.suggestions import did_you_mean
from hipify_py.report.text import emit, emit_bytes
from hipify_py.support_header.header import render, section_names


@click.command(
    "header",
    cls=Helped,
    examples=[
        ("hipify-py header --support > hipify_support.hpp", "Print the whole support header."),
        ("hipify-py header --to-cuda -o cuda-compat/", "Write headers that let nvcc compile converted sources."),
    ],
    statuses={**DOES, FAILURE: "a header could not be written"},
    variables={**CACHE, **ROCM},
)
@click.argument("sections", nargs=-1, metavar="[SECTION...]")
@click.option("--support", is_flag=True, help="Print hipify_support.hpp with the given sections (default: all).")
@click.option("--to-cuda", is_flag=True, help="Write headers that map HIP's names back to CUDA's.")
@click.option("-o", "--output", type=click.Path(path_type=Path), metavar="DIR", help="The folder for --to-cuda.")
@click.option(
    "--library", multiple=True, metavar="TABLE", help="With --to-cuda: only this table's headers; may be repeated."
)
@options.targeting
def command(
    *,
    sections: tuple[str, ...],
    support: bool,
    to_cuda: bool,
    output: Path | None,
    library: tuple[str, ...],
    targeting: Targeting,
) -> int:
    """Print the support header, or write headers that let nvcc compile converted sources.

    The headers for nvcc have the paths of HIP's headers (hip/hip_runtime.h, hipblas/hipblas.h …) and map HIP's names
    back to CUDA's, so one source serves both vendors: nvcc -I DIR -x cu source.hip. Sources written by `convert --dual`
    need nothing else. Other sources need -DHIPIFY_AS_HIPCC, because they now test for HIP's compiler instead of nvcc.
    """
    if support == to_cuda:
        raise click.UsageError("Choose a header: --support, or --to-cuda -o DIR.")
    if to_cuda and (output is None or sections):
        raise click.UsageError("--to-cuda requires -o DIR, and takes --library TABLE but no sections.")
    if support and (output is not None or library):
        raise click.UsageError("-o and --library require --to-cuda; --support prints to standard output.")
    if to_cuda and output is not None:
        return _write_tree(output, library, targeting)
    return _print_support(sections)


def _unknown(name: str, known: Collection[str], where: str) -> click.BadParameter:
    says = f"{name!r} is not one of {', '.join(known)}{did_you_mean(name, known)}"
    return click.BadParameter(says, param_hint=where)


def _print_support(sections: tuple[str, ...]) -> int:
    known = section_names()
    for name in sections:
        if name not in known:
            raise _unknown(name, known, "SECTION")
    emit_bytes(sys.stdout, render(sections or known))
    return DONE


def _write_tree(folder: Path, libraries: tuple[str, ...], targeting: Targeting) -> int:
    from hipify_py.nvcc_compat.tree import header_tree, table_names

    catalog = load_catalog(targeting)
    known = table_names(catalog)
    for name in libraries:
        if name not in known:
            raise _unknown(name, known, "--library")
    files = header_tree(catalog, libraries)
    try:
        for path, text in files.items():
            place = folder / path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        emit(sys.stderr, [f"Error: cannot write {error.filename or folder}: {error.strerror or error}"])
        return FAILURE
    emit(sys.stderr, [f"{len(files)} headers written to {folder}"])
    return DONE
