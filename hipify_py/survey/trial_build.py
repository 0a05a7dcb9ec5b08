"""Builds a converted repository with its own build systems, and compares the errors with the findings about it."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from hipify_py.compile.builds.build import Hearer, build
from hipify_py.compile.builds.build_message import QUOTED
from hipify_py.compile.builds.output_map import Written
from hipify_py.compile.builds.rocm import DEFAULT_ARCH, building_environment, find_rocm, has_gpu
from hipify_py.compile.builds.systems import Job as SystemJob
from hipify_py.compile.builds.systems import System, missing_programs, systems_of
from hipify_py.compile.diagnostics import Message
from hipify_py.core.findings import SEVERITIES, Finding
from hipify_py.project.api import ConversionReport
from hipify_py.project.result import FAILED
from hipify_py.survey.build_record import INCONCLUSIVE, LINKS, Build, BuildCause, Disproved
from hipify_py.survey.job import BuildSettings
from hipify_py.survey.original_build import OriginalBuilds, has_nvcc

_DEPTH = 4
"""How many folders down a build file is looked for, where the folders above have none."""

_MOST_FOLDERS = 100
_MOST_CAUSES = 100
_BY_HAND, _OWN_BUILD = "HIP612", "HIP607"
"""The findings for a build file that is not translated, and for a project whose own option builds it for AMD GPUs: what
such a build says about itself is announced."""

_NEAR = 2
"""Lines between an error and the finding that announces it: a call goes over several."""

_ASIDE = re.compile(
    r"(?:third_?party|3rd_?party|externals?|deps|dependencies|vendor|submodules?|docs?|node_modules|\..*)$", re.I
)
"""Folders of what a project brings along."""

_STOPS_COMPILERS = ("HIP1", "HIP2", "HIP5")
"""Findings about code; the other errors are about what the code computes, or about files."""

_LACKS = re.compile(
    r"'(?P<header>[^']+)' file not found|(?P<include>[\w./+-]+): No such file or directory"
    r"|cannot find (?P<library>-l\S+)|unable to find library (?P<lld>-l\S+)"
    r"|Could NOT find (?P<package>\w+)|could not find a package configuration file provided by \"(?P<config>\w+)\""
    r"|No module named '(?P<module>[^']+)'|required packages were not found|^(?P<program>[^\s:/]+): not found"
    r"|Could not resolve host|unable to access|[Ff]ailed to (?:clone|checkout)|git clon\w+ failed"
    r"|source \"(?P<folder>[^\"]+)\" which is not an existing|[Cc]annot find source file: (?P<source>\S+)"
    r"|CMake [\d.]+ or higher is required|No CMAKE_\w+_COMPILER could be found|invalid command '\w+'"
    r"|Dependency \"(?P<dependency>[^\"]+)\" not found"
)
"""Messages about what a machine lacks: headers, libraries, programs, submodules, the network."""

_FOLLOWS = re.compile(
    r"No SOURCES given to target|Unknown CMake command|include could not find requested file|target was not found"
)
"""Errors of CMake that follow from something lacking."""

_NO_HIP = re.compile(r"\bhip/[\w/]+\.h(?:' file not found|: No such file)")
"""What a build file that is not translated gives its compiler: no folder of HIP's headers."""

_CUDA = re.compile(r"(?:cu|nv|npp|thrust|CUDA)", re.I)
"""How the names of CUDA's headers, libraries and packages begin: to need one of these is a fault of the conversion."""


class Trial(NamedTuple):
    """The builds of one repository.

    Attributes:
        builds: one for each topmost folder with build files.
        disproved: errors reported about sources that compile.
    """

    builds: Sequence[Build]
    disproved: Sequence[Disproved]


def try_builds(report: ConversionReport, root: str, source: str, place: str, settings: BuildSettings) -> Trial:
    """Build what a conversion wrote.

    Args:
        report: of the conversion, with the edits.
        root: the folder that was converted.
        source: the folder that the conversion wrote; the folder `original` beside it is used too.
        place: an empty folder for the output of builds.
    """
    written = Written([report], os.path.realpath(source), root)
    findings = [finding for result in report.results if result.status != FAILED for finding in result.findings]
    announced = _Announced(findings)
    copy = os.path.join(os.path.dirname(os.path.realpath(source)), "original")
    originals = OriginalBuilds(root, copy, settings) if has_nvcc(settings.cuda) else None
    left = settings.seconds
    builds = []
    begun = time.time()
    for number, (folder, system) in enumerate(build_folders(source)):
        started = time.monotonic()
        made = _build(folder, system, written, os.path.join(place, str(number)), settings, left, announced, root)
        left -= time.monotonic() - started
        if originals is not None and made.state not in (LINKS, *INCONCLUSIVE):
            made = made._replace(fails_with_cuda=originals.fails(made.folder, system))
        builds.append(made)
    compiled = _stems([source, place], begun)
    return Trial(builds, [*_disproved(report, root, compiled)])


def build_folders(top: str) -> Iterator[tuple[str, System]]:
    """The topmost folders with build files, each with the system that builds it."""
    number = 0
    for folder, below, _ in os.walk(top):
        below[:] = sorted(name for name in below if not _ASIDE.match(name))
        systems = systems_of(folder)
        if systems:
            below[:] = []
            number += 1
            if number > _MOST_FOLDERS:
                return
            yield folder, systems[0]
        if folder != top and os.path.relpath(folder, top).count(os.sep) + 1 >= _DEPTH:
            below[:] = []


class _Causes(Hearer):
    """Counts the errors of a build by message."""

    def __init__(self, announced: _Announced, root: str, rocm: str, folder: str) -> None:
        self._announced = announced
        self._of_build_files = announced.of_build_files(os.path.join(root, folder))
        self._root = root
        self._rocm = rocm
        self._causes: dict[str, BuildCause] = {}

    def found(self, message: Message) -> None:
        if message.severity == "error":
            path = os.path.relpath(message.path, self._root).replace(os.sep, "/")
            path = os.path.basename(path) if path.startswith("../") else path  # the support header
            announced = self._announced.at(message)
            if self._of_build_files == _OWN_BUILD or _NO_HIP.search(message.text):
                announced = announced or self._of_build_files
            self._take(message.text, f"{path}:{message.line}", announced)

    def found_unplaced(self, text: str) -> None:
        self._take(text, "", self._announced.named(text) or self._of_build_files)

    def causes(self) -> list[BuildCause]:
        """The causes, the most frequent first."""
        if any(cause.is_lacking for cause in self._causes.values()):
            for text, cause in self._causes.items():
                self._causes[text] = cause._replace(is_lacking=cause.is_lacking or bool(_FOLLOWS.search(text)))
        return sorted(self._causes.values(), key=lambda cause: (-cause.times, cause.place, cause.text))[:_MOST_CAUSES]

    def _take(self, text: str, place: str, finding: str) -> None:
        known = self._causes.get(text)
        if known is None:
            self._causes[text] = BuildCause(text, place, 1, finding, _is_lacking(text, self._rocm, self._root))
        else:
            self._causes[text] = known._replace(times=known.times + 1, finding=known.finding or finding)


class _Announced:
    """Finds the finding that announces an error: at its lines, or about a name that the error mentions."""

    def __init__(self, findings: Iterable[Finding]) -> None:
        self._lines: dict[tuple[str, int], str] = {}
        self._names: dict[str, str] = {}
        self._unchanged: dict[str, str] = {}
        for finding in findings:
            if finding.id in (_BY_HAND, _OWN_BUILD):
                self._unchanged[os.path.realpath(finding.path)] = finding.id
            if finding.severity == SEVERITIES[0]:
                continue
            for line in range(finding.line - _NEAR, finding.line + _NEAR + 1) if finding.offset >= 0 else ():
                self._lines.setdefault((os.path.realpath(finding.path), line), finding.id)
            if finding.name:
                self._names.setdefault(finding.name, finding.id)

    def at(self, message: Message) -> str:
        """The id of the finding, empty for none."""
        return self._lines.get((os.path.realpath(message.path), message.line), "") or self.named(message.text)

    def of_build_files(self, folder: str) -> str:
        """The id of the finding that build files in a folder stay as they are, empty for none."""
        within = os.path.join(os.path.realpath(folder), "")
        return next((id for path, id in self._unchanged.items() if path.startswith(within)), "")

    def named(self, text: str) -> str:
        """The id of the finding about a name in a text, empty for none."""
        words = [*QUOTED.findall(text), *re.findall(r"[\w.+-]+", text)]
        return next((self._names[word] for word in words if word in self._names), "")


def _is_lacking(text: str, rocm: str, root: str) -> bool:
    """Whether a message is about something that the machine lacks, with CUDA as with HIP.

    A part of ROCm that is installed is not lacking, and neither is a file that the repository has: the build looks for
    them in the wrong place.
    """
    match = _LACKS.search(text)
    if match is None:
        return False
    named = (match[match.lastgroup] if match.lastgroup else "").removeprefix("-l").rstrip("/")
    places = (f"include/{named}", f"lib/lib{named}.so", f"lib/cmake/{named}", f"bin/{named}")
    if not named or _CUDA.match(named):
        return not named
    return not any(os.path.exists(os.path.join(rocm, place)) for place in places) and not _has(root, named)


def _has(root: str, named: str) -> bool:
    """Whether a tree has a file of this name, or a folder of it with anything in it."""
    name = os.path.basename(named)
    return any(
        name in files or (name in folders and any(os.scandir(os.path.join(place, name))))
        for place, folders, files in os.walk(root)
    )


def _build(
    folder: str,
    system: System,
    written: Written,
    place: str,
    settings: BuildSettings,
    seconds: float,
    announced: _Announced,
    root: str,
) -> Build:
    relative = os.path.relpath(folder, written.root).replace(os.sep, "/")
    rocm = find_rocm(os.environ, settings.rocm or None)
    nothing = Build(relative, system.name, "", 0, 0, (), 0.0)
    if rocm is None:
        return nothing._replace(problem="no ROCm found")
    gpus = settings.arch or (() if has_gpu() else (DEFAULT_ARCH,))
    job = SystemJob(os.path.realpath(folder), place, (), gpus, 1, building_environment(os.environ, rocm, gpus, 1))
    missing = missing_programs(system, job)
    if missing:
        return nothing._replace(problem=f"{', '.join(missing)} is not installed")
    if seconds <= 0:
        return nothing._replace(problem="no time is left for it")
    begun = time.time()
    causes = _Causes(announced, root, rocm, relative)
    done = build(system, job, written, causes, seconds=seconds)
    objects, programs = _made([folder, place], begun)
    return Build(
        relative,
        system.name,
        done.failed.does if done.failed is not None else "",
        objects,
        programs,
        causes.causes() or [BuildCause(line, "", 1, "", False) for line in [*done.tail][-1:]],
        round(time.time() - begun, 1),
        "the time limit was reached" if done.is_late else "",
    )


def _files_since(folders: Iterable[str], begun: float) -> Iterator[tuple[str, bytes]]:
    """The files that are not older than a time, each with its first bytes."""
    for top in folders:
        for folder, _, names in os.walk(top):
            for name in names:
                path = os.path.join(folder, name)
                try:
                    if os.path.islink(path) or os.stat(path).st_mtime < begun - 1:
                        continue
                    with open(path, "rb") as file:
                        yield path, file.read(18)
                except OSError:
                    continue


_ELF, _RELOCATABLE, _ARCHIVE = b"\x7fELF", 1, b"!<arch>\n"
_OF_CMAKE = re.compile(r"[/\\](?:CompilerId\w+|CMakeScratch|CMakeTmp)[/\\]|CMakeDetermineCompilerABI|conftest")
"""What CMake and configure make to look at compilers."""


def _made(folders: Iterable[str], begun: float) -> tuple[int, int]:
    """How many objects were made, and how many programs and libraries."""
    objects = programs = 0
    for path, start in _files_since(folders, begun):
        if _OF_CMAKE.search(path):
            continue
        if start.startswith(_ELF):
            is_object = len(start) > 16 and start[16] == _RELOCATABLE
            objects, programs = objects + is_object, programs + (not is_object)
        programs += start.startswith(_ARCHIVE)
    return objects, programs


def _stems(folders: Iterable[str], begun: float) -> set[str]:
    """The base names, without endings, of the objects and programs that were made."""
    return {
        os.path.basename(path).partition(".")[0]
        for path, start in _files_since(folders, begun)
        if start.startswith(_ELF)
    }


_SOURCES = (".cu", ".c", ".cc", ".cpp", ".cxx", ".hip")


def _disproved(report: ConversionReport, root: str, compiled: set[str]) -> Iterator[Disproved]:
    """Errors about sources of which the build has made objects; a base name must be unique to name its source."""
    sources = [result for result in report.results if result.path.endswith(_SOURCES) and result.status != FAILED]
    stems = [os.path.basename(result.path).partition(".")[0] for result in sources]
    for stem, result in zip(stems, sources, strict=True):
        if stem not in compiled or stems.count(stem) > 1:
            continue
        for finding in result.findings:
            if finding.severity == SEVERITIES[-1] and finding.id.startswith(_STOPS_COMPILERS) and finding.offset >= 0:
                path = os.path.relpath(finding.path, root).replace(os.sep, "/")
                yield Disproved(finding.id, finding.name, f"{path}:{finding.line}")
