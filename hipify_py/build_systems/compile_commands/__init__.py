"""Compilation databases (`compile_commands.json`): read for how sources are compiled, and translated."""
