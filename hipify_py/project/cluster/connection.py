"""The connection to a cluster: an existing one, or one of worker processes on this machine."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from hipify_py.project.cluster.extra import KEYS, PACKAGES, need
from hipify_py.project.errors import PlanError

if TYPE_CHECKING:
    from distributed import Client

PATIENCE = 30
"""Seconds within which a scheduler has to answer."""

_CONFIG = {
    # The data that all tasks of a run share is sent once, and may be large.
    "distributed.admin.large-graph-warning-threshold": "4GiB",
    "distributed.comm.timeouts.connect": f"{PATIENCE}s",
}

_LOCAL = {
    # A worker killed here is not the victim of a failing machine: if a second one is killed, the task is to blame.
    "distributed.scheduler.allowed-failures": 1,
}

Notify = Callable[[str], object]
"""Receives the dashboard's address, and what the run is waiting for."""


@contextmanager
def connected(address: str, notify: Notify) -> Iterator[Client]:
    """A connection to the scheduler at an address or of a scheduler file; unfinished work is cancelled at the end.

    Raises:
        PlanError: if the packages are not installed, or no scheduler answers.
    """
    need("--cluster")
    import dask
    from distributed import Client

    where: dict[str, Any] = {"scheduler_file": address} if os.path.isfile(address) else {"address": address}
    with dask.config.set(_CONFIG), _quiet():
        try:
            client = Client(**where, timeout=PATIENCE, set_as_default=False, name="hipify-py")
        except (OSError, ValueError, ImportError, TypeError, RuntimeError) as error:
            raise PlanError(f"no scheduler answers at {address}: {error or type(error).__name__}") from error
        with client:
            _introduce(client, notify)
            yield client


@contextmanager
def local_cluster(workers: int | None, memory: str, notify: Notify) -> Iterator[Client]:
    """A scheduler and worker processes on this machine, by default one per core.

    They are reachable only from this machine, with keys that only their processes have, and end with the connection:
    whoever reaches a scheduler can have its workers run anything, and a machine may have several users.

    Raises:
        PlanError: if the packages are not installed.
    """
    need("a survey", (*PACKAGES, KEYS))
    import dask
    from distributed import Client, LocalCluster, Security

    with dask.config.set({**_CONFIG, **_LOCAL}), _quiet():
        cluster = LocalCluster(
            n_workers=workers or _cores(),
            threads_per_worker=1,
            processes=True,
            memory_limit=memory,
            host="127.0.0.1",
            protocol="tls",
            security=Security.temporary(),
            dashboard_address="127.0.0.1:0",
            silence_logs=logging.CRITICAL,
        )
        with cluster, Client(cluster, set_as_default=False, name="hipify-py") as client:
            _introduce(client, notify)
            yield client


def _introduce(client: Client, notify: Notify) -> None:
    """Report what can be watched."""
    notify(f"dashboard: {client.dashboard_link}")
    if not client.nthreads():
        notify("no worker is there yet; waiting for one")


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@contextmanager
def _quiet() -> Iterator[None]:
    """Suppress the log of lost connections, which surface as results anyway."""
    loggers = [logging.getLogger(name) for name in ("distributed", "tornado", "asyncio")]
    before = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        for logger, level in zip(loggers, before, strict=True):
            logger.setLevel(level)
