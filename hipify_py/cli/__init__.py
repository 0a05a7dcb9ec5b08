"""The command line: one command a module, no logic of its own."""
