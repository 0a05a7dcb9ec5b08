"""Every test of this folder runs a compiler; those of one file share what it has compiled, and so a worker."""

from __future__ import annotations

from pathlib import Path

import pytest

HERE = Path(__file__).parent


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark them, before others choose by the marks."""
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.compiler)
            item.add_marker(pytest.mark.xdist_group(item.path.stem))
