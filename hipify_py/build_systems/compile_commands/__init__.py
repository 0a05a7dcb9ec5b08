"""Compilation databases (`compile_commands.json`): translated, and read to learn how sources are compiled."""
