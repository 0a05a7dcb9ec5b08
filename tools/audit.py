"""Asks whether the installed packages have known vulnerabilities.

    python tools/audit.py

pip-audit asks the package index. Where that cannot be reached, or does not know a package, nothing can be said of it,
and this says so. The exit status is 1 when a vulnerability is known.
"""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

ACCEPTED: dict[str, str] = {}
"""Vulnerabilities that do not reach us, by id, each with the reason."""


def main() -> int:
    """Print what is known; 1 when that is a vulnerability."""
    command = [sys.executable, "-m", "pip_audit", "--format", "json", "--progress-spinner", "off", "--skip-editable"]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    try:
        packages: list[dict[str, Any]] = json.loads(run.stdout)["dependencies"]
    except (ValueError, KeyError):
        print(f"WARNING: no package was audited; pip-audit said:\n{run.stderr.strip()}", file=sys.stderr)
        return 0
    found = [(package, flaw) for package in packages for flaw in package.get("vulns", ())]
    for package, flaw in found:
        why = ACCEPTED.get(flaw["id"], "mended in " + (", ".join(flaw["fix_versions"]) or "no version yet"))
        print(f"{package['name']} {package['version']}: {flaw['id']}: {why}")
    unknown = sum("vulns" not in package for package in packages)
    print(f"{len(packages) - unknown} packages audited, {len(found)} known vulnerabilities")
    if unknown:
        print(f"WARNING: nothing is known of {unknown} packages", file=sys.stderr)
    return int(any(flaw["id"] not in ACCEPTED for _, flaw in found))


if __name__ == "__main__":
    sys.exit(main())
