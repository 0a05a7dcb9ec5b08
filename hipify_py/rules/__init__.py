"""The rules: each looks at one thing in a translation unit, and yields edits, references and findings."""
