"""Which files are build files, which module reads them, and which of them may be about CUDA."""

from __future__ import annotations

from os.path import basename

from hipify_py.core.patterns import lazy_pattern
from hipify_py.core.source import SOURCE_SUFFIXES, suffix_of

CMAKE, PRESETS = "CMake", "CMake presets"
MAKE = "Make"
PYTHON, PYPROJECT = "setup.py", "pyproject.toml"
SCONS = "SCons"
XMAKE = "xmake"
MESON = "Meson"
BAZEL = "Bazel"
DOCKER = "Docker"
AUTOCONF = "Autoconf"
VISUAL_STUDIO = "Visual Studio"
SHELL = "shell"
COMMANDS = "compile_commands.json"
CI = "CI"
CONDA = "conda"
COMPOSE = "Docker Compose"

TRANSLATORS = {
    CMAKE: "cmake.translate",
    PRESETS: "cmake.presets",
    PYTHON: "python.translate",
    PYPROJECT: "python.pyproject",
    BAZEL: "python.bazel",
    MAKE: "make.translate",
    AUTOCONF: "autoconf.translate",
    MESON: "meson.translate",
    SHELL: "shell",
    COMMANDS: "compile_commands.translate",
    DOCKER: "docker",
    CI: "ci",
    **dict.fromkeys((XMAKE, SCONS, VISUAL_STUDIO, CONDA, COMPOSE), "by_hand"),
}
"""The modules that translate or report build files, by kind; each has a function `translate`."""

LIST_FILE, MODULE_ENDING = "CMakeLists.txt", ".cmake"
CONFIGURED_ENDING = ".cmake.in"
"""The ending of a template of a module, such as the configuration of an installed package."""

_NAMES = {
    "cmakepresets.json": PRESETS,
    "cmakeuserpresets.json": PRESETS,
    "makefile": MAKE,
    "gnumakefile": MAKE,
    "makefile.am": MAKE,
    "makefile.in": MAKE,
    "setup.py": PYTHON,
    "pyproject.toml": PYPROJECT,
    "sconstruct": SCONS,
    "sconscript": SCONS,
    "meson.build": MESON,
    "xmake.lua": XMAKE,
    "build.bazel": BAZEL,
    "workspace.bazel": BAZEL,
    "module.bazel": BAZEL,
    COMMANDS: COMMANDS,
    "dockerfile": DOCKER,
    "containerfile": DOCKER,
    "configure.ac": AUTOCONF,
    "configure.in": AUTOCONF,
}
_EXACTLY = {LIST_FILE: CMAKE, "BUILD": BAZEL, "WORKSPACE": BAZEL}
_ENDINGS = {
    ".mk": MAKE,
    ".mak": MAKE,
    ".makefile": MAKE,
    ".bzl": BAZEL,
    ".dockerfile": DOCKER,
    ".m4": AUTOCONF,
    ".vcxproj": VISUAL_STUDIO,
    **dict.fromkeys((".sh", ".bash", ".sbatch", ".slurm"), SHELL),
}
_YAML = (".yml", ".yaml")
_IN_YAML = {
    **dict.fromkeys(("meta", "recipe"), CONDA),
    **dict.fromkeys(("compose", "docker-compose"), COMPOSE),
    **dict.fromkeys((".gitlab-ci", ".travis", "appveyor", ".appveyor", ".cirrus", ".drone", "action"), CI),
}
"""YAML files by their names without endings; in folders of CI services, files of any name count."""
_IN_YAML_BY_BEGINNING = {"environment": CONDA, "conda": CONDA, "docker-compose.": COMPOSE, "azure-pipelines": CI}
_FOLDERS_OF_CI = (".github/workflows/", ".circleci/", ".gitlab/ci/", ".buildkite/", ".azure-pipelines/")

_BEGINNINGS = {"dockerfile.": DOCKER, "containerfile.": DOCKER, "makefile.": MAKE}

_SETUP = lazy_pattern(r"^setup_?(?:ext|utils|helpers?|cuda|gpu)|(?<!test)_setup$")
_HOOKS = frozenset({"hatch_build", "build_ext", "build_extension", "build_extensions", "build_cuda", "custom_build"})
"""Python files that setup.py imports, or that other backends run, by their usual names."""

_LIBTOOLS_OWN = frozenset({"libtool.m4", "ltmain.sh"})
"""Files that libtool copies into every project: they name nvcc among all other compilers."""
_CMAKES_OWN = frozenset({"FindCUDA.cmake", "FindCUDAToolkit.cmake"})

_HINTS = (
    b"cuda",
    b"nvcc",
    b".cu",
    b"nccl",
    b"cublas",
    b"cufft",
    b"cudnn",
    b"nvrtc",
    b"curand",
    b"cusparse",
    b"cusolver",
    b"nvidia",
    b"nsys",
    b"+cu1",
    b"/cu1",
)


def kind_of(path: str) -> str:
    """The kind of a file of this name (`CMAKE`, `MAKE` ...); empty if it is not a build file."""
    name = basename(path)
    if name in _EXACTLY:
        return _EXACTLY[name]
    if name.endswith((MODULE_ENDING, CONFIGURED_ENDING)):  # `x.hpp.cmake` is a template of a source
        return CMAKE if suffix_of(name) not in SOURCE_SUFFIXES else ""
    low = name.lower()
    if low in _LIBTOOLS_OWN:
        return ""
    if low.endswith(_YAML):
        return _kind_in_yaml(path, low.rpartition(".")[0])
    if low in _NAMES:
        return _NAMES[low]
    beginning, dot, ending = low.rpartition(".")
    if ending == "py" and (beginning in _HOOKS or _SETUP.search(beginning)):
        return PYTHON
    return _ENDINGS.get(dot + ending) or _BEGINNINGS.get(f"{beginning.partition('.')[0]}.", "")


def kind_of_build_file(path: str) -> str:
    """The kind of a file that is known to be a build file: makefiles include files of any name."""
    return kind_of(path) or MAKE


def _kind_in_yaml(path: str, name: str) -> str:
    if name in _IN_YAML:
        return _IN_YAML[name]
    folders = f"/{path.replace(chr(92), '/')}"
    if any(f"/{folder}" in folders for folder in _FOLDERS_OF_CI):
        return CI
    return next((kind for beginning, kind in _IN_YAML_BY_BEGINNING.items() if name.startswith(beginning)), "")


def is_copy_of_cmakes(path: str) -> bool:
    """Whether it is a copy of CMake's own module for CUDA, which nothing uses any more when it finds HIP."""
    parts = path.replace("\\", "/").split("/")
    return parts[-1] in _CMAKES_OWN or "FindCUDA" in parts[:-1]


def is_build_file(path: str) -> bool:
    """Whether a name is that of a build file that is translated or reported."""
    return kind_of(path) in TRANSLATORS


def may_have_cuda(data: bytes) -> bool:
    """Whether a file may be about CUDA: false only for a file that names nothing from CUDA."""
    lower = data.lower()
    return any(hint in lower for hint in _HINTS)
