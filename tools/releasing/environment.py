"""A clean environment with nothing in it but an artefact and what it needs."""

from __future__ import annotations

import os
import sys
import venv
from pathlib import Path

from releasing.processes import run


class Environment:
    """An environment for one artefact, with a home and a cache of its own, where nothing of a checkout is seen."""

    def __init__(self, place: Path, *packages: str | Path) -> None:
        venv.create(place / "environment", with_pip=False, symlinks=True)
        self.work = place / "work"
        self.work.mkdir()
        self._bin = place / "environment" / "bin"
        self._variables = {
            "HOME": str(place / "home"),
            "HIPIFY_PY_CACHE_DIR": str(place / "cache"),
            "PYTHONPATH": "",
            "PATH": f"{self._bin}{os.pathsep}{os.environ['PATH']}",
            "NO_COLOR": "1",
            "HIPIFY_PY_ROCM": "newest",  # whatever is installed here
        }
        self.install(*packages)

    @property
    def python(self) -> Path:
        """Its interpreter."""
        return self._bin / "python"

    def install(self, *packages: str | Path) -> None:
        """Install packages, with this program's pip: the environment has none, so that it lists what is needed only."""
        options = ("--quiet", "--disable-pip-version-check", "--no-compile")
        run(sys.executable, "-m", "pip", "--python", self.python, "install", *options, *packages)

    def run(self, program: str, *arguments: str | Path, expected: int = 0, folder: Path | None = None) -> str:
        """Run one of its programs, in its working folder, and return what it printed."""
        return run(
            *(self._bin / program, *arguments),
            folder=folder or self.work,
            environment=self._variables,
            expected=(expected,),
        )
