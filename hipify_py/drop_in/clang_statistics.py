"""The statistics of hipify-clang, as text and as CSV.

Source: `src/Statistics.cpp` of ROCm 6.3.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from hipify_py.core.options import Options
from hipify_py.core.source import Source
from hipify_py.core.translation import Reference
from hipify_py.drop_in.references import LAUNCH, converted, native_functions, native_types, not_converted
from hipify_py.drop_in.sections import APIS, SHOWN_AS, TYPES, counted_api, counted_type
from hipify_py.project.result import FAILED, FileResult

GLOBAL = "GLOBAL"
"""The name under which the sums of several files are shown."""

_LAUNCHED = "cudaLaunchKernel"


class _Table(NamedTuple):
    """Some figures of the statistics, in order, below a headline for each form; those of the head have none."""

    text_title: str
    csv_title: str
    figures: list[tuple[str, str]]

    def as_text(self) -> str:
        return self.text_title + "".join(f"  {name}: {value}\n" for name, value in self.figures)

    def as_csv(self) -> str:
        return self.csv_title + "".join(f"{name};{value}\n" for name, value in self.figures)


class _References:
    """Numbers of references by type, API and name."""

    def __init__(self) -> None:
        self.types: Counter[str] = Counter()
        self.apis: Counter[str] = Counter()
        self.names: Counter[str] = Counter()

    def count(self, reference: Reference) -> None:
        name = _LAUNCHED if reference.kind == LAUNCH else reference.name
        self.names[name] += 1
        self.types[counted_type(name, reference.library, reference.kind)] += 1
        self.apis[counted_api(name, reference.library)] += 1

    def add(self, other: _References) -> None:
        for own, more in ((self.types, other.types), (self.apis, other.apis), (self.names, other.names)):
            own.update(more)


class ClangStatistics:
    """The counts for one file, or for several together."""

    def __init__(self) -> None:
        self._converted, self._unconverted = _References(), _References()
        self._replaced = self._bytes = self._changed_lines = self._lines = 0
        self._is_failed = False

    @classmethod
    def of(cls, result: FileResult, source: bytes, options: Options) -> ClangStatistics:
        """The counts for one file."""
        found = cls()
        for each in converted(result, options):
            found._converted.count(each.reference)
        for reference in (*native_types(result), *native_functions(result)):
            found._converted.count(reference)
        for reference in not_converted(result):
            found._unconverted.count(reference)
        places = Source(source)
        found._replaced = sum(edit.end - edit.start for edit in result.edits)
        found._changed_lines = len({places.position(edit.start)[0] for edit in result.edits})
        found._bytes, found._lines = len(source), source.count(b"\n")
        found._is_failed = result.status == FAILED
        return found

    def add(self, other: ClangStatistics) -> None:
        """Add the counts for another file."""
        self._converted.add(other._converted)
        self._unconverted.add(other._unconverted)
        self._replaced += other._replaced
        self._bytes += other._bytes
        self._changed_lines += other._changed_lines
        self._lines += other._lines
        self._is_failed = self._is_failed or other._is_failed

    @property
    def is_conversion(self) -> bool:
        """Whether a file counts as converted."""
        return bool(self._changed_lines and self._bytes and self._lines and not self._is_failed)

    def text_of(self, name: str, seconds: float) -> str:
        """The statistics under a file's name, for standard error."""
        title = f"\n[HIPIFY] info: file '{name}' statistics:\n"
        return title + self._failure() + "".join(table.as_text() for table in self._tables(seconds))

    def csv_of(self, name: str, seconds: float) -> str:
        """The statistics under a file's name, for a CSV file."""
        title = f"\nfile '{name}' statistics:\n"
        return title + self._failure() + "".join(table.as_csv() for table in self._tables(seconds))

    def _failure(self) -> str:
        if not (self._is_failed or not self._bytes or not self._lines):
            return ""
        return "\n  ERROR: Statistics is invalid due to failed hipification.\n\n"

    def _tables(self, seconds: float) -> Iterator[_Table]:
        done, left = self._converted.types.total(), self._unconverted.types.total()
        figures = {
            "CONVERTED refs count": str(done),
            "UNCONVERTED refs count": str(left),
            "CONVERSION %": f"{100 - _percent(left, done + left, of_nothing=100.0):.1f}",
            "REPLACED bytes": str(self._replaced),
            "TOTAL bytes": str(self._bytes),
            "CHANGED lines of code": str(self._changed_lines),
            "TOTAL lines of code": str(self._lines),
            "CODE CHANGED (in bytes) %": f"{_percent(self._replaced, self._bytes):.1f}",
            "CODE CHANGED (in lines) %": f"{_percent(self._changed_lines, self._lines):.1f}",
            "TIME ELAPSED s": f"{seconds:.2f}",
        }
        yield _Table("", "", list(figures.items()))
        yield from _breakdown("CONVERTED", self._converted)
        yield from _breakdown("UNCONVERTED", self._unconverted)


def _breakdown(title: str, counts: _References) -> Iterator[_Table]:
    """The references by type, API and name; nothing where there are none."""
    shown = (
        ("type", "CUDA ref type", [(SHOWN_AS.get(each, each), counts.types[each]) for each in TYPES]),
        ("API", "CUDA API", [(each, counts.apis[each]) for each in APIS]),
        ("names", "CUDA ref name", sorted(counts.names.items())),
    )
    for what, column, rows in shown:
        figures = [(name, str(number)) for name, number in rows if number]
        if figures:
            yield _Table(f"[HIPIFY] info: {title} refs by {what}:\n", f"\n{column};Count\n", figures)


def _percent(part: int, whole: int, of_nothing: float = 0.0) -> float:
    return part / whole * 100 if whole else of_nothing


def totals_text(converted_files: int, files: int) -> str:
    """What follows the sums of several files, for standard error."""
    return f"\n[HIPIFY] info: TOTAL statistics:\n  CONVERTED files: {converted_files}\n  PROCESSED files: {files}\n"


def totals_csv(converted_files: int, files: int) -> str:
    """What follows the sums of several files, for a CSV file."""
    return f"\nTOTAL statistics:\nCONVERTED files;{converted_files}\nPROCESSED files;{files}\n"
