"""The commands that install what no wheel contains, for this machine's package manager."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Mapping, Sequence

ROCM, CUDA = "https://rocm.docs.amd.com", "https://developer.nvidia.com/cuda-downloads"
"""Where to find what this machine's package manager does not have."""

_MANAGERS: Mapping[str, Mapping[str, str]] = {
    "apt-get": {
        "c++": "g++",
        "clang": "clang",
        "hipcc": "hipcc",
        "nvcc": "nvidia-cuda-toolkit",
        "hipblas": "libhipblas-dev",
        "hipcub": "libhipcub-dev",
        "hipfft": "libhipfft-dev",
        "hiprand": "libhiprand-dev",
        "hipsolver": "libhipsolver-dev",
        "hipsparse": "libhipsparse-dev",
        "rocprim": "librocprim-dev",
        "thrust": "librocthrust-dev",
    },
    "dnf": {
        "c++": "gcc-c++",
        "clang": "clang",
        "hipcc": "hipcc",
        "hipblas": "hipblas-devel",
        "hipcub": "hipcub-devel",
        "hipfft": "hipfft-devel",
        "hiprand": "hiprand-devel",
        "hipsolver": "hipsolver-devel",
        "hipsparse": "hipsparse-devel",
        "rocprim": "rocprim-devel",
        "thrust": "rocthrust-devel",
    },
    "brew": {"clang": "llvm"},
}
_PATIENCE = 20


def install(what: Sequence[str], path: str, otherwise: str = "") -> str:
    """The command that installs things, as far as the package manager in `path` has them; else where to read on."""
    for manager, packages in _MANAGERS.items():
        if shutil.which(manager, path=path):
            wanted = [packages[thing] for thing in what if thing in packages]
            if manager == "apt-get":
                wanted = _known_to_apt(wanted, path)
            if wanted:
                return f"{manager} install {' '.join(wanted)}"
    return otherwise


def _known_to_apt(packages: Sequence[str], path: str) -> list[str]:
    """Those that this release of Debian or Ubuntu has; all of them where that cannot be asked."""
    program = shutil.which("apt-cache", path=path)
    if program is None:
        return [*packages]
    try:
        run = subprocess.run(  # apt's own, by its absolute path  # nosec B603
            [program, "policy", *packages],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            env={"LC_ALL": "C", "PATH": path},
            timeout=_PATIENCE,
            check=False,
        )
    except (OSError, subprocess.SubprocessError):
        return [*packages]
    known = set()
    name = ""
    for line in run.stdout.splitlines():
        if not line.startswith(" "):
            name = line.rstrip(":")
        elif line.strip().startswith("Candidate:") and "(none)" not in line:
            known.add(name)
    return [package for package in packages if package in known] if run.stdout else [*packages]
