"""The parts of a release (see `tools/release.py`)."""
