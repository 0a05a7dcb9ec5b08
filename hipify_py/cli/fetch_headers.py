"""`hipify-py fetch-headers`: the headers that libclang needs, from the package index."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from hipify_py.catalog.installed import default_rocm
from hipify_py.clang.toolchain import find_toolchain
from hipify_py.cli.exit_codes import DONE, FAILURE
from hipify_py.cli.help_command import DOES, PARTS, Helped
from hipify_py.cli.progress import is_watched
from hipify_py.core.targeting import NEWEST_ROCM
from hipify_py.core.terminal_escape import visible
from hipify_py.headers.places import fetched_sets, folder_size, headers_dir
from hipify_py.headers.wheels import FetchError
from hipify_py.project.errors import reason
from hipify_py.report.text import emit, plural

if TYPE_CHECKING:
    from hipify_py.clang.toolchain_packages import Wanted
    from hipify_py.headers.sets import HeaderSet

INSTALL = "pip install --upgrade hipify-py"
"""What brings libclang, and the packages that fetching takes."""


@click.command(
    "fetch-headers",
    cls=Helped,
    examples=[
        ("hipify-py fetch-headers", "Fetch what is missing."),
        ("hipify-py fetch-headers --cuda 11.8 --rocm 6.2", "Fetch the headers of specific versions."),
        ("hipify-py fetch-headers --list", "List what can be fetched and what has been fetched."),
        ("hipify-py fetch-headers --remove", "Remove everything that was fetched."),
    ],
    statuses={**DOES, FAILURE: "some headers could not be fetched (nothing of them is kept) or removed"},
    variables={
        **PARTS,
        "PIP_INDEX_URL, PIP_CONFIG_FILE": "the package index, as for pip; pip's other settings apply too",
    },
)
@click.option(
    "--cuda", metavar="VERSION", help="Fetch CUDA's headers of this version (12.9), even if there are others."
)
@click.option("--rocm", metavar="VERSION", help="Fetch HIP's headers of this version (7.1), even if there are others.")
@click.option("--list", "list_", is_flag=True, help="Show what can be fetched and what has been fetched.")
@click.option("--remove", is_flag=True, help="Remove fetched headers; with --cuda or --rocm, only these versions.")
@click.option("--index-url", metavar="URL", help="The package index, instead of the one that pip is configured for.")
@click.option("-q", "--quiet", is_flag=True, help="Print only errors.")
def command(cuda: str | None, rocm: str | None, list_: bool, remove: bool, index_url: str | None, quiet: bool) -> int:
    """Fetch the headers that libclang needs to read CUDA and HIP, if they are not installed.

    The headers come from wheels on the package index: about 15 MB, without the libraries in the wheels, and verified by
    checksum. CUDA's headers come from NVIDIA's own wheels, under NVIDIA's licence.
    """
    if list_ and remove:
        raise click.UsageError("--list and --remove exclude each other.")
    if list_ and (cuda or rocm):
        raise click.UsageError("--list shows the headers of all versions; it excludes --cuda and --rocm.")
    if list_:
        emit(sys.stdout, _listed())
        return DONE
    if remove:
        return _remove(cuda, rocm, quiet=quiet)
    return _fetch(cuda or "", rocm or "", index_url or "", quiet=quiet)


def _fetch(cuda: str, rocm: str, index_url: str, *, quiet: bool) -> int:
    from hipify_py.clang.toolchain_packages import Wanted, wanted_sets
    from hipify_py.headers.sets import SetError

    parts = find_toolchain()
    try:
        going_by = default_rocm().version or NEWEST_ROCM
        wanted = wanted_sets(parts, going_by, cuda=cuda, rocm=rocm)
        named = {each.header_set.name for each in wanted}
        wanted += [Wanted(found, found.version) for found in _outdated() if found.name not in named]
    except (SetError, ValueError) as error:
        raise click.UsageError(str(error)) from error
    if not wanted and not quiet:
        emit(sys.stderr, ["nothing is missing; `hipify-py doctor` shows where each part comes from"])
    code = DONE
    for each in wanted:
        try:
            lines = [*_fetch_set(each, index_url, quiet=quiet)]
        except ImportError as error:
            raise click.UsageError(f"{error.name} is missing: {INSTALL}") from error
        except (FetchError, OSError) as error:
            problem = f"{visible(headers_dir())}: {reason(error)}" if isinstance(error, OSError) else str(error)
            emit(sys.stderr, [f"Error: {each.header_set.name}: {problem}"])
            code = FAILURE
            continue
        emit(sys.stderr, [] if quiet else lines)
    if parts.library is None and not quiet:
        emit(sys.stderr, [f"libclang itself is missing: {'; '.join(parts.problems) or INSTALL}"])
    return code


def _outdated() -> Iterator[HeaderSet]:
    """The sets that an earlier version of this program has fetched, and that are made otherwise by now."""
    from hipify_py.headers.fetch import is_complete
    from hipify_py.headers.sets import FOR_PARSING, for_parsing

    there = {os.path.basename(found.path): Path(found.path) for found in fetched_sets()}
    for found in (found for side in FOR_PARSING for found in for_parsing(side)):
        if found.name in there and not is_complete(found, there[found.name]):
            yield found


def _fetch_set(wanted: Wanted, index_url: str, *, quiet: bool) -> Iterator[str]:
    """Fetch one set, with a progress line on a terminal; yields the lines to print at the end."""
    from hipify_py.headers.fetch import fetch, is_complete
    from hipify_py.headers.index import index_of
    from hipify_py.headers.sets import LICENCES, TITLES

    header_set = wanted.header_set
    folder = Path(headers_dir()) / header_set.name
    name = f"{TITLES[header_set.side]} {header_set.version}"
    if not _is_of(header_set, wanted.asked):
        yield f"{TITLES[header_set.side]} {wanted.asked}: not available; using the nearest, {header_set.version}"
    if is_complete(header_set, folder):
        yield f"{name}: already in {folder}"
        return
    shown = not quiet and is_watched(sys.stderr)
    try:
        if shown:
            _draw(f"fetching {name}")
        for step in fetch(header_set, folder, index_of(os.environ, index_url)):
            if shown:
                _draw(f"fetching {name}: {step.number} of {plural(step.of, 'wheel')}")
    finally:
        if shown:
            _draw("")
    files, size = folder_size(str(folder))
    licence, link = LICENCES[header_set.side]
    yield f"{name}: {plural(files, 'file')}, {size / 1e6:.1f} MB, in {folder}"
    yield f"  licence: {licence} ({link})"


def _remove(cuda: str | None, rocm: str | None, *, quiet: bool) -> int:
    named = {f"{side}-{version}" for side, version in (("cuda", cuda), ("hip", rocm)) if version}
    there = {os.path.basename(found.path): found for found in fetched_sets()}
    strange = sorted(named - there.keys())
    if strange:
        have = f"fetched: {', '.join(sorted(there))}" if there else "nothing was fetched"
        raise click.UsageError(f"{', '.join(strange)} has not been fetched; {have}")
    failures = dict(filter(None, (_removed(there[name].path) for name in sorted(named or there))))
    emit(sys.stderr, (f"Error: {path}: {why}" for path, why in failures.items()))
    if not quiet:
        gone = [name for name in sorted(named or there) if there[name].path not in failures]
        emit(sys.stderr, (f"{name}: removed" for name in gone))
    if not there and not quiet:
        emit(sys.stderr, [f"nothing has been fetched to {headers_dir()}"])
    return FAILURE if failures else DONE


def _removed(path: str) -> tuple[str, str] | None:
    """Remove a set; returns the path and why it could not be, if so."""
    from hipify_py.headers.fetch import remove

    try:
        remove(Path(path))
    except OSError as error:
        return path, reason(error)
    return None


def _listed() -> Iterator[str]:
    from hipify_py.headers.sets import FOR_PARSING, LICENCES, for_parsing

    there = {os.path.basename(found.path): found.path for found in fetched_sets()}
    sets: Sequence[HeaderSet] = [found for side in FOR_PARSING for found in for_parsing(side)]
    width = max(map(len, (found.name for found in sets)))
    for found in sets:
        files, size = folder_size(there[found.name]) if found.name in there else (0, 0)
        state = f"{size / 1e6:5.1f} MB" if files else "not fetched"
        yield f"{found.name:{width}}  {state:11}  {LICENCES[found.side][0]}"
    yield f"in {headers_dir()}"


def _is_of(header_set: HeaderSet, asked: str) -> bool:
    """The set is of the version that was asked for; of clang any of the release is, for it needs no other."""
    if header_set.side == "clang":
        return True
    return header_set.version == asked or header_set.version.startswith(f"{asked}.")


def _draw(text: str) -> None:
    sys.stderr.write(f"\r\x1b[K{text}")
    sys.stderr.flush()
