"""What every test needs: a catalog cache of the run's own, so that no test reads or writes the user's."""

from __future__ import annotations

import os
import shutil
import tempfile

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile("hipify", deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("hipify")

_CACHE = tempfile.mkdtemp(prefix="hipify-py-tests-")
os.environ["HIPIFY_PY_CACHE_DIR"] = _CACHE


def pytest_unconfigure(config: pytest.Config) -> None:
    """Take the run's cache away."""
    shutil.rmtree(_CACHE, ignore_errors=True)
