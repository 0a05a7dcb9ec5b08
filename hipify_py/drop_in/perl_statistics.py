"""The statistics of hipify-perl, in its text.

Source: `printStats` and the counters around it in `bin/hipify-perl` of ROCm 6.3.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from hipify_py.catalog import load_catalog
from hipify_py.core.options import Options
from hipify_py.drop_in.references import LAUNCH, called_device_functions, converted, native_types
from hipify_py.project.result import FileResult

GLOBAL = "GLOBAL"
"""The name under which the sums of several files are shown."""

_DEVICE_CODE = (b"__global__", b"__shared__")


class PerlStatistics:
    """The counts for one file, or for several together.

    Attributes:
        launches: the kernel launches that are rewritten.
        device_functions: the functions for device code that HIP has under the same name; each counts once a file.
        lines: the lines of code.
        warnings: the warnings that are printed.
    """

    def __init__(self) -> None:
        self.launches = 0
        self.device_functions = 0
        self.lines = 0
        self.warnings = 0
        self._targets: dict[str, str] = {}
        self._counts: Counter[str] = Counter()

    @classmethod
    def of(cls, result: FileResult, source: bytes, options: Options, *, warnings: int) -> PerlStatistics:
        """The counts for one file."""
        found = cls()
        found.lines = source.count(b"\n")
        found.warnings = warnings
        for reference, becomes in converted(result, options):
            if reference.kind == LAUNCH:
                found.launches += 1
            else:
                found._targets[reference.name] = becomes
                found._counts[becomes] += 1
        for reference in native_types(result):
            found._targets[reference.name] = reference.name
            found._counts[reference.name] += 1
        if any(word in source for word in _DEVICE_CODE):
            found.device_functions = len(called_device_functions(source, load_catalog(options.targeting)))
        return found

    def add(self, other: PerlStatistics) -> None:
        """Add the counts for another file."""
        self.launches += other.launches
        self.device_functions += other.device_functions
        self.lines += other.lines
        self.warnings += other.warnings
        self._targets.update(other._targets)
        self._counts.update(other._counts)

    @property
    def converted(self) -> int:
        """The number of references that count as converted."""
        return self._counts.total() + self.launches + self.device_functions

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to show: a file without CUDA has no statistics."""
        return not (self.converted or self.warnings)

    def text_lines(self, name: str) -> Iterator[str]:
        """The statistics under a file's name.

        The number beside a name is how often its HIP name is written, for whatever CUDA names, as in hipify-perl.
        """
        yield ""
        yield f"[HIPIFY] info: file '{name}' statistics:"
        yield f"  CONVERTED refs count: {self.converted}"
        yield f"  TOTAL lines of code: {self.lines}"
        yield f"  WARNINGS: {self.warnings}"
        yield "[HIPIFY] info: CONVERTED refs by names:"
        for cuda, hip in sorted(self._targets.items()):
            yield f"  {cuda} => {hip}: {self._counts[hip]}"
