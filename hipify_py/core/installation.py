"""This installation of hipify-py: its version and its folder."""

from __future__ import annotations

import os

try:  # what a build or an installation has written, from the tags of git
    from hipify_py import _version

    VERSION: str = _version.__version__
except ImportError:
    VERSION = "0.0.0"

PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
"""The folder of the package."""
