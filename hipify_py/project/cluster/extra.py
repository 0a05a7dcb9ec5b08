"""The packages that only runs on clusters and surveys need: the extra `cluster`."""

from __future__ import annotations

from importlib.util import find_spec

from hipify_py.project.errors import PlanError

PACKAGES = ("distributed", "bokeh")
"""The package that connects to a cluster, and the one that draws its dashboard."""

KEYS = "cryptography"
"""The package that makes the keys of a cluster on this machine."""

INSTALL = "pip install 'hipify-py[cluster]'"


def need(purpose: str, packages: tuple[str, ...] = PACKAGES) -> None:
    """Make sure that packages are installed.

    Raises:
        PlanError: if one is missing; the message explains how to install it.
    """
    missing = [name for name in packages if find_spec(name) is None]
    if missing:
        raise PlanError(f"{purpose} needs {' and '.join(missing)}, which {INSTALL} installs")
