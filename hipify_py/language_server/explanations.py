"""The pages that explain findings: on the web, or written to the user's cache folder, where an editor can open them."""

from __future__ import annotations

import os
from collections.abc import Iterable

from hipify_py.core.cache_files import cache_dir
from hipify_py.core.installation import VERSION
from hipify_py.language_server.documents import uri_of
from hipify_py.project.write import write_atomically
from hipify_py.report.explain import explain, page


class Explanations:
    """The addresses of the pages.

    Attributes:
        documentation: where the site of the documentation is on the web; empty if it is nowhere.
    """

    def __init__(self) -> None:
        self.documentation = ""
        self._folder = os.path.join(os.path.abspath(cache_dir()), "explanations", VERSION)
        self._written: set[str] = set()

    def address(self, id: str) -> str:
        """The address of the page of a finding; empty if it could not be written."""
        if self.documentation:
            return f"{self.documentation.rstrip('/')}/diagnostics/{id}.html"
        return uri_of(self._path(id))

    def write(self, ids: Iterable[str]) -> list[str]:
        """Write the pages of findings, unless they are on the web or this process has written them.

        Returns:
            What went wrong: a diagnostic's link leads nowhere then.
        """
        problems = []
        for id in dict.fromkeys(ids):
            if self.documentation or id in self._written:
                continue
            self._written.add(id)
            try:
                os.makedirs(self._folder, exist_ok=True)
                write_atomically(self._path(id), page(explain(id)).encode())
            except OSError as error:
                problems.append(f"{self._path(id)}: {error.strerror}")
        return problems

    def _path(self, id: str) -> str:
        return os.path.join(self._folder, f"{id}.md")
