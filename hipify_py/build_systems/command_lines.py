"""Command lines that call CUDA's tools, wherever build files have them: scripts, Dockerfiles, jobs of CI, databases.

The words are those of `shell_words.py`. A `Site` knows where their text stands in a file, and how it is written there.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from posixpath import basename

from hipify_py.build_systems.environment_facts import advice_on_package, environment_facts, is_in_image
from hipify_py.build_systems.facts import Library
from hipify_py.build_systems.file import BuildFile
from hipify_py.build_systems.images import image_for
from hipify_py.build_systems.nvcc_options import NvccOption, option_of, report
from hipify_py.build_systems.renames import folder_of, masked, new_spelling
from hipify_py.build_systems.shell_words import OPERATOR, WORD, Command, Quote, ShellText, Word, assigned, commands_of
from hipify_py.project_context import NO_PROJECT, ProjectContext, renamed_endings

ROCM_PATH, ROCM = "ROCM_PATH", "/opt/rocm"
NVCC, HIPCC = "nvcc", "hipcc"
PLATFORM = "-D__HIP_PLATFORM_AMD__"

_TOOLKIT = re.compile(
    rb"(?:(?<![\w.])|(?<=-[IL])|(?<=-isystem)|(?<=-B))/(?:usr/local|opt|usr/lib)/cuda"
    rb"(?:-(?:\d+(?:\.[\dxX]+)*|\$\{\w+\}|\$\w+|\*))?(?:/targets/[\w-]+)?(?![\w.-])"
)
_BELOW = re.compile(rb"[\"']?(/lib64|/bin/nvcc)(?![\w.-])")
_REFERENCE = re.compile(rb"\$(?:\{([A-Za-z_]\w*)(?=[}:/%#\-+=?])|([A-Za-z_]\w*))")
_BARE = re.compile(r"[\w+=./:,%@^~$(){}-][\w+=./:,%@^~$(){} -]*", re.ASCII)
"""Texts that mean the same with and without quotes, but for the blanks that part them into words."""

_VARIABLE = re.compile(r"\$\{[^{}]*\}|\$\w+|\$\([^()]*\)")
_HIPS = re.compile(
    r"\b(?:hipcc|amdclang\+\+|hipconfig)\b|\bROCM_(?:PATH|HOME)\b|\bHIP_PATH\b|(?:^|[/=:])rocm(?:[-/]|$)"
)
_LIBRARY_FILE = re.compile(r"(?:.*/)?lib(\w+?)(?:_static)?\.(?:so|a)(?:\.[\d.]+)?")
_SHARED_LIBRARY = re.compile(r".*/lib(\w+?)\.so(?:\.\*)?")
WHEELS_OF_CUDA = re.compile(r"download\.pytorch\.org/whl/(?:nightly/|test/)?cu\d|data\.pyg\.org/whl/\S*cu\d|\+cu\d\d")
_DEEPEST = 32
"""Substitutions within substitutions that are looked at: each is a part of the words around it, too."""

_PRINTS_VERSION = frozenset({"--version", "-V"})
_INSTALLERS = {
    **dict.fromkeys(("apt-get", "apt", "aptitude", "yum", "dnf", "microdnf", "tdnf", "zypper"), "system"),
    **dict.fromkeys(("conda", "mamba", "micromamba"), "conda"),
    **dict.fromkeys(("pip", "pip3", "uv", "pipx"), "pip"),
}
_PYTHONS = frozenset({"python", "python3"})
_INSTALLING = frozenset({"install", "add", "create", "reinstall", "localinstall", "update", "sync"})
_CONTAINERS = frozenset({"docker", "podman", "nvidia-docker", "nvidia-docker2", "nerdctl"})
_CONTAINER_OPTIONS = ("--gpus", "--runtime=nvidia", "--nv")
_DEVICES = "AMD GPUs are given by --device=/dev/kfd --device=/dev/dri --group-add video"
WHEELS_OF_ROCM = "PyTorch for ROCm is at https://download.pytorch.org/whl/rocm6.4 and the like"
_CHANGING = frozenset({"ln", "rm", "mv", "mkdir", "rmdir", "chmod", "chown", "tar", "unzip", "update-alternatives"})
"""Commands that change what lies at a path."""

_TOOLKIT_OF_WINDOWS = "NVIDIA"
_NVIDIAS_PLACE = "developer.download.nvidia.com"
_AMDS_PLACE = "ROCm's repositories are at https://repo.radeon.com, and AMD's images have it already"
_BUILDERS = frozenset({"make", "gmake", "ninja", "cmake"})


class Site:
    """A text that a shell reads, and the build file that it stands in.

    Attributes:
        file: the build file.
        shell: the text; its places are those of the file.
    """

    def __init__(self, file: BuildFile, shell: ShellText) -> None:
        self.file = file
        self.shell = shell

    def at(self, place: int) -> int:
        """The place in the file."""
        return place

    def replace(self, start: int, end: int, text: str) -> None:
        """Write a text in place of a range."""
        self.file.replace(self.at(start), self.at(end), text)

    def drop(self, start: int, end: int) -> None:
        """Take words out with the blanks before them, or with the line that a continued command has for them."""
        data = self.shell.data
        first, last = start, end
        while data[first - 1 : first] in (b" ", b"\t") and first > self.shell.start:
            first -= 1
        while data[last : last + 1] in (b" ", b"\t"):
            last += 1
        is_first = first == self.shell.start or data[first - 1 : first] == b"\n"
        stop = next((len(mark) for mark in (b"\\\n", b"\\\r\n") if data.startswith(mark, last)), 0)
        if is_first and stop and last + stop <= self.shell.end:
            self.file.replace_whole(self.at(first), self.at(last + stop), "")
        elif is_first and first > self.shell.start:
            before = data.rfind(b"\\", self.shell.start, first)
            continued = before >= 0 and data[before:first] in (b"\\\n", b"\\\r\n")
            while continued and data[before - 1 : before] in (b" ", b"\t"):
                before -= 1
            self.file.replace_whole(self.at(before if continued else start), self.at(end), "")
        else:
            self.file.replace_whole(self.at(first), self.at(end), "")


class CommandLines:
    """Translates the commands of texts.

    Attributes:
        compilers: variables that hold nvcc.
        hosts: variables that hold compilers of the host.
        flags: variables that hold options for nvcc.
        cmake_flags: variables that hold options for cmake.
        kept: variables that tell where CUDA is and hold a path of Windows.
        has_rocm: the commands run where all of ROCm is installed, so that packages of CUDA's libraries are needless.
    """

    def __init__(self, file: BuildFile, project: ProjectContext = NO_PROJECT, *, has_rocm: bool = False) -> None:
        self.file = file
        self.project = project
        self.folder = folder_of(file.source.path)
        self.facts = environment_facts()
        self.compilers: set[str] = set()
        self.hosts = {"CC", "CXX"}
        self.has_rocm = has_rocm
        self.flags: set[str] = set()
        self.cmake_flags: set[str] = set()
        self.kept: set[str] = set()
        self._has_told_place = False

    def look(self, shell: ShellText) -> None:
        """Note which variables hold nvcc and its options."""
        for command in _commands(shell):
            for word in (*command.assignments, *_declared(command)):
                value = word.text.partition("=")[2]
                if _TOOLKIT_OF_WINDOWS in value and assigned(word) in self.file.facts.environment:
                    self.kept.add(assigned(word))
                if _is_nvcc(value) or value.endswith(f"-{NVCC}}}"):
                    self.compilers.add(assigned(word))
                elif basename(value.rstrip("}").rpartition(":-")[2]) in self.facts.compiles:
                    self.hosts.add(assigned(word))
        for command in _commands(shell):
            found = self.flags if self._calls_nvcc(command) else self.cmake_flags
            if found is self.flags or command.name == "cmake":
                for word in command.words[1:]:
                    name = _referred(word.text)
                    if name:
                        found.add(name)

    def setting(self, site: Site, word: Word) -> None:
        """Translate a word that sets a variable, or is a path."""
        self._references(site, word)
        if assigned(word):
            self._assignment(site, word)
        else:
            self._paths(site, word)

    def knows_hip(self, shell: ShellText) -> bool:
        """The commands have a way for AMD GPUs already; a call of nvcc beside that is reported."""
        commands = list(_commands(shell))
        words = [word for command in commands for word in (*command.words, *command.assignments)]
        own = next((word for word in words if knows_rocm(word.text)), None)
        if own is None:
            return False
        called = next((command.words[0] for command in commands if _is_nvcc(command.name)), None)
        if called is not None:
            self.file.finding("HIP607", called.start, called.text, own.text)
        return True

    def translate(self, site: Site) -> None:
        """Translate all commands of a text."""
        shell = site.shell
        for start, end in _ranges(shell):
            for word in shell.words(start, end):
                if word.kind == WORD:
                    self._references(site, word)
        for command in _commands(shell):
            self._command(site, command)

    def command(self, site: Site, command: Command) -> None:
        """Translate one command."""
        self._command(site, command)

    def _calls_nvcc(self, command: Command) -> bool:
        name = command.name
        referred = _referred(name)
        return _is_nvcc(name) or referred in self.compilers or referred in ("NVCC", "CUDACXX")

    def _command(self, site: Site, command: Command) -> None:
        facts = self.facts
        for word in (*command.assignments, *command.runners):
            self._assignment(site, word)
        if not command.words:
            return
        called, name = command.words[0], basename(command.name)
        self._sources(site, command)
        if name in facts.silent:
            for word in command.words[1:]:
                self._printed(site, word)
            return
        if name in _CHANGING:
            self._changing(site, command)
            return
        for word in command.words:
            self._paths(site, word)
            self._renamed(site, word)
            self._library_file(site, word, name)
        for word in _declared(command):
            self._assignment(site, word)
        if self._calls_nvcc(command):
            self._nvcc(site, command)
        elif name in facts.tools:
            self.file.left("HIP640", site.at(called.start), name, "tool", facts.tools[name])
        elif name in facts.asks or (command.runners and command.runners[-1].text == "-v"):
            for word in command.words[1:]:
                if word.text == NVCC:
                    self._to_hipcc(site, word)
        elif name in facts.host or _referred(command.name) in self.hosts:
            self._host(site, command, compiles=name not in facts.host or name in facts.compiles)
        elif name in _BUILDERS:
            self._builder(site, command, name)
        elif name in _CONTAINERS:
            self._container(site, command, name)
        else:
            self._installer(site, command, name)

    def _nvcc(self, site: Site, command: Command) -> None:
        called = command.words[0]
        if _is_nvcc(command.name):
            self._to_hipcc(site, called)
        words = command.words[1:]
        if any(word.text in _PRINTS_VERSION for word in words) and self._is_read(site, command):
            detail = "hipcc prints HIP's version, and in another form"
            self.file.finding("HIP605", site.at(called.start), f"{command.name} --version", detail)
        self.options(site, words, for_cuda=True)

    def _is_read(self, site: Site, command: Command) -> bool:
        """What a command prints is the input of another, or stands in place of a word."""
        shell, end = site.shell, command.words[-1].end
        data = shell.data
        rest = data[end : min(end + 32, shell.end)].lstrip(b" \t")
        start = command.words[0].start
        is_within = data[max(0, start - 8) : start].rstrip().endswith((b"$(", b"`"))
        return is_within or (rest.startswith(b"|") and not rest.startswith(b"||")) or rest.startswith(b"2>&1 |")

    def _to_hipcc(self, site: Site, word: Word) -> None:
        """Write hipcc in place of nvcc; a path into the toolkit is `_paths`' to write."""
        data = site.shell.data
        self.file.converted(site.at(word.start), word.text, "compiler")
        if _TOOLKIT.search(data, word.start, word.end) is not None:
            return
        at = data.rfind(NVCC.encode(), word.start, word.end)
        if at >= 0:
            site.replace(at, at + len(NVCC), HIPCC)

    def options(self, site: Site, words: Sequence[Word], *, for_cuda: bool) -> None:
        """Translate nvcc's options and the libraries among words."""
        gone: list[int] = []
        at = 0
        while at < len(words):
            word = words[at]
            texts = [other.text for other in words[at : at + 2]]
            option = option_of(texts, self.file.facts.flags, for_cuda=for_cuda)
            if option is not None and word.is_closed:
                at += self._option(site, words, at, option, gone)
                continue
            if for_cuda and word.text == "-x" and texts[1:] == ["cu"]:
                site.replace(words[at + 1].start, words[at + 1].end, "hip")
                at += 2
                continue
            at += self._library(site, words, at, gone)
        self._drop(site, words, gone)

    def _option(self, site: Site, words: Sequence[Word], at: int, option: NvccOption, gone: list[int]) -> int:
        word, taken = words[at], words[at : at + option.words]
        if not option.has_counterpart or (option.text and not self._is_writable(option, taken)):
            if option.has_counterpart:
                detail = "the quotes in its value are the shell's and nvcc's"
                self.file.left("HIP605", site.at(word.start), option.name, "option", detail)
            else:
                report(self.file, site.at(word.start), option)
            return option.words
        report(self.file, site.at(word.start), option)
        if "--genco" in option.text.split():
            self.file.finding("HIP606", site.at(word.start), f"{NVCC} {option.name}")
        if not option.text:
            gone += range(at, at + option.words)
        elif _BARE.fullmatch(option.text):
            site.replace(word.start, taken[-1].end, option.text)
        else:  # the value stays as it is written
            gone.append(at)
        return option.words

    def _is_writable(self, option: NvccOption, words: Sequence[Word]) -> bool:
        """What takes an option's place can be written there."""
        if _BARE.fullmatch(option.text):
            return True
        return option.flag.host and len(words) == 2 and not set(option.value) & set(", ")

    def _library(self, site: Site, words: Sequence[Word], at: int, gone: list[int]) -> int:
        """Translate a library that is linked; returns how many words that takes."""
        word, text = words[at], words[at].text
        name, place, taken = "", 0, 1
        if text in ("-l", "--library") and at + 1 < len(words):
            word, name, taken = words[at + 1], words[at + 1].text, 2
        elif text.startswith("-l"):
            name, place = text[2:], 2
        elif text.startswith("--library="):
            name, place = text.partition("=")[2], len("--library=")
        else:
            match = _LIBRARY_FILE.fullmatch(text)
            if match is None or match[1] not in self.file.facts.libraries:
                return 1
            name, place = match[1], match.start(1)
        library = self.file.facts.libraries.get(name)
        if library is None or library.imported or not word.is_plain:
            return 1
        self._account(site.at(word.start), text, library)
        if library.drop:
            gone += range(at, at + taken)
        elif not library.unsupported:
            start = word.start + place
            site.replace(start, start + len(name), library.library)
            self._static(site, word, start + len(name))
        return taken

    def _static(self, site: Site, word: Word, at: int) -> None:
        """A static library becomes a shared one: HIP has no other of most."""
        data = site.shell.data
        for ending in (b"_static.a", b".a"):
            if data.startswith(ending, at) and at + len(ending) == word.end:
                site.replace(at, word.end, ".so")

    def _account(self, place: int, name: str, library: Library) -> None:
        if library.unsupported:
            self.file.left("HIP601", place, name, "library", library.unsupported)
        else:
            self.file.converted(place, name, "library")

    def _drop(self, site: Site, words: Sequence[Word], gone: Sequence[int]) -> None:
        """Take words out, those side by side together."""
        at = 0
        while at < len(gone):
            last = at
            while (
                last + 1 < len(gone)
                and gone[last + 1] == gone[last] + 1
                and not self._has_comment(site, words[gone[last]].end, words[gone[last + 1]].start)
            ):
                last += 1
            site.drop(words[gone[at]].start, words[gone[last]].end)
            at = last + 1

    def _has_comment(self, site: Site, start: int, end: int) -> bool:
        """A comment stands between words, as Dockerfiles may have it."""
        return b"#" in self.file.source.data[site.at(start) : site.at(end)]

    def _host(self, site: Site, command: Command, *, compiles: bool) -> None:
        """A compiler or linker of the host: libraries, and the platform that HIP's headers ask for."""
        data = site.shell.data
        includes = [word for word in command.words[1:] if word.text.startswith(("-I", "-isystem"))]
        if compiles and any(self._names_toolkit(data, word) for word in includes):
            called = command.words[0]
            site.replace(called.end, called.end, f" {PLATFORM}")
        self.options(site, command.words[1:], for_cuda=False)

    def _names_toolkit(self, data: bytes, word: Word) -> bool:
        if _TOOLKIT.search(data, word.start, word.end) is not None:
            return True
        names = (match[1] or match[2] for match in _REFERENCE.finditer(data, word.start, word.end))
        return any(name.decode() in self.file.facts.environment for name in names)

    def _builder(self, site: Site, command: Command, name: str) -> None:
        gone: list[int] = []
        words = command.words
        for at, word in enumerate(words[1:], 1):
            if name == "cmake" and word.text.startswith("-D"):
                if word.text == "-D":
                    if at + 1 < len(words) and self._variable(site, words[at + 1], 0):
                        gone += [at, at + 1]
                elif self._variable(site, word, 2):
                    gone.append(at)
            elif name != "cmake" and assigned(word):
                self._assignment(site, word)
        self._drop(site, words, gone)

    def _variable(self, site: Site, word: Word, offset: int) -> bool:
        """A variable of CMake's that a command line sets; True where it is to go."""
        name = re.split("[:=]", word.text[offset:], maxsplit=1)[0]
        row = self.file.facts.variables.get(name)
        if row is None:
            return False
        place = site.at(word.start)
        if row.get("set") == "drop" or (row.get("found") and "unsupported" not in row):
            self.file.converted(place, name, "variable")
            if "finding" in row:
                self.file.finding(row["finding"], place, name)
            return True
        at = site.shell.data.find(name.encode(), word.start, word.end)
        if "hip" in row and at >= 0:
            site.replace(at, at + len(name), row["hip"])
            self.file.converted(place, name, "variable")
        elif "unsupported" in row:
            self.file.left("HIP601", place, name, "variable", row["unsupported"])
        if "holds" in row:
            self._in_value(site, word, is_for_cuda=True)
        return False

    def _in_value(self, site: Site, word: Word, *, is_for_cuda: bool) -> None:
        """Translate the options in the value of an assignment."""
        data = site.shell.data
        equals = data.find(b"=", word.start, word.end) + 1
        if not equals:
            return
        quote = next((quote for quote in word.quotes if quote.start >= equals), None)
        if quote is not None and quote.start <= equals + 1 and quote.end >= word.end - 1 and quote.mark != "$'":
            inner = _Inner(site, quote)
            self.options(inner, inner.shell.words(), for_cuda=is_for_cuda)
        elif not word.quotes:
            inner = _Inner(site, Quote("", equals, word.end))
            self.options(inner, inner.shell.words(), for_cuda=is_for_cuda)

    def _container(self, site: Site, command: Command, name: str) -> None:
        for word in command.words[1:]:
            if word.text.startswith(_CONTAINER_OPTIONS):
                self.file.left("HIP644", site.at(word.start), word.text, "option", _DEVICES)
            elif word.is_plain:
                self.image(site, word)
        if name.startswith("nvidia-docker"):
            self.file.left("HIP644", site.at(command.words[0].start), name, "tool", _DEVICES)

    def image(self, site: Site, word: Word) -> bool:
        """Translate an image's name; True where it is one of NVIDIA's that AMD has a counterpart of."""
        found = image_for(word.text, self.file.options.targeting)
        if found.hip:
            self.file.converted(site.at(word.start), word.text, "image")
            site.replace(word.start, word.end, found.hip)
        elif found.advice:
            self.file.left("HIP641", site.at(word.start), word.text, "image", found.advice)
        return bool(found.hip)

    def _installer(self, site: Site, command: Command, name: str) -> None:
        words = list(command.words)
        if name in _PYTHONS and [word.text for word in words[1:3]] == ["-m", "pip"]:
            name, words = "pip", words[2:]
        manager = _INSTALLERS.get(name)
        if manager is None or not any(word.text in _INSTALLING for word in words[1:]):
            return
        begins = next(n for n, word in enumerate(words) if n and word.text in _INSTALLING) + 1
        named = [n for n in range(begins, len(words)) if not words[n].text.startswith("-")]
        found: list[int] = []
        for n in named:
            advice = advice_on_package(words[n].text, manager)
            if not advice and WHEELS_OF_CUDA.search(words[n].text):
                advice = WHEELS_OF_ROCM
            if advice and self.has_rocm and is_in_image(words[n].text, manager):
                found.append(n)
            elif advice:
                self.file.left("HIP642", site.at(words[n].start), words[n].text, "package", advice)
        if found and len(found) < len(named):
            for n in found:
                self.file.converted(site.at(words[n].start), words[n].text, "package")
            self._drop(site, words, found)
        else:
            for n in found:
                advice = "the image has all of ROCm: leave it out"
                self.file.left("HIP642", site.at(words[n].start), words[n].text, "package", advice)

    def _printed(self, site: Site, word: Word) -> None:
        """`echo "CUDA_HOME=…" >> "$GITHUB_ENV"` sets a variable."""
        name = assigned(word)
        start = word.quotes[0].start if word.quotes and word.quotes[0].start == word.start + 1 else word.start
        if self._is_renamed(name) and site.shell.data.startswith(f"{name}=".encode(), start):
            site.replace(start, start + len(name), ROCM_PATH)
            self.file.converted(site.at(start), name, "environment")

    def _changing(self, site: Site, command: Command) -> None:
        """A command that installs the toolkit or takes it away is none for ROCm."""
        for word in command.words[1:]:
            match = next(iter(_found(_TOOLKIT, site.shell, word)), None)
            if match is not None:
                named = match[0].decode("utf-8", "surrogateescape")
                detail = "the command changes the toolkit itself; ROCm lies at /opt/rocm when it is installed"
                self.file.finding("HIP605", site.at(match.start()), named, detail)
            else:
                self._renamed(site, word)

    def _library_file(self, site: Site, word: Word, name: str) -> None:
        """A library of CUDA's by its path, in a command that is no compiler's."""
        match = _SHARED_LIBRARY.fullmatch(word.text) if word.is_plain and name not in self.facts.host else None
        library = self.file.facts.libraries.get(match[1]) if match is not None else None
        if match is not None and library is not None and library.library and not library.imported:
            start = word.start + len(word.text[: match.start(1)].encode("utf-8", "surrogateescape"))
            site.replace(start, start + len(match[1]), library.library)
            self.file.converted(site.at(start), match[1], "library")

    def _sources(self, site: Site, command: Command) -> None:
        """Places on the network that CUDA comes from."""
        for word in command.words:
            if _NVIDIAS_PLACE in word.text and not self._has_told_place:
                self._has_told_place = True
                self.file.left("HIP642", site.at(word.start), _NVIDIAS_PLACE, "package", _AMDS_PLACE)

    def _assignment(self, site: Site, word: Word) -> None:
        """Translate a variable that a command sets."""
        name = assigned(word)
        if not name:
            return
        if name in self.kept:
            detail = "it holds a path of CUDA's on Windows; the HIP SDK is where HIP_PATH says"
            self.file.finding("HIP605", site.at(word.start), name, detail)
        elif name in self.file.facts.environment:
            site.replace(word.start, word.start + len(name), ROCM_PATH)
            self.file.converted(site.at(word.start), name, "environment")
        self._paths(site, word)
        value = word.text.partition("=")[2]
        if _is_nvcc(value) or value.endswith(f"-{NVCC}}}"):
            self._to_hipcc(site, word)
        elif name in self.flags:
            self._in_value(site, word, is_for_cuda=True)
        elif name in self.cmake_flags:
            self._cmake_flags(site, word)

    def _cmake_flags(self, site: Site, word: Word) -> None:
        """Translate the variables of CMake's that stand in the value of an assignment."""
        quote = word.quotes[0] if len(word.quotes) == 1 and word.quotes[0].mark != "$'" else None
        if quote is not None:
            inner = _Inner(site, quote)
            words = [one for one in inner.shell.words() if one.kind == WORD]
            gone = [n for n, one in enumerate(words) if one.text.startswith("-D") and self._variable(inner, one, 2)]
            self._drop(inner, words, gone)

    def _references(self, site: Site, word: Word) -> None:
        """Rename the variables that tell where CUDA is."""
        data = site.shell.data
        for match in _found(_REFERENCE, site.shell, word):
            group = 1 if match[1] else 2
            name = match[group].decode()
            if not self._is_renamed(name) or _is_quoted(word, match.start()):
                continue
            site.replace(match.start(group), match.end(group), ROCM_PATH)
            self.file.converted(site.at(match.start(group)), name, "environment")
            behind = match.end() + (data[match.end() : match.end() + 1] == b"}")
            self._below(site, behind, word.end)

    def _paths(self, site: Site, word: Word) -> None:
        """Write paths into ROCm in place of those into the toolkit; and names of variables by themselves."""
        for match in _found(_TOOLKIT, site.shell, word):
            site.replace(match.start(), match.end(), ROCM)
            self.file.converted(site.at(match.start()), match[0].decode("utf-8", "surrogateescape"), "path")
            self._below(site, match.end(), word.end)
        if word.is_plain and self._is_renamed(word.text):
            site.replace(word.start, word.end, ROCM_PATH)
            self.file.converted(site.at(word.start), word.text, "environment")

    def _is_renamed(self, name: str) -> bool:
        return name in self.file.facts.environment and name not in self.kept

    def _renamed(self, site: Site, word: Word) -> None:
        """Follow a file that gets another name."""
        if not word.is_plain or not renamed_endings(self.project):
            return
        unknown = [(match.start(), match.end()) for match in _VARIABLE.finditer(word.text)]
        spelled = new_spelling(self.project, self.folder, word.text, masked(word.text, unknown))
        if spelled is not None and spelled != word.text:
            site.replace(word.start, word.end, spelled)

    def _below(self, site: Site, at: int, end: int) -> None:
        """What follows the toolkit's folder in a path."""
        match = _BELOW.match(site.shell.data, at, end)
        if match is not None:
            site.replace(match.start(1), match.end(1), "/lib" if match[1] == b"/lib64" else f"/bin/{HIPCC}")


def environment_references(data: bytes, start: int, end: int) -> Iterable[tuple[int, str]]:
    """The variables that a range refers to, with their places."""
    for match in _REFERENCE.finditer(data, start, end):
        yield match.start(), (match[1] or match[2]).decode()


class _Inner(Site):
    """The text in the quotes of a word, read as words of its own."""

    def __init__(self, outer: Site, quote: Quote) -> None:
        super().__init__(outer.file, ShellText(outer.shell.data, quote.start, quote.end))
        self.outer = outer

    def at(self, place: int) -> int:
        return self.outer.at(place)

    def replace(self, start: int, end: int, text: str) -> None:
        self.outer.replace(start, end, text)

    def drop(self, start: int, end: int) -> None:
        data, inner = self.shell.data, self.shell
        first, last = start, end
        while first > inner.start and data[first - 1 : first] in (b" ", b"\t"):
            first -= 1
        if first == inner.start:
            first = start
            while last < inner.end and data[last : last + 1] in (b" ", b"\t"):
                last += 1
        self.file.replace_whole(self.at(first), self.at(last), "")


def _commands(shell: ShellText) -> Iterable[Command]:
    """The commands of a text, those of its substitutions too, without the patterns of `case`."""
    for start, end in _ranges(shell):
        words = shell.words(start, end)
        patterns = _patterns(words)
        yield from (found for found in commands_of(words) if not found.words or found.words[0].start not in patterns)


def _found(pattern: re.Pattern[bytes], shell: ShellText, word: Word) -> Iterable[re.Match[bytes]]:
    for start, end in _pieces(shell, word):
        yield from pattern.finditer(shell.data, start, end)


def _ranges(shell: ShellText) -> list[tuple[int, int]]:
    """The text, and those of its substitutions."""
    found = [(shell.start, shell.end)]
    around: list[int] = []
    for part in shell.substitutions:
        while around and around[-1] <= part.start:
            around.pop()
        if len(around) < _DEEPEST:
            found.append((part.inner, part.inner_end))
        around.append(part.end)
    return found


def _pieces(shell: ShellText, word: Word) -> Iterable[tuple[int, int]]:
    """The parts of a word that no command stands in place of; those are looked at by themselves."""
    parts, start = shell.substitutions, word.start
    at = bisect_left(parts, (start,))
    while at < len(parts) and parts[at].start < word.end:
        yield start, parts[at].start
        start = min(parts[at].end, word.end)
        at = bisect_left(parts, (start,))
    yield start, word.end


def _patterns(words: Sequence[Word]) -> set[int]:
    """Where the patterns of `case` begin: before a bracket that nothing has opened."""
    found: set[int] = set()
    depth, line = 0, list[int]()
    for word in words:
        if word.kind != OPERATOR:
            line.append(word.start)
            continue
        if word.text == "(":
            depth += 1
        elif word.text == ")":
            if depth == 0:
                found.update(line)
            depth = max(0, depth - 1)
        if word.text != "|":
            line = []
    return found


_DECLARING = frozenset({"export", "declare", "typeset", "readonly", "local", "env", "set", "setenv"})


def _declared(command: Command) -> list[Word]:
    """The assignments that are arguments: `export CUDA_HOME=…`."""
    if command.name not in _DECLARING:
        return []
    return [word for word in command.words[1:] if assigned(word)]


def _is_nvcc(text: str) -> bool:
    return text == NVCC or text.endswith(f"/{NVCC}")


def knows_rocm(text: str) -> bool:
    """A text names ROCm, HIP's compiler or an image of AMD's."""
    return _HIPS.search(text) is not None


def _referred(text: str) -> str:
    """The variable that a word is the value of; empty for other words."""
    match = re.fullmatch(r"\$(?:\{([A-Za-z_]\w*)(?:\[[@*]\])?\}|([A-Za-z_]\w*))", text)
    return "" if match is None else match[1] or match[2]


def _is_quoted(word: Word, place: int) -> bool:
    """A place lies in single quotes, where nothing is a reference."""
    return any(quote.mark != '"' and quote.start <= place < quote.end for quote in word.quotes)
