"""Asks the files of a project for what they say of each other's warps."""

from __future__ import annotations

from collections.abc import Sequence

from hipify_py.options import Options
from hipify_py.project.contexts import ProjectContexts
from hipify_py.project.texts import Texts
from hipify_py.project_context import ProjectContext
from hipify_py.source import is_header_name


def with_warps(
    common: ProjectContext, sources: Sequence[str], around: Sequence[str], options: Options, texts: Texts
) -> ProjectContexts:
    """The contexts of `sources`: `common`, and what is done with warps in the headers that each is compiled with.

    The headers `around` are included by the run's files and are no sources; they are read as well.
    """
    from hipify_py.analysis.warp.emulate_warp32 import FAMILY
    from hipify_py.project.warp_analysis import ProjectWarpAnalysis
    from hipify_py.project.warp_files import WarpFiles

    files = WarpFiles(texts, all_sources=FAMILY in options.fixes)
    for path in [*sources, *around]:
        files.take(path)
    # The sizes are headers', and are reported there.
    has_headers = any(is_header_name(path) for path in sources)
    contexts = ProjectWarpAnalysis(files, common, options).contexts(frozenset(sources), with_counts=has_headers)
    return ProjectContexts(common, contexts)
