"""The commands of `python -m tools.tables`, one module each."""
