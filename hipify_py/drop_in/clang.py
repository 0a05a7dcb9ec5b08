"""Stands in for hipify-clang: the HIP source of `FILE` goes to `FILE.hip`, to another file or folder, or into the file.

Exit statuses are those of hipify-clang: 1 for a wrong command line and for a file that cannot be read, translated or
written, otherwise 0, also with warnings and where a source does not exist, which is told.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator, Sequence

from hipify_py.core.installation import VERSION
from hipify_py.core.targeting import NEWEST_CUDA, NEWEST_ROCM, OLDEST_ROCM
from hipify_py.drop_in.clang_statistics import GLOBAL, ClangStatistics, totals_csv, totals_text
from hipify_py.drop_in.command_line import Arguments, Misuse, read_by_llvm
from hipify_py.drop_in.options import BESIDE, CLANG_OPTIONS, INLINE, REFUSED, SUPPORT, WITHOUT_EFFECT, help_text
from hipify_py.drop_in.places import with_header_inside, write_output
from hipify_py.drop_in.translation import SourceFile, chosen_options, commands_of, translate_files
from hipify_py.drop_in.warnings import lines_of_clang, warnings_of
from hipify_py.project.compile_commands import NAME, CompileCommands, compile_commands
from hipify_py.project.errors import reason
from hipify_py.project.result import FAILED, FileResult
from hipify_py.project.sibling_headers import named
from hipify_py.project.streams import write_anywhere
from hipify_py.report.text import emit, emit_document
from hipify_py.support_header.header import is_header

DONE, FAILURE = 0, 1
_ENDING = ".hip"
_SEVERAL = "sum_stat.csv"
_USAGE = "hipify-py-clang [OPTION...] SOURCE... [-- COMPILER_ARGUMENT...]"
_CONFLICTS = (("o", "inplace"), ("no-output", "o"), ("no-output", "inplace"), ("o-dir", "inplace"))


def run(arguments: Sequence[str]) -> int:
    """Do what `hipify-clang ARGUMENTS` does, and return its exit status.

    Raises:
        TableError: if the mapping tables are missing or wrong.
    """
    try:
        given = read_by_llvm(arguments, CLANG_OPTIONS)
        if given.has("help"):
            emit_document(sys.stdout, help_text("hipify-py-clang", _USAGE, CLANG_OPTIONS))
            return DONE
        if given.has("version"):
            emit_document(sys.stdout, f"hipify-py {VERSION}")
            return DONE
        _refuse(given)
        if given.has("versions"):
            emit(sys.stderr, _versions())
        sources, commands = _sources(given)
        if not sources and given.has("versions"):
            return DONE
        _refuse_conflicts(given, sources)
        _tell_without_effect(given)
        return _Run(given, sources, commands).do()
    except (Misuse, ValueError) as error:
        emit(sys.stderr, [f"[HIPIFY] error: {error}"])
        return FAILURE


def _refuse(given: Arguments) -> None:
    for option in CLANG_OPTIONS:
        if option.effect == REFUSED and given.has(option.name):
            raise Misuse(f"-{option.name} is not for translating sources: it {option.says}; use AMD's hipify-clang")
    if given.has(SUPPORT.name) and given.last(SUPPORT.name) not in (BESIDE, INLINE):
        raise Misuse(f"-{SUPPORT.name} is {BESIDE} or {INLINE}")


def _tell_without_effect(given: Arguments) -> None:
    names = [
        f"-{option.name}" for option in CLANG_OPTIONS if option.effect == WITHOUT_EFFECT and given.has(option.name)
    ]
    if names:
        emit(sys.stderr, [f"[HIPIFY] info: without effect in hipify-py: {', '.join(names)}"])


def _versions() -> Iterator[str]:
    yield f"[HIPIFY] Supports ROCm HIP from {OLDEST_ROCM} up to {NEWEST_ROCM}"
    yield f"[HIPIFY] Supports CUDA Toolkit up to {NEWEST_CUDA}"


def _sources(given: Arguments) -> tuple[list[str], CompileCommands]:
    """The sources to translate, and how they are compiled."""
    if not given.has("p"):
        before = given.values.get("extra-arg-before", [])
        own = [f"-{name}{value}" for name in ("I", "D") for value in given.values.get(name, [])]
        arguments = [*before, *own, *given.compiler, *given.values.get("extra-arg", [])]
        sources = list(dict.fromkeys(given.operands))
        return sources, commands_of(sources, arguments)
    if not given.last("p"):
        raise Misuse("-p requires the folder of a compilation database")
    database = os.path.join(given.last("p"), NAME)
    commands = compile_commands((), given=database)
    if not commands:
        raise Misuse(f"{database} is not a compilation database, or has no sources")
    return list(commands.settings), commands


def _refuse_conflicts(given: Arguments, sources: Sequence[str]) -> None:
    if not sources:
        raise Misuse("no source is given")
    if given.has("o") and len(sources) > 1:
        raise Misuse("-o is for one source, and there are several")
    for one, other in _CONFLICTS:
        if given.has(one) and given.has(other):
            raise Misuse(f"-{one} and -{other} exclude each other")


class _Run:
    """One run over some sources."""

    def __init__(self, given: Arguments, sources: Sequence[str], commands: CompileCommands) -> None:
        """Find out where everything goes.

        Raises:
            Misuse: if there is no place for the output.
            ValueError: if the environment names a version of ROCm that is not in the tables.
        """
        self._given = given
        self._named = sources
        self._commands = commands
        self._started = time.monotonic()
        self._options = chosen_options(
            launches=given.has("hip-kernel-execution-syntax"),
            to_roc=given.has("roc"),
            experimental=given.has("experimental"),
        )
        self._writes = not (given.has("no-output") or given.has("examine"))
        self._has_text = given.has("print-stats") or given.has("examine")
        self._folder = _made_folder(given.last("o-dir")) if given.has("o-dir") else ""
        self._csv = self._csv_place()
        self._written_csv: list[str] = []
        self._status = DONE

    def _csv_place(self) -> str:
        name = self._given.last("o-stats")
        if not name and self._given.has("print-stats-csv"):
            name = _SEVERAL if len(self._named) > 1 else os.path.basename(os.path.realpath(self._named[0])) + ".csv"
        return os.path.join(self._folder, name) if name else ""

    def do(self) -> int:
        """Translate all sources; return the exit status."""
        sources = self._read()
        results = translate_files([*sources.values()], self._options, self._commands) if sources else []
        total, conversions = ClangStatistics(), 0
        for result in results:
            emit(sys.stderr, lines_of_clang(result.path, warnings_of(result)))
            counts = ClangStatistics.of(result, sources[result.path].data, self._options)
            if result.status == FAILED:
                self._status = FAILURE
            elif self._writes:
                self._write(result)
            self._show(counts, result.path)
            total.add(counts)
            conversions += counts.is_conversion
        if len(results) > 1 or len(self._named) > 1:
            self._show(total, GLOBAL)
            if self._has_text:
                emit(sys.stderr, totals_text(conversions, len(results)).splitlines())
            self._written_csv.append(totals_csv(conversions, len(results)))
        self._write_csv()
        return self._status

    def _read(self) -> dict[str, SourceFile]:
        """The sources, and the local headers if they are wanted."""
        sources: dict[str, SourceFile] = {}
        waiting = [(path, 0) for path in self._named]
        for path, depth in waiting:
            data = None if path in sources else self._content(path)
            if data is None:
                continue
            sources[path] = SourceFile(path, data)
            if self._given.has("local-headers-recursive") or (self._given.has("local-headers") and not depth):
                waiting += [(header, depth + 1) for header in _local_headers(path, data)]
        return sources

    def _content(self, path: str) -> bytes | None:
        try:
            with open(path, "rb") as file:
                data = file.read()
        except FileNotFoundError:
            emit(sys.stderr, [f"[HIPIFY] error: {path} does not exist"])
        except OSError as error:
            emit(sys.stderr, [f"[HIPIFY] error: cannot read {path}: {reason(error)}"])
            self._status = FAILURE
        else:
            if not (self._given.has("inplace") and is_header(data)):  # a support header of an earlier run
                return data
        return None

    def _write(self, result: FileResult) -> None:
        place = self._place(result.path)
        try:
            write_output(place, with_header_inside(result) if self._given.last(SUPPORT.name) == INLINE else result)
        except OSError as error:
            emit(sys.stderr, [f"[HIPIFY] error: cannot write {place}: {reason(error)}"])
            self._status = FAILURE

    def _place(self, path: str) -> str:
        if self._given.has("inplace"):
            return path
        if path not in self._named:  # a local header
            return path + _ENDING
        if self._given.has("o"):
            return os.path.join(self._folder, self._given.last("o"))
        name = path + _ENDING
        return os.path.join(self._folder, os.path.basename(name)) if self._folder else name

    def _show(self, counts: ClangStatistics, name: str) -> None:
        """Print statistics; files are translated together, so the time is that since the run began."""
        seconds = time.monotonic() - self._started
        if self._has_text:
            emit(sys.stderr, counts.text_of(name, seconds).splitlines())
        if self._csv:
            self._written_csv.append(counts.csv_of(name, seconds))

    def _write_csv(self) -> None:
        if not self._csv:
            return
        try:
            write_anywhere(self._csv, "".join(self._written_csv).encode("utf-8", "surrogateescape"))
        except OSError as error:
            emit(sys.stderr, [f"[HIPIFY] error: cannot write {self._csv}: {reason(error)}"])
            self._status = FAILURE


def _made_folder(path: str) -> str:
    """The folder for the output, which is created; the folder that it is in must exist.

    Raises:
        Misuse: if it cannot be created.
    """
    try:
        if not os.path.isdir(path):
            os.mkdir(path)
    except OSError as error:
        raise Misuse(f"cannot create the output folder {path}: {reason(error)}") from error
    return os.path.realpath(path)


def _local_headers(path: str, data: bytes) -> list[str]:
    """The headers that a source includes in quotes and that are found from its folder."""
    folder = os.path.dirname(path)
    found = (os.path.normpath(os.path.join(folder, name)) for name, is_quoted in named(data) if is_quoted)
    return [header for header in dict.fromkeys(found) if os.path.isfile(header)]
