"""Builds a repository as it is, with CUDA: a build that fails so too says nothing about the conversion."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Mapping

from hipify_py.compile.builds.build import Hearer, build
from hipify_py.compile.builds.output_map import Written
from hipify_py.compile.builds.systems import Job, System
from hipify_py.survey.job import BuildSettings


def has_nvcc(cuda: str) -> bool:
    """Whether a folder is that of a CUDA toolkit; False for an empty name."""
    return bool(cuda) and os.access(os.path.join(cuda, "bin", "nvcc"), os.X_OK)


def cuda_environment(environment: Mapping[str, str], cuda: str) -> dict[str, str]:
    """The variables of a build with a CUDA toolkit: those that makefiles, CMake and setup scripts ask for it.

    The toolkit's stub of the driver's library is found, because building needs no GPU.
    """
    made = {name: value for name, value in environment.items() if name not in ("ROCM_PATH", "HIP_PATH", "HIP_PLATFORM")}
    made |= dict.fromkeys(("CUDA_PATH", "CUDA_HOME", "CUDA_ROOT", "CUDA_DIR", "CUDA_TOOLKIT_ROOT_DIR"), cuda)
    made["CUDACXX"] = os.path.join(cuda, "bin", "nvcc")
    made["PATH"] = os.pathsep.join(filter(None, (os.path.join(cuda, "bin"), made.get("PATH", ""))))
    libraries = (os.path.join(cuda, "lib64"), os.path.join(cuda, "lib64", "stubs"), made.get("LIBRARY_PATH", ""))
    made["LIBRARY_PATH"] = os.pathsep.join(filter(None, libraries))
    return made


class OriginalBuilds:
    """The builds of a repository before its conversion.

    Args:
        root: the folder of the repository; it is copied, because builds write into it.
        place: a folder that is not there yet, for the copy and the output of builds.
        settings: with the CUDA toolkit, and the time limit of all builds.
    """

    def __init__(self, root: str, place: str, settings: BuildSettings) -> None:
        self._root = root
        self._source = os.path.join(place, "source")
        self._output = os.path.join(place, "output")
        self._environment = cuda_environment(os.environ, settings.cuda)
        self._left = settings.seconds

    def fails(self, folder: str, system: System) -> bool:
        """Whether the build of a folder, given relative to the repository, ends with an error before the time is over.

        Raises:
            OSError: when the repository cannot be copied.
        """
        if not os.path.exists(self._source):
            shutil.copytree(self._root, self._source, symlinks=True)
        source, output = (os.path.normpath(os.path.join(top, folder)) for top in (self._source, self._output))
        job = Job(source, output, (), (), 1, self._environment)
        started = time.monotonic()
        done = build(system, job, Written((), self._source, self._root), Hearer(), seconds=max(0.0, self._left))
        self._left -= time.monotonic() - started
        return done.failed is not None and not done.is_late
