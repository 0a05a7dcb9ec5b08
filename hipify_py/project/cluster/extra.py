"""The packages that only runs on clusters and surveys need: the extra `cluster`."""

from __future__ import annotations

from importlib.util import find_spec

from hipify_py.project.plan import PlanError

PACKAGES = ("distributed", "bokeh")
"""What connects to a cluster, and what draws its dashboard."""

INSTALL = "pip install 'hipify-py[cluster]'"


def need(purpose: str, packages: tuple[str, ...] = PACKAGES) -> None:
    """Make sure that packages are there.

    Raises:
        PlanError: when one is not; it says how they are installed.
    """
    missing = [name for name in packages if find_spec(name) is None]
    if missing:
        raise PlanError(f"{purpose} needs {' and '.join(missing)}, which {INSTALL} installs")
