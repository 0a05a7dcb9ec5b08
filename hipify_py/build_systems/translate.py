"""Translates a build file of any kind."""

from __future__ import annotations

from importlib import import_module
from posixpath import dirname

from hipify_py.build_systems.autoconf.programs import Translate
from hipify_py.build_systems.dual import is_kept, with_choice
from hipify_py.build_systems.file import BuildFile
from hipify_py.build_systems.finishing import finished
from hipify_py.build_systems.kinds import (
    AUTOCONF,
    CI,
    DOCKER,
    PRESETS,
    SHELL,
    TRANSLATORS,
    is_copy_of_cmakes,
    kind_of_build_file,
    may_have_cuda,
)
from hipify_py.core.options import Options
from hipify_py.core.project_context import NO_PROJECT, ProjectContext, may_name_renamed
from hipify_py.core.source import Source, reject_unreadable
from hipify_py.core.translation import Translation

_ONLY_REPORTED = {CI: "a CI job", DOCKER: "a Dockerfile"}
"""Kinds of files that are translated only if the user asks for it, in words."""


def translate_build_file(
    data: bytes,
    path: str,
    options: Options,
    project: ProjectContext = NO_PROJECT,
    translate_source: Translate | None = None,
) -> Translation:
    """Translate a build file; its content never raises an exception, except bytes that are not text.

    Args:
        data: its bytes.
        path: its name, which determines its kind; without an ending of one, it is a makefile that others include.
        options: the user's choices.
        project: what its project knows about it: the other build files, and the names of the files.
        translate_source: translates the programs in a configure script, which stay as they are without it.

    Raises:
        UnreadableSource: for UTF-16 and for binary data.
    """
    names_renamed = may_name_renamed(project, data)
    build = project.build
    is_concerned = build.leads or build.has_cuda or build.make is not None
    if not (may_have_cuda(data) or names_renamed or is_concerned) or is_copy_of_cmakes(path) or is_kept(data):
        return Translation(data, [], [], [])
    kind = kind_of_build_file(path)
    if kind == SHELL and b"\0" in data:  # an installer that unpacks itself
        return Translation(data, [], [], [])
    reject_unreadable(data)
    if options.dual and kind == PRESETS:  # it may hold the variables of both builds
        return Translation(data, [], [], [])
    translator = import_module(f"hipify_py.build_systems.{TRANSLATORS[kind]}")
    more = (translate_source or _as_it_is,) if kind == AUTOCONF else ()
    translation: Translation = translator.translate(data, path, options, project, *more)
    if kind in _ONLY_REPORTED and not options.ci_files:
        return _reported(translation, data, path, options, _ONLY_REPORTED[kind])
    return with_choice(translation, data, path, dirname(options.support_header)) if options.dual else translation


def _reported(translation: Translation, data: bytes, path: str, options: Options, what: str) -> Translation:
    """The findings of a file that stays as it is: a project that is ported keeps its jobs for NVIDIA GPUs."""
    findings = translation.findings
    if translation.edits:
        file = BuildFile(Source(data, path), "ci", options)
        file.finding("HIP614", translation.edits[0].start, what)
        findings = sorted((*findings, *finished(file).findings), key=lambda finding: finding.offset)
    return Translation(data, [], findings, [], suppressed=translation.suppressed)


def _as_it_is(data: bytes, path: str, options: Options) -> Translation:
    return Translation(data, [], [], [])
