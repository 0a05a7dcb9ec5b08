"""Keeps in-place conversion away from work that git could not give back."""

from __future__ import annotations

import os
from collections.abc import Iterable


def uncommitted(paths: Iterable[str]) -> list[str]:
    """Those of `paths` whose present content git has not committed: changed, staged or never added.

    Files outside a repository, ignored files, and every file where git itself is missing or fails, are no
    objection: there is nothing then that could be asked.
    """
    by_repository: dict[str, dict[str, str]] = {}
    for path in paths:
        real = os.path.realpath(path)
        top = _repository(os.path.dirname(real))
        if top is not None:
            by_repository.setdefault(top, {})[real] = path
    dirty = []
    for top, files in by_repository.items():
        dirty += [files[real] for real in _status(top) if real in files]
    return sorted(dirty)


def _repository(folder: str) -> str | None:
    while not os.path.exists(os.path.join(folder, ".git")):
        parent = os.path.dirname(folder)
        if parent == folder:
            return None
        folder = parent
    return folder


def _status(top: str) -> list[str]:
    """Real paths of all files in a repository that `git status` has something to say about."""
    import subprocess

    command = ["git", "-C", top, "status", "--porcelain", "-z", "--untracked-files=all", "--no-renames"]
    try:
        run = subprocess.run(command, capture_output=True, check=False)
    except OSError:
        return []
    if run.returncode != 0:
        return []
    return [os.path.join(top, os.fsdecode(record[3:])) for record in run.stdout.split(b"\0") if record]
