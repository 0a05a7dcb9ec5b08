"""The wheel and the source distribution: built, complete, and with their checksums."""

from __future__ import annotations

import sys
import tarfile
import zipfile
from collections.abc import Iterable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from releasing.processes import run
from releasing.refusal import Refusal
from releasing.repository import time_of_commit, tracked

NOT_IN_SDIST = frozenset({".git_archival.txt"})
"""Tracked files that tell the version of archives; a source distribution has PKG-INFO for that."""


class Artefacts(NamedTuple):
    """What is uploaded."""

    wheel: Path
    sdist: Path
    version: str


def build(source: Path, output: Path) -> Artefacts:
    """Build the source distribution, and the wheel from it, with nothing installed but what the build asks for."""
    run(
        *(sys.executable, "-m", "build", "--outdir", output, source),
        environment={"SOURCE_DATE_EPOCH": time_of_commit(source)},
    )
    (wheel,), (sdist,) = output.glob("*.whl"), output.glob("*.tar.gz")
    return Artefacts(wheel, sdist, wheel.name.split("-")[1])


def assert_complete(artefacts: Artefacts, source: Path) -> None:
    """Compare the artefacts with what git tracks.

    Raises:
        Refusal: when they lack a file, have one that git does not track, or lack the licence.
    """
    files = tracked(source)
    with zipfile.ZipFile(artefacts.wheel) as wheel:
        in_wheel = set(wheel.namelist())
    with tarfile.open(artefacts.sdist) as sdist:
        in_sdist = {name.partition("/")[2] for name in sdist.getnames()}
    written = {"hipify_py/_version.py"}
    package = {name for name in in_wheel if ".dist-info/" not in name}
    licences = [name for name in in_wheel if name.endswith(".dist-info/licenses/LICENSE")]
    _assert_same(artefacts.wheel, {*_in_package(files), *written}, package)
    _assert_same(artefacts.sdist, {*files, *written, "PKG-INFO"} - NOT_IN_SDIST, in_sdist)
    if len(licences) != 1:
        raise Refusal(f"{artefacts.wheel.name} has no licence")


def _in_package(files: Iterable[str]) -> Iterator[str]:
    """What of the repository is to be in the wheel, under the names that it has there."""
    for name in files:
        if name.startswith("hipify_py/"):
            yield name
        elif name.startswith("mappings/"):
            yield f"hipify_py/{name}"


def _assert_same(path: Path, wanted: set[str], found: set[str]) -> None:
    lines = [f"  lacks {name}" for name in sorted(wanted - found)]
    lines += [f"  has {name}, which git does not track" for name in sorted(found - wanted)]
    if lines:
        raise Refusal("\n".join((path.name, *lines)))


def write_checksums(folder: Path) -> Path:
    """Write the SHA-256 sums of a folder's files, as `sha256sum --check` reads them."""
    paths = sorted(path for path in folder.iterdir() if path.is_file())
    sums = folder / "SHA256SUMS"
    lines = [f"{sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in paths if path != sums]
    sums.write_text("".join(lines), encoding="utf-8")
    return sums
