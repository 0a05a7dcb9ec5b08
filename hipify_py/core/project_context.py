"""What the other files of a project say of one of its files: found out by `hipify_py.project`, read by the rules."""

from __future__ import annotations

from collections.abc import Mapping, Set
from os.path import splitext
from typing import TYPE_CHECKING, Any, NamedTuple

from hipify_py.core.clang_facts import NO_EVIDENCE, Evidence

if TYPE_CHECKING:
    from hipify_py.core.renamed_paths import RenamedFiles, Respelling

_NO_RENAMES: Mapping[str, str] = {}

Question = tuple[str, str, str]
"""What is asked of the names of a project's files: its kind, a path, and for some kinds another one."""

_HAS, _HAS_ENDING, _NEW_NAME, _ENDINGS = "has", "has ending", "new name", "endings"
_RESPELLED, _RESPELLED_BELOW, _NEW_ENDING = "respelled", "respelled below", "new ending"

SEEN = (CONTENT, ARGUMENTS, LISTED) = ("content", "arguments", "listed")
"""Kinds of questions that libclang's view of the project answers: what a file holds, how one is parsed, and which
headers a folder has."""


_NO_FUNCTIONS: Mapping[bytes, tuple[Any, ...]] = {}


class OwnName(NamedTuple):
    """An API's name that a class or namespace has for something of its own: the scope's full name, and what it is."""

    scope: bytes
    name: bytes
    is_member: bool
    is_function: bool


class NamespaceName(NamedTuple):
    """What a scope of a header calls a namespace of the tables.

    Attributes:
        scope: the full name of the namespace around it; empty at file level.
        alias: the name that it gives; empty for `using namespace`.
        target: the full name of the namespace that is meant.
    """

    scope: bytes
    alias: bytes
    target: bytes


NOBODY, TESTED, SET = "", "tested", "set"
"""Who decides on the folder of the toolkit in makefiles."""


class MakeContext(NamedTuple):
    """What the makefiles that are read together say of their variables.

    Attributes:
        has_cuda: they call nvcc or link CUDA's libraries.
        compilers: the variables that hold nvcc, and are run; those of `mixed` may hold another compiler too.
        for_nvcc: those that are options of nvcc, and of no other compiler.
        mixed: those that nvcc and other compilers are given.
        architectures: those that hold nothing but the name of a GPU architecture, and are used for nothing else.
        roots: the well-known names that stand for the folder of the CUDA toolkit.
        toolkits: other variables that hold it.
        includes: those that hold the folder of its headers.
        libraries: the libraries that the project builds.
        linked: those whose words are names of libraries that are linked.
        hosts: those that hold a compiler of the host.
        searched: those that have the folder of the toolkit's headers among their words.
        with_root: those that have the toolkit's folder itself among their words.
        root: who decides on the toolkit's folder: `SET` by one of them, `TESTED` for by one of them, or `NOBODY`.
        is_separable: they compile device code that is linked later.
        compiling: the variables with options that stop before linking.
        relocatable: those with the option that makes device code relocatable.
        chooses_gpus: they name GPU architectures.
        gpus: the variables with options that do.
        own_hip: the makefile that builds for HIP already; empty where none does.
    """

    has_cuda: bool = False
    compilers: frozenset[str] = frozenset()
    for_nvcc: frozenset[str] = frozenset()
    mixed: frozenset[str] = frozenset()
    architectures: frozenset[str] = frozenset()
    roots: frozenset[str] = frozenset()
    toolkits: frozenset[str] = frozenset()
    includes: frozenset[str] = frozenset()
    libraries: frozenset[str] = frozenset()
    linked: frozenset[str] = frozenset()
    hosts: frozenset[str] = frozenset()
    searched: frozenset[str] = frozenset()
    with_root: frozenset[str] = frozenset()
    root: str = NOBODY
    is_separable: bool = False
    compiling: frozenset[str] = frozenset()
    relocatable: frozenset[str] = frozenset()
    chooses_gpus: bool = False
    gpus: frozenset[str] = frozenset()
    own_hip: str = ""


class BuildContext(NamedTuple):
    """What the build files of a project say of one of them.

    Attributes:
        has_cuda: they turn CUDA on.
        has_language: they turn CMake's CUDA language on, not only FindCUDA.
        packages: the CMake packages that this one is to find, for itself and for those below it.
        finds_sources: this one is to see to it that the `.cu` sources of all targets below it are HIP.
        walks: one of them does that, so that no other names its sources.
        hip_only: C++ sources below it that only HIP's compiler takes, as seen from its folder.
        names_platform: sources of C++ below it include HIP's headers without linking `hip::host`.
        targets: the targets that they make.
        variables: the variables that they set.
        linked: the variables whose values are libraries that get linked.
        moved: where given folders go in the output.
        own_hip: the build file that builds for HIP already; empty where none does.
        needs_cpp17: the sources include what stands on rocPRIM (Thrust, CUB).
        inherits_old: this one is to give HIP sources a standard, or they take over one of C++ sources before C++17.
        leads: files below it turn CUDA on, and the version of CMake that it asks for is theirs.
        lifts_language: it is to turn HIP on for all that links what those below it compile.
        make: of a makefile, what those that are read with it say; None where that is not known.
    """

    has_cuda: bool = False
    has_language: bool = False
    packages: tuple[str, ...] = ()
    finds_sources: bool = False
    walks: bool = False
    hip_only: tuple[str, ...] = ()
    names_platform: bool = False
    targets: frozenset[str] = frozenset()
    variables: frozenset[str] = frozenset()
    linked: frozenset[str] = frozenset()
    own_hip: str = ""
    moved: tuple[tuple[str, str], ...] = ()
    leads: bool = False
    lifts_language: bool = False
    needs_cpp17: bool = False
    inherits_old: bool = False
    make: MakeContext | None = None


NO_BUILD = BuildContext()


class ProjectContext(NamedTuple):
    """What a file's project says of it.

    Attributes:
        local_headers: relative paths of the project's own files; a quoted include that names one of
            them is the project's, whatever CUDA header it is named like.
        renames: renamed files' new names by old name; includes that name them follow.
        author_names: what the other files' AMD branches decide about warps, and all that goes by it, by name.
        author_sizes: the sizes of warps that AMD branches choose in files that are compiled with those that this one is
            compiled with.
        chooses_warps: AMD branches of the file itself choose a warp's size, or a type of masks.
        deciding_includes: the paths, as written, of includes that only the project's own build for AMD GPUs takes, and
            that lead to what AMD branches decide.
        implied_macros: the macros that some file of the project defines wherever hipcc compiles for AMD GPUs.
        is_hip_port: the file is the HIP side of one that the project has for CUDA as well: `hip/x.h` beside `cuda/x.h`.
        group_aliases: the names that the other files give to types of groups of the threads of a warp.
        group_votes: threads of groups vote in files that this one is compiled with.
        native_warps: all files that this one is compiled with are proved to count their warps in `warpSize`.
        has_device_warps: all that the file is linked with is known, and no warp of it is kept at 32 lanes: the size
            that host code reads of the device is the program's.
        own_names: API names that classes and namespaces of the headers give to something of their own.
        reexports: API names that namespaces and classes of the headers take up, each with the scope's full name.
        namespace_names: what the headers call namespaces of the tables.
        macros: macros of the headers that take API names over.
        constructed: classes of the headers whose variables are constructed (see `semantics/constructors.py`).
        build: of a build file, what the other ones say.
        evidence: of a source, what a compiler's view of it says to the doubts that it leaves.
        asked: where it is to be noted what is asked of `local_headers` and `renames`, which most files hardly touch:
            the answers by question (see `answer`).
        waiting_functions: what functions and macros of other files wait for, look at and write, by their names, as
            plain data (see `dataflow.plain`).
    """

    local_headers: frozenset[str] = frozenset()
    renames: Mapping[str, str] = _NO_RENAMES
    author_names: frozenset[bytes] = frozenset()
    author_sizes: frozenset[bytes] = frozenset()
    chooses_warps: bool = False
    deciding_includes: frozenset[str] = frozenset()
    implied_macros: frozenset[bytes] = frozenset()
    is_hip_port: bool = False
    group_aliases: frozenset[bytes] = frozenset()
    group_votes: bool = False
    native_warps: bool = False
    has_device_warps: bool = False
    own_names: frozenset[OwnName] = frozenset()
    reexports: frozenset[tuple[bytes, bytes]] = frozenset()
    namespace_names: frozenset[NamespaceName] = frozenset()
    macros: frozenset[bytes] = frozenset()
    constructed: frozenset[bytes] = frozenset()
    build: BuildContext = NO_BUILD
    evidence: Evidence = NO_EVIDENCE
    asked: dict[Question, Any] | None = None
    waiting_functions: Mapping[bytes, tuple[Any, ...]] = _NO_FUNCTIONS


NO_PROJECT = ProjectContext()
"""For a file that stands alone."""


def answer(project: ProjectContext, question: Question) -> Any:
    """What a project says to a question about the names of its files; noted where the context wants that.

    The rules ask by the functions below, and do not look into `local_headers` and `renames` themselves.
    """
    kind, path, other = question
    found: Any
    if kind == _HAS:
        found = path in project.local_headers
    elif kind == _HAS_ENDING:
        files = _by_name(project.local_headers).get(path.rpartition("/")[2], ())
        found = any(file == path or file.endswith("/" + path) for file in files)
    elif kind == _NEW_NAME:
        found = _new_name(project.renames, path, other)
    elif kind in {_RESPELLED, _RESPELLED_BELOW}:
        found = _renamed_files(project).respelled(path, other, is_deep=kind == _RESPELLED_BELOW)
        found = None if found is None else tuple(found)
    elif kind == _NEW_ENDING:
        found = _renamed_files(project).new_ending(path)
    else:
        found = _endings(project.renames)
    if project.asked is not None:
        project.asked[question] = found
    return found


def calls_namespace(project: ProjectContext, words: Set[bytes], namespace: bytes) -> bool:
    """A source of these words may use a namespace by a name that the headers give to it."""
    return any(
        (not name.alias or name.alias in words) and name.target.partition(b"::")[0] == namespace
        for name in project.namespace_names
    )


def has_file(project: ProjectContext, path: str) -> bool:
    """One of the project's files has this path."""
    return bool(answer(project, (_HAS, path, "")))


def has_file_ending(project: ProjectContext, path: str) -> bool:
    """One of the project's files has this path in whatever folder."""
    return bool(answer(project, (_HAS_ENDING, path, "")))


def renamed_endings(project: ProjectContext) -> tuple[str, ...]:
    """The endings of the renamed files, with their dots."""
    return tuple(answer(project, (_ENDINGS, "", "")))


def new_name(project: ProjectContext, place: str, written: str) -> str | None:
    """The new name of a file that an include names: by the place that it leads to, else by the path as written."""
    found: str | None = answer(project, (_NEW_NAME, place, written))
    return found


def respelled(project: ProjectContext, folder: str, masked: str, *, is_deep: bool = False) -> Respelling | None:
    """What becomes of a path or a glob that names renamed files; see `RenamedFiles.respelled`."""
    if not renamed_endings(project):
        return None
    found = answer(project, (_RESPELLED_BELOW if is_deep else _RESPELLED, folder, masked))
    from hipify_py.core.renamed_paths import Respelling

    return None if found is None else Respelling(found[0], tuple(found[1]))


def new_ending(project: ProjectContext, ending: str) -> str | None:
    """The ending that all of the project's files with an ending get; None where they keep it, or differ."""
    found: str | None = answer(project, (_NEW_ENDING, ending, "")) if renamed_endings(project) else None
    return found


_known_endings: tuple[Mapping[str, str], tuple[str, ...]] = (_NO_RENAMES, ())
_known_names: tuple[frozenset[str], Mapping[str, list[str]]] = (frozenset(), {})


_known_files: tuple[frozenset[str], Mapping[str, str], RenamedFiles | None] = (frozenset(), _NO_RENAMES, None)


def _renamed_files(project: ProjectContext) -> RenamedFiles:
    """Gathered once for the files of a run."""
    global _known_files
    from hipify_py.core.renamed_paths import RenamedFiles

    files, renames, found = _known_files
    if found is None or files is not project.local_headers or renames is not project.renames:
        found = RenamedFiles(project.local_headers, project.renames)
        _known_files = (project.local_headers, project.renames, found)
    return found


def _endings(renames: Mapping[str, str]) -> tuple[str, ...]:
    """Gathered once for the one mapping that a run has."""
    global _known_endings
    if _known_endings[0] is not renames:
        _known_endings = (renames, tuple(sorted({splitext(old)[1] for old in renames})))
    return _known_endings[1]


def _by_name(files: frozenset[str]) -> Mapping[str, list[str]]:
    """The files by the last part of their paths; gathered once for the one set that a run has."""
    global _known_names
    if _known_names[0] is not files:
        names: dict[str, list[str]] = {}
        for file in files:
            names.setdefault(file.rpartition("/")[2], []).append(file)
        _known_names = (files, names)
    return _known_names[1]


def _new_name(renames: Mapping[str, str], place: str, written: str) -> str | None:
    found = renames.get(place)
    if found is not None:
        return found
    return next((new for old, new in renames.items() if ("/" + old).endswith("/" + written)), None)
