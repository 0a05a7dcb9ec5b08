"""Fetches the header sets: reads single members of wheels on a package index, never whole wheels."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple

import yaml

_INDEX = "https://pypi.org/simple/"
_DEFAULT_KEEP = r"(^|/)include/"
_SETS = Path(__file__).with_name("header_sets.yaml")


class HeaderSet(NamedTuple):
    """One version of one side: where its headers come from."""

    name: str
    side: str
    version: str
    wheels: dict[str, dict[str, str]]


class FetchError(RuntimeError):
    """A wheel or the index could not be read; the message says which."""


def header_sets(names: tuple[str, ...] = ()) -> list[HeaderSet]:
    """The header sets of `header_sets.yaml`, all of them or the named ones.

    Raises:
        FetchError: for a name that is none of them.
    """
    document: dict[str, Any] = yaml.safe_load(_SETS.read_text(encoding="utf-8"))
    sets = {name: HeaderSet(name, **fields) for name, fields in document.items()}
    strange = [name for name in names if name not in sets]
    if strange:
        raise FetchError(f"no header set is called {', '.join(strange)}; there are {', '.join(sets)}")
    return [sets[name] for name in names] if names else list(sets.values())


def fetch(header_set: HeaderSet, folder: Path) -> Iterator[str]:
    """Read a set's headers into `folder`, unless a complete copy of this very set lies there; yields what it does.

    Raises:
        FetchError: when the index or a wheel cannot be read; the folder then counts as incomplete.
    """
    stamp = folder / ".complete"
    wanted = repr(sorted((project, sorted(fields.items())) for project, fields in header_set.wheels.items()))
    if stamp.is_file() and stamp.read_text(encoding="utf-8") == wanted:
        return
    for project, fields in header_set.wheels.items():
        yield f"{header_set.name}: {project} {fields['version']}"
        _fetch_wheel(project, fields["version"], fields.get("keep", _DEFAULT_KEEP), folder)
    stamp.write_text(wanted, encoding="utf-8")


def _fetch_wheel(project: str, version: str, keep: str, folder: Path) -> None:
    import requests
    from remotezip import RemoteIOError, RemoteZip

    try:
        with RemoteZip(_wheel_url(project, version), initial_buffer_size=1 << 18) as wheel:
            for member in wheel.infolist():
                if not member.is_dir() and re.search(keep, member.filename):
                    _store(folder / _place(member.filename), wheel.read(member))
    except (RemoteIOError, requests.RequestException, OSError) as error:
        raise FetchError(f"{project} {version}: {error}") from error


def _wheel_url(project: str, version: str) -> str:
    """The address of a project's wheel of that version for Linux on x86-64 (headers are the same everywhere)."""
    from pypi_simple import PyPISimple

    with PyPISimple(endpoint=os.environ.get("PIP_INDEX_URL") or _INDEX) as index:
        packages = index.get_project_page(project).packages
    fitting = [
        package.url
        for package in packages
        if package.package_type == "wheel"
        and package.version == version
        and ("none-any" in package.filename or ("x86_64" in package.filename and "linux" in package.filename))
    ]
    if not fitting:
        raise FetchError(f"the index has no wheel {project} {version} for Linux on x86-64")
    return fitting[-1]


def _place(member: str) -> PurePosixPath:
    """A member's place in the set: below the last `include/`, or its file name for declarations of bindings."""
    path = PurePosixPath(member)
    if ".." in path.parts or path.is_absolute():
        raise FetchError(f"a wheel names a file outside of it: {member}")
    if path.suffix == ".pxd":
        return PurePosixPath("pxd") / path.name
    parts = path.parts
    return PurePosixPath("include").joinpath(*parts[parts.index("include") + 1 :])


def _store(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
