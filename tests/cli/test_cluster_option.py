"""`--cluster`: the command line with a scheduler that is there, and without one."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from hipify_py.project.cluster import connection, extra
from tests.cli.conftest import Run

pytestmark = pytest.mark.xdist_group("cluster")


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """Where the scheduler of a user's own cluster of one worker process is."""
    distributed = pytest.importorskip("distributed")
    options: dict[str, Any] = {"n_workers": 1, "threads_per_worker": 1, "memory_limit": "2GiB", "host": "127.0.0.1"}
    with distributed.LocalCluster(**options, dashboard_address="127.0.0.1:0") as cluster:
        yield str(cluster.scheduler_address)


def test_a_cluster_on_this_machine_takes_orders_from_its_own_processes_only() -> None:
    """Other users of the machine reach its port too."""
    distributed = pytest.importorskip("distributed")
    comm = pytest.importorskip("distributed.comm")
    with connection.local_cluster(1, "2GiB", lambda line: None) as client:
        place = str(client.scheduler.address)
        assert place.startswith("tls://127.0.0.1:")
        assert client.submit(sum, [1, 2]).result() == 3
        for address in (place, place.replace("tls", "tcp")):
            for security in (distributed.Security(), distributed.Security.temporary()):
                arguments = security.get_connection_args("client")
                with pytest.raises((OSError, RuntimeError, TypeError, ValueError)):
                    asyncio.run(comm.connect(address, timeout=2, **arguments))


@pytest.mark.parametrize("command", ["check", "report"])
def test_the_account_is_the_same(quickly: Run, project: Path, address: str, command: str) -> None:
    options = ("--format", "json", "--no-cache", "--fail-on", "never", str(project))
    here = quickly(command, *options)
    there = quickly(command, "--cluster", address, *options)
    assert there.returncode == here.returncode == 0
    assert there.stdout == here.stdout
    assert json.loads(there.stdout)["totals"]["references"]["converted"] > 3


def test_a_conversion_is_the_same_and_the_dashboard_is_told(
    quickly: Run, project: Path, address: str, tmp_path: Path
) -> None:
    quickly("convert", str(project), "-o", "here", "--no-cache")
    there = quickly("convert", str(project), "-o", "there", "--no-cache", "--cluster", address, "--shared")
    assert there.returncode == 0
    for path in (tmp_path / "here").rglob("*"):
        if path.is_file():
            assert (tmp_path / "there" / path.relative_to(tmp_path / "here")).read_bytes() == path.read_bytes()


def test_the_dashboard_is_told_on_standard_error(process: Run, project: Path, address: str, tmp_path: Path) -> None:
    arguments = ("check", str(project), "--fail-on", "never", "--cluster", address)
    first, again = process(*arguments), process(*arguments)
    assert b"dashboard: http://" in first.stderr
    assert b"dashboard" not in first.stdout
    assert again.stdout == first.stdout
    assert b"dashboard: http://" not in process(*arguments, "--quiet", "--no-cache").stderr


def test_no_scheduler_is_there(quickly: Run, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "PATIENCE", 1)
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        place = f"tcp://127.0.0.1:{unused.getsockname()[1]}"
        done = quickly("check", str(project), "--cluster", place)
    assert done.returncode == 2
    assert done.stderr.startswith(f"Error: no scheduler answers at {place}".encode())
    nonsense = quickly("check", str(project), "--cluster", "not an address")
    assert nonsense.returncode == 2
    assert nonsense.stderr.startswith(b"Error: no scheduler answers at not an address")


def test_without_the_extra(quickly: Run, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(extra, "find_spec", lambda name: None if name == "distributed" else object())
    done = quickly("report", str(project), "--cluster", "tcp://127.0.0.1:1")
    assert done.returncode == 2
    assert done.stderr == b"Error: --cluster needs distributed, which pip install 'hipify-py[cluster]' installs\n"


@pytest.mark.parametrize("options", [("--shared",), ("--cluster", "tcp://127.0.0.1:1", "-j", "2")])
def test_options_that_do_not_go_together(quickly: Run, project: Path, options: tuple[str, ...]) -> None:
    assert quickly("check", str(project), *options).returncode == 2


def test_nothing_of_it_is_imported_without_the_option(hipify: Run, project: Path, tmp_path: Path) -> None:
    """The start is felt at every call."""
    (tmp_path / "sitecustomize.py").write_text(
        "import sys\n"
        "class Refuse:\n"
        "    def find_spec(self, name, *more):\n"
        "        if name.partition('.')[0] in {'dask', 'distributed', 'pyarrow', 'bokeh'}:\n"
        "            raise AssertionError(name)\n"
        "sys.meta_path.insert(0, Refuse())\n"
    )
    from tests.cli.conftest import REPOSITORY

    environment: dict[str, Any] = {"PYTHONPATH": f"{tmp_path}:{REPOSITORY}"}
    done = hipify("check", str(project), "--fail-on", "never", "--no-cache", env=environment)
    assert (done.returncode, done.stderr.count(b"AssertionError")) == (0, 0)
