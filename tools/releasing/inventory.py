"""The list of what is installed with hipify-py, each with its version and licence, in CycloneDX's form."""

from __future__ import annotations

import json
import sys
import zipfile
from email import message_from_bytes
from pathlib import Path
from typing import Any

from releasing.processes import run

SPECIFICATION = "1.6"


def write_inventory(wheel: Path, python: Path, path: Path, time: str) -> None:
    """Write what a wheel is, and what is installed with it; the list is validated by CycloneDX's schema.

    Args:
        wheel: what the list is of.
        python: the interpreter of an environment in which the wheel is installed.
        path: the list.
        time: of the list, in seconds.
    """
    subject = path.with_suffix(".toml")
    subject.write_text(_described(wheel), encoding="utf-8")
    options = ("--sv", SPECIFICATION, "--output-reproducible", "--validate", "--output-file", path)
    run(
        *(sys.executable, "-m", "cyclonedx_py", "environment", *options, "--pyproject", subject, python),
        environment={"SOURCE_DATE_EPOCH": time},
    )
    subject.unlink()


def _described(wheel: Path) -> str:
    """A wheel's metadata as the project file in which the tool looks for them: ours has no version."""
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        metadata = message_from_bytes(archive.read(name))
    dependencies = [one for one in metadata.get_all("Requires-Dist", ()) if "extra ==" not in one]
    fields = {
        "name": metadata["Name"],
        "version": metadata["Version"],
        "description": metadata["Summary"] or "",
        "license": metadata["License-Expression"] or "",
        "dependencies": dependencies,
    }
    # Lists and strings of JSON are TOML's, too.
    return "[project]\n" + "".join(f"{key} = {json.dumps(value)}\n" for key, value in fields.items() if value)


def licences(path: Path) -> dict[str, str]:
    """The licence of each component of a list, by name and version."""
    components: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))["components"]
    return {f"{part['name']} {part['version']}": _licence(part) for part in components}


def _licence(component: dict[str, Any]) -> str:
    said = component.get("licenses", ())
    return ", ".join(one.get("expression") or one["license"].get("id") or one["license"]["name"] for one in said)
