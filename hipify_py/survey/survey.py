"""Has the workers of a cluster examine repositories, and collects their results."""

from __future__ import annotations

import io
import os
import tarfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from hipify_py.build_systems.kinds import kind_of
from hipify_py.project.cluster.installation import installation
from hipify_py.project.cluster.window import Killed, Window
from hipify_py.project.discovery import OTHER, Discovery, Selection
from hipify_py.project.errors import PlanError, reason
from hipify_py.project.groups import Group, discover_groups
from hipify_py.survey.job import Job
from hipify_py.survey.record import Record, failed, record_in
from hipify_py.survey.repository import examine
from hipify_py.survey.targets import ARCHIVE, GIT, TREE, Target

if TYPE_CHECKING:
    from distributed import Client

_LARGEST_SENT = 1 << 30
"""Bytes of a repository that is sent to a worker."""

Notify = Callable[[Record], object]
"""Told of each record as it comes."""


def survey(
    client: Client,
    targets: Sequence[Target],
    job: Job,
    *,
    shared: bool,
    notify: Notify,
    finished: Mapping[str, Record] = MappingProxyType({}),
) -> list[Record]:
    """The records of all targets, in their order; `job` describes how to examine each.

    Args:
        shared: the workers see the files of this machine by the same paths.
        finished: records that an earlier run has made, by the name of their target.
    """
    records = {target.name: finished[target.name] for target in targets if target.name in finished}
    job = _with_tables(job, shared=shared)._replace(installation=installation())
    for record in _records(client, [target for target in targets if target.name not in records], job, shared=shared):
        records[record.name] = record
        notify(record)
    return [records[target.name] for target in targets]


def _records(client: Client, targets: Sequence[Target], job: Job, *, shared: bool) -> Iterator[Record]:
    window: Window[Target] = Window(client, examine)
    undone: list[Target] = []
    try:
        for target in targets:
            sent = None if target.problem else _job(target, job, shared=shared)
            if not isinstance(sent, Job):
                yield failed(target, target.problem or str(sent))
                continue
            while window.is_full:
                yield from _taken(*window.take(), undone)
            window.submit(target, sent, size=len(sent.sent or b""))
            for answered in window.finished():
                yield from _taken(*answered, undone)
        for answered in window.rest():
            yield from _taken(*answered, undone)
        for target in undone:  # each alone, to find the one at fault
            sent = _job(target, job, shared=shared)
            if not isinstance(sent, Job):
                yield failed(target, sent)
                continue
            window.submit(target, sent, size=len(sent.sent or b""))
            target, answer = window.take()
            if isinstance(answer, Killed):
                yield failed(target, "it kills the workers that examine it")
            else:
                yield from _taken(target, answer, [])
    finally:
        window.cancel()


def _taken(target: Target, answer: Any, undone: list[Target]) -> Iterator[Record]:
    if isinstance(answer, str):
        raise PlanError(f"a worker of the cluster cannot take part: {answer}")
    if isinstance(answer, Killed):
        undone.append(target)
    else:
        yield record_in(answer)._replace(source=target.source)


def _job(target: Target, job: Job, *, shared: bool) -> Job | str:
    """What to send to a worker for a target; or a text that explains why it cannot be read."""
    is_url = target.kind == GIT and "://" in target.source
    place = target.source if is_url else os.path.abspath(target.source)
    job = job._replace(target=target._replace(source=place))
    if shared or target.kind == GIT:
        return job
    try:
        if target.kind == ARCHIVE:
            if os.path.getsize(place) > _LARGEST_SENT:
                return f"it has more than {_LARGEST_SENT:,} bytes, too many to send; use --shared"
            with open(place, "rb") as file:
                return job._replace(sent=file.read())
        assert target.kind == TREE
        (found,) = discover_groups([Group([place], selection=Selection(build_files=job.build_files))])
        sent = [entry for entry in found.entries if entry.kind != OTHER or job.builds is not None]
        if sum(entry.size for entry in sent) > _LARGEST_SENT:
            return f"its sources have more than {_LARGEST_SENT:,} bytes, too many to send; use --shared"
        return job._replace(sent=_packed(found, everything=job.builds is not None), is_packed=True)
    except OSError as error:
        return reason(error)


def _packed(found: Discovery, *, everything: bool) -> bytes:
    """The sources and build files of a folder as a tar archive; of other files, which includes may name, the names.

    Args:
        everything: a build may read the content of the other files, too.
    """
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz", compresslevel=1) as archive:
        for entry in found.entries:
            member = tarfile.TarInfo(entry.relative)
            data = b""
            if everything or entry.kind != OTHER or kind_of(entry.relative):
                with open(entry.path, "rb") as file:
                    data = file.read()
            member.size = len(data)
            member.mode = os.stat(entry.path).st_mode & 0o777  # a build starts scripts
            archive.addfile(member, io.BytesIO(data))
    return out.getvalue()


def _with_tables(job: Job, *, shared: bool) -> Job:
    """The job with the user's own tables for the workers: by their absolute paths, or as they are."""
    paths = job.options.targeting.tables
    if shared:
        targeting = job.options.targeting._replace(tables=tuple(map(os.path.abspath, paths)))
        return job._replace(options=job.options._replace(targeting=targeting))
    tables = []
    for path in paths:
        with open(path, "rb") as file:
            tables.append((os.path.basename(path), file.read()))
    return job._replace(tables=tuple(tables))
