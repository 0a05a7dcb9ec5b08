"""Translates a build file of whatever kind."""

from __future__ import annotations

from importlib import import_module

from hipify_py.build_systems.kinds import TRANSLATORS, is_copy_of_cmakes, kind_of, may_have_cuda
from hipify_py.options import Options
from hipify_py.project_context import BuildContext
from hipify_py.source import reject_unreadable
from hipify_py.translation import Translation


def translate_build_file(data: bytes, path: str, options: Options, told: BuildContext | None = None) -> Translation:
    """Translate a build file; never raises for what is in it, but for bytes that are no text.

    Args:
        data: its bytes.
        path: its name, which says what it is.
        options: the user's choices.
        told: what the other build files of its project say; None for one that stands by itself.

    Raises:
        UnreadableSource: for UTF-16 and for binary data.
    """
    if not may_have_cuda(data) or is_copy_of_cmakes(path):
        return Translation(data, [], [], [])
    reject_unreadable(data)
    translator = import_module(f"hipify_py.build_systems.{TRANSLATORS[kind_of(path)]}")
    translation: Translation = translator.translate(data, path, options, told)
    return translation
