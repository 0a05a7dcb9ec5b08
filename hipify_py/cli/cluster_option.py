"""`--cluster`: the sources of a run are translated by the workers of a cluster."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, cast

import click

from hipify_py.cli import options
from hipify_py.core.terminal_escape import visible

if TYPE_CHECKING:
    from hipify_py.project.executor import Executor

Command = TypeVar("Command", bound=Callable[..., Any])


class Chosen(NamedTuple):
    """The cluster that was asked for.

    Attributes:
        address: of its scheduler; None for no cluster.
        shared: its workers see the files of this machine by the same paths.
    """

    address: str | None
    shared: bool


def address(command: Command) -> Command:
    """Which cluster; the command gets it as `cluster: Chosen`."""

    @functools.wraps(command)
    def collected(*, cluster: str | None, shared: bool, **others: Any) -> Any:
        if cluster is None and shared:
            raise click.UsageError("--shared requires --cluster.")
        if cluster is not None and others.get("jobs") is not None:
            raise click.UsageError("--jobs sets the processes of this machine; a cluster has its own workers.")
        return command(cluster=Chosen(cluster, shared), **others)

    return options.all_of(
        click.option(
            "--cluster",
            metavar="ADDRESS",
            help="Run on a dask cluster: the address of its scheduler (tcp://host:8786), or its scheduler file.",
        ),
        click.option(
            "--shared",
            is_flag=True,
            help="The cluster's workers see the same files under the same paths, so hipify-py does not send them.",
        ),
    )(cast("Command", collected))


@contextmanager
def executor(chosen: Chosen, *, quiet: bool) -> Iterator[Executor | None]:
    """What does the tasks: the cluster that was asked for, or None for this machine."""
    if chosen.address is None:
        yield None
        return
    from hipify_py.project.cluster.connection import connected
    from hipify_py.project.cluster.executor import Cluster

    with connected(chosen.address, teller(quiet=quiet)) as client:
        yield Cluster(client, shared=chosen.shared)


def teller(*, quiet: bool) -> Callable[[str], None]:
    """Prints to standard error what applies only to this run, so that no later run repeats it."""

    def notify(line: str) -> None:
        if not quiet and sys.__stderr__ is not None:
            print(visible(line), file=sys.__stderr__, flush=True)

    return notify
