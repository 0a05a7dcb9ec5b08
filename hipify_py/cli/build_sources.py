"""`hipify-py build-sources`: converts the sources of a target within a build; the CMake module calls it."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Sequence

import click

from hipify_py.cli import options
from hipify_py.cli.by_configuration import CommandOfPaths, Part, by_configuration, paths, worst_exit_code
from hipify_py.cli.exit_codes import settled
from hipify_py.cli.help_command import CACHE, LOOKS, ROCM
from hipify_py.core.findings import SEVERITIES
from hipify_py.project.build_sources import HIP, convert_sources
from hipify_py.project.errors import PlanError, reason
from hipify_py.project.write import write_atomically
from hipify_py.report.text import show_failures, show_findings


@click.command(
    "build-sources",
    cls=CommandOfPaths,
    examples=[
        (
            "hipify-py build-sources --root . -o build/hip -I include src/a.cu src/b.cpp",
            "Convert two sources, and the headers that they include.",
        ),
        (
            "hipify-py build-sources --root . -o hip --stamp hip.stamp --depfile hip.d src/a.cu",
            "Tell make and Ninja what the result depends on.",
        ),
    ],
    statuses=LOOKS,
    variables={**CACHE, **ROCM},
)
@paths
@click.option("-o", "--output", type=click.Path(), metavar="DIR", required=True, help="Write to this folder.")
@click.option(
    "--root",
    type=click.Path(exists=True, file_okay=False),
    metavar="DIR",
    required=True,
    help="The project's folder: each result has the place below the output that its source has below this folder.",
)
@click.option(
    "-I",
    "--include-dir",
    "folders",
    type=click.Path(),
    multiple=True,
    metavar="DIR",
    help="Look for the project's headers in this folder, as the compiler does.",
)
@click.option("--stamp", type=click.Path(), metavar="FILE", help="Write this file once all results are there.")
@click.option(
    "--depfile", type=click.Path(), metavar="FILE", help="Write what the stamp depends on, for make and Ninja."
)
@click.option("--ending", default=HIP, metavar="ENDING", help="Give CUDA sources (.cu) this ending instead.")
@click.option(
    "--line-directives/--no-line-directives", default=True, help="Have compilers show errors at the CUDA lines."
)
@options.selection
@options.translation
@options.fail_on("never")
@options.running
@options.caching
@by_configuration
def command(
    *,
    parts: Sequence[Part],
    exit_zero: bool,
    output: str,
    root: str,
    folders: tuple[str, ...],
    stamp: str | None,
    depfile: str | None,
    ending: str,
    line_directives: bool,
    jobs: int | None,
    verbose: bool,
    quiet: bool,
    no_cache: bool,
) -> int:
    """Convert the sources PATH... of a build, and the project's headers that they include, into a folder.

    Results that would not change are not written, so that nothing is compiled again for them. Findings are shown for
    the files that were written.
    """
    if depfile is not None and stamp is None:
        raise click.UsageError("--depfile requires --stamp, which depends on the files that it names.")
    if not ending.startswith(".") or os.sep in ending:
        raise click.BadParameter(f"{ending!r} does not begin with a dot", param_hint="--ending")
    if len(parts) != 1:
        raise click.UsageError("The sources have several configurations; choose one for all with --config.")
    (part,) = parts
    built = convert_sources(
        part.group.paths,
        root=root,
        output=output,
        include_dirs=folders,
        ending=ending,
        options=part.group.options,
        selection=part.group.selection,
        jobs=jobs,
        cache=not no_cache,
        line_directives=line_directives,
    )
    report = built.report
    if not quiet:
        show_findings(built.written, sys.stderr, SEVERITIES if verbose else SEVERITIES[1:])
    show_failures(report.results, sys.stderr)
    if not report.failed and stamp is not None:
        configuration = [os.path.abspath(part.config)] if part.config else []
        _write_stamp(stamp, depfile, [*built.needed, *configuration])
    return settled(worst_exit_code([part], [report]), exit_zero=exit_zero)


def _write_stamp(stamp: str, depfile: str | None, needed: Iterable[str]) -> None:
    """Write the stamp, and the rule of make that names what it depends on.

    Each of these has an empty rule, so that make goes on if one is removed.

    Raises:
        PlanError: if one of them cannot be written.
    """
    try:
        if depfile is not None:
            names = [*map(_escaped, needed)]
            rules = [" \\\n  ".join([_escaped(stamp) + ":", *names]), *(f"{name}:" for name in names)]
            write_atomically(depfile, "\n".join(rules).encode("utf-8", "surrogateescape") + b"\n")
        with open(stamp, "wb"):  # even if it is there: its time tells that all is up to date
            pass
        os.utime(stamp)
    except OSError as error:
        raise PlanError(f"cannot write {error.filename}: {reason(error)}") from error


def _escaped(path: str) -> str:
    """A path as make and Ninja read it in a rule."""
    for character in ("\\", " ", "#", ":") if os.sep == "/" else (" ", "#"):
        path = path.replace(character, f"\\{character}")
    return path.replace("$", "$$")
