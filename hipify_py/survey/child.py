"""Examines one repository in its own process: it may take too long, too much memory, or kill the process."""

from __future__ import annotations

import json
import os
import pickle
import shutil
import signal
import sys
import threading

from hipify_py.project.api import convert_groups
from hipify_py.project.discovery import Selection
from hipify_py.project.groups import Group
from hipify_py.project.plan import PlanError
from hipify_py.project.result import reason
from hipify_py.survey.archives import BadArchive, Limits, unpack
from hipify_py.survey.git import CannotClone, clone
from hipify_py.survey.job import Bounds, Job
from hipify_py.survey.record import Record, document_of, failed, record_of
from hipify_py.survey.targets import ARCHIVE, GIT, TREE

JOB, RECORD, ERRORS = "job", "record.json", "errors"
"""Files in the folder of a repository: what is to be done, what comes of it, and what else was said."""


def main(folder: str) -> None:
    """Do the job in a folder, and leave its record there; end when standard input is closed."""
    threading.Thread(target=_end_with_parent, args=(folder,), daemon=True).start()
    with open(os.path.join(folder, JOB), "rb") as file:
        job: Job = pickle.load(file)  # from whoever may have this worker do anything  # nosec B301
    _bound(job.bounds)
    try:
        record = examine(job, folder)
    except (BadArchive, CannotClone) as error:
        record = failed(job.target, str(error))
    except PlanError as error:
        record = failed(job.target, str(error))
    except OSError as error:
        record = failed(job.target, reason(error))
    except MemoryError:
        record = failed(job.target, f"it needs more than {job.bounds.memory >> 20} MiB of memory")
    except Exception as error:  # a fault of ours, of which the record is the account
        record = failed(job.target, f"{type(error).__name__}: {error}")
    with open(os.path.join(folder, RECORD), "w", encoding="utf-8") as out:
        json.dump(document_of(record), out)


def examine(job: Job, folder: str) -> Record:
    """Examine a repository; archives are unpacked below `folder`."""
    target, commit, links = job.target, "", 0
    root = os.path.join(folder, "tree", target.name)
    if target.kind == GIT:
        commit = clone(target.source, root)
    elif target.kind == TREE and job.sent is None:
        root = target.source
    else:
        os.makedirs(root)
        path = target.source
        if job.sent is not None:
            ending = os.path.basename(target.source) if target.kind == ARCHIVE else "sent.tar"
            path = os.path.join(folder, "sent-" + ending)
            with open(path, "wb") as file:
                file.write(job.sent)
        links = unpack(path, root, Limits(job.bounds.unpacked))
    root = _only_folder(root) if target.kind == ARCHIVE else root
    selection = Selection(gitignore=not job.is_packed, build_files=job.build_files)
    output = os.path.join(job.output, target.name) if job.output else None
    options = job.options
    if job.tables:
        options = options._replace(targeting=options.targeting._replace(tables=_tables(job, folder)))
    (report,) = convert_groups([Group([root], options, selection)], output=output, jobs=1, look_at_builds=True)
    return record_of(target, report, root, commit=commit, links=links)


def _only_folder(root: str) -> str:
    """The folder that an archive holds and nothing else, as source distributions do."""
    names = os.listdir(root)
    inner = os.path.join(root, names[0]) if len(names) == 1 else root
    return inner if os.path.isdir(inner) and not os.path.islink(inner) else root


def _tables(job: Job, folder: str) -> tuple[str, ...]:
    paths = []
    for number, (name, data) in enumerate(job.tables):
        place = os.path.join(folder, "tables", str(number), name)
        os.makedirs(os.path.dirname(place))
        with open(place, "wb") as file:
            file.write(data)
        paths.append(place)
    return tuple(paths)


def _bound(bounds: Bounds) -> None:
    """Let the system see to it that no bound is passed, by what git starts either."""
    try:
        import resource
    except ImportError:  # Windows: the time alone is bounded
        return
    for kind, most in ((resource.RLIMIT_AS, bounds.memory), (resource.RLIMIT_FSIZE, bounds.unpacked)):
        _, hard = resource.getrlimit(kind)
        soft = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(kind, (soft, hard))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)  # writing too much is an error like others


def _end_with_parent(folder: str) -> None:
    """Wait until the worker is gone; nobody takes the record then, nor removes the folder."""
    while os.read(0, 1):
        pass
    shutil.rmtree(folder, ignore_errors=True)
    if hasattr(os, "killpg"):
        os.killpg(0, signal.SIGKILL)  # git, too
    os._exit(1)


if __name__ == "__main__":
    main(sys.argv[1])
