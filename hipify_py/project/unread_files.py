"""The files of a tree that name CUDA and are not read: a port that leaves them out is not finished.

Met in public repositories: cgo (mumax3), settings of makefiles (`make.defs.cuda` of the Parallel Research Kernels),
templates of package configurations; and CUDA Fortran, which is counted (`fortran_files.py`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from os.path import basename, splitext

from hipify_py.build_systems.file import BuildFile
from hipify_py.build_systems.finishing import finished
from hipify_py.catalog import load_catalog
from hipify_py.core.options import Options
from hipify_py.core.project_context import NO_PROJECT
from hipify_py.core.source import Source, is_fortran
from hipify_py.embedded.host_files import kind_of_host
from hipify_py.project.content_facts import FileFacts
from hipify_py.project.discovery import OTHER, Discovery, Entry
from hipify_py.project.result import UNREAD, FileResult
from hipify_py.project.results_cache.keys import content_digest

_LARGEST = 1 << 20
"""Bytes of a file that is searched; larger ones are data."""

_UNREAD = "HIP911"

_C_LIKE = (
    r"__global__|<<<[^<>;\n]{1,200}>>>|\bcuda[A-Z]\w+\s*\(|\bcu(?:blas|fft|rand|sparse|solver)[A-Z]\w+\s*\(|"
    r"\bcu(?:Init|Launch|Mem|Ctx|Module|Device|Stream|Event|Func)\w*\s*\(|\bnvrtc[A-Z]\w+\s*\(|"
    r"#\s*include\s*[<\"](?:cu|nccl|nvrtc|thrust/|cub/)[\w/]*\.(?:h|cuh)\b|"
    r"-lcuda(?:rt)?\b|\bnvcc\b|CUDAToolkit|\bCUDA::\w|/usr/local/cuda|\bcuda-\d[\d.]*"
)
_LANGUAGES = {
    ".go": ("cgo is not translated", r"\bC\.(?:cu|nv|nccl)\w+|#cgo[^\n]*-l(?:cu|nv|nccl)\w+"),
    ".rs": ("Rust is not translated", r"\bcudarc\b|\bcust::|" + _C_LIKE),
    ".jl": ("Julia is not translated; AMDGPU.jl is what CUDA.jl is for CUDA", r"\busing\s+CUDA\b|\bCuArray\b|@cuda\b"),
    **dict.fromkeys(
        (".bat", ".cmd", ".ps1"), ("scripts for Windows are not translated; use the HIP SDK's programs there", _C_LIKE)
    ),
    ".in": ("the template is not translated; replace CUDA's packages, libraries and folders in it", _C_LIKE),
    ".ptx": ("PTX is for NVIDIA GPUs: compile the source that it was made from", r"\.version\s+\d"),
}
"""By ending, what is to be said of a language, and what in it names CUDA."""
_ANY = ("no translator knows a file of this name; --include translates it if it is a source", _C_LIKE)
_PATTERNS = {pattern: re.compile(pattern.encode()) for _, pattern in (*_LANGUAGES.values(), _ANY)}

_CALL = re.compile(rb"(cu\w+)\s*\(")

_PROSE = re.compile(
    r"(?i)\.(?:adoc|bib|cff|css|csv|dat|diff|dox|doxygen|gpl|html?|ini|ipynb|js|json|lock|log|md|org|out|patch|pot?|rst"
    r"|svg|tex|texi|toml|ts|tsv|txt|xml|ya?ml)$"
)
"""Endings of documents and data, in which CUDA is a subject or a setting."""
_PROSE_NAMES = re.compile(
    r"(?i)(?:readme|change|licen[cs]e|copying|authors|contributors|install|news|notice|todo|history|release)"
)


_CONFIGURES = re.compile(r"(?:.*/)?configure")
_MADE = "autoreconf -fi makes it anew from {}, which is translated"


def unread_files(found: Discovery, options: Options, facts: FileFacts | None = None) -> Iterator[FileResult]:
    """A result with a finding for each file of the trees that names CUDA and is not read.

    `facts` has the places that earlier runs have found in the same contents.
    """
    facts = facts or FileFacts()
    built = {(entry.root, entry.relative) for entry in found.build_files}
    for entry in found.entries:
        if entry.kind != OTHER or not entry.size or kind_of_host(entry.relative):
            continue
        if is_fortran(entry.path):
            result = _fortran(entry, options, facts)
            if result is not None:
                yield result
        elif found.roots[entry.root].is_tree and entry.size <= _LARGEST and not _is_prose(entry.relative):
            sources = (f"{entry.relative}{ending}" for ending in (".ac", ".in"))
            made_from = next((name for name in sources if (entry.root, name) in built), "")
            what = _MADE.format(basename(made_from)) if made_from and _CONFIGURES.fullmatch(entry.relative) else ""
            result = _unread(entry, options, what, facts)
            if result is not None:
                yield result


def _fortran(entry: Entry, options: Options, facts: FileFacts) -> FileResult | None:
    """The result for a Fortran source that uses CUDA."""
    from hipify_py.project.fortran_files import LARGEST, fortran_result  # few trees have any

    data = _read(entry.path, LARGEST)
    if data is None:
        return None
    return facts.faults.ask(entry.path, lambda: fortran_result(entry.path, data, options, facts), lambda: None)


def _read(path: str, largest: int) -> bytes | None:
    """The content of a file, at most so many bytes; None for one that cannot be read."""
    try:
        with open(path, "rb") as file:
            return file.read(largest)
    except OSError:  # who builds the project will hear of it
        return None


def _is_prose(path: str) -> bool:
    name = basename(path)
    return bool(name.startswith(".") or _PROSE.search(name) or ("." not in name and _PROSE_NAMES.match(name)))


def _known_use(data: bytes, pattern: re.Pattern[bytes], facts: FileFacts) -> tuple[int, bytes] | None:
    """The place and the text of the first use, which an earlier run may have found."""
    key = content_digest(repr(pattern.pattern).encode() + content_digest(data))
    known: tuple[tuple[int, bytes] | None] | None = facts.answer(key, NO_PROJECT)
    if known is not None:
        return known[0]
    match = _first_use(data, pattern)
    found = None if match is None else (match.start(), match[0])
    facts.keep_answer(key, found, {}, NO_PROJECT)
    return found


def _first_use(data: bytes, pattern: re.Pattern[bytes]) -> re.Match[bytes] | None:
    """The first match, without calls of functions that only look like CUDA's: `cudaEnabled()` of ASTRA's Cython."""
    catalog = load_catalog()
    for match in pattern.finditer(data):
        call = _CALL.fullmatch(match[0])
        if call is None or catalog.row(call[1]) is not None:
            return match
    return None


def _unread(entry: Entry, options: Options, made: str, facts: FileFacts) -> FileResult | None:
    """The result for a file that names CUDA; `made` tells how another program makes it, empty if none does."""
    data = _read(entry.path, _LARGEST)
    if data is None:
        return None
    what, pattern = _LANGUAGES.get(splitext(entry.path)[1].lower(), _ANY)
    use = None if b"\0" in data else _known_use(data, _PATTERNS[pattern], facts)
    if use is None:
        return None
    start, text = use
    source = BuildFile(Source(data, entry.path), "", options, ())
    source.finding(_UNREAD, start, text.decode("utf-8", "replace").strip(" ("), made or what)
    translation = finished(source)
    return FileResult(
        entry.path, UNREAD, findings=tuple(translation.findings), suppressed=tuple(translation.suppressed)
    )
