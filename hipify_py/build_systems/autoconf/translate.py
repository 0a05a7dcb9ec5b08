"""Translate Autoconf's input into a `Translation`: names with an exact counterpart, and findings for the rest."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Collection, Mapping
from itertools import pairwise

from hipify_py.build_systems.autoconf.programs import (
    PLATFORM,
    Renamed,
    Translate,
    is_program,
    macro,
    spans_of_code,
    translate_program,
    variable,
)
from hipify_py.build_systems.autoconf.reader import Call, Input, Word, read
from hipify_py.build_systems.facts import facts
from hipify_py.build_systems.file import BuildFile
from hipify_py.build_systems.finishing import finished
from hipify_py.build_systems.nvcc_options import option_of, report
from hipify_py.build_systems.toolkit_folder import PLACES, WITHIN
from hipify_py.core.options import Options
from hipify_py.core.project_context import BuildContext, ProjectContext
from hipify_py.core.source import Source
from hipify_py.core.translation import Translation

LIBRARY = "autoconf"
"""The kind under which the names of Autoconf's files are counted."""

ROOT, FOLDER = "ROCM_PATH", "/opt/rocm"

_SAYING = re.compile(r"A[CS]_(?:MSG_\w+|HELP_STRING|ARG_VAR|DEFINE(?:_UNQUOTED)?|ECHO|ARG_ENABLE|ARG_WITH)\Z")
"""Macros whose arguments are texts, or hold the names of the project's own options."""
_TEXTS = frozenset({"AC_ARG_ENABLE", "AC_ARG_WITH"})
_LIBRARIES = frozenset({"AC_CHECK_LIB", "AC_SEARCH_LIBS"})
_HEADERS = frozenset({"AC_CHECK_HEADER", "AC_CHECK_HEADERS", "AC_CHECK_HEADERS_ONCE"})
_AUTOCONFS = ("AC_", "AM_", "AS_", "AX_", "PKG_", "AH_", "AU_", "LT_")
_PATH = re.compile(PLACES + rb"(?:-\d[\w.]*)?" + WITHIN + rb"(?![\w.-])")
_VARIABLE = re.compile(rb"\$\{?(\w+)\}?|\$\((\w+)\)")
_SET = re.compile(rb"AC_SUBST\(\[?(\w+)|(?<![\w$.:{/-])(\w+)=")
"""What sets a variable, or hands it on to makefiles."""
_KEPT = re.compile(rb"\bac_cv_\w+")
"""A variable in which configure stores what it found."""
_PRINTING = frozenset({"--version", "-V", "--help", "-h"})
_NVCC = re.compile(r"(?:^|/)nvcc$|^\$\{?NVCC\}?$")
_COMPILER = re.compile(rb"(?:^|[/,])(nvcc)(?=,|$)")
"""nvcc as a word, or as one of a macro's arguments without blanks between them (somoclu)."""
_TAIL = re.compile(rb"[\w/.+-]*")
_QUOTED = re.compile(rb"(\\+\")[^\\\"'`;|&<>()*?\n]*(\\+\")")
"""A value in quotes for a later shell, in which only blanks have to be quoted."""
_BETWEEN_BARS = re.compile(rb"[^|\s]+")
_BETWEEN_BLANKS = re.compile(rb"\S+")
_BETWEEN_COMMAS = re.compile(rb"[^,]+")


def translate(
    data: bytes, path: str, options: Options, project: ProjectContext, translate_source: Translate
) -> Translation:
    """Translate an Autoconf file. `translate_source` translates the programs in it."""
    read_file = read(data)
    file = BuildFile(Source(data, path), LIBRARY, options, read_file.comments)
    if not any(word.text.rpartition("/")[2] == "hipcc" for word in read_file.words):
        _Rules(file, read_file, translate_source, project.build.variables | _own_roots(data)).run()
    return finished(file)


def build_contexts(
    files: Mapping[str, bytes], options: Options, project: ProjectContext, *_: object
) -> dict[str, BuildContext]:
    """The names of the toolkit's folder that the files of one configure script set themselves, for each of them."""
    variables = frozenset[str]().union(*map(_own_roots, files.values()))
    return dict.fromkeys(files, BuildContext(variables=variables)) if variables else {}


def _own_roots(data: bytes) -> frozenset[str]:
    """The names of the toolkit's folder that a file sets: they keep their names, also in what `configure` writes.

    bifrost and GPUJPEG have options for that folder.
    """
    found = [match for match in _SET.finditer(data) if _is_root((match[1] or match[2]).decode())]
    comments = read(data).comments if found else []
    code = (match for match in found if not any(start <= match.start() < end for start, end in comments))
    return frozenset((match[1] or match[2]).decode() for match in code)


def _is_root(name: str) -> bool:
    """Whether a variable holds the toolkit's folder, by its name."""
    return name in facts().make.environment or name == "CUDA_PATH"


class _Rules:
    def __init__(
        self, file: BuildFile, read_file: Input, translate_source: Translate, own_roots: Collection[str]
    ) -> None:
        self.file, self.read_file, self.translate_source = file, read_file, translate_source
        self.own_roots = own_roots
        self.data = file.source.data
        texts = [_text_of(call) for call in read_file.calls if _SAYING.match(call.name)]
        texts += [span for call in read_file.calls if is_program(call) for span in spans_of_code(call)]
        self.silent = _merged(texts)
        self.starts = [start for start, _ in self.silent]
        self.renamed: list[Renamed] = []
        self.of_headers: list[Call] = []
        """The calls that look for HIP's headers."""

    def run(self) -> None:
        """Translate calls, then words."""
        for call in self.read_file.calls:
            if is_program(call):
                self.renamed += translate_program(self.file, call, self.translate_source)
            elif self._is_silent(call.start):
                continue
            elif call.name in _LIBRARIES:
                self._library(call)
            elif call.name in _HEADERS:
                self._headers(call)
            elif call.name == "AC_EGREP_HEADER":
                self._pattern(call)
            elif not call.name.startswith(_AUTOCONFS):
                self._handed(call)
        self._define_platform()
        self._variables()
        words = [word for word in self.read_file.words if not self._is_silent(word.start)]
        at = 0
        while at < len(words):
            at += self._word(words, at)

    def _is_silent(self, place: int) -> bool:
        at = bisect_right(self.starts, place) - 1
        return at >= 0 and place < self.silent[at][1]

    def _variables(self) -> None:
        """Name the variables that store what configure found after what it now looks for."""
        new = {variable(kind, was): variable(kind, now) for kind, was, now in self.renamed}
        comments = self.read_file.comments
        starts = [start for start, _ in comments]
        for match in _KEPT.finditer(self.data) if new else ():
            at = bisect_right(starts, match.start()) - 1
            if (at < 0 or match.start() >= comments[at][1]) and (name := new.get(match[0].decode())) is not None:
                self.file.replace(*match.span(), name)

    def _library(self, call: Call) -> None:
        if len(call.arguments) < 2:
            return
        first, second = call.arguments[:2]
        library, function = (first, second) if call.name == "AC_CHECK_LIB" else (second, first)
        self._library_and_function(call, library, function)

    def _handed(self, call: Call) -> None:
        """Translate the arguments of a project's own macro: a function after its library, and headers beside them."""
        rows = [self.file.catalog.row(self.data[slice(*argument)]) for argument in call.arguments]
        functions = [at for at, row in enumerate(rows) if at and row is not None and row.kind == "function"]
        for at in functions:
            self._library_and_function(call, call.arguments[at - 1], call.arguments[at])
        for argument, row in zip(call.arguments, rows, strict=True):
            if functions and row is not None and row.kind == "header" and row.hip:
                self.of_headers.append(call)
                self.file.replace(*argument, row.hip)
                self.file.converted(argument[0], self._text(argument), "header")
                self.renamed.append(Renamed("header", self._text(argument), row.hip))

    def _library_and_function(self, call: Call, library: tuple[int, int], function: tuple[int, int]) -> None:
        if call.name == "AC_SEARCH_LIBS":
            for match in _BETWEEN_BLANKS.finditer(self.data, *library):
                self._searched(call, match.span(), function)
        else:
            self._searched(call, library, function)

    def _searched(self, call: Call, library: tuple[int, int], function: tuple[int, int]) -> None:
        """Translate a library and the function that it is searched for."""
        name = self._text(library)
        found = self.file.facts.libraries.get(name)
        if found is None or found.imported:
            return
        if not found.library:
            self.file.left("HIP601", library[0], name, "library", found.unsupported or "HIP needs no replacement")
            return
        self.file.replace(*library, found.library)
        self.file.converted(library[0], name, "library")
        row = self.file.catalog.row(self.data[slice(*function)])
        was = now = self._text(function)
        if row is not None and row.hip:
            now = row.hip
            self.file.replace(*function, now)
            self.file.converted(function[0], was, "function")
        elif row is not None and row.is_unsupported:
            self.file.left("HIP601", function[0], was, "function", row.advice)
        self.renamed.append(Renamed("lib", f"{name}_{was}", f"{found.library}_{now}"))
        self.renamed.append(Renamed("search", was, now))
        if call.name == "AC_CHECK_LIB" and (len(call.arguments) < 3 or not self._text(call.arguments[2])):
            defined = macro("HAVE_LIB", found.library)
            self.file.finding("HIP623", library[0], macro("HAVE_LIB", name), f"configure defines {defined} instead")

    def _headers(self, call: Call) -> None:
        for match in re.finditer(rb"[^\s\[\],]+", self.data[slice(*call.arguments[0])]):
            row = self.file.catalog.row(match[0])
            if row is None or row.kind != "header" or not row.hip:
                continue
            start = call.arguments[0][0] + match.start()
            name = match[0].decode()
            self.file.replace(start, start + len(match[0]), row.hip)
            self.file.converted(start, name, "header")
            self.renamed.append(Renamed("header", name, row.hip))
            self.of_headers.append(call)
            if call.name != "AC_CHECK_HEADER":
                self.file.finding(
                    "HIP623", start, macro("HAVE_", name), f"configure defines {macro('HAVE_', row.hip)} instead"
                )

    def _pattern(self, call: Call) -> None:
        """Translate what is looked for in a header: a name, or several between bars."""
        if len(call.arguments) < 2:
            return
        header = self.file.catalog.row(self.data[slice(*call.arguments[1])])
        names = list(_BETWEEN_BARS.finditer(self.data, *call.arguments[0]))
        rows = [self.file.catalog.row(name[0]) for name in names]
        if header is None or header.kind != "header" or not header.hip:
            return
        for name, row in zip(names, rows, strict=True):
            if row is not None and row.hip:
                self.file.replace(*name.span(), row.hip)
                self.file.converted(name.start(), name[0].decode(), row.kind)
        self.file.replace(*call.arguments[1], header.hip)
        self.file.converted(call.arguments[1][0], self._text(call.arguments[1]), "header")
        self.of_headers.append(call)

    def _define_platform(self) -> None:
        """Define the macro that HIP's headers ask for before checks that look for some, and for what is compiled later.

        A check within another one, or right after one, gets it from that, unless they change the options themselves.
        """
        line = f'CPPFLAGS="$CPPFLAGS -D{PLATFORM}"'
        around: list[Call] = []
        before: Call | None = None
        for call in sorted(set(self.of_headers), key=lambda call: call.start):
            while around and around[-1].end <= call.start:
                before = around.pop()
            starts_line = not self.data[self.data.rfind(b"\n", 0, call.start) + 1 : call.start].strip()
            is_next = starts_line and before is not None and not self.data[before.end : call.start].strip()
            given = around[-1] if around else before if is_next else None
            around.append(call)
            if given is not None and b"CPPFLAGS" not in self.data[given.start : call.start]:
                continue
            if starts_line:
                self.file.insert_before(call.start, [line])
            else:
                self.file.replace(call.start, call.start, f"{line}; ")

    def _word(self, words: list[Word], at: int) -> int:
        word, file = words[at], self.file
        text = word.text.rstrip(",")
        end = word.start + len(text.encode("utf-8", "surrogateescape"))
        if text.startswith("-l") and self._linked(word.start, end, text):
            return 1
        for match in _COMPILER.finditer(self.data[word.start : end]):
            place = word.start + match.start(1)
            file.replace(place, place + len("nvcc"), "hipcc")
            file.converted(place, "nvcc", "compiler")
        if at and text in _PRINTING and _NVCC.search(words[at - 1].text):
            name = words[at - 1].text
            if text in {"--help", "-h"}:
                file.finding("HIP605", words[at - 1].start, f"{name} {text}", "hipcc prints the help of clang")
            else:
                file.finding("HIP622", words[at - 1].start, name)
        if (made := text.find("-gencode")) > 0:  # by a program of sed, which writes nvcc's options (bifrost)
            self.file.finding(
                "HIP603", word.start + made, "-gencode", "write --offload-arch and AMD's GPUs, or nothing"
            )
        if text.startswith("-"):
            beside = words[at + 1 : at + 2]
            near = beside and not self.data[word.end : beside[0].start].strip(b" \t")
            option = option_of([text, *(other.text for other in beside if near)], file.facts.flags, for_cuda=False)
            if option is not None:
                report(file, word.start, option)
                if option.flag.host:
                    self._handed_on(word, words[at + option.words - 1])
                    return option.words
                if option.has_counterpart:
                    last = words[at + option.words - 1]
                    self._write(word.start, end if last is word else last.end, option.text)
                    return option.words
        self._folders(word, end)
        return 1

    def _handed_on(self, word: Word, last: Word) -> None:
        """Keep the options for the host compiler, which commas separate, and translate their folders and libraries.

        nvcc hands several options in quotes on one by one.
        """
        start = last.start if last is not word else self.data.index(b"=", word.start) + 1
        self.file.replace(word.start, start, "")
        quoted = _QUOTED.match(self.data, start)
        if quoted is not None:
            self.file.replace(start, quoted.end(1), "")
            self.file.replace(quoted.start(2), quoted.end(), "")
        if b"-Wl," in self.data[start : last.end]:
            self._folders(Word(start, last.end, ""), last.end)
            return
        parts = [
            Word(*match.span(), match[0].decode("utf-8", "surrogateescape"))
            for match in _BETWEEN_COMMAS.finditer(self.data, start, last.end)
        ]
        for before, after in pairwise(parts):
            self.file.replace(before.end, after.start, " ")
        for part in parts:
            if not (part.text.startswith("-l") and self._linked(*part)):
                self._folders(part, part.end)

    def _write(self, start: int, end: int, text: str) -> None:
        while not text and self.data[start - 1 : start] in (b" ", b"\t"):
            start -= 1
        self.file.replace_whole(start, end, text)

    def _linked(self, start: int, end: int, text: str) -> bool:
        found = self.file.facts.libraries.get(text[2:])
        if found is None or found.imported:
            return False
        if found.unsupported:
            self.file.left("HIP613", start, text, "library", found.unsupported)
            return True
        self.file.converted(start, text, "library")
        self._write(start, end, f"-l{found.library}" if found.library else "")
        return True

    def _folders(self, word: Word, end: int) -> None:
        """The toolkit's folder in a word, and what lies below it."""
        for match in _PATH.finditer(self.data, word.start, end):
            self.file.replace(*match.span(), FOLDER)
            self.file.converted(match.start(), match[0].decode(), "folder")
            self._below(word, match.end(), end)
        for match in _VARIABLE.finditer(self.data, word.start, end):
            group = 1 if match[1] else 2
            name = match[group].decode()
            if _is_root(name) and name not in self.own_roots:
                self.file.replace(*match.span(group), ROOT)
                self.file.converted(match.start(group), name, "variable")
            elif "cuda" not in name.lower():
                continue
            self._below(word, match.end(), end)

    def _below(self, word: Word, start: int, end: int) -> None:
        match = _TAIL.match(self.data, start, end)
        tail = "" if match is None else match[0].decode()
        folders = self.file.facts.make.folders
        folder = max((name for name in folders if (tail + "/").startswith(name + "/")), key=len, default="")
        if not folder or "hip" not in folders[folder]:
            return
        new = folders[folder]["hip"]
        if new != folder:
            self.file.replace(start, start + len(folder), new)
        defined = f" -D{PLATFORM}"
        if (
            tail.rstrip("/") == "/include"
            and word.text.startswith("-I")
            and not self.data.startswith(defined.encode(), end)
        ):
            self.file.replace(end, end, defined)

    def _text(self, span: tuple[int, int]) -> str:
        return self.data[slice(*span)].decode("utf-8", "surrogateescape")


def _text_of(call: Call) -> tuple[int, int]:
    """Where a macro's text is: all of it, or the name and the help of an option."""
    if call.name in _TEXTS and len(call.arguments) > 1:
        return call.start, call.arguments[1][1]
    return call.start, call.end


def _merged(spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if found and start < found[-1][1]:
            found[-1] = (found[-1][0], max(end, found[-1][1]))
        else:
            found.append((start, end))
    return found
