"""Keeps in-place conversion away from work that git could not restore."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable

from hipify_py.project.discovery import NEVER_WALKED
from hipify_py.project.git_checkout import Checkout, UnreadableCheckout, top_of
from hipify_py.project.gitignore import Ignores


def uncommitted(paths: Iterable[str], matters: Callable[[str], bool] = lambda path: True) -> list[str]:
    """The `paths` whose present content git has not committed: changed, staged or never added.

    Files outside a checkout, and files that git ignores, are not reported: there is nothing to compare with.

    Args:
        paths: files.
        matters: False for a file that need not be committed; called only if git does not have the file.

    Raises:
        UnreadableCheckout: if the checkout that holds a file that matters cannot be read; the message names it.
    """
    by_checkout: dict[str, dict[str, str]] = {}
    tops: dict[str, str | None] = {}
    for path in paths:
        real = os.path.realpath(path)
        folder = os.path.dirname(real)
        if folder not in tops:
            tops[folder] = top_of(folder)
        top = tops[folder]
        if top is not None:
            by_checkout.setdefault(top, {})[real] = path
    return sorted(path for top, files in by_checkout.items() for path in _uncommitted(top, files, matters))


def unversioned(paths: Iterable[str]) -> list[str]:
    """The `paths` that are in no checkout of a version control system."""
    known: dict[str, bool] = {}
    return [path for path in paths if not _is_versioned(os.path.dirname(os.path.realpath(path)), known)]


def _is_versioned(folder: str, known: dict[str, bool]) -> bool:
    if folder not in known:
        above = os.path.dirname(folder)
        has_mark = any(os.path.lexists(os.path.join(folder, mark)) for mark in NEVER_WALKED)
        known[folder] = has_mark or (above != folder and _is_versioned(above, known))
    return known[folder]


def _uncommitted(top: str, files: dict[str, str], matters: Callable[[str], bool]) -> list[str]:
    """The uncommitted ones of the `files` of one checkout, by their real paths."""
    try:
        checkout, ignores = Checkout(top), Ignores(top)
        lost = [files[real] for real in sorted(files) if _is_lost(real, top, checkout, ignores)]
    except UnreadableCheckout as error:
        if not any(map(matters, files.values())):
            return []
        raise UnreadableCheckout(f"cannot check for uncommitted changes in the git checkout {top}: {error}") from error
    return [path for path in lost if matters(path)]


def _is_lost(real: str, top: str, checkout: Checkout, ignores: Ignores) -> bool:
    """Whether git could not restore the file as it is."""
    path = os.fsencode(os.path.relpath(real, top).replace(os.sep, "/"))
    if checkout.tracks(path):
        return not checkout.is_committed(path)
    ignores.read_down_to(os.path.dirname(real))
    return not ignores.match(real)
