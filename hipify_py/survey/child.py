"""Examines one repository in its own process: it may take too long, too much memory, or kill the process."""

from __future__ import annotations

import json
import os
import pickle
import shutil
import signal
import stat
import subprocess
import sys
import tarfile
import threading
import zipfile
import zlib
from collections.abc import Iterator
from typing import IO, NamedTuple

from hipify_py.project.api import convert_groups
from hipify_py.project.discovery import Selection
from hipify_py.project.errors import PlanError, reason
from hipify_py.project.groups import Group
from hipify_py.survey.job import Bounds, Job
from hipify_py.survey.record import Record, document_of, failed, record_of
from hipify_py.survey.targets import ARCHIVE, GIT, TREE
from hipify_py.survey.trial_build import try_builds

# Clones untrusted git repositories: the last commit, with every program disabled that git could run.

_SETTINGS = (
    "core.hooksPath=/dev/null",
    "core.fsmonitor=false",
    "core.askPass=",
    "credential.helper=",
    "protocol.allow=never",
    "protocol.https.allow=always",
    "protocol.ssh.allow=always",
    "protocol.file.allow=always",
    "http.followRedirects=initial",
    "submodule.recurse=false",
    "gc.auto=0",
    "maintenance.auto=false",
)
"""No hook, no helper, no other transport, whatever a repository's or the user's configuration sets."""


class CannotClone(Exception):
    """git failed; the message is git's."""


def clone(url: str, folder: str) -> str:
    """Clone the last commit of a repository into a folder that is not there yet; returns the commit.

    Raises:
        CannotClone: when git is not installed, or cannot do it.
    """
    where = url if "://" in url else "file://" + os.path.abspath(url)
    options = ("--depth=1", "--single-branch", "--no-tags", "--no-recurse-submodules", "--template=", "--quiet")
    _git("clone", *options, "--", where, folder)
    return _git("-C", folder, "rev-parse", "HEAD").strip()


def _git(*arguments: str) -> str:
    settings = [word for setting in _SETTINGS for word in ("-c", setting)]
    # No configuration is read, and neither git nor ssh asks for a password.
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")} | {
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_ALLOW_PROTOCOL": "https:ssh:file",
        "GIT_SSH_COMMAND": "ssh -oBatchMode=yes -oStrictHostKeyChecking=yes -oPermitLocalCommand=no",
        "GIT_LFS_SKIP_SMUDGE": "1",
        "LC_ALL": "C",
    }
    try:
        # The URL comes after "--" and begins with a scheme, so it is not an option.
        done = subprocess.run(  # nosec B603 B607
            ["git", *settings, *arguments],
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
        )
    except OSError as error:
        raise CannotClone(f"git cannot be started: {error.strerror}") from error
    if done.returncode:
        lines = done.stderr.decode("utf-8", "backslashreplace").strip().splitlines()
        raise CannotClone(f"git cannot clone it: {lines[-1] if lines else done.returncode}")
    return done.stdout.decode("utf-8", "backslashreplace")


# Unpacks untrusted archives, within a folder and within limits.

_BLOCK = 1 << 20


class Limits(NamedTuple):
    """The limits of an archive: total bytes, and files and folders."""

    bytes: int = 4 << 30
    members: int = 500_000


DEFAULT_LIMITS = Limits()

_UNREADABLE = (tarfile.TarError, zipfile.BadZipFile, EOFError, zlib.error, UnicodeError, RuntimeError, ValueError)
"""What the readers raise for broken, encrypted or unsupported archives."""


class BadArchive(Exception):
    """An archive cannot be unpacked, or must not be; the message says why."""


def unpack(path: str, folder: str, limits: Limits = DEFAULT_LIMITS) -> int:
    """Unpack an archive into an empty folder; returns how many links were left out because they lead out of it.

    An archive with a file that would be outside, or that is a device, is hostile, and unpacking stops.

    Raises:
        BadArchive: when it cannot be read, is hostile, or holds more than the limits.
        OSError: when something cannot be written.
    """
    try:
        if path.lower().endswith((".zip", ".whl")):
            return _unpack_zip(path, folder, limits)
        return _unpack_tar(path, folder, limits)
    except _UNREADABLE as error:
        raise BadArchive(f"the archive cannot be read: {error or type(error).__name__}") from error
    except OSError as error:
        if error.errno is None or type(error).__name__ in ("BadGzipFile", "LZMAError"):
            raise BadArchive(f"the archive cannot be read: {error}") from error
        raise


class _Room:
    """What is left of the limits."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._size = self._count = 0

    def take(self, size: int) -> None:
        """Take up a file or folder.

        Raises:
            BadArchive: when it is too much.
        """
        self._size += size
        self._count += 1
        if self._size > self._limits.bytes:
            raise BadArchive(f"the archive holds more than {self._limits.bytes:,} bytes")
        if self._count > self._limits.members:
            raise BadArchive(f"the archive holds more than {self._limits.members:,} files")


def _unpack_tar(path: str, folder: str, limits: Limits) -> int:
    if not hasattr(tarfile, "data_filter"):
        raise BadArchive("this Python cannot unpack archives safely; use 3.10.12, 3.11.4, 3.12 or later")
    room = _Room(limits)
    links: list[tuple[str, str, bool]] = []
    with tarfile.open(path, "r|*") as archive:  # in one go: nothing is read twice, and no list of members is made first
        for member in archive:
            room.take(member.size if member.isreg() else 0)
            if member.issym() or member.islnk():
                links.append((member.name, member.linkname, member.issym()))
                continue
            try:
                archive.extract(member, folder, filter="data")
            except tarfile.FilterError as error:
                what = "is a device" if isinstance(error, tarfile.SpecialFileError) else "would be outside its folder"
                raise BadArchive(f"the archive is hostile: {member.name!r} {what}") from error
            archive.members = []  # type: ignore[attr-defined]  # else it keeps them all
    return sum(not _link(folder, *link) for link in links)


def _link(folder: str, name: str, leads_to: str, is_symbolic: bool) -> bool:
    """Make a link after all files are there; False for one that leads out, to nothing, or by another link.

    Links come last, so that no file is ever written through one.
    """
    place = os.path.normpath(os.path.join(folder, name))
    goal = os.path.normpath(os.path.join(os.path.dirname(place) if is_symbolic else folder, leads_to))
    if not (_is_plain(os.path.dirname(place), folder) and _is_plain(goal, folder)) or os.path.lexists(place):
        return False
    if is_symbolic:
        os.symlink(os.path.relpath(goal, os.path.dirname(place)), place)
    elif os.path.isfile(goal):
        os.link(goal, place)
    return True


def _is_plain(path: str, folder: str) -> bool:
    """Something is there within the folder, and no link is on the way."""
    if path != folder and not path.startswith(folder + os.sep):
        return False
    parts = os.path.relpath(path, folder).split(os.sep)
    ways = [os.path.join(folder, *parts[: number + 1]) for number in range(len(parts))]
    return all(os.path.lexists(way) and not os.path.islink(way) for way in ways)


def _unpack_zip(path: str, folder: str, limits: Limits) -> int:
    room = _Room(limits)
    left_out = 0
    with zipfile.ZipFile(path) as archive:
        for member in archive.infolist():
            room.take(member.file_size)
            place = _place(member.filename, folder)
            if stat.S_ISLNK(member.external_attr >> 16):
                left_out += 1
            elif member.is_dir():
                os.makedirs(place, exist_ok=True)
            else:
                os.makedirs(os.path.dirname(place), exist_ok=True)
                with archive.open(member) as packed, open(place, "xb") as file:
                    for block in _blocks(packed, member.file_size):
                        file.write(block)
    return left_out


def _place(name: str, folder: str) -> str:
    """Where a member of a zip file goes.

    Raises:
        BadArchive: when that is outside of the folder.
    """
    parts = name.replace("\\", "/").split("/")
    if name.startswith(("/", "\\")) or ".." in parts or ":" in parts[0] or "\0" in name:
        raise BadArchive(f"the archive is hostile: {name!r} would be outside its folder")
    return os.path.join(folder, *parts)


def _blocks(packed: IO[bytes], size: int) -> Iterator[bytes]:
    """The content of a member, of which no more is taken than it says that it has."""
    while size > 0 and (block := packed.read(min(size, _BLOCK))):
        size -= len(block)
        yield block


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
    groups = [Group([root], options, selection)]
    if job.builds is None or output is not None:
        (report,) = convert_groups(groups, output=output, jobs=1, look_at_builds=True)
    if job.builds is not None:
        source, place = os.path.join(folder, "build", "source"), os.path.join(folder, "build", "output")
        (report,) = convert_groups(groups, output=source, jobs=1, look_at_builds=True, edits=True)
        trial = try_builds(report, root, source, place, job.builds)
        record = record_of(target, report, root, commit=commit, links=links)
        return record._replace(builds=trial.builds, disproved=trial.disproved)
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
