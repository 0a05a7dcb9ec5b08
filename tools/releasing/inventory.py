"""The list of what is installed with hipify-py, each with its version and licence, in CycloneDX's form."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from releasing.processes import run

SPECIFICATION = "1.6"


def write_inventory(python: Path, path: Path, time: str) -> None:
    """Write what an environment holds; the tool validates the list by CycloneDX's schema before it writes it."""
    options = ("--sv", SPECIFICATION, "--output-reproducible", "--validate", "--output-file", str(path))
    run(
        *(sys.executable, "-m", "cyclonedx_py", "environment", *options, python),
        environment={"SOURCE_DATE_EPOCH": time},
    )


def licences(path: Path) -> dict[str, str]:
    """The licence of each component of a list, by name and version."""
    components: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))["components"]
    return {f"{part['name']} {part['version']}": _licence(part) for part in components}


def _licence(component: dict[str, Any]) -> str:
    said = component.get("licenses", ())
    return ", ".join(one.get("expression") or one["license"].get("id") or one["license"]["name"] for one in said)
