"""The spelling of a macro that is recognized by its position only: capitals, as most macros of declarations have."""

from __future__ import annotations

MACRO = rb"_{0,2}[A-Z][A-Z0-9_]{2,99}\b"
"""Its name."""
ARGUMENTS = rb"(?:[ \t]*\([^()\n]{0,200}\))?"
"""Its possible arguments."""
