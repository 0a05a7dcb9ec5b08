"""Findings that a project has agreed to live with for now: only what is new fails."""
