"""How a macro is written that is known by where it stands alone: in capitals, as macros of declarations mostly are."""

from __future__ import annotations

MACRO = rb"_{0,2}[A-Z][A-Z0-9_]{2,99}\b"
"""Its name."""
ARGUMENTS = rb"(?:[ \t]*\([^()\n]{0,200}\))?"
"""What it may be given."""
