"""Packages of the package index that contain CUDA's libraries."""

from __future__ import annotations

from hipify_py.build_systems.expressions import KEYWORD, LIST, STRING, TUPLE, Node
from hipify_py.build_systems.file import BuildFile
from hipify_py.build_systems.python.script import Script

_PREFIX = "nvidia-"


def apply(file: Script) -> None:
    """Report such packages that a setup.py requires."""
    for node in file.nodes:
        if node.kind == STRING and node.parent is not None and node.parent.kind in {LIST, TUPLE, KEYWORD}:
            reported(file, node)


def reported(file: BuildFile, node: Node) -> None:
    """Report a requirement that is one of NVIDIA's packages."""
    name = node.text
    for end, character in enumerate(name):
        if not (character.isalnum() or character in "-_."):
            name = name[:end]
            break
    if name.lower().startswith(_PREFIX) and len(name) > len(_PREFIX):
        file.left("HIP632", node.inner[0], name, "package", "")
