"""The location of the mapping tables."""

import os

from hipify_py.core.rows import TableError


def mappings_dir() -> str:
    """The folder of the shipped tables: inside the package, or beside it in a checkout.

    Raises:
        TableError: they are in neither place.
    """
    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    for candidate in (os.path.join(package, "mappings"), os.path.join(os.path.dirname(package), "mappings")):
        if os.path.isfile(os.path.join(candidate, "runtime.yaml")):
            return candidate
    raise TableError(f"no mapping tables next to or inside {package}")


def register_path() -> str:
    """The register of findings."""
    return os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "diagnostics.yaml")
