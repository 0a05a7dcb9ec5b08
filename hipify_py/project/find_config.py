"""Finds the project's configuration file; apart from reading it, for most runs of a commit hook have none."""

import os

OWN, SHARED = "hipify-py.toml", "pyproject.toml"
_SECTION = b"[tool.hipify-py"


def find_config(folder: str) -> str | None:
    """The configuration nearest to a folder, in it or in those above; None where there is none."""
    folder = os.path.abspath(folder)
    while True:
        own = os.path.join(folder, OWN)
        if os.path.isfile(own):
            return own
        shared = os.path.join(folder, SHARED)
        if os.path.isfile(shared) and _has_section(shared):
            return shared
        above = os.path.dirname(folder)
        if above == folder:
            return None
        folder = above


def _has_section(path: str) -> bool:
    try:
        with open(path, "rb") as file:
            return _SECTION in file.read()
    except OSError:
        return False
