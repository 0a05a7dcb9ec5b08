"""The rules: each handles one construct of a translation unit, and yields edits, references and findings."""
