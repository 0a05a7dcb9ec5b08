"""Reads a git checkout without starting git: an untrusted `.git/config` can name programs that git would run."""

from __future__ import annotations

import os
import stat
from bisect import bisect_left
from typing import Any

_LARGEST_INDEX = 1 << 30
"""Bytes. Indexes of a million files have a hundred million."""

LARGEST_OBJECT = 1 << 26
"""Bytes of a commit or a folder's listing, unpacked."""


class UnreadableCheckout(ValueError):
    """The checkout cannot be read to find out what is committed; the message explains why."""


class Checkout:
    """The index and the last commit of one checkout.

    Paths are relative to its top, with `/`, as bytes of the file system.

    Source: git's documentation of the index (gitformat-index) and of "racy" time stamps.
    """

    def __init__(self, top: str) -> None:
        """Open the checkout whose `.git` lies in the folder `top`.

        Raises:
            UnreadableCheckout: if its index or its last commit cannot be read.
        """
        self._top = top
        self._git, self._common = git_folders(top)
        self._index_time, self._entries = _read_index(os.path.join(self._git, "index"))
        self._names = sorted(self._entries)
        self._folders: dict[bytes, dict[bytes, bytes]] | None = None

    def tracks(self, path: bytes) -> bool:
        """Whether the file is in the index."""
        return path in self._entries

    def tracks_below(self, folder: bytes) -> bool:
        """Whether the index has a file in the folder or below."""
        prefix = folder.rstrip(b"/") + b"/"
        at = bisect_left(self._names, prefix)
        return at < len(self._names) and self._names[at].startswith(prefix)

    def is_committed(self, path: bytes) -> bool:
        """Whether the last commit holds the file as it is on the disk.

        Raises:
            UnreadableCheckout: if the commit cannot be read.
        """
        entry = self._entries.get(path)
        return entry is not None and self._is_as_in_index(path, entry) and self._committed(path) == bytes(entry.sha)

    def _is_as_in_index(self, path: bytes, entry: Any) -> bool:
        """Compares by the size and modification time that git noted, or else by content."""
        if not hasattr(entry, "sha"):
            return False  # an unresolved conflict
        place = os.path.join(os.fsencode(self._top), path)
        try:
            status = os.lstat(place)
            if not stat.S_ISREG(status.st_mode):
                return False
            changed = _nanoseconds(entry.mtime)
            if (status.st_size, status.st_mtime_ns) == (entry.size, changed) and changed < self._index_time:
                return True
            with open(place, "rb") as file:
                data = file.read()
        except OSError:
            return False
        # git may have stored the file with other line endings than it has on the disk.
        return bytes(entry.sha) in {_blob(data), _blob(data.replace(b"\r\n", b"\n"))}

    def _committed(self, path: bytes) -> bytes | None:
        """The digest of a file in the last commit; None if the commit does not have it."""
        folder, _, name = path.rpartition(b"/")
        return self._listing(folder).get(name)

    def _listing(self, folder: bytes) -> dict[bytes, bytes]:
        """The digests of a folder's entries in the last commit, by name."""
        if self._folders is None:
            self._objects, self._folders = _Objects(self._git, self._common), {}
            tree = self._objects.head_tree()
            self._folders[b""] = {} if tree is None else self._objects.listing(tree)
        known = self._folders.get(folder)
        if known is None:
            digest = self._committed(folder)
            known = self._folders[folder] = {} if digest is None else self._objects.listing(digest)
        return known


class _Objects:
    """Commits and listings of folders, as the repository stores them."""

    def __init__(self, git: str, common: str) -> None:
        from dulwich.object_store import DiskObjectStore
        from dulwich.refs import DiskRefsContainer

        self._store = DiskObjectStore(os.path.join(common, "objects"), loose_object_size_limit=LARGEST_OBJECT)
        self._refs = DiskRefsContainer(common, git)

    def head_tree(self) -> bytes | None:
        """The digest of the last commit's topmost folder; None before the first commit."""
        from dulwich.objects import Commit
        from dulwich.refs import HEADREF

        try:
            _, digest = self._refs.follow(HEADREF)
            if digest is None:
                return None
            commit = self._store[digest]
        except Exception as error:  # a damaged repository fails in many ways, and each means the same
            raise UnreadableCheckout(f"its last commit cannot be read ({reason_of(error)})") from error
        if not isinstance(commit, Commit):
            raise UnreadableCheckout("its HEAD is not a commit")
        return bytes(commit.tree)

    def listing(self, digest: bytes) -> dict[bytes, bytes]:
        """The digests of a folder's files and folders, by name; empty if it is not a folder."""
        from dulwich.objects import ObjectID, Tree

        try:
            tree = self._store[ObjectID(digest)]
            return {item.path: bytes(item.sha) for item in tree.items()} if isinstance(tree, Tree) else {}
        except Exception as error:
            raise UnreadableCheckout(f"its last commit cannot be read ({reason_of(error)})") from error


def top_of(folder: str) -> str | None:
    """The top of the checkout that holds a folder, given by its real path; None outside a checkout."""
    while not os.path.exists(os.path.join(folder, ".git")) and not os.path.islink(os.path.join(folder, ".git")):
        parent = os.path.dirname(folder)
        if parent == folder:
            return None
        folder = parent
    return folder


def git_folders(top: str) -> tuple[str, str]:
    """The folders of a checkout's index and of its objects; several checkouts can share the latter.

    Raises:
        UnreadableCheckout: if there is no repository.
    """
    git = os.path.join(top, ".git")
    try:
        if not os.path.isdir(git):
            pointer = _small_file(git)
            if not pointer.startswith("gitdir: "):
                raise UnreadableCheckout("its .git is not a folder and does not name one")
            git = os.path.normpath(os.path.join(top, pointer.removeprefix("gitdir: ")))
        if not os.path.isdir(os.path.join(git, "objects")) and not os.path.exists(os.path.join(git, "commondir")):
            raise UnreadableCheckout("its .git does not contain a repository")
        shared = os.path.join(git, "commondir")
        return git, os.path.normpath(os.path.join(git, _small_file(shared))) if os.path.exists(shared) else git
    except OSError as error:
        raise UnreadableCheckout(f"its .git cannot be read ({reason_of(error)})") from error


def _small_file(path: str) -> str:
    if not os.path.isfile(path):
        raise UnreadableCheckout(f"{os.path.basename(path)} is not a regular file")
    with open(path, "rb") as file:
        return os.fsdecode(file.read(1 << 16)).rstrip("\r\n")


def _read_index(path: str) -> tuple[int, dict[bytes, Any]]:
    """When the index was written, in nanoseconds, and its entries by path; none before the first `git add`."""
    from dulwich.index import Index

    try:
        status = os.stat(path)
    except FileNotFoundError:
        return 0, {}
    except OSError as error:
        raise UnreadableCheckout(f"its index cannot be read ({reason_of(error)})") from error
    if not stat.S_ISREG(status.st_mode) or status.st_size > _LARGEST_INDEX:
        raise UnreadableCheckout("its index is not a regular file, or is too large")
    try:
        return status.st_mtime_ns, dict(Index(path).items())
    except Exception as error:  # a damaged or newer index fails in many ways, and each means the same
        raise UnreadableCheckout(f"its index cannot be read ({reason_of(error)})") from error


def _nanoseconds(time: Any) -> int:
    return int(time[0]) * 1_000_000_000 + int(time[1]) if isinstance(time, tuple) else int(time * 1_000_000_000)


def _blob(data: bytes) -> bytes:
    """The digest that identifies a file's content in git."""
    from hashlib import sha1

    digest = sha1(b"blob %d\0" % len(data), usedforsecurity=False)
    digest.update(data)
    return digest.hexdigest().encode()


def reason_of(error: Exception) -> str:
    """An error in words."""
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
