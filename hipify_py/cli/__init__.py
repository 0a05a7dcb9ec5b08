"""The command line: one command per module, without translation logic."""
