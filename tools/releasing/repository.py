"""The git repository that a release is made from."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

from releasing.changelog import notes_of
from releasing.processes import run
from releasing.refusal import Refusal

_VERSION = re.compile(r"\d+\.\d+\.\d+(?:(?:a|b|rc)\d+)?")


def is_readable(root: Path) -> bool:
    """Whether there is a repository that git is ready to read: it does not trust those of other users."""
    return subprocess.run(["git", "rev-parse", "HEAD"], cwd=root, capture_output=True, check=False).returncode == 0


def notes_for(root: Path, version: str) -> str:
    """The release notes, when the repository is ready for a release.

    Raises:
        Refusal: when it is not.
    """
    if not _VERSION.fullmatch(version):
        raise Refusal(f"{version} is no version: give X.Y.Z, or X.Y.Zrc1")
    changed = run("git", "status", "--porcelain", folder=root).rstrip()
    if changed:
        raise Refusal(f"the tree has changes that are not committed:\n{changed}")
    if run("git", "tag", "--list", tag_of(version), folder=root).strip():
        raise Refusal(f"the tag {tag_of(version)} exists: a version is released once")
    return notes_of((root / "CHANGELOG.md").read_text(encoding="utf-8"), version)


def tag_of(version: str) -> str:
    """The tag that a version bears in git."""
    return f"v{version}"


def add_tag(root: Path, version: str, notes: str) -> None:
    """Tag the commit that is checked out; the notes become the tag's message."""
    name = ("-c", "user.name=release", "-c", "user.email=release@localhost") if not _has_name(root) else ()
    message = f"hipify-py {version}\n\n{notes}"
    run("git", *name, "tag", "--annotate", "--cleanup=verbatim", "--message", message, tag_of(version), folder=root)


def _has_name(root: Path) -> bool:
    return bool(run("git", "config", "user.email", folder=root, expected=(0, 1)).strip())


def clean_copy(root: Path, place: Path) -> Path:
    """A clone of the commit that is checked out: nothing that git ignores or does not know gets into it."""
    run("git", "clone", "--quiet", "--no-hardlinks", root, place)
    commit = run("git", "rev-parse", "HEAD", folder=root).strip()
    run("git", "checkout", "--quiet", "--detach", commit, folder=place)
    return place


def tracked(root: Path) -> list[str]:
    """The files that git tracks."""
    return run("git", "ls-files", "-z", folder=root).split("\0")[:-1]


def time_of_commit(root: Path) -> str:
    """When the commit was made, in seconds, for builds that come out the same again."""
    return run("git", "log", "-1", "--format=%ct", folder=root).strip()
