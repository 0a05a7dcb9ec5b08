"""The corpus in HIP: each source is translated once a test session, however many tests and workers ask for it."""

from __future__ import annotations

import os
import pickle
from pathlib import Path
from typing import Any

from filelock import FileLock

from hipify_py import Options, ProjectContext, Translation, translate

CORPUS = Path(__file__).parents[1] / "corpus"
NOT_SOURCES = frozenset({"program.yaml", "expected.txt"})
SOURCES = sorted(
    path.relative_to(CORPUS) for path in CORPUS.rglob("*") if path.is_file() and path.name not in NOT_SOURCES
)
"""Every source below the corpus folder; the first part of its path names its program."""


def translate_source(
    source: Path, launch: str = "ggl", data: bytes | None = None, options: Options | None = None
) -> Translation:
    """Translate a corpus source (or other data in its place), whose program's files are its local headers."""
    program = source.parts[0]
    local = frozenset(other.relative_to(program).as_posix() for other in SOURCES if other.parts[0] == program)
    return translate(
        (CORPUS / source).read_bytes() if data is None else data,
        path=source.relative_to(program).as_posix(),
        options=Options(launch=launch) if options is None else options,
        project=ProjectContext(local_headers=local),
    )


class CorpusTranslations:
    """Translations of corpus sources, kept in a folder that the workers of one session share."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder

    def of(self, source: Path, launch: str = "ggl") -> Translation:
        """The translation of a source (a path below the corpus), made by whichever worker asks first."""
        stored = self._folder / f"{launch}-{'__'.join(source.parts)}.pickle"
        with FileLock(f"{stored}.lock"):
            if not stored.is_file():
                stored.write_bytes(pickle.dumps(translate_source(source, launch)))
        kept: Any = pickle.loads(stored.read_bytes())
        assert isinstance(kept, Translation)
        return kept


def session_folder(base: Path) -> Path:
    """The folder that all workers of a session have in common, from the one that pytest gives this worker."""
    return base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
