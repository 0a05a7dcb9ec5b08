"""`hipify-py survey`: how portable many repositories are."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

import click

from hipify_py.cli import cluster_option, options
from hipify_py.cli.by_configuration import for_rocm
from hipify_py.cli.exit_codes import DONE, FAILURE, USAGE
from hipify_py.cli.help_command import CACHE, WRONG, Helped
from hipify_py.cli.outputs import write_file
from hipify_py.compile.builds.rocm import DEFAULT_ARCH, NO_ROCM, find_rocm
from hipify_py.core.options import FileIgnores, Options
from hipify_py.project.cluster.extra import PACKAGES, need
from hipify_py.project.errors import PlanError, reason
from hipify_py.report.text import emit
from hipify_py.survey.job import Bounds, BuildSettings, Job
from hipify_py.survey.original_build import has_nvcc
from hipify_py.survey.state import State
from hipify_py.survey.targets import targets

_FORMATS = ("csv", "html", "json", "parquet", "text")
_ON_STDOUT = ("csv", "json", "text")
_GIB = 1 << 30


def _files(context: click.Context, parameter: click.Parameter, value: Sequence[str]) -> tuple[tuple[str, str], ...]:
    pairs = []
    for text in value:
        name, _, path = text.partition("=")
        if name not in _FORMATS or not path:
            raise click.BadParameter(f"{text!r} does not have the form NAME=PATH, with NAME {', '.join(_FORMATS)}")
        pairs.append((name, path))
    return tuple(pairs)


@click.command(
    "survey",
    cls=Helped,
    examples=[
        ("hipify-py survey repositories.txt", "Examine the folders, archives and git URLs in a list."),
        ("hipify-py survey src/*.tar.gz --output-file html=survey.html", "Examine archives, and write a page."),
        ("hipify-py survey a/ b/ -o hip/", "Convert them to hip/a and hip/b."),
        (
            "hipify-py survey list.txt --build --state survey.jsonl",
            "Convert and build each, and go on after an interruption.",
        ),
        ("hipify-py survey list.txt --cluster tcp://head:8786 --output-file parquet=all.parquet", "On a cluster."),
    ],
    statuses={DONE: "done", **WRONG, FAILURE: "some repositories could not be examined; the others were"},
    variables=CACHE,
)
@click.argument("given", nargs=-1, required=True, metavar="LIST...", type=click.Path())
@click.option("-o", "--output", type=click.Path(), metavar="DIR", help="Convert each repository to DIR/NAME.")
@click.option(
    "--build", "wants_builds", is_flag=True,
    help="Also build each converted repository. This runs the programs that its build files name.",
)  # fmt: skip
@options.rocm_path
@options.arch(f"A GPU to build for; may be repeated. {DEFAULT_ARCH} if none is given and the machine has none.")
@click.option(
    "--cuda-path", type=click.Path(file_okay=False), metavar="DIR",
    help="The CUDA toolkit with which to build a repository as it is if its conversion does not build. What fails so "
    "too is not counted.",
)  # fmt: skip
@options.translation
@options.setting("no-build-files")
@click.option(
    "--format",
    "format_",
    type=click.Choice(_ON_STDOUT),
    default="text",
    help="The format of standard output.",
)
@click.option(
    "--output-file",
    multiple=True,
    metavar="NAME=PATH",
    callback=_files,
    help=f"Also write a report to a file in the format NAME: {', '.join(_FORMATS)}; may be repeated.",
)
@click.option(
    "--time-limit", type=click.FloatRange(min=0, min_open=True), default=1800.0, metavar="SECONDS",
    help="Give up on a repository that takes longer.",
)  # fmt: skip
@click.option(
    "--build-limit", type=click.FloatRange(min=0, min_open=True), default=1800.0, metavar="SECONDS",
    help="End the builds of a repository that take longer.",
)  # fmt: skip
@click.option(
    "--memory-limit", type=click.FloatRange(min=0, min_open=True), default=4.0, metavar="GIB",
    help="Give up on a repository that takes more memory.",
)  # fmt: skip
@click.option(
    "--unpacked-limit", type=click.FloatRange(min=0, min_open=True), default=4.0, metavar="GIB",
    help="Give up on an archive that holds more.",
)  # fmt: skip
@click.option(
    "--state", type=click.Path(dir_okay=False), metavar="FILE",
    help="Keep the results of finished repositories in FILE, and do not examine those again.",
)  # fmt: skip
@click.option(
    "-j", "--jobs", type=click.IntRange(min=1), metavar="N", show_default="all cores", help="Worker processes."
)
@cluster_option.address
@click.option("-q", "--quiet", is_flag=True, help="Print only errors.")
def command(
    *,
    given: tuple[str, ...],
    output: str | None,
    wants_builds: bool,
    rocm_path: str | None,
    arch: tuple[str, ...],
    cuda_path: str | None,
    translation: Options,
    no_build_files: bool,
    format_: str,
    output_file: tuple[tuple[str, str], ...],
    time_limit: float,
    build_limit: float,
    memory_limit: float,
    unpacked_limit: float,
    state: str | None,
    jobs: int | None,
    cluster: cluster_option.Chosen,
    quiet: bool,
) -> int:
    """Measure how portable many repositories are: coverage, effort and obstacles.

    LIST is a folder, an archive (such as .tar.gz or .zip), the URL of a git repository (https, ssh, file), or a file
    that lists these, one per line. Each repository is examined in its own process, with limits, on this machine or on a
    cluster. A repository that fails is reported, and the others continue.

    --build also builds what comes of each repository, from its topmost folders with build files, and compares the
    errors with the findings: which were announced, and which findings does the build disprove?
    """
    wanted = [*(("pyarrow",) if any(name == "parquet" for name, _ in output_file) else ())]
    need("survey", (*PACKAGES, *wanted))
    if output is not None and cluster.address is not None and not cluster.shared:
        raise click.UsageError("-o with --cluster requires --shared, because the workers write to the folder.")
    from hipify_py.project.cluster.connection import connected, local_cluster
    from hipify_py.survey.account import Account
    from hipify_py.survey.formats import load
    from hipify_py.survey.record import UNDONE, Record
    from hipify_py.survey.survey import survey

    try:
        found = targets(given)
    except OSError as error:
        raise PlanError(f"cannot read the list {error.filename}: {reason(error)}") from error
    if not found:
        raise click.UsageError("The list is empty.")
    is_local = cluster.address is None
    translation = translation._replace(file_ignores=FileIgnores())
    cuda = os.path.abspath(cuda_path) if cuda_path is not None else ""
    if cuda and is_local and not has_nvcc(cuda):
        raise click.BadParameter(f"no bin/nvcc in {cuda}", param_hint="--cuda-path")
    builds = BuildSettings(rocm_path or "", arch, build_limit, cuda) if wants_builds else None
    if builds is not None and is_local:
        rocm = find_rocm(os.environ, rocm_path)
        if rocm is None:
            emit(sys.stderr, NO_ROCM.splitlines())
            return USAGE
        builds = builds._replace(rocm=rocm)
        translation = for_rocm(translation, rocm)
    job = Job(
        found[0],
        translation,
        Bounds(time_limit, int(memory_limit * _GIB), int(unpacked_limit * _GIB)),
        output=os.path.abspath(output) if output is not None else "",
        build_files=not no_build_files,
        builds=builds,
    )
    kept = State(state, job) if state is not None else None

    def notify(record: Record) -> None:
        if kept is not None:
            kept.add(record)
        if record.portability == UNDONE:
            emit(sys.stderr, [f"{record.source}: {record.problem}"])

    says = cluster_option.teller(quiet=quiet)
    finished = (
        {}
        if kept is None
        else {each.name: kept.finished[each.source] for each in found if each.source in kept.finished}
    )
    connection = local_cluster(jobs, "auto", says) if is_local else connected(str(cluster.address), says)
    with connection as client:
        records = survey(client, found, job, shared=cluster.shared or is_local, notify=notify, finished=finished)
    if kept is not None:
        kept.close()
    account = Account(records, translation.targeting)
    for name, path in output_file:
        write_file(path, load(name)(account))
    sys.stdout.flush()
    sys.stdout.buffer.write(load(format_)(account))
    sys.stdout.buffer.flush()
    return FAILURE if any(record.portability == UNDONE for record in records) else DONE
