"""Translates a source that a program hands to a compiler while it runs.

hipRTC has the runtime, half precision and cooperative groups built in. Their headers must not be included there: hipRTC
of ROCm 5.2 rejects the second definition of what they define. It has no include path either, so what a kernel needs of
the support header becomes a part of its source.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from hipify_py.core.clang_facts import NO_EVIDENCE
from hipify_py.core.edits import Edit, apply, ordered
from hipify_py.core.options import GROUPS, Options
from hipify_py.core.project_context import ProjectContext
from hipify_py.core.translation import Translation
from hipify_py.support_header import HEADER
from hipify_py.support_header.inlined import INLINED, inlined_header, inlined_sections
from hipify_py.translator.translate import translate

BUILT_IN = frozenset(
    {
        b"hip/hip_runtime.h",
        b"hip/hip_runtime_api.h",
        b"hip/hip_fp16.h",
        b"hip/hip_bf16.h",
        b"hip/hip_cooperative_groups.h",
    }
)
"""Headers whose content hipRTC has built in. Source: hipRTC of ROCm 5.2; HIP headers of ROCm 6.4 and 7.1, which leave
out their own includes where `__HIPCC_RTC__` is defined."""

_GUARD = b"#if !defined(__HIPCC_RTC__)  // hipRTC has it built in\n"
_INCLUDE = re.compile(rb'^[ \t]*#[ \t]*include[ \t]*[<"]([^<>"\n]+)[>"][^\n]*(?:\n|\Z)', re.MULTILINE)
_ADDED = re.compile(rb"^#include <(?:" + b"|".join(map(re.escape, sorted(BUILT_IN))) + rb")>\r?\n", re.MULTILINE)
_SUPPORT = re.compile(
    rb'(?:[ \t]*#define HIPIFY_NEEDS_\w+\r?\n)*[ \t]*#include "' + re.escape(HEADER.encode()) + rb'"\r?\n'
)


def translate_string(
    text: bytes,
    path: str,
    options: Options,
    project: ProjectContext,
    *,
    is_run_time: bool = True,
    name: str = "kernel.cu",
    implicit_runtime: bool = False,
) -> Translation:
    """Translate a source in a string of a program.

    Args:
        text: the source, with `\\n` at the ends of lines.
        path: the file that holds it, which findings name.
        options: the user's choices.
        project: what the project says.
        is_run_time: whether hipRTC compiles it; otherwise hipcc does, which includes files.
        name: its own name, whose ending distinguishes CUDA from C++.
        implicit_runtime: whether it becomes a file for which nvcc includes its runtime; the user may decline that.

    Returns:
        The translation, whose edits contain what the source needs of the support header.

    Raises:
        TableError: if the mapping tables cannot be loaded.
        UnreadableSource: for binary data.
    """
    within = options._replace(
        implicit_runtime=implicit_runtime and options.implicit_runtime,
        annotate=False,
        fixes=options.fixes & frozenset(GROUPS),
        offered=options.fixes | options.offered,
    )
    of_string = project._replace(evidence=NO_EVIDENCE, is_run_time_source=is_run_time)
    done = _self_contained(text, name, within, of_string)
    done.findings = [finding._replace(path=path) for finding in done.findings]
    done.suppressed = [finding._replace(path=path) for finding in done.suppressed]
    return done


def translate_run_time_file(data: bytes, path: str, options: Options, project: ProjectContext) -> Translation:
    """Translate a file that a program reads to have hipRTC compile it; the result is one for hipcc, too.

    Raises:
        TableError: if the mapping tables cannot be loaded.
        UnreadableSource: for UTF-16 and for binary data.
    """
    return _self_contained(data, path, options, project)


def _self_contained(text: bytes, path: str, options: Options, project: ProjectContext) -> Translation:
    """A translation that includes neither the support header nor what hipRTC has built in."""
    done = translate(text, path=path, options=options._replace(support_header=HEADER), project=project)
    newline = b"\r\n" if b"\r\n" in text else b"\n"
    edits = list(_with_support(done.edits, done.support, text, newline))
    if project.is_run_time_source:
        edits = [edit._replace(text=_guarded(edit.text, newline)) for edit in edits]
        before, after = _conditions(text, edits, newline)
        edits = ordered([*after, *edits, *before])  # nothing that is added beside an include gets into its condition
    done.edits, done.output = edits, apply(text, edits)
    done.support, done.support_header = frozenset(), ""
    return done


def _with_support(edits: Iterable[Edit], sections: frozenset[str], text: bytes, newline: bytes) -> Iterator[Edit]:
    """The edits with the sections of the support header in place of its include.

    A source that has them already keeps them, or gets more.
    """
    there, place = inlined_sections(text) if INLINED in text else (frozenset[str](), (0, 0))
    header = inlined_header(sections | there).replace(b"\n", newline)
    for edit in edits:
        if HEADER.encode() not in edit.text:
            yield edit
        elif not there:
            yield edit._replace(text=_SUPPORT.sub(lambda _: header, edit.text))
        else:
            rest = _SUPPORT.sub(b"", edit.text)
            if rest.strip() or edit.end > edit.start:
                yield edit._replace(text=rest)
    if there and not sections <= there:
        yield Edit(*place, header)


def _guarded(text: bytes, newline: bytes) -> bytes:
    """What an edit adds, with conditions around the headers that hipRTC has built in."""
    if INLINED in text:
        return text
    before, after = _GUARD.replace(b"\n", newline), b"#endif" + newline
    return _ADDED.sub(lambda include: before + include[0] + after, text)


def _conditions(text: bytes, edits: Sequence[Edit], newline: bytes) -> tuple[list[Edit], list[Edit]]:
    """Conditions around the includes of what hipRTC has built in, where an edit has made them HIP's."""
    headers = {edit.start: edit.text for edit in edits}
    before, after = list[Edit](), list[Edit]()
    for include in _INCLUDE.finditer(text):
        if headers.get(include.start(1)) in BUILT_IN:
            before.append(Edit(include.start(), include.start(), _GUARD.replace(b"\n", newline)))
            ended = b"" if include[0].endswith(b"\n") else newline
            after.append(Edit(include.end(), include.end(), ended + b"#endif" + newline))
    return before, after
