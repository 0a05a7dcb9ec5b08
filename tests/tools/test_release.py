"""A release: what it refuses, what is in it, and that nothing is left of one that failed.

The artefacts of this project itself are built and tried by `make try-release`.
"""

from __future__ import annotations

import io
import json
import re
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest
import release as tool
from releasing import inventory, trial
from releasing.artefacts import Artefacts, assert_complete
from releasing.changelog import notes_of
from releasing.environment import Environment
from releasing.refusal import Refusal

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).resolve().parents[2]

CHANGELOG = """\
# Changelog

## [Unreleased]

## [1.2.0] - 2026-03-04

### Added

- Something.

## [1.1.0] - 2026-01-02

### Fixed

## 1.0.0 (unreleased)

- The first.
"""

PROJECT = """\
[build-system]
requires = ["hatchling", "hatch-vcs"]
build-backend = "hatchling.build"

[project]
name = "hipify-py"
dynamic = ["version"]
requires-python = ">=3.10"

[tool.hatch.version]
source = "vcs"

[tool.hatch.build.targets.wheel]
packages = ["hipify_py"]
"""


def git(folder: Path, *arguments: str) -> str:
    identity = ["-c", "user.name=T", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false"]
    done = subprocess.run(["git", *identity, *arguments], cwd=folder, check=True, capture_output=True, text=True)
    return done.stdout.strip()


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A small project with one commit, ready for a release of 1.2.0."""
    root = tmp_path / "project"
    files = {
        "CHANGELOG.md": CHANGELOG,
        "pyproject.toml": PROJECT,
        "LICENSE": "Free.\n",
        "hipify_py/__init__.py": "",
        "hipify_py/table.yaml": "a: b\n",
        "mappings/cuda.yaml": "c: d\n",
        ".git_archival.txt": "\n",
        ".gitignore": "dist/\n",
    }
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    git(root, "init", "-q")
    git(root, "add", ".")
    git(root, "commit", "-qm", "A project")
    return root


def never(artefacts: Artefacts, source: Path, place: Path) -> list[Path]:
    raise AssertionError("there is nothing to try")


def refusal_of(root: Path, version: str) -> str:
    """Why there is no release; neither a tag nor files are left of it."""
    tags = git(root, "tag")
    with pytest.raises(Refusal) as caught:
        tool.release(root, version, never)
    assert git(root, "tag") == tags
    assert not (root / "dist").exists()
    return str(caught.value)


def test_the_notes_are_the_section_of_the_changelog() -> None:
    assert notes_of(CHANGELOG, "1.2.0") == "### Added\n\n- Something.\n"


@pytest.mark.parametrize(
    ("version", "why"),
    [
        ("1.1.0", "is empty"),
        ("1.0.0", "has no date"),
        ("1.2", "no section"),
        ("1.2.0rc1", "no section"),
        ("0.2.0", "no section"),
        ("Unreleased", "has no date"),
    ],
)
def test_a_version_needs_a_section_with_a_date_and_a_text(version: str, why: str) -> None:
    with pytest.raises(Refusal, match=why):
        notes_of(CHANGELOG, version)


def test_nothing_may_be_left_as_unreleased() -> None:
    with_heading = CHANGELOG.replace("## [Unreleased]\n", "## [Unreleased]\n\n### Added\n")
    assert notes_of(with_heading, "1.2.0")
    with pytest.raises(Refusal, match="Unreleased"):
        notes_of(with_heading.replace("### Added\n", "### Added\n\n- More.\n", 1), "1.2.0")


def test_our_changelog_can_be_released() -> None:
    changelog = (ROOT / "CHANGELOG.md").read_text()
    released = changelog.replace("## [Unreleased]", "## [Unreleased]\n\n## [999.0.0] - 2026-12-01", 1)
    assert notes_of(released, "999.0.0")


@pytest.mark.parametrize("version", ["v1.2.0", "1.2", "1.2.0.dev1", "1.2.0+local", "latest", "-f", ""])
def test_what_is_no_version_is_refused(project: Path, version: str) -> None:
    assert "is no version" in refusal_of(project, version)


def test_a_changed_file_is_refused(project: Path) -> None:
    (project / "LICENSE").write_text("Not free.\n")
    assert " M LICENSE" in refusal_of(project, "1.2.0")


def test_an_untracked_file_is_refused(project: Path) -> None:
    (project / "hipify_py" / "forgotten.yaml").write_text("\n")
    assert "?? hipify_py/forgotten.yaml" in refusal_of(project, "1.2.0")


def test_a_staged_file_is_refused(project: Path) -> None:
    (project / "new.txt").write_text("\n")
    git(project, "add", "new.txt")
    assert "A  new.txt" in refusal_of(project, "1.2.0")


def test_a_tag_that_exists_is_refused(project: Path) -> None:
    git(project, "tag", "v1.2.0")
    assert "v1.2.0 exists" in refusal_of(project, "1.2.0")


def test_an_empty_section_is_refused(project: Path) -> None:
    assert "is empty" in refusal_of(project, "1.1.0")


def test_the_command_says_why_and_fails() -> None:
    command = [sys.executable, str(ROOT / "tools" / "release.py"), "latest"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr == "No release: latest is no version: give X.Y.Z, or X.Y.Zrc1\n"


def pack(folder: Path, wheel: list[str], sdist: list[str]) -> Artefacts:
    """Artefacts with empty files of these names."""
    made = Artefacts(folder / "p-1.whl", folder / "p-1.tar.gz", "1")
    with zipfile.ZipFile(made.wheel, "w") as archive:
        for name in wheel:
            archive.writestr(name, "")
    with tarfile.open(made.sdist, "w:gz") as archive:
        for name in sdist:
            archive.addfile(tarfile.TarInfo(f"p-1/{name}"), io.BytesIO())
    return made


WHEEL = [
    *("hipify_py/__init__.py", "hipify_py/_version.py", "hipify_py/table.yaml", "hipify_py/mappings/cuda.yaml"),
    *("p-1.dist-info/METADATA", "p-1.dist-info/licenses/LICENSE"),
]
SDIST = [
    *("CHANGELOG.md", "pyproject.toml", "LICENSE", "hipify_py/__init__.py", "hipify_py/table.yaml", ".gitignore"),
    *("mappings/cuda.yaml", "hipify_py/_version.py", "PKG-INFO"),
]


def test_complete_artefacts_pass(project: Path, tmp_path: Path) -> None:
    assert_complete(pack(tmp_path, WHEEL, SDIST), project)


@pytest.mark.parametrize("name", [name for name in WHEEL if not name.endswith("METADATA")])
def test_a_wheel_that_lacks_a_file_is_refused(project: Path, tmp_path: Path, name: str) -> None:
    with pytest.raises(Refusal, match=r"p-1\.whl\n  lacks|has no licence"):
        assert_complete(pack(tmp_path, [other for other in WHEEL if other != name], SDIST), project)


@pytest.mark.parametrize("name", SDIST)
def test_a_source_distribution_that_lacks_a_file_is_refused(project: Path, tmp_path: Path, name: str) -> None:
    with pytest.raises(Refusal, match=re.escape(f"p-1.tar.gz\n  lacks {name}")):
        assert_complete(pack(tmp_path, WHEEL, [other for other in SDIST if other != name]), project)


def test_a_file_that_git_does_not_track_is_refused(project: Path, tmp_path: Path) -> None:
    with pytest.raises(Refusal, match=r"has hipify_py/notes\.txt, which git does not track"):
        assert_complete(pack(tmp_path, [*WHEEL, "hipify_py/notes.txt"], SDIST), project)


def test_a_trial_does_not_take_another_version_for_the_right_one() -> None:
    class Stub(Environment):
        def __init__(self) -> None:
            pass

        def run(self, *words: object, **_: object) -> str:
            return f"{words[0]} 1.1.0\n"

    with pytest.raises(Refusal, match=r"--version: expected 'hipify-py 1\.2\.0"):
        trial.try_out(Stub(), ROOT, "1.2.0")


def test_the_package_index_is_shown_no_link_that_leads_nowhere() -> None:
    readme = (ROOT / "README.md").read_text()
    configuration = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["hatch"]["metadata"]["hooks"]
    for substitution in configuration["fancy-pypi-readme"]["substitutions"]:
        readme = re.sub(substitution["pattern"], substitution["replacement"], readme)
    assert readme.startswith("# hipify-py\n\n")
    assert not re.search(r"\]\((?!https:)", readme)
    assert "what is translated" in readme


@pytest.mark.slow
def test_a_release_is_all_or_nothing(project: Path, tmp_path: Path) -> None:
    kept: dict[str, bytes] = {}

    def fail(artefacts: Artefacts, source: Path, place: Path) -> list[Path]:
        kept.update({path.name: path.read_bytes() for path in (artefacts.wheel, artefacts.sdist)})
        raise Refusal("it does not work")

    with pytest.raises(Refusal, match="it does not work"):
        tool.release(project, "1.2.0", fail)
    assert git(project, "tag") == ""
    assert not (project / "dist").exists()

    def succeed(artefacts: Artefacts, source: Path, place: Path) -> list[Path]:
        assert git(source, "describe") == "v1.2.0"
        (place / "inventory.json").write_text("{}")
        return [place / "inventory.json"]

    folder = tool.release(project, "1.2.0", succeed)
    assert folder == project / "dist" / "hipify-py-1.2.0"
    assert {path.name for path in folder.iterdir()} == {*kept, "inventory.json", "LICENSE", "NOTES.md", "SHA256SUMS"}
    assert {name: (folder / name).read_bytes() for name in kept} == kept, "two builds of one commit differ"
    assert set(kept) == {"hipify_py-1.2.0-py3-none-any.whl", "hipify_py-1.2.0.tar.gz"}
    subprocess.run(["sha256sum", "--check", "--strict", "SHA256SUMS"], cwd=folder, check=True, capture_output=True)
    assert (folder / "NOTES.md").read_text() == "### Added\n\n- Something.\n"
    assert git(project, "rev-parse", "v1.2.0^{commit}") == git(project, "rev-parse", "HEAD")
    assert git(project, "for-each-ref", "--format=%(contents)", "refs/tags/v1.2.0") == (
        "hipify-py 1.2.0\n\n### Added\n\n- Something."
    )
    assert git(project, "status", "--porcelain") == ""


METADATA = """\
Metadata-Version: 2.4
Name: hipify-py
Version: 1.2.0
Summary: It says "what" it is
License-Expression: MIT
Requires-Dist: click>=8.1
Requires-Dist: pytest; extra == 'dev'
Provides-Extra: dev

# The description
"""


@pytest.mark.slow
def test_the_inventory_has_what_is_installed_and_nothing_else(tmp_path: Path) -> None:
    wheel = tmp_path / "hipify_py-1.2.0-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr("hipify_py/__init__.py", "")
        archive.writestr("hipify_py-1.2.0.dist-info/METADATA", METADATA)
        archive.writestr("hipify_py-1.2.0.dist-info/WHEEL", "Wheel-Version: 1.0\nTag: py3-none-any\n")
        archive.writestr("hipify_py-1.2.0.dist-info/RECORD", "")
    environment = Environment(tmp_path, wheel)
    path = tmp_path / "inventory.cdx.json"
    inventory.write_inventory(wheel, environment.python, path, "1767225600")
    assert [(name.split()[0], licence) for name, licence in inventory.licences(path).items()] == [
        ("click", "BSD-3-Clause")
    ]
    listed = json.loads(path.read_text())
    assert (listed["bomFormat"], listed["specVersion"]) == ("CycloneDX", "1.6")
    assert listed["metadata"]["timestamp"].startswith("2026-01-01T00:00:00")
    subject = listed["metadata"]["component"]
    assert (subject["name"], subject["version"], subject["description"]) == (
        "hipify-py",
        "1.2.0",
        'It says "what" it is',
    )
    assert subject["licenses"][0]["license"]["id"] == "MIT"
    (needs,) = [one["dependsOn"] for one in listed["dependencies"] if one["ref"] == subject["bom-ref"]]
    assert [name.partition("==")[0] for name in needs] == ["click"]
    assert str(tmp_path) not in path.read_text(), "no path of the machine that it was made on"
