"""Makes a release: builds it, tries it, and tags it; or tries what the next one would be.

    python tools/release.py 0.2.0     the release, in dist/hipify-py-0.2.0/
    python tools/release.py --try     the commit that is checked out, without keeping anything

A release takes its version from a tag, which is made in a clone first. The wheel and the source distribution are built
there; each is installed in a clean environment and tried. Only when all of that has succeeded are the tag and dist/
made. Nothing is uploaded or pushed: what is left to do is printed. See docs/releasing.md.

The exit status is 1 when something has to be put right first.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from releasing import inventory, repository, trial
from releasing.artefacts import Artefacts, assert_complete, build, write_checksums
from releasing.environment import Environment
from releasing.processes import run
from releasing.refusal import Refusal

ROOT = Path(__file__).resolve().parents[1]

Trial = Callable[[Artefacts, Path, Path], list[Path]]
"""Tries artefacts, with a folder to work in and the sources; returns what is released beside them."""

NEXT = """\
Released {version} in {folder}. What is left to do:
  git push origin {tag}
  twine upload {folder}/*.whl {folder}/*.tar.gz
  a release of the tag at the repository's host, with the other files, and {folder}/NOTES.md as its text
"""


def release(root: Path, version: str, try_out: Trial) -> Path:
    """Make a release of a repository: its tag, and a folder in dist/.

    Raises:
        Refusal: when something has to be put right first; nothing has changed then.
    """
    notes = repository.notes_for(root, version)
    folder = root / "dist" / f"hipify-py-{version}"
    with tempfile.TemporaryDirectory() as temporary:
        place = Path(temporary)
        source = repository.clean_copy(root, place / "source")
        repository.add_tag(source, version, notes)
        artefacts = build(source, place / "dist")
        if artefacts.version != version:
            raise Refusal(f"the tag {repository.tag_of(version)} gives the version {artefacts.version}")
        beside = try_out(artefacts, source, place)
        ready = place / folder.name
        ready.mkdir()
        for path in (artefacts.wheel, artefacts.sdist, source / "LICENSE", *beside):
            shutil.copy(path, ready)
        (ready / "NOTES.md").write_text(notes, encoding="utf-8")
        write_checksums(ready)
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(ready, folder)
    repository.add_tag(root, version, notes)
    return folder


def try_artefacts(artefacts: Artefacts, source: Path, place: Path) -> list[Path]:
    """Install the wheel and the source distribution, each in an environment of its own, and try them; the inventory."""
    assert_complete(artefacts, source)
    _say(run(sys.executable, "-m", "twine", "check", "--strict", artefacts.wheel, artefacts.sdist).rstrip())
    with ThreadPoolExecutor() as both:
        wheel = both.submit(_try_wheel, artefacts, source, place)
        sdist = both.submit(_try_sdist, artefacts, place)
        listed, tests = wheel.result(), sdist.result()
    _say(f"tests of {artefacts.sdist.name}: {tests}")
    for name, licence in inventory.licences(listed).items():
        _say(f"  {name}: {licence}")
    return [listed]


def _try_wheel(artefacts: Artefacts, source: Path, place: Path) -> Path:
    environment = Environment(place / "wheel", artefacts.wheel)
    trial.try_out(environment, source, artefacts.version)
    listed = place / f"hipify-py-{artefacts.version}.cdx.json"
    inventory.write_inventory(artefacts.wheel, environment.python, listed, repository.time_of_commit(source))
    return listed


def _try_sdist(artefacts: Artefacts, place: Path) -> str:
    source = trial.unpacked(artefacts.sdist, place / "unpacked")
    environment = Environment(place / "sdist", artefacts.sdist)
    trial.try_out(environment, source, artefacts.version)
    return trial.run_tests(environment, source)


def try_commit(root: Path) -> None:
    """Build and try what is checked out, as a release would; nothing of it is kept."""
    with tempfile.TemporaryDirectory() as temporary:
        place = Path(temporary)
        source = repository.clean_copy(root, place / "source")
        artefacts = build(source, place / "dist")
        try_artefacts(artefacts, source, place)
    _say(f"{artefacts.wheel.name} and {artefacts.sdist.name} work")


def _say(line: str) -> None:
    print(line, flush=True)


def main() -> int:
    """Release, or try; 1 when something has to be put right."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("version", nargs="?", help="what to release: X.Y.Z, or X.Y.Zrc1")
    what.add_argument("--try", action="store_true", dest="only_try", help="build and try, release nothing")
    given = parser.parse_args()
    if given.only_try and not repository.is_readable(ROOT):
        print("WARNING: git cannot read this checkout: NOTHING was built or tried", file=sys.stderr)
        return 0
    try:
        if given.only_try:
            try_commit(ROOT)
        else:
            folder = release(ROOT, given.version, try_artefacts).relative_to(ROOT)
            _say(NEXT.format(version=given.version, tag=repository.tag_of(given.version), folder=folder))
    except Refusal as refusal:
        print(f"No release: {refusal}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
