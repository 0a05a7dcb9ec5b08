"""Where the mapping tables are, and where their compiled form is kept."""

import os
import sys

from hipify_py.catalog.model import TableError


def cache_dir() -> str:
    """Where compiled tables are kept: `HIPIFY_PY_CACHE_DIR`, else the user's cache folder.

    platformdirs would tell as much, but importing it takes longer than a commit hook's whole check.
    """
    named = os.environ.get("HIPIFY_PY_CACHE_DIR")
    if named:
        return named
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or os.path.expanduser("~\\AppData\\Local")
    elif sys.platform == "darwin":
        base = os.path.expanduser("~/Library/Caches")
    else:
        base = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return os.path.join(base, "hipify-py")


def mappings_dir() -> str:
    """Where the shipped tables are: inside the package, or beside it in a checkout.

    Raises:
        TableError: when they are in neither place.
    """
    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    for candidate in (os.path.join(package, "mappings"), os.path.join(os.path.dirname(package), "mappings")):
        if os.path.isfile(os.path.join(candidate, "runtime.yaml")):
            return candidate
    raise TableError(f"no mapping tables beside or inside {package}")


def register_path() -> str:
    """The register of findings."""
    return os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "diagnostics.yaml")
