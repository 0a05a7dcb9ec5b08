"""The end of a run's summary: how far the port is, and what to do next, based on this run's results."""

from __future__ import annotations

import os
import shlex
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from textwrap import shorten
from typing import NamedTuple

from hipify_py.build_systems import kinds
from hipify_py.build_systems.by_hand import ADVICE
from hipify_py.catalog import load_catalog
from hipify_py.core.findings import EXACT
from hipify_py.core.options import DEFAULT_FIXES, Options
from hipify_py.core.targeting import version
from hipify_py.core.translation import Counts
from hipify_py.project.build_files import BuildFile
from hipify_py.project.result import CHANGED, FileResult
from hipify_py.report.causes import Cause, causes_of, efforts_line
from hipify_py.report.figures import percent
from hipify_py.report.text import plural

_MOST_CAUSES = 3
"""Causes of findings that are named."""

_WIDEST = 120
"""Characters of a cause's title."""

_MOST_FILES = 3
"""Build files of a kind that are named."""

_MOST_BUILDS = 3
"""Kinds of build files that are named."""

_MOST_LIBRARIES = 4

_TOPMOST = frozenset(
    {
        "cmakelists.txt",
        "makefile",
        "gnumakefile",
        "setup.py",
        "meson.build",
        "configure.ac",
        "configure.in",
    }
)
"""Build files that a whole project is built from."""

_MENDED_BY = {"HIP303": "warp-size"}
"""The fixes that are off by default, by the findings that they fix."""

_LINKED = {
    "cublas": ("cublas_v2.h", "cublas"),
    "cublaslt": ("cublasLt.h", "cublasLt"),
    "cudnn": ("cudnn.h", "cudnn"),
    "cufft": ("cufft.h", "cufft"),
    "curand": ("curand.h", "curand"),
    "cusolver": ("cusolverDn.h", "cusolver"),
    "cusparse": ("cusparse.h", "cusparse"),
    "cusparselt": ("cusparseLt.h", "cusparseLt"),
    "cutensor": ("cutensor.h", "cutensor"),
    "nccl": ("nccl.h", "nccl"),
    "nvtx": ("nvToolsExt.h", "nvToolsExt"),
}
"""What programs link for a library, and the header that leads to its HIP counterpart."""

_CALLED = {"miopen": "MIOpen", "roctracer": "roctx64"}
"""Libraries that are not called as the folders of their headers."""

_BUILDS = {
    kinds.CMAKE: "use enable_language(HIP), CMAKE_HIP_ARCHITECTURES and hip::host instead of CUDA's",
    kinds.MAKE: "use hipcc, --offload-arch=gfx942 and -lamdhip64 instead of nvcc, -arch=sm_90 and -lcudart",
    kinds.PYTHON: "PyTorch for ROCm calls hipcc for CUDAExtension; call hipcc wherever else nvcc is called",
    kinds.PYPROJECT: "use CMAKE_HIP_FLAGS and the like instead of CMAKE_CUDA_FLAGS",
    kinds.MESON: "remove 'cuda' from project(), and compile as C++ with CXX=hipcc",
    kinds.BAZEL: "use a toolchain that calls hipcc instead of nvcc",
    kinds.DOCKER: "use an image with ROCm (rocm/dev-ubuntu-24.04) instead of nvidia/cuda",
    kinds.AUTOCONF: "look for hipcc instead of nvcc, and for amdhip64 instead of cudart",
    **ADVICE,
}


class Run(NamedTuple):
    """What there is to know of a run.

    Attributes:
        paths: as given.
        options: the choices for each of its parts.
        converted: the paths of the translation, where it has been written.
        builds: the build files that name CUDA.
        is_compiled: the command goes on to compile the translation.
        has_verdict: the command prints the verdict, which names the causes.
    """

    paths: Sequence[str]
    options: Sequence[Options]
    results: Sequence[FileResult]
    builds: Sequence[BuildFile]
    converted: Sequence[str] = ()
    is_compiled: bool = False
    has_verdict: bool = False


def next_steps(run: Run, *, verbose: bool = False) -> list[str]:
    """Lines with the state of the port and what to do; none if there is nothing to do."""
    causes = causes_of(run.results)
    steps = [
        *_causes(causes, verbose=verbose, listed=not run.has_verdict),
        *_fixes(run),
        *_commands(run),
        *_links(run),
        *_builds(run, verbose=verbose),
    ]
    if not steps:
        return []
    state = () if run.has_verdict else _state(run, causes)
    return [*state, "next:", *(f"  {step}" for step in steps)]


def _state(run: Run, causes: Sequence[Cause]) -> Iterator[str]:
    """The coverage, and the effort that is left."""
    counts = Counts()
    for result in run.results:
        counts = counts.plus(result.counts)
    parts = [f"coverage {percent(counts)}"] if counts.total else []
    parts += [f"{plural(len(causes), 'cause')} left, by effort: {efforts_line(causes)}"] if causes else []
    if parts:
        yield "; ".join(parts)


def _causes(causes: Sequence[Cause], *, verbose: bool, listed: bool) -> Iterator[str]:
    """What to look at, the gravest first, each with the first file to open, if they are to be `listed`."""
    shown = causes if verbose else causes[:_MOST_CAUSES]
    for cause in shown if listed else ():
        extent = f" ({cause.extent})" if cause.places > 1 else ""
        yield f"{cause.place}: {cause.severity} {cause.id} {shorten(cause.title, _WIDEST, placeholder=' …')}{extent}"
    if listed and len(causes) > len(shown):
        yield f"{plural(len(causes) - len(shown), 'more cause')}; -v lists them"
    if shown:
        yield f"explain them: hipify-py explain {' '.join(dict.fromkeys(cause.id for cause in shown))}"
    later = [cause for cause in causes if cause.rocm]
    if later:
        rocm = max((cause.rocm for cause in later), key=version)
        errors = sum(cause.places for cause in causes if cause.severity == "error")
        yield f"{sum(cause.places for cause in later)} of {plural(errors, 'error')} go away with --rocm {rocm}"


def _fixes(run: Run) -> Iterator[str]:
    """Available fixes that the user has not requested."""
    counts = Counter(finding.id for result in run.results for finding in result.findings)
    for family in dict.fromkeys(_MENDED_BY.values()):
        ids = [id for id, mends in _MENDED_BY.items() if mends == family and counts[id]]
        if ids and not all(family in options.fixes for options in run.options):
            yield f"--fix {family} fixes most of {plural(sum(counts[id] for id in ids), 'finding')} {' '.join(ids)}"
    fixes = [finding.fix for result in run.results for finding in result.findings if finding.fix is not None]
    exact = sum(fix.applicability == EXACT for fix in fixes)
    if exact:
        shown = _shown(run.paths)
        yield f"{plural(exact, 'finding')} can be fixed: hipify-py check --fix ALL {shown} (--diff shows how)"
    wavefront = sum(count for id, count in counts.items() if id.startswith("HIP3"))
    if wavefront and not all(options.fixes >= DEFAULT_FIXES for options in run.options):
        yield f"--no-fix wavefront leaves {plural(wavefront, 'warp finding')} to you; without it, most are fixed"


def _commands(run: Run) -> Iterator[str]:
    """What to call."""
    if not any(result.status == CHANGED for result in run.results):
        return
    if not run.converted:
        yield f"translate: hipify-py convert {_shown(run.paths)} -o DIR"
    if not run.is_compiled:
        yield f"compile the translation (needs no GPU): hipify-py compile {_shown(run.converted or run.paths)}"
    if len(run.paths) == 1 and _has_build(run):
        yield f"build it with its own build system: hipify-py build {_shown(run.paths)}"


def _has_build(run: Run) -> bool:
    """In the topmost folder is a build file that hipify-py can build with."""
    top = os.path.normpath(run.paths[0])
    files = [*(result.path for result in run.results), *(build.path for build in run.builds)]
    return any(
        os.path.basename(path).lower() in _TOPMOST and os.path.normpath(os.path.dirname(path)) == top for path in files
    )


def _shown(paths: Sequence[str]) -> str:
    return " ".join(map(shlex.quote, paths)) if len(paths) <= 2 else "PATH..."


def _links(run: Run) -> Iterator[str]:
    """The libraries to link, where no build file that was translated does so."""
    if any(result.status == CHANGED and kinds.is_build_file(result.path) for result in run.results):
        return
    used = {library for result in run.results for library, counts in result.libraries.items() if counts.converted}
    pairs = []
    for library, (header, name) in _LINKED.items():
        if library in used and (theirs := _their_name(run.options, header)):
            pairs.append(f"-l{theirs} instead of -l{name}")
    if pairs:
        more = [f"{len(pairs) - _MOST_LIBRARIES} more"] if len(pairs) > _MOST_LIBRARIES else []
        yield f"link {', '.join([*pairs[:_MOST_LIBRARIES], *more])}"


def _their_name(choices: Iterable[Options], header: str) -> str:
    """The library with the HIP counterparts of a header's names."""
    for options in choices:
        row = load_catalog(options.targeting).row(header.encode())
        if row is not None and row.hip:
            folder = row.hip.partition("/")[0]
            return _CALLED.get(folder, folder) if "/" in row.hip and folder != "hip" else ""
    return ""


def _builds(run: Run, *, verbose: bool) -> Iterator[str]:
    """The build files, by what reads them."""
    by_kind: dict[str, list[BuildFile]] = {}
    for build in run.builds:
        by_kind.setdefault(build.kind, []).append(build)
    kinds = sorted(by_kind, key=lambda kind: -len(by_kind[kind]))
    if kinds:
        name = "names" if len(run.builds) == 1 else "name"
        yield f"{plural(len(run.builds), 'build file')} {name} CUDA and must be ported by hand:"
    for kind in kinds if verbose else kinds[:_MOST_BUILDS]:
        files = by_kind[kind]
        shown = files if verbose else files[:_MOST_FILES]
        more = f" and {len(files) - len(shown)} more" if len(files) > len(shown) else ""
        yield f"  {', '.join(f'{file.path}:{file.line}' for file in shown)}{more}: {_BUILDS[kind]}"
    if not verbose and len(kinds) > _MOST_BUILDS:
        yield f"  and {plural(sum(len(by_kind[kind]) for kind in kinds[_MOST_BUILDS:]), 'other')}; -v lists them"
