"""The rules of scripts, one per module; the `apply` of each edits a script."""
