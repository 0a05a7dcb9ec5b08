"""Fetches what the table is made with: source distributions from PyPI, by name and version, and PyTorch's hipify.

    python benchmarks/trees.py [FOLDER]

Nothing of a distribution is built or run: its archive is read, its checksum compared, and its C, C++ and CUDA sources
are written out. Of torch's wheel only the module of its hipify is read. What lies in the folder is not fetched again.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import sys
import tarfile
import tempfile
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple

import yaml

from hipify_py.project.discovery import is_source_name

_LIST = Path(__file__).with_name("trees.yaml")
_SMALL_FILE = 25_000
SMALL = "small files"


class TreeError(RuntimeError):
    """Something could not be fetched, or is not what it was; the message says what."""


class Trees(NamedTuple):
    """The folders of the trees by their names, and the one with PyTorch's hipify."""

    folders: dict[str, Path]
    pytorch: Path


def default_folder() -> Path:
    """Where fetched trees are kept: in the user's cache folder."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "hipify-py-benchmarks"


def fetch(folder: Path) -> Trees:
    """See to it that all is there.

    Raises:
        TreeError: when the index does not have something, or has something else.
    """
    listed: dict[str, Any] = yaml.safe_load(_LIST.read_text(encoding="utf-8"))
    folder.mkdir(parents=True, exist_ok=True)
    trees = {name: _distribution(folder, name, **fields) for name, fields in listed["trees"].items()}
    parts = {name: _distribution(folder, name, **fields) for name, fields in listed["small"].items()}
    trees[SMALL] = _small_files(folder, parts)
    return Trees(trees, _hipify(folder, **listed["hipify"]["torch"]))


def _distribution(folder: Path, name: str, version: str, sha256: str, without: str = "") -> Path:
    """The sources of a source distribution."""
    place = folder / f"{name}-{version}"
    if not place.is_dir():
        print(f"fetching {name} {version}", file=sys.stderr)
        data = _get(name, version)
        if hashlib.sha256(data).hexdigest() != sha256:
            raise TreeError(f"{name} {version} is not what it was: its checksum is another one")
        with tempfile.TemporaryDirectory(dir=folder) as new:
            Path(new, "archive").write_bytes(data)
            for path, text in _sources(Path(new, "archive"), without):
                target = Path(new, "tree", path)
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(text)
            os.replace(Path(new, "tree"), place)
    return place


def _get(name: str, version: str) -> bytes:
    """The archive of a source distribution."""
    import requests
    from pypi_simple import NoSuchProjectError

    try:
        with _index() as index:
            packages = index.get_project_page(name).packages
        urls = [each.url for each in packages if each.package_type == "sdist" and each.version == version]
        if not urls:
            raise TreeError(f"the index has no source distribution of {name} {version}")
        response = requests.get(urls[0], timeout=120)
        response.raise_for_status()
    except (NoSuchProjectError, requests.RequestException) as error:
        raise TreeError(f"{name} {version}: {error}") from error
    return response.content


def _index() -> Any:
    from pypi_simple import PYPI_SIMPLE_ENDPOINT, PyPISimple

    return PyPISimple(endpoint=os.environ.get("PIP_INDEX_URL") or PYPI_SIMPLE_ENDPOINT)


def _sources(archive: Path, without: str) -> Iterator[tuple[PurePosixPath, bytes]]:
    """The sources in an archive, by their places below its only folder; links are left out."""
    with tarfile.open(archive) as tar:
        for member in tar:
            place = PurePosixPath(*PurePosixPath(member.name).parts[1:])
            if ".." in place.parts or place.is_absolute() or (without and str(place).startswith(without)):
                continue
            file = tar.extractfile(member) if member.isfile() and is_source_name(place.name) else None
            if file is not None:
                yield place, file.read()


def _small_files(folder: Path, parts: dict[str, Path]) -> Path:
    """One tree of the small CUDA files of several."""
    digest = hashlib.sha256(_LIST.read_bytes()).hexdigest()[:12]
    place = folder / f"small-files-{digest}"
    if not place.is_dir():
        seen = set()
        with tempfile.TemporaryDirectory(dir=folder) as new:
            for name, part in parts.items():
                for path in sorted(part.rglob("*")):
                    if path.suffix in {".cu", ".cuh"} and path.stat().st_size < _SMALL_FILE:
                        data = path.read_bytes()
                        if data in seen:
                            continue
                        seen.add(data)
                        target = Path(new, "tree", name, path.relative_to(part))
                        target.parent.mkdir(parents=True, exist_ok=True)
                        target.write_bytes(data)
            os.replace(Path(new, "tree"), place)
    return place


def _hipify(folder: Path, version: str, sha256: dict[str, str]) -> Path:
    """The folder with the files of PyTorch's hipify, read out of torch's wheel."""
    place = folder / f"torch-hipify-{version}"
    if not place.is_dir():
        print(f"fetching the hipify of torch {version}", file=sys.stderr)
        members = _members_of_wheel("torch", version, [f"torch/utils/hipify/{name}" for name in sha256])
        with tempfile.TemporaryDirectory(dir=folder) as new:
            Path(new, "hipify").mkdir()
            for (name, expected), data in zip(sha256.items(), members, strict=True):
                if hashlib.sha256(data).hexdigest() != expected:
                    raise TreeError(f"{name} of torch {version} is not what it was: its checksum is another one")
                Path(new, "hipify", name).write_bytes(data)
            os.replace(Path(new, "hipify"), place)
    return place


def _members_of_wheel(project: str, version: str, names: list[str]) -> list[bytes]:
    """Files of a wheel, without the rest of it: of the smallest wheel for any system."""
    from remotezip import RemoteIOError, RemoteZip

    with _index() as index:
        packages = index.get_project_page(project).packages
    fitting = [each for each in packages if each.package_type == "wheel" and each.version == version]
    if not fitting:
        raise TreeError(f"the index has no wheel of {project} {version}")
    smallest = min(fitting, key=lambda each: each.size or sys.maxsize)
    try:
        with RemoteZip(smallest.url, initial_buffer_size=1 << 18) as wheel:
            return [wheel.read(name) for name in names]
    except (RemoteIOError, KeyError) as error:
        raise TreeError(f"{smallest.filename}: {error}") from error


def main() -> None:
    """Fetch all of it, and say where it is."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, metavar="FOLDER", default=default_folder())
    trees = fetch(parser.parse_args().folder)
    for folder in (*trees.folders.values(), trees.pytorch):
        print(folder)


if __name__ == "__main__":
    main()
