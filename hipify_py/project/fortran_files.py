"""Files of CUDA Fortran: none is translated; each is counted, with what HIP offers for what it uses.

Met in public repositories: AFiD, CaNS, Quantum ESPRESSO, and the examples of books and courses.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from os.path import splitext

from hipify_py.build_systems.file import BuildFile, Range
from hipify_py.build_systems.finishing import finished
from hipify_py.core.options import Options
from hipify_py.core.project_context import NO_PROJECT
from hipify_py.core.source import BOM, Source
from hipify_py.findings.suppression import MARK
from hipify_py.fortran.counts import FortranCounts
from hipify_py.fortran.cuda_fortran import CudaFortran, cuda_fortran_in
from hipify_py.fortran.hipfort import offered_for
from hipify_py.fortran.source_form import comments_of, is_fixed_form
from hipify_py.fortran.statements import statements_of
from hipify_py.project.content_facts import FileFacts
from hipify_py.project.result import UNREAD, FileResult
from hipify_py.project.results_cache.keys import content_digest

LARGEST = 16 << 20
"""Bytes of a source that is read; larger ones are data."""

_ID = "HIP913"
_OF_CUDA = ".cuf"
"""The ending of files that are CUDA Fortran by their names."""

_MOST_NAMES = 3
"""Names of a kind that a message has."""

_MEMORY = {
    "device": "hipMalloc",
    "managed": "hipMallocManaged",
    "unified": "hipMallocManaged",
    "pinned": "hipHostMalloc",
    "constant": "__constant__ in C++",
    "shared": "__shared__ in C++",
    "texture": "plain pointers",
}
"""What replaces variables, by their attribute."""


class _FortranFile(BuildFile):
    """A Fortran source, whose comments suppress its finding."""

    marks = b"!cC* \t"

    def __init__(self, source: Source, options: Options) -> None:
        comments, statements = _comments(source) if MARK in source.data else ([], [])
        super().__init__(source, "", options, comments, statements)


def fortran_result(path: str, data: bytes, options: Options, facts: FileFacts) -> FileResult | None:
    """The result for a Fortran source; None if it uses nothing of CUDA.

    `facts` has what earlier runs have found in the same contents.
    """
    is_cuda = splitext(path)[1].lower() == _OF_CUDA
    is_text = b"\0" not in data
    found = _known(path, data, facts) if is_text else CudaFortran()
    if found.first < 0 and not is_cuda:
        return None
    source = _FortranFile(Source(data, path), options)
    offered = offered_for(found.calls, source.catalog)
    counts = FortranCounts(
        1,
        len(found.kernels),
        len(found.device_subprograms),
        found.loops,
        found.launches,
        sum(found.calls.values()),
        offered.interfaced,
        len(found.interfaces),
        found.variables,
    )
    detail = "; ".join([*_code(found), *_calls(counts, offered.other, offered.missing), *_variables(found.variables)])
    if not is_text:
        detail = "it is not text in ASCII or UTF-8, and was not counted"
    elif not detail:
        detail = _little(found)
    source.finding(_ID, max(found.first, 0), found.first_name, detail)
    is_done_by_hipfort = (
        is_text and counts[1:5] == (0, 0, 0, 0) and not found.variables and counts.interfaced == counts.calls
    )
    done = finished(source)
    findings = [
        finding._replace(effort="low") if finding.id == _ID and is_done_by_hipfort else finding
        for finding in done.findings
    ]
    return FileResult(path, UNREAD, findings=tuple(findings), suppressed=tuple(done.suppressed), cuda_fortran=counts)


def _little(found: CudaFortran) -> str:
    """What there is where nothing is to be counted."""
    if found.modules:
        return f"it uses {', '.join(found.modules)}"
    if found.conditional:
        return f"it has {_counted(found.conditional, 'statement')} after !@cuf"
    return "it names nothing of CUDA itself"


def _known(path: str, data: bytes, facts: FileFacts) -> CudaFortran:
    """What a source uses, which an earlier run may have found."""
    key = content_digest(f"CUDA Fortran, {splitext(path)[1].lower()}".encode() + content_digest(data))
    known = facts.answer(key, NO_PROJECT)
    if known is not None:
        return CudaFortran(*known[0])
    found = cuda_fortran_in(path, _text(data))
    facts.keep_answer(key, tuple(found), {}, NO_PROJECT)
    return found


def _text(data: bytes) -> str:
    """A character for each byte: names are ASCII, and offsets are those of bytes."""
    text = data.decode("latin-1")
    return " " * len(BOM) + text[len(BOM) :] if data.startswith(BOM) else text


def _comments(source: Source) -> tuple[list[Range], list[Range]]:
    """The comments of a source, and its statements."""
    text = _text(source.data)
    comments: list[Range] = [*comments_of(text, fixed=is_fixed_form(source.path, text))]
    statements = [
        (tokens[0].offset, tokens[-1].offset + len(tokens[-1].written))
        for tokens in (statement.tokens for statement in statements_of(source.path, text))
    ]
    return comments, statements


def _code(found: CudaFortran) -> Iterator[str]:
    """What becomes of code for the device."""
    if found.kernels:
        become = "becomes" if len(found.kernels) == 1 else "become"
        kernels = f"{_counted(len(found.kernels), 'kernel')} ({_some(found.kernels)})"
        yield f"{kernels} {become} C++, with interfaces by iso_c_binding"
    if found.device_subprograms:
        count = len(found.device_subprograms)
        becomes = "becomes a __device__ function" if count == 1 else "become __device__ functions"
        yield f"{_counted(count, 'device subprogram')} {becomes} of C++"
    if found.loops:
        targets = "an OpenMP target loop" if found.loops == 1 else "OpenMP target loops"
        yield f"{_counted(found.loops, '!$cuf loop')} can become {targets}"
    if found.launches:
        calls = "becomes a call" if found.launches == 1 else "become calls"
        yield f"{_counted(found.launches, 'launch', 'launches')} {calls} of C++"


def _calls(counts: FortranCounts, other: Sequence[str], missing: Sequence[str]) -> Iterator[str]:
    """What HIP offers for calls of CUDA functions."""
    if counts.calls:
        have = "has" if counts.interfaced == 1 else "have"
        text = f"{counts.interfaced} of {_counted(counts.calls, 'API call')} {have} an interface in hipfort"
        text += f", not {_some(other)}" if other else ""
        yield text + (f"; HIP lacks {_some(missing)}" if missing else "")
    if counts.interfaces:
        yield f"it binds {_counted(counts.interfaces, 'CUDA function')} itself, which become HIP's"


def _variables(variables: Mapping[str, int]) -> Iterator[str]:
    """What replaces variables."""
    for attribute, count in variables.items():
        yield f"{count} {attribute} variable{'' if count == 1 else 's'}: {_MEMORY[attribute]}"


def _some(names: Sequence[str]) -> str:
    more = len(names) - _MOST_NAMES
    return ", ".join(names[:_MOST_NAMES]) + (f" and {more} more" if more > 0 else "")


def _counted(count: int, noun: str, nouns: str = "") -> str:
    return f"{count} {noun if count == 1 else nouns or noun + 's'}"
