"""Reads revisions of a git checkout, as `git_checkout` does, without starting git."""

from __future__ import annotations

import heapq
import os
import re
import stat
from collections.abc import Iterator
from typing import Any, NamedTuple

from hipify_py.project.git_checkout import LARGEST_OBJECT, UnreadableCheckout, git_folders, reason_of

_STEP = re.compile(r"[~^]\d*")
_STEPS = re.compile(r"((?:[~^]\d{0,6})*)$")
_DIGEST = re.compile(r"[0-9a-fA-F]{4,40}")
_PLACES = ("{}", "refs/{}", "refs/tags/{}", "refs/heads/{}", "refs/remotes/{}", "refs/remotes/{}/HEAD")
"""Where to look for a name, in git's order (gitrevisions)."""

_ONE, _TWO, _BELOW = 1, 2, 4
"""Of which of two commits a commit is an ancestor, and whether it is also an ancestor of a common ancestor."""

_BOTH = _ONE | _TWO

_LARGEST_SHALLOW = 1 << 24
_MOST_ENTRIES = 2_000_000


class File(NamedTuple):
    """A regular file of a revision: its path below the top, and the digest of its content."""

    path: bytes
    digest: bytes


class History:
    """The commits of one checkout."""

    def __init__(self, top: str) -> None:
        """Open the checkout whose `.git` lies in the folder `top`.

        Raises:
            UnreadableCheckout: if it holds no repository.
        """
        from dulwich.object_store import DiskObjectStore
        from dulwich.refs import DiskRefsContainer

        self.top = top
        self._git, self._common = git_folders(top)
        self._store = DiskObjectStore(os.path.join(self._common, "objects"), loose_object_size_limit=LARGEST_OBJECT)
        self._refs = DiskRefsContainer(self._common, self._git)
        self._shallow: frozenset[bytes] | None = None

    def commit(self, revision: str) -> bytes:
        """The digest of the commit that a revision names: a branch, a tag, a digest or its beginning, `HEAD~2`.

        Raises:
            UnreadableCheckout: if there is none, or it cannot be read.
        """
        steps = _STEPS.search(revision)
        name = revision[: steps.start()] if steps is not None else revision
        digest = self._named("HEAD" if name == "@" else name)
        if digest is None:
            raise UnreadableCheckout(f"{revision} is not a known revision")
        digest = self._peeled(digest, revision)
        for step in _STEP.findall(revision[len(name) :]):
            count = int(step[1:] or 1)
            for _ in range(count if step[0] == "~" else min(count, 1)):
                parents = self._parents(digest)
                at = count - 1 if step[0] == "^" else 0
                if at >= len(parents):
                    raise UnreadableCheckout(f"{revision} is not a known revision")
                digest = parents[at]
        return digest

    def merge_base(self, one: bytes, two: bytes) -> bytes | None:
        """The best common ancestor of two commits; the newest of several, None if there is none.

        Source: git's documentation of merge-base.
        """
        flags = {one: _ONE}
        flags[two] = flags.get(two, 0) | _TWO
        waiting = [(-self._time(digest), digest) for digest in {one, two}]
        heapq.heapify(waiting)
        common: set[bytes] = set()
        # Times only suggest where to look first: commits of one second, or of a wrong clock, come in any order. So
        # ancestors of a common ancestor are marked as such until no other commit is waiting.
        while waiting and (len(common) > 1 or any(not flags[digest] & _BELOW for _, digest in waiting)):
            _, digest = heapq.heappop(waiting)
            mine = flags[digest]
            if mine & _BELOW:
                common.discard(digest)
            elif mine == _BOTH:
                common.add(digest)
            given = mine | _BELOW if mine & _BOTH == _BOTH else mine
            for parent in self._parents(digest):
                before = flags.get(parent, 0)
                if before | given != before:
                    flags[parent] = before | given
                    heapq.heappush(waiting, (-self._time(parent), parent))
        return max(common, key=lambda digest: (self._time(digest), digest), default=None)

    def content(self, commit: bytes, path: bytes) -> bytes | None:
        """A file's content in a commit; None if the commit has no such regular file."""
        digest = bytes(self._object(commit).tree)
        *folders, name = path.split(b"/")
        for folder in folders:
            mode, below = self._entries(digest).get(folder, (0, b""))
            if not stat.S_ISDIR(mode):
                return None
            digest = below
        mode, found = self._entries(digest).get(name, (0, b""))
        return self.blob(found) if stat.S_ISREG(mode) else None

    def blob(self, digest: bytes) -> bytes:
        """The content with the given digest."""
        return bytes(self._object(digest).data)

    def files(self, commit: bytes) -> Iterator[File]:
        """The regular files of a commit; neither links nor other repositories, and no name that leads out.

        Raises:
            UnreadableCheckout: if it cannot be read, or has more entries than any project: repeated nested folders take
                no room in git.
        """
        seen = 0
        folders = [(b"", bytes(self._object(commit).tree))]
        while folders:
            prefix, digest = folders.pop()
            for name, (mode, below) in self._entries(digest).items():
                seen += 1
                if seen > _MOST_ENTRIES:
                    raise UnreadableCheckout(f"{commit.decode()} has more than {_MOST_ENTRIES} files and folders")
                if _leads_out(name):
                    continue
                if stat.S_ISDIR(mode):
                    folders.append((prefix + name + b"/", below))
                elif stat.S_ISREG(mode):
                    yield File(prefix + name, below)

    def _named(self, name: str) -> bytes | None:
        from dulwich.refs import Ref, check_ref_format

        for place in _PLACES:
            full = place.format(name).encode("utf-8", "surrogateescape")
            # `HEAD` does not have the usual form of a name; any other file of `.git` is not a revision.
            if full != b"HEAD" and not (full.startswith(b"refs/") and check_ref_format(Ref(full))):
                continue
            try:
                digest = self._refs.follow(Ref(full))[1]
            except KeyError:
                continue
            except Exception as error:  # a damaged repository fails in many ways, and each means the same
                raise UnreadableCheckout(f"{name} cannot be read ({reason_of(error)})") from error
            if digest is not None:
                return bytes(digest)
        if not _DIGEST.fullmatch(name):
            return None
        found = set(self._store.iter_prefix(name.lower().encode()))
        if len(found) > 1:
            commits = {digest for digest in found if type(self._object(bytes(digest))).__name__ in ("Commit", "Tag")}
            found = commits or found
        if len(found) > 1:
            raise UnreadableCheckout(f"{name} matches several commits")
        return bytes(found.pop()) if found else None

    def _peeled(self, digest: bytes, revision: str) -> bytes:
        from dulwich.objects import Commit, Tag

        for _ in range(16):
            found = self._object(digest)
            if isinstance(found, Commit):
                return digest
            if not isinstance(found, Tag):
                break
            digest = bytes(found.object[1])
        raise UnreadableCheckout(f"{revision} is not a commit")

    def _parents(self, commit: bytes) -> list[bytes]:
        if self._shallow is None:
            self._shallow = self._cut_off()
        return [] if commit in self._shallow else [bytes(parent) for parent in self._object(commit).parents]

    def _cut_off(self) -> frozenset[bytes]:
        """The commits whose parents a shallow clone does not have."""
        path = os.path.join(self._common, "shallow")
        if not os.path.isfile(path):
            return frozenset()
        try:
            with open(path, "rb") as file:
                return frozenset(file.read(_LARGEST_SHALLOW).split())
        except OSError as error:
            raise UnreadableCheckout(f"its list of shallow commits cannot be read ({reason_of(error)})") from error

    def _time(self, commit: bytes) -> int:
        return int(self._object(commit).commit_time)

    def _entries(self, digest: bytes) -> dict[bytes, tuple[int, bytes]]:
        from dulwich.objects import Tree

        tree = self._object(digest)
        if not isinstance(tree, Tree):
            raise UnreadableCheckout(f"{digest.decode()} is not a tree")
        return {item.path: (item.mode, bytes(item.sha)) for item in tree.items()}

    def _object(self, digest: bytes) -> Any:
        from dulwich.objects import ObjectID

        try:
            return self._store[ObjectID(digest)]
        except Exception as error:
            raise UnreadableCheckout(
                f"{digest.decode('ascii', 'replace')} cannot be read ({reason_of(error)})"
            ) from error


def _leads_out(name: bytes) -> bool:
    return name in (b"", b".", b"..") or b"/" in name or b"\\" in name or b"\0" in name or name.lower() == b".git"
