"""Finds out what each command is, and passes it to the module that translates it."""

from __future__ import annotations

import re
from posixpath import basename

from hipify_py.build_systems.commands.compilers import to_hipcc, translate_call_of_host, translate_call_of_nvcc
from hipify_py.build_systems.commands.containers import CONTAINERS, translate_container
from hipify_py.build_systems.commands.options import translate_options_in_value
from hipify_py.build_systems.commands.reading import REFERENCE, commands_in, declared, found_in, is_quoted, ranges
from hipify_py.build_systems.commands.site import InnerSite, Site, drop_words
from hipify_py.build_systems.commands.toolkit import (
    HIPCC,
    NVCC,
    ROCM,
    ROCM_PATH,
    TOOLKIT,
    holds_nvcc,
    is_nvcc,
    knows_rocm,
)
from hipify_py.build_systems.commands.variables import Variables
from hipify_py.build_systems.environment_facts import advice_on_package, environment_facts, is_in_image
from hipify_py.build_systems.file import BuildFile
from hipify_py.build_systems.renames import folder_of, masked, new_folder_word, new_spelling
from hipify_py.build_systems.shell_words import WORD, Command, ShellText, Word, assigned
from hipify_py.core.project_context import NO_PROJECT, ProjectContext, renamed_endings

# Where the toolkit is: the variables that name its place, and paths into its folder.

_BELOW = re.compile(rb"[\"']?(/lib(?:64|\$\{\w+\}|\$\w+)|/bin/nvcc)(?![\w.-])")


def translate_references(site: Site, word: Word, variables: Variables) -> None:
    """Rename the variables that name CUDA's place."""
    data = site.shell.data
    for match in found_in(REFERENCE, site.shell, word):
        group = 1 if match[1] else 2
        name = match[group].decode()
        if not variables.is_renamed(name) or is_quoted(word, match.start()):
            continue
        site.replace(match.start(group), match.end(group), ROCM_PATH)
        site.file.converted(site.at(match.start(group)), name, "environment")
        behind = match.end() + (data[match.end() : match.end() + 1] == b"}")
        _below(site, behind, word.end)


def translate_paths(site: Site, word: Word, variables: Variables) -> None:
    """Write paths into ROCm in place of those into the toolkit; and bare names of variables."""
    for match in found_in(TOOLKIT, site.shell, word):
        site.replace(match.start(), match.end(), ROCM)
        site.file.converted(site.at(match.start()), match[0].decode("utf-8", "surrogateescape"), "path")
        _below(site, match.end(), word.end)
    if word.is_plain and variables.is_renamed(word.text):
        site.replace(word.start, word.end, ROCM_PATH)
        site.file.converted(site.at(word.start), word.text, "environment")


def _below(site: Site, at: int, end: int) -> None:
    """Translate what follows the toolkit's folder in a path."""
    match = _BELOW.match(site.shell.data, at, end)
    if match is not None:
        site.replace(match.start(1), match.end(1), "/lib" if match[1].startswith(b"/lib") else f"/bin/{HIPCC}")


# CMake variables that command lines set: `cmake -DCMAKE_CUDA_COMPILER=…`.

_DEFINES = "-D"
_NAME_END = re.compile("[:=]")


def translate_call_of_cmake(site: Site, command: Command) -> None:
    """Translate the variables among the arguments of cmake."""
    gone: list[int] = []
    words = command.words
    for at, word in enumerate(words[1:], 1):
        if word.text == _DEFINES:
            if at + 1 < len(words) and _variable(site, words[at + 1], 0):
                gone += [at, at + 1]
        elif word.text.startswith(_DEFINES) and _variable(site, word, len(_DEFINES)):
            gone.append(at)
    drop_words(site, words, gone)


def translate_flags_of_cmake(site: Site, word: Word) -> None:
    """Translate the variables in the value of an assignment."""
    quote = word.quotes[0] if len(word.quotes) == 1 and word.quotes[0].mark != "$'" else None
    if quote is not None:
        inner = InnerSite(site, quote)
        words = [one for one in inner.shell.words() if one.kind == WORD]
        gone = [
            n for n, one in enumerate(words) if one.text.startswith(_DEFINES) and _variable(inner, one, len(_DEFINES))
        ]
        drop_words(inner, words, gone)


def _variable(site: Site, word: Word, offset: int) -> bool:
    """Translate a variable that a word sets after an offset; True if the word has to go."""
    file = site.file
    name = _NAME_END.split(word.text[offset:], maxsplit=1)[0]
    row = file.facts.variables.get(name)
    if row is None:
        return False
    place = site.at(word.start)
    if row.get("set") == "drop" or (row.get("found") and "unsupported" not in row):
        file.converted(place, name, "variable")
        if "finding" in row:
            file.finding(row["finding"], place, name)
        return True
    at = site.shell.data.find(name.encode(), word.start, word.end)
    if "hip" in row and at >= 0:
        site.replace(at, at + len(name), row["hip"])
        file.converted(place, name, "variable")
    elif "unsupported" in row:
        file.left("HIP601", place, name, "variable", row["unsupported"])
    if "holds" in row:
        translate_options_in_value(site, word)
    return False


# Variables that command lines set, and their values.


def translate_assignment(site: Site, word: Word, variables: Variables) -> None:
    """Translate a variable that a command sets, with its value."""
    name = assigned(word)
    if not name:
        return
    if name in variables.kept:
        detail = "it holds a CUDA path on Windows; HIP_PATH has the path of the HIP SDK"
        site.file.finding("HIP605", site.at(word.start), name, detail)
    elif name in variables.environment:
        site.replace(word.start, word.start + len(name), ROCM_PATH)
        site.file.converted(site.at(word.start), name, "environment")
    translate_paths(site, word, variables)
    if holds_nvcc(word.text.partition("=")[2]):
        to_hipcc(site, word)
    elif name in variables.flags:
        translate_options_in_value(site, word)
    elif name in variables.cmake_flags:
        translate_flags_of_cmake(site, word)


def translate_printed(site: Site, word: Word, variables: Variables) -> None:
    """Translate `echo "CUDA_HOME=…" >> "$GITHUB_ENV"`, which sets a variable."""
    name = assigned(word)
    start = word.quotes[0].start if word.quotes and word.quotes[0].start == word.start + 1 else word.start
    if variables.is_renamed(name) and site.shell.data.startswith(f"{name}=".encode(), start):
        site.replace(start, start + len(name), ROCM_PATH)
        site.file.converted(site.at(start), name, "environment")


# Packages that command lines install, and downloads of CUDA from the network.

_MANAGERS = {
    **dict.fromkeys(("apt-get", "apt", "aptitude", "yum", "dnf", "microdnf", "tdnf", "zypper"), "system"),
    **dict.fromkeys(("conda", "mamba", "micromamba"), "conda"),
    **dict.fromkeys(("pip", "pip3", "uv", "pipx"), "pip"),
}
_PYTHONS = frozenset({"python", "python3"})
_INSTALLING = frozenset({"install", "add", "create", "reinstall", "localinstall", "update", "sync"})
_NVIDIAS_PLACE = "developer.download.nvidia.com"
_AMDS_PLACE = "ROCm's repositories are at https://repo.radeon.com; AMD's images already contain ROCm"


def translate_installation(site: Site, command: Command, name: str, *, has_rocm: bool) -> None:
    """Report CUDA packages that a command installs; those that ROCm's image contains are taken out.

    Args:
        site: where the command is.
        command: the command, of any program.
        name: the program's name, without its folder.
        has_rocm: whether the command runs where all of ROCm is installed.
    """
    words = list(command.words)
    if name in _PYTHONS and [word.text for word in words[1:3]] == ["-m", "pip"]:
        name, words = "pip", words[2:]
    manager = _MANAGERS.get(name)
    if manager is None or not any(word.text in _INSTALLING for word in words[1:]):
        return
    begins = next(n for n, word in enumerate(words) if n and word.text in _INSTALLING) + 1
    named = [n for n in range(begins, len(words)) if not words[n].text.startswith("-")]
    found: list[int] = []
    for n in named:
        advice = advice_on_package(words[n].text, manager, site.file.options.targeting)
        if advice and has_rocm and is_in_image(words[n].text, manager):
            found.append(n)
        elif advice:
            _left(site, words[n], advice)
    if found and len(found) < len(named):
        for n in found:
            site.file.converted(site.at(words[n].start), words[n].text, "package")
        drop_words(site, words, found)
    else:
        for n in found:
            _left(site, words[n], "the image contains all of ROCm: remove it")


def report_download(site: Site, command: Command) -> bool:
    """Report the first network address of CUDA that a command names; True if there is one."""
    for word in command.words:
        if _NVIDIAS_PLACE in word.text:
            site.file.left("HIP642", site.at(word.start), _NVIDIAS_PLACE, "package", _AMDS_PLACE)
            return True
    return False


def _left(site: Site, word: Word, advice: str) -> None:
    site.file.left("HIP642", site.at(word.start), word.text, "package", advice)


# Files that commands name: CUDA's libraries, files that get other names, and what changes the toolkit itself.

_VARIABLE = re.compile(r"\$\{[^{}]*\}|\$\w+|\$\([^()]*\)")
_SHARED_LIBRARY = re.compile(r".*/lib(\w+?)\.so(?:\.\*)?")


def translate_renamed_file(site: Site, word: Word, project: ProjectContext, before: str = "") -> None:
    """Write the new name of a renamed file or folder; `before` is the word before it."""
    if not word.is_plain or not renamed_endings(project):
        return
    folder = folder_of(site.file.source.path)
    mask = masked(word.text, [(match.start(), match.end()) for match in _VARIABLE.finditer(word.text)])
    spelled = new_spelling(project, folder, word.text, mask)
    if spelled is None:
        spelled = new_folder_word(project, folder, word.text, mask, before=before)
    if spelled is not None and spelled != word.text:
        site.replace(word.start, word.end, spelled)


def translate_library_file(site: Site, word: Word) -> None:
    """Translate the path of a CUDA library in a command that does not run a compiler."""
    match = _SHARED_LIBRARY.fullmatch(word.text) if word.is_plain else None
    library = site.file.facts.libraries.get(match[1]) if match is not None else None
    if match is not None and library is not None and library.library and not library.imported:
        start = word.start + len(word.text[: match.start(1)].encode("utf-8", "surrogateescape"))
        site.replace(start, start + len(match[1]), library.library)
        site.file.converted(site.at(start), match[1], "library")


def translate_change_of_files(site: Site, command: Command, project: ProjectContext) -> None:
    """Report a command that installs or removes the toolkit, because it does nothing for ROCm."""
    for word in command.words[1:]:
        match = next(iter(found_in(TOOLKIT, site.shell, word)), None)
        if match is not None:
            named = match[0].decode("utf-8", "surrogateescape")
            detail = "the command changes the toolkit itself; ROCm is installed in /opt/rocm"
            site.file.finding("HIP605", site.at(match.start()), named, detail)
        else:
            translate_renamed_file(site, word, project)


_CHANGING = frozenset({"ln", "rm", "mv", "mkdir", "rmdir", "chmod", "chown", "tar", "unzip", "update-alternatives"})
"""Commands that change what is at a path."""

_CMAKE = "cmake"
_BUILDERS = frozenset({"make", "gmake", "ninja"})
"""Programs whose arguments set variables of build files."""


class CommandLines:
    """Translates the commands of a build file's texts.

    Attributes:
        file: the build file.
        project: what its project knows about the names of its files.
        variables: what the texts show about their variables.
        has_rocm: whether the commands run where all of ROCm is installed, so that packages of CUDA's libraries are
            needless.
    """

    def __init__(self, file: BuildFile, project: ProjectContext = NO_PROJECT) -> None:
        self.file = file
        self.project = project
        self.facts = environment_facts()
        self.variables = Variables(file)
        self.has_rocm = False
        self._has_told_place = False

    def look(self, shell: ShellText) -> None:
        """Note which variables hold nvcc and its options, before anything is translated."""
        self.variables.look(shell)

    def knows_hip(self, shell: ShellText) -> bool:
        """Whether the commands already have a way for AMD GPUs; a call of nvcc beside that is reported."""
        commands = list(commands_in(shell))
        words = [word for command in commands for word in (*command.words, *command.assignments)]
        own = next((word for word in words if knows_rocm(word.text)), None)
        if own is None:
            return False
        called = next((command.words[0] for command in commands if is_nvcc(command.name)), None)
        if called is not None:
            self.file.finding("HIP607", called.start, called.text, own.text)
        return True

    def setting(self, site: Site, word: Word) -> None:
        """Translate a word that sets a variable, or is a path."""
        translate_references(site, word, self.variables)
        if assigned(word):
            translate_assignment(site, word, self.variables)
        else:
            translate_paths(site, word, self.variables)

    def translate(self, site: Site) -> None:
        """Translate all commands of a text."""
        shell = site.shell
        for start, end in ranges(shell):
            for word in shell.words(start, end):
                if word.kind == WORD:
                    translate_references(site, word, self.variables)
        for command in commands_in(shell):
            self.command(site, command)

    def command(self, site: Site, command: Command) -> None:
        """Translate one command, except the references in its words."""
        for word in (*command.assignments, *command.runners):
            translate_assignment(site, word, self.variables)
        if not command.words:
            return
        name = basename(command.name)
        self._has_told_place = self._has_told_place or report_download(site, command)
        if name in self.facts.silent:
            for word in command.words[1:]:
                translate_printed(site, word, self.variables)
        elif name in _CHANGING:
            translate_change_of_files(site, command, self.project)
        else:
            self._words(site, command, name)
            self._call(site, command, name)

    def _words(self, site: Site, command: Command, name: str) -> None:
        """Translate what means the same in the words of every command."""
        before = ""
        for word in command.words:
            translate_paths(site, word, self.variables)
            translate_renamed_file(site, word, self.project, before)
            before = word.text
            if name not in self.facts.host:
                translate_library_file(site, word)
        for word in declared(command):
            translate_assignment(site, word, self.variables)

    def _call(self, site: Site, command: Command, name: str) -> None:
        """Translate what depends on the program that is called."""
        facts, arguments = self.facts, command.words[1:]
        if self.variables.calls_nvcc(command):
            translate_call_of_nvcc(site, command)
        elif name in facts.tools:
            self.file.left("HIP640", site.at(command.words[0].start), name, "tool", facts.tools[name])
        elif name in facts.asks or (command.runners and command.runners[-1].text == "-v"):
            for word in arguments:
                if word.text == NVCC:
                    to_hipcc(site, word)
        elif name in facts.host or self.variables.calls_host(command):
            translate_call_of_host(site, command, compiles=name not in facts.host or name in facts.compiles)
        elif name == _CMAKE:
            translate_call_of_cmake(site, command)
        elif name in _BUILDERS:
            for word in arguments:
                translate_assignment(site, word, self.variables)
        elif name in CONTAINERS:
            translate_container(site, command, name)
        else:
            translate_installation(site, command, name, has_rocm=self.has_rocm)
