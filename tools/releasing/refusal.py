"""Why there is no release."""

from __future__ import annotations


class Refusal(Exception):
    """Something that has to be put right first; the message says what."""
