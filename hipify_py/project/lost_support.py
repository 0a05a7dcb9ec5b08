"""Sources that include a support header which is not there, as a copy or a killed run can leave them."""

from __future__ import annotations

import os

from hipify_py.catalog import load_catalog
from hipify_py.core.findings import Finding
from hipify_py.core.project_context import ProjectContext
from hipify_py.core.source import Source
from hipify_py.project.result import FileResult
from hipify_py.support_header import HEADER


def with_support(result: FileResult, data: bytes, project: ProjectContext, *, written: bool) -> FileResult:
    """The result of a file that includes a support header; where that is not there, a run that writes makes it.

    A run that only looks reports it (HIP910).
    """
    path = result.support_header
    place = os.path.join(os.path.dirname(result.path), path)
    if os.path.exists(place) or path in project.local_headers:
        return result
    from hipify_py.support_header.lost import used_sections

    if written:
        return result._replace(support=used_sections(data.decode("utf-8", "replace")))
    entry = load_catalog().diagnostic("HIP910")
    offset = data.find(HEADER.encode())
    line, column = Source(data).position(offset)
    message = entry.message.format(path=path)
    finding = Finding(entry.id, entry.severity, entry.effort, message, result.path, offset, line, column, "", "")
    return result._replace(findings=tuple(sorted((*result.findings, finding), key=lambda each: each.offset)))
