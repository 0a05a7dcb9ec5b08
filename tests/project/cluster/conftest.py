"""A cluster of two worker processes, started once for all tests of one process."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from hipify_py.project.cluster.connection import local_cluster


@pytest.fixture(scope="session")
def client() -> Iterator[Any]:
    """The connection to it."""
    told: list[str] = []
    with local_cluster(2, "2GiB", told.append) as connection:
        assert told[0].startswith("dashboard: http://127.0.0.1:")
        yield connection


@pytest.fixture
def mortals() -> Iterator[Any]:
    """The connection to a cluster whose workers may be killed; some of them may not come back."""
    with local_cluster(2, "2GiB", lambda line: None) as connection:
        yield connection
