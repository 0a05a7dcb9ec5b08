"""Stands in for hipify-perl: the HIP source of each file goes to standard output, to a file, or into the file.

Exit statuses are those of hipify-perl: 0, also after unknown options and with warnings, and the number of the system's
error if a file cannot be read or written. hipify-perl stops at such a file; here the other files are done all the same.
"""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable, Sequence

from hipify_py.core.options import Options
from hipify_py.core.targeting import NEWEST_ROCM
from hipify_py.drop_in.command_line import Arguments, read_by_getopt
from hipify_py.drop_in.options import BESIDE, INLINE, PERL_OPTIONS, SUPPORT, help_text
from hipify_py.drop_in.perl_statistics import GLOBAL, PerlStatistics
from hipify_py.drop_in.places import keep_original, with_header_inside, write_output
from hipify_py.drop_in.translation import SourceFile, chosen_options, translate_files
from hipify_py.drop_in.warnings import lines_of_perl, warnings_of
from hipify_py.project.errors import reason
from hipify_py.project.result import FAILED, FileResult
from hipify_py.project.write import BACKUP_SUFFIX
from hipify_py.report.text import emit, emit_bytes
from hipify_py.support_header.header import is_header

DONE, WRONG_SETTING, FAULTY = 0, 2, 3
_NOT_TEXT = frozenset({"HIP902", "HIP903"})
"""Files that are no text: they are handed on as they are."""

_USAGE = "hipify-py-perl [OPTION...] FILE..."


def run(arguments: Sequence[str]) -> int:
    """Do what `hipify-perl ARGUMENTS` does, and return its exit status.

    Raises:
        TableError: if the mapping tables are missing or wrong.
    """
    given = read_by_getopt(arguments, PERL_OPTIONS)
    emit(sys.stderr, given.complaints)
    if given.has(SUPPORT.name) and given.last(SUPPORT.name) not in (BESIDE, INLINE):
        emit(sys.stderr, [f"error: -{SUPPORT.name} is {BESIDE} or {INLINE}"])
        return WRONG_SETTING
    try:
        options = chosen_options(
            launches=given.has("hip-kernel-execution-syntax"),
            to_roc=given.has("roc"),
            experimental=given.has("experimental"),
        )
    except ValueError as error:
        emit(sys.stderr, [f"error: {error}"])
        return WRONG_SETTING
    if given.has("help"):
        emit(sys.stderr, help_text("hipify-py-perl", _USAGE, PERL_OPTIONS).splitlines())
    if given.has("version"):
        emit(sys.stderr, [f"HIP version {options.targeting.rocm or NEWEST_ROCM}.0"])
    return _Run(given, options).do()


class _Run:
    """One run over the files of a command line.

    Attributes:
        status: the exit status so far: that of the first file that failed.
    """

    def __init__(self, given: Arguments, options: Options) -> None:
        self._given = given
        self._options = options
        self._is_in_place = given.has("inplace")
        self._writes = not (given.has("no-output") or given.has("examine"))
        self._has_statistics = given.has("print-stats") or given.has("examine")
        self._output = "" if self._is_in_place else given.last("o")
        goes_to_stdout = not (self._is_in_place or self._output)
        self._has_header_inside = goes_to_stdout or given.last(SUPPORT.name) == INLINE
        self.status = DONE

    def do(self) -> int:
        """Translate all files; return the exit status."""
        sources: dict[str, SourceFile] = {}
        wanted = [path for path in self._given.operands if not self._is_excluded(path)]
        for path in dict.fromkeys(wanted):
            data = self._content(path)
            if data is not None:
                sources[path] = SourceFile(path, data)
        translated = [path for path in wanted if path in sources]
        if self._output and self._writes and len(translated) > 1:
            emit(sys.stderr, [f"warning: {self._output} gets the last of {len(translated)} files only"])
        results = dict(zip(sources, translate_files([*sources.values()], self._options), strict=True))
        total = PerlStatistics()
        for place, path in enumerate(translated, 1):
            is_last = place == len(translated)
            total.add(self._finish(results[path], sources[path].data, is_last=is_last))
        if self._has_statistics and len(self._given.operands) > 1:
            emit(sys.stderr, [*total.text_lines(GLOBAL), ""])
        return self.status

    def _is_excluded(self, path: str) -> bool:
        folder = os.path.dirname(os.path.realpath(path))
        if folder in self._listed("exclude-dirs"):
            emit(sys.stderr, [f"{path} is left out: its folder {folder} is excluded"])
        elif path in self._listed("exclude-files"):
            emit(sys.stderr, [f"{path} is left out: it is excluded"])
        else:
            return False
        return True

    def _listed(self, name: str) -> list[str]:
        return [each for each in self._given.last(name).split(",") if each]

    def _content(self, path: str) -> bytes | None:
        """What is to be translated: in place, the original that an earlier run has kept; None if it cannot be read."""
        backup = path + BACKUP_SUFFIX
        place = backup if self._is_in_place and os.path.exists(backup) else path
        try:
            with open(place, "rb") as file:
                data = file.read()
        except IsADirectoryError:
            # Perl opens a folder and finds no line in it; `cp` refuses one.
            emit(sys.stderr, [f"error: {place} is a directory"])
            self._fail(errno.ENOENT if self._is_in_place else DONE)
        except OSError as error:
            emit(sys.stderr, [f"error: could not open {place}: {reason(error)}"])
            self._fail(error.errno or FAULTY)
        else:
            if not (self._is_in_place and is_header(data)):  # a support header of an earlier run
                return data
        return None

    def _fail(self, status: int) -> None:
        self.status = self.status or status

    def _finish(self, result: FileResult, source: bytes, *, is_last: bool) -> PerlStatistics:
        """Tell about one file and write what it has become; return its counts."""
        if result.status == FAILED:
            result = result._replace(output=source)
            self._fail(DONE if result.findings[0].id in _NOT_TEXT else FAULTY)
        findings = [] if self._given.has("quiet-warnings") else warnings_of(result, self._listed("whitelist"))
        emit(sys.stderr, lines_of_perl(result.path, findings))
        if self._writes:
            self._write(result, is_last=is_last)
        counts = PerlStatistics.of(result, source, self._options, warnings=len(findings))
        if self._has_statistics and not counts.is_empty:
            emit(sys.stderr, counts.text_lines(result.path))
        return counts

    def _write(self, result: FileResult, *, is_last: bool) -> None:
        if self._has_header_inside:
            result = with_header_inside(result)
        if self._is_in_place:
            self._try(result.path, lambda: self._replace(result))
        elif not self._output:
            emit_bytes(sys.stdout, result.output)
        elif is_last:
            self._try(self._output, lambda: write_output(self._output, result))

    def _replace(self, result: FileResult) -> None:
        keep_original(result.path)
        write_output(result.path, result)

    def _try(self, path: str, write: Callable[[], None]) -> None:
        try:
            write()
        except OSError as error:
            emit(sys.stderr, [f"error: could not write {path}: {reason(error)}"])
            self._fail(error.errno or FAULTY)
