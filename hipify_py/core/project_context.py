"""The facts about a file that the rest of its project provides: gathered by `hipify_py.project`, read by the rules."""

from __future__ import annotations

from collections.abc import Mapping, Set
from os.path import splitext
from typing import TYPE_CHECKING, Any, NamedTuple

from hipify_py.core.clang_facts import NO_EVIDENCE, Evidence

if TYPE_CHECKING:
    from hipify_py.core.renamed_paths import RenamedFiles, Respelling

_NO_RENAMES: Mapping[str, str] = {}

Question = tuple[str, str, str]
"""A question about the names of a project's files: its kind, a path, and for some kinds another path."""

_HAS, _HAS_ENDING, _NEW_NAME, _ENDINGS = "has", "has ending", "new name", "endings"
_RESPELLED, _RESPELLED_BELOW, _NEW_ENDING = "respelled", "respelled below", "new ending"
_FOLDERS, _NEW_FOLDER, _CHANGED_ENDINGS = "folders", "new folder", "changed endings"
_NEW_OUTPUT = "new output"

SEEN = (CONTENT, ARGUMENTS, LISTED) = ("content", "arguments", "listed")
"""Kinds of questions that libclang's view of the project answers: a file's content, how a file is parsed, and which
headers a folder has."""


_NO_FUNCTIONS: Mapping[bytes, tuple[Any, ...]] = {}
_NO_ATTRIBUTES: Mapping[bytes, frozenset[bytes]] = {}
_NO_POSITIONS: Mapping[bytes, frozenset[int]] = {}


class OwnName(NamedTuple):
    """An API's name that a class or namespace uses for its own entity: the scope's full name, and its kind."""

    scope: bytes
    name: bytes
    is_member: bool
    is_function: bool


class OwnMacro(NamedTuple):
    """A macro of a header with an API's name, and whether it has a list of parameters."""

    name: bytes
    is_function_like: bool


class NamespaceName(NamedTuple):
    """A name that a scope of a header gives to a namespace of the tables.

    Attributes:
        scope: the full name of the namespace around it; empty at file level.
        alias: the given name; empty for `using namespace`.
        target: the full name of the namespace it refers to.
    """

    scope: bytes
    alias: bytes
    target: bytes


NOBODY, TESTED, SET = "", "tested", "set"
"""Who decides on the toolkit's folder in makefiles."""


class MakeContext(NamedTuple):
    """The facts about the variables of makefiles that are read together.

    Attributes:
        has_cuda: they call nvcc or link CUDA's libraries.
        compilers: the variables that hold nvcc and are run; those in `mixed` may hold another compiler too.
        for_nvcc: variables with options for nvcc and no other compiler.
        mixed: variables used for nvcc and other compilers.
        architectures: variables that hold only the name of a GPU architecture, and have no other use.
        roots: the well-known names of the variables for the folder of the CUDA toolkit.
        toolkits: other variables that hold it.
        includes: variables that hold the folder of its headers.
        libraries: the libraries that the project builds.
        linked: variables whose words are names of linked libraries.
        hosts: variables that hold a host compiler.
        host_sources: the C and C++ sources that include CUDA's headers, by their paths from the folder of the makefile
            that make begins with; those outside of it by `../` and their names.
        searched: variables with the folder of the toolkit's headers among their words.
        with_headers: these, and variables that work with their words in another way.
        with_root: variables with the toolkit's folder itself among their words.
        root: who decides on the toolkit's folder: one of them sets it (`SET`), one of them tests for it (`TESTED`), or
            `NOBODY`.
        is_separable: whether they compile device code that is linked later.
        compiling: the variables with options that stop before linking.
        relocatable: variables with the option that makes device code relocatable.
        chooses_gpus: whether they name GPU architectures.
        gpus: the variables with options that name them.
        lacking: what this makefile includes and the tree has nowhere: paths as written, and within the tree.
        own_hip: the makefile that already builds for HIP; empty if none does.
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
    host_sources: frozenset[str] = frozenset()
    searched: frozenset[str] = frozenset()
    with_headers: frozenset[str] = frozenset()
    with_root: frozenset[str] = frozenset()
    root: str = NOBODY
    is_separable: bool = False
    compiling: frozenset[str] = frozenset()
    relocatable: frozenset[str] = frozenset()
    chooses_gpus: bool = False
    gpus: frozenset[str] = frozenset()
    lacking: tuple[tuple[str, str], ...] = ()
    own_hip: str = ""


class BuildContext(NamedTuple):
    """The facts that a project's build files provide about one of them.

    Attributes:
        has_cuda: whether they enable CUDA.
        has_language: whether they enable CMake's CUDA language, not only FindCUDA.
        owns_nvcc_flags: whether CUDA_NVCC_FLAGS is a variable of their own, because they do not use FindCUDA.
        packages: the CMake packages that this file must find, for itself and for those below it.
        finds_sources: whether this file must mark the `.cu` sources of all targets below it as HIP.
        walks: whether one of them does that, so that no other file names its sources.
        marks_targets: whether each file marks the `.cu` sources of the targets that get them in `source_variables`.
        source_variables: the variables that may hold `.cu` sources.
        hip_only: C++ sources below it that only HIP's compiler accepts, relative to its folder.
        names_platform: whether C++ sources below it include HIP's headers without linking `hip::host`.
        targets: the targets that they define.
        variables: the variables that they set.
        linked: the variables whose values are linked libraries.
        moved: where given folders go in the output.
        own_hip: the build file that already builds for HIP; empty if none does.
        needs_cpp17: whether the sources include libraries built on rocPRIM (Thrust, CUB).
        inherited: the standards of C++ that the HIP sources of this file and those below it take over.
        leads: whether files below it enable CUDA and use the CMake version that it requires.
        lifts_language: whether it must enable HIP for everything that links what those below it compile.
        make: for a makefile, the facts from those read with it; None if unknown.
    """

    has_cuda: bool = False
    has_language: bool = False
    owns_nvcc_flags: bool = False
    packages: tuple[str, ...] = ()
    finds_sources: bool = False
    walks: bool = False
    marks_targets: bool = False
    source_variables: frozenset[str] = frozenset()
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
    inherited: frozenset[str] = frozenset()
    make: MakeContext | None = None


NO_BUILD = BuildContext()


class DeviceAddresses(NamedTuple):
    """What headers declare with `CUdeviceptr`, and where they take numbers.

    Attributes:
        names: variables, members and functions that all of their declarations give this type, each after its class,
            which is empty outside of classes. A class has its bases' members, too.
        numbers: the functions, each with the positions at which all of its overloads take numbers.
        macros: the macros that compute with their arguments as numbers.
    """

    names: frozenset[tuple[bytes, bytes]] = frozenset()
    numbers: Mapping[bytes, frozenset[int]] = _NO_POSITIONS
    macros: frozenset[bytes] = frozenset()

    def mentioned(self, words: Set[bytes]) -> DeviceAddresses:
        """What matters to a file with some words."""
        return DeviceAddresses(
            frozenset((owner, name) for owner, name in self.names if name in words),
            {name: positions for name, positions in self.numbers.items() if name in words},
            self.macros & words,
        )


NO_ADDRESSES = DeviceAddresses()


class ProjectContext(NamedTuple):
    """The facts about a file from its project.

    Attributes:
        local_headers: relative paths of the project's own files; a quoted include that names one of them is the
            project's, even if it has the name of a CUDA header.
        renames: the new names of renamed files by old name; includes of them are adapted.
        renamed_words: the words that the names of renamed files and folders have others for.
        author_names: names that AMD branches of other files decide about regarding warps, and everything that depends
            on them.
        author_sizes: the warp sizes that AMD branches choose in files compiled with those that this one is compiled
            with.
        chooses_warps: whether AMD branches of the file itself choose a warp size or a mask type.
        deciding_includes: the paths, as written, of includes that only the project's own AMD build uses, and that lead
            to what AMD branches decide.
        runtime_includes: the paths, as written, of includes of the project's headers that surely bring the runtime's
            header, before anything in them needs it.
        plain_includes: the paths, as written, of includes of the project's headers for which nothing needs the runtime.
        implied_macros: the macros that some file of the project defines whenever hipcc compiles for AMD GPUs.
        is_hip_port: whether the file is the HIP counterpart of one that the project also has for CUDA: `hip/x.h` beside
            `cuda/x.h`.
        group_aliases: the names that the other files give to types of thread groups of a warp.
        group_votes: whether threads of groups vote in files that this one is compiled with.
        native_warps: whether all files that this one is compiled with provably count their warps in `warpSize`.
        has_device_warps: whether everything that the file is linked with is known, and no warp of it is kept at 32
            lanes: the size that host code reads from the device is then the program's.
        own_names: API names that classes and namespaces of the headers use for something of their own.
        reexports: API names that namespaces and classes of the headers declare again, each with the scope's full name.
        namespace_names: the headers' names for namespaces of the tables.
        macros: macros with API names of headers that the file includes, in all builds for AMD GPUs.
        renamed_macros: API names of macros that not all files compiled with their definitions surely see: they are
            renamed with all uses, so that the files agree.
        constructed: classes of the headers whose variables are constructed (see `semantics/constructors.py`).
        build: for a build file, the facts from the others.
        evidence: for a source, a compiler's answers to the doubts that it leaves.
        asked: a record of the questions about `local_headers` and `renames`, of which most files ask few: the answers
            by question (see `answer`); None for no record.
        shared_textures: texture references of the file that other files use as well.
        other_handles: handles of textures that the file declares as surfaces, and the reverse.
        opens_std: whether a header that the file sees says `using namespace std;`.
        attributes: the macros of headers that it sees which stand for `__host__` or `__device__`, with these.
        addresses: what the headers that it sees declare with `CUdeviceptr`, if it uses that type itself.
        waiting_functions: what functions and macros of other files wait for, read and write, by name, as plain data
            (see `dataflow.plain`).
        is_run_time_source: whether a program hands the source to a compiler while it runs: hipRTC compiles it, without
            files to include, and what it calls of the host is elsewhere.
        cython_names: for a file of Cython, the API names that files of the project declare from CUDA's headers, and
            none from a header of its own.
        run_time_names: for a Python program, names of its sources that other programs have compiled at run time.
    """

    local_headers: frozenset[str] = frozenset()
    renames: Mapping[str, str] = _NO_RENAMES
    renamed_words: Mapping[str, str] = _NO_RENAMES
    author_names: frozenset[bytes] = frozenset()
    author_sizes: frozenset[bytes] = frozenset()
    chooses_warps: bool = False
    deciding_includes: frozenset[str] = frozenset()
    runtime_includes: frozenset[str] = frozenset()
    plain_includes: frozenset[str] = frozenset()
    implied_macros: frozenset[bytes] = frozenset()
    is_hip_port: bool = False
    group_aliases: frozenset[bytes] = frozenset()
    group_votes: bool = False
    native_warps: bool = False
    has_device_warps: bool = False
    own_names: frozenset[OwnName] = frozenset()
    reexports: frozenset[tuple[bytes, bytes]] = frozenset()
    namespace_names: frozenset[NamespaceName] = frozenset()
    macros: frozenset[OwnMacro] = frozenset()
    renamed_macros: frozenset[bytes] = frozenset()
    constructed: frozenset[bytes] = frozenset()
    build: BuildContext = NO_BUILD
    evidence: Evidence = NO_EVIDENCE
    asked: dict[Question, Any] | None = None
    shared_textures: frozenset[bytes] = frozenset()
    other_handles: frozenset[bytes] = frozenset()
    opens_std: bool = False
    attributes: Mapping[bytes, frozenset[bytes]] = _NO_ATTRIBUTES
    addresses: DeviceAddresses = NO_ADDRESSES
    waiting_functions: Mapping[bytes, tuple[Any, ...]] = _NO_FUNCTIONS
    is_run_time_source: bool = False
    cython_names: frozenset[str] = frozenset()
    run_time_names: frozenset[str] = frozenset()


NO_PROJECT = ProjectContext()
"""The context of a file without a project."""


def answer(project: ProjectContext, question: Question) -> Any:
    """A project's answer to a question about the names of its files; recorded if the context requires it.

    The rules use the functions below, and do not access `local_headers` and `renames` themselves.
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
    elif kind == _NEW_OUTPUT:
        found = _renamed_files(project).output_of(path, other)
    elif kind == _CHANGED_ENDINGS:
        pairs = ((splitext(old)[1], splitext(new)[1]) for old, new in project.renames.items())
        found = tuple(sorted({old for old, new in pairs if old != new}))
    elif kind == _FOLDERS:
        found = _renamed_files(project).folder_names
    elif kind == _NEW_FOLDER:
        found = _renamed_files(project).new_folder(path, other)
    else:
        found = _endings(project.renames)
    if project.asked is not None:
        project.asked[question] = found
    return found


def calls_namespace(project: ProjectContext, words: Set[bytes], namespace: bytes) -> bool:
    """Whether a source with these words may use a namespace by a name that the headers give to it."""
    return any(
        (not name.alias or name.alias in words) and name.target.partition(b"::")[0] == namespace
        for name in project.namespace_names
    )


def has_file(project: ProjectContext, path: str) -> bool:
    """Whether one of the project's files has this path."""
    return bool(answer(project, (_HAS, path, "")))


def has_file_ending(project: ProjectContext, path: str) -> bool:
    """Whether one of the project's files has this path in any folder."""
    return bool(answer(project, (_HAS_ENDING, path, "")))


def renamed_endings(project: ProjectContext) -> tuple[str, ...]:
    """The endings of the renamed files, with their dots."""
    return tuple(answer(project, (_ENDINGS, "", "")))


def new_name(project: ProjectContext, place: str, written: str) -> str | None:
    """The new name of an included file: by the place that the include leads to, else by the path as written."""
    found: str | None = answer(project, (_NEW_NAME, place, written))
    return found


def respelled(project: ProjectContext, folder: str, masked: str, *, is_deep: bool = False) -> Respelling | None:
    """The new spelling of a path or a glob that names renamed files; see `RenamedFiles.respelled`."""
    if not renamed_endings(project):
        return None
    found = answer(project, (_RESPELLED_BELOW if is_deep else _RESPELLED, folder, masked))
    from hipify_py.core.renamed_paths import Respelling

    return None if found is None else Respelling(found[0], tuple(found[1]))


def changed_endings(project: ProjectContext) -> tuple[str, ...]:
    """The endings of the renamed files that have another ending now, with their dots."""
    return tuple(answer(project, (_CHANGED_ENDINGS, "", "")))


def renamed_folders(project: ProjectContext) -> tuple[str, ...]:
    """The names of the renamed folders."""
    return tuple(answer(project, (_FOLDERS, "", ""))) if project.renamed_words else ()


def new_folder(project: ProjectContext, folder: str, masked: str) -> str | None:
    """The new spelling of a renamed folder's path; None for any other. See `RenamedFiles.new_folder`."""
    found: str | None = answer(project, (_NEW_FOLDER, folder, masked)) if renamed_folders(project) else None
    return found


def new_output(project: ProjectContext, folder: str, masked: str) -> str | None:
    """The new spelling of a path to what is made of a renamed file, if it is one. See `RenamedFiles.output_of`."""
    found: str | None = answer(project, (_NEW_OUTPUT, folder, masked)) if project.renamed_words else None
    return found


def may_name_renamed(project: ProjectContext, data: bytes) -> bool:
    """False only for a text that names none of the renamed files and folders."""
    return any(ending[1:].encode() in data for ending in renamed_endings(project)) or any(
        name.encode() in data for name in renamed_folders(project)
    )


def new_ending(project: ProjectContext, ending: str) -> str | None:
    """The new ending of all of the project's files with an ending; None if they keep it, or get different ones."""
    found: str | None = answer(project, (_NEW_ENDING, ending, "")) if renamed_endings(project) else None
    return found


_known_endings: tuple[Mapping[str, str], tuple[str, ...]] = (_NO_RENAMES, ())
_known_names: tuple[frozenset[str], Mapping[str, list[str]]] = (frozenset(), {})


_known_files: tuple[frozenset[str], Mapping[str, str], RenamedFiles | None] = (frozenset(), _NO_RENAMES, None)


def _renamed_files(project: ProjectContext) -> RenamedFiles:
    """Computed once for the files of a run."""
    global _known_files
    from hipify_py.core.renamed_paths import RenamedFiles

    files, renames, found = _known_files
    if found is None or files is not project.local_headers or renames is not project.renames:
        found = RenamedFiles(project.local_headers, project.renames, project.renamed_words)
        _known_files = (project.local_headers, project.renames, found)
    return found


def _endings(renames: Mapping[str, str]) -> tuple[str, ...]:
    """Computed once for the one mapping of a run."""
    global _known_endings
    if _known_endings[0] is not renames:
        _known_endings = (renames, tuple(sorted({splitext(old)[1] for old in renames})))
    return _known_endings[1]


def _by_name(files: frozenset[str]) -> Mapping[str, list[str]]:
    """The files by the last part of their paths; computed once for the one set of a run."""
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
