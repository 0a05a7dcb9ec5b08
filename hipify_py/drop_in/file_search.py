"""Finds the code files of a folder, in the order in which the scripts of HIPIFY hand them on.

Source: `bin/findcode.sh`, `bin/findcode_headers.sh`, `bin/findcode_sources.sh` and `bin/hipconvertinplace-perl.sh` of
ROCm 6.3.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import NamedTuple

_KERNELS = (".cu", ".CU")
_SOURCES = (".cpp", ".cxx", ".c", ".cc")
_CUDA_HEADERS = (".cuh", ".CUH")
_HEADERS = (".h", ".hpp", ".hh", ".inc", ".inl", ".hxx", ".hdl")


def _upper(endings: Sequence[str]) -> tuple[str, ...]:
    return tuple(ending.upper() for ending in endings)


FILTERS = {
    "all": (_KERNELS, _SOURCES, _upper(_SOURCES), _CUDA_HEADERS, _HEADERS, _upper(_HEADERS)),
    "headers": (_CUDA_HEADERS, _HEADERS, _upper(_HEADERS)),
    "sources": ((".cu",), (".CU",), _SOURCES, _upper(_SOURCES)),
    "custom": ((".cu",), (".CU",)),
}
"""The endings that each `-filter` looks for, one group after the other."""


class SearchFailed(OSError):
    """The folder to search does not exist or cannot be read."""


def code_files(folder: str, chosen: str = "all") -> list[str]:
    """The code files at and below a folder; a file stands for itself. Links to folders are not followed.

    Args:
        folder: the folder, or a file.
        chosen: one of `FILTERS`.

    Raises:
        SearchFailed: if there is no such folder.
    """
    if os.path.isdir(folder):
        found = [*_walked(folder)]
    elif os.path.lexists(folder):
        found = [folder]
    else:
        raise SearchFailed(f"{folder}: there is no such file or directory")
    return [path for endings in FILTERS[chosen] for path in found if path.endswith(endings)]


def _walked(folder: str) -> list[str]:
    found = []
    for place, folders, names in os.walk(folder):
        folders.sort()
        found += [os.path.join(place, name) for name in sorted(names)]
    return found


class Script(NamedTuple):
    """One of the scripts that search a folder and hand its files on.

    Attributes:
        does: what it does with the files, for `-help`.
        options: the options that it adds.
        of_clang: whether it calls hipify-clang, with the compiler's arguments after `--`, or hipify-perl.
        filters: whether `-filter=…` may follow the folder.
    """

    does: str
    options: Sequence[str]
    of_clang: bool
    filters: bool = False


_SHOWS = "shows statistics of the code files in a folder, and writes nothing"

SCRIPTS = {
    "hipexamine": Script(_SHOWS, ("-examine",), of_clang=True),
    "hipexamine-perl": Script(
        _SHOWS,
        ("-no-output", "-print-stats"),
        of_clang=False,
    ),
    "hipconvertinplace": Script(
        "translates the code files in a folder in place, without a backup", ("-inplace", "-print-stats"), of_clang=True
    ),
    "hipconvertinplace-perl": Script(
        "translates the code files in a folder in place, with a backup as NAME.prehip",
        ("-inplace", "-print-stats"),
        of_clang=False,
        filters=True,
    ),
}
"""The scripts, by their names without `.sh`."""


_HELP = frozenset({"-h", "-help", "--help"})


def wants_help(arguments: Sequence[str]) -> bool:
    """Whether a script is asked what it takes; arguments after `--` are not the script's."""
    own = arguments[: arguments.index("--")] if "--" in arguments else arguments
    return not _HELP.isdisjoint(own)


def script_help(name: str) -> str:
    """What `-help` prints about one of `SCRIPTS`."""
    script = SCRIPTS[name]
    tool = "clang" if script.of_clang else "perl"
    words = ["FOLDER|FILE"]
    words += [f"[-filter={'|'.join(FILTERS)}]"] if script.filters else []
    words += ["[OPTION...]"]
    words += ["[-- COMPILER_ARGUMENT...]"] if script.of_clang else []
    rows = [("FOLDER|FILE", "this folder with those below it, or this file; the current folder by default")]
    if script.filters:
        rows += [("-filter", "which files: all, headers, sources, or custom (.cu files); all by default")]
    rows += [("OPTION", f"further options of hipify-py-{tool}: see hipify-py-{tool} -help")]
    rows += (
        [("COMPILER_ARGUMENT", "the build's arguments for the compiler, such as -Iinclude")] if script.of_clang else []
    )
    width = max(len(argument) for argument, _ in rows)
    lines = [
        f"hipify-py-{name} {script.does}.",
        "",
        f"Usage: hipify-py-{name} [{' '.join(words)}]",
        "",
        *(f"  {argument:{width}}  {says}" for argument, says in rows),
        "",
        f"It calls hipify-py-{tool} {' '.join(script.options)}.",
        "",
    ]
    return "\n".join(lines)


def run_script(
    script: Script, arguments: Sequence[str], tell: Callable[[str], None], run: Callable[[Sequence[str]], int]
) -> int:
    """Do what `SCRIPT FOLDER OPTIONS` does: search the folder, and run the tool on its files.

    Without arguments, the current folder is searched.

    Args:
        script: one of `SCRIPTS`.
        arguments: the folder, and options.
        tell: prints an error.
        run: the tool: takes arguments, returns an exit status.
    """
    folder, *rest = arguments or [os.curdir]
    chosen = "all"
    if script.filters and rest and rest[0].startswith("-filter=") and rest[0].partition("=")[2] in FILTERS:
        chosen = rest.pop(0).partition("=")[2]
    try:
        files = code_files(folder, chosen)
    except SearchFailed as error:
        tell(f"error: {error}")
        files = []
    if not script.of_clang:
        return run([*script.options, *rest, *files])
    place = rest.index("--") if "--" in rest else len(rest)
    return run([*script.options, *rest[:place], *files, "--", "-x", "cuda", *rest[place + 1 :]])
