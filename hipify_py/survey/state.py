"""The records of a survey in a file, from which a later run goes on."""

from __future__ import annotations

import json
import os
from hashlib import sha256

from hipify_py.project.cluster.installation import installation
from hipify_py.survey.job import Job
from hipify_py.survey.record import UNDONE, Record, document_of, record_in


class State:
    """A file with a line for each examined repository.

    A line counts for the same source, options and hipify-py; a repository that could not be examined is tried again.

    Args:
        path: the file, which need not exist.
        job: how repositories are examined.

    Attributes:
        finished: the records of earlier runs, by source.

    Raises:
        OSError: when the file cannot be read or written.
    """

    def __init__(self, path: str, job: Job) -> None:
        key = (job.options, job.bounds, job.tables, job.output, job.build_files, job.builds, installation())
        self._key = sha256(repr(key).encode("utf-8", "surrogateescape")).hexdigest()
        self.finished: dict[str, Record] = {}
        if os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                for line in file:
                    self._take(line)
        self._file = open(path, "a", encoding="utf-8")  # noqa: SIM115  # for as long as the survey takes

    def _take(self, line: str) -> None:
        try:
            entry = json.loads(line)
        except ValueError:  # the run was ended while it wrote the line
            return
        if entry.get("key") == self._key:
            record = record_in(entry["record"])
            self.finished[record.source] = record

    def add(self, record: Record) -> None:
        """Write a record."""
        if record.portability != UNDONE:
            self._file.write(json.dumps({"key": self._key, "record": document_of(record)}) + "\n")
            self._file.flush()

    def close(self) -> None:
        """Close the file."""
        self._file.close()
