"""`hipify-py build`: does the project build for AMD GPUs with its own build system?"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import chain

import click

from hipify_py.cli import options as shared
from hipify_py.cli.by_configuration import (
    CommandOfPaths,
    Part,
    by_configuration,
    for_compiler,
    paths,
    which_configuration,
    which_rocm,
)
from hipify_py.cli.exit_codes import DONE, FAILURE, FINDINGS, USAGE, exit_code
from hipify_py.cli.help_command import CACHE, ROCM
from hipify_py.cli.progress import progress_bar
from hipify_py.compile.builds.build import Built, Hearer, build
from hipify_py.compile.builds.output_map import Written
from hipify_py.compile.builds.rocm import DEFAULT_ARCH, NO_ROCM, building_environment, find_rocm, has_gpu
from hipify_py.compile.builds.running import Step
from hipify_py.compile.builds.systems import SYSTEMS, Job, System, missing_programs, systems_of
from hipify_py.compile.diagnostics import Message, message_lines
from hipify_py.core.findings import NEVER
from hipify_py.core.targeting import versions_line
from hipify_py.project.api import ConversionReport, convert_groups, joined
from hipify_py.project.discovery import OUTPUT_MARK
from hipify_py.project.groups import Group
from hipify_py.project.paths import is_within
from hipify_py.project.result import CHANGED
from hipify_py.project.write import write_atomically
from hipify_py.report.text import emit, files_line, finding_line, plural, show_failures

_ARGUMENTS = "hipify_py.build_arguments"
_SOURCE, _BUILD = "source", "build"
_DEPTH = 2
_BUILDS_ALREADY = "HIP607"
"""The finding for a project that already has a build option for AMD GPUs."""

_ARCH_IN_ARGUMENTS = ("CMAKE_HIP_ARCHITECTURES", "HIP_ARCH", "GPU_TARGETS", "AMDGPU_TARGETS", "offload-arch")


class BuildCommand(CommandOfPaths):
    """A command whose arguments after `--` are another program's."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if "--" in args:
            at = args.index("--")
            ctx.meta[_ARGUMENTS] = args[at + 1 :]
            args = args[:at]
        return super().parse_args(ctx, args)

    def collect_usage_pieces(self, ctx: click.Context) -> list[str]:
        return ["[OPTIONS]", "DIR", "[-- ARGS...]"]


@click.command(
    "build",
    cls=BuildCommand,
    examples=[
        ("hipify-py build project", "Convert a CUDA project to a temporary folder and build it there."),
        ("hipify-py build project --build-dir /tmp/b --arch gfx90a", "Build for MI200 and keep the result."),
        ("hipify-py build project -- -DWITH_TESTS=OFF", "Pass options to CMake."),
        ("hipify-py build project --system make -- all tests", "Build with Make despite a CMakeLists.txt."),
        ("hipify-py build project --in src", "Build from a subfolder that has the build file."),
    ],
    statuses={
        DONE: "the build succeeded",
        FINDINGS: "the build failed",
        USAGE: "invalid usage or configuration, or ROCm or a build program is missing",
        FAILURE: "some files could not be converted",
    },
    variables={**ROCM, **CACHE},
)
@paths
@click.option("--build-dir", type=click.Path(), metavar="DIR", help="Convert and build in this folder and keep it.")
@click.option(
    "--in",
    "below",
    default="",
    show_default=False,
    metavar="FOLDER",
    help="Build from this folder of the project instead of its top folder.",
)
@click.option("--system", type=click.Choice([*SYSTEMS]), help="The build system, if the project has several.")
@shared.rocm_path
@shared.arch(f"A GPU to build for (gfx90a); may be repeated. {DEFAULT_ARCH} if none is given and the machine has none.")
@shared.selection
@shared.translation
@shared.running
@shared.caching
@by_configuration
def command(
    *,
    parts: Sequence[Part],
    build_dir: str | None,
    below: str,
    system: str | None,
    rocm_path: str | None,
    arch: tuple[str, ...],
    jobs: int | None,
    verbose: bool,
    quiet: bool,
    no_cache: bool,
) -> int:
    """Build the project in DIR for AMD GPUs with its own build system. Put arguments for the build system after --.

    DIR is converted into the folder "source" of a temporary folder or of --build-dir; code that is already HIP stays as
    it is. The build runs there, or in the folder "build" next to it. Nothing is written to DIR. The build runs the
    programs that the build files name, so do not build projects that you do not trust.

    Errors from compilers, linkers and the build system go to standard output, at the lines of DIR that they come from.
    -v also shows warnings and the whole output of the build.
    """
    folder = _folder(parts)
    arguments = click.get_current_context().meta.get(_ARGUMENTS, [])
    rocm = find_rocm(os.environ, rocm_path)
    if rocm is None:
        emit(sys.stderr, NO_ROCM.splitlines())
        return USAGE
    parts = for_compiler(parts, os.path.join(rocm, "bin", "hipcc"))
    groups = [part.group for part in parts]
    top = _inside(folder, below)
    chosen = _chosen(folder, top, system)
    jobs = jobs or os.cpu_count() or 1
    with _place(build_dir, folder) as place:
        source = os.path.join(place, _SOURCE)
        gpus = arch or (() if has_gpu() or _names_gpus(arguments) else (DEFAULT_ARCH,))
        job = Job(
            os.path.normpath(os.path.join(source, os.path.relpath(top, folder))),
            os.path.join(place, _BUILD),
            arguments,
            gpus,
            jobs,
            building_environment(os.environ, rocm, gpus, jobs),
        )
        missing = missing_programs(chosen, job)
        if missing:
            emit(sys.stderr, [f"{name} is not installed; install it with: {how}" for name, how in missing.items()])
            return USAGE
        if not quiet:
            emit(sys.stderr, which_rocm(parts))
        with progress_bar("converting", quiet=quiet) as progress:
            reports = convert_groups(
                groups, output=source, jobs=jobs, edits=True, progress=progress, cache=not no_cache
            )
        report = joined(reports)
        show_failures(report.results, sys.stderr)
        if not quiet:
            if verbose:
                emit(sys.stderr, which_configuration(parts))
            emit(sys.stderr, _about(report, groups, rocm, gpus))
        written = Written(reports, source, parts[0].group.paths[0])
        job = job._replace(changed=written.changed())
        done = build(chosen, job, written, _Shown(chosen, verbose=verbose, quiet=quiet), warnings=verbose)
        kept = job.build if build_dir and os.listdir(job.build) else source if build_dir else ""
    return _report(done, report, kept, quiet=quiet)


class _Shown(Hearer):
    """Prints errors to standard output and everything else to standard error while the build runs."""

    def __init__(self, system: System, *, verbose: bool, quiet: bool) -> None:
        self._system = system
        self._verbose = verbose
        self._quiet = quiet

    def begins(self, step: Step) -> None:
        if not self._quiet:
            emit(sys.stderr, [f"{step.does} with {self._system.title}"])

    def says(self, line: str) -> None:
        if self._verbose and not self._quiet:
            emit(sys.stderr, [line])

    def found(self, message: Message) -> None:
        emit(sys.stdout, message_lines(message))

    def found_unplaced(self, text: str) -> None:
        emit(sys.stdout, [f"error: {text}"])


def _folder(parts: Sequence[Part]) -> str:
    """The one folder that is given.

    Raises:
        click.UsageError: when it is none, or not one.
    """
    given = parts[0].group.paths
    if len(given) != 1:
        raise click.UsageError("build takes one folder; put arguments for the build system after --.")
    if not os.path.isdir(given[0]):
        raise click.UsageError(f"{given[0]} is not a folder.")
    return os.path.realpath(given[0])


def _inside(folder: str, below: str) -> str:
    """The folder that is built from.

    Raises:
        click.BadParameter: when it is not a folder of the project.
    """
    place = os.path.realpath(os.path.join(folder, below))
    if not os.path.isdir(place) or os.path.commonpath([place, folder]) != folder:
        raise click.BadParameter(f"{below} is not a folder in {folder}", param_hint="--in")
    return place


def _chosen(folder: str, top: str, name: str | None) -> System:
    """The build system to build with.

    Raises:
        click.UsageError: when the project has none, or not that one.
    """
    found = systems_of(top)
    for system in found:
        if name in (None, system.name):
            return system
    wanted = [SYSTEMS[name]] if name else [*SYSTEMS.values()]
    others = []
    for place in _below(top):
        there = [file for system in wanted for file in system.files if os.path.isfile(os.path.join(place, file))]
        if there:
            others.append(f"--in {os.path.relpath(place, folder)} has {' and '.join(there)}")
    files = ", ".join(chain.from_iterable(system.files for system in wanted))
    what = f"no build file in {top} ({files})"
    raise click.UsageError("\n  ".join([what, *others[:8]]) if others else f"{what}.")


def _below(top: str) -> Iterator[str]:
    """The folders a little below one."""
    for place, folders, _ in os.walk(top):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        if place != top:
            yield place
        if os.path.relpath(place, top).count(os.sep) + 1 >= _DEPTH and place != top:
            folders[:] = []


def _names_gpus(arguments: Sequence[str]) -> bool:
    return any(name in argument for argument in arguments for name in _ARCH_IN_ARGUMENTS)


@contextmanager
def _place(given: str | None, folder: str) -> Iterator[str]:
    """The folder that is built in; a temporary one is gone in the end. In the project it is marked as no part of that.

    Raises:
        click.BadParameter: when it is the project itself.
    """
    if given is not None:
        place = os.path.realpath(given)
        if place == folder:
            raise click.BadParameter("this is the project folder itself", param_hint="--build-dir")
        os.makedirs(place, exist_ok=True)
        if is_within(place, folder):
            write_atomically(os.path.join(place, OUTPUT_MARK), b"hipify-py builds in this folder.\n")
        yield place
        return
    with tempfile.TemporaryDirectory(prefix="hipify-py-", ignore_cleanup_errors=True) as made:
        yield os.path.realpath(made)


def _about(report: ConversionReport, groups: Sequence[Group], rocm: str, gpus: Sequence[str]) -> list[str]:
    """What is going to be built."""
    lines = [files_line(report.results, written=True)]
    findings = sum(len(result.findings) for result in report.results)
    if findings:
        lines.append(f"{plural(findings, 'finding')}; hipify-py check shows them")
    lines += [finding_line(each) for result in report.results for each in result.findings if each.id == _BUILDS_ALREADY]
    if not any(result.status == CHANGED for result in report.results):
        lines.append("no CUDA found: errors refer to the project's own lines")
    versions = "; ".join(dict.fromkeys(versions_line(group.options.targeting) for group in groups))
    lines.append(f"{versions}; using the ROCm in {rocm}" + (f" for {', '.join(gpus)}" if gpus else ""))
    return lines


def _report(done: Built, report: ConversionReport, kept: str, *, quiet: bool) -> int:
    """Report the result of the build; returns the exit status."""
    emit(sys.stderr, done.tail)
    if not quiet:
        emit(sys.stderr, [_summary(done, kept)])
    code = exit_code(report.results, NEVER)
    return code if code else FINDINGS if done.failed is not None else DONE


def _summary(done: Built, kept: str) -> str:
    where = f": {kept}" if kept else ""
    if done.failed is None:
        return f"built{where}" if kept else "built; the result was not kept (use --build-dir DIR to keep it)"
    unplaced = f", {done.unplaced} of them without a location" if done.unplaced else ""
    return f"{done.failed.does} failed: {plural(done.errors + done.unplaced, 'error')}{unplaced}{where}"
